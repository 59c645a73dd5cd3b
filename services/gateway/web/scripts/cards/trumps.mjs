// The pictures of the tarocchi from the bagatto to the matto: each in a window 68 wide and 96 high round the origin.
import { half } from "./halves.mjs";
import { head } from "./heads.mjs";
import { marotte, orb, sceptre } from "./held.mjs";
import { fante } from "./standing.mjs";
import { disc, inked, place, round, shape, spot, star, stroke, tube } from "./svg.mjs";
import { southern } from "./suits_italian.mjs";

const leaf = "M0 0C6-6 13-6 17-12C9-15 1-10 0 0Z";

/** Both halves of a picture that is the same left and right. */
const mirrored = (...parts) => [parts, place(parts, 0, 0, 1, 0, true)];

/** A wing that spreads to the right. */
const wing = (colour) => [
  shape("M0 4C6-14 20-22 32-20C31-15 29-13 30-9C26-9 26-6 26-3C22-4 21 0 20 3C16 2 14 6 12 9C8 9 3 8 0 4Z", colour),
  stroke("M8-2C14-10 22-14 29-14M9 3C14-4 20-7 25-7", undefined, 0.7),
];

const rays = (count, inner, outer, colour) => round(count, shape(`M-4-${inner}L0-${outer}L4-${inner}Z`, colour));

/** Each picture: the colour behind it and its drawing. `p` is the paint of the pack. */
export const TRUMPS = {
  1: (p) => {
    const pips = southern({ ...p, red: p.red, blue: p.blue });
    return [
      "#f6dfa8",
      place(
        half(
          "jack",
          { c1: p.red, c2: p.gold, c3: p.blue },
          { hair: p.brown, hat: "brim", c1: p.red, c2: p.green },
          place(sceptre(p), 22, -16),
          p,
          1,
        ),
        0,
        22,
        1,
      ),
      inked(
        p.ink,
        1,
        shape("M-30 28L-33 48H-29L-25 28ZM30 28L33 48H29L25 28Z", p.wood),
        shape("M-34 20H34V29H-34Z", p.wood),
        shape("M-34 20H34V24H-34Z", p.green),
      ),
      place(pips.c, -20, 11, 0.85),
      place(pips.d, 2, 15.4, 0.5),
      inked(p.ink, 0.9, shape("M12 12H20V20H12Z", p.white), spot(14.4, 14.4, 0.9, p.ink), spot(17.6, 17.6, 0.9, p.ink)),
      place(pips.b, 26, 17.6, 0.24, 80),
    ];
  },
  4: (p) => [
    "#dfe7f2",
    place(
      half(
        "king",
        { c1: p.red, c2: p.blue, c3: p.gold },
        { hair: p.grey, cutOf: "curls", beard: "full", hat: "arched", c1: p.red, c2: p.blue },
        place(orb(p), 22, -16),
        p,
        1,
      ),
      0,
      30,
      1.05,
    ),
    inked(
      p.ink,
      1,
      shape("M-34 30H34V48H-34Z", p.wood),
      shape("M-10 24H10V36C10 42 4 46 0 48C-4 46-10 42-10 36Z", p.gold),
      place(round(4, shape("M0 0C-2-3-2-6 0-8C2-6 2-3 0 0Z", p.red)), 0, 34),
    ),
  ],
  5: (p) => [
    "#f3d9c9",
    inked(
      p.ink,
      1,
      [-38, 38].map((turn) =>
        place(
          [
            tube("M0-20V26", 3.4, turn < 0 ? p.gold : p.steel),
            shape("M2 14H10V18H6V22H10V27H2Z", turn < 0 ? p.gold : p.steel),
            disc(0, -27, 8, turn < 0 ? p.gold : p.steel),
            disc(0, -27, 3.6, "#f3d9c9"),
          ],
          0,
          18,
          1,
          turn,
        ),
      ),
      place(
        [
          shape("M-15 14C-19-2-12-26 0-34C12-26 19-2 15 14Q0 8-15 14Z", p.white),
          shape("M-16 14Q0 7 16 14L16 8Q0 1-16 8Z", p.gold),
          shape("M-16.4 0Q0-7 16.4 0L15.6-6Q0-12-15.6-6Z", p.gold),
          shape("M-12.6-14Q0-20 12.6-14L10.6-20Q0-25-10.6-20Z", p.gold),
          shape("M-1.6-44H1.6V-41H5V-38H1.6V-33H-1.6V-38H-5V-41H-1.6Z", p.gold),
          [-8, 0, 8].map((x) => disc(x, 9 - (8 - Math.abs(x)) * 0.3, 1.6, p.red)),
        ],
        0,
        -6,
      ),
    ),
  ],
  6: (p) => [
    "#fbdcd6",
    inked(
      p.ink,
      1,
      place(mirrored(place(wing(p.white), 12, -2, 0.78)), 0, -6),
      shape(
        "M0 30C-8 18-26 8-26-9C-26-20-18-26-11-26C-5-26-2-22 0-17C2-22 5-26 11-26C18-26 26-20 26-9C26 8 8 18 0 30Z",
        p.red,
      ),
      stroke("M-18-10C-18-16-14-19-10-19", p.white, 2.4),
      place(
        [
          tube("M0-38V38", 2.4, p.wood),
          shape("M0-46L6-34L0-36.4L-6-34Z", p.steel),
          shape("M0 32L7 38V47L0 41L-7 47V38Z", p.gold),
        ],
        0,
        2,
        0.78,
        58,
      ),
      shape("M-22-4C-18 8-8 16-2 22C-14 14-24 6-22-4Z", p.deep),
    ),
    inked(
      p.ink,
      1,
      place(shape(star(5, 5, 2.2), p.gold), -22, -36),
      place(shape(star(5, 5, 2.2), p.gold), 22, -36),
      place(shape(star(5, 5, 2.2), p.gold), 0, 40),
    ),
  ],
  7: (p) => [
    "#cfe3d6",
    inked(
      p.ink,
      1,
      shape("M-26-24L-22 20H-18L-21-24ZM26-24L22 20H18L21-24Z", p.gold),
      shape(
        "M-30-24C-26-40-10-42 0-46C10-42 26-40 30-24L24-18L18-24L12-18L6-24L0-18L-6-24L-12-18L-18-24L-24-18Z",
        p.blue,
      ),
      [-18, 0, 18].map((x) => place(shape(star(5, 3.6, 1.6), p.gold), x, -31)),
      place(head({ hair: p.brown, cutOf: "curls", hat: "crown", c1: p.red, c2: p.red }, p), 0, -3, 0.72),
      shape("M-15 22C-15 10-10 6-6 5H6C10 6 15 10 15 22Z", p.steel),
      shape("M-24 14H24L20 38H-20Z", p.red),
      shape("M-24 14H24V19H-24Z", p.gold),
      place(shape(star(8, 8, 4), p.gold), 0, 29),
      [-26, 26].map((x) =>
        place(
          [
            disc(0, 0, 11, p.wood),
            disc(0, 0, 8, "#cfe3d6"),
            round(6, stroke("M0-8V0", p.wood, 2)),
            disc(0, 0, 2.4, p.gold),
          ],
          x,
          35,
        ),
      ),
    ),
  ],
  8: (p) => [
    "#e3dcef",
    inked(
      p.ink,
      1,
      shape("M-3-34H3L2.4 36H-2.4Z", p.gold),
      shape("M-16 42C-16 36-6 36-3 34H3C6 36 16 36 16 42Z", p.gold),
      shape("M-30-26C-16-32-8-26 0-28C8-26 16-32 30-26L29-22C16-27 8-21 0-23C-8-21-16-27-29-22Z", p.gold),
      disc(0, -36, 5, p.red),
      mirrored(
        stroke("M-27-24L-33 8M-27-24L-15 8", undefined, 1),
        shape("M-35 8H-13C-14 17-19 19-24 19C-29 19-34 17-35 8Z", p.steel),
      ),
      shape("M-29 8C-27 1-21 1-19 8Z", p.red),
      shape("M20 8L23-2L25 3L28-2L29 8Z", p.blue),
    ),
  ],
  9: (p) => [
    p.night,
    place(rays(12, 18, 30, "#f7dc8a"), 4, -2),
    inked(
      p.ink,
      1,
      disc(4, -2, 20, "#fbe9ae"),
      tube("M-26-44V46", 3.4, p.wood),
      stroke("M-26-38C-18-46-2-44 4-30", p.wood, 3),
      stroke("M-7-20C-7-34 15-34 15-20", p.gold, 2.2),
      shape("M-10-20H18L14-26H-6Z", p.gold),
      shape("M-9-20H17L14 16H-6Z", "#fff6d6"),
      shape("M4-8C10 0 11 5 9 9C7 13 1 13-1 9C-3 5 0-1 4-8Z", p.gold),
      shape("M4 0C7 4 7 7 6 9C5 11 3 11 2 9C1 7 2 4 4 0Z", p.red),
      stroke("M-3-20L-1 16M11-20L9 16", undefined, 1),
      shape("M-10 16H18V22H-10Z", p.gold),
    ),
    [-14, 24].map((x, i) => place(shape(star(4, 4, 1.4), p.gold), x + i * 2, 38 - i * 70)),
  ],
  10: (p) => [
    "#f3e3c3",
    inked(
      p.ink,
      1,
      shape("M-4 4L-20 46H-13L0 14L13 46H20L4 4Z", p.wood),
      disc(0, -2, 29, p.red),
      disc(0, -2, 23, "#f3e3c3"),
      place(round(8, shape("M-1.8-23H1.8L1.4 0H-1.4Z", p.gold)), 0, -2),
      place(round(8, disc(0, -26, 2, p.gold), 22.5), 0, -2),
      disc(0, -2, 6.4, p.blue),
      disc(0, -2, 2.4, p.gold),
      shape("M-9-30L-12-44L-5-38L0-47L5-38L12-44L9-30Z", p.gold),
    ),
  ],
  11: (p) => [
    "#f7d7a4",
    inked(
      p.ink,
      1,
      shape(star(14, 36, 29), "#b5662a"),
      shape(star(14, 29, 23, -77), "#d98a36"),
      mirrored(disc(-18, -18, 6.4, p.gold), disc(-18, -18, 3, p.blush)),
      shape("M-19-12C-21 4-14 12-10 20C-7 26 7 26 10 20C14 12 21 4 19-12C14-24-14-24-19-12Z", p.gold),
      shape("M-11 9C-15 16-10 22-4 21L0 17L4 21C10 22 15 16 11 9C7 5-7 5-11 9Z", p.white),
      mirrored(
        shape("M-14-7Q-9-12-4-6Q-9-3-14-7Z", p.white),
        spot(-8.4, -7, 2.1, p.ink),
        stroke("M-16-12Q-10-16-4-11", undefined, 1.6),
      ),
      shape("M-6 3H6L0 11Z", p.deep),
      stroke("M0 11V16Q-4 20-8 17M0 16Q4 20 8 17", undefined, 1.2),
      stroke("M-6-17V-12M0-19V-13M6-17V-12", "#b5662a", 1.8),
    ),
  ],
  12: (p) => [
    "#d9e8ea",
    inked(
      p.ink,
      1,
      tube("M-25-27V46", 6, p.wood),
      tube("M25-27V46", 6, p.wood),
      tube("M-29-30H29", 6, p.wood),
      place(shape(leaf, p.green), -22, -8),
      place(shape(leaf, p.green), 22, 8, 1, 0, true),
      place(shape(leaf, p.green), -22, 28),
      stroke("M4.6-27V-22", p.gold, 2.4),
      place(
        fante({ c1: p.red, c2: p.gold, c3: p.blue, leg: p.blue }, { hair: p.blond, cutOf: "bob" }, null, p),
        0,
        9,
        0.54,
        180,
      ),
    ),
  ],
  13: (p) => [
    "#cfcbd6",
    inked(
      p.ink,
      1,
      place(
        [tube("M0-46V46", 3, p.wood), shape("M0-45C16-50 34-42 38-24C30-36 16-38 0-37Z", p.steel)],
        -14,
        4,
        0.92,
        12,
      ),
      place(
        [
          shape("M-20-4C-24-28-12-36 0-36C12-36 24-28 20-4C20 2 14 4 13 8V16H-13V8C-14 4-20 2-20-4Z", p.white),
          mirrored(shape("M-14-8C-14-14-4-14-4-7C-4-1-13-1-14-8Z", p.ink)),
          shape("M0-3L-3.4 4H3.4Z", p.ink),
          stroke("M-8 9V16M-3 9V16M3 9V16M8 9V16", undefined, 1.2),
          stroke("M-13 9H13", undefined, 0.8),
        ],
        6,
        4,
      ),
      place([round(6, shape("M0 0C-6-2-6-9 0-11C6-9 6-2 0 0Z", p.red)), disc(0, 0, 3.4, p.gold)], 14, 34, 0.9),
      place(shape(leaf, p.green), 22, 40, 0.8),
      place(shape(leaf, p.green), 5, 40, 0.8, 0, true),
    ),
  ],
  14: (p) => [
    "#d3e6f5",
    inked(
      p.ink,
      1,
      shape("M-18-6C-4-2 10 6 14 22L8 24C2 12-8 4-20 2Z", "#7fb7e6"),
      stroke("M-12-1C0 4 8 12 11 22", p.white, 1.1),
      place(
        [
          tube("M10-10C22-12 22 8 9 8", 2.6, p.gold),
          shape("M-7-18H7L5-12C12-6 13 6 6 14H-6C-13 6-12-6-5-12Z", p.gold),
          shape("M-9 14H9V18H-9Z", p.red),
          stroke("M-9.6-2H9.6M-9.6 3H9.6", p.red, 1.8),
        ],
        -16,
        -22,
        1.05,
        118,
      ),
      place(
        [
          tube("M10-10C22-12 22 8 9 8", 2.6, p.steel),
          shape("M-9-18H9L6-12C12-6 13 6 6 14H-6C-13 6-12-6-6-12Z", p.steel),
          shape("M-9 14H9V18H-9Z", p.blue),
          stroke("M-9.6-2H9.6M-9.6 3H9.6", p.blue, 1.8),
        ],
        10,
        27,
        1.05,
      ),
      place(shape(leaf, p.green), -30, 44, 1.1),
      place([round(5, shape("M0 0C-4-2-4-6 0-8C4-6 4-2 0 0Z", p.red)), disc(0, 0, 2, p.gold)], -22, 28),
      stroke("M-22 30V46", p.green, 1.6),
    ),
  ],
  15: (p) => [
    "#3d2430",
    inked(
      p.ink,
      1,
      round(9, shape("M-7-20C-6-30-2-34 0-44C2-34 6-30 7-20Z", "#e8792f"), 0),
      mirrored(
        shape("M-12-18C-26-20-30-34-22-44C-22-34-14-32-6-26Z", p.white),
        shape("M-18-4L-31-10C-31 0-26 6-18 6Z", p.red),
      ),
      shape("M-19-8C-20-22-10-27 0-27C10-27 20-22 19-8C18 8 10 16 0 28C-10 16-18 8-19-8Z", p.red),
      mirrored(
        shape("M-14-8L-4-3Q-8 2-13-2Z", "#ffe08a"),
        spot(-8.6, -3.4, 1.7, p.ink),
        stroke("M-16-13L-4-7", undefined, 2),
      ),
      stroke("M0-4L-2.6 5H2.6", undefined, 1.2),
      shape("M-11 9Q0 15 11 9Q7 18 0 18Q-7 18-11 9Z", p.white),
      stroke("M-5 11V16.6M0 12.4V18M5 11V16.6", undefined, 0.8),
      shape("M-5 21L0 37L5 21Q0 25-5 21Z", p.ink),
    ),
  ],
  16: (p) => [
    "#54608a",
    inked(
      p.ink,
      1,
      shape("M34-48L14-30L20-27L4-8L22-24L16-27L34-42Z", "#ffe08a"),
      shape("M-16-18H16L19 46H-19Z", "#d8c3a0"),
      shape("M-20-26H-13V-21H-6V-26H1V-21H8V-26H15V-21H20V-12H-20Z", "#c2a77c"),
      shape("M-7 46V34C-7 26 7 26 7 34V46Z", p.wood),
      shape("M-5-4H5V8H-5Z", p.ink),
      stroke("M-16 0H-9M9 6H17M-17 18H-8M4 20H13M-18 32H-11M11 34H18M-4 14H4", undefined, 0.9),
      shape("M-8-26C-14-36-8-40-6-46C-2-40 0-38 0-32C4-36 4-40 6-42C12-34 10-30 8-26Z", "#e8792f"),
      place(shape("M-9 5L-11-8L-5-2L0-10L5-2L11-8L9 5Z", p.gold), -24, -30, 0.8, -28),
      stroke("M-28 0L-26 8M27 8L29 16M-29 22L-27 30M28-4L29 2", "#ffe08a", 1.8),
    ),
  ],
  17: (p) => [
    p.night,
    inked(
      p.ink,
      1,
      place([shape(star(8, 24, 11), p.gold), shape(star(8, 13, 6), p.white)], 0, -14),
      [
        [-26, -38],
        [26, -38],
        [-28, -6],
        [28, -6],
        [-20, 16],
        [20, 16],
        [0, 22],
      ].map(([x, y]) => place(shape(star(5, 6, 2.6), "#f7dc8a"), x, y)),
      shape("M-34 34Q-25 28-17 34T0 34T17 34T34 34V48H-34Z", "#5b9bd5"),
      stroke("M-26 41Q-21 37-16 41T-6 41M8 42Q13 38 18 42T28 42", p.white, 1.2),
    ),
  ],
  18: (p) => [
    "#2b3a66",
    inked(
      p.ink,
      1,
      shape("M8-44C-16-46-28-28-28-12C-28 8-12 20 8 18C-4 12-8 4-8-1L-13-5L-8-8C-10-20-4-36 8-44Z", "#f7e6a6"),
      stroke("M-17-14Q-14-17-11-14", undefined, 1.2),
      stroke("M-12 3Q-10 1-7 3", p.blush, 1.4),
      [
        [18, -36],
        [26, -22],
        [14, -18],
        [24, -4],
        [12, 4],
      ].map(([x, y], i) =>
        place(shape("M0-5C3-1 4 1 3 3C1.6 5-1.6 5-3 3C-4 1-3-1 0-5Z", i % 2 ? p.red : p.gold), x, y),
      ),
      shape("M-34 36Q0 26 34 36V48H-34Z", "#4c7a4a"),
      shape("M-32 18H-28V21H-25V18H-21V21H-18V18H-16V40H-32Z", "#b9a284"),
      shape("M32 18H28V21H25V18H21V21H18V18H16V40H32Z", "#b9a284"),
      shape("M-26 40V32H-22V40ZM26 40V32H22V40Z", p.ink),
    ),
  ],
  19: (p) => [
    "#bfe1f2",
    inked(
      p.ink,
      1,
      place(
        [
          rays(12, 20, 36, p.gold),
          round(12, shape("M-3-20C-4-25 3-27 0-33C5-28 4-24 3-20Z", p.red), 15),
          disc(0, 0, 21, "#f9cf4a"),
          spot(-11, 5, 3.6, "#e8792f", ".6"),
          spot(11, 5, 3.6, "#e8792f", ".6"),
          stroke("M-12-6Q-8-10-4-6M4-6Q8-10 12-6", undefined, 1.4),
          spot(-8, -4, 1.9, p.ink),
          spot(8, -4, 1.9, p.ink),
          stroke("M0-4L2 4Q0 6-2 5", undefined, 1.2),
          stroke("M-8 9Q0 16 8 9", p.red, 2),
        ],
        0,
        -8,
        0.92,
      ),
      shape("M-34 38Q-18 30 0 38T34 36V48H-34Z", "#6fae5e"),
      [-22, -2, 20].map((x) => [
        stroke(`M${x} 46V36`, p.green, 1.6),
        place([round(7, shape("M0 0C-3-1-3-5 0-7C3-5 3-1 0 0Z", p.gold)), disc(0, 0, 2, p.wood)], x, 34, 0.8),
      ]),
    ),
  ],
  20: (p) => [
    "#e6e0f4",
    inked(
      p.ink,
      1,
      mirrored(place(wing(p.white), 8, 2, 0.8)),
      shape("M-16 30C-15 14-9 8-5 6H5C9 8 15 14 16 30Q8 26 0 30Q-8 26-16 30Z", p.red),
      stroke("M-4 7L0 16L4 7", p.gold, 2),
      place(
        [disc(0, -3, 17, p.gold), disc(0, -3, 14.4, "#fdf3cf"), head({ hair: p.blond, cutOf: "curls" }, p)],
        0,
        -14,
        0.9,
      ),
      place(
        [
          tube("M0-22V14", 3.4, p.gold),
          shape("M-2 12H2L8 24H-8Z", p.gold),
          shape("M2-14H16L12-8L16-2H2Z", p.white),
          stroke("M9-13V-3M3.6-8H13.6", p.red, 2.4),
        ],
        17,
        8,
        1,
        -28,
      ),
      disc(14, 6, 3.4, p.skin),
      shape("M-34 40C-30 28-18 32-16 36C-10 28 4 30 6 36C12 28 28 30 34 40V48H-34Z", p.white),
      stroke("M-24 42Q-18 36-12 42M4 42Q12 36 20 42", "#9fb4d0", 1.4),
    ),
  ],
  21: (p) => [
    "#f4ead0",
    inked(
      p.ink,
      1,
      mirrored(
        [0, 1, 2, 3, 4, 5, 6].map((i) => {
          const angle = ((78 - i * 21) * Math.PI) / 180;
          return place(
            shape(leaf, i % 2 ? p.green : "#5da35a"),
            28 * Math.cos(angle),
            31 * Math.sin(angle),
            0.9,
            12 - i * 21,
          );
        }),
      ),
      disc(0, 0, 22, "#6fb0df"),
      shape("M-19-10C-14-20-4-22 2-20C2-14-4-12-5-7C-8-2-14 0-18-3C-20-5-20-8-19-10Z", "#79b060"),
      shape("M4-4C10-9 18-7 21-2C22 6 17 15 10 19C6 15 8 9 5 6C2 3 2-2 4-4Z", "#79b060"),
      shape("M-15 8C-10 6-5 9-5 13C-6 18-10 18-14 16C-16 14-17 10-15 8Z", "#79b060"),
      stroke("M-22 0Q0 8 22 0M0-22Q8 0 0 22", p.white, 0.9),
      shape("M-9-27L-12-41L-5-35L0-45L5-35L12-41L9-27Q0-31-9-27Z", p.gold),
      shape("M-16 36L-8 32H8L16 36L8 40H-8Z", p.red),
    ),
  ],
  22: (p) => [
    "#fbe3b5",
    inked(
      p.ink,
      1.2,
      place(
        fante(
          { c1: p.red, c2: p.gold, c3: p.blue, leg: p.blue },
          { hair: p.brown, hat: "fool", c1: p.red, c2: p.blue },
          marotte(p),
          { ...p, leather: p.gold },
        ),
        -2,
        6,
        0.68,
      ),
    ),
  ],
};
