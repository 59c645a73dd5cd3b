/** The games that can be played: asked for once. */
import { signal } from "@preact/signals";
import { LobbyService, type GameInfo } from "#protos/tavolo/lobby/v1/lobby_pb";
import { client } from "../state/here";
import { lang } from "../texts";

export const games = signal<GameInfo[]>([]);

export async function lookGames(): Promise<void> {
  if (games.value.length > 0) return;
  games.value = (await client.rpc(LobbyService.method.listGames, {})).games;
}

export function gameOf(id: string): GameInfo | undefined {
  return games.value.find((each) => each.id === id);
}

/** The name of a game in the person's language; its id until the games are known. */
export function gameName(id: string): string {
  const game = gameOf(id);
  if (!game) return id.replaceAll("_", " ");
  return lang.value === "en" ? game.nameEn : game.nameIt;
}

/** The games in the order of their names. */
export function byName(): GameInfo[] {
  const { compare } = new Intl.Collator(lang.value, { numeric: true });
  return [...games.value].sort((a, b) => compare(gameName(a.id), gameName(b.id)));
}
