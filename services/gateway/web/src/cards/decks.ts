/** The decks of the rules core, and which game is played with which. */

export type Deck = "it40" | "fr52" | "fr108" | "fr110" | "tarocco40" | "uno108";

const DECKS: Readonly<Record<string, Deck>> = {
  asso_pigliatutto: "it40",
  bestia: "it40",
  briscola: "it40",
  burraco: "fr108",
  canasta: "fr108",
  cirulla: "it40",
  hearts: "fr52",
  jolly: "fr110",
  poker: "fr52",
  scala40: "fr108",
  scopa: "it40",
  scopone: "it40",
  sette_e_mezzo: "it40",
  solitario: "fr52",
  tarocco: "tarocco40",
  tresette: "it40",
  uno: "uno108",
};

/** The deck of a game; a game that this page does not know yet is shown with a French one. */
export function deckOf(game: string): Deck {
  return DECKS[game] ?? "fr52";
}
