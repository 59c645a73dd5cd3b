/** A card, face or back. Its width is the CSS variable --card-width; its height follows from the pack. */
import type { Deck } from "./decks";
import { PACKS, spriteUrl, standsFor, symbolOf, type Pack } from "./packs";
import "./cards.css";

interface FaceProps {
  deck: Deck;
  face: string;
  pack: Pack;
  /** The name that is read out; without it the card is silent, as inside a button that says it. */
  label?: string | undefined;
}

export function CardFace({ deck, face, pack, label }: FaceProps) {
  const symbol = symbolOf(deck, face, pack);
  const other = standsFor(face);
  return (
    <span class={`card card-${pack}`} {...spoken(label)}>
      <Drawing pack={pack} symbol={symbol} kind={PACKS[pack].small ? "full" : "every"} />
      {PACKS[pack].small && <Drawing pack={pack} symbol={`${symbol}-s`} kind="small" />}
      {other && <StandsFor pack={pack} symbol={symbolOf(deck, other, pack)} />}
    </span>
  );
}

export function CardBack({ pack, label }: { pack: Pack; label?: string | undefined }) {
  return (
    <span class={`card card-${pack} card-back`} {...spoken(label)}>
      <Drawing pack={pack} symbol="back" kind="every" />
    </span>
  );
}

const spoken = (label: string | undefined) =>
  label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": "true" } as const);

/** `full` and `small` are shown by the width of the card, `every` at every width. */
function Drawing({ pack, symbol, kind }: { pack: Pack; symbol: string; kind: "full" | "small" | "every" }) {
  return (
    <svg class={`card-${kind}`} aria-hidden="true" focusable="false">
      <use href={spriteUrl(pack, symbol)} />
    </svg>
  );
}

/** On a joker: the index of the card for which it stands. */
function StandsFor({ pack, symbol }: { pack: Pack; symbol: string }) {
  return (
    <svg class="card-stands-for" viewBox={PACKS[pack].index} aria-hidden="true" focusable="false">
      <use href={spriteUrl(pack, `i${symbol}`)} />
    </svg>
  );
}
