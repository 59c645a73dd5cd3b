// Coins, cups, clubs and swords in two hands. Compact pips (coins, cups) are 20 high round the origin; long ones
// (clubs, swords) 60 high and about 14 wide.
import { disc, inked, round, shape, stroke } from "./svg.mjs";

/** The southern hand: round and painted. */
export function southern({ ink, red, blue, green, gold, white, steel, wood }) {
  const draw = (...parts) => inked(ink, 0.8, parts);
  return {
    d: draw(
      disc(0, 0, 9.8, gold),
      disc(0, 0, 7.6, red),
      round(8, shape("M0 0C-2.6-3-1.6-6 0-7C1.6-6 2.6-3 0 0Z", gold)),
      disc(0, 0, 2.3, blue),
    ),
    c: draw(
      shape("M-5.4 9.8C-5.4 7.4-1.6 7.4-1.4 4.4H1.4C1.6 7.4 5.4 7.4 5.4 9.8Z", gold),
      shape("M-8-6.6C-8.4 1-5 4.6 0 4.6C5 4.6 8.4 1 8-6.6Z", red),
      shape("M-8.1-3.6C-7.6-.4-6.6 1.4-5.4 2.6H5.4C6.6 1.4 7.6-.4 8.1-3.6Z", gold),
      stroke("M-4-3.4V2.4M0-3.4V2.4M4-3.4V2.4", red, 1.2),
      oval(0, -6.6, 8, 2.6, blue),
    ),
    b: draw(
      shape(
        "M-2.4 29.6C-3-4-7.4-10-6.4-20C-5.6-27-3-29.8 0-29.8C3-29.8 5.6-27 6.4-20C7.4-10 3-4 2.4 29.6Q0 31-2.4 29.6Z",
        wood,
      ),
      shape("M-6.2-12.6C-9.6-13-9.8-18-6.4-18.6Z", green),
      shape("M6.2-18.6C9.6-19-9.8-24 6-24.6Z", green),
      shape("M4.6-4C8-4.6 8-9.4 5.8-10.2Z", green),
      shape("M-3.6 4C-7 3.6-7.2-1.2-4.4-2Z", green),
      stroke("M-2.6-25Q-4-19-2.6-13M2-20Q3.4-13 1.4-6M-1-6Q-1.6 4-.6 14", ink, 0.7),
      shape("M-2.9 18H2.9L2.6 23H-2.6Z", red),
    ),
    s: draw(
      shape("M0-30L3.2-24.5L2.6 12H-2.6L-3.2-24.5Z", steel),
      stroke("M0-24V10", ink, 0.6),
      shape("M-8.4 10.4C-6 13.6 6 13.6 8.4 10.4L8.4 15.6C6 14 3 15.8 0 15.8C-3 15.8-6 14-8.4 15.6Z", gold),
      shape("M-2.2 15.8H2.2L2 25H-2Z", red),
      stroke("M-2 18.6H2M-2 21.6H2", ink, 0.6),
      disc(0, 27, 2.8, gold),
      disc(0, 27, 1, blue),
    ),
  };
}

function oval(cx, cy, rx, ry, fill) {
  return shape(`M${cx - rx} ${cy}A${rx} ${ry} 0 1 0 ${cx + rx} ${cy}A${rx} ${ry} 0 1 0 ${cx - rx} ${cy}Z`, fill);
}

/** The northern hand: straight, cut in wood, with heavy lines. */
export function northern({ ink, red, blue, gold, white, green }) {
  const draw = (...parts) => inked(ink, 1.2, parts);
  return {
    d: draw(
      disc(0, 0, 9.6, gold),
      round(12, stroke("M0-9.4V-7.4", ink, 0.9)),
      disc(0, 0, 6.8, white),
      round(4, shape("M0-6.4L2 -2L0 0L-2-2Z", blue)),
      round(4, shape("M0-4.6L1.2-1.6L0 0L-1.2-1.6Z", red), 45),
      disc(0, 0, 1.4, gold),
    ),
    c: draw(
      shape("M-6.4 9.6V7.4H-3.6L-1.6 4H1.6L3.6 7.4H6.4V9.6Z", blue),
      shape("M-3 2.6H3V5H-3Z", gold),
      shape("M-6.6-4.6L-5 2.6H5L6.6-4.6Z", red),
      stroke("M-2.4-4L-1.8 2M2.4-4L1.8 2", ink, 0.9),
      shape("M-8-7.4H8V-4.4H-8Z", gold),
      shape("M-5-7.4L0-10.2L5-7.4Z", blue),
    ),
    b: draw(
      shape("M3.8-12L9.4-17.4L6.4-21.4L3.8-19Z", green),
      shape("M-3.4-1L-9-6.4L-6-10.4L-3.6-8Z", green),
      shape("M3 9L7.8 4.2L5.4.8L3.2 2.6Z", green),
      shape("M-4.8-27L4.8-27L2.4 29H-2.4Z", green),
      oval(0, -27, 4.8, 2.4, gold),
      oval(8, -19.2, 1.6, 2.3, gold),
      oval(-7.6, -8.2, 1.6, 2.3, gold),
      oval(6.6, 2.6, 1.3, 2, gold),
      stroke("M-2-21L-1.4-12M1.6-22L1.4-14M-.8-6L-.6 5M1-2L.8 8", ink, 0.8),
      shape("M-3.2 13L3.2 13L2.9 17.6H-2.9Z", red),
      shape("M-2.9 21L2.9 21L2.6 25H-2.6Z", red),
    ),
    s: draw(
      shape("M0-30L4.2-22L2.6 10H-2.6L-4.2-22Z", white),
      shape("M0-30L4.2-22L2.6 10H0Z", blue),
      shape("M-7.6 9.6H7.6V13.4H-7.6Z", gold),
      disc(-8, 11.5, 2.2, red),
      disc(8, 11.5, 2.2, red),
      shape("M-2.2 13.4H2.2V25.4H-2.2Z", red),
      stroke("M-2 17H2M-2 21H2", ink, 0.9),
      shape("M-4.4 25.4H4.4L0 30.4Z", gold),
    ),
  };
}
