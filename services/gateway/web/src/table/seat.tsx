/** A seat of another player: its plate, its hand and what else lies before it. */
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import { TableState } from "#protos/tavolo/table/v1/view_pb";
import { Backs } from "./cards";
import { lying } from "./keys";
import { OwnCard } from "./own_card";
import { Plate } from "./plate";
import { useScene } from "./scene";
import { ZoneView } from "./zone";

/** So many backs are drawn of a hidden hand, for each is a picture of many lines; the plate has the number. */
const MOST_BACKS = 7;

export function Seat({ seat, zones }: { seat: number; zones: readonly Zone[] }) {
  const hands = zones.filter((zone) => zone.kind === "hands");
  const others = zones.filter((zone) => zone.kind !== "hands" && zone.count > 0);
  return (
    <section class="seat">
      <Plate seat={seat} />
      <div class="before-seat">
        {hands.map((zone) => (
          <OtherHand key={zone.id} zone={zone} />
        ))}
        {others.length > 0 && (
          <div class="seat-zones">
            {others.map((zone) => (
              <ZoneView key={zone.id} zone={zone} />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

/** Backs, or the faces where they may be seen; at the end of a hand with what they count. */
export function OtherHand({ zone }: { zone: Zone }) {
  const cards = lying(zone);
  const faces = zone.cards.length;
  return (
    <div class={`other-hand${faces > 0 ? " open" : ""}`} data-place={zone.id}>
      <HeldValue zone={zone} />
      <div class="cards" style={{ "--n": String(zone.count) }}>
        {cards.map((card) => (
          <OwnCard key={card.key} card={card} zone={zone} />
        ))}
        <Backs count={zone.count - faces} most={MOST_BACKS} />
      </div>
    </div>
  );
}

/** What the cards left in a hand count, over them. */
export function HeldValue({ zone }: { zone: Zone }) {
  const { view } = useScene();
  const ended = view.pub.state !== TableState.PLAY;
  const item = view.pub.handScore.find(({ id }) => id === "held");
  const side = zone.seat === undefined ? undefined : view.info.seats[zone.seat]?.side;
  if (!ended || !item || side === undefined || zone.count === 0) return null;
  return <span class="held-value">{String(item.values[side] ?? 0n)}</span>;
}
