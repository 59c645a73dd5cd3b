/** The plate at a seat: who sits there, the points, the cards, the clock, and what is to be known of the seat. */
import { useEffect, useState } from "preact/hooks";
import { announce } from "../ui";
import { LOW_MS, VERY_LOW_MS, clockText, leftMs } from "./clock";
import { CHIPS, FOREHAND } from "./habits";
import { useScene } from "./scene";
import { say } from "./says";
import { tick } from "./sounds";
import { plateFacts } from "./speaker";

const TICK_MS = 200;

export function Plate({ seat }: { seat: number }) {
  const { view } = useScene();
  const { info, pub } = view;
  const who = info.seats[seat];
  if (!who) return null;
  const isMe = seat === view.seat;
  const acts = pub.toAct.includes(seat);
  const hand = view.zones.find((zone) => zone.kind === "hands" && zone.seat === seat);
  const score = Number(pub.scores[who.side] ?? 0n);
  const connected = pub.clocks?.seats[seat]?.connected ?? true;
  const isForehand = FOREHAND.has(info.game) && seat === (pub.dealer + 1) % info.seats.length;
  const classes = ["plate", acts && "acts", isMe && "me", !connected && "gone", `side-${who.side % 4}`];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-place={`seat.${seat}`} role="group" aria-label={who.nickname}>
      <div class="who">
        {acts && <TurnMark isMe={isMe} />}
        <span class="name">{who.nickname}</span>
        {who.computer && (
          <span class="mark" title={say("computer")}>
            <Robot />
            <span class="unseen">{say("computer")}</span>
          </span>
        )}
        {seat === pub.dealer && (
          <span class="mark dealer" title={say("dealer")}>
            <span aria-hidden="true">{say("dealer").charAt(0).toUpperCase()}</span>
            <span class="unseen">{say("dealer")}</span>
          </span>
        )}
        {isForehand && (
          <span class="mark forehand" title={say("forehand")}>
            <Flag />
            <span class="unseen">{say("forehand")}</span>
          </span>
        )}
      </div>
      <div class="numbers">
        <span class="points" title={say(CHIPS.has(info.game) ? "chips" : "points", { n: score })}>
          <b>{score}</b> <span class="unit">{CHIPS.has(info.game) ? "chip" : "pt"}</span>
        </span>
        {hand && (
          <span class="held" title={say("cards", { n: hand.count })}>
            <svg viewBox="0 0 12 16" width="9" height="12" aria-hidden="true">
              <rect x="1" y="1" width="10" height="14" rx="2" fill="none" stroke="currentColor" stroke-width="1.6" />
            </svg>
            <span aria-hidden="true">{hand.count}</span>
            <span class="unseen">{say("cards", { n: hand.count })}</span>
          </span>
        )}
        <Clock seat={seat} />
      </div>
      <Chips seat={seat} />
    </div>
  );
}

function TurnMark({ isMe }: { isMe: boolean }) {
  const { view } = useScene();
  const words = isMe
    ? say("my_turn")
    : say("turn_of", { names: view.pub.toAct.map((seat) => view.info.seats[seat]?.nickname).join(", ") });
  return (
    <span class={isMe ? "turn mine" : "turn"} title={words}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        {isMe ? (
          <>
            <circle cx="12" cy="12" r="11" />
            <path d="M8.5 9.2a3.6 3.6 0 1 1 5.2 3.3c-1.2.6-1.7 1.2-1.7 2.4M12 18v.6" class="stroke" />
          </>
        ) : (
          <path d="M3 8h10V3l9 9-9 9v-5H3Z" />
        )}
      </svg>
      <span class="unseen">{words}</span>
    </span>
  );
}

/** What the facts say of this seat: scope made, bets, calls. */
function Chips({ seat }: { seat: number }) {
  const { view } = useScene();
  const said = plateFacts(view, seat);
  if (said.length === 0) return null;
  return (
    <div class="seat-facts">
      {said.map(({ key, text }) => (
        <span key={key} class="fact">
          {text}
        </span>
      ))}
    </div>
  );
}

/** A clock that counts down; under twenty seconds it warns, under ten it warns more. */
function Clock({ seat }: { seat: number }) {
  const { view } = useScene();
  const clock = view.pub.clocks?.seats[seat];
  const [now, setNow] = useState(performance.now());
  const running = clock?.running ?? false;
  const left = clock ? leftMs(view, clock, now) : 0;
  const isMine = seat === view.seat;
  const level = !running || left > LOW_MS ? "" : left > VERY_LOW_MS ? "low" : "very-low";
  useEffect(() => {
    setNow(performance.now());
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running, view]);
  useEffect(() => {
    if (!isMine || !level) return;
    announce(say("time_low", { n: level === "low" ? LOW_MS / 1000 : VERY_LOW_MS / 1000 }));
    tick();
  }, [level, isMine]);
  if (!clock) return null;
  if (!clock.connected) {
    return (
      <span class="clock away">
        <Unplugged /> {clock.graceMs > 0n ? say("away_for", { left: clockText(Number(clock.graceMs)) }) : say("away")}
      </span>
    );
  }
  return (
    <span class={`clock ${level}`} role="timer" aria-label={say("clock", { left: clockText(left) })}>
      {level && (
        <svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
          <path d="M12 2 1 22h22L12 2Zm-1 7h2v7h-2Zm0 9h2v2h-2Z" fill="currentColor" />
        </svg>
      )}
      {clockText(left)}
      {clock.bonus && running && <span title={say("bonus")}>+</span>}
    </span>
  );
}

function Robot() {
  return (
    <svg viewBox="0 0 24 24" width="15" height="15" aria-hidden="true">
      <path
        d="M11 2h2v3h5a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h5Zm-2.5 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm7 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3ZM8 15.5v1.6h8v-1.6Z"
        fill="currentColor"
      />
    </svg>
  );
}

function Flag() {
  return (
    <svg viewBox="0 0 24 24" width="17" height="17" aria-hidden="true">
      <path d="M5 2v20" stroke="currentColor" stroke-width="2.4" />
      <path d="M6 3h14l-4 5 4 5H6Z" class="cloth" />
    </svg>
  );
}

function Unplugged() {
  return (
    <svg viewBox="0 0 24 24" width="13" height="13" aria-hidden="true">
      <path d="M4 4l16 16M8 3v5m8-5v5M6 9h12v3a6 6 0 0 1-6 6v4" fill="none" stroke="currentColor" stroke-width="2.2" />
    </svg>
  );
}
