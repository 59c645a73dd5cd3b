/** A card that a player may play from: of the hand, or of the player's own columns. */
import { CardFace } from "../cards/card";
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import { useDrag, type Under } from "./drag";
import type { Lying } from "./keys";
import { useScene } from "./scene";
import { say } from "./says";

export interface OwnCardProps {
  card: Lying;
  zone: Zone;
  /** In the hand: a place among the others, which can be changed. */
  onMove?: (to: { key: string; after: boolean } | "left" | "right") => void;
  onFocus?: () => void;
  tabIndex?: number;
  /** Number of the meld that this card would be part of. */
  bar?: number | undefined;
}

export function OwnCard({ card, zone, onMove, onFocus, tabIndex = 0, bar }: OwnCardProps) {
  const { play, view, speaker, deck, pack } = useScene();
  const mine = zone.seat === view.seat;
  const chosen = play.hand.value.includes(card.key);
  const { cards } = play.meaning.value;
  const acts = cards.size > 0 && play.moves.value.length > 0;
  const can = cards.has(card.face);
  const drag = useDrag({
    elements: () => dragged(play.dragged(card.key), card.key),
    over: ({ zone: over, card: face }) => play.dragOver(play.dragged(card.key), over, face),
    drop: (under: Under) => {
      if (under.own && onMove && under.zone === zone.id) {
        play.landing.value = null;
        onMove(under.own);
      } else if (under.zone !== zone.id) play.drop(play.dragged(card.key), under.zone);
      else play.landing.value = null;
    },
    cancel: () => (play.landing.value = null),
  });
  const name = speaker.card(card.face);
  if (!mine) {
    return (
      <span class="playing-card" role="img" aria-label={name} data-card={card.key} data-face={card.face}>
        <CardFace deck={deck} face={card.face} pack={pack} />
      </span>
    );
  }
  const classes = [
    "playing-card own",
    chosen && "chosen",
    acts && can && "can",
    acts && !can && !chosen && "cannot",
    bar && "barred",
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(" ")}
      data-card={card.key}
      data-face={card.face}
      data-own=""
      aria-label={chosen ? `${name}, ${say("chosen")}` : name}
      aria-pressed={chosen}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onPointerDown={drag.onPointerDown}
      onContextMenu={(event) => {
        event.preventDefault();
        if (!drag.endedDrag()) play.toggle(card.key);
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (drag.endedDrag()) return;
        if (event.detail === 0) play.enter(card.key);
        else if (event.detail === 1) {
          if (!targetClick()) play.clickOwn(card.key, event.shiftKey || event.ctrlKey || event.metaKey);
        }
      }}
      onDblClick={() => play.doubleOwn(card.key)}
      onKeyUp={(event) => event.key === " " && event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === " ") {
          event.preventDefault();
          play.clickOwn(card.key, true);
        } else if (event.key === "Delete" || event.key === "Backspace") {
          event.preventDefault();
          play.discard(card.key, name);
        } else if (event.shiftKey && onMove && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
          event.preventDefault();
          onMove(event.key === "ArrowLeft" ? "left" : "right");
        }
      }}
    >
      {bar !== undefined && <span class="bar" aria-hidden="true" />}
      <CardFace deck={deck} face={card.face} pack={pack} />
    </button>
  );

  /** With a card chosen, a card of another own place (a column) stands for that place. */
  function targetClick(): boolean {
    const first = play.hand.value[0];
    if (first === undefined || first.startsWith(`${zone.id}/`) || zone.kind === "hands") return false;
    if (play.hereMoves(zone.id).length === 0) return false;
    play.clickZone(zone);
    return true;
  }
}

/** The elements that follow a drag: the chosen cards; in a column also those that lie on the gripped one. */
function dragged(keys: readonly string[], gripped: string): HTMLElement[] {
  const found = keys.flatMap((key) => {
    const element = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(key)}"]`);
    return element ? [element] : [];
  });
  const grip = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(gripped)}"]`);
  if (grip?.closest(".column")) {
    for (let next = grip.nextElementSibling; next; next = next.nextElementSibling) found.push(next as HTMLElement);
  }
  return found;
}
