/** The shell and the lobby without a server: every call is answered from here. The address chooses what is seen, for example
 * `dev/lobby/?at=room&link=broken`; `at`: door, room, empty. A table: `#/tavolo/tbl_waiting`. */
import "../../src/ui/base.css";
import { create, fromJson } from "@bufbuild/protobuf";
import type { DescMessage, DescMethodUnary, JsonValue, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { render } from "preact";
import { ChatMessageSchema, ChatService } from "#protos/tavolo/chat/v1/chat_pb";
import { ErrorDetailSchema, ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import { MatchSettledSchema } from "#protos/tavolo/gateway/v1/gateway_pb";
import { AccountService } from "#protos/tavolo/lobby/v1/account_pb";
import {
  ListGamesResponseSchema,
  LobbyService,
  RoomState,
  TableSchema,
  type Table,
} from "#protos/tavolo/lobby/v1/lobby_pb";
import { ScoringService } from "#protos/tavolo/scoring/v1/scoring_pb";
import { App } from "../../src/app";
import { Refused } from "../../src/net/socket";
import { client } from "../../src/state/here";
import type { Link } from "../../src/state/client";
import gamesJson from "./games.json";

const asked = new URLSearchParams(location.search);
const at = asked.get("at") ?? "room";
const ME = "ply_me";

function seats(...names: string[]) {
  return names.map((nickname) => ({
    account: nickname && (nickname === "Nina" ? ME : `ply_${nickname}`),
    nickname,
    computer: nickname.endsWith("(computer)"),
  }));
}

const games = fromJson(ListGamesResponseSchema, gamesJson as JsonValue).games;

/** A table with these options, all others by default. */
function table(id: string, game: string, state: RoomState, names: string[], options: object, stake: number): Table {
  return create(TableSchema, {
    id,
    game,
    state,
    seats: seats(...names),
    options: JSON.stringify({
      ...Object.fromEntries(
        games.find((each) => each.id === game)?.options.map((each) => [each.name, JSON.parse(each.default)]) ?? [],
      ),
      ...options,
    }),
    stake: { cents: BigInt(stake), currency: "PLAY" },
    chip: { cents: game === "bestia" ? 5n : 0n, currency: "PLAY" },
    speed: stake > 500 ? "lampo" : "normale",
  });
}

const { OPEN, PLAYING, STARTING } = RoomState;
const points = (target: number) => ({ match: "points", target, target_rule: "past" });
const tables = [
  table(
    "tbl_waiting",
    "scopone",
    OPEN,
    ["Nina", "Ettore", "", ""],
    { seats: 4, variant: "scientifico", ...points(21) },
    100,
  ),
  table("tbl_2", "briscola", OPEN, ["Zia Pina", ""], { seats: 2, match: "hands", hands: 3 }, 100),
  table(
    "tbl_3",
    "tarocco",
    PLAYING,
    ["Bruno", "Sofia", "Dora (computer)", "Aldo (computer)"],
    { match: "hands", hands: 8 },
    0,
  ),
  table("tbl_4", "burraco", STARTING, ["Ada", "Rocco", "Mimì", "Gaetano"], points(2005), 1000),
  table("tbl_5", "bestia", OPEN, ["Don Ciccio", "", "", ""], { match: "hands", hands: 4, carry: true }, 90),
];
const shown = at === "empty" ? [] : tables;
const said = [
  "Buonasera a tutti!",
  "Chi fa un quarto a scopone?",
  "Arrivo, due minuti.",
  "Occhio che Ettore conta le carte…",
];

function messages(room: string) {
  return said.map((text, at) =>
    create(ChatMessageSchema, {
      room,
      number: BigInt(at + 1),
      account: at === 2 ? ME : `ply_${at}`,
      nickname: ["Zia Pina", "Ettore", "Nina", "Bruno"][at] ?? "",
      text,
      time: timestampFromMs(Date.UTC(2026, 10, 30, 19, 40 + at)),
    }),
  );
}

function refuse(reason: ErrorReason, field = ""): never {
  throw new Refused(create(ErrorDetailSchema, { reason, field, text: "refused by the gallery" }));
}

type Answer = (request: unknown) => unknown;
const answers = new Map<DescMethodUnary, Answer>();

function on<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  answer: (request: MessageShape<I>) => MessageInitShape<O>,
): void {
  answers.set(method, (request) => create(method.output, answer(create(method.input, request as MessageInitShape<I>))));
}

on(LobbyService.method.listGames, () => ({ games }));
on(LobbyService.method.listTables, ({ game, state }) => ({
  tables: shown.filter((each) => (!game || each.game === game) && (!state || each.state === state)),
}));
on(LobbyService.method.getSeats, () => ({ tables: shown.slice(0, 1) }));
on(LobbyService.method.getTable, ({ table: id }) => {
  if (id === "tbl_closed") return { table: table(id, "scopa", RoomState.CLOSED, ["Nina", "Ettore"], points(11), 100) };
  return { table: tables.find((each) => each.id === id) ?? refuse(ErrorReason.NOT_FOUND) };
});
on(LobbyService.method.openTable, () => refuse(ErrorReason.BAD_OPTION, "options.target"));
on(LobbyService.method.joinTable, () => refuse(ErrorReason.ALREADY_SEATED));
on(AccountService.method.signInGuest, () => refuse(ErrorReason.NICKNAME_TAKEN, "nickname"));
on(ScoringService.method.getWallet, () => ({
  balance: { cents: 99_900n, currency: "PLAY" },
  held: { cents: 100n, currency: "PLAY" },
}));
on(ChatService.method.listMessages, ({ room }) => ({ messages: at === "empty" ? [] : messages(room) }));
on(ChatService.method.say, ({ room, text }) => ({
  message: { room, number: BigInt(Date.now()), account: ME, nickname: "Nina", text },
}));

client.rpc = (async (method: DescMethodUnary, request: unknown) =>
  answers.get(method)?.(request) ?? refuse(ErrorReason.UNAVAILABLE)) as typeof client.rpc;
if (at === "door") {
  client.identity.value = null;
  client.link.value = "signed_out";
} else {
  client.identity.value = { account: ME, nickname: "Nina", guest: true, access: "", expires: 0, refresh: "" };
  client.link.value = (asked.get("link") as Link | null) ?? "open";
}
client.settled.value = new Map([
  [
    "tbl_closed",
    create(MatchSettledSchema, {
      table: "tbl_closed",
      deltaCents: 300n,
      balanceCents: 100_300n,
      victoryPoints: 14,
      rating: 21.7,
    }),
  ],
]);

const root = document.getElementById("app");
if (root) render(<App />, root);
