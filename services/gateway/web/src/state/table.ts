/** A table as its views have shown it, and what the player has sent it. */
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import {
  TableState,
  type Event,
  type LegalMove,
  type OwnView,
  type PublicView,
  type TableInfo,
  type TableUpdate,
  type Zone,
} from "#protos/tavolo/table/v1/view_pb";

/** One view, ready to be drawn. */
export interface View {
  version: bigint;
  info: TableInfo;
  pub: PublicView;
  own: OwnView | undefined;
  /** The viewer's seat; undefined: a spectator. */
  seat: number | undefined;
  /** Public zones, with those of the own view in the place of theirs. */
  zones: Zone[];
  /** What the viewer may do now. */
  moves: LegalMove[];
  /** What has just happened, as far as the viewer may know. */
  events: Event[];
  facts: Record<string, unknown>;
  ownFacts: Record<string, unknown>;
  /** When it came, ms of performance.now(): clocks count down from here. */
  at: number;
}

/** What was chosen and is not yet answered. */
export interface Pending {
  id: string;
  move: string;
  turn: bigint;
}

export class Table {
  readonly view = signal<View | null>(null);
  readonly pending = signal<Pending | null>(null);
  /** The last refusal, until the next view. */
  readonly refusal = signal<string>("");
  /** Why the connection to the table ended; empty while it has not. */
  readonly ended = signal<string>("");
  readonly mayAct: ReadonlySignal<boolean> = computed(
    () => this.pending.value === null && (this.view.value?.moves.length ?? 0) > 0,
  );
  readonly isOver: ReadonlySignal<boolean> = computed(() => this.view.value?.pub.state === TableState.OVER);
  private info: TableInfo | undefined;

  constructor(
    readonly id: string,
    readonly watches: boolean,
  ) {}

  /** Takes an update; false: it is older than what is shown. */
  take(update: TableUpdate, at = performance.now()): boolean {
    this.info = update.info ?? this.info;
    const shown = this.view.value;
    const { public: pub, own } = update;
    if (!this.info || !pub || (shown && update.version <= shown.version && !update.info)) return false;
    const replaced = new Map(own?.zones.map((zone) => [zone.id, zone]));
    const zones = pub.zones.map((zone) => replaced.get(zone.id) ?? zone);
    const known = new Set(pub.zones.map((zone) => zone.id));
    zones.push(...(own?.zones.filter((zone) => !known.has(zone.id)) ?? []));
    if (this.pending.value && own && own.turn > this.pending.value.turn) this.pending.value = null;
    this.refusal.value = "";
    this.view.value = {
      version: update.version,
      info: this.info,
      pub,
      own,
      seat: this.info.yourSeat,
      zones,
      moves: own?.moves ?? [],
      events: merged(pub.events, own?.events ?? []),
      facts: parsed(pub.facts),
      ownFacts: parsed(own?.facts ?? ""),
      at,
    };
    return true;
  }
}

/** Public events, each with what only this viewer is told of it. */
function merged(everybody: Event[], own: Event[]): Event[] {
  const left = [...own];
  return everybody.map((event) => {
    const at = left.findIndex((each) => each.kind === event.kind && each.seat === event.seat);
    return at < 0 ? event : (left.splice(at, 1)[0] ?? event);
  });
}

function parsed(json: string): Record<string, unknown> {
  return json ? (JSON.parse(json) as Record<string, unknown>) : {};
}
