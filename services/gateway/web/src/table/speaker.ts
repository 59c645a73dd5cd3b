/** Who sits where and what is called how, at one table: names for everything that is written about it. */
import type { View } from "../state/table";
import { packFor } from "../cards/choice";
import { deckOf } from "../cards/decks";
import { cardName } from "../cards/names";
import { lang } from "../texts/language";
import { filled, inLanguage, isThere, write, type Speaker } from "./forms";
import { EVENTS } from "./words_events";
import { moveWords } from "./words_moves";
import { FACTS, ITEMS, UNSAID, ZONES, type Pair } from "./words_names";
import type { Event } from "#protos/tavolo/table/v1/view_pb";

export function speakerOf(view: View): Speaker {
  const { game } = view.info;
  const deck = deckOf(game);
  const pack = packFor(game, deck);
  return {
    language: lang.value,
    seat: (seat) => seatName(view, seat),
    card: (face) => (isFace(face) ? cardName(deck, face, lang.value, pack) : face),
  };
}

const FACE = /^([A23456789TJQKC]|10)[hdcsb]$|^T\d+$|^X(=.+)?$|^[rygb](\d|S|R|\+2)$|^W4?$/;

/** Values of facts are not all cards: "XX" and "gioco" stay what they are. */
function isFace(text: string): boolean {
  return FACE.test(text);
}

export function seatName(view: View, seat: number): string {
  return view.info.seats[seat]?.nickname ?? String(seat);
}

/** The nicknames of a side. */
export function sideName(view: View, side: number): string {
  const names = view.info.seats.filter((seat) => seat.side === side).map((seat) => seat.nickname);
  return names.join(" + ") || String(side);
}

export function zoneName(kind: string): string {
  return named(ZONES, kind);
}

export function itemName(id: string): string {
  return named(ITEMS, id);
}

function named(names: Readonly<Record<string, Pair>>, key: string): string {
  const pair = names[key];
  return pair ? inLanguage(pair, lang.value) : key.replaceAll("_", " ");
}

/** What has happened, in a line. */
export function eventWords(event: Event, view: View): string {
  const speaker = speakerOf(view);
  const data = event.data ? (JSON.parse(event.data) as Record<string, unknown>) : {};
  const values: Record<string, unknown> = event.seat === undefined ? data : { ...data, seat: speaker.seat(event.seat) };
  // A coloured card says its colour by its name.
  if (typeof data["card"] === "string" && !data["card"].startsWith("W")) delete values["colour"];
  if (typeof data["move"] === "string") values["move"] = spelled(data["move"], view, speaker);
  for (const [italian, english, needed] of EVENTS[event.kind] ?? []) {
    if (needed !== undefined && !isThere(data[needed])) continue;
    const line = filled(inLanguage([italian, english], speaker.language), values, speaker);
    if (line !== null) return line.replace(/\s+/g, " ").trim();
  }
  return event.kind.replaceAll("_", " ");
}

/** A move that an event tells, in words. */
function spelled(text: string, view: View, speaker: Speaker): string {
  const [verb = "", ...parts] = text.split(" ");
  return moveWords(view.info.game, { text, verb, cards: parts.filter(isFace), takes: [], target: "" }, speaker);
}

/** The facts of a view that say something to a player, apart: those of a seat or side stand on its plate. */
export interface Said {
  key: string;
  text: string;
}

/** A fact that says something of each seat or side, for one seat. */
export function plateFacts(view: View, seat: number): Said[] {
  const speaker = speakerOf(view);
  const side = view.info.seats[seat]?.side ?? seat;
  const said: Said[] = [];
  for (const [key, value] of Object.entries(view.facts)) {
    const fact = FACTS[key];
    if (!fact || UNSAID.has(key)) continue;
    const label = inLanguage([fact[0], fact[1]], speaker.language);
    const form = fact[2];
    if (form === "seat" && value === seat) said.push({ key, text: label });
    else if (form === "seats" && Array.isArray(value) && value.includes(seat)) said.push({ key, text: label });
    else if (isPerSeat(view, value) && ["each", "joined", "team"].includes(form)) {
      const mine = value.length === view.info.seats.length ? value[seat] : value[side];
      if (mine === true) said.push({ key, text: label });
      else if (typeof mine === "number" && mine !== 0) said.push({ key, text: `${label} ${mine}` });
      else if (typeof mine === "string" && mine !== "?") said.push({ key, text: write([mine], form, speaker) });
    }
  }
  return said;
}

/** What the facts say of the table as a whole. */
export function tableFacts(view: View): Said[] {
  const speaker = speakerOf(view);
  const said: Said[] = [];
  for (const [key, value] of Object.entries(view.facts)) {
    const fact = FACTS[key];
    if (!fact || UNSAID.has(key) || DRAWN.has(key)) continue;
    const form = fact[2];
    if (["seat", "seats", "joined", "team", "each", "boards"].includes(form) || !says(value)) continue;
    const label = inLanguage([fact[0], fact[1]], speaker.language);
    said.push({ key, text: value === true ? label : `${label} ${write(value, form, speaker)}` });
  }
  return said;
}

/** Drawn as pictures of their own. */
const DRAWN: ReadonlySet<string> = new Set(["briscola", "colour", "layable", "opening"]);

function isPerSeat(view: View, value: unknown): value is unknown[] {
  return Array.isArray(value) && (value.length === view.info.seats.length || value.length === view.pub.scores.length);
}

function says(value: unknown): boolean {
  return Array.isArray(value) ? value.some(says) : Boolean(value);
}
