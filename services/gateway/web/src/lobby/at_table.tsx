/** What the address of a table leads to: the place where one waits for players, or the table itself. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import { LobbyService, RoomState, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { hrefOf } from "../route";
import { client } from "../state/here";
import { TablePage } from "../table/page";
import { t } from "../texts";
import { isRefusal } from "../texts/errors";
import { useTitle } from "../ui";
import { useAgain } from "./again";
import { gameName, lookGames } from "./games";
import { seatAt } from "./seats";
import { Settled } from "./settled";
import { Waiting } from "./waiting";

const LOOK_MS = 3_000;
/** While the match is being started. */
const SOON_MS = 800;

/** A match that was seen running stays on the page when it is over: its result is there. */
export function AtTable({ id, watch }: { id: string; watch: boolean }) {
  const [table, setTable] = useState<Table | "unknown" | null>(null);
  const [looks, setLooks] = useState(0);
  const plays = isTable(table) && table.state === RoomState.PLAYING;
  const [entered, setEntered] = useState(watch);
  if (plays && !entered) setEntered(true);

  useAgain(
    async (current) => {
      await lookGames();
      if (entered) return;
      const found = await look(id);
      if (current()) setTable(found);
    },
    isTable(table) && table.state === RoomState.STARTING ? SOON_MS : LOOK_MS,
    [looks, entered, isTable(table) && table.state],
  );

  useTitle(isTable(table) ? gameName(table.game) : "");

  if (entered) return <TablePage id={id} watch={watch || (plays && seatAt(table) < 0)} />;
  if (table === null) return <p class="notice-page soft">{t("loading")}</p>;
  if (table === "unknown") return <NoTable title={t("table_unknown")} text={t("table_unknown_text")} />;
  if (table.state !== RoomState.CLOSED) return <Waiting table={table} onChange={() => setLooks(looks + 1)} />;
  return (
    <NoTable title={t("table_gone")} text={t("table_gone_text")}>
      {client.settled.value.has(id) && <Settled table={id} />}
    </NoTable>
  );
}

function isTable(found: Table | "unknown" | null): found is Table {
  return found !== null && found !== "unknown";
}

async function look(id: string): Promise<Table | "unknown" | null> {
  try {
    return (await client.rpc(LobbyService.method.getTable, { table: id })).table ?? null;
  } catch (error) {
    if (isRefusal(error, ErrorReason.NOT_FOUND) || isRefusal(error, ErrorReason.INVALID_FIELD)) return "unknown";
    throw error;
  }
}

interface NoTableProps {
  title: string;
  text: string;
  children?: ComponentChildren;
}

function NoTable({ title, text, children }: NoTableProps) {
  return (
    <section class="notice-page panel">
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
      <a class="button primary" href={hrefOf({ page: "room" })}>
        {t("to_room")}
      </a>
    </section>
  );
}
