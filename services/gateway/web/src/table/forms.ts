/** How values of views and events are written: seats by their names, cards by theirs, calls and colours by their words.
 *
 * A template says the form of a value after a colon, as in `{punter:seat}`. */
import { VALUES } from "./words_values";
import type { Pair } from "./words_names";

export type Language = "it" | "en";
type Values = Readonly<Record<string, unknown>>;

export interface Speaker {
  language: Language;
  /** The nickname on a seat. */
  seat: (seat: number) => string;
  /** The name of a card; a text that is no card comes back as it is. */
  card: (face: string) => string;
}

const HOLE = /\{(\w+)(?::(\w+))?\}/g;
/** So many melds that could be laid are told. */
const TOLD = 6;

export function inLanguage(pair: Pair, language: Language): string {
  return pair[language === "en" ? 1 : 0];
}

/** The template with its values; null if one of them is not there. */
export function filled(template: string, values: Values, speaker: Speaker): string | null {
  for (const [, name = "", form = ""] of template.matchAll(HOLE)) if (!isThere(values[name], form)) return null;
  return template.replaceAll(HOLE, (_, name: string, form: string | undefined) =>
    write(values[name], form ?? "", speaker),
  );
}

/** Zero is there; of a list with something for each seat one value is enough; a number of cards is no faces. */
export function isThere(value: unknown, form = ""): boolean {
  if (Array.isArray(value)) return value.some((each) => each !== null);
  return value !== null && value !== undefined && value !== false && form !== "faces";
}

/** A value in its form. */
export function write(value: unknown, form: string, speaker: Speaker): string {
  const known = FORMS[form];
  if (known) return known(value, speaker);
  const values = Array.isArray(value) ? value : [value];
  return values.map((each) => word(form, each, speaker)).join(" – ");
}

const FORMS: Readonly<Record<string, (value: any, speaker: Speaker) => string>> = {
  "": plain,
  faces: plain,
  cards: (cards: unknown, speaker) =>
    typeof cards === "number" ? `${cards} ${inLanguage(["carte", "cards"], speaker.language)}` : plain(cards, speaker),
  seat: (seat: number, speaker) => speaker.seat(seat),
  seats: (seats: number[], speaker) => seats.map(speaker.seat).join(", "),
  by_seat: (values: unknown[], speaker) =>
    values
      .flatMap((value, seat) =>
        typeof value === "string" || Array.isArray(value) ? [`${speaker.seat(seat)} ${plain(value, speaker)}`] : [],
      )
      .join("; "),
  signed: (number: number) => (number < 0 ? `−${-number}` : `+${number}`),
  each: (values: unknown[], speaker) => values.map((value) => plain(value, speaker)).join(" – "),
  call: (call: string, speaker) =>
    call
      .split(" ")
      .map((part) => word("call", part, speaker))
      .join(" "),
  contract,
  opening: (opening: { ready: number; needed: number }) => `${opening.ready} / ${opening.needed}`,
  pots: (pots: { chips: number; winners: number[] }[], speaker) =>
    pots
      .map(({ chips, winners }) =>
        winners.length > 0 ? `${chips} → ${winners.map(speaker.seat).join(", ")}` : `${chips}`,
      )
      .join(", "),
  boards: (boards: { points: number; status: string }[], speaker) =>
    boards.map(({ points, status }) => `${points} (${word("board", status, speaker)})`).join(" – "),
  melds: (melds: unknown[], speaker) => melds.map((meld) => plain(meld, speaker)).join(" | "),
  layable: (melds: { move: string }[], speaker) =>
    melds
      .slice(0, TOLD)
      .map(({ move }) => plain(move.split(" ").slice(1), speaker))
      .join(" | "),
};

/** A number, a card, cards one after the other; what is not there is a dash. */
export function plain(value: unknown, speaker: Speaker): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return word("flag", value, speaker);
  if (Array.isArray(value)) return value.map((each) => plain(each, speaker)).join(", ");
  return typeof value === "string" ? speaker.card(value) : String(value);
}

export function word(form: string, value: unknown, speaker: Speaker): string {
  const pair = VALUES[form]?.[String(value)];
  return pair ? inLanguage(pair, speaker.language) : plain(value, speaker);
}

interface Contract {
  game: string;
  caller: number;
  called: string | null;
  kontra: number;
  additions: { call: string; seat: number; kontra: number }[];
}

/** A game of tarocco: what is played, by whom, at which level, with which additions. */
function contract(value: Contract, speaker: Speaker): string {
  const level = (kontra: number) => (kontra > 0 ? word("kontra", kontra, speaker) : "");
  const called = value.called ? speaker.card(value.called) : "";
  const parts = [word("game", value.game, speaker), called, `(${speaker.seat(value.caller)})`, level(value.kontra)];
  const additions = value.additions.map((each) =>
    [word("addition", each.call, speaker), `(${speaker.seat(each.seat)})`, level(each.kontra)]
      .filter(Boolean)
      .join(" "),
  );
  return [parts.filter(Boolean).join(" "), ...additions].join(", ");
}
