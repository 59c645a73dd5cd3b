/** Cards as they lie on this table: faces that can be pointed at, and backs. */
import { CardBack, CardFace } from "../cards/card";
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import type { Lying } from "./keys";
import { useScene } from "./scene";
import { say } from "./says";

interface TableCardProps {
  card: Lying;
  zone: Zone;
  label?: string;
  /** It is being taken: shown for a moment more. */
  taken?: boolean;
}

/** A card of the table. It is a button while pointing at it means something. */
export function TableCard({ card, zone, label, taken = false }: TableCardProps) {
  const { play, speaker, deck, pack } = useScene();
  const { takes } = play.meaning.value;
  const name = label ?? speaker.card(card.face);
  const chosen = play.takes.value.includes(card.key);
  const landing = play.landing.value?.move?.takes.includes(card.face) ?? false;
  const can = takes.has(card.face) || play.moves.value.some((move) => move.takes.includes(card.face));
  const classes = [
    "playing-card",
    chosen && "chosen",
    takes.has(card.face) && "can",
    landing && "landing",
    taken && "taken",
  ]
    .filter(Boolean)
    .join(" ");
  const shown = <CardFace deck={deck} face={card.face} pack={pack} />;
  if (!can) {
    return (
      <span class={classes} role="img" aria-label={name} data-card={card.key} data-face={card.face}>
        {shown}
      </span>
    );
  }
  return (
    <button
      type="button"
      class={classes}
      data-card={card.key}
      data-face={card.face}
      aria-label={name}
      aria-pressed={chosen}
      onClick={(event) => {
        event.stopPropagation();
        play.clickTable(card.key, zone);
      }}
    >
      {shown}
    </button>
  );
}

/** A card that is only to be looked at. */
export function LookCard({ face, ghost = false }: { face: string; ghost?: boolean }) {
  const { speaker, deck, pack } = useScene();
  return (
    <span class={ghost ? "playing-card ghost" : "playing-card"} role="img" aria-label={speaker.card(face)}>
      <CardFace deck={deck} face={face} pack={pack} />
    </span>
  );
}

export function Backs({ count, most = count }: { count: number; most?: number }) {
  const { pack } = useScene();
  return (
    <>
      {Array.from({ length: Math.min(count, most) }, (_, at) => (
        <span class="playing-card back" key={at} aria-hidden="true">
          <CardBack pack={pack} />
        </span>
      ))}
    </>
  );
}

export function CountBadge({ count }: { count: number }) {
  return (
    <span class="count" title={say("cards", { n: count })}>
      <span aria-hidden="true">{count}</span>
      <span class="unseen">{say("cards", { n: count })}</span>
    </span>
  );
}
