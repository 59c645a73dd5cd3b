// A modern French pack for small screens and for every eye: four colours near to those of Okabe and Ito, which people
// with any of the colour blindnesses tell apart (CIE76 distance 21 or more in a simulation), very large indices, one large pip, figures of flat shapes.
import { roundText } from "../glyphs.mjs";
import { paper, sprite } from "../pack.mjs";
import { frenchPip } from "../suits_french.mjs";
import { again, bricks, dot, path, place, rect, scatter, star, tag } from "../svg.mjs";

const WIDTH = 100;
const HEIGHT = 140;

const COLOURS = { h: "#d12f1b", d: "#0b64b4", c: "#2a9d78", s: "#17171d" };
const TINTS = { h: "#f6c3b5", d: "#b5daf2", c: "#b4e0d0", s: "#cfcfda" };
const GOLD = "#f0b73a";
const SKIN = { h: "#f2cfae", d: "#e0ac7e", c: "#f5d8bd", s: "#b97f56" };
const HAIR = { h: "#8a4a22", d: "#26211f", c: "#e0ad4e", s: "#2a1f1c" };

const eyes = (ink) => [
  dot(-5, -3, 1.5, ink),
  dot(5, -3, 1.5, ink),
  tag("path", {
    d: "M0-2.4V2.2H2M-3.4 6.4Q0 8.6 3.4 6.4",
    fill: "none",
    stroke: ink,
    "stroke-width": 1.2,
    "stroke-linecap": "round",
  }),
];

/** Head and shoulders, from -34 to 46 round the origin, the lower edge cut by the card's. */
const BUSTS = {
  J: (main, tint, skin, hair) => [
    path("M-34 46C-34 26-22 18-8 16H8C22 18 34 26 34 46Z", main),
    path("M-8 16L0 30L8 16V10H-8Z", skin),
    path("M-12 17L0 46L12 17L8 16L0 30L-8 16Z", tint),
    path("M-14-6C-18 8-15 14-10 16L-8-4H8L10 16C15 14 18 8 14-6Z", hair),
    rect(-11, -15, 22, 29, skin, { rx: 10.5 }),
    path("M-17-9C-18-26-6-32 4-31C16-30 21-20 16-9C6-15-6-15-17-9Z", main),
    path("M-17-9C-6-15 6-15 16-9L15-5C6-11-6-11-16-5Z", GOLD),
    path("M10-26C14-40 26-42 30-34C24-33 22-28 17-20Z", tint),
  ],
  Q: (main, tint, skin, hair) => [
    path("M-20-8C-28 10-24 26-28 38H28C24 26 28 10 20-8C16-24-16-24-20-8Z", hair),
    path("M-32 46C-32 28-20 20-8 17H8C20 20 32 28 32 46Z", main),
    path("M-10 17C-8 30 8 30 10 17L7 10H-7Z", skin),
    path("M-13 18C-10 36 10 36 13 18L10 17C8 30-8 30-10 17Z", GOLD),
    dot(0, 33, 3, tint),
    rect(-11, -15, 22, 29, skin, { rx: 10.5 }),
    path("M-12-3C-12-14-4-16 0-16C4-16 12-14 12-3C10-9 6-12 0-12C-6-12-10-9-12-3Z", hair),
    path("M-14-14L-17-31L-8-23L0-34L8-23L17-31L14-14Q0-20-14-14Z", GOLD),
    dot(0, -22, 2.6, main),
    dot(-17, -31, 2.2, tint),
    dot(17, -31, 2.2, tint),
    dot(0, -34.4, 2.2, tint),
  ],
  K: (main, tint, skin, hair) => [
    path("M-36 46C-36 26-24 18-10 16H10C24 18 36 26 36 46Z", main),
    path("M-14 16L-8 46H8L14 16Z", tint),
    path("M-16-8C-19 6-16 14-12 16H12C16 14 19 6 16-8Z", hair),
    rect(-12, -15, 24, 27, skin, { rx: 11 }),
    path("M-13 0C-14 18-8 28 0 31C8 28 14 18 13 0C10 5 5 3 0 3C-5 3-10 5-13 0Z", hair),
    path("M-16-11L-16-32L-8-24L0-36L8-24L16-32L16-11Q0-17-16-11Z", GOLD),
    rect(-1.5, -33, 3, 10, main),
    rect(-4, -30, 8, 3, main),
    path("M-16-11Q0-17 16-11L16-15Q0-21-16-15Z", main),
  ],
};

function bust(suit, rank) {
  const [main, tint, skin, hair] = [COLOURS[suit], TINTS[suit], SKIN[suit], HAIR[suit]];
  return [BUSTS[rank](main, tint, skin, hair), eyes("#1b1b22")];
}

/** The arch in which a figure sits. */
const niche = (colour) => path("M34 135.5V72A31 31 0 0 1 96 72V130.5A5 5 0 0 1 91 135.5Z", colour);

const LETTERS = { T: "10" };

function card(suit, rank) {
  const text = LETTERS[rank] ?? rank;
  const picture =
    rank in BUSTS
      ? [niche(TINTS[suit]), place(bust(suit, rank), 65, 96.8, 0.84)]
      : again(`p${suit}`, 61, 99, rank === "A" ? 3.4 : 3.1);
  return [again("paper"), picture, again(`i${rank}${suit}`)];
}

const index = (suit, rank) => [
  roundText(LETTERS[rank] ?? rank, rank === "T" ? 25 : 21, 27, 36, COLOURS[suit], 2.9),
  again(`p${suit}`, 20, 62, 1.3),
];

const joker = [
  again("paper"),
  niche("#ddd0ee"),
  place(
    [
      path("M-4-8C-22-16-34-8-36 10C-44-16-22-36 0-24Z", COLOURS.h),
      path("M4-8C22-16 34-8 36 10C44-16 22-36 0-24Z", COLOURS.d),
      path("M-16-6C-18-24-6-30 0-44C6-30 18-24 16-6Z", COLOURS.c),
      rect(-13, -15, 26, 32, SKIN.c, { rx: 12 }),
      path("M-16-4Q0-14 16-4L16-10Q0-20-16-10Z", GOLD),
      [-36, 0, 36].map((x) => dot(x * 0.94, x ? 10 : -45, 3.6, GOLD)),
      path("M-34 46C-30 26-18 20-10 18L0 28L10 18C18 20 30 26 34 46Z", COLOURS.s),
      path("M-22 20L-12 30L-6 20L0 32L6 20L12 30L22 20L10 14H-10Z", GOLD),
      eyes("#1b1b22"),
    ],
    65,
    96.8,
    0.84,
  ),
  again("ijoker"),
];

const back = [
  again("paper"),
  rect(5, 5, WIDTH - 10, HEIGHT - 10, "#17324d", { rx: 5 }),
  path(scatter(bricks(WIDTH / 2, HEIGHT / 2, 13, 7, 12, 9.6), "m0-3.4l2.6 3.4l-2.6 3.4l-2.6-3.4z"), "#4f7597"),
  dot(WIDTH / 2, HEIGHT / 2, 24, "#17324d"),
  place(
    [path(star(4, 20, 8), GOLD), path(star(4, 11, 4, -45), "#f7d991"), dot(0, 0, 3, "#17324d")],
    WIDTH / 2,
    HEIGHT / 2,
  ),
];

const cards = {};
const shared = { paper: paper(WIDTH, HEIGHT, "#ffffff", "#b4b4ba", 7) };
for (const suit of "hdcs") {
  shared[`p${suit}`] = frenchPip(suit, COLOURS[suit]);
  for (const rank of "A23456789TJQK") {
    shared[`i${rank}${suit}`] = index(suit, rank);
    cards[rank + suit] = card(suit, rank);
  }
}
shared.ijoker = [roundText("★", 22, 27, 34, "#6a3d9a", 2.4), roundText("J", 21, 64, 26, "#1b1b22", 2.8)];
cards.X = joker;
cards.back = back;

export const moderne = sprite({ width: WIDTH, height: HEIGHT, shared, cards });
