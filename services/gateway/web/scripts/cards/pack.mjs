// A pack: its size, the symbols of its cards, what they share.
import { again, rect, tag } from "./svg.mjs";

/** One symbol a face (and `<face>-s`, the drawing for small cards), the shared parts before them. */
export function sprite({ width, height, shared, cards }) {
  const viewBox = `0 0 ${width} ${height}`;
  const parts = Object.entries(shared).map(([id, drawing]) => tag("g", { id }, drawing));
  const symbols = Object.entries(cards).map(([id, drawing]) => tag("symbol", { id, viewBox }, drawing));
  return `<svg xmlns="http://www.w3.org/2000/svg">\n<defs>${parts.join("\n")}</defs>\n${symbols.join("\n")}\n</svg>\n`;
}

/** The paper of a card with its cut edge. */
export const paper = (width, height, colour, edge, radius = 6) =>
  rect(0.4, 0.4, width - 0.8, height - 0.8, colour, { rx: radius, stroke: edge, "stroke-width": 0.8 });

/** The same drawing from both ends of the card. */
export const bothEnds = (width, height, id) => [
  again(id),
  tag("use", { href: `#${id}`, transform: `rotate(180 ${width / 2} ${height / 2})` }),
];
