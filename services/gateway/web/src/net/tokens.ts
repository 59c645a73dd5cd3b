/** Who this browser is signed in as: kept over reloads, shared by the tabs of a browser. */
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Account, Tokens } from "#protos/tavolo/lobby/v1/account_pb";

export interface Identity {
  account: string;
  nickname: string;
  guest: boolean;
  access: string;
  /** When the access token ends, ms of the epoch. */
  expires: number;
  refresh: string;
}

const KEY = "tavolo.identity";
const FRESH_MS = 60_000;

export function identityOf(account: Account, tokens: Tokens): Identity {
  return {
    account: account.id,
    nickname: account.nickname,
    guest: account.guest,
    access: tokens.access,
    expires: tokens.accessExpires ? timestampMs(tokens.accessExpires) : 0,
    refresh: tokens.refresh,
  };
}

/** Whether the access token is good for a while yet. */
export function isFresh(identity: Identity, now = Date.now()): boolean {
  return identity.expires - now > FRESH_MS;
}

export function loadIdentity(): Identity | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Identity | null;
  } catch {
    return null; // it was not written by us: sign in again
  }
}

export function keepIdentity(identity: Identity | null): void {
  if (identity === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(identity));
}
