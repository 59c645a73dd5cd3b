/** A player at a table: what is chosen, what that means, and the gestures that make a move of it. */
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Client } from "../state/client";
import type { Table, View } from "../state/table";
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import {
  doubleClick,
  landing,
  layableMoves,
  longer,
  meaning,
  type Choice,
  type Landing,
  type Meaning,
  type Offered,
} from "./choose";
import { ASKED, CLICK_LAYS, isPrecious, ONE_CLICK } from "./habits";
import { faceOf } from "./keys";
import { say, type Saying } from "./says";

export interface Question {
  text: Saying;
  values: Record<string, string>;
  move: string;
}

/** The place where melds lie: a new one has no zone yet. */
const MELDS = "melds";
const ONE_CLICK_KEY = "tavolo.one_click";

export class Play {
  /** Keys of the chosen own cards. */
  readonly hand = signal<readonly string[]>([]);
  /** Keys of the chosen cards of the table. */
  readonly takes = signal<readonly string[]>([]);
  /** What a gesture could not do, in words; until the next one. */
  readonly note = signal("");
  readonly question = signal<Question | null>(null);
  /** Where a drag would land now. */
  readonly landing = signal<Landing<Offered> | null>(null);
  readonly oneClick = signal(localStorage.getItem(ONE_CLICK_KEY) !== "off");
  readonly moves: ReadonlySignal<Offered[]>;
  readonly choice: ReadonlySignal<Choice>;
  readonly meaning: ReadonlySignal<Meaning<Offered>>;
  private turn = -1n;

  constructor(
    readonly table: Table,
    private readonly client: Pick<Client, "act">,
  ) {
    this.moves = computed(() => (table.mayAct.value ? offered(table.view.value) : []));
    this.choice = computed(() => ({ cards: this.hand.value.map(faceOf), takes: this.takes.value.map(faceOf) }));
    this.meaning = computed(() => meaning(this.moves.value, this.choice.value));
  }

  get game(): string {
    return this.table.view.value?.info.game ?? "";
  }

  /** Whether one click on a card plays it now. */
  get playsAtOnce(): boolean {
    return ONE_CLICK.has(this.game) && this.oneClick.value && this.hand.value.length === 0;
  }

  setOneClick(on: boolean): void {
    this.oneClick.value = on;
    localStorage.setItem(ONE_CLICK_KEY, on ? "on" : "off");
  }

  /** A new view: what is no more there, or was meant for another turn, is not chosen any longer. */
  renew(view: View): void {
    const turn = view.own?.turn ?? 0n;
    if (turn !== this.turn) this.clear();
    this.turn = turn;
  }

  clear(): void {
    this.hand.value = [];
    this.takes.value = [];
    this.note.value = "";
    this.landing.value = null;
  }

  // ----------------------------------------------------------------------------------------- sending

  /** Makes a move; dear ones are asked about first. */
  make(move: Pick<Offered, "text" | "verb">): void {
    const asked = ASKED[move.verb];
    if (asked) this.question.value = { text: asked, values: {}, move: move.text };
    else this.send(move.text);
  }

  send(text: string): void {
    this.question.value = null;
    this.clear();
    void this.client.act(this.table, text);
  }

  // -------------------------------------------------------------------------------------- own cards

  /** A click on an own card. `choose`: with a key held down, or by the space bar, which only ever chooses. */
  clickOwn(key: string, choose: boolean): void {
    this.note.value = "";
    if (this.moves.value.length === 0) return;
    if (!choose && this.playsAtOnce && this.playOne(faceOf(key))) return;
    this.toggle(key);
  }

  toggle(key: string): void {
    const chosen = this.hand.value;
    if (chosen.includes(key)) {
      this.hand.value = chosen.filter((each) => each !== key);
      return;
    }
    this.hand.value = [...chosen, key];
    if (this.meaning.value.possible.length > 0 || this.mayBeLonger) return;
    this.takes.value = [];
    this.hand.value = [key];
  }

  /** The double click: plays what takes nothing, where nothing can be taken. */
  doubleOwn(key: string): void {
    const move = doubleClick(this.moves.value, faceOf(key)) ?? this.toBase(faceOf(key));
    if (move === "takes") this.note.value = say("can_take");
    else if (move) this.make(move);
  }

  /** Enter on a card: what is decided by what is chosen, else as a click. */
  enter(key: string): void {
    const { complete } = this.meaning.value;
    if (this.hand.value.includes(key) && complete.length === 1 && complete[0]) this.make(complete[0]);
    else this.clickOwn(key, false);
  }

  /** The Delete key discards; a precious card after a question. */
  discard(key: string, card: string): void {
    const face = faceOf(key);
    const move = this.moves.value.find(({ verb, cards }) => verb === "discard" && cards[0] === face);
    if (!move) return;
    if (isPrecious(this.game, face)) this.question.value = { text: "sure_discard", values: { card }, move: move.text };
    else this.make(move);
  }

  private toBase(face: string): Offered | undefined {
    return this.moves.value.find(({ cards, target }) => cards[0] === face && target.startsWith("bases"));
  }

  /** One click: adds to the one combination that fits, else starts one, else discards. */
  private playOne(face: string): boolean {
    const moves = this.moves.value;
    const precious = isPrecious(this.game, face);
    if (CLICK_LAYS.has(this.game) && !precious) {
      const adds = moves.filter(({ verb, cards }) => verb === "add" && cards.length === 1 && cards[0] === face);
      const melds = layableMoves(this.table.view.value?.ownFacts["layable"]).filter(({ cards }) =>
        cards.includes(face),
      );
      const lays = adds.length === 1 ? adds[0] : moves.some(({ verb }) => verb === "meld") ? melds[0] : undefined;
      if (lays) {
        this.make(lays);
        return true;
      }
    }
    const discard = moves.find(({ verb, cards }) => verb === "discard" && cards[0] === face);
    if (!discard) return false;
    if (precious) this.note.value = say("wild_drag");
    else this.make(discard);
    return true;
  }

  private get mayBeLonger(): boolean {
    return this.moves.value.some(({ verb }) => verb === "meld" || verb === "add");
  }

  // ---------------------------------------------------------------------------------- cards elsewhere

  /** A click on a card that lies elsewhere: it is one of those that are taken, or stands for its zone. */
  clickTable(key: string, zone: Zone): void {
    this.note.value = "";
    const face = faceOf(key);
    const before = this.takes.value;
    if (before.includes(key)) {
      this.takes.value = before.filter((each) => each !== key);
      return;
    }
    if (!this.moves.value.some(({ takes }) => takes.includes(face))) {
      this.clickZone(zone);
      return;
    }
    this.takes.value = [...before, key];
    const { decided, possible } = this.meaning.value;
    if (decided) this.make(decided);
    else if (possible.length === 0) this.takes.value = [key];
  }

  /** A click on a zone: what is chosen goes there; with nothing chosen, what is drawn or taken from there. */
  clickZone(zone: Pick<Zone, "id">): void {
    this.note.value = "";
    const here = this.hereMoves(zone.id);
    if (here.length === 1 && here[0]) this.make(here[0]);
    else if (here.length === 0 && this.hand.value.length === 0) this.takeWithCards(zone.id);
    else if (here.length === 0 && this.hand.value.length > 0) {
      const text = longer(this.moves.value, { ...this.choice.value, target: zone.id });
      if (text) this.send(text);
      else this.note.value = say("not_here");
    }
  }

  /** What is taken from a zone with cards of the hand: at once where there is but one way. */
  private takeWithCards(zone: string): void {
    const takes = this.moves.value.filter(
      ({ verb, target }) => target === zone && (verb === "take" || verb === "draw"),
    );
    if (takes.length === 1 && takes[0]) this.make(takes[0]);
    else if (takes.length > 1) this.note.value = say("take_with");
  }

  /** The complete moves that a zone stands for. */
  hereMoves(zone: string): Offered[] {
    const taken = this.takes.value.length;
    return this.meaning.value.complete.filter((move) => placeOf(move, zone) === zone && move.takes.length === taken);
  }

  /** Of a row from which one may take the newest n cards: the move that takes so many. */
  takesNewest(zone: string, count: number): Offered | undefined {
    if (this.hand.value.length > 0) return undefined;
    return this.moves.value.find(
      ({ cards, target, text }) => cards.length === 0 && target === zone && text.endsWith(` ${count}`),
    );
  }

  // ------------------------------------------------------------------------------------------ drags

  /** Cards that are dragged together with this one. */
  dragged(key: string): readonly string[] {
    return this.hand.value.includes(key) ? this.hand.value : [key];
  }

  dragOver(keys: readonly string[], zone: string | undefined, card: string | undefined): void {
    const found = landing(this.moves.value, keys.map(faceOf), zone === MELDS ? "" : zone, card);
    const shown = this.landing.value;
    if (!shown || shown.move !== found.move || shown.ambiguous !== found.ambiguous) this.landing.value = found;
  }

  drop(keys: readonly string[], zone: string | undefined): void {
    const found = this.landing.value;
    this.landing.value = null;
    if (zone === undefined || this.moves.value.length === 0) return;
    if (found?.move) return this.make(found.move);
    const text = longer(this.moves.value, { cards: keys.map(faceOf), takes: [], target: zone === MELDS ? "" : zone });
    if (text) return this.send(text);
    if (found?.ambiguous) {
      this.hand.value = keys;
      this.note.value = say("choose_takes");
    } else if (zone) this.note.value = say("not_here");
  }
}

/** The zone that a move is offered at; what is drawn from nowhere else is drawn from the stock. */
function placeOf(move: Offered, zone: string): string {
  const draws = move.target === "" && (move.text === "draw" || move.text === "recycle");
  return draws && (zone === "stock" || zone.startsWith("stock.")) ? zone : move.target;
}

/** The listed moves, with the longer melds that the seat's own facts name. */
function offered(view: View | null): Offered[] {
  if (!view) return [];
  const listed: Offered[] = view.moves;
  if (!listed.some(({ verb }) => verb === "meld")) return listed;
  const known = new Set(listed.map(({ text }) => text));
  return [...listed, ...layableMoves(view.ownFacts["layable"]).filter(({ text }) => !known.has(text))];
}
