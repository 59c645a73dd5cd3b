/** What can be done besides pointing at cards: the question, buttons for moves, all moves as a list, and a line to type one. */
import { useEffect, useRef, useState } from "preact/hooks";
import { TableState } from "#protos/tavolo/table/v1/view_pb";
import { Button } from "../ui";
import { cardless, longer, type Amounts, type Offered } from "./choose";
import { ONE_CLICK, VERB_ORDER } from "./habits";
import { keepOrder } from "./order";
import { useScene } from "./scene";
import { say } from "./says";
import { seatName } from "./speaker";
import { moveWords, verbWord } from "./words_moves";

/** What is asked of the player, or who is to act. */
export function Question() {
  const { view, play, speaker } = useScene();
  const { pub, seat } = view;
  const asked = pub.prompts.filter((prompt) => seat !== undefined && prompt.seats.includes(seat));
  const pending = play.table.pending.value !== null;
  const mine = play.moves.value.length > 0;
  const refusal = play.table.refusal.value;
  const question = asked.map((prompt) => (speaker.language === "en" ? prompt.textEn : prompt.textIt)).join(" · ");
  const names = pub.toAct.map((each) => seatName(view, each)).join(", ");
  let text = "";
  if (pending) text = say("sending");
  else if (mine) text = question || say("my_turn");
  else if (pub.state === TableState.COVER) text = say("cover_wait");
  else if (pub.state === TableState.PLAY && names) text = say("turn_of", { names });
  return (
    <div class={`question${mine && !pending ? " mine" : ""}`}>
      <p aria-live="polite">
        {mine && !pending && <QuestionMark />}
        {text}
      </p>
      <p class="refusal" role="alert">
        {refusal ? say("refused", { text: refusal }) : play.note.value}
      </p>
    </div>
  );
}

function QuestionMark() {
  return (
    <span class="turn mine" aria-hidden="true">
      <svg viewBox="0 0 24 24" width="22" height="22">
        <circle cx="12" cy="12" r="11" />
        <path d="M8.5 9.2a3.6 3.6 0 1 1 5.2 3.3c-1.2.6-1.7 1.2-1.7 2.4M12 18v.6" class="stroke" />
      </svg>
    </span>
  );
}

/** So many moves of the chosen cards have a button; more are in the list. */
const MOST_BUTTONS = 8;
/** So many melds that could be laid have a button. */
const MOST_LAYABLE = 3;

export function Actions() {
  const { view, play } = useScene();
  const moves = play.moves.value;
  const { complete } = play.meaning.value;
  const chosen = play.hand.value.length + play.takes.value.length > 0;
  const { amounts, single } = cardless(moves);
  const sorted = single.filter((move) => !TAKES_NEWEST.test(move.text)).sort((a, b) => place(a) - place(b));
  return (
    <div class="actions">
      {chosen && (
        <>
          {complete.slice(0, MOST_BUTTONS).map((move) => (
            <MoveButton key={move.text} move={move} primary />
          ))}
          <LongerButton />
          <Button compact kind="quiet" onClick={() => play.clear()}>
            {say("undo_choice")}
          </Button>
        </>
      )}
      {!chosen && <LayableButtons />}
      {!chosen && sorted.map((move) => <MoveButton key={move.text} move={move} primary={single.length === 1} />)}
      {!chosen && amounts.map((group) => <AmountChooser key={`${group.verb}-${view.own?.turn}`} group={group} />)}
    </div>
  );
}

/** `draw discard 3`: done by a click on the card in the row; also in the list of all moves. */
const TAKES_NEWEST = /^draw discard \d+$/;

function place(move: Offered): number {
  const at = VERB_ORDER.indexOf(move.verb);
  return at < 0 ? VERB_ORDER.length : at;
}

function MoveButton({ move, primary = false }: { move: Offered; primary?: boolean }) {
  const { view, play, speaker } = useScene();
  const colour = move.cards[0]?.startsWith("W") ? move.text.split(" ")[2] : undefined;
  return (
    <Button
      compact
      kind={primary ? "primary" : "plain"}
      class={`move${colour ? ` colour-${colour}` : ""}`}
      data-move={move.text}
      onClick={() => play.make(move)}
    >
      {moveWords(view.info.game, move, speaker)}
    </Button>
  );
}

/** Lays the chosen cards as one meld, where the list has only shorter ones. */
function LongerButton() {
  const { play } = useScene();
  const { complete } = play.meaning.value;
  const text = complete.length === 0 ? longer(play.moves.value, play.choice.value) : undefined;
  if (!text) return null;
  return (
    <Button compact kind="primary" class="move" onClick={() => play.send(text)}>
      {say("cala")}
    </Button>
  );
}

/** "Cala" for the melds of the hand, the longest first; it lights up while laying is allowed. */
function LayableButtons() {
  const { view, play, speaker } = useScene();
  const layable = view.ownFacts["layable"];
  if (!Array.isArray(layable)) return null;
  const lays = play.moves.value.some(({ verb }) => verb === "meld");
  const opening = view.ownFacts["opening"] as { ready: number; needed: number } | null;
  const found = (layable as { move: string; value: number }[]).slice(0, MOST_LAYABLE);
  return (
    <>
      {opening && <span class="opening">{say("opening", opening)}</span>}
      {found.length === 0 && (
        <Button compact aria-disabled>
          {say("cala")}
        </Button>
      )}
      {found.map(({ move, value }) => {
        const faces = move.split(" ").slice(1).map(speaker.card).join(", ");
        return (
          <Button
            key={move}
            compact
            kind={lays ? "primary" : "plain"}
            class="move cala"
            data-move={move}
            aria-disabled={!lays}
            aria-label={`${say("cala_value", { n: value })}: ${faces}`}
            title={faces}
            onClick={() => play.send(move)}
          >
            {say("cala")} <small>{shortFaces(move)}</small>
          </Button>
        );
      })}
    </>
  );
}

/** The cards of a meld as short as on their corners. */
function shortFaces(move: string): string {
  const signs: Record<string, string> = { h: "♥", d: "♦", c: "♣", s: "♠" };
  return move
    .split(" ")
    .slice(1)
    .map((face) =>
      face
        .replace(/=.*/, "")
        .replace(/^T(?=.)/, "10")
        .replace(/[hdcs]$/, (suit) => signs[suit] ?? suit),
    )
    .join(" ");
}

/** A raise or a bet: a slider and a number over the offered amounts. */
function AmountChooser({ group }: { group: Amounts<Offered> }) {
  const { view, play, speaker } = useScene();
  const [at, setAt] = useState(0);
  const { amounts } = group;
  const chosen = amounts[Math.min(at, amounts.length - 1)];
  if (!chosen) return null;
  const verb = verbWord(view.info.game, group.verb, speaker);
  return (
    <div class="amount-chooser" role="group" aria-label={verb}>
      <input
        type="range"
        min={0}
        max={amounts.length - 1}
        value={at}
        aria-label={`${verb}: ${say("amount")}`}
        aria-valuetext={String(chosen.amount)}
        onInput={(event) => setAt(Number(event.currentTarget.value))}
      />
      <input
        type="number"
        min={amounts[0]?.amount}
        max={amounts.at(-1)?.amount}
        value={chosen.amount}
        aria-label={`${verb}: ${say("amount")}`}
        onChange={(event) => setAt(nearest(amounts, Number(event.currentTarget.value)))}
      />
      <Button compact kind="primary" class="move" data-move={chosen.move.text} onClick={() => play.make(chosen.move)}>
        {verb} {chosen.amount}
      </Button>
    </div>
  );
}

function nearest(amounts: readonly { amount: number }[], wanted: number): number {
  let best = 0;
  amounts.forEach(({ amount }, at) => {
    if (Math.abs(amount - wanted) < Math.abs((amounts[best]?.amount ?? 0) - wanted)) best = at;
  });
  return best;
}

/** Tools of the hand: put it in order, and what one click does. */
export function HandTools() {
  const { play, view } = useScene();
  const cards = view.zones.find((zone) => zone.kind === "hands" && zone.seat === view.seat);
  if (!cards || cards.layout !== "fan") return null;
  return (
    <div class="hand-tools">
      <Button compact kind="quiet" title={say("sort_hint")} onClick={() => keepOrder(play.table.id, [])}>
        {say("sort")}
      </Button>
      {ONE_CLICK.has(view.info.game) && (
        <label class="tick" title={say("one_click_hint")}>
          <input
            type="checkbox"
            checked={play.oneClick.value}
            onChange={(event) => play.setOneClick(event.currentTarget.checked)}
          />
          {say("one_click")}
        </label>
      )}
    </div>
  );
}

/** So many moves are listed at once: the others are found by typing. */
const MOST_LISTED = 60;

/** All offered moves, and a line to type one: a whole match can be played from here. */
export function MoveList() {
  const { view, play, speaker } = useScene();
  const [typed, setTyped] = useState("");
  const line = useRef<HTMLInputElement>(null);
  const moves = play.moves.value;
  const wanted = typed.trim().toLowerCase();
  const words = (move: Offered) => moveWords(view.info.game, move, speaker);
  const shown = moves.filter(
    (move) => !wanted || move.text.toLowerCase().includes(wanted) || words(move).toLowerCase().includes(wanted),
  );
  useEffect(() => setTyped(""), [view.own?.turn]);
  if (view.seat === undefined) return null;
  return (
    <details class="move-list">
      <summary>{say("moves", { n: moves.length })}</summary>
      <div class="pop">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) play.send(typed.trim());
          }}
        >
          <label>
            {say("typed")}{" "}
            <input
              ref={line}
              name="move"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <Button compact type="submit">
            {say("send")}
          </Button>
        </form>
        <ol>
          {shown.slice(0, MOST_LISTED).map((move) => (
            <li key={move.text}>
              <button type="button" data-offered={move.text} onClick={() => play.make(move)}>
                <span>{words(move)}</span> <code>{move.text}</code>
              </button>
            </li>
          ))}
        </ol>
        {shown.length > MOST_LISTED && <p>{say("more_moves", { n: shown.length - MOST_LISTED })}</p>}
      </div>
    </details>
  );
}
