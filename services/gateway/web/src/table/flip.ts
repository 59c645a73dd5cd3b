/** Cards that move: what lay somewhere before an update and lies elsewhere after it glides there.
 *
 * The layout is final at once; only transforms are animated, so nothing shifts and a click always meets the real place. */
export interface Snapshot {
  /** Boxes of the face-up cards by key. */
  cards: ReadonlyMap<string, { face: string; box: DOMRect; element: HTMLElement }>;
  /** Boxes of the zones by id, and of the plates as `seat.0`. */
  places: ReadonlyMap<string, DOMRect>;
}

const GLIDE_MS = 320;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

export function snapshot(root: HTMLElement): Snapshot {
  const cards = new Map<string, { face: string; box: DOMRect; element: HTMLElement }>();
  const places = new Map<string, DOMRect>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const key = element.dataset["playing-card"] ?? "";
    cards.set(key, { face: element.dataset["face"] ?? "", box: element.getBoundingClientRect(), element });
  }
  for (const element of root.querySelectorAll<HTMLElement>("[data-place]")) {
    places.set(element.dataset["place"] ?? "", element.getBoundingClientRect());
  }
  return { cards, places };
}

/** Animates from `before` to what is drawn now. `actor`: the seat that acted; cards that come from nowhere come from there. `gone`:
 * the place to which cards go that are seen no more. */
export function glide(root: HTMLElement, layer: HTMLElement, before: Snapshot, actor: string, gone: string): void {
  const after = snapshot(root);
  const left = new Map([...before.cards].filter(([key]) => !after.cards.has(key)));
  for (const [key, { face, box, element }] of after.cards) {
    let from = before.cards.get(key)?.box;
    if (!from) {
      const same = [...left].find(([, each]) => each.face === face);
      if (same) left.delete(same[0]);
      from = same?.[1].box ?? before.places.get(actor) ?? after.places.get(actor);
    }
    if (from) glideFrom(element, from, box);
  }
  const to = after.places.get(gone);
  if (to) for (const { element, box } of left.values()) flyAway(layer, element, box, to);
}

function glideFrom(element: HTMLElement, from: DOMRect, to: DOMRect): void {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.hypot(x, y) < 2 || to.width === 0) return;
  const small = Math.min(1, from.width / to.width);
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${small})`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    { duration: GLIDE_MS, easing: EASE },
  );
}

/** A copy of a card that is there no more flies to where it went. */
function flyAway(layer: HTMLElement, element: HTMLElement, from: DOMRect, to: DOMRect): void {
  const origin = layer.getBoundingClientRect();
  const copy = element.cloneNode(true) as HTMLElement;
  for (const name of ["data-card", "data-own", "data-face", "id", "tabindex"]) copy.removeAttribute(name);
  copy.className = "playing-card flying";
  copy.style.left = `${from.left - origin.left}px`;
  copy.style.top = `${from.top - origin.top}px`;
  copy.style.width = `${from.width}px`;
  layer.append(copy);
  const x = to.left + to.width / 2 - (from.left + from.width / 2);
  const y = to.top + to.height / 2 - (from.top + from.height / 2);
  copy
    .animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(0.5)`, opacity: 0.4 }], {
      duration: GLIDE_MS,
      easing: EASE,
    })
    .finished.finally(() => copy.remove());
}
