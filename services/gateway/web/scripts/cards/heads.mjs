// Heads of the figures. A face is 22 high round the origin and looks a little to the right.
import { disc, shape, spot, stroke } from "./svg.mjs";

const FACE = "M-7.2-8C-8.2-2-7.6 4-4.2 8.6C-1.6 11.6 1.8 11.6 4.5 8.6C7.6 4.4 8.2-2 7.2-8C3-11.5-3-11.5-7.2-8Z";

/** Eyes, brows, nose, mouth and cheeks. `ink` draws them, `blush` colours cheeks and lips. */
function features({ ink, blush, brow = 0.9 }) {
  return [
    spot(-4.6, 3.6, 1.7, blush, ".55"),
    spot(5.4, 3.4, 1.5, blush, ".55"),
    stroke("M-5.4-3.6Q-3-5.2-.6-3.8M2.6-3.8Q4.6-5 6.4-3.6", ink, brow),
    stroke("M-5-.9Q-3-2.5-.9-.9M2.7-.9Q4.6-2.4 6.3-.9", ink, 0.7),
    spot(-2.7, -0.6, 0.95, ink),
    spot(4.6, -0.6, 0.9, ink),
    stroke("M1.2-2.6L2.6 2.7Q1.6 3.9.2 3.3", ink, 0.7),
    stroke("M-1.6 6.3Q.9 7.7 3.4 6.1", blush, 1.3),
  ];
}

/** Hair behind the face, by cut. */
const HAIR = {
  bob: "M-8-9C-13-2-12.5 7-10.5 11.5C-8.5 13.5-5.5 13-4 11.5H4C5.5 13 8.5 13.5 10.5 11.5C12.5 7 13-2 8-9C4-13-4-13-8-9Z",
  long: "M-8-9C-14-2-12 10-15 22C-11 26-7 24-5 20L-3 10H3L5 20C7 24 11 26 15 22C12 10 14-2 8-9C4-13-4-13-8-9Z",
  curls:
    "M-8-9C-13-7-13-2-11.5 0C-14.5 2-14 6-12 7.5C-13.5 10-11.5 14-8 13L-4 10H4L8 13C11.5 14 13.5 10 12 7.5C14 6 14.5 2 11.5 0C13-2 13-7 8-9C4-13-4-13-8-9Z",
};

const BEARDS = {
  full: [
    "M-7.5 1C-9 9-6 15 0 19C6 15 9 9 7.5 1C6 5 3.4 4.6 1 4.8C-2 5-5.6 5.2-7.5 1Z",
    "M1 4.4C-1.4 3.2-4.6 4.2-6 6.6C-3.6 7.4-.8 7 1 5.6C2.8 7 5.2 7.2 7 6.2C5.8 4 3.2 3.2 1 4.4Z",
  ],
  fork: [
    "M-7.5 1C-9.5 8-8 14-4.5 18C-3 15-1.5 14 0 13C1.5 14 3 15 5 18C8 14 9.4 8 7.5 1C6 5 3.4 4.6 1 4.8C-2 5-5.6 5.2-7.5 1Z",
    "M1 4.4C-1.4 3.2-4.6 4.2-6 6.6C-3.6 7.4-.8 7 1 5.6C2.8 7 5.2 7.2 7 6.2C5.8 4 3.2 3.2 1 4.4Z",
  ],
  moustache: ["M1 4.2C-1.4 3-5.6 3.6-8 1.8C-7.4 5.6-3 7.4 1 5.8C4.4 7.4 8.4 5.4 9 1.8C6.6 3.4 3.2 3 1 4.2Z"],
};

/** What is worn. Each is drawn over the face; `c1` and `c2` are its colours, `gold` its metal. */
const HATS = {
  crown: ({ gold, c1, c2 }) => [
    shape("M-8.6-9Q0-17 8.6-9L8-16Q0-20-8-16Z", c1),
    shape("M-9-6.5L-11.5-18L-5.8-13L0-21.5L5.8-13L11.5-18L9-6.5Q0-10-9-6.5Z", gold),
    disc(-11.5, -18.4, 1.5, c2),
    disc(0, -22, 1.7, c2),
    disc(11.5, -18.4, 1.5, c2),
    shape("M-2-10.5L0-13L2-10.5L0-8.6Z", c2),
    disc(-5.6, -9.6, 1, c1),
    disc(5.6, -9.6, 1, c1),
  ],
  arched: ({ gold, c1, c2 }) => [
    shape("M-9-8C-14-20-4-22 0-20C4-22 14-20 9-8Z", c1),
    stroke("M-8.5-9C-12-18-4-21 0-20C4-21 12-18 8.5-9M0-20V-9", gold, 2.2),
    shape("M-9.6-6.4L-10-11Q0-14.5 10-11L9.6-6.4Q0-9.8-9.6-6.4Z", gold),
    disc(0, -22, 2.2, gold),
    stroke("M0-27V-24M-1.8-25.6H1.8", undefined, 1.1),
    disc(0, -10.6, 1.3, c2),
    disc(-5.4, -9.8, 1, c1),
    disc(5.4, -9.8, 1, c1),
  ],
  coronet: ({ gold, c2 }) => [
    shape("M-8.6-7L-10-14L-5-11L0-16L5-11L10-14L8.6-7Q0-10.4-8.6-7Z", gold),
    disc(0, -16.4, 1.4, c2),
    disc(-10, -14.4, 1.2, c2),
    disc(10, -14.4, 1.2, c2),
  ],
  beret: ({ gold, c1, c2 }) => [
    shape("M6-13C10-24 20-26 25-20C22-20 22-18 23-16C20-17 19-15 19-13C15-15 11-12 8-8Z", c2),
    stroke("M8-10C12-17 17-20 22-20", undefined, 0.6),
    shape("M-9-6.6C-15-10-12-18-2-18.5C9-19 15-14 9.4-6.6Q0-11-9-6.6Z", c1),
    shape("M-9.3-6.2L-9.6-9Q0-13.6 9.8-9L9.6-6.2Q0-10.6-9.3-6.2Z", gold),
  ],
  cap: ({ c1, c2, gold }) => [
    shape("M-9-7C-11-17-4-20 3-20C12-20 20-15 17-3C15-8 12-10 9-9Q0-12-9-7Z", c1),
    shape("M-10-5.6C-11-9-9-10.6-7-10.4Q0-13.4 7-10.4C10-10.6 11-9 10-5.6Q0-10.4-10-5.6Z", c2),
    disc(17, -2.4, 1.9, gold),
  ],
  brim: ({ c1, c2, gold }) => [
    shape("M3-12C2-24 12-29 20-25C17-24 17-21 19-19C15-19 13-16 12-11Z", gold),
    shape("M-8-10C-9-19-4-21 0-21C5-21 9-19 8-10Z", c1),
    shape("M-15-11C-16-6-9-6 0-9C9-6 16-6 15-11C9-13.4-9-13.4-15-11Z", c2),
  ],
  helm: ({ c1, c2, gold }) => [
    shape("M0-19C2-29 14-32 20-24C16-25 14-23 14-20C10-22 6-19 4-15Z", c1),
    shape("M-9.4-2C-12-14-6-20 0-20C6-20 12-14 9.4-2L7-4C7-9 4-11 0-11C-4-11-7-9-7-4Z", c2),
    stroke("M0-20V-11.4M-8-12Q0-16.4 8-12", gold, 1.4),
  ],
  fool: ({ c1, c2, gold }) => [
    shape("M-4-9C-12-14-20-12-25-2C-28-16-16-26-2-19Z", c1),
    shape("M4-9C12-14 20-12 25-2C28-16 16-26 2-19Z", c2),
    shape("M-9-8C-10-18-4-24 5-31C5-24 10-18 9-8Q0-12-9-8Z", c1),
    shape("M0-10C2-18 2-25 5-31C5-24 10-18 9-8Q5-10 0-10Z", c2),
    disc(-25, -1, 2.4, gold),
    disc(25, -1, 2.4, gold),
    disc(5, -32, 2.4, gold),
    shape("M-9.6-5.8L-9.8-9.4Q0-13.6 9.8-9.4L9.6-5.8Q0-10.2-9.6-5.8Z", gold),
  ],
  veil: ({ c1, white, gold, c2 }) => [
    shape(
      "M-8-8C-13-4-13 8-16 18L-9 21C-8 12-8 2-6-5Q0-11 6-5C8 2 8 12 9 21L16 18C13 8 13-4 8-8C4-13-4-13-8-8Z",
      white,
    ),
    ...HATS.coronet({ gold, c2, c1 }),
  ],
};

/** A whole head. `look`: hair, colour of the hair, beard, hat; the colours of the hat are c1 and c2. */
export function head(look, paint) {
  const { cutOf = "bob", hair, beard, hat } = look;
  const fringe = "M-7.6-3.4Q-5.6-8 0-7Q5.6-8 7.6-3.4C8.6-7 8-9.6 6-11H-6C-8-9.6-8.6-7-7.6-3.4Z";
  return [
    shape(HAIR[cutOf], hair),
    shape(FACE, paint.skin),
    beard ? shape(BEARDS[beard][0], hair) : [],
    features(paint),
    beard && BEARDS[beard][1] ? shape(BEARDS[beard][1], hair) : [],
    shape(fringe, hair),
    hat ? HATS[hat]({ ...paint, c1: look.c1, c2: look.c2 }) : [],
  ];
}

const PROFILE =
  "M-3-10.4C-6-9.6-7.4-6.6-7.2-4L-9.8 1.4C-10 2.4-8.6 2.8-7.8 2.8L-8.4 4.4L-7.4 5.4L-8 6.8C-8.4 9.4-6 11-3.6 10.8L1 9.6C6 6 7.6 0 6.6-6C4-11-.4-11.6-3-10.4Z";

/** A head seen from its side, looking to the left. */
export function profile(look, paint) {
  const { hair, beard, hat, cutOf = "bob" } = look;
  const back = {
    bob: "M-5-9.6C-2-14 8-14 11-7C13 0 13 7 10.5 12C7 14 3 13 1.5 11C4 4 2-1-1-4.4Q-5-5-6.4-4Z",
    long: "M-5-9.6C-2-14 8-14 11-7C13 2 12 10 17 20C13 25 6 23 3 18C4 8 2-1-1-4.4Q-5-5-6.4-4Z",
    curls:
      "M-5-9.6C-2-14 7-14 9.6-9C13-7 13-3 11.4-1C14.6 1 14 5 12 6.6C13.6 10 11 14 7 13C4 14 1 12 1.6 10C4 4 2-1-1-4.4Q-5-5-6.4-4Z",
  }[cutOf];
  const chin = "M2 2C0 6-3 4.6-6.6 5.4L-8.2 5.6C-9.4 9-9 14-5 19C0 17 5 10 4 2Z";
  return [
    shape(PROFILE, paint.skin),
    spot(-2.6, 3.4, 1.8, paint.blush, ".55"),
    shape(back, hair),
    beard ? shape(chin, hair) : stroke("M-7.6 5.4L-4.8 5.6", paint.blush, 1.3),
    beard ? stroke("M-8 4.2C-6 3.4-4 4.4-2.4 6.4", hair, 2) : [],
    stroke("M-6.6-4Q-4.6-5.6-2-4.2", paint.ink, 1),
    stroke("M-6-1.2Q-4.4-2.6-2.4-1.2", paint.ink, 0.8),
    spot(-4.6, -0.9, 0.95, paint.ink),
    hat ? HATS[hat]({ ...paint, c1: look.c1, c2: look.c2 }) : [],
  ];
}
