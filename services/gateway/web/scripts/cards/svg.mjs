// Writing SVG as text, small. Every drawing uses attributes only: a sprite that is used from another document gets no
// style sheet, and references such as url(#gradient) would be looked up in the page.

/** A number with one decimal at most. */
export const num = (x) => String(Math.round(x * 10) / 10).replace(/^(-?)0\./, "$1.");

export function tag(name, attributes, ...children) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? num(value) : value}"`)
    .join("");
  const inner = children.flat(Infinity).join("");
  return inner ? `<${name}${written}>${inner}</${name}>` : `<${name}${written}/>`;
}

export const group = (attributes, ...children) => tag("g", attributes, ...children);
export const path = (d, fill, more = {}) => tag("path", { d, fill, ...more });
export const line = (d, stroke, width, more = {}) =>
  tag("path", { d, fill: "none", stroke, "stroke-width": width, ...more });
export const dot = (cx, cy, r, fill, more = {}) => tag("circle", { cx, cy, r, fill, ...more });
export const rect = (x, y, width, height, fill, more = {}) => tag("rect", { x, y, width, height, fill, ...more });

/** A drawing moved, turned and scaled: around its own origin. */
export function place(drawing, x, y, scale = 1, turn = 0, flip = false) {
  const steps = [`translate(${num(x)} ${num(y)})`];
  if (turn) steps.push(`rotate(${num(turn)})`);
  if (flip) steps.push(`scale(${num(-scale * 100) / 100} ${num(scale * 100) / 100})`);
  else if (scale !== 1) steps.push(`scale(${num(scale * 100) / 100})`);
  return group({ transform: steps.join("") }, drawing);
}

/** The drawing with this id, once more. */
export const again = (id, x = 0, y = 0, scale = 1, turn = 0) => {
  const bare = tag("use", { href: `#${id}` });
  if (scale === 1 && turn === 0 && x === 0 && y === 0) return bare;
  const steps = [`translate(${num(x)} ${num(y)})`];
  if (turn) steps.push(`rotate(${num(turn)})`);
  if (scale !== 1) steps.push(`scale(${Math.round(scale * 1000) / 1000})`);
  return tag("use", { href: `#${id}`, transform: steps.join("") });
};

/** What of a drawing lies in a box: a nested svg cuts at its edges. */
export const cut = (x, y, width, height, ...children) =>
  tag("svg", { x, y, width, height, viewBox: [x, y, width, height].map(num).join(" ") }, ...children);

/** A part of a drawing, the box `from`, shown in the box `to`. */
export const crop = (from, to, ...children) =>
  tag(
    "svg",
    {
      x: to[0],
      y: to[1],
      width: to[2],
      height: to[3],
      viewBox: from.map(num).join(" "),
      preserveAspectRatio: "xMidYMid slice",
    },
    ...children,
  );

/** Drawn in ink: filled shapes with an outline. Its children are made by `shape`, `stroke` and `tube`. */
export const inked = (ink, width, ...children) =>
  group(
    { fill: "none", stroke: ink, "stroke-width": width, "stroke-linejoin": "round", "stroke-linecap": "round" },
    ...children,
  );
export const shape = (d, fill) => tag("path", { d, fill });
export const stroke = (d, colour, width) => tag("path", { d, stroke: colour, "stroke-width": width });
export const disc = (cx, cy, r, fill) => tag("circle", { cx, cy, r, fill });

/** A disc without an outline. */
export const spot = (cx, cy, r, fill, opacity) => tag("circle", { cx, cy, r, fill, opacity, stroke: "none" });

/** A limb: a thick line with an outline of its own. */
export const tube = (d, width, fill, outline = 2) => [
  tag("path", { d, "stroke-width": width + outline }),
  tag("path", { d, stroke: fill, "stroke-width": width }),
];

/** The points of a polygon round the origin, radii taken in turn: two make a star. */
export function star(points, outer, inner, turn = -90) {
  const corners = [];
  for (let i = 0; i < points * 2; i++) {
    const angle = ((turn + (i * 180) / points) * Math.PI) / 180;
    const radius = i % 2 ? inner : outer;
    corners.push(`${num(radius * Math.cos(angle))} ${num(radius * Math.sin(angle))}`);
  }
  return `M${corners.join("L")}Z`;
}

/** The same drawing `count` times round the origin. */
export const round = (count, drawing, from = 0) =>
  Array.from({ length: count }, (_, i) => group({ transform: `rotate(${num(from + (i * 360) / count)})` }, drawing));

/**
 * The same small motif, written relative to where it stands, at many places, as one path: a table shows many backs, so a
 * back has few elements.
 */
export const scatter = (places, motif) => places.map(([x, y]) => `M${num(x)} ${num(y)}${motif}`).join("");

/** Places row over row round a middle, every other row shifted by half a step and one shorter. */
export function bricks(midX, midY, rows, columns, stepX, stepY) {
  const places = [];
  for (let row = 0; row < rows; row++) {
    const count = row % 2 ? columns - 1 : columns;
    for (let column = 0; column < count; column++)
      places.push([midX + (column - (count - 1) / 2) * stepX, midY + (row - (rows - 1) / 2) * stepY]);
  }
  return places;
}

/** Diagonals both ways in a box, as one path: the lattice of a back. */
export function lattice(x, y, width, height, step) {
  let d = "";
  for (let c = step; c < width + height; c += step) {
    const [x0, y0] = c <= height ? [0, c] : [c - height, height];
    const [x1, y1] = c <= width ? [c, 0] : [width, c - width];
    d += `M${num(x + x0)} ${num(y + y0)}L${num(x + x1)} ${num(y + y1)}`;
    d += `M${num(x + width - x0)} ${num(y + y0)}L${num(x + width - x1)} ${num(y + y1)}`;
  }
  return d;
}
