/** How a table is handled, by game: the gestures that the players of a game are used to. Nothing here says what is allowed. */

/** Games in which one click on a card plays it: adds it, starts a combination, or discards. */
export const ONE_CLICK: ReadonlySet<string> = new Set(["burraco", "canasta", "jolly", "scala40"]);

/** In these a click looks for a combination before it discards. */
export const CLICK_LAYS: ReadonlySet<string> = new Set(["canasta"]);

/** Faces that are too dear for one click: they are discarded by a drag, or by the keyboard with a question. */
export function isPrecious(game: string, face: string): boolean {
  return face === "X" || ((game === "canasta" || game === "burraco") && face.startsWith("2"));
}

/** Moves that are asked about before they are sent, and with which question. */
export const ASKED: Readonly<Record<string, "sure_double" | "sure_resign" | "sure_stop">> = {
  double: "sure_double",
  resign: "sure_resign",
  stop: "sure_stop",
};

/** Games whose forehand, who sits after the dealer, is marked by a flag. */
export const FOREHAND: ReadonlySet<string> = new Set(["tarocco"]);

/** Games in which `scores` counts chips. */
export const CHIPS: ReadonlySet<string> = new Set(["bestia", "poker", "sette_e_mezzo"]);

/** Verbs in the order in which their buttons stand. */
export const VERB_ORDER: readonly string[] = [
  "accept",
  "bid",
  "announce",
  "call",
  "check",
  "draw",
  "take",
  "play",
  "meld",
];

/** In these the player's hand may hold so many cards that it lies in two rows on a phone. */
export const LEAST_TWO_ROWS = 11;
