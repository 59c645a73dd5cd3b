/**
 * The packs that cards can be shown with. A pack is a picture only: what a card is called on the wire is its deck's.
 *
 * Each pack is one sprite, /cards/<pack>.svg, drawn by scripts/cards (`npm run cards`): a symbol a face, `back`, and for
 * most packs `<face>-s`, the same card drawn for small sizes with a larger index. A sprite carries no style sheet and no
 * script, and its numbers and letters are shapes, not text.
 */
import type { Deck } from "./decks";

export type Pack = "napoletane" | "piacentine" | "genovesi" | "francesi" | "moderne" | "tarocchi" | "uno";

export interface PackInfo {
  name: { it: string; en: string };
  decks: readonly Deck[];
  /** What its suits are called. */
  suits: "italian" | "french" | "uno";
  /** Whether it has drawings of its own for small cards. */
  small: boolean;
  /** Where the index of a card stands in its drawing: shown on a joker that stands for that card. */
  index?: string;
}

const FRENCH_DECKS: readonly Deck[] = ["fr52", "fr108", "fr110"];

export const PACKS: Readonly<Record<Pack, PackInfo>> = {
  napoletane: { name: { it: "Napoletane", en: "Neapolitan" }, decks: ["it40"], suits: "italian", small: true },
  piacentine: { name: { it: "Piacentine", en: "Piacentine" }, decks: ["it40"], suits: "italian", small: true },
  genovesi: { name: { it: "Genovesi", en: "Genoese" }, decks: ["it40"], suits: "french", small: true },
  francesi: {
    name: { it: "Francesi", en: "French" },
    decks: [...FRENCH_DECKS, "it40"],
    suits: "french",
    small: true,
    index: "0 5 22 36",
  },
  moderne: {
    name: { it: "Moderne a quattro colori", en: "Modern, four colours" },
    decks: [...FRENCH_DECKS, "it40"],
    suits: "french",
    small: false,
    index: "2 5 40 76",
  },
  tarocchi: { name: { it: "Tarocchi", en: "Tarot" }, decks: ["tarocco40"], suits: "french", small: true },
  uno: { name: { it: "Uno", en: "Uno" }, decks: ["uno108"], suits: "uno", small: true },
};

/** The packs with which a deck can be shown, the usual one first. */
export function packsFor(deck: Deck): Pack[] {
  return (Object.keys(PACKS) as Pack[]).filter((pack) => PACKS[pack].decks.includes(deck));
}

/** Denari are quadri, coppe cuori, bastoni fiori, spade picche. */
export const FRENCH_SUIT: Readonly<Record<string, string>> = { d: "d", c: "h", b: "c", s: "s" };

/** What of a face is drawn: a joker is drawn as a joker, whatever it stands for. */
export function symbolOf(deck: Deck, face: string, pack: Pack): string {
  if (face.startsWith("X")) return "X";
  if (deck === "uno108") return face.replace("+", "p");
  const inFrench = deck === "it40" && PACKS[pack].decks.includes("fr52");
  return inFrench ? face.slice(0, -1) + FRENCH_SUIT[face.slice(-1)] : face;
}

/** The card for which a joker stands: `7s` of `X=7s`. */
export function standsFor(face: string): string | undefined {
  return face.startsWith("X=") ? face.slice(2) : undefined;
}

export const spriteUrl = (pack: Pack, symbol: string): string => `/cards/${pack}.svg#${symbol}`;
