/** Who sits where around the felt: the viewer at the bottom, the next seat on the side to which play passes on. */
import type { View } from "../state/table";

export type Bearing = "south" | "east" | "north" | "west" | "north-east" | "north-west";

/** The other seats, from the one on the viewer's left over the top to the one on the right. */
export function around(view: View): number[] {
  const seats = view.info.seats.length;
  const me = view.seat ?? 0;
  const others = Array.from({ length: seats - 1 }, (_, at) => (me + 1 + at) % seats);
  return view.info.direction === "anticlockwise" ? others.reverse() : others;
}

/** The same in three groups: those on the left side, along the top, on the right side. */
export function sides(view: View): { left: number[]; top: number[]; right: number[] } {
  const others = around(view);
  const flank = others.length < 3 ? 0 : others.length < 7 ? 1 : 2;
  return {
    left: others.slice(0, flank).reverse(),
    top: others.slice(flank, others.length - flank),
    right: others.slice(others.length - flank),
  };
}

/** Where a seat is, seen from the middle of the felt. */
export function bearing(view: View, seat: number): Bearing {
  if (seat === (view.seat ?? 0)) return "south";
  const { left, top, right } = sides(view);
  if (left.includes(seat)) return "west";
  if (right.includes(seat)) return "east";
  const at = top.indexOf(seat);
  if (top.length === 1 || (top.length === 3 && at === 1)) return "north";
  return at < top.length / 2 ? "north-west" : "north-east";
}
