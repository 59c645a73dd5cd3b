// Ranks as drawn lines, so that no font is needed. A glyph is the centre line of its strokes in a box 14 high.
// The round hand strokes that line; the pen sweeps a broad nib along it, thick where it goes down, thin across.
import { num, tag } from "./svg.mjs";

const GLYPHS = {
  0: [10, "M5 0C2.2 0 .8 2.8 .8 7C.8 11.2 2.2 14 5 14C7.8 14 9.2 11.2 9.2 7C9.2 2.8 7.8 0 5 0"],
  1: [6, "M1 3L4.4 0L4.4 14"],
  2: [10, "M1 3.7C1.2 1.4 2.8 0 5 0C7.3 0 9 1.5 9 3.9C9 6.7 6 8.8 1 14L9.4 14"],
  3: [
    10,
    "M1.2 2C2.1 .7 3.4 0 5 0C7.2 0 8.8 1.4 8.8 3.5C8.8 5.5 7.2 6.7 4.4 6.7C7.4 6.7 9.2 8.1 9.2 10.3C9.2 12.5 7.4 14 5 14C3 14 1.5 13.2 .7 11.7",
  ],
  4: [10.4, "M7.4 14L7.4 0L.5 10L10 10"],
  5: [
    10,
    "M8.6 0L2.3 0L1.6 6.3C2.6 5.6 3.7 5.2 4.9 5.2C7.5 5.2 9.2 7 9.2 9.5C9.2 12.2 7.3 14 4.8 14C3 14 1.6 13.3 .7 11.9",
  ],
  6: [
    10,
    "M8.5 1.9C7.6 .6 6.5 0 5.3 0C2.5 0 .9 2.8 .9 7.6C.9 11.9 2.4 14 5 14C7.5 14 9.2 12.2 9.2 9.6C9.2 7.1 7.5 5.5 5.2 5.5C3.2 5.5 1.5 6.7 1 8.9",
  ],
  7: [10, "M.8 0L9.2 0C6.4 4 4.6 8.6 4.2 14"],
  8: [
    10,
    "M5 6.6C2.8 6.6 1.4 5.2 1.4 3.3C1.4 1.4 2.9 0 5 0C7.1 0 8.6 1.4 8.6 3.3C8.6 5.2 7.2 6.6 5 6.6C2.5 6.6 .8 8.1 .8 10.3C.8 12.5 2.5 14 5 14C7.5 14 9.2 12.5 9.2 10.3C9.2 8.1 7.5 6.6 5 6.6",
  ],
  9: [
    10,
    "M1.5 12.1C2.4 13.4 3.5 14 4.7 14C7.5 14 9.1 11.2 9.1 6.4C9.1 2.1 7.6 0 5 0C2.5 0 .8 1.8 .8 4.4C.8 6.9 2.5 8.5 4.8 8.5C6.8 8.5 8.5 7.3 9 5.1",
  ],
  A: [10.4, "M.6 14L5.2 0L9.8 14M2.3 9.2L8.1 9.2"],
  C: [10, "M9.2 2.8C8.3 1 6.9 0 5.2 0C2.4 0 .8 2.9 .8 7C.8 11.1 2.4 14 5.2 14C6.9 14 8.4 13 9.3 11.2"],
  F: [9.4, "M1.4 14L1.4 0L9 0M1.4 6.7L7.6 6.7"],
  I: [3, "M1.5 0L1.5 14"],
  J: [8.6, "M7.4 0L7.4 10C7.4 12.6 6.1 14 4 14C2.2 14 1 13 .6 10.9"],
  K: [10, "M1.4 0L1.4 14M9 0L1.4 8.6M4.2 5.6L9.5 14"],
  Q: [10, "M5 0C2.2 0 .8 2.8 .8 7C.8 11.2 2.2 14 5 14C7.8 14 9.2 11.2 9.2 7C9.2 2.8 7.8 0 5 0M5.4 10.2L9.6 15"],
  R: [10, "M1.4 14L1.4 0L5.4 0C7.9 0 9.2 1.5 9.2 3.7C9.2 5.9 7.8 7.4 5.4 7.4L1.4 7.4M5.6 7.4L9.6 14"],
  V: [10.4, "M.6 0L5.2 14L9.8 0"],
  X: [10.4, "M.8 0L9.6 14M9.6 0L.8 14"],
  "+": [9, "M4.5 3.4L4.5 11.4M.5 7.4L8.5 7.4"],
  "★": [14, "M7 .4L8.9 5.2L14 5.5L10 8.8L11.4 13.8L7 11L2.6 13.8L4 8.8L0 5.5L5.1 5.2L7 .4"],
};

const GAP = 2.6;
const TEN_SQUEEZE = 0.84;

/** How wide a text is, 14 high. */
export function widthOf(text) {
  const squeeze = text === "10" ? TEN_SQUEEZE : 1;
  return ([...text].reduce((sum, sign) => sum + GLYPHS[sign][0], 0) + GAP * (text.length - 1)) * squeeze;
}

function moved(d, dx, squeeze) {
  let isX = true;
  return d.replace(/[MLC]|-?[\d.]+/g, (token) => {
    if (/[MLC]/.test(token)) return token;
    const value = isX ? (Number(token) + dx) * squeeze : Number(token);
    isX = !isX;
    return num(value);
  });
}

/** The centre lines of a text as one path, 14 high, its middle at x = 0, its top at y = 0. */
function centreLines(text) {
  const squeeze = text === "10" ? TEN_SQUEEZE : 1;
  let x = -widthOf(text) / squeeze / 2;
  let d = "";
  for (const sign of text) {
    const [width, strokes] = GLYPHS[sign];
    d += moved(strokes, x, squeeze);
    x += width + GAP;
  }
  return d;
}

/** In the round hand: `height` high with its middle at (x, y). */
export function roundText(text, x, y, height, colour, weight = 2.6) {
  const scale = height / 14;
  return tag("path", {
    d: centreLines(text),
    fill: "none",
    stroke: colour,
    "stroke-width": weight,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    transform: `translate(${num(x)} ${num(y - height / 2)})scale(${Math.round(scale * 1000) / 1000})`,
  });
}

/** The points of a path of M, L and C, stroke by stroke. */
function sampled(d) {
  const strokes = [];
  let at = [0, 0];
  for (const [, command, rest] of d.matchAll(/([MLC])([^MLC]*)/g)) {
    const v = rest.match(/-?(?:\d+\.?\d*|\.\d+)/g).map(Number);
    if (command === "M") strokes.push([(at = [v[0], v[1]])]);
    else if (command === "L") strokes.at(-1).push((at = [v[0], v[1]]));
    else {
      const steps = 7;
      for (let i = 1; i <= steps; i++) {
        const t = i / steps;
        const u = 1 - t;
        const mix = (a, b, c, e) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * e;
        strokes.at(-1).push([mix(at[0], v[0], v[2], v[4]), mix(at[1], v[1], v[3], v[5])]);
      }
      at = [v[4], v[5]];
    }
  }
  return strokes;
}

const THICK = 1.5;
const THIN = 0.55;

/** The outline that a broad nib leaves along one stroke. All go the same way round, so that none cuts into another. */
function swept(points) {
  const left = [];
  const right = [];
  points.forEach(([x, y], i) => {
    const before = points[i - 1] ?? [x, y];
    const after = points[i + 1] ?? [x, y];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    const half = Math.hypot((THICK * dy) / length, (THIN * dx) / length);
    const [nx, ny] = [(-dy / length) * half, (dx / length) * half];
    left.push([x + nx, y + ny]);
    right.unshift([x - nx, y - ny]);
  });
  const outline = [...left, ...right];
  if (area(outline) < 0) outline.reverse();
  return `M${outline.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}Z`;
}

function area(points) {
  return points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);
}

const STRAIGHT = 4;

/** The serifs of straight uprights that end at the head or the foot of the box. */
function serifs(points) {
  return [
    [points[0], points[1]],
    [points.at(-1), points.at(-2)],
  ]
    .filter(([[, y], [, next]]) => (y === 0 || y === 14) && Math.abs(next - y) > STRAIGHT)
    .map(([[x, y]]) => `M${num(x - 2.6)} ${num(y - 0.55)}h5.2v1.1h-5.2Z`)
    .join("");
}

/** Straight corners are swept leg by leg, curves in one go. */
function legs(points) {
  const parts = [[points[0]]];
  for (let i = 1; i < points.length; i++) {
    parts.at(-1).push(points[i]);
    const [a, b, c] = [points[i - 1], points[i], points[i + 1]];
    if (!c) break;
    const turn = Math.abs(
      Math.atan2(
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]),
        (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]),
      ),
    );
    if (turn > 0.75) parts.push([b]);
  }
  return parts;
}

/** With the broad pen: `height` high with its middle at (x, y). */
function penText(text, x, y, height, colour) {
  const strokes = sampled(centreLines(text));
  const d = strokes.map((points) => legs(points).map(swept).join("") + serifs(points)).join("");
  const scale = Math.round((height / 14) * 1000) / 1000;
  return tag("path", { d, fill: colour, transform: `translate(${num(x)} ${num(y - height / 2)})scale(${scale})` });
}

/** Signs drawn once with the pen, by id and without a colour of their own, for `spelled`. The ten is one sign. */
export const penSigns = (signs) => Object.fromEntries(signs.map((sign) => [`g${sign}`, penText(sign, 0, 7, 14)]));

/** A text of signs that the sprite holds: `height` high with its middle at (x, y). */
export function spelled(text, x, y, height, colour) {
  let left = -widthOf(text) / 2;
  const signs = (text === "10" ? [text] : [...text]).map((sign) => {
    const middle = left + widthOf(sign) / 2;
    left += widthOf(sign) + GAP;
    return tag("use", { href: `#g${sign}`, x: middle || undefined });
  });
  const scale = Math.round((height / 14) * 1000) / 1000;
  return tag("g", { fill: colour, transform: `translate(${num(x)} ${num(y - height / 2)})scale(${scale})` }, signs);
}
