// Tarocchi: nineteen trumps with a picture in an arch, their number in Roman signs over it and in Arabic at the corner,
// and the suit cards: four figures each, and the one low card.
import { penSigns, roundText, spelled } from "../glyphs.mjs";
import { half } from "../halves.mjs";
import { flower, halberd, orb, sceptre, sword } from "../held.mjs";
import { bothEnds, paper, sprite } from "../pack.mjs";
import { frenchPip } from "../suits_french.mjs";
import { again, bricks, crop, cut, disc, line, path, place, rect, round, scatter, star } from "../svg.mjs";
import { TRUMPS } from "../trumps.mjs";

const WIDTH = 100;
const HEIGHT = 172;
const [MID_X, MID_Y] = [WIDTH / 2, HEIGHT / 2];

const ink = "#241a22";
const violet = "#5b2a6e";
const p = {
  ink,
  gold: "#e9b43c",
  red: "#c23a34",
  deep: "#8a2430",
  blue: "#3561a3",
  green: "#3f8752",
  white: "#fffaf0",
  skin: "#f6d8b8",
  blush: "#d4604c",
  steel: "#c3d2de",
  wood: "#9a6637",
  leather: "#7a4526",
  brown: "#6b4020",
  blond: "#e0b04c",
  grey: "#d8d2c8",
  night: "#27335c",
};
const MARK = { h: "#b8282e", d: "#b8282e", c: ink, s: ink };

const right = (item) => place(item, 22, -16);

const DRESS = {
  h: {
    J: [
      { c1: p.red, c2: p.white, c3: p.blue },
      { hair: p.blond, hat: "beret", c1: p.red, c2: p.white },
      right(halberd(p)),
    ],
    C: [
      { c1: p.red, c2: p.gold, c3: p.blue, horse: "#f4ece0", mane: "#d9c39a" },
      { hair: p.brown, hat: "helm", c1: p.red, c2: p.steel },
      right(sword(p)),
    ],
    Q: [
      { c1: p.red, c2: p.gold, c3: p.white },
      { hair: p.blond, cutOf: "long", hat: "coronet", c1: p.red, c2: p.blue },
      right(flower(p)),
    ],
    K: [
      { c1: p.red, c2: p.gold, c3: p.blue },
      { hair: p.grey, cutOf: "curls", beard: "full", hat: "crown", c1: p.red, c2: p.blue },
      right(sceptre(p)),
    ],
  },
  d: {
    J: [
      { c1: p.gold, c2: p.blue, c3: p.red },
      { side: true, hair: p.brown, hat: "cap", c1: p.blue, c2: p.gold },
      right(halberd(p)),
    ],
    C: [
      { c1: p.blue, c2: p.white, c3: p.red, horse: "#b3713c", mane: "#5a341c" },
      { side: true, hair: p.blond, hat: "beret", c1: p.blue, c2: p.white },
      right(sword(p)),
    ],
    Q: [
      { c1: p.gold, c2: p.blue, c3: p.red },
      { hair: p.brown, cutOf: "long", hat: "veil", c1: p.red, c2: p.red },
      right(flower(p, p.gold)),
    ],
    K: [
      { c1: p.blue, c2: p.gold, c3: p.red },
      { hair: p.brown, beard: "fork", hat: "arched", c1: p.blue, c2: p.red },
      right(orb(p)),
    ],
  },
  c: {
    J: [
      { c1: p.green, c2: p.gold, c3: p.red },
      { hair: p.brown, cutOf: "curls", hat: "brim", c1: p.green, c2: p.red },
      right(halberd(p)),
    ],
    C: [
      { c1: p.green, c2: p.white, c3: p.red, horse: "#6b7078", mane: "#32363d" },
      { hair: ink, beard: "moustache", cutOf: "curls", hat: "cap", c1: p.red, c2: p.gold },
      right(sword(p)),
    ],
    Q: [
      { c1: p.green, c2: p.red, c3: p.gold },
      { hair: p.brown, cutOf: "curls", hat: "coronet", c1: p.green, c2: p.red },
      right(flower(p, p.white)),
    ],
    K: [
      { c1: p.green, c2: p.red, c3: p.gold },
      { side: true, hair: ink, beard: "full", hat: "crown", c1: p.green, c2: p.red },
      right(sceptre(p)),
    ],
  },
  s: {
    J: [
      { c1: violet, c2: p.gold, c3: p.blue },
      { hair: p.blond, hat: "helm", c1: violet, c2: p.steel },
      right(sword(p)),
    ],
    C: [
      { c1: violet, c2: p.gold, c3: p.red, horse: "#3a3740", mane: "#18161c" },
      { hair: p.grey, cutOf: "long", hat: "brim", c1: violet, c2: p.red },
      right(sword(p)),
    ],
    Q: [
      { c1: violet, c2: p.blue, c3: p.gold },
      { hair: ink, cutOf: "long", hat: "coronet", c1: violet, c2: p.red },
      right(flower(p, "#c9b3e6")),
    ],
    K: [
      { c1: violet, c2: p.blue, c3: p.gold },
      { hair: p.grey, cutOf: "long", beard: "full", hat: "arched", c1: violet, c2: p.red },
      right(sword(p)),
    ],
  },
};
const KIND = { J: "jack", C: "knight", Q: "queen", K: "king" };
const LOW = { h: "A", d: "A", c: "10", s: "10" };

const ROMAN = [
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(number) {
  let text = "";
  for (const [value, signs] of ROMAN) for (; number >= value; number -= value) text += signs;
  return text;
}

const cards = {};
const shared = {
  ...penSigns(["A", "10", "J", "C", "Q", "K", "I", "V", "X"]),
  paper: paper(WIDTH, HEIGHT, "#fffaf0", "#ab9f8c", 5),
  star: path(star(8, 7, 3), violet),
  trump: [again("paper"), rect(4, 4, WIDTH - 8, HEIGHT - 8, "none", { rx: 3, stroke: violet, "stroke-width": 0.8 })],
};

const ARCH = "M14 132V62C14 30 86 30 86 62V132Z";

for (const number of Object.keys(TRUMPS)) {
  const [behind, ...picture] = TRUMPS[number](p);
  shared[`e${number}`] = picture;
  shared[`n${number}`] = [
    number.length > 1 ? roundText(number, 16, 15, 11.5, violet, 2.9) : roundText(number, 14, 15.5, 14, violet, 2.9),
    again("star", number.length > 1 ? 16 : 14, 30, 0.8),
    spelled(roman(Number(number)), MID_X + 8, 19, 15, ink),
  ];
  cards[`T${number}`] = [
    again("trump"),
    bothEnds(WIDTH, HEIGHT, `n${number}`),
    path(ARCH, behind),
    cut(14, 37, 72, 95, again(`e${number}`, MID_X, 85, 0.98)),
    line(ARCH, violet, 1.4),
  ];
  cards[`T${number}-s`] = [
    again("paper"),
    path("M6 166V92A44 40 0 0 1 94 92V161A5 5 0 0 1 89 166Z", behind),
    cut(6, 54, 88, 112, again(`e${number}`, MID_X, 114, 1.06)),
    roundText(number, number.length > 1 ? 33 : 23, 28, 38, violet, 3),
    again("star", number.length > 1 ? 82 : 50, 28, 1.5),
  ];
}

for (const suit of "hdcs") {
  shared[`p${suit}`] = frenchPip(suit, MARK[suit]);
  for (const rank of [LOW[suit], "J", "C", "Q", "K"]) {
    const face = rank + suit;
    const figure = rank in KIND;
    shared[`i${face}`] = [spelled(rank, 10.5, 15, 14, MARK[suit]), again(`p${suit}`, 10, 31, 0.56)];
    if (figure) {
      const [clothes, look, item] = DRESS[suit][rank];
      shared[`f${face}`] = half(KIND[rank], clothes, look, item, p, 1);
      shared[`h${face}`] = [again(`f${face}`, MID_X, MID_Y, 0.98), again(`p${suit}`, 27.6, 26, 0.8)];
    }
    cards[face] = [
      again("paper"),
      figure
        ? [
            rect(18, 15, WIDTH - 36, HEIGHT - 30, "#fbf0da", { stroke: ink, "stroke-width": 0.8 }),
            bothEnds(WIDTH, HEIGHT, `h${face}`),
            line(`M15.4 ${MID_Y}H${WIDTH - 15.4}`, ink, 3),
            line(`M15.4 ${MID_Y}H${WIDTH - 15.4}`, p.gold, 1.3),
          ]
        : low(suit, rank),
      bothEnds(WIDTH, HEIGHT, `i${face}`),
    ];
    cards[`${face}-s`] = [
      again("paper"),
      figure ? crop([-32, -68, 64, 68], [26, 62, 70, 106], again(`f${face}`)) : again(`p${suit}`, 63, 122, 3),
      roundText(rank, rank === "10" ? 26 : 22, 28, 38, MARK[suit], 3.2),
      again(`p${suit}`, 22, 66, 1.45),
    ];
  }
}

/** The low card: the ace with one great pip, the ten with ten. */
function low(suit, rank) {
  if (rank === "A") return again(`p${suit}`, MID_X, MID_Y, 3);
  const rows = [-54, -18, 18, 54].flatMap((y) => [
    [-18, y],
    [18, y],
  ]);
  return [...rows, [0, -36], [0, 36]].map(([x, y]) => again(`p${suit}`, MID_X + x, MID_Y + y, 1.2, y > 0 ? 180 : 0));
}

cards.back = [
  again("paper"),
  rect(6, 6, WIDTH - 12, HEIGHT - 12, violet, { rx: 3 }),
  path(
    scatter(bricks(MID_X, MID_Y, 9, 5, 16, 16), "m0-4.8l1.3 3.5l3.5 1.3l-3.5 1.3l-1.3 3.5l-1.3-3.5l-3.5-1.3l3.5-1.3z"),
    "#c9a3d8",
  ),
  rect(9, 9, WIDTH - 18, HEIGHT - 18, "none", { stroke: p.gold, "stroke-width": 1.2 }),
  place(
    [
      disc(0, 0, 19, violet),
      round(16, path("M-2.4-12L0-19L2.4-12Z", p.gold)),
      disc(0, 0, 11, p.gold),
      disc(0, 0, 8.6, violet),
      path(star(6, 7, 3), p.gold),
    ],
    MID_X,
    MID_Y,
  ),
];

export const tarocchi = sprite({ width: WIDTH, height: HEIGHT, shared, cards });
