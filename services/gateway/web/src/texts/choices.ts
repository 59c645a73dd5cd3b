/** Names for the values of options that are words. */
import { texts } from "./language";

const it = {
  "match.points": "a punti",
  "match.hands": "a smazzate",
  "match.freezeout": "fino all'ultimo chip",
  "target_rule.past": "vanno superati",
  "target_rule.reach": "basta raggiungerli",
  "betting.pot_limit": "limite al piatto",
  "betting.no_limit": "senza limite",
  "betting.fixed": "fisse",
  "betting.free": "libere",
  "pickup.open_with": "chi apre con quella carta",
  "pickup.opened_only": "solo chi ha già aperto",
  "attachable_discard.free": "si può scartare",
  "attachable_discard.fisca": "non si può (FISCA)",
  "lone_ace.one_ace": "se è l'unico asso",
  "lone_ace.only_card": "se è l'unica carta",
  "variant.classico": "classico",
  "variant.scientifico": "scientifico",
  "variant.vincere": "a vincere",
  "variant.perdere": "a perdere",
  "variant.duels": "duelli",
  "variant.round": "tutti contro il banco",
  "bank.rotate": "a ogni smazzata",
  "bank.real": "con il reale",
  "reshuffle.match": "a inizio partita",
  "reshuffle.hand": "a ogni smazzata",
  "uno_call.auto": "il tavolo",
  "uno_call.declare": "il giocatore",
  "run_jokers.any": "quanti si vuole",
};

const en: Record<keyof typeof it, string> = {
  "match.points": "to a number of points",
  "match.hands": "a number of hands",
  "match.freezeout": "to the last chip",
  "target_rule.past": "have to be passed",
  "target_rule.reach": "have to be reached",
  "betting.pot_limit": "pot limit",
  "betting.no_limit": "no limit",
  "betting.fixed": "fixed",
  "betting.free": "free",
  "pickup.open_with": "who opens with that card",
  "pickup.opened_only": "only who has opened",
  "attachable_discard.free": "may be discarded",
  "attachable_discard.fisca": "may not be (FISCA)",
  "lone_ace.one_ace": "if it is the only ace",
  "lone_ace.only_card": "if it is the only card",
  "variant.classico": "classic",
  "variant.scientifico": "scientific",
  "variant.vincere": "to win",
  "variant.perdere": "to lose",
  "variant.duels": "duels",
  "variant.round": "all against the bank",
  "bank.rotate": "after every hand",
  "bank.real": "with the natural",
  "reshuffle.match": "when the match begins",
  "reshuffle.hand": "before every hand",
  "uno_call.auto": "the table",
  "uno_call.declare": "the player",
  "run_jokers.any": "as many as one likes",
};

const name = texts<keyof typeof it>(it, en);

/** The name of a value of an option (JSON), for a person. A word that nobody has translated is shown as it is. */
export function choiceName(option: string, json: string): string {
  const value = JSON.parse(json) as unknown;
  if (typeof value !== "string") return String(value);
  const key = `${option}.${value}`;
  return key in it ? name(key as keyof typeof it) : value.replaceAll("_", " ");
}
