/** Over the felt: what is played, to what, and the way out. */
import { useState } from "preact/hooks";
import { PackChooser } from "../cards/chooser";
import { client } from "../state/here";
import { lang } from "../texts/language";
import { Button, Dialog } from "../ui";
import { LookCard } from "./cards";
import { secondsText } from "./clock";
import { useScene } from "./scene";
import { say } from "./says";
import { Spread } from "./zone";
import { TableState } from "#protos/tavolo/table/v1/view_pb";
import { gameTitle } from "./titles";

export function Head({ onLeave, onPanel, panel }: { onLeave: () => void; onPanel: () => void; panel: boolean }) {
  const { view, play } = useScene();
  const [asks, setAsks] = useState(false);
  const { info, pub, seat } = view;
  const facts = [
    say("hand", { n: pub.hand }),
    pub.tieBreak ? say("tie_break", { n: pub.tieBreak }) : "",
    target(info.options),
  ];
  if (seat === undefined) facts.push(say("watching"));
  const playing = seat !== undefined && pub.state !== TableState.OVER;
  return (
    <header class="table-head">
      <div class="what">
        <h1>{gameTitle(info.game)}</h1>
        <p class="facts">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      {pub.clocks?.paused && <p class="paused">{say("paused")}</p>}
      {pub.clocks && pub.clocks.resumeWaitMs > 0n && (
        <p class="paused" role="status">
          {say("resume_wait", { left: secondsText(Number(pub.clocks.resumeWaitMs)) })}
        </p>
      )}
      <div class="head-buttons">
        <LastTrick />
        <LastLaid />
        <Packs />
        <Button compact aria-pressed={panel} title={say("panel")} onClick={onPanel}>
          <Icon path="M3 4h18v12H9l-6 5Z" />
          <span class="word">{say("chat")}</span>
        </Button>
        {playing && (
          <Button compact onClick={() => setAsks(true)}>
            {say("abandon")}
          </Button>
        )}
        <Button compact title={say("leave_hint")} onClick={onLeave}>
          {say("leave")}
        </Button>
      </div>
      {asks && (
        <Dialog title={say("abandon")} narrow onClose={() => setAsks(false)}>
          <p>{say("abandon_sure")}</p>
          <div class="answers">
            <Button
              kind="primary"
              onClick={() => {
                setAsks(false);
                void client.act(play.table, "abandon");
              }}
            >
              {say("abandon_yes")}
            </Button>
            <Button onClick={() => setAsks(false)}>{say("go_on")}</Button>
          </div>
        </Dialog>
      )}
    </header>
  );
}

/** On a phone it stands for the word, which is then only read out. */
function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  );
}

/** To how many points or hands the match goes. */
function target(options: string): string {
  const chosen = (options ? JSON.parse(options) : {}) as { match?: string; target?: number; hands?: number };
  if (chosen.match === "points" && chosen.target) return say("to_points", { n: chosen.target });
  if (chosen.match === "hands" && chosen.hands) return say("of_hands", { n: chosen.hands });
  return "";
}

/** With which cards the player sees this game: only the own picture, also while playing. */
function Packs() {
  const { view } = useScene();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button compact title={say("packs")} onClick={() => setOpen(true)}>
        <Icon path="M5 5l9-2 4 15-9 2.4ZM18 7l3 .8-3.2 13-4-.8" />
        <span class="word">{say("packs")}</span>
      </Button>
      {open && (
        <Dialog title={say("packs_title")} onClose={() => setOpen(false)}>
          <PackChooser game={view.info.game} lang={lang.value} />
        </Dialog>
      )}
    </>
  );
}

/** The trick before, to be looked at again. */
function LastTrick() {
  const { view } = useScene();
  const [open, setOpen] = useState(false);
  const last = view.facts["last_trick"] as { cards: string[] } | null | undefined;
  if (!last) return null;
  return (
    <>
      <Button compact title={say("last_trick")} onClick={() => setOpen(true)}>
        <Icon path="M4 12a8 8 0 1 1 2.6 5.9M4 12l-2.5-3M4 12l3.4-2.2" />
        <span class="word">{say("last_trick")}</span>
      </Button>
      {open && <Spread title={say("last_trick")} faces={last.cards} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The eye: what the opponent laid in the last turn. */
function LastLaid() {
  const { view } = useScene();
  const [open, setOpen] = useState(false);
  const last = view.facts["last_laid"] as { meld: number; cards: string[]; top: string[] }[] | undefined;
  if (!last || last.length === 0) return null;
  return (
    <>
      <Button compact aria-label={say("last_laid")} title={say("last_laid")} onClick={() => setOpen(true)}>
        <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
          <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Z" fill="none" stroke="currentColor" stroke-width="2" />
          <circle cx="12" cy="12" r="3.2" fill="currentColor" />
        </svg>
      </Button>
      {open && (
        <Dialog title={say("last_laid")} onClose={() => setOpen(false)}>
          {last.map(({ meld, cards, top }) => (
            <div key={meld} class="spread">
              <span class="caption">{say("meld_of", { n: meld + 1 })}</span>
              {[...cards, ...top].map((face, at) => (
                <LookCard key={at} face={face} />
              ))}
            </div>
          ))}
        </Dialog>
      )}
    </>
  );
}
