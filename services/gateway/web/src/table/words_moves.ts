/** Words for moves: what a button says. */
import { inLanguage, word, type Speaker } from "./forms";
import type { Offered } from "./choose";
import type { Pair } from "./words_names";

const VERBS: Readonly<Record<string, Pair>> = {
  accept: ["Accetto", "Accept"],
  add: ["Attacca", "Add"],
  announce: ["Dichiaro", "Announce"],
  bet: ["Punto", "Bet"],
  bid: ["Chiamo", "Bid"],
  blind: ["Al buio", "Go blind"],
  call: ["Vedo", "Call"],
  challenge: ["Non ci credo", "Challenge"],
  change: ["Cambio", "Change"],
  check: ["Busso", "Check"],
  close: ["Fine", "Close the hand"],
  declare: ["Accuso", "Declare"],
  discard: ["Scarta", "Discard"],
  done: ["Ho finito", "Done"],
  double: ["Raddoppio", "Double"],
  draw: ["Pesca", "Draw"],
  fold: ["Passo", "Fold"],
  give: ["Passa", "Give"],
  join: ["Gioco", "Join"],
  kontra: ["Kontra", "Kontra"],
  leave: ["Lascio", "Leave"],
  meld: ["Cala", "Meld"],
  move: ["Sposta", "Move"],
  noblind: ["Niente buio", "No blind"],
  parola: ["Parola", "Parola"],
  pass: ["Passo", "Pass"],
  play: ["Gioca", "Play"],
  raise: ["Rilancio", "Raise"],
  recycle: ["Rigira il mazzetto", "Turn the waste over"],
  reenter: ["Rientro", "Re-enter"],
  rekontra: ["Rekontra", "Rekontra"],
  resign: ["Mi arrendo", "Resign"],
  stand: ["Sto", "Stand"],
  stop: ["Mi fermo", "Stop"],
  subkontra: ["Subkontra", "Subkontra"],
  swap: ["Cambia il jolly con", "Swap the joker for"],
  take: ["Prendi", "Take"],
  undo: ["Indietro", "Take back"],
};

/** Where the page that the players know has a word of its own for a move. */
const OF_GAME: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  canasta: {
    accept: ["Raddoppio", "Double"],
    close: ["Fine (Blocca)", "Close"],
    take: ["Prendi il mazzo", "Take the pile"],
  },
  tarocco: { pass: ["Avanti", "Pass"], done: ["Avanti", "Done"] },
  uno: { accept: ["Ci credo: pesco quattro", "Accept: draw four"] },
  bestia: { join: ["Gioco e cambio", "Join and exchange"] },
  sette_e_mezzo: { draw: ["Carta", "Card"] },
};

/** The whole of these moves is said in one word. */
const WHOLE: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  poker: { change: ["Servito", "Stand pat"] },
  bestia: { join: ["Gioco", "Join"] },
};

const PLACES: Readonly<Record<string, Pair>> = {
  stock: ["dal mazzo", "from the stock"],
  discard: ["dal pozzo", "from the discards"],
  base: ["sulla base", "to the base"],
  low: ["in testa", "at the low end"],
  high: ["in coda", "at the high end"],
  uno: ["e dici UNO!", "and say UNO!"],
  take: ["e prendi", "and take"],
};
const MELD = /^m(\d+)$/;
/** Of tarocco's calls, what is called. */
const CALLS: Readonly<Record<string, string>> = {
  announce: "addition",
  kontra: "addition",
  rekontra: "addition",
  subkontra: "addition",
};

/** The verb of a move, as a button says it. */
export function verbWord(game: string, verb: string, speaker: Speaker): string {
  const pair = OF_GAME[game]?.[verb] ?? VERBS[verb];
  return pair ? inLanguage(pair, speaker.language) : verb;
}

/** A move in words: `play 7d take 3c 4s` as "Gioca sette di denari e prendi tre di coppe, quattro di spade". */
export function moveWords(game: string, move: Offered, speaker: Speaker): string {
  const whole = WHOLE[game]?.[move.text];
  if (whole) return inLanguage(whole, speaker.language);
  const [verb = "", ...parts] = move.text.split(" ");
  const faces = new Set([...move.cards, ...move.takes]);
  let said = verbWord(game, verb, speaker);
  let wasCard = false;
  for (const part of parts) {
    const isCard = faces.has(part.replace(/=.*/, ""));
    said += (isCard && wasCard ? ", " : " ") + (isCard ? speaker.card(part) : partWords(move, part, speaker));
    wasCard = isCard;
  }
  return said;
}

function partWords(move: Offered, part: string, speaker: Speaker): string {
  const meld = MELD.exec(part);
  if (meld) return inLanguage([`al gioco ${Number(meld[1]) + 1}`, `to meld ${Number(meld[1]) + 1}`], speaker.language);
  if (move.cards[0] === "W" || move.cards[0] === "W4") {
    if (part !== "uno") return word("colour", part, speaker);
  }
  if (move.verb === "move" && /^\d$/.test(part)) {
    return inLanguage([`sulla colonna ${part}`, `to column ${part}`], speaker.language);
  }
  const place = PLACES[part];
  if (place) return inLanguage(place, speaker.language);
  return word(CALLS[move.verb] ?? "call", part, speaker);
}
