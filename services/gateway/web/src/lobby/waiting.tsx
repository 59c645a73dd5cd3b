/** A table that waits for its players. */
import { useEffect, useRef, useState } from "preact/hooks";
import { LobbyService, RoomState, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { go, hrefOf } from "../route";
import { client } from "../state/here";
import { t } from "../texts";
import { wordsOf } from "../texts/errors";
import { announce, Button, toast } from "../ui";
import { Chair, Computer, Person } from "../ui/icons";
import { Chat } from "./chat";
import { Emblem } from "./emblem";
import { gameName, gameOf } from "./games";
import { sitDown } from "./open";
import { rulesOf } from "./options";
import { freeSeats, isMe, lookMine, seatAt } from "./seats";
import { Terms } from "./table_card";
import "./waiting.css";

export function Waiting({ table, onChange }: { table: Table; onChange: () => void }) {
  const sits = seatAt(table) >= 0;
  const free = freeSeats(table);
  const isOpen = table.state === RoomState.OPEN;
  useComings(table);
  return (
    <div class="waiting">
      <div class="waiting-main">
        <section class="waiting-table felt" aria-labelledby="waiting-title">
          <span class="waiting-emblem">
            <Emblem game={table.game} />
          </span>
          <h1 id="waiting-title">{t("waiting_title", { game: gameName(table.game) })}</h1>
          <p role="status">{isOpen ? t("waiting_for", { n: free }) : t("waiting_starting")}</p>
          <ol class="waiting-seats" aria-label={t("waiting_seats")}>
            {table.seats.map((_, at) => (
              <Place key={at} table={table} at={at} maySit={isOpen && !sits} onChange={onChange} />
            ))}
          </ol>
          {isOpen && !sits && <p>{t("waiting_visitor")}</p>}
          {isOpen && sits && <Doings table={table} onChange={onChange} />}
        </section>
        <Invitation table={table} />
        <section class="panel" aria-labelledby="waiting-chat">
          <h2 id="waiting-chat">{t("chat_table")}</h2>
          <Chat room={table.id} />
        </section>
      </div>
      <div class="waiting-side">
        <section class="panel" aria-labelledby="waiting-rules">
          <h2 id="waiting-rules">{t("waiting_rules")}</h2>
          <p class="table-terms small">
            <Terms table={table} />
          </p>
          <Rules table={table} />
        </section>
      </div>
    </div>
  );
}

/** Tells who came and who left. */
function useComings(table: Table): void {
  const before = useRef(table);
  useEffect(() => {
    const was = before.current;
    before.current = table;
    if (was.id !== table.id) return;
    const names = (of: Table) => of.seats.filter((seat) => seat.account && !isMe(seat.account)).map((s) => s.nickname);
    const [old, now] = [names(was), names(table)];
    const news = [
      ...now.filter((name) => !old.includes(name)).map((name) => t("waiting_sat", { name })),
      ...old.filter((name) => !now.includes(name)).map((name) => t("waiting_left", { name })),
    ];
    if (news.length > 0) announce(news.join(" "));
  }, [table]);
}

interface PlaceProps {
  table: Table;
  at: number;
  maySit: boolean;
  onChange: () => void;
}

function Place({ table, at, maySit, onChange }: PlaceProps) {
  const seat = table.seats[at];
  if (!seat?.account) {
    return (
      <li class="place free">
        <Chair />
        <span>{t("seat_free")}</span>
        {maySit && (
          <Button
            kind="primary"
            compact
            aria-label={t("sit_here_at", { n: at + 1 })}
            onClick={() => void sitDown(table.id, at).then(onChange)}
          >
            {t("sit_here")}
          </Button>
        )}
      </li>
    );
  }
  return (
    <li class="place">
      {seat.computer ? <Computer /> : <Person />}
      <b>{seat.nickname}</b>
      {isMe(seat.account) && <span>({t("you")})</span>}
    </li>
  );
}

/** What somebody who sits here can do while others are missing. */
function Doings({ table, onChange }: { table: Table; onChange: () => void }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");

  async function doing(step: () => Promise<void>) {
    setBusy(true);
    setFault("");
    try {
      await step();
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      setBusy(false);
    }
  }

  const addComputer = async () => {
    await client.rpc(LobbyService.method.addComputer, { table: table.id });
    onChange();
  };
  const leave = async () => {
    await client.rpc(LobbyService.method.leaveTable, { table: table.id });
    await lookMine();
    go({ page: "room" });
    toast(t("waiting_left_self"));
  };

  return (
    <div class="stack">
      <div class="row">
        <Button kind="primary" busy={busy} onClick={() => void doing(addComputer)}>
          <Computer />
          {t("waiting_add")}
        </Button>
        <Button busy={busy} onClick={() => void doing(leave)}>
          {t("waiting_leave")}
        </Button>
      </div>
      <p role="alert">{fault}</p>
    </div>
  );
}

function Invitation({ table }: { table: Table }) {
  const link = `${location.origin}/${hrefOf({ page: "table", id: table.id, watch: false })}`;
  const input = useRef<HTMLInputElement>(null);

  async function copy() {
    input.current?.select();
    await navigator.clipboard.writeText(link);
    toast(t("waiting_copied"));
  }

  return (
    <section class="panel stack">
      <h2 id="waiting-share">{t("waiting_share")}</h2>
      <div class="chat-say">
        <input ref={input} class="entry" readOnly value={link} aria-labelledby="waiting-share" />
        <Button onClick={() => void copy()}>{t("waiting_copy")}</Button>
      </div>
      <p class="soft small">{t("waiting_id", { id: table.id })}</p>
    </section>
  );
}

function Rules({ table }: { table: Table }) {
  const game = gameOf(table.game);
  if (!game) return null;
  return (
    <dl class="rules small">
      {rulesOf(game, table.options).map(({ name, text, value }) => (
        <div key={name}>
          <dt class="soft">{text}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
