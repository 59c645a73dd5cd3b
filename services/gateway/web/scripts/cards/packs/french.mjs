// The packs of French suits with two-ended figures: `francesi`, 52 cards and a joker with indices at the corners, and
// `genovesi`, 40 cards in the Genoese way: softer colours, a plain frame, pips large enough to do without an index.
import { penSigns, roundText, spelled } from "../glyphs.mjs";
import { half } from "../halves.mjs";
import { flower, halberd, marotte, orb, sceptre, sword } from "../held.mjs";
import { french } from "../layouts.mjs";
import { bothEnds, paper, sprite } from "../pack.mjs";
import { fante } from "../standing.mjs";
import { frenchPip } from "../suits_french.mjs";
import {
  again,
  bricks,
  crop,
  disc,
  dot,
  inked,
  lattice,
  line,
  path,
  place,
  rect,
  round,
  scatter,
  star,
} from "../svg.mjs";

const KIND = { J: "jack", Q: "queen", K: "king" };
const LETTERS = { T: "10" };

/** Scale of the pips, and how far the outer ones are from the middle, across and down. */
const PIPS = {
  A: [3.2, 0, 0],
  2: [1.15, 0, 46],
  3: [1.15, 0, 46],
  4: [1.15, 20, 46],
  5: [1.15, 20, 46],
  6: [1.15, 20, 46],
  7: [1.1, 20, 46],
  8: [1.05, 20, 46],
  9: [0.98, 20, 48],
  T: [0.98, 20, 48],
};

/** The mark that the maker of a pack leaves on its ace of spades. */
const maker = (colour) => [
  round(8, path("M0-4C-3-7-2.4-11 0-13C2.4-11 3-7 0-4Z", colour)),
  dot(0, 0, 2.6, colour),
  line("M-8 16H8", colour, 1),
];

function pack({ width, height, look, dress, ranks, suits, joker }) {
  const [midX, midY] = [width / 2, height / 2];
  const { colours, paint } = look;
  const mark = (suit) => colours[suit];

  const number = (suit, rank) => {
    const [scale, across, down] = PIPS[rank];
    const grow = look.pipScale;
    return french(LETTERS[rank] ?? rank).map(([x, y, turn]) =>
      again(`p${suit}`, midX + x * across * look.spread, midY + y * down * (height / 145), scale * grow, turn),
    );
  };

  const figure = (suit, rank) => {
    const [clothes, face, item] = dress[suit][rank];
    return half(KIND[rank], clothes, face, item, paint, look.outline);
  };

  const court = (suit, rank) => [
    rect(look.inset, look.inset, width - look.inset * 2, height - look.inset * 2, look.window, {
      stroke: look.frame,
      "stroke-width": 0.8,
    }),
    bothEnds(width, height, `h${rank}${suit}`),
    line(`M${look.inset + 0.4} ${midY}H${width - look.inset - 0.4}`, paint.ink, 2.8),
    line(`M${look.inset + 0.4} ${midY}H${width - look.inset - 0.4}`, paint.gold, 1.2),
  ];

  const index = (suit, rank) => [
    spelled(LETTERS[rank] ?? rank, look.indexX, 14, look.indexSize, mark(suit)),
    again(`p${suit}`, look.indexX, 14 + look.indexSize / 2 + 8, 0.54),
  ];

  const full = (suit, rank) => [
    again("paper"),
    rank in KIND ? court(suit, rank) : number(suit, rank),
    rank + suit === "As" ? place(maker(look.paper), midX, midY - 2) : [],
    bothEnds(width, height, `i${rank}${suit}`),
  ];

  const small = (suit, rank) => [
    again("paper"),
    rank in KIND
      ? crop([-30, -66, 60, 66], [34, height - 100, 62, 98], again(`f${rank}${suit}`))
      : again(`p${suit}`, 66, height - 36, 2.9),
    roundText(LETTERS[rank] ?? rank, rank === "T" ? 26 : 22, 27, 38, mark(suit), 3.2),
    again(`p${suit}`, 22, 65, 1.45),
  ];

  const cards = {};
  const shared = {
    paper: paper(width, height, look.paper, look.edge, look.radius),
    ...penSigns(ranks.map((rank) => LETTERS[rank] ?? rank)),
  };
  for (const suit of suits) {
    shared[`p${suit}`] = frenchPip(look.shape?.[suit] ?? suit, mark(suit));
    for (const rank of ranks) {
      if (rank in KIND) {
        shared[`f${rank}${suit}`] = figure(suit, rank);
        shared[`h${rank}${suit}`] = [
          again(`f${rank}${suit}`, midX, midY, look.figureScale),
          again(`p${suit}`, look.inset + 9.6, look.inset + 11, 0.8),
        ];
      }
      shared[`i${rank}${suit}`] = index(suit, rank);
      cards[rank + suit] = full(suit, rank);
      cards[`${rank}${suit}-s`] = small(suit, rank);
    }
  }
  if (joker) {
    shared.fool = joker;
    const star = (x, y, size) => roundText("★", x, y, size, paint.red, 2.2);
    shared.jx = [spelled("J", look.indexX, 14, look.indexSize, paint.ink), star(look.indexX, 31, 9)];
    cards.X = [again("paper"), again("fool", midX, midY + 4, 0.98), bothEnds(width, height, "jx")];
    cards["X-s"] = [
      again("paper"),
      crop([-32, -74, 70, 96], [26, height - 106, 70, 104], again("fool")),
      roundText("J", 20, 27, 38, paint.ink, 3.2),
      star(20, 64, 22),
    ];
  }
  cards.back = [again("paper"), look.back(width, height)];
  return sprite({ width, height, shared, cards });
}

// ---------------------------------------------------------------------------------------------- francesi

const red = "#c8202c";
const black = "#1c1a1e";
const blue = "#23478f";
const gold = "#f0b92c";
const green = "#2f7d4c";
const classic = {
  ink: black,
  gold,
  red,
  blue,
  green,
  white: "#ffffff",
  skin: "#fbe3cc",
  blush: "#d4604c",
  steel: "#cfdbe6",
  wood: "#9a6a3a",
};
const blond = "#e3b34c";
const brown = "#6b4020";
const grey = "#cfcac2";

const right = (item) => place(item, 22, -16);

const FRANCESI = {
  h: {
    J: [
      { c1: red, c2: gold, c3: blue },
      { side: true, hair: blond, hat: "beret", c1: red, c2: classic.white },
      right(halberd(classic)),
    ],
    Q: [
      { c1: red, c2: blue, c3: gold },
      { hair: blond, cutOf: "long", hat: "coronet", c1: red, c2: blue },
      right(flower(classic)),
    ],
    K: [
      { c1: red, c2: blue, c3: gold },
      { hair: blond, cutOf: "curls", beard: "full", hat: "crown", c1: red, c2: blue },
      right(sword(classic)),
    ],
  },
  d: {
    J: [{ c1: blue, c2: red, c3: gold }, { hair: brown, hat: "brim", c1: red, c2: blue }, right(halberd(classic))],
    Q: [
      { c1: gold, c2: red, c3: blue },
      { hair: brown, cutOf: "long", hat: "veil", c1: red, c2: red },
      right(flower(classic, gold)),
    ],
    K: [
      { c1: blue, c2: gold, c3: red },
      { side: true, hair: grey, beard: "full", hat: "arched", c1: blue, c2: red },
      right(sceptre(classic)),
    ],
  },
  c: {
    J: [
      { c1: gold, c2: blue, c3: red },
      { hair: brown, cutOf: "curls", hat: "cap", c1: blue, c2: gold },
      right(sword(classic)),
    ],
    Q: [
      { c1: blue, c2: gold, c3: red },
      { hair: brown, cutOf: "curls", hat: "coronet", c1: blue, c2: red },
      right(flower(classic, "#8fb0e6")),
    ],
    K: [
      { c1: gold, c2: red, c3: blue },
      { hair: brown, beard: "fork", hat: "arched", c1: red, c2: blue },
      right(orb(classic)),
    ],
  },
  s: {
    J: [
      { c1: black, c2: red, c3: gold },
      { side: true, hair: blond, hat: "cap", c1: red, c2: gold },
      right(halberd(classic)),
    ],
    Q: [
      { c1: black, c2: gold, c3: red },
      { hair: black, cutOf: "long", hat: "coronet", c1: red, c2: red },
      right(flower(classic, classic.white)),
    ],
    K: [
      { c1: black, c2: gold, c3: red },
      { hair: black, cutOf: "long", beard: "full", hat: "crown", c1: red, c2: blue },
      right(sword(classic)),
    ],
  },
};

const fool = inked(
  black,
  1,
  fante({ c1: red, c2: gold, c3: blue, leg: blue }, { hair: brown, hat: "fool", c1: red, c2: blue }, marotte(classic), {
    ...classic,
    leather: gold,
  }),
);

function rosetteBack(width, height) {
  return [
    rect(6, 6, width - 12, height - 12, blue, { rx: 3 }),
    line(lattice(9, 9, width - 18, height - 18, 9), "#7f9bd4", 1),
    rect(9, 9, width - 18, height - 18, "none", { stroke: "#ffffff", "stroke-width": 1.4 }),
    place(
      [
        dot(0, 0, 25, blue, { stroke: "#ffffff", "stroke-width": 1.6 }),
        round(12, path("M0-6C-5-12-4-19 0-22C4-19 5-12 0-6Z", "#ffffff")),
        disc(0, 0, 6.4, "#ffffff"),
        path(star(6, 5, 2.6), blue),
      ],
      width / 2,
      height / 2,
    ),
  ];
}

export const francesi = pack({
  width: 100,
  height: 145,
  ranks: [..."A23456789TJQK"],
  suits: [..."hdcs"],
  dress: FRANCESI,
  joker: fool,
  look: {
    colours: { h: red, d: red, c: black, s: black },
    paint: classic,
    paper: "#ffffff",
    edge: "#b4b0aa",
    window: "none",
    frame: "#3a4f86",
    inset: 19,
    radius: 6,
    outline: 0.9,
    figureScale: 0.84,
    pipScale: 1,
    spread: 1,
    indexX: 10,
    indexSize: 14,
    back: rosetteBack,
  },
});

// ---------------------------------------------------------------------------------------------- genovesi

const rust = "#b8402e";
const sea = "#3a6f7a";
const olive = "#6c7f3c";
const ochre = "#e2b04a";
const night = "#2c2a33";
const genoa = {
  ink: "#2b2320",
  gold: ochre,
  red: rust,
  blue: sea,
  green: olive,
  white: "#fffdf6",
  skin: "#f5d9bc",
  blush: "#c9604c",
  steel: "#cfd9da",
  wood: "#946a42",
  hatched: true,
};

/** The suits of an Italian pack: denari are quadri, coppe cuori, bastoni fiori, spade picche. */
const GENOVESI = {
  d: {
    J: [
      { c1: sea, c2: ochre, c3: rust },
      { hair: brown, hat: "cap", c1: rust, c2: genoa.white },
      right(halberd(genoa)),
    ],
    Q: [
      { c1: ochre, c2: sea, c3: rust },
      { hair: blond, cutOf: "curls", hat: "coronet", c1: sea, c2: rust },
      right(flower(genoa)),
    ],
    K: [
      { c1: sea, c2: rust, c3: ochre },
      { hair: grey, cutOf: "long", beard: "full", hat: "crown", c1: sea, c2: rust },
      right(sceptre(genoa)),
    ],
  },
  c: {
    J: [
      { c1: rust, c2: sea, c3: ochre },
      { hair: blond, cutOf: "curls", hat: "beret", c1: sea, c2: ochre },
      right(sword(genoa)),
    ],
    Q: [
      { c1: rust, c2: ochre, c3: sea },
      { hair: brown, cutOf: "long", hat: "veil", c1: rust, c2: rust },
      right(flower(genoa, ochre)),
    ],
    K: [
      { c1: rust, c2: ochre, c3: sea },
      { hair: brown, beard: "fork", hat: "arched", c1: rust, c2: sea },
      right(orb(genoa)),
    ],
  },
  b: {
    J: [
      { c1: olive, c2: rust, c3: ochre },
      { side: true, hair: brown, hat: "brim", c1: olive, c2: rust },
      right(halberd(genoa)),
    ],
    Q: [
      { c1: olive, c2: ochre, c3: rust },
      { hair: night, cutOf: "long", hat: "coronet", c1: olive, c2: rust },
      right(flower(genoa, genoa.white)),
    ],
    K: [
      { c1: olive, c2: rust, c3: ochre },
      { side: true, hair: night, beard: "full", hat: "crown", c1: rust, c2: sea },
      right(sword(genoa)),
    ],
  },
  s: {
    J: [
      { c1: night, c2: ochre, c3: sea },
      { hair: blond, hat: "helm", c1: rust, c2: genoa.steel },
      right(sword(genoa)),
    ],
    Q: [
      { c1: night, c2: sea, c3: ochre },
      { hair: night, cutOf: "curls", hat: "veil", c1: sea, c2: sea },
      right(flower(genoa, "#b9c9e0")),
    ],
    K: [
      { c1: night, c2: sea, c3: ochre },
      { hair: grey, cutOf: "curls", beard: "fork", hat: "arched", c1: sea, c2: rust },
      right(sceptre(genoa)),
    ],
  },
};

function lozengeBack(width, height) {
  const places = bricks(width / 2, height / 2, 9, 6, 13.6, 14.4);
  return [
    rect(6, 6, width - 12, height - 12, olive, { rx: 2 }),
    path(scatter(places, "m0-6l4.4 6l-4.4 6l-4.4-6z"), "#dfe6d0"),
    rect(9, 9, width - 18, height - 18, "none", { stroke: "#f3ecd4", "stroke-width": 1.4 }),
  ];
}

export const genovesi = pack({
  width: 100,
  height: 150,
  ranks: [..."A234567JQK"],
  suits: [..."dcbs"],
  dress: GENOVESI,
  look: {
    colours: { d: rust, c: rust, b: night, s: night },
    shape: { d: "d", c: "h", b: "c", s: "s" },
    paint: genoa,
    paper: "#fffdf6",
    edge: "#b7ad9a",
    window: "#f7efdc",
    frame: "#2b2320",
    inset: 17,
    radius: 4,
    outline: 1.1,
    figureScale: 0.9,
    pipScale: 1.16,
    spread: 1.06,
    indexX: 8.6,
    indexSize: 11,
    back: lozengeBack,
  },
});
