// Whole figures on their feet, from -62 (head) to 62 (ground) round the origin: fante, cavallo, re.
// `dress` names three colours (c1, c2, c3), `paint` the colours that all figures of a pack share.
import { disc, place, shape, spot, stroke, tube } from "./svg.mjs";
import { head } from "./heads.mjs";

const hand = (x, y, paint) => disc(x, y, 3.4, paint.skin);

/** Rows of a small motif on a dress. */
const dots = (points, colour) => points.map(([x, y]) => spot(x, y, 1.3, colour));

export function fante(dress, look, item, paint) {
  const { c1, c2, c3 } = dress;
  return [
    shape("M-10-28C-24-14-27 14-25 40C-21 43-17 42-14 39L-8 0L8 0L14 37C17 40 20 40 23 36C24 14 22-14 10-28Z", c3),
    tube("M-13-22Q-25-12-12-1", 8, c1),
    hand(-11.5, -1, paint),
    tube("M-6 18L-8.5 51", 9, c2),
    tube("M6 18L9.5 51", 9, dress.leg ?? c1),
    shape("M-13 50L-4 50.5L-4 58.5L-19 58.5C-20 54-15 54-13 50Z", paint.leather),
    shape("M14 50L5 50.5L5 58.5L20 58.5C21 54 16 54 14 50Z", paint.leather),
    shape(
      "M-11-27C-15-14-11-4-10 0L-19 21L-12.6 24L-6.4 21.6L0 25L6.4 21.6L12.6 24L19 21L10 0C11-4 15-14 11-27Q0-23-11-27Z",
      c1,
    ),
    shape("M-4.5-26L-3.6-1L-6.6 21.6L0 25L6.6 21.6L3.6-1L4.5-26Q0-24.6-4.5-26Z", c2),
    stroke("M-8 2L-12.4 21M8 2L12.4 21", undefined, 0.6),
    dots(
      [
        [0, -20],
        [0, -14],
        [0, -8],
      ],
      paint.gold,
    ),
    shape("M-10.6-3H10.6V2.4H-10.6Z", paint.gold),
    disc(0, -0.3, 2.2, c1),
    item ? place(item, 25, -25) : [],
    tube("M12-22Q20-10 24.5-21", 7.6, c3),
    hand(25, -23.5, paint),
    disc(-13.4, -21.6, 6, c3),
    disc(13.4, -21.6, 6, c3),
    stroke("M-16-25L-12-17.4M-12.4-26.6L-9.4-19M16-25L12-17.4M12.4-26.6L9.4-19", paint.gold, 1),
    shape("M-9-28.5C-9-23-4-20 0-20C4-20 9-23 9-28.5L5-31H-5Z", paint.white),
    place(head(look, paint), 0, -41, 0.95),
  ];
}

export function re(dress, look, item, paint) {
  const { c1, c2, c3 } = dress;
  const ticks = "M-11-21.4L-10.4-18.8M-5.6-18.4L-5.2-15.8M0-17.4V-14.8M5.6-18.4L5.2-15.8M11-21.4L10.4-18.8";
  return [
    shape("M-13-27C-25-12-28 30-32 59.5H32C28 30 25-12 13-27Z", c1),
    shape("M-9-27C-15 0-19 40-21 59.5H21C19 40 15 0 9-27Z", paint.white),
    stroke(
      "M-15 10L-14.6 13M-17 22L-16.6 25M-18.4 34L-18 37M-19.4 46L-19 49M15 10L14.6 13M17 22L16.6 25M18.4 34L18 37M19.4 46L19 49",
      undefined,
      1.2,
    ),
    shape("M-8-27C-11 0-14 40-15.4 59.5H15.4C14 40 11 0 8-27Z", c2),
    shape("M-14.8 50.5H14.8L15.4 59.5H-15.4Z", paint.gold),
    stroke("M-5 6L-7 50M5 6L7 50", undefined, 0.6),
    dots(
      [
        [0, 10],
        [0, 18],
        [0, 26],
        [0, 34],
        [0, 42],
        [-5, 14],
        [5, 14],
        [-6, 30],
        [6, 30],
        [-6.8, 44],
        [6.8, 44],
      ],
      dress.dots ?? paint.gold,
    ),
    stroke("M-13 55H13", c1, 2),
    shape("M-10.4-1H10.4L10.8 4.6H-10.8Z", c3),
    tube("M-14-19Q-26-6-9-3", 9, c1),
    hand(-8.4, -3, paint),
    item ? place(item, 25, -25) : [],
    tube("M14-20Q23-7 24.6-19", 9, c1),
    stroke("M20.4-17.4L28.8-18.4", paint.gold, 2.4),
    hand(25, -22.5, paint),
    shape("M-16-27C-16-18-7-12.4 0-12.4C7-12.4 16-18 16-27Q0-33-16-27Z", paint.white),
    stroke(ticks, undefined, 1.2),
    place(head(look, paint), 0, -41, 0.95),
  ];
}

export function cavallo(dress, look, item, paint) {
  const { c1, c2, c3, horse, mane } = dress;
  return [
    shape("M26 12C37 14 38 34 33 47C30 44 29 36 28 26Z", mane),
    tube("M21 42L23 55", 6, horse),
    tube("M10 42L8 55", 6, horse),
    tube("M-10 42L-9 55", 6, horse),
    tube("M-19 38L-30 41L-28 51", 6, horse),
    shape("M19 54H26.6L28 59.5H18Z", paint.leather),
    shape("M4.4 54H12L12.8 59.5H3Z", paint.leather),
    shape("M-12.6 54H-5L-4.2 59.5H-14Z", paint.leather),
    shape("M-31.4 50L-24.4 51L-25 56H-33Z", paint.leather),
    shape("M-16-20C-8-20-4-6-8 10L-16 12Z", mane),
    shape("M-19-22L-19-30L-13.6-20Z", horse),
    shape(
      "M-21-21C-26-22-28-16-31-8C-34-2-39 1-38 6C-36 9.4-31 8.4-28 6C-25 3-22 2-19 0L-12-8C-12-15-15-19-21-21Z",
      horse,
    ),
    disc(-25.4, -11, 1.3, paint.ink),
    disc(-35.4, 4.4, 0.7, paint.ink),
    stroke("M-31-8L-24-3.6M-24-3.6L-20-20M-33.6 6.6L-24-3.6", c3, 1.6),
    shape(
      "M-22 2C-17-3-13-6-11-9C-8-2-8 6-9 9C0 6 14 5 25 9C31 15 32 31 30 45Q25 49 20 44.6Q14 49 9 44.6Q3 49-3 44.6Q-9 49-14 44.6Q-19 47-23 42C-27 30-26 14-22 2Z",
      c2,
    ),
    stroke("M29.6 39Q25 43 20 38.6Q14 43 9 38.6Q3 43-3 38.6Q-9 43-14 38.6Q-20 41-24.4 36", paint.gold, 2),
    dots(
      [
        [-16, 10],
        [-19, 22],
        [-14, 30],
        [-11, 18],
        [16, 14],
        [24, 18],
        [20, 27],
        [27, 31],
        [13, 31],
        [5, 33],
      ],
      paint.gold,
    ),
    stroke("M-22 2C-17 12-12 14-9 9", c3, 2.2),
    shape("M-8 6C-2 3 12 3 17 7C18 12 14 15 10 15L-4 15C-8 14-10 10-8 6Z", c3),
    tube("M3 7Q-7 14-6 32", 8.4, c1),
    shape("M-10.4 29.6L-1.6 30.6L-2 37.6H-15.4C-16 33.4-11.6 33.4-10.4 29.6Z", paint.leather),
    shape("M-9-25C-13-12-10 2-8 9L-10 13Q2 17 15 13L12 9C14 2 13-12 11-25Q0-21-9-25Z", c1),
    shape("M-3.4-24L-2.6 1H3.6L4.4-24Q0-23-3.4-24Z", paint.white),
    dots(
      [
        [0.5, -17],
        [0.5, -10],
        [0.5, -3],
      ],
      c2,
    ),
    shape("M-8.6.6H12.6L13 5.4H-9Z", paint.gold),
    stroke("M-16 3L-24-3.6", paint.leather, 1.6),
    tube("M-10-20Q-19-8-14.6 1", 7, c3),
    hand(-15, 2.6, paint),
    item ? place(item, 25, -25) : [],
    tube("M12-20Q20-10 24.4-20", 7.4, c3),
    hand(25, -22.5, paint),
    disc(-10.8, -20.6, 5.4, c3),
    disc(12.8, -20.6, 5.4, c3),
    shape("M-8-26.5C-8-21.6-3-19 1-19C5-19 9-21.6 9-26.5L5-29H-4Z", paint.white),
    place(head(look, paint), 0, -38.5, 0.92),
  ];
}
