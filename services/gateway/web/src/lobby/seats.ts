/** Where the person sits, and what is in the purse. */
import { signal } from "@preact/signals";
import { LobbyService, type Table } from "#protos/tavolo/lobby/v1/lobby_pb";
import { ScoringService, type GetWalletResponse } from "#protos/tavolo/scoring/v1/scoring_pb";
import { client } from "../state/here";

/** The tables at which the person sits; null: not asked yet. */
export const mine = signal<Table[] | null>(null);
export const wallet = signal<GetWalletResponse | null>(null);

export async function lookMine(): Promise<void> {
  mine.value = (await client.rpc(LobbyService.method.getSeats, {})).tables;
}

export async function lookWallet(): Promise<void> {
  wallet.value = await client.rpc(ScoringService.method.getWallet, {});
}

export function isMe(account: string): boolean {
  return account !== "" && account === client.identity.value?.account;
}

/** The person's seat at a table; -1 without one. */
export function seatAt(table: Table): number {
  return table.seats.findIndex((seat) => isMe(seat.account));
}

export function freeSeats(table: Table): number {
  return table.seats.filter((seat) => seat.account === "").length;
}
