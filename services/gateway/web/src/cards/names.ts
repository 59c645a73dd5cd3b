/** What a card is called, for screen readers and texts. */
import type { Deck } from "./decks";
import { FRENCH_SUIT, PACKS, standsFor, type Pack } from "./packs";

type Lang = "it" | "en";
type Words = Readonly<Record<string, string>>;

const RANKS: Readonly<Record<Lang, Words>> = {
  it: {
    A: "asso",
    2: "due",
    3: "tre",
    4: "quattro",
    5: "cinque",
    6: "sei",
    7: "sette",
    8: "otto",
    9: "nove",
    T: "dieci",
    10: "dieci",
    J: "fante",
    C: "cavallo",
    Q: "donna",
    K: "re",
  },
  en: {
    A: "ace",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    T: "ten",
    10: "ten",
    J: "jack",
    C: "knight",
    Q: "queen",
    K: "king",
  },
};

const ITALIAN_SUITS: Readonly<Record<Lang, Words>> = {
  it: { d: "denari", c: "coppe", b: "bastoni", s: "spade" },
  en: { d: "coins", c: "cups", b: "clubs", s: "swords" },
};

const FRENCH_SUITS: Readonly<Record<Lang, Words>> = {
  it: { h: "cuori", d: "quadri", c: "fiori", s: "picche" },
  en: { h: "hearts", d: "diamonds", c: "clubs", s: "spades" },
};

const OF = { it: "di", en: "of" } as const;

const TRUMPS: Words = { T1: "bagatto", T21: "mondo", T22: "matto" };

const UNO_COLOURS: Readonly<Record<Lang, Words>> = {
  it: { r: "rosso", y: "giallo", g: "verde", b: "blu" },
  en: { r: "red", y: "yellow", g: "green", b: "blue" },
};

const UNO_SIGNS: Readonly<Record<Lang, Words>> = {
  it: { 0: "zero", 1: "uno", S: "salto", R: "inverti", "+2": "più due", W: "jolly", W4: "jolly più quattro" },
  en: { 0: "zero", 1: "one", S: "skip", R: "reverse", "+2": "draw two", W: "wild", W4: "wild draw four" },
};

const JOKER = { it: "jolly", en: "joker" } as const;
const FOR = { it: "al posto di:", en: "for the" } as const;

/** "sette di denari", "seven of coins"; as the pack shows it: "sette di quadri". */
export function cardName(deck: Deck, face: string, lang: Lang, pack: Pack): string {
  if (deck === "uno108") return unoName(face, lang);
  if (deck === "tarocco40" && face.startsWith("T")) return trumpName(face, lang);
  if (face.startsWith("X")) return jokerName(deck, face, lang, pack);
  const rank = face.slice(0, -1);
  const suit = face.slice(-1);
  if (deck !== "it40") return named(RANKS[lang][rank], FRENCH_SUITS[lang][suit], lang);
  if (PACKS[pack].suits === "french")
    return named(RANKS[lang][rank], FRENCH_SUITS[lang][FRENCH_SUIT[suit] ?? ""], lang);
  // The queen's place is held by a horseman in the Italian packs.
  return named(RANKS[lang][rank === "Q" ? "C" : rank], ITALIAN_SUITS[lang][suit], lang);
}

function named(rank: string | undefined, suit: string | undefined, lang: Lang): string {
  return `${rank} ${OF[lang]} ${suit}`;
}

function jokerName(deck: Deck, face: string, lang: Lang, pack: Pack): string {
  const other = standsFor(face);
  return other ? `${JOKER[lang]} ${FOR[lang]} ${cardName(deck, other, lang, pack)}` : JOKER[lang];
}

function trumpName(face: string, lang: Lang): string {
  return TRUMPS[face] ?? `${lang === "it" ? "tarocco" : "tarock"} ${face.slice(1)}`;
}

function unoName(face: string, lang: Lang): string {
  const whole = UNO_SIGNS[lang][face];
  if (face.startsWith("W") && whole) return whole;
  const colour = UNO_COLOURS[lang][face.charAt(0)];
  const value = face.slice(1);
  const sign = UNO_SIGNS[lang][value] ?? RANKS[lang][value];
  return lang === "it" ? `${sign} ${colour}` : `${colour} ${sign}`;
}
