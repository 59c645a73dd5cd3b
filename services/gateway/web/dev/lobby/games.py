"""Writes games.json, what ListGames answers, for the lobby that is looked at without a server.

From the repo's root: .venv/bin/python services/gateway/web/dev/lobby/games.py
"""

from pathlib import Path

from google.protobuf.json_format import MessageToJson
from tavolo.lobby.v1.lobby_pb2 import ListGamesResponse

from services.lobby.games import list_games

Path(__file__).with_name("games.json").write_text(
    MessageToJson(ListGamesResponse(games=list_games()), ensure_ascii=False)
)
