/** Between hands and after the match: every item of the hand's score, the match, and "Avanti". */
import { useEffect, useState } from "preact/hooks";
import { TableState } from "#protos/tavolo/table/v1/view_pb";
import { Settled } from "../lobby/settled";
import type { View } from "../state/table";
import { client } from "../state/here";
import { Button } from "../ui";
import { secondsText, waitMs } from "./clock";
import { useScene } from "./scene";
import { say } from "./says";
import { itemName, seatName, sideName } from "./speaker";

export function Ending({ onLeave }: { onLeave: () => void }) {
  const { view, play } = useScene();
  const { pub } = view;
  const [hidden, setHidden] = useState(false);
  const isOver = pub.state === TableState.OVER;
  const shown = isOver || pub.state === TableState.READY || pub.state === TableState.COVER;
  useEffect(() => setHidden(false), [pub.state, pub.hand]);
  if (!shown) return null;
  const ended = pub.handScore.length > 0;
  const title = isOver ? say("match_end") : ended ? say("hand_end") : say("ready_title");
  if (hidden) {
    return (
      <div class="ending folded">
        <Button compact onClick={() => setHidden(false)}>
          {say("show_score")}
        </Button>
        {!isOver && <Avanti />}
      </div>
    );
  }
  return (
    <section class="ending" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {ended && (
          <Button compact kind="quiet" onClick={() => setHidden(true)}>
            {say("look_table")}
          </Button>
        )}
      </header>
      {isOver && <p class="outcome">{outcomeWords(view)}</p>}
      {ended && <ScoreTable />}
      {isOver ? (
        <>
          <Settled table={play.table.id} />
          <Button kind="primary" onClick={onLeave}>
            {say("back")}
          </Button>
        </>
      ) : (
        <Avanti />
      )}
    </section>
  );
}

function ScoreTable() {
  const { view } = useScene();
  const { pub } = view;
  const sides = pub.scores.map((_, side) => side);
  const places = pub.outcome?.places ?? [];
  return (
    <div class="score-scroll" tabIndex={0} role="group" aria-label={say("hand_end")}>
      <table>
        <thead>
          <tr>
            <td />
            {sides.map((side) => (
              <th scope="col" key={side}>
                {sideName(view, side)}
                {places[side] ? <small>{say("place", { n: places[side] })}</small> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pub.handScore.map((item) => (
            <tr key={item.id} class={item.id === "total" ? "total" : ""}>
              <th scope="row">{itemName(item.id)}</th>
              {sides.map((side) => (
                <td key={side}>{signed(item.values[side])}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say("score")}</th>
            {pub.scores.map((score, side) => (
              <td key={side}>{signed(score)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function signed(value: bigint | undefined): string {
  return value === undefined ? "" : String(value).replace("-", "−");
}

/** Who won, and why. */
function outcomeWords(view: View): string {
  const { outcome, voidReason } = view.pub;
  if (!outcome || outcome.endedBy === "void") return say("void", { text: voidReason });
  const mine = view.seat === undefined ? undefined : view.info.seats[view.seat]?.side;
  let won = say("drawn");
  if (outcome.winner !== undefined) {
    if (outcome.winner === mine) won = say("won_you");
    else
      won = (mine === undefined ? "" : `${say("lost_you")} `) + say("won", { names: sideName(view, outcome.winner) });
  }
  const why = {
    abandon: outcome.offender === undefined ? "" : say("by_abandon", { name: seatName(view, outcome.offender) }),
    ko_rule: say("by_ko"),
    cappotto: say("by_cappotto"),
    resign: say("by_resign"),
  }[outcome.endedBy];
  return why ? `${won} ${why}` : won;
}

/** Ready for the next deal, and how long the table waits at most. */
function Avanti() {
  const { view, play } = useScene();
  const { pub, seat } = view;
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  if (pub.state === TableState.COVER) return <p>{say("cover_wait")}</p>;
  const isReady = seat === undefined || pub.ready.includes(seat);
  const left = secondsText(waitMs(view, pub.readyWaitMs, now));
  return (
    <div class="avanti">
      {isReady ? (
        <p>{say("avanti_wait")}</p>
      ) : (
        <Button kind="primary" data-avanti="" onClick={() => void client.ready(play.table)}>
          {say("avanti")}
        </Button>
      )}
      <span class="wait">{say("deal_in", { left })}</span>
      {pub.ready.length > 0 && (
        <span class="wait">
          {say("ready_who", { names: pub.ready.map((each) => seatName(view, each)).join(", ") })}
        </span>
      )}
    </div>
  );
}
