/** The page of a table: attaches to it, and draws its views. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { packFor } from "../cards/choice";
import { deckOf } from "../cards/decks";
import { Refused } from "../net/socket";
import { client } from "../state/here";
import type { Table, View } from "../state/table";
import { announce, Button, moves as mayMove } from "../ui";
import { Actions, HandTools, MoveList, Question } from "./actions";
import { Asking } from "./asking";
import { Ending } from "./ending";
import { Felt, zonesOf } from "./felt";
import { glide, snapshot, type Snapshot } from "./flip";
import { Hand } from "./hand";
import { goalOf, LINGER_MS, lingering, sourceOf, type Lingering } from "./happening";
import { Head } from "./head";
import { Plate } from "./plate";
import { Play } from "./play";
import { SceneProvider, useScene, type Scene } from "./scene";
import { say } from "./says";
import { HeldValue, OtherHand } from "./seat";
import { SidePanel } from "./side_panel";
import { chime, fanfare, tap } from "./sounds";
import { eventWords, speakerOf } from "./speaker";
import { ZoneView } from "./zone";
import "./table.css";

export function TablePage({ id, watch }: { id: string; watch: boolean }) {
  const [refused, setRefused] = useState("");
  const open = client.link.value === "open";
  const table = client.tables.value.get(id);
  useEffect(() => {
    if (!open) return;
    setRefused("");
    client.attach(id, watch).catch((error: unknown) => {
      if (error instanceof Refused) setRefused(error.message);
    });
  }, [id, watch, open]);
  useEffect(() => () => client.detach(id), [id]);
  const why = refused || table?.ended.value;
  if (why) return <Closed why={why} />;
  return table?.view.value ? <TableRoom table={table} /> : <p class="table-waiting">{say("loading")}</p>;
}

function Closed({ why }: { why: string }) {
  return (
    <div class="table-waiting">
      <p>{say("no_table")}</p>
      <p>{why}</p>
      <Button kind="primary" onClick={leave}>
        {say("back")}
      </Button>
    </div>
  );
}

function leave(): void {
  location.hash = "#/";
}

/** So many lines of what has happened are kept. */
const KEPT_LINES = 150;

export function TableRoom({ table }: { table: Table }) {
  const play = useMemo(() => new Play(table, client), [table]);
  const view = table.view.value;
  if (!view) return null;
  return <Drawn key={table.id} play={play} view={view} />;
}

function Drawn({ play, view }: { play: Play; view: View }) {
  const root = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const drawn = useRef<View | null>(null);
  const before = useRef<Snapshot | null>(null);
  const [lines, setLines] = useState<string[]>([]);
  const [panel, setPanel] = useState(() => matchMedia("(min-width: 72rem)").matches);
  const [still, setStill] = useState<Lingering | null>(null);
  const isNew = drawn.current?.version !== view.version;

  // What lingers belongs to the view that brought it.
  const lingers = isNew ? lingering(drawn.current, view) : still;
  // The document still shows the view before: the cards are measured where they lie.
  before.current = root.current && mayMove.value ? snapshot(root.current) : null;

  useLayoutEffect(() => {
    const measured = before.current;
    if (root.current && layer.current && measured)
      glide(root.current, layer.current, measured, sourceOf(view), goalOf(view));
  }, [view.version, lingers]);

  useEffect(() => {
    const previous = drawn.current;
    drawn.current = view;
    play.renew(view);
    setStill(lingers);
    const timer = lingers ? setTimeout(() => setStill(null), LINGER_MS) : undefined;
    const told = view.events.map((event) => eventWords(event, view)).filter(Boolean);
    if (told.length > 0) {
      setLines((said) => [...told.reverse(), ...said].slice(0, KEPT_LINES));
      announce([...told].reverse().join(". "));
    }
    sound(previous, view);
    return () => clearTimeout(timer);
  }, [view.version]);

  const deck = deckOf(view.info.game);
  const scene: Scene = { view, play, speaker: speakerOf(view), deck, pack: packFor(view.info.game, deck) };
  return (
    <SceneProvider value={scene}>
      <div
        ref={root}
        class={`table-page game-${view.info.game} deck-${deck}${"layable" in view.ownFacts ? " lays-melds" : ""}${panel ? " with-panel" : ""}`}
      >
        <Head onLeave={leave} onPanel={() => setPanel(!panel)} panel={panel} />
        <div class="table-body">
          <Felt lingers={lingers} />
          <Own view={view} />
          <Ending onLeave={leave} />
        </div>
        {panel && <SidePanel room={play.table.id} lines={lines} />}
        <div ref={layer} class="flying-layer" aria-hidden="true" />
        <Asking />
      </div>
    </SceneProvider>
  );
}

/** The viewer's place: plate, hand and moves. */
function Own({ view }: { view: View }) {
  const { play } = useScene();
  const seat = view.seat ?? 0;
  const zones = zonesOf(view, seat);
  const hand = zones.find(({ kind, layout }) => kind === "hands" && layout === "fan");
  const row = zones.filter(({ kind, layout }) => kind === "hands" && layout !== "fan");
  const board = zones.filter(({ kind }) => BOARD.has(kind));
  const others = zones.filter(({ kind, count }) => kind !== "hands" && !BOARD.has(kind) && count > 0);
  return (
    <section
      class="own-place"
      aria-label={say("your_hand")}
      onKeyDown={(event) => event.key === "Escape" && play.clear()}
    >
      {board.length > 0 && (
        <div class="own-board">
          <div class="board-top">
            {board
              .filter(({ kind }) => kind !== "columns")
              .map((zone) => (
                <ZoneView key={zone.id} zone={zone} />
              ))}
          </div>
          <div class="board-columns">
            {board
              .filter(({ kind }) => kind === "columns")
              .map((zone) => (
                <ZoneView key={zone.id} zone={zone} />
              ))}
          </div>
        </div>
      )}
      <div class="own-line">
        <div class="own-plate">
          <Plate seat={seat} />
          {others.length > 0 && (
            <div class="seat-zones">
              {others.map((zone) => (
                <ZoneView key={zone.id} zone={zone} />
              ))}
            </div>
          )}
        </div>
        <div class="own-hand">
          {hand && view.seat !== undefined && <HeldValue zone={hand} />}
          {hand && view.seat !== undefined && <Hand zone={hand} />}
          {hand && view.seat === undefined && <OtherHand zone={hand} />}
          {row.map((zone) => (
            <ZoneView key={zone.id} zone={zone} />
          ))}
        </div>
      </div>
      {view.seat !== undefined && (
        <div class="own-moves">
          <Question />
          <Actions />
          <div class="own-tools">
            <HandTools />
            <MoveList />
          </div>
        </div>
      )}
    </section>
  );
}

/** What makes up a board of one's own (solitario). */
const BOARD: ReadonlySet<string> = new Set(["columns", "waste", "bases", "stock"]);

function sound(previous: View | null, view: View): void {
  if (!previous) return;
  const mayAct = (of: View) => of.moves.length > 0;
  if (view.events.some(({ kind }) => kind === "hand_ended" || kind === "match_ended")) fanfare();
  else if (!mayAct(previous) && mayAct(view)) chime();
  else if (view.events.some(({ kind }) => /played|discarded|laid|added|captured/.test(kind))) tap();
}
