/** What an update shows besides the new state: the trick or the capture that was made stays in sight for a moment, and cards come
 * from and go to somebody. */
import type { View } from "../state/table";
import type { Event } from "#protos/tavolo/table/v1/view_pb";

/** Cards that still lie where they were played, while the state has moved on. */
export interface Lingering {
  zone: string;
  faces: readonly string[];
  /** Those that are taken. */
  taken: readonly string[];
  leader: number | undefined;
  winner: number | undefined;
}

const TAKING: ReadonlySet<string> = new Set([
  "trick_taken",
  "cards_captured",
  "table_taken",
  "pile_taken",
  "cards_taken",
]);
const DEALING = /dealt|drawn/;

export const LINGER_MS = 1_100;

export function lingering(before: View | null, now: View): Lingering | null {
  return takenTrick(now) ?? capture(before, now);
}

function takenTrick(now: View): Lingering | null {
  const zone = now.zones.find(({ layout }) => layout === "trick");
  const event = now.events.find(({ kind }) => kind === "trick_taken");
  if (!zone || !event || zone.count > 0) return null;
  const complete = now.facts["complete"];
  const last = now.facts["last_trick"] ?? (Array.isArray(complete) ? complete.at(-1) : undefined);
  const trick = last as { leader: number; cards: string[]; winner: number } | undefined;
  const cards = trick?.cards ?? (dataOf(event)["cards"] as string[] | undefined);
  if (!cards) return null;
  return { zone: zone.id, faces: cards, taken: [], leader: trick?.leader, winner: trick?.winner ?? event.seat };
}

/** The card that was played lies on the table with those that it takes. */
function capture(before: View | null, now: View): Lingering | null {
  const played = now.events.find(({ kind }) => kind === "card_played");
  const captured = now.events.find(({ kind }) => kind === "cards_captured");
  const table = before?.zones.find(({ kind }) => kind === "table");
  if (!played || !captured || !table) return null;
  const card = dataOf(played)["card"] as string;
  const cards = dataOf(captured)["cards"] as string[];
  return {
    zone: table.id,
    faces: [...table.cards, card],
    taken: [...cards, card],
    leader: undefined,
    winner: captured.seat,
  };
}

/** From where cards come that were nowhere in sight. */
export function sourceOf(view: View): string {
  const first = view.events[0];
  if (!first) return "";
  if (DEALING.test(first.kind) || first.seat === undefined) return "stock";
  return `seat.${first.seat}`;
}

/** Where cards go that are seen no more; empty: they just lie under others now. */
export function goalOf(view: View): string {
  const event = view.events.find(({ kind }) => TAKING.has(kind));
  return event?.seat === undefined ? "" : `seat.${event.seat}`;
}

function dataOf(event: Event): Record<string, unknown> {
  return event.data ? (JSON.parse(event.data) as Record<string, unknown>) : {};
}
