/** The felt: the seats around it, and in the middle what belongs to nobody, the trick and the melds. */
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import type { View } from "../state/table";
import { LookCard } from "./cards";
import { useScene } from "./scene";
import { say } from "./says";
import { Seat } from "./seat";
import { sides } from "./seating";
import { sideName, tableFacts, zoneName } from "./speaker";
import type { Lingering } from "./happening";
import { Trick } from "./trick";
import { word } from "./forms";
import { ZoneView } from "./zone";

export function Felt({ lingers }: { lingers: Lingering | null }) {
  const { view } = useScene();
  const { left, top, right } = sides(view);
  const seat = (number: number) => <Seat key={number} seat={number} zones={zonesOf(view, number)} />;
  return (
    <div class="table-felt">
      <div class="side left">{left.map(seat)}</div>
      <div class={`side top${top.length < 3 ? " few" : ""}`}>{top.map(seat)}</div>
      <div class="side right">{right.map(seat)}</div>
      <Middle lingers={lingers} />
      <Facts />
    </div>
  );
}

/** What lies before a seat. What belongs to a side lies before its first seat, seen from the viewer. */
export function zonesOf(view: View, seat: number): Zone[] {
  return view.zones.filter((zone) => zone.layout !== "melds" && ownerOf(view, zone) === seat);
}

function ownerOf(view: View, zone: Zone): number | undefined {
  if (zone.seat !== undefined) return zone.seat;
  if (zone.side === undefined) return undefined;
  const { seats } = view.info;
  const me = view.seat ?? 0;
  if (seats[me]?.side === zone.side) return me;
  const found = seats.findIndex(({ side }) => side === zone.side);
  return found < 0 ? undefined : found;
}

function Middle({ lingers }: { lingers: Lingering | null }) {
  const { view } = useScene();
  const zones = view.zones.filter((zone) => ownerOf(view, zone) === undefined && zone.layout !== "melds");
  const piles = zones.filter(({ layout }) => layout === "pile" || layout === "stack");
  const trick = zones.find(({ layout }) => layout === "trick");
  const rows = zones.filter(({ layout }) => layout === "row" || layout === "fan" || layout === "columns");
  const melds = view.zones.filter(({ layout }) => layout === "melds");
  const hasMelds = melds.length > 0 || "layable" in view.ownFacts;
  return (
    <div class={`middle${hasMelds ? " with-melds" : ""}${trick ? " with-trick" : ""}`}>
      <div class="piles">
        {piles.filter(isWorthDrawing).map((zone) => (
          <ZoneView key={zone.id} zone={zone} />
        ))}
        <Briscola />
        <Colour />
        {rows
          .filter(({ kind }) => kind !== "table")
          .map((zone) => (
            <ZoneView key={zone.id} zone={zone} />
          ))}
      </div>
      {trick && <Trick zone={trick} lingers={lingers?.zone === trick.id ? lingers : null} />}
      {rows
        .filter(({ kind }) => kind === "table")
        .map((zone) => (
          <ZoneView key={zone.id} zone={zone} lingers={lingers?.zone === zone.id ? lingers : null} />
        ))}
      {hasMelds && <Melds zones={melds} />}
    </div>
  );
}

/** Empty heaps are not drawn; the discards keep their place. */
function isWorthDrawing(zone: Zone): boolean {
  return zone.count > 0 || zone.kind === "discard";
}

/** Melds by whose they are: the others' above, the viewer's below. */
function Melds({ zones }: { zones: readonly Zone[] }) {
  const { view, play } = useScene();
  const mine = view.seat === undefined ? undefined : view.info.seats[view.seat]?.side;
  const owners = [...new Set(zones.map((zone) => zone.side ?? -1))].sort(
    (a, b) => Number(a === mine) - Number(b === mine),
  );
  const lays = play.moves.value.some(({ verb }) => verb === "meld");
  if (zones.length === 0 && !lays) return null;
  return (
    <div
      class={`melds${lays ? " lays" : ""}${play.landing.value?.move?.verb === "meld" ? " landing-zone" : ""}`}
      data-zone="melds"
    >
      {owners.map((side) => (
        <div key={side} class={`meld-side${side === mine ? " mine" : ""}`}>
          {owners.length > 1 && <span class="caption">{side < 0 ? zoneName("melds") : sideName(view, side)}</span>}
          <div class="meld-row">
            {zones
              .filter((zone) => (zone.side ?? -1) === side)
              .map((zone) => (
                <ZoneView key={zone.id} zone={zone} />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The briscola where it lies in no zone of its own. */
function Briscola() {
  const { view } = useScene();
  const face = view.facts["briscola"];
  if (typeof face !== "string" || view.zones.some(({ kind }) => kind === "briscola")) return null;
  return (
    <div class="zone briscola">
      <div class="cards">
        <LookCard face={face} />
      </div>
      <span class="caption">{zoneName("briscola")}</span>
    </div>
  );
}

/** The colour in force (uno), as a sign, a letter and a word. */
function Colour() {
  const { view, speaker } = useScene();
  const colour = view.facts["colour"];
  if (typeof colour !== "string") return null;
  const name = word("colour", colour, speaker);
  return (
    <div class="colour-in-force">
      <span class={`colour-sign ${colour}`} aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <span class="caption">{say("colour", { colour: name })}</span>
    </div>
  );
}

function Facts() {
  const { view } = useScene();
  const said = tableFacts(view);
  if (said.length === 0) return null;
  return (
    <div class="table-facts" role="group" aria-label={say("facts")}>
      {said.map(({ key, text }) => (
        <span key={key} class={`fact fact-${key}`}>
          {text}
        </span>
      ))}
    </div>
  );
}
