/** The sign of each game: our own drawings after the suits of the packs. Only ornament: the name stands beside it. */
import type { ComponentChildren } from "preact";
import "./emblem.css";

const coin = (
  <>
    <circle class="gold" cx="32" cy="32" r="23" />
    <circle class="line" cx="32" cy="32" r="18" />
    <path
      class="red"
      d="M32 17l3.5 9.6 9.6-3.5-4.5 8.9 4.5 8.9-9.6-3.5L32 47l-3.5-9.6-9.6 3.5 4.5-8.9-4.5-8.9 9.6 3.5z"
    />
    <circle class="gold" cx="32" cy="32" r="4.5" />
  </>
);

const coins = (
  <>
    {[
      [20, 20],
      [44, 20],
      [20, 44],
      [44, 44],
    ].map(([x, y]) => (
      <g key={`${x}.${y}`}>
        <circle class="gold" cx={x} cy={y} r="10.5" />
        <circle class="line" cx={x} cy={y} r="7" />
        <circle class="red" cx={x} cy={y} r="3.5" />
      </g>
    ))}
  </>
);

const cup = (
  <>
    <path class="red" d="M14 10h36c0 15-5 23-13 25.5V46h-10V35.5C19 33 14 25 14 10z" />
    <path class="gold" d="M14 10h36l-.8 6H14.8zM20 46h24v4H20zM16 50h32v5H16z" />
    <circle class="gold" cx="32" cy="40" r="4.5" />
  </>
);

const sword = (
  <>
    <path class="blue" d="M32 4l5 7v28H27V11z" />
    <path class="line" d="M32 10v28" />
    <path class="gold" d="M17 38h30v5H17zM29.5 43h5v11h-5z" />
    <circle class="red" cx="32" cy="57" r="4.5" />
  </>
);

const club = (
  <>
    <path class="green" d="M24 8c5-4 12-3 15 2 4 7-1 14-2 21l-1 24c0 4-8 4-8 0l-1-24c-1-7-8-18-3-23z" />
    <path class="gold" d="M29 14l4 3-4 3zM36 22l-4 3 4 3zM29 31l4 3-4 3z" />
    <path class="green" d="M27 36c-6-1-9-4-10-9 6 0 9 3 10 9zM37 42c6-1 9-4 10-9-6 0-9 3-10 9z" />
  </>
);

const crossed = (
  <>
    <g transform="rotate(-38 32 32)">{sword}</g>
    <g transform="rotate(38 32 32)">{club}</g>
  </>
);

const heart = (
  <path
    class="red"
    d="M32 56C18 44 8 35 8 23c0-8 6-13 12-13 5 0 10 3 12 8 2-5 7-8 12-8 6 0 12 5 12 13 0 12-10 21-24 33z"
  />
);

const spade = (
  <path
    class="black"
    d="M32 6c12 12 23 19 23 30 0 7-5 11-11 11-4 0-7-2-9-5 1 6 3 10 7 14H22c4-4 6-8 7-14-2 3-5 5-9 5-6 0-11-4-11-11C9 25 20 18 32 6z"
  />
);

const clubs = (
  <path
    class="black"
    d="M32 7a11 11 0 018 18.5A11 11 0 1136 42c1 6 3 10 7 15H21c4-5 6-9 7-15A11 11 0 1124 25.5 11 11 0 0132 7z"
  />
);

const jester = (
  <>
    <path class="red" d="M12 44C8 30 6 22 6 18c8 1 14 6 18 14z" />
    <path class="green" d="M52 44c4-14 6-22 6-26-8 1-14 6-18 14z" />
    <path class="gold" d="M14 44L32 10l18 34z" />
    <path class="line" d="M32 10v34" />
    <path class="red" d="M12 44h40v9H12z" />
    <circle class="gold" cx="7" cy="16" r="4" />
    <circle class="gold" cx="57" cy="16" r="4" />
    <circle class="red" cx="32" cy="9" r="4" />
  </>
);

const fan = (
  <>
    {[-24, 0, 24].map((turn) => (
      <g key={turn} transform={`rotate(${turn} 32 58)`}>
        <rect class="paper" x="20" y="10" width="24" height="36" rx="3" />
        <path class={turn === 0 ? "black" : "red"} d="M32 18l7 10-7 10-7-10z" />
      </g>
    ))}
  </>
);

const basket = (
  <>
    <path class="stroke" d="M16 30C16 6 48 6 48 30" />
    <path class="gold" d="M8 28h48l-6 27H14z" />
    <path class="line" d="M10 35h44M12 42h41M13 49h38M22 28l3 27M32 28v27M42 28l-3 27" />
    <path class="red" d="M6 26h52v5H6z" />
  </>
);

const moon = (
  <>
    <path class="gold" d="M40 6a27 27 0 100 52A22 22 0 0140 6z" />
    <path class="red" d="M46 22l2.6 6.4 6.9.5-5.3 4.4 1.7 6.7-5.9-3.6-5.9 3.6 1.7-6.7-5.3-4.4 6.9-.5z" />
  </>
);

const colours = (
  <>
    <path class="red" d="M31 31V7A24 24 0 007 31z" />
    <path class="gold" d="M33 31V7a24 24 0 0124 24z" />
    <path class="green" d="M31 33v24A24 24 0 017 33z" />
    <path class="blue" d="M33 33v24a24 24 0 0024-24z" />
  </>
);

const written = (text: string) => (
  <text class="red written" x="32" y="43" text-anchor="middle">
    {text}
  </text>
);

const EMBLEMS: Record<string, ComponentChildren> = {
  asso_pigliatutto: cup,
  bestia: crossed,
  briscola: sword,
  burraco: fan,
  canasta: basket,
  cirulla: written("15"),
  hearts: heart,
  jolly: jester,
  poker: spade,
  scala40: written("40"),
  scopa: coin,
  scopone: coins,
  sette_e_mezzo: written("7½"),
  solitario: clubs,
  tarocco: moon,
  tresette: club,
  uno: colours,
};

/** The sign of a game; of one that is new to this page, the coin. */
export function Emblem({ game }: { game: string }) {
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      {EMBLEMS[game] ?? coin}
    </svg>
  );
}
