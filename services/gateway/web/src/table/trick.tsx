/** The trick: each card lies towards the seat that played it. */
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import { TableCard } from "./cards";
import type { Lingering } from "./happening";
import { lying } from "./keys";
import { useScene } from "./scene";
import { bearing } from "./seating";
import { seatName } from "./speaker";
import { Place } from "./zone";

/** `lingers`: the trick that has just been taken; it stays in sight for a moment. */
export function Trick({ zone, lingers }: { zone: Zone; lingers: Lingering | null }) {
  const { view, speaker } = useScene();
  const seats = view.info.seats.length;
  const faces = lingers?.faces ?? zone.cards;
  const fact = view.facts["leader"];
  const leader = lingers ? lingers.leader : typeof fact === "number" ? fact : undefined;
  const players = playersOf(view.facts["status"], seats);
  return (
    <Place zone={zone} kind="trick">
      {lying(zone, faces).map((card, at) => {
        const seat = leader === undefined ? undefined : after(players, leader, at, seats);
        const place = seat === undefined ? "" : bearing(view, seat);
        const label =
          seat === undefined ? speaker.card(card.face) : `${speaker.card(card.face)}, ${seatName(view, seat)}`;
        return (
          <span
            key={card.key}
            class={`lain ${place}${lingers && seat === lingers.winner ? " winner" : ""}`}
            style={{ "--at": String(at) }}
          >
            <TableCard card={card} zone={zone} label={label} />
          </span>
        );
      })}
    </Place>
  );
}

/** The seats that play this hand, where some may sit out; else all. */
function playersOf(status: unknown, seats: number): number[] {
  const all = Array.from({ length: seats }, (_, seat) => seat);
  return Array.isArray(status) ? all.filter((seat) => status[seat] === "in" || status[seat] === "blind") : all;
}

function after(players: readonly number[], leader: number, steps: number, seats: number): number {
  const from = players.indexOf(leader);
  return from < 0 ? (leader + steps) % seats : (players[(from + steps) % players.length] ?? leader);
}
