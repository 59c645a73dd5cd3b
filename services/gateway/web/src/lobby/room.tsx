/** The room: the tables, the games, the chat. */
import { useState } from "preact/hooks";
import { RoomState, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { hrefOf } from "../route";
import { client } from "../state/here";
import { t } from "../texts";
import { Button, useTitle } from "../ui";
import { useAgain } from "./again";
import { Board } from "./board";
import { Chat } from "./chat";
import { Emblem } from "./emblem";
import { gameName, lookGames } from "./games";
import { NewTable } from "./new_table";
import { mine } from "./seats";
import { Tables } from "./tables";
import "./room.css";

const LOOK_MS = 30_000;
const wide = matchMedia("(min-width: 64rem)");

export function Room() {
  // Which game the dialog for a new table begins with; undefined: it is closed.
  const [opening, setOpening] = useState<string>();
  const [chatOpen] = useState(wide.matches);
  useTitle(t("room"));
  useAgain(lookGames, LOOK_MS);
  return (
    <div class="room">
      <div class="greeting">
        <h1>{t(greeting(new Date()), { name: client.identity.value?.nickname ?? "" })}</h1>
        <p class="soft">{t("welcome_text")}</p>
      </div>
      {(mine.value ?? client.seats.value).map((at) =>
        typeof at === "string" ? <ComeBack key={at} id={at} /> : <ComeBack key={at.id} id={at.id} table={at} />,
      )}
      <nav class="jumps" aria-label={t("room")}>
        <Jump to="tables" text={t("tables")} />
        <Jump to="games" text={t("games")} />
        <Jump to="room-chat" text={t("chat")} />
      </nav>
      <div class="room-side">
        <Tables onOpen={() => setOpening("")} />
        <details class="room-chat panel" id="room-chat" open={chatOpen}>
          <summary>{t("chat_room")}</summary>
          <Chat room="lobby" />
        </details>
      </div>
      <Board onOpen={setOpening} />
      {opening !== undefined && <NewTable first={opening} onClose={() => setOpening(undefined)} />}
    </div>
  );
}

/** Where the page is one long column: a way to its parts. (The address is the router's; this is no link.) */
function Jump({ to, text }: { to: string; text: string }) {
  function jump() {
    const part = document.getElementById(to);
    if (part instanceof HTMLDetailsElement) part.open = true;
    part?.scrollIntoView();
    (part?.querySelector("summary") ?? part)?.focus({ preventScroll: true });
  }
  return (
    <Button compact onClick={jump}>
      {text}
    </Button>
  );
}

function greeting(now: Date): "morning" | "afternoon" | "evening" {
  const hour = now.getHours();
  if (hour >= 5 && hour < 13) return "morning";
  return hour >= 13 && hour < 18 ? "afternoon" : "evening";
}

/** "Continue" is the first button of whoever has a seat somewhere; `table` once the lobby has told of it. */
function ComeBack({ id, table }: { id: string; table?: Table }) {
  return (
    <section class="come-back felt" aria-label={t("resume_title")}>
      {table && (
        <span class="table-emblem">
          <Emblem game={table.game} />
        </span>
      )}
      <div>
        <h2>{t("resume_title")}</h2>
        <p>{table && t(howItStands(table), { game: gameName(table.game) })}</p>
      </div>
      <a class="button primary" href={hrefOf({ page: "table", id, watch: false })}>
        {t("resume")}
      </a>
    </section>
  );
}

function howItStands({ state }: Table): "resume_open" | "resume_starting" | "resume_playing" {
  if (state === RoomState.OPEN) return "resume_open";
  return state === RoomState.STARTING ? "resume_starting" : "resume_playing";
}
