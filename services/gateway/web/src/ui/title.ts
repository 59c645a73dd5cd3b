import { useEffect } from "preact/hooks";

/** Names the page in the browser's tab and history. */
export function useTitle(place: string): void {
  useEffect(() => {
    document.title = place ? `${place} · Tavolo` : "Tavolo";
  }, [place]);
}
