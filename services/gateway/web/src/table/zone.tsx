/** Places of cards, each drawn by its layout. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../ui";
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import { Backs, CountBadge, LookCard, TableCard } from "./cards";
import type { Offered } from "./choose";
import type { Lingering } from "./happening";
import { lying, type Lying } from "./keys";
import { OwnCard } from "./own_card";
import { useScene } from "./scene";
import { say } from "./says";
import { seatName, zoneName } from "./speaker";
import { moveWords } from "./words_moves";

export function ZoneView({ zone, lingers = null }: { zone: Zone; lingers?: Lingering | null }) {
  switch (zone.layout) {
    case "pile":
    case "stack":
      return <Pile zone={zone} />;
    case "columns":
      return <Column zone={zone} />;
    case "melds":
      return <Meld zone={zone} />;
    default:
      return <Row zone={zone} lingers={lingers} />;
  }
}

/** The frame of a zone: its caption, and the button that it is while the chosen cards may go there or it may be drawn from. */
export function Place({
  zone,
  caption,
  children,
  kind,
}: {
  zone: Zone;
  caption?: string;
  children: ComponentChildren;
  kind: string;
}) {
  const { play, view, speaker } = useScene();
  const here = play.hereMoves(zone.id);
  const dragged = play.landing.value;
  const isTarget = here.length > 0;
  const lands = dragged?.targets.has(zone.id) ?? false;
  const classes = ["zone", kind, `kind-${zone.kind}`, isTarget && "target", lands && "landing-zone"]
    .filter(Boolean)
    .join(" ");
  const move = here.length === 1 ? here[0] : undefined;
  return (
    <div class={classes} data-zone={zone.id} data-place={zone.id} onClick={() => play.clickZone(zone)}>
      <div class="cards">{children}</div>
      {caption && <span class="caption">{caption}</span>}
      {move && <Ghost move={move} />}
      {move && (
        <button
          type="button"
          class="target-button"
          aria-label={moveWords(view.info.game, move, speaker)}
          title={moveWords(view.info.game, move, speaker)}
          onClick={(event) => {
            event.stopPropagation();
            play.make(move);
          }}
        />
      )}
    </div>
  );
}

/** A card that takes nothing lies half-transparent where it would go: a click plays it. */
function Ghost({ move }: { move: Offered }) {
  const face = move.cards[0];
  if (face === undefined || move.takes.length > 0 || move.cards.length > 1) return null;
  return <LookCard face={face} ghost />;
}

function Row({ zone, lingers }: { zone: Zone; lingers: Lingering | null }) {
  const { play } = useScene();
  const cards = lying(zone, lingers?.faces);
  const hidden = zone.count - zone.cards.length;
  const taken = lingers?.taken;
  const kind = zone.layout === "fan" ? "fan" : "line";
  return (
    <Place zone={zone} caption={zoneName(zone.kind)} kind={kind}>
      {zone.hidden ? (
        <Backs count={zone.count} />
      ) : (
        <>
          {cards.map((card, at) => {
            const newest = play.takesNewest(zone.id, cards.length - at);
            return newest ? (
              <Newest key={card.key} card={card.face} move={newest} count={cards.length - at} />
            ) : (
              ownOrTable(zone, card, taken?.includes(card.face))
            );
          })}
          <Backs count={hidden} />
        </>
      )}
      {cards.length + hidden <= 0 && <span class="hollow" role="img" aria-label={say("empty")} />}
    </Place>
  );
}

/** A card of a row that is taken with all that are newer. */
function Newest({ card, move, count }: { card: string; move: Offered; count: number }) {
  const { play, speaker } = useScene();
  return (
    <button
      type="button"
      class="newest"
      aria-label={`${say("take_newest", { n: count })}: ${speaker.card(card)}`}
      title={say("take_newest", { n: count })}
      onClick={(event) => {
        event.stopPropagation();
        play.make(move);
      }}
    >
      <LookCard face={card} />
    </button>
  );
}

/** Zones from which their seat plays. */
const PLAYED_FROM: ReadonlySet<string> = new Set(["hands", "waste", "columns", "bases"]);

function ownOrTable(zone: Zone, card: Lying, taken = false) {
  if (PLAYED_FROM.has(zone.kind)) return <OwnCard key={card.key} card={card} zone={zone} />;
  return <TableCard key={card.key} card={card} zone={zone} taken={taken} />;
}

/** Cards on top of each other: the top one, how many there are, and a look at all that the viewer may see. */
function Pile({ zone }: { zone: Zone }) {
  const { view } = useScene();
  const [open, setOpen] = useState(false);
  const cards = lying(zone);
  const top = cards.at(-1);
  const deep = Math.min(3, Math.max(0, zone.count - 1));
  return (
    <Place zone={zone} caption={zoneName(zone.kind)} kind={zone.layout}>
      <span class={`heap deep-${deep}`}>
        {zone.count === 0 ? (
          <span class="hollow" role="img" aria-label={say("empty")} />
        ) : top && !zone.hidden ? (
          ownTop(view.seat, zone, top)
        ) : (
          <Backs count={1} />
        )}
      </span>
      {zone.count > 0 && <CountBadge count={zone.count} />}
      {zone.cards.length > 1 && (
        <button
          type="button"
          class="look"
          aria-label={say("look_at", { zone: zoneName(zone.kind) })}
          title={say("look_at", { zone: zoneName(zone.kind) })}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(true);
          }}
        >
          <Eye />
        </button>
      )}
      {open && <Spread title={zoneName(zone.kind)} faces={zone.cards} onClose={() => setOpen(false)} />}
    </Place>
  );
}

function ownTop(seat: number | undefined, zone: Zone, top: Lying) {
  return zone.seat !== undefined && zone.seat === seat && zone.kind === "bases" ? (
    <OwnCard card={top} zone={zone} />
  ) : (
    <TableCard card={top} zone={zone} />
  );
}

export function Eye() {
  return (
    <svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
      <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Z" fill="none" stroke="currentColor" stroke-width="2" />
      <circle cx="12" cy="12" r="3.2" fill="currentColor" />
    </svg>
  );
}

/** Cards laid out side by side, to be looked at. */
export function Spread({ title, faces, onClose }: { title: string; faces: readonly string[]; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="spread" onClick={(event) => event.stopPropagation()}>
        {faces.map((face, at) => (
          <LookCard key={at} face={face} />
        ))}
      </div>
    </Dialog>
  );
}

function Column({ zone }: { zone: Zone }) {
  const cards = lying(zone);
  const number = zone.id.split(".").at(-1);
  return (
    <Place zone={zone} kind="column">
      <Backs count={zone.count - zone.cards.length} />
      {cards.map((card) => (
        <OwnCard key={card.key} card={card} zone={zone} />
      ))}
      {zone.count === 0 && (
        <span class="hollow" role="img" aria-label={`${zoneName(zone.kind)} ${number}: ${say("empty")}`} />
      )}
    </Place>
  );
}

/** A meld, with the green arrows at the ends where a card of the hand can be added. */
function Meld({ zone }: { zone: Zone }) {
  const { play, view } = useScene();
  const [open, setOpen] = useState(false);
  const number = Number(zone.id.split(".").at(-1));
  const adds = play.meaning.value.possible.filter(({ verb, target }) => verb === "add" && target === zone.id);
  const low = adds.filter(({ text }) => text.endsWith(" low"));
  const high = adds.filter(({ text }) => !text.endsWith(" low"));
  const whose = zone.seat === undefined ? "" : seatName(view, zone.seat);
  return (
    <Place zone={zone} kind="meld">
      <Arrow adds={low} side="low" />
      <span class="meld-cards" role="group" aria-label={`${say("meld_of", { n: number + 1 })} ${whose}`}>
        {lying(zone).map((card) => (
          <TableCard key={card.key} card={card} zone={zone} />
        ))}
      </span>
      <Arrow adds={high} side="high" />
      {zone.count > 6 && <CountBadge count={zone.count} />}
      {zone.count > 5 && (
        <button
          type="button"
          class="look"
          aria-label={say("look_at", { zone: say("meld_of", { n: number + 1 }) })}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(true);
          }}
        >
          <Eye />
        </button>
      )}
      {open && <Spread title={say("meld_of", { n: number + 1 })} faces={zone.cards} onClose={() => setOpen(false)} />}
    </Place>
  );
}

function Arrow({ adds, side }: { adds: readonly Offered[]; side: "low" | "high" }) {
  const { play, view, speaker } = useScene();
  const only = adds.length === 1 ? adds[0] : undefined;
  if (adds.length === 0) return null;
  const words = adds.map((move) => moveWords(view.info.game, move, speaker)).join("; ");
  return (
    <button
      type="button"
      class={`arrow ${side}`}
      aria-label={words}
      title={words}
      aria-disabled={!only}
      onClick={(event) => {
        event.stopPropagation();
        if (only) play.make(only);
      }}
    >
      <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
        <path d="M14 5v5H4v4h10v5l7-7Z" />
      </svg>
    </button>
  );
}
