// Napoletane-like: 40 cards, painted in bright flat colours, figures on their feet, straight swords and knotty clubs.
import { penSigns, roundText, spelled } from "../glyphs.mjs";
import { compact, long } from "../layouts.mjs";
import { paper, sprite } from "../pack.mjs";
import { cavallo, fante, re } from "../standing.mjs";
import { southern } from "../suits_italian.mjs";
import { again, crop, disc, inked, line, path, place, rect, round, shape, star, stroke } from "../svg.mjs";

const WIDTH = 100;
const HEIGHT = 164;
const [MID_X, MID_Y] = [WIDTH / 2, HEIGHT / 2];

const ink = "#2b1a14";
const red = "#cc3a2b";
const blue = "#2a62a8";
const green = "#3f8f4f";
const gold = "#f2b632";
const white = "#fffaf0";
const steel = "#bcd6ea";
const wood = "#a8703a";
const paint = { ink, gold, white, skin: "#f4cfa8", blush: "#d9694f", leather: "#7a4526" };
const MARK = { d: "#9c6800", c: red, b: "#2f7a3e", s: "#2a5a96" };

const pips = southern({ ink, red, blue, green, gold, white, steel, wood });
const LONG = new Set(["b", "s"]);

const DRESS = {
  d: {
    J: [
      { c1: red, c2: gold, c3: blue },
      { hair: "#c98b3a", hat: "beret", c1: red, c2: white },
    ],
    Q: [
      { c1: blue, c2: red, c3: gold, horse: "#f3ead8", mane: "#d9c39a" },
      { hair: "#6b3d1e", hat: "brim", c1: blue, c2: red },
    ],
    K: [
      { c1: red, c2: blue, c3: green },
      { hair: "#e8e2d6", cutOf: "curls", beard: "full", hat: "crown", c1: red, c2: blue },
    ],
  },
  c: {
    J: [
      { c1: green, c2: white, c3: red },
      { hair: "#5b2f18", hat: "cap", c1: red, c2: white, cutOf: "curls" },
    ],
    Q: [
      { c1: red, c2: green, c3: blue, horse: "#8a5a34", mane: "#4a2c18" },
      { hair: "#d6a045", hat: "beret", c1: green, c2: white },
    ],
    K: [
      { c1: green, c2: red, c3: gold, dots: white },
      { hair: "#7a3d1c", cutOf: "long", beard: "fork", hat: "arched", c1: red, c2: green },
    ],
  },
  b: {
    J: [
      { c1: blue, c2: red, c3: green },
      { hair: "#2f2019", hat: "brim", c1: green, c2: gold },
    ],
    Q: [
      { c1: green, c2: gold, c3: red, horse: "#5c6470", mane: "#2f3540" },
      { hair: "#2f2019", beard: "moustache", hat: "cap", c1: red, c2: gold, cutOf: "curls" },
    ],
    K: [
      { c1: blue, c2: green, c3: red },
      { hair: "#2f2019", cutOf: "bob", beard: "full", hat: "crown", c1: green, c2: red },
    ],
  },
  s: {
    J: [
      { c1: gold, c2: blue, c3: red, leg: red },
      { hair: "#8a4f24", hat: "helm", c1: red, c2: steel },
    ],
    Q: [
      { c1: red, c2: blue, c3: green, horse: "#c9824a", mane: "#f0dfc0" },
      { hair: "#a35a28", hat: "helm", c1: gold, c2: steel, cutOf: "long" },
    ],
    K: [
      { c1: blue, c2: gold, c3: red, dots: red },
      { hair: "#b9b2a6", cutOf: "curls", beard: "fork", hat: "arched", c1: blue, c2: red },
    ],
  },
};
const FIGURES = { J: fante, Q: cavallo, K: re };
const LETTER = { A: "A", J: "F", Q: "C", K: "R" };

/** What a figure holds: coin and cup rise from the hand, club and sword stand in it. */
const HELD = { d: [0, -14, 1.05], c: [0, -12, 1.05], b: [0, -8, 0.86], s: [0, -17, 0.88] };

function figure(suit, rank) {
  const [dress, look] = DRESS[suit][rank];
  const [x, y, scale] = HELD[suit];
  return inked(ink, 1, FIGURES[rank](dress, look, again(`p${suit}`, x, y, scale), paint));
}

const wing = [
  "M-8-14C-20-30-36-32-44-24C-40-22-39-19-40-15C-36-15-35-12-36-8C-32-8-31-5-32-1C-28-2-26 1-27 5C-22 4-20 7-20 11C-15 10-11 6-8 2Z",
  "M-40-15C-32-18-22-14-10-6M-36-8C-28-10-20-8-10-3M-32-1C-24-3-18-3-10 0",
];

/** The eagle with two heads under one crown, the coin on its breast. */
const eagle = inked(
  ink,
  1,
  [false, true].map((flip) =>
    place(
      [
        shape(wing[0], blue),
        stroke(wing[1], undefined, 0.8),
        shape("M-2-20C-3-30-8-36-14-36C-18-36-20-33-24-31C-20-30-18-28-15-28C-11-27-10-20-9-12Z", blue),
        shape("M-16.4-33.6L-25.6-30.6L-16-29Z", gold),
        disc(-13.4, -32.6, 1.3, white),
        shape("M-4 16L-16 34L-20 33L-18 38L-13 37L-10 40L-8 35L0 24Z", gold),
      ],
      0,
      0,
      1,
      0,
      flip,
    ),
  ),
  shape("M-9-22C-13 0-11 14 0 24C11 14 13 0 9-22Q0-28-9-22Z", blue),
  shape("M-8 20L-12 44L-6 41L0 48L6 41L12 44L8 20Q0 26-8 20Z", blue),
  stroke("M-4 24L-6 40M0 26V45M4 24L6 40", undefined, 0.8),
  shape("M-8-38L-11-50L-5-45L0-53L5-45L11-50L8-38Q0-42-8-38Z", gold),
);

const ribbon = (colour) =>
  inked(
    ink,
    1,
    shape("M-30 26C-20 34-8 20 0 26C8 32 20 20 30 28L26 36C16 30 8 40 0 34C-8 28-18 42-30 34L-24 31Z", colour),
  );
const leaves = (colour) =>
  inked(
    ink,
    0.8,
    [-1, 1].map((side) =>
      [0, 1, 2, 3].map((i) =>
        place(shape("M0 0C8-5 15-4 19-11C11-14 2-10 0 0Z", colour), side * 5, 36 - i * 19, 1, 0, side < 0),
      ),
    ),
  );

const ACES = {
  d: () => [place(eagle, MID_X, MID_Y + 3, 1), again("pd", MID_X, MID_Y + 2, 1.45)],
  c: () => [
    inked(
      ink,
      1,
      place(
        [-34, -17, 0, 17, 34].map((turn) =>
          place(shape("M0 4C-7-10-3-18 0-26C3-18 7-10 0 4Z", turn % 34 ? gold : red), 0, 0, 1, turn),
        ),
        MID_X,
        58,
      ),
      place(
        [
          stroke("M-28-14C-46-16-44 14-18 12M28-14C46-16 44 14 18 12", gold, 5),
          stroke("M-28-14C-46-16-44 14-18 12M28-14C46-16 44 14 18 12", undefined, 0.9),
        ],
        MID_X,
        82,
        0.8,
      ),
    ),
    again("pc", MID_X, 96, 3.3),
  ],
  b: () => [
    place(leaves(green), MID_X, MID_Y),
    again("pb", MID_X, MID_Y - 4, 2.05),
    place(ribbon(red), MID_X, MID_Y + 14),
  ],
  s: () => [
    place(leaves(green), MID_X, MID_Y + 8),
    again("ps", MID_X, MID_Y - 2, 2.05),
    place(ribbon(gold), MID_X, MID_Y - 8),
  ],
};

/** How large the pips of a rank are, and how far apart down the card. */
const COMPACT = { 2: [2.6, 34], 3: [2.1, 46], 4: [1.7, 36], 5: [1.5, 46], 6: [1.5, 47], 7: [1.45, 50] };
const TALL = { 2: [1.6, 0], 3: [1.22, 39], 4: [1.1, 39], 5: [1, 40], 6: [0.98, 40], 7: [0.9, 42] };

function number(suit, rank) {
  if (LONG.has(suit)) {
    const [scale, down] = TALL[rank];
    return long(rank).map(([x, y, turn]) => again(`p${suit}`, MID_X + 3 + x * 26, MID_Y + y * down, scale, turn));
  }
  const [scale, down] = COMPACT[rank];
  return compact(rank).map(([x, y]) => again(`p${suit}`, MID_X + 4 + x * 20, MID_Y + y * down, scale));
}

const index = (suit, rank) => [
  spelled(LETTER[rank] ?? rank, 12.5, 14.5, 14, MARK[suit]),
  LONG.has(suit) ? again(`p${suit}`, 12.5, 34, 0.38) : again(`p${suit}`, 12.5, 30, 0.56),
];

const frame = [again("paper"), rect(4, 4, WIDTH - 8, HEIGHT - 8, "none", { rx: 4, stroke: ink, "stroke-width": 0.7 })];

function full(suit, rank) {
  const picture =
    rank === "A"
      ? ACES[suit]()
      : rank in FIGURES
        ? again(`f${rank}${suit}`, MID_X + 3, MID_Y + 3, 1.14)
        : number(suit, rank);
  return [frame, picture, again(`i${rank}${suit}`)];
}

function small(suit, rank) {
  const picture =
    rank in FIGURES
      ? crop([-30, -64, 66, 88], [30, 46, 66, 112], again(`f${rank}${suit}`))
      : LONG.has(suit)
        ? again(`p${suit}`, 68, 96, 1.9, 18)
        : again(`p${suit}`, 62, 112, 3.1);
  return [
    again("paper"),
    picture,
    roundText(LETTER[rank] ?? rank, 23, 29, 40, MARK[suit], 3.2),
    LONG.has(suit) ? again(`p${suit}`, 21, 84, 0.95) : again(`p${suit}`, 22, 72, 1.6),
  ];
}

const back = [
  again("paper"),
  rect(6, 6, WIDTH - 12, HEIGHT - 12, blue, { rx: 4 }),
  line(waves(), "#8fb6de", 1.2),
  rect(9, 9, WIDTH - 18, HEIGHT - 18, "none", { rx: 3, stroke: white, "stroke-width": 1.4 }),
  place(
    [
      path(star(8, 27, 21), blue, { stroke: white, "stroke-width": 1.4 }),
      path(star(8, 19, 9), gold),
      round(8, path("M0-4L2-9L0-14L-2-9Z", red)),
      disc(0, 0, 3.6, white),
    ],
    MID_X,
    MID_Y,
  ),
];

/** Scales like roof tiles, row over row. */
function waves() {
  let d = "";
  for (let row = 0; row < 18; row++) {
    const y = 10 + row * 8;
    const from = row % 2 ? 10 : 18;
    const count = row % 2 ? 5 : 4;
    d += `M${from} ${y}` + "a8 8 0 0 0 16 0".repeat(count);
  }
  return d;
}

const ranks = [..."A234567JQK"];
const suits = [..."dcbs"];
const cards = {};
const shared = { paper: paper(WIDTH, HEIGHT, white, "#b9a98c"), ...penSigns([..."A234567FCR"]) };
for (const suit of suits) {
  shared[`p${suit}`] = pips[suit];
  for (const rank of ranks) {
    if (rank in FIGURES) shared[`f${rank}${suit}`] = figure(suit, rank);
    shared[`i${rank}${suit}`] = index(suit, rank);
    cards[rank + suit] = full(suit, rank);
    cards[`${rank}${suit}-s`] = small(suit, rank);
  }
}
cards.back = back;

export const napoletane = sprite({ width: WIDTH, height: HEIGHT, shared, cards });
