/** The tables of the room: by game and state, always as they are now. */
import { useState } from "preact/hooks";
import { LobbyService, RoomState, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { client } from "../state/here";
import { t } from "../texts";
import { Button, Field, Segments } from "../ui";
import { useAgain } from "./again";
import { byName, gameName } from "./games";
import { TableCard } from "./table_card";

type Wanted = "any" | "open" | "playing";

const STATES: Record<Wanted, RoomState> = {
  any: RoomState.UNSPECIFIED,
  open: RoomState.OPEN,
  playing: RoomState.PLAYING,
};
const LOOK_MS = 4_000;
/** So many at first, and with each click more: on a phone the games have to be near. */
const STEP = matchMedia("(min-width: 64rem)").matches ? 8 : 4;
const PAGE = 200;

export function Tables({ onOpen }: { onOpen: () => void }) {
  const [game, setGame] = useState("");
  const [wanted, setWanted] = useState<Wanted>("any");
  const [shown, setShown] = useState(STEP);
  const [list, setList] = useState<{ tables: Table[]; more: boolean } | null>(null);

  useAgain(
    async (current) => {
      const found = await listTables(game, STATES[wanted], shown);
      if (current()) setList(found);
    },
    LOOK_MS,
    [game, wanted, shown],
  );

  return (
    <section class="tables" id="tables" tabIndex={-1} aria-labelledby="tables-title">
      <div class="head">
        <h2 id="tables-title">{t("tables")}</h2>
        <Button kind="primary" compact onClick={onOpen}>
          {t("open_table")}
        </Button>
      </div>
      <div class="filters">
        <Segments
          legend={t("tables_state")}
          bare
          value={wanted}
          options={[
            ["any", t("state_any")],
            ["open", t("state_open")],
            ["playing", t("state_playing")],
          ]}
          onChoose={setWanted}
        />
        <Field label={<span class="unseen">{t("tables_game")}</span>}>
          {(tied) => (
            <select {...tied} value={game} onChange={(event) => setGame(event.currentTarget.value)}>
              <option value="">{t("tables_all_games")}</option>
              {byName().map((each) => (
                <option key={each.id} value={each.id}>
                  {gameName(each.id)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p class="unseen" role="status">
        {list && t("tables_count", { n: list.tables.length })}
      </p>
      {list?.tables.length === 0 && (
        <p class="panel soft">{t(wanted === "playing" ? "tables_none_playing" : "tables_none")}</p>
      )}
      {!list && <p class="panel soft">{t("loading")}</p>}
      <ul class="table-list">
        {list?.tables.map((table) => (
          <TableCard key={table.id} table={table} />
        ))}
      </ul>
      {list?.more && <Button onClick={() => setShown(shown + STEP)}>{t("tables_more")}</Button>}
    </section>
  );
}

/** The newest tables, at most `most`, over as many pages as it takes. */
async function listTables(game: string, state: RoomState, most: number): Promise<{ tables: Table[]; more: boolean }> {
  const tables: Table[] = [];
  let token = "";
  do {
    const size = Math.min(most - tables.length, PAGE);
    const answer = await client.rpc(LobbyService.method.listTables, { game, state, page: { size, token } });
    tables.push(...answer.tables);
    token = answer.page?.next ?? "";
  } while (token && tables.length < most);
  return { tables, more: token !== "" };
}
