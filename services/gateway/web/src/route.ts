/** Where in Tavolo one is. The address after `#` says it, so that a reload and the browser's Back find the place again. */
import { signal } from "@preact/signals";

export type Route = { page: "room" } | { page: "table"; id: string; watch: boolean };

export function parse(hash: string): Route {
  const found = /^#\/(tavolo|guarda)\/([\w-]{1,64})$/.exec(hash);
  return found?.[2] ? { page: "table", id: found[2], watch: found[1] === "guarda" } : { page: "room" };
}

export function hrefOf(to: Route): string {
  return to.page === "room" ? "#/" : `#/${to.watch ? "guarda" : "tavolo"}/${to.id}`;
}

export const route = signal(parse(location.hash));

addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

export function goToTable(id: string): void {
  go({ page: "table", id, watch: false });
}
