/** The player's hand: fanned, and arranged as the player likes, also while others play. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Zone } from "#protos/tavolo/table/v1/view_pb";
import { without } from "./choose";
import { LEAST_TWO_ROWS } from "./habits";
import { lying, type Lying } from "./keys";
import { arranged, keepOrder, moved, orderOf } from "./order";
import { OwnCard } from "./own_card";
import { useScene } from "./scene";
import { say } from "./says";
import { announce } from "../ui";

export function Hand({ zone }: { zone: Zone }) {
  const { play, view, speaker } = useScene();
  const table = play.table.id;
  const order = orderOf(table);
  const cards = arranged(lying(zone), order.value);
  const keys = cards.map(({ key }) => key);
  const [focused, setFocused] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const isFocused = useRef(false);
  const bars = barred(cards, view.ownFacts["layable"]);
  const middle = (cards.length - 1) / 2;

  // The card with the focus was played: its neighbour has it now.
  useLayoutEffect(() => {
    if (isFocused.current && document.activeElement === document.body) focus(focused);
  }, [keys.join()]);

  function place(key: string, to: number) {
    keepOrder(table, moved(keys, key, to));
    announce(`${speaker.card(key.split("/")[1] ?? "")}: ${to + 1} / ${keys.length}`);
  }

  function focus(at: number) {
    const to = Math.max(0, Math.min(at, cards.length - 1));
    setFocused(to);
    list.current?.querySelectorAll<HTMLElement>("[data-own]")[to]?.focus();
  }

  return (
    <div
      ref={list}
      class={`hand${cards.length >= LEAST_TWO_ROWS ? " many" : ""}`}
      role="group"
      aria-label={`${say("your_hand")}. ${say("hand_help")}`}
      data-zone={zone.id}
      data-place={zone.id}
      style={{ "--n": String(cards.length) }}
      onFocusIn={() => (isFocused.current = true)}
      onFocusOut={(event) => {
        if (event.relatedTarget !== null) isFocused.current = false;
      }}
      onKeyDown={(event) => {
        if (event.shiftKey || event.altKey || event.ctrlKey) return;
        const step = { ArrowLeft: -1, ArrowRight: 1, Home: -cards.length, End: cards.length }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        focus(focused + step);
      }}
    >
      {cards.map((card, at) => (
        <div class="slot" key={card.key} style={{ "--off": String(at - middle) }}>
          <OwnCard
            card={card}
            zone={zone}
            tabIndex={at === Math.min(focused, cards.length - 1) ? 0 : -1}
            onFocus={() => setFocused(at)}
            bar={bars.get(card.key)}
            onMove={(to) => {
              if (to === "left" || to === "right") {
                place(card.key, at + (to === "left" ? -1 : 1));
                setFocused(Math.max(0, Math.min(at + (to === "left" ? -1 : 1), cards.length - 1)));
                return;
              }
              const target = keys.filter((key) => key !== card.key).indexOf(to.key);
              if (target >= 0) place(card.key, target + (to.after ? 1 : 0));
            }}
          />
        </div>
      ))}
    </div>
  );
}

/** Which cards would be part of which meld: the melds in the order in which the seat's facts name them, each card in one. */
function barred(cards: readonly Lying[], layable: unknown): Map<string, number> {
  const bars = new Map<string, number>();
  let left = [...cards];
  let number = 0;
  for (const { move } of Array.isArray(layable) ? (layable as { move: string }[]) : []) {
    const faces = move
      .split(" ")
      .slice(1)
      .map((face) => face.replace(/=.*/, ""));
    if (
      !without(
        left.map(({ face }) => face),
        faces,
      )
    )
      continue;
    number += 1;
    for (const face of faces) {
      const card = left.find((each) => each.face === face);
      if (!card) continue;
      bars.set(card.key, number);
      left = left.filter((each) => each !== card);
    }
  }
  return bars;
}
