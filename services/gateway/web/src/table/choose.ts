/** What the cards that a player has chosen mean, by the legal moves alone.
 *
 * A choice is a number of own cards, cards that they take, and perhaps a place to go to. A move is still possible while it has all
 * of that; it is complete when it has nothing else. No rule of any game is here: the moves say everything. */

/** Of a LegalMove what a choice is compared with. */
export interface Offered {
  text: string;
  verb: string;
  cards: readonly string[];
  takes: readonly string[];
  target: string;
}

export interface Choice {
  cards: readonly string[];
  takes: readonly string[];
  /** Id of the zone, where the player has pointed at one. */
  target?: string | undefined;
}

export interface Meaning<M extends Offered> {
  /** Moves that have all that is chosen. */
  possible: M[];
  /** Those of them that have nothing else. */
  complete: M[];
  /** Faces of own cards that could be chosen next. */
  cards: ReadonlySet<string>;
  /** Faces elsewhere that could be chosen next. */
  takes: ReadonlySet<string>;
  /** Zones to which a complete move goes. */
  targets: ReadonlySet<string>;
  /** The one move that is meant and waits for nothing more. */
  decided: M | undefined;
}

export const NOTHING: Choice = { cards: [], takes: [] };

/** `whole` without `part`, faces counted as often as they are there; null if `part` is not all in it. */
export function without(whole: readonly string[], part: readonly string[]): string[] | null {
  const left = [...whole];
  for (const face of part) {
    const at = left.indexOf(face);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

export function meaning<M extends Offered>(moves: readonly M[], choice: Choice): Meaning<M> {
  const possible: M[] = [];
  const complete: M[] = [];
  const cards = new Set<string>();
  const takes = new Set<string>();
  for (const move of moves) {
    const ownLeft = without(move.cards, choice.cards);
    const takesLeft = without(move.takes, choice.takes);
    if (!ownLeft || !takesLeft || (choice.target !== undefined && move.target !== choice.target)) continue;
    possible.push(move);
    if (ownLeft.length === 0 && takesLeft.length === 0) complete.push(move);
    for (const face of ownLeft) cards.add(face);
    // What is taken is pointed at once it is clear with which cards.
    if (ownLeft.length === 0) for (const face of takesLeft) takes.add(face);
  }
  const chosen = choice.cards.length + choice.takes.length > 0;
  const targets = new Set(chosen ? complete.map((move) => move.target).filter(Boolean) : []);
  return { possible, complete, cards, takes, targets, decided: decided(possible, complete, choice) };
}

/** A capture whose last card was pointed at is made at once; whatever takes nothing waits for a second word of the player. */
function decided<M extends Offered>(possible: readonly M[], complete: readonly M[], choice: Choice): M | undefined {
  return choice.takes.length > 0 && possible.length === 1 ? complete[0] : undefined;
}

/** Where a card that is dragged may be let go, and what it would take there. */
export interface Landing<M extends Offered> {
  /** Zones that light up. */
  targets: ReadonlySet<string>;
  /** The move that letting go here would make; undefined: none, or more than one. */
  move: M | undefined;
  /** Several moves fit: the player has to choose one by one. */
  ambiguous: boolean;
}

/** `zone` and `card`: what lies under the dragged cards; undefined where nothing does. */
export function landing<M extends Offered>(
  moves: readonly M[],
  cards: readonly string[],
  zone: string | undefined,
  card: string | undefined,
): Landing<M> {
  const fitting = moves.filter(
    (move) => move.cards.length === cards.length && without(move.cards, cards)?.length === 0,
  );
  const targets = new Set(fitting.map((move) => move.target).filter(Boolean));
  if (zone === undefined) return { targets, move: undefined, ambiguous: false };
  const here = fitting.filter((move) => move.target === zone);
  const over = card === undefined ? [] : here.filter((move) => move.takes.includes(card));
  const best = over.length > 0 ? over : here;
  return { targets, move: best.length === 1 ? best[0] : undefined, ambiguous: best.length > 1 };
}

/** What a double click on a card plays: only what takes nothing, and only where nothing can be taken. */
export function doubleClick<M extends Offered>(moves: readonly M[], face: string): M | "takes" | undefined {
  const withCard = moves.filter((move) => move.cards.length === 1 && move.cards[0] === face);
  if (withCard.some((move) => move.takes.length > 0)) return "takes";
  return withCard.length === 1 ? withCard[0] : undefined;
}

/** Moves that only differ in a number at their end, as bets do: their verb, and the amounts from least to most. */
export interface Amounts<M extends Offered> {
  verb: string;
  amounts: { amount: number; move: M }[];
}

const NUMBER_AT_END = /^\S+ (\d+)$/;
/** Fewer than so many are buttons like any other. */
const LEAST_AMOUNTS = 4;

/** Moves that need no card, apart: amounts to choose from, and the others one by one. */
export function cardless<M extends Offered>(moves: readonly M[]): { amounts: Amounts<M>[]; single: M[] } {
  const bare = moves.filter((move) => move.cards.length === 0 && move.takes.length === 0);
  const numbered = new Map<string, { amount: number; move: M }[]>();
  for (const move of bare) {
    const found = NUMBER_AT_END.exec(move.text);
    if (found) numbered.set(move.verb, [...(numbered.get(move.verb) ?? []), { amount: Number(found[1]), move }]);
  }
  const amounts = [...numbered]
    .filter(([, found]) => found.length >= LEAST_AMOUNTS)
    .map(([verb, found]) => ({ verb, amounts: found.sort((a, b) => a.amount - b.amount) }));
  const verbs = new Set(amounts.map(({ verb }) => verb));
  return { amounts, single: bare.filter((move) => !verbs.has(move.verb) || !NUMBER_AT_END.test(move.text)) };
}

/** Melds that the seat's own hand gives (fact `layable`), as moves: the list of moves may hold short ones only. */
export function layableMoves(layable: unknown): (Offered & { value: number })[] {
  if (!Array.isArray(layable)) return [];
  return (layable as { move: string; value: number }[]).map(({ move, value }) => ({
    text: move,
    verb: "meld",
    cards: move
      .split(" ")
      .slice(1)
      .map((face) => face.replace(/=.*/, "")),
    takes: [],
    target: "",
    value,
  }));
}

/** A longer meld or addition than the listed ones, in words that the engine reads; undefined where none of the kind is offered. */
export function longer(moves: readonly Offered[], choice: Choice): string | undefined {
  if (choice.takes.length > 0) return undefined;
  const { target } = choice;
  if (target === undefined || target === "") {
    const melds = moves.some((move) => move.verb === "meld");
    return melds && choice.cards.length > 3 ? `meld ${choice.cards.join(" ")}` : undefined;
  }
  const adds = moves.some(
    (move) => move.verb === "add" && move.target === target && choice.cards.includes(move.cards[0] ?? ""),
  );
  const meld = /^melds\.(\d+)$/.exec(target);
  return adds && meld && choice.cards.length > 1 ? `add ${choice.cards.join(" ")} m${meld[1]}` : undefined;
}
