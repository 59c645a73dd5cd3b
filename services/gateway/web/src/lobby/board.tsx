/** The games, laid out on the felt like cards: one click and one plays. */
import type { GameInfo } from "#protos/tavolo/lobby/v1/lobby_pb";
import { useState } from "preact/hooks";
import { t } from "../texts";
import { Button } from "../ui";
import { Emblem } from "./emblem";
import { byName, gameName, games } from "./games";
import { playNow } from "./open";

export function Board({ onOpen }: { onOpen: (game: string) => void }) {
  const [starting, setStarting] = useState("");
  async function start(game: GameInfo) {
    setStarting(game.id);
    await playNow(game).finally(() => setStarting(""));
  }
  return (
    <section class="board felt" id="games" tabIndex={-1} aria-labelledby="board-title">
      <div class="head">
        <h2 id="board-title">{t("games")}</h2>
        <p>{t("games_text")}</p>
      </div>
      {games.value.length === 0 && <p class="board-waits">{t("loading")}</p>}
      <ul class="board-cards">
        {byName().map((game) => (
          <li class="game-card" key={game.id}>
            <span class="game-sign">
              <Emblem game={game.id} />
            </span>
            <h3>{gameName(game.id)}</h3>
            <Button
              class="game-play"
              compact
              busy={starting !== ""}
              aria-label={t("play_now_at", { game: gameName(game.id) })}
              onClick={() => void start(game)}
            >
              {t("play_now")}
            </Button>
            <Button
              kind="quiet"
              compact
              aria-label={t("open_table_of", { game: gameName(game.id) })}
              onClick={() => onOpen(game.id)}
            >
              {t("open_table")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
