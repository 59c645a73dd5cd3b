// Where the pips of a number card stand, in a box from -1 to 1 both ways. The third number turns a pip upside down.

const column = (x, ...ys) => ys.map((y) => [x, y]);
const pair = (...ys) => [...column(-1, ...ys), ...column(1, ...ys)];
const third = 1 / 3;

const FRENCH = {
  A: [[0, 0]],
  2: column(0, -1, 1),
  3: column(0, -1, 0, 1),
  4: pair(-1, 1),
  5: [...pair(-1, 1), [0, 0]],
  6: pair(-1, 0, 1),
  7: [...pair(-1, 0, 1), [0, -0.5]],
  8: [...pair(-1, 0, 1), [0, -0.5], [0, 0.5]],
  9: [...pair(-1, -third, third, 1), [0, 0]],
  10: [...pair(-1, -third, third, 1), [0, -2 / 3], [0, 2 / 3]],
};

/** French pips: those below the middle stand on their heads. */
export const french = (rank) => FRENCH[rank].map(([x, y]) => [x, y, y > 0.01 ? 180 : 0]);

/** Coins and cups: all upright. */
export const compact = (rank) => FRENCH[rank].map(([x, y]) => [x, y, 0]);

const LONG = {
  2: [
    [-0.62, 0, 0],
    [0.62, 0, 0],
  ],
  3: [
    [-1, 0.55, 0],
    [1, 0.55, 0],
    [0, -0.55, 0],
  ],
  4: pair(-1, 1),
  5: [...pair(-1, 1), [0, 0]],
  6: [...pair(-1, 1), [0, -1], [0, 1]],
  7: [...pair(-1, 1), [0, -1], [0, 1], [0, 0, 90]],
};

/** Clubs and swords, which are long: side by side in two rows, the seventh lying between them. */
export const long = (rank) => LONG[rank].map(([x, y, turn = 0]) => [x, y, turn]);
