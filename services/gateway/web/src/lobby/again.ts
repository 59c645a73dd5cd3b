/** Lists that are looked at again and again, for nobody says when they change. */
import { useEffect } from "preact/hooks";
import { Broken, Refused } from "../net/socket";
import { client } from "../state/here";

/** Looks now and then again: after every notice, when the page is looked at again, when the connection is back, and every
 * `everyMs` while it is seen. `look` asks `current()` before it shows an answer: false if something newer was asked for. */
export function useAgain(
  look: (current: () => boolean) => Promise<void>,
  everyMs: number,
  inputs: readonly unknown[] = [],
): void {
  const isOpen = client.link.value === "open";
  const notice = client.notice.value;
  useEffect(() => {
    if (!isOpen) return;
    let ended = false;
    const again = () => {
      if (!document.hidden) void quietly(() => look(() => !ended));
    };
    again();
    const timer = setInterval(again, everyMs);
    addEventListener("focus", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      ended = true;
      clearInterval(timer);
      removeEventListener("focus", again);
      document.removeEventListener("visibilitychange", again);
    };
  }, [isOpen, notice, ...inputs]);
}

/** What cannot be had now is had the next time. */
async function quietly(look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof Broken) && !(error instanceof Refused)) throw error;
  }
}
