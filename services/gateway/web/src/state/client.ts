/** The player's side of everything: signed in or not, connected or not, at which tables, what was said. */
import { signal } from "@preact/signals";
import { CloseReason, type MatchSettled, type Notice, type ServerMessage } from "#protos/tavolo/gateway/v1/gateway_pb";
import { ErrorReason } from "#protos/tavolo/common/v1/error_pb";
import type { ChatMessage } from "#protos/tavolo/chat/v1/chat_pb";
import { AccountService } from "#protos/tavolo/lobby/v1/account_pb";
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { rpc } from "../net/rpc";
import { Broken, Refused, Socket } from "../net/socket";
import { identityOf, isFresh, keepIdentity, loadIdentity, type Identity } from "../net/tokens";
import { Table } from "./table";

/** `signed_out`: connected, but nobody has said who is there. */
export type Link = "connecting" | "signed_out" | "open" | "broken" | "replaced";

const RENEW_BEFORE_MS = 60_000;
const LEAST_RENEW_MS = 5_000;
const CHAT_KEPT = 200;

export class Client {
  readonly link = signal<Link>("connecting");
  readonly identity = signal<Identity | null>(loadIdentity());
  /** The tables at which the account's matches run, as the last welcome said. */
  readonly seats = signal<string[]>([]);
  readonly tables = signal<ReadonlyMap<string, Table>>(new Map());
  readonly chat = signal<ReadonlyMap<string, ChatMessage[]>>(new Map());
  /** Ledger lines of the matches that ended, by table. */
  readonly settled = signal<ReadonlyMap<string, MatchSettled>>(new Map());
  /** The newest notice: lists look again. */
  readonly notice = signal<Notice | null>(null);
  private lastNotice = 0n;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private readonly socket: Socket;

  constructor(url: string) {
    this.socket = new Socket(url, {
      opened: () => void this.greet(),
      closed: () => {
        clearTimeout(this.renewal);
        if (this.link.value !== "replaced") this.link.value = "broken";
      },
      message: (message) => this.take(message),
    });
  }

  start(): void {
    this.socket.open();
  }

  /** Calls a method of a service. Rejects with Refused or Broken. */
  rpc<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    return rpc(this.socket, method, request);
  }

  // ------------------------------------------------------------------------------------- signing in

  /** Plays under a nickname, as a guest of this browser. Rejects with Refused: the nickname is taken, say. */
  async enterAsGuest(nickname: string): Promise<void> {
    const { account, tokens } = await this.rpc(AccountService.method.signInGuest, { nickname });
    if (account && tokens) await this.become(identityOf(account, tokens));
  }

  async signIn(nickname: string, password: string): Promise<void> {
    const { account, tokens } = await this.rpc(AccountService.method.signIn, { nickname, password });
    if (account && tokens) await this.become(identityOf(account, tokens));
  }

  async signUp(nickname: string, password: string): Promise<void> {
    const { account, tokens } = await this.rpc(AccountService.method.signUp, { nickname, password });
    if (account && tokens) await this.become(identityOf(account, tokens));
  }

  /** Forgets who this browser is. A guest's account cannot be entered again. */
  signOut(): void {
    this.remember(null);
    this.tables.value = new Map();
    this.seats.value = [];
    location.assign("/");
  }

  private async become(identity: Identity): Promise<void> {
    this.remember(identity);
    await this.hello(identity);
  }

  private remember(identity: Identity | null): void {
    this.identity.value = identity;
    keepIdentity(identity);
  }

  /** On every new wire: who is there, then the tables again, then what has no answer. */
  private async greet(): Promise<void> {
    try {
      const identity = await this.freshIdentity();
      if (identity === null) {
        this.link.value = "signed_out";
        this.socket.settled();
        return;
      }
      await this.hello(identity);
    } catch (error) {
      if (error instanceof Broken) return; // another wire is on its way
      if (error instanceof Refused && error.detail.reason === ErrorReason.UNAUTHENTICATED) {
        this.remember(null);
        this.link.value = "signed_out";
        return;
      }
      throw error;
    }
  }

  private async freshIdentity(): Promise<Identity | null> {
    const identity = loadIdentity();
    if (identity === null || isFresh(identity)) return identity;
    const { account, tokens } = await this.rpc(AccountService.method.refresh, { refresh: identity.refresh });
    if (!account || !tokens) return null;
    const renewed = identityOf(account, tokens);
    this.remember(renewed);
    return renewed;
  }

  private async hello(identity: Identity): Promise<void> {
    const chat = [...this.chat.value].map(([room, said]) => ({ room, last: said.at(-1)?.number ?? 0n }));
    await this.socket.call({ case: "hello", value: { token: identity.access, lastNotice: this.lastNotice, chat } });
    this.socket.settled();
    this.link.value = "open";
    this.renewLater(identity);
    await Promise.all([...this.tables.value.values()].map((table) => this.attachAgain(table)));
  }

  private renewLater(identity: Identity): void {
    clearTimeout(this.renewal);
    const left = Math.max(identity.expires - Date.now() - RENEW_BEFORE_MS, LEAST_RENEW_MS);
    this.renewal = setTimeout(() => void this.renew(), left);
  }

  private async renew(): Promise<void> {
    const identity = await this.freshIdentity();
    if (identity === null) return;
    await this.socket.call({ case: "hello", value: { token: identity.access } });
    this.renewLater(identity);
  }

  // ----------------------------------------------------------------------------------------- tables

  /** Connects with a table: takes the account's seat there, or watches. */
  async attach(id: string, watch = false): Promise<Table> {
    const known = this.tables.value.get(id);
    if (known && known.watches === watch && !known.ended.value) return known;
    const table = new Table(id, watch);
    this.tables.value = new Map(this.tables.value).set(id, table);
    try {
      await this.socket.call({ case: "attach", value: { table: id, watch } });
    } catch (error) {
      if (error instanceof Refused) this.forget(id);
      throw error;
    }
    return table;
  }

  /** Leaves a table's views; the seat stays the player's. */
  detach(id: string): void {
    this.forget(id);
    if (this.socket.isOpen) void this.socket.call({ case: "detach", value: { table: id } });
  }

  /** Makes a move. It is sent again after a broken connection and counts once. */
  async act(table: Table, move: string): Promise<void> {
    const turn = move === "abandon" ? 0n : (table.view.value?.own?.turn ?? 0n);
    const pending = { id: crypto.randomUUID(), move, turn };
    table.pending.value = pending;
    table.refusal.value = "";
    await this.send(table);
  }

  /** "Avanti": ready for the next deal, with the player's part of the shuffle's seed. */
  async ready(table: Table): Promise<void> {
    const contribution = crypto.getRandomValues(new Uint8Array(32));
    const hand = table.view.value?.pub.hand ?? 0;
    await this.socket.call({ case: "ready", value: { table: table.id, contribution, hand } });
  }

  private async send(table: Table): Promise<void> {
    const pending = table.pending.value;
    if (!pending) return;
    try {
      await this.socket.call({
        case: "act",
        value: { table: table.id, commandId: pending.id, move: pending.move, turn: pending.turn },
      });
    } catch (error) {
      if (error instanceof Broken) return; // it goes out again when the table is attached again
      if (!(error instanceof Refused)) throw error;
      if (error.detail.reason === ErrorReason.OUTCOME_UNKNOWN) return this.send(table);
      table.refusal.value = error.detail.text;
    }
    if (table.pending.value === pending) table.pending.value = null;
  }

  private async attachAgain(table: Table): Promise<void> {
    if (table.ended.value) return;
    try {
      await this.socket.call({ case: "attach", value: { table: table.id, watch: table.watches } });
      await this.send(table);
    } catch (error) {
      if (error instanceof Refused) table.ended.value = error.detail.text;
    }
  }

  private forget(id: string): void {
    const left = new Map(this.tables.value);
    left.delete(id);
    this.tables.value = left;
  }

  // -------------------------------------------------------------------------------- from the server

  private take(message: ServerMessage): void {
    const { kind } = message;
    switch (kind.case) {
      case "welcome":
        this.seats.value = kind.value.tables;
        this.lastNotice = kind.value.lastNotice;
        this.socket.heartbeatMs = Number(kind.value.heartbeatMs);
        break;
      case "table":
        this.tables.value.get(kind.value.table)?.take(kind.value);
        break;
      case "chat":
        this.heard(kind.value);
        break;
      case "notice":
        this.lastNotice = kind.value.number;
        if (kind.value.kind.case === "matchSettled") {
          const line = kind.value.kind.value;
          this.settled.value = new Map(this.settled.value).set(line.table, line);
        }
        this.notice.value = kind.value;
        break;
      case "closed": {
        const table = this.tables.value.get(kind.value.table);
        if (table) table.ended.value = CloseReason[kind.value.reason];
        break;
      }
      case "goodbye":
        if (kind.value.reason === CloseReason.REPLACED) this.link.value = "replaced";
        break;
    }
  }

  private heard(message: ChatMessage): void {
    const said = this.chat.value.get(message.room) ?? [];
    if (message.number <= (said.at(-1)?.number ?? 0n)) return;
    this.chat.value = new Map(this.chat.value).set(message.room, [...said, message].slice(-CHAT_KEPT));
  }
}
