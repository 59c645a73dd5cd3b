/** How a player has arranged the hand: kept for each table over updates and reloads, also while others play. */
import { signal, type Signal } from "@preact/signals";
import type { Lying } from "./keys";

const orders = new Map<string, Signal<readonly string[]>>();

/** Keys of the cards in the player's order; empty while nothing was moved. */
export function orderOf(table: string): Signal<readonly string[]> {
  let found = orders.get(table);
  if (!found) {
    found = signal(load(table));
    orders.set(table, found);
  }
  return found;
}

export function keepOrder(table: string, order: readonly string[]): void {
  orderOf(table).value = order;
  sessionStorage.setItem(storageKey(table), JSON.stringify(order));
}

/** The cards as the player has put them; a card that has just come lies at the right end. */
export function arranged(cards: readonly Lying[], order: readonly string[]): Lying[] {
  if (order.length === 0) return [...cards];
  const place = new Map(order.map((key, at) => [key, at]));
  const last = order.length;
  return [...cards].sort((a, b) => (place.get(a.key) ?? last) - (place.get(b.key) ?? last));
}

/** The order after a card was put where another one lies (`before`), or at the end. */
export function moved(keys: readonly string[], key: string, to: number): string[] {
  const left = keys.filter((each) => each !== key);
  left.splice(Math.max(0, Math.min(to, left.length)), 0, key);
  return left;
}

function load(table: string): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(table)) ?? "[]") as string[];
  } catch {
    return []; // it was not written by us
  }
}

function storageKey(table: string): string {
  return `tavolo.order.${table}`;
}
