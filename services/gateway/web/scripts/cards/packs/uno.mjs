// Uno, our own drawing: each colour has its shape too (red a disc, yellow a triangle, green a square, blue a lozenge),
// so that no card is told by colour alone. Ids: a `+` of a face is written `p`.
import { roundText } from "../glyphs.mjs";
import { paper, sprite } from "../pack.mjs";
import { again, bricks, line, path, place, rect, scatter } from "../svg.mjs";

const WIDTH = 100;
const HEIGHT = 150;
const [MID_X, MID_Y] = [WIDTH / 2, HEIGHT / 2];

const INK = "#1d1b22";
const WHITE = "#ffffff";
const COLOURS = { r: "#c42b1f", y: "#f3c022", g: "#26946a", b: "#1f4fa8" };
const DEEP = { r: "#931b12", y: "#c48f00", g: "#14694a", b: "#133579" };
/** What is written on the colour: dark on yellow, else white. */
const ON = { r: WHITE, y: INK, g: WHITE, b: WHITE };

/** The shape of a colour, about 20 across round the origin. */
const SHAPES = {
  r: "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z",
  y: "M0-11L11 8.6H-11Z",
  g: "M-9-9H9V9H-9Z",
  b: "M0-12L10 0L0 12L-10 0Z",
};

const drawn = (d, colour, width) => line(d, colour, width, { "stroke-linecap": "round", "stroke-linejoin": "round" });

/** The signs of the cards that act, 28 high round the origin. */
const SIGNS = {
  S: (colour) => drawn("M-9 9A12.8 12.8 0 1 1 9 9A12.8 12.8 0 0 1-9 9L9-9", colour, 4),
  R: (colour) => drawn("M-10 3V-4Q-10-10-4-10H8M3-15L9-10L3-5M10-3V4Q10 10 4 10H-8M-3 15L-9 10L-3 5", colour, 3.8),
  "+2": (colour) => roundText("+2", 0, 0, 24, colour, 2.6),
};

const sign = (value, colour) => SIGNS[value]?.(colour) ?? roundText(value, 0, 0, 28, colour, 2.9);

const cards = {};
const shared = {
  paper: paper(WIDTH, HEIGHT, WHITE, "#a9a9b0", 8),
};

const field = (colour) => rect(5, 5, WIDTH - 10, HEIGHT - 10, colour, { rx: 6 });

for (const c of "rygb") {
  shared[`shape-${c}`] = path(SHAPES[c], COLOURS[c]);
  shared[`field-${c}`] = [
    again("paper"),
    field(COLOURS[c]),
    place(path(SHAPES[c], DEEP[c]), MID_X, MID_Y + (c === "y" ? 2 : 0), c === "b" ? 4 : 3.8),
    corner(c),
  ];
  for (const value of [..."0123456789SR", "+2"]) {
    const id = c + value.replace("+", "p");
    const big = value === "+2" ? 1.45 : value in SIGNS ? 1.7 : 1.95;
    const [edge, scale] = value === "+2" ? [24, 0.7] : [20, 0.78];
    const mark = sign(value, ON[c]);
    shared[`m-${id}`] = mark;
    cards[id] = [
      again(`field-${c}`),
      again(`m-${id}`, MID_X, MID_Y + (c === "y" ? 6 : 0), big),
      again(`m-${id}`, edge, 22, scale),
      again(`m-${id}`, WIDTH - edge, HEIGHT - 22, scale, 180),
      underlined(value, c),
    ];
    cards[`${id}-s`] = [
      again("paper"),
      field(COLOURS[c]),
      place(path(SHAPES[c], DEEP[c]), 58, 98, 3.4),
      place(path(SHAPES[c], ON[c]), 26, 74, 1.25),
      again(`m-${id}`, 58, 98 + (c === "y" ? 4 : 0), value in SIGNS ? 1.3 : 1.5),
      again(`m-${id}`, value === "+2" ? 31 : 27, 32, 1.28),
    ];
  }
}

/** The shape under the corner signs. */
function corner(c) {
  return [
    place(path(SHAPES[c], ON[c]), 20, 44, 0.62),
    place(path(SHAPES[c], ON[c]), WIDTH - 20, HEIGHT - 44, 0.62, 180),
  ];
}

/** Six and nine have a line under them. */
function underlined(value, c) {
  return value === "6" || value === "9" ? drawn(`M${MID_X - 11} ${MID_Y + (c === "y" ? 41 : 35)}h22`, ON[c], 4) : [];
}

/** The four shapes in the four quarters. */
const wheel = (scale) => [
  place(again("shape-r"), -13 * scale, -14 * scale, scale),
  place(again("shape-y"), 13 * scale, -13 * scale, scale),
  place(again("shape-g"), -13 * scale, 14 * scale, scale),
  place(again("shape-b"), 13 * scale, 14 * scale, scale),
];

const four = roundText("+4", 0, 0, 24, WHITE, 2.6);
shared.wheel = wheel(1);
shared["m-W"] = again("wheel", 0, 0, 0.46);
shared["m-W4"] = four;
for (const id of ["W", "W4"]) {
  const wild = id === "W";
  cards[id] = [
    again("paper"),
    field(INK),
    place(again("wheel"), MID_X, wild ? MID_Y : MID_Y - 11, wild ? 1.45 : 1.15),
    wild ? [] : again("m-W4", MID_X, MID_Y + 33, 0.9),
    again(`m-${id}`, wild ? 20 : 21, wild ? 21 : 18, wild ? 0.9 : 0.62),
    again(`m-${id}`, WIDTH - (wild ? 20 : 21), HEIGHT - (wild ? 21 : 18), wild ? 0.9 : 0.62, 180),
  ];
  cards[`${id}-s`] = [
    again("paper"),
    field(INK),
    place(again("wheel"), MID_X + 4, 96, 1.45),
    again(`m-${id}`, wild ? 27 : 33, 30, wild ? 1 : 1.3),
  ];
}
/** The shapes again, smaller and relative to where they stand, for the back. */
const SMALL_SHAPES = {
  r: "m-5.6 0a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0-11.2 0z",
  y: "m0-6.6l6.8 12h-13.6z",
  g: "m-5-5h10v10h-10z",
  b: "m0-7.2l6 7.2l-6 7.2l-6-7.2z",
};
const MUTED = { r: "#7d3a4a", y: "#8d7350", g: "#3f6a68", b: "#35508a" };
const places = bricks(MID_X, MID_Y, 7, 5, 17.4, 19);

cards.back = [
  again("paper"),
  field("#3a2a5c"),
  [..."rygb"].map((c, i) =>
    path(
      scatter(
        places.filter((_, at) => at % 4 === i),
        SMALL_SHAPES[c],
      ),
      MUTED[c],
    ),
  ),
  rect(26, 53, 48, 44, "#3a2a5c", { rx: 8, stroke: WHITE, "stroke-width": 1.6 }),
  place(again("wheel"), MID_X, MID_Y, 0.72),
];

export const uno = sprite({ width: WIDTH, height: HEIGHT, shared, cards });
