/** Clocks as they stand now: a view says what was left when it was made, and they count down from its arrival. */
import type { SeatClock } from "#protos/tavolo/table/v1/view_pb";
import type { View } from "../state/table";

export const LOW_MS = 20_000;
export const VERY_LOW_MS = 10_000;

/** What a clock shows `now`: nothing is counted during its lead-in, or while it waits for the players. */
export function leftMs(view: View, clock: SeatClock, now: number): number {
  const left = Number(clock.leftMs);
  const clocks = view.pub.clocks;
  if (!clock.running || !clocks || clocks.paused) return left;
  const ran = now - view.at - Number(clocks.leadInMs) - Number(clocks.resumeWaitMs);
  return Math.max(0, left - Math.max(0, ran));
}

/** What is left of a wait that was `ms` long when the view came. */
export function waitMs(view: View, ms: bigint, now: number): number {
  return Math.max(0, Number(ms) - (now - view.at));
}

/** `M:SS` rounded up, below ten seconds `S.T` rounded up. */
export function clockText(ms: number): string {
  if (ms < VERY_LOW_MS) {
    const tenths = Math.ceil(ms / 100);
    return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function secondsText(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
