/** Opening tables and sitting down. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import { LobbyService, type GameInfo, type OpenTableRequestSchema, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { Broken } from "../net/socket";
import { goToTable } from "../route";
import { client } from "../state/here";
import { t } from "../texts";
import { isRefusal, wordsOf } from "../texts/errors";
import { toast } from "../ui";
import { seatsOf } from "./options";
import { lookMine, mine } from "./seats";

/** A request whose answer never came is asked again under its id: it opens one table, however often. */
let unanswered: { asked: string; id: string } | undefined;

export async function openTable(wanted: MessageInitShape<typeof OpenTableRequestSchema>): Promise<void> {
  const asked = JSON.stringify(wanted, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  const id = unanswered?.asked === asked ? unanswered.id : crypto.randomUUID();
  unanswered = { asked, id };
  try {
    const { table } = await client.rpc(LobbyService.method.openTable, { ...wanted, requestId: id });
    unanswered = undefined;
    if (table) sitting(table);
  } catch (error) {
    if (!(error instanceof Broken)) unanswered = undefined;
    throw error;
  }
}

/** One click: a table of this game, all other seats for computer players. */
export async function playNow(game: GameInfo): Promise<void> {
  try {
    await openTable({ game: game.id, computers: seatsOf(game) - 1 });
  } catch (error) {
    await tellOf(error);
  }
}

/** Takes a seat, or the first free one. */
export async function sitDown(table: string, seat?: number): Promise<void> {
  try {
    const wanted = seat === undefined ? { table } : { table, seat };
    const joined = await client.rpc(LobbyService.method.joinTable, wanted);
    if (joined.table) sitting(joined.table);
  } catch (error) {
    await tellOf(error);
  }
}

function sitting(table: Table): void {
  mine.value = [table, ...(mine.value ?? []).filter((each) => each.id !== table.id)];
  goToTable(table.id);
}

/** Who sits somewhere already is shown the way there. */
async function tellOf(error: unknown): Promise<void> {
  const words = wordsOf(error);
  if (!isRefusal(error, ErrorReason.ALREADY_SEATED)) {
    toast(words);
    return;
  }
  await lookMine();
  const table = mine.value?.[0];
  if (table) toast(words, { text: t("resume"), run: () => goToTable(table.id) });
  else toast(words);
}
