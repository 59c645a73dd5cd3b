/** With which pack the player sees a game: his own picture only, kept in this browser, shared by its tabs. */
import { signal } from "@preact/signals";
import type { Deck } from "./decks";
import { PACKS, packsFor, type Pack } from "./packs";

const KEY = "tavolo.packs";

/** Games that have a pack of their home. */
const AT_HOME: Readonly<Record<string, Pack>> = { cirulla: "genovesi" };

const chosen = signal<Readonly<Record<string, Pack>>>(load());

function load(): Readonly<Record<string, Pack>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, pack]) => Object.hasOwn(PACKS, String(pack))));
  } catch {
    return {}; // it was not written by us, or nothing can be kept here
  }
}

addEventListener("storage", (event) => {
  if (event.key === KEY) chosen.value = load();
});

/** The pack for a game. Reads a signal: what draws with it draws again when the player chooses. */
export function packFor(game: string, deck: Deck): Pack {
  const usual = packsFor(deck)[0] ?? "francesi";
  const wanted = chosen.value[game] ?? AT_HOME[game] ?? usual;
  return PACKS[wanted].decks.includes(deck) ? wanted : usual;
}

export function choosePack(game: string, pack: Pack): void {
  chosen.value = { ...chosen.value, [game]: pack };
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen.value));
  } catch {
    // The browser keeps nothing: the choice holds until the page is left.
  }
}
