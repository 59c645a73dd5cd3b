/** The games by their names. */
import { lang } from "../texts/language";
import { inLanguage } from "./forms";
import type { Pair } from "./words_names";

const TITLES: Readonly<Record<string, Pair>> = {
  asso_pigliatutto: ["Asso pigliatutto", "Ace takes all"],
  bestia: ["Bestia", "Bestia"],
  briscola: ["Briscola", "Briscola"],
  burraco: ["Burraco", "Burraco"],
  canasta: ["Canasta", "Canasta"],
  cirulla: ["Cirulla", "Cirulla"],
  hearts: ["Hearts", "Hearts"],
  jolly: ["Jolly", "Jolly"],
  poker: ["Poker all'italiana", "Italian poker"],
  scala40: ["Scala 40", "Scala Quaranta"],
  scopa: ["Scopa", "Broom"],
  scopone: ["Scopone", "Big Scopa"],
  sette_e_mezzo: ["Sette e mezzo", "Seven and a half"],
  solitario: ["Solitario", "Klondike"],
  tarocco: ["Tarocco", "Tarock"],
  tresette: ["Tresette", "Tressette"],
  uno: ["Uno", "Uno"],
};

export function gameTitle(game: string): string {
  const title = TITLES[game];
  return title ? inLanguage(title, lang.value) : game.replaceAll("_", " ");
}
