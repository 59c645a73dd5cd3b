// Piacentine-like: 40 cards with two-ended figures, cut in wood: heavy lines, hatching, three colours and black.
import { roundText } from "../glyphs.mjs";
import { half } from "../halves.mjs";
import { compact, long } from "../layouts.mjs";
import { bothEnds, paper, sprite } from "../pack.mjs";
import { northern } from "../suits_italian.mjs";
import { again, crop, disc, inked, lattice, line, path, place, rect, round, shape, star, stroke } from "../svg.mjs";

const WIDTH = 100;
const HEIGHT = 172;
const [MID_X, MID_Y] = [WIDTH / 2, HEIGHT / 2];

const ink = "#17120f";
const red = "#c8321f";
const blue = "#1f4f86";
const green = "#2f7d4c";
const gold = "#f0c02c";
const white = "#fdfaf2";
const paint = { ink, gold, white, skin: "#f6dcc0", blush: "#c8321f", brow: 1.2, hatched: true };
const MARK = { d: "#9a6a00", c: red, b: green, s: blue };

const pips = northern({ ink, red, blue, gold, white, green });
const LONG = new Set(["b", "s"]);

const DRESS = {
  d: {
    J: [
      { c1: red, c2: gold, c3: blue },
      { side: true, hair: gold, hat: "cap", c1: blue, c2: white },
    ],
    Q: [
      { c1: blue, c2: gold, c3: red, horse: white, mane: "#d8cdb8" },
      { hair: "#5a3418", hat: "brim", c1: red, c2: gold },
    ],
    K: [
      { c1: red, c2: blue, c3: gold },
      { hair: "#e9e4d8", cutOf: "curls", beard: "full", hat: "crown", c1: red, c2: blue },
    ],
  },
  c: {
    J: [
      { c1: blue, c2: white, c3: red },
      { hair: "#5a3418", cutOf: "curls", hat: "beret", c1: red, c2: gold },
    ],
    Q: [
      { c1: red, c2: white, c3: blue, horse: "#8a5a34", mane: ink },
      { side: true, hair: gold, hat: "helm", c1: red, c2: "#c9d4de" },
    ],
    K: [
      { c1: blue, c2: red, c3: white },
      { side: true, hair: "#6b3a18", cutOf: "long", beard: "full", hat: "arched", c1: blue, c2: red },
    ],
  },
  b: {
    J: [
      { c1: gold, c2: red, c3: blue },
      { side: true, hair: ink, hat: "brim", c1: red, c2: blue },
    ],
    Q: [
      { c1: red, c2: gold, c3: green, horse: "#4a4a50", mane: ink },
      { hair: ink, cutOf: "curls", beard: "moustache", hat: "cap", c1: green, c2: gold },
    ],
    K: [
      { c1: green, c2: gold, c3: red },
      { hair: ink, beard: "fork", hat: "crown", c1: green, c2: red },
    ],
  },
  s: {
    J: [
      { c1: blue, c2: red, c3: gold },
      { hair: gold, hat: "helm", c1: red, c2: "#c9d4de" },
    ],
    Q: [
      { c1: gold, c2: blue, c3: red, horse: "#b9733a", mane: white },
      { side: true, hair: "#5a3418", cutOf: "long", hat: "beret", c1: blue, c2: white },
    ],
    K: [
      { c1: gold, c2: blue, c3: red },
      { hair: "#8d8a86", cutOf: "long", beard: "full", hat: "arched", c1: red, c2: blue },
    ],
  },
};
const KIND = { J: "jack", Q: "knight", K: "king" };
const LETTER = { A: "A", J: "F", Q: "C", K: "R" };

/** What a figure holds, by suit. */
const HELD = {
  d: () => again("pd", 24, -30, 0.98),
  c: () => again("pc", 23.6, -29, 1),
  b: () => again("pb", 25, -30, 0.9, 8),
  s: () => again("ps", 25, -32, 1, 6),
};

const figure = (suit, rank) => half(KIND[rank], ...DRESS[suit][rank], HELD[suit](), paint, 1.3);

/** The eagle that spreads its wings behind the coin. */
const eagle = inked(
  ink,
  1.4,
  [false, true].map((flip) =>
    place(
      [
        ...[0, 1, 2, 3, 4, 5].map((i) =>
          place(
            shape("M0 0C4 10 3 24 0 32C-4 24-4 10 0 0Z", i % 2 ? ink : blue),
            -6 - i * 4.6,
            -21 + i * 0.6,
            0.96 + (5 - i) * 0.08,
            8 + i * 7,
          ),
        ),
        shape("M-4-14C-14-30-30-32-38-22C-30-26-18-22-8-6Z", blue),
        shape("M-6 26L-20 36L-16 38L-18 42L-13 40L-9 42L-4 32Z", gold),
      ],
      0,
      0,
      1,
      0,
      flip,
    ),
  ),
  shape("M-11-18C-15 4-12 20-8 28L-12 48L-5 44L0 52L5 44L12 48L8 28C12 20 15 4 11-18Z", blue),
  stroke("M-4 30L-6 42M0 30V48M4 30L6 42", white, 1.1),
  shape("M-9-16C-10-26-8-34 0-35C8-36 10-28 9-16Q0-10-9-16Z", blue),
  shape("M-5-33C-9-33-14-30-15-25C-11-27-9-26-6-25Z", gold),
  disc(-2.6, -28.6, 1.8, white),
  shape("M-7-35L-9-47L-3.6-42L0.6-50L4.8-42L10-47L8-35Q0-39-7-35Z", gold),
);

const ACES = {
  d: () => [place(eagle, MID_X, MID_Y, 0.87), again("pd", MID_X, MID_Y + 6, 1.5)],
  c: () => [
    inked(
      ink,
      1.4,
      place(
        [
          [-60, -30, 0, 30, 60].map((turn) =>
            place(shape("M0 4C-8-6-7-20 0-30C7-20 8-6 0 4Z", turn % 60 ? gold : red), 0, 24, 1, turn),
          ),
          stroke("M-30 26C-48 24-48 54-22 58M30 26C48 24 48 54 22 58", undefined, 7),
          stroke("M-30 26C-48 24-48 54-22 58M30 26C48 24 48 54 22 58", gold, 4.4),
        ],
        MID_X,
        54,
        0.86,
      ),
    ),
    again("pc", MID_X, 98, 3.5),
    inked(ink, 1.2, place([disc(0, 0, 8, gold), path(star(6, 6, 3), blue)], MID_X, 93)),
  ],
  b: () => [again("pb", MID_X, MID_Y, 2.15), place(scroll(), MID_X, MID_Y)],
  s: () => [place(wreath(), MID_X, MID_Y - 2), again("ps", MID_X, MID_Y, 2.15), place(scroll(), MID_X, MID_Y + 2)],
};

function scroll() {
  return inked(
    ink,
    1.3,
    shape("M-34-4L-24-10V6L-34 14L-30 4Z", red),
    shape("M34-4L24-10V6L34 14L30 4Z", red),
    shape("M-26-8Q0-18 26-8V8Q0-2-26 8Z", gold),
    stroke("M-18-4.4Q0-11 18-4.4M-18 1Q0-5.6 18 1", undefined, 0.9),
  );
}

function wreath() {
  return inked(
    ink,
    1,
    [-1, 1].map((side) =>
      [0, 1, 2, 3, 4].map((i) =>
        place(shape("M0 0C5-6 12-6 16-12C9-14 1-9 0 0Z", green), side * (9 + i * 3), 24 - i * 12, 1.1, 0, side < 0),
      ),
    ),
  );
}

/** How large the pips of a rank are, and how far apart down the card. */
const COMPACT = { 2: [2.7, 36], 3: [2.2, 48], 4: [1.74, 40], 5: [1.65, 47], 6: [1.65, 49], 7: [1.5, 53] };
const TALL = { 2: [1.72, 0], 3: [1.24, 41], 4: [1.14, 41], 5: [1.06, 42], 6: [1.06, 42], 7: [0.96, 45] };

function number(suit, rank) {
  if (LONG.has(suit)) {
    const [scale, down] = TALL[rank];
    const across = rank === "2" ? 34 : 26;
    return long(rank).map(([x, y, turn]) => again(`p${suit}`, MID_X + 3 + x * across, MID_Y + y * down, scale, turn));
  }
  const [scale, down] = COMPACT[rank];
  return compact(rank).map(([x, y]) => again(`p${suit}`, MID_X + 4 + x * 20, MID_Y + y * down, scale));
}

const index = (suit, rank) => [
  roundText(LETTER[rank] ?? rank, 13, 16, 14, MARK[suit], 2.8),
  LONG.has(suit) ? again(`p${suit}`, 13, 37, 0.4) : again(`p${suit}`, 13, 32, 0.6),
];

const frame = [again("paper"), line(`M4 4H${WIDTH - 4}V${HEIGHT - 4}H4ZM6 6H${WIDTH - 6}V${HEIGHT - 6}H6Z`, ink, 0.7)];

const figures = (suit, rank) => [
  bothEnds(WIDTH, HEIGHT, `h${rank}${suit}`),
  line(`M8 ${MID_Y}H${WIDTH - 8}`, ink, 3.4),
  line(`M8 ${MID_Y}H${WIDTH - 8}`, gold, 1.4),
];

function full(suit, rank) {
  const picture = rank === "A" ? ACES[suit]() : rank in KIND ? figures(suit, rank) : number(suit, rank);
  return [frame, picture, again(`i${rank}${suit}`)];
}

function small(suit, rank) {
  const picture =
    rank in KIND
      ? crop([-33, -68, 66, 68], [24, 58, 74, 112], again(`f${rank}${suit}`))
      : LONG.has(suit)
        ? again(`p${suit}`, 68, 104, 2, 18)
        : again(`p${suit}`, 63, 118, 3.1);
  return [
    again("paper"),
    picture,
    roundText(LETTER[rank] ?? rank, 23, 29, 40, MARK[suit], 3.2),
    LONG.has(suit) ? again(`p${suit}`, 20, 86, 0.95) : again(`p${suit}`, 21, 72, 1.5),
  ];
}

const back = [
  again("paper"),
  rect(6, 6, WIDTH - 12, HEIGHT - 12, red),
  line(lattice(8, 8, WIDTH - 16, HEIGHT - 16, 7), "#f1b7a6", 0.9),
  line(`M9 9H${WIDTH - 9}V${HEIGHT - 9}H9Z`, white, 1.6),
  place(
    [
      path("M0-34L24 0L0 34L-24 0Z", red, { stroke: white, "stroke-width": 1.8 }),
      place(round(4, path("M0 0C-5-7-4-14 0-20C4-14 5-7 0 0Z", gold)), 0, 0),
      round(4, path("M0 0C-3-5-3-10 0-13C3-10 3-5 0 0Z", white), 45),
      disc(0, 0, 3, red),
    ],
    MID_X,
    MID_Y,
  ),
];

const ranks = [..."A234567JQK"];
const suits = [..."dcbs"];
const cards = {};
const shared = { paper: paper(WIDTH, HEIGHT, white, "#a89c86", 5) };
for (const suit of suits) {
  shared[`p${suit}`] = pips[suit];
  for (const rank of ranks) {
    if (rank in KIND) {
      shared[`f${rank}${suit}`] = figure(suit, rank);
      shared[`h${rank}${suit}`] = again(`f${rank}${suit}`, MID_X + 1, MID_Y, 1.16);
    }
    shared[`i${rank}${suit}`] = index(suit, rank);
    cards[rank + suit] = full(suit, rank);
    cards[`${rank}${suit}-s`] = small(suit, rank);
  }
}
cards.back = back;

export const piacentine = sprite({ width: WIDTH, height: HEIGHT, shared, cards });
