const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/** Milliseconds to wait before try number `tries` (0 is the first): longer and longer, spread so that a restarted gateway is
 * not met by everybody at once. */
export function backoff(tries: number, chance: () => number = Math.random): number {
  const longest = Math.min(FIRST_MS * 2 ** tries, LONGEST_MS);
  return longest * (0.5 + chance() / 2);
}
