// Half figures for cards with two ends: from -66 (hat) to 0 (the middle of the card) round x = 0, cut where the other
// end begins. `dress` names three colours and a side to look at, `paint` what all figures of a pack share.
import { cut, disc, inked, place, shape, spot, stroke, tube } from "./svg.mjs";
import { head, profile } from "./heads.mjs";

export const HALF = { left: -36, top: -68, width: 72, height: 68 };

const face = (look, paint) => (look.side ? profile(look, paint) : head(look, paint));
const hand = (x, y, paint) => [
  disc(x, y, 4, paint.skin),
  stroke(`M${x - 1.4} ${y - 3.2}V${y + 0.4}M${x + 1.2} ${y - 3.4}V${y + 0.2}`, undefined, 0.6),
];

/** Short strokes of shade along a sleeve and a side, as a woodcut has them. */
const hatching = "M-27-12L-22-10.6M-28-8L-23-6.6M-28.6-4L-24-2.6M27-12L22-10.6M28-8L23-6.6M28.6-4L24-2.6";

const shoulders = "M-12-27C-24-25-30-16-33 4H33C30-16 24-25 12-27Q0-22-12-27Z";

function jack(dress, look, item, paint) {
  const { c1, c2, c3 } = dress;
  return [
    shape(shoulders, c1),
    shape("M-12-27L-7 4H7L12-27Q0-22-12-27Z", c2),
    stroke("M-9.6-19H9.6M-8.8-12H8.8M-8-5H8", c3, 2.2),
    stroke("M-19-24L-17 4M19-24L17 4", c3, 3),
    stroke("M-19-24L-17 4M19-24L17 4", undefined, 0.5),
    shape("M-12-27.6C-12-21-5-17.6 0-17.6C5-17.6 12-21 12-27.6L7-31H-7Z", paint.white),
    stroke("M-8.6-25Q-6-20-4-19M8.6-25Q6-20 4-19M0-24V-18", undefined, 0.6),
    place(face(look, paint), 0, -39, 1.02),
    item,
    tube("M31 0Q30-12 22.4-14", 8, c3),
    hand(21, -15.4, paint),
  ];
}

function queen(dress, look, item, paint) {
  const { c1, c2, c3 } = dress;
  return [
    shape(shoulders, c1),
    shape("M-9-28C-14-16-13-6-14 4H14C13-6 14-16 9-28Q0-22-9-28Z", c2),
    shape("M-6.6-28Q-7-18 0-15Q7-18 6.6-28Z", paint.skin),
    stroke("M-7-24Q-4-18.6 0-18.6Q4-18.6 7-24", paint.gold, 1.8),
    spot(0, -17.4, 1.7, c1),
    stroke("M-8-8L0-3L8-8M-8-1L0 4L8-1", c3, 2),
    stroke("M-20-23.6Q-17-10-19 4M20-23.6Q17-10 19 4", paint.gold, 2.4),
    place(face(look, paint), 0, -40, 1.02),
    item,
    tube("M32 2Q30-9 22.6-12", 8, c3),
    stroke("M27-15.4L23.8-8.4", paint.gold, 2.2),
    hand(20.6, -13.4, paint),
  ];
}

function king(dress, look, item, paint) {
  const { c1, c2, c3 } = dress;
  return [
    shape(shoulders, c1),
    shape("M-8-28L-11 4H11L8-28Z", c2),
    stroke("M-5-16L0-11L5-16M-5.6-9L0-4L5.6-9M-6-2L0 3L6-2", paint.gold, 1.8),
    shape("M-13-28L-8-28L-11 4H-18Z", paint.white),
    shape("M13-28L8-28L11 4H18Z", paint.white),
    stroke("M-12-20L-11.4-17M-13.4-11L-12.8-8M-14.6-3L-14 0M12-20L11.4-17M13.4-11L12.8-8M14.6-3L14 0", undefined, 1.3),
    stroke("M-22-23Q-23-10-24.6 4M22-23Q23-10 24.6 4", c3, 2.6),
    shape("M-14-28C-14-22-7-19.4 0-19.4C7-19.4 14-22 14-28Q0-33-14-28Z", paint.gold),
    place(face(look, paint), 0, -41, 1.02),
    item,
    tube("M32 0Q31-12 24-15", 8.4, c3),
    stroke("M28.6-18.6L25.2-10.6", paint.gold, 2.2),
    hand(22, -16.4, paint),
  ];
}

function knight(dress, look, item, paint) {
  const { c1, c2, c3, horse, mane } = dress;
  return [
    place(
      [
        shape("M-6-27C-17-25-22-16-24 4H24C22-16 17-25 6-27Q0-23-6-27Z", c1),
        shape("M-6-27L-4 4H6L7-27Q0-23-6-27Z", c2),
        stroke("M-3.6-18H6.4M-3-11H6M-2.6-4H6", c3, 2),
        shape("M-9-27.6C-9-22.6-4-20 0-20C4-20 9-22.6 9-27.6L5-30.6H-5Z", paint.white),
        place(face(look, paint), 0, -38, 0.94),
      ],
      5,
      0,
    ),
    shape("M-10-21C-3-20-2-8-4 4H-16Z", mane),
    shape("M-14-21L-12.4-28L-8.6-20Z", horse),
    shape("M-13-22C-18-23-20-17-23-10C-26-5-32-3-31.4 2C-29 5-24 4-21 2.4L-17 4H-4C-5-6-4-18-13-22Z", horse),
    disc(-18.6, -13, 1.5, paint.ink),
    spot(-29, 0.4, 1, paint.ink),
    stroke("M-24-8.6L-16-5.4L-12-21M-16-5.4L-9 4M-28 2.6L-16-5.4", c3, 1.9),
    item,
    tube("M30 2Q30-12 24-15", 7.6, c3),
    hand(23, -16.4, paint),
  ];
}

const KINDS = { jack, queen, king, knight };

/** A half figure in ink, cut at the middle of the card. `item` is drawn under the hand that holds it. */
export function half(kind, dress, look, item, paint, outline) {
  const { left, top, width, height } = HALF;
  return cut(
    left,
    top,
    width,
    height,
    inked(
      paint.ink,
      outline,
      KINDS[kind](dress, look, item, paint),
      paint.hatched && kind !== "knight" ? stroke(hatching, undefined, 0.9) : [],
    ),
  );
}
