/** Dragging with mouse, touch or pen: any button of the mouse. The card follows the pointer and stays where it was in the layout. */
import { useRef } from "preact/hooks";

export interface Under {
  zone: string | undefined;
  card: string | undefined;
  /** Key of the own card over which the pointer is, and on which half of it. */
  own: { key: string; after: boolean } | undefined;
}

export interface DragHandlers {
  /** The dragged elements; the first is the one that was gripped. */
  elements: () => HTMLElement[];
  over: (under: Under) => void;
  drop: (under: Under) => void;
  cancel: () => void;
}

/** A pointer that moves less has clicked. */
const SLACK_PX = 7;

export function useDrag(handlers: DragHandlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  const wasDragged = useRef(false);

  function onPointerDown(event: PointerEvent) {
    if (event.button > 2) return;
    const grip = event.currentTarget as HTMLElement;
    const { clientX, clientY, pointerId } = event;
    let elements: HTMLElement[] = [];
    wasDragged.current = false;

    const move = (moved: PointerEvent) => {
      if (moved.pointerId !== pointerId) return;
      const x = moved.clientX - clientX;
      const y = moved.clientY - clientY;
      if (elements.length === 0) {
        if (Math.hypot(x, y) < SLACK_PX) return;
        elements = latest.current.elements();
        wasDragged.current = true;
        grip.setPointerCapture(pointerId);
        for (const each of elements) each.classList.add("dragged");
      }
      for (const each of elements) each.style.translate = `${x}px ${y}px`;
      latest.current.over(under(moved));
    };
    const end = (ended: PointerEvent) => {
      if (ended.pointerId !== pointerId) return;
      stop();
      if (elements.length > 0) latest.current.drop(under(ended));
    };
    const cancel = (ended?: Event) => {
      if (ended instanceof KeyboardEvent && ended.key !== "Escape") return;
      stop();
      latest.current.cancel();
    };
    const stop = () => {
      for (const each of elements) {
        each.classList.remove("dragged");
        each.style.translate = "";
      }
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", cancel);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", cancel);
  }

  return {
    onPointerDown,
    /** Whether the click that follows was the end of a drag. */
    endedDrag: () => {
      const was = wasDragged.current;
      wasDragged.current = false;
      return was;
    },
  };
}

/** What lies under the pointer; the dragged cards themselves let it through. */
function under(event: PointerEvent): Under {
  const found: Under = { zone: undefined, card: undefined, own: undefined };
  for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
    if (!(element instanceof HTMLElement) || element.closest(".dragged")) continue;
    const card = element.closest<HTMLElement>("[data-card]");
    if (card?.dataset["own"] !== undefined && !found.own) {
      const box = card.getBoundingClientRect();
      found.own = { key: card.dataset["card"] ?? "", after: event.clientX > box.left + box.width / 2 };
    }
    if (card && card.dataset["own"] === undefined) found.card ??= card.dataset["face"];
    found.zone ??= element.closest<HTMLElement>("[data-zone]")?.dataset["zone"];
    if (found.zone !== undefined) break;
  }
  return found;
}
