"""Films of every game for the gallery: what one seat sees of a match of computer players, view by view.

No cluster: the engine's own fold and views, in this process. Run from the root of the repository:
`PYTHONPATH=. .venv/bin/python services/gateway/web/dev/fixtures.py [game …]`.
A film is a ConnectResponse with all its updates, as the gateway would have sent them one by one.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from tavolo.common.v1 import money_pb2
from tavolo.gateway.v1 import gateway_pb2
from tavolo.table.v1 import log_pb2, view_pb2

from services.bots.choice import choose
from services.rules import time_control
from services.rules.core.game import Game
from services.rules.core.registry import games
from services.runtime.ids import new_id
from services.runtime.sealing import Sealer
from services.table_engine.fold import Folder
from services.table_engine.views import Views

VIEWER = 0
MOST_UPDATES = 700
OPTIONS: dict[str, dict[str, Any]] = {
    "asso_pigliatutto": {"seats": 2, "seen_cards": True},
    "bestia": {"seats": 4},
    "briscola": {"seats": 2},
    "burraco": {"seats": 4},
    "hearts": {"seats": 4},
    "jolly": {"seats": 3},
    "poker": {"seats": 5},
    "scala40": {"seats": 3},
    "scopone": {"seats": 4},
    "sette_e_mezzo": {"seats": 4},
    "tresette": {"seats": 4},
    "uno": {"seats": 4},
}
# Full tables, in films of their own.
CROWDED = {"sette_e_mezzo": 10, "uno": 10}
NAMES = (
    "Marcella", "Gualtiero", "La Nonna", "Tonino 62", "Beatrice", "Ottavio", "Zio Peppe", "Rosalba",
    "Il Prof", "Nives",
)  # fmt: skip


def film(game: Game, path: Path, options: dict[str, Any], seed: int = 7) -> int:
    """Plays a match and writes its film. The number of updates."""
    rng = random.Random(seed)  # noqa: S311 - a film that can be made again
    chosen = game.options(options)
    fold = Folder(Sealer({"a": bytes(32)}, "a"), 15_000)
    seats = [
        view_pb2.Seat(account=new_id("ply"), nickname=NAMES[seat], side=chosen.side(seat), computer=seat == 2)
        for seat in range(chosen.seats)
    ]
    opened = log_pb2.MatchOpened(
        table=new_id("tbl"),
        match=new_id("mch"),
        game=game.id,
        options=json.dumps(game.options_json(chosen)),
        rules_version=game.rules_version,
        dealer=chosen.seats - 1,
        control=json.dumps(time_control.control(game.id).to_json()),
        seats=seats,
        stake=money_pb2.Money(cents=100, currency="EUR"),
    )
    table = fold.start(opened)
    at = 0
    shown: list[bytes] = []

    def put(*records: log_pb2.LogRecord) -> None:
        entry = log_pb2.LogEntry(at_ms=at, worker="wrk", worker_ms=at, records=records)
        events = fold.write(table, entry)
        shown.append(Views(table, at, events).message(VIEWER, as_json=False, with_info=len(shown) == 0))

    put(log_pb2.LogRecord(opened=opened))
    for seat in range(chosen.seats):
        put(log_pb2.LogRecord(connected=log_pb2.SeatConnected(seat=seat)))
    while not table.over and len(shown) < MOST_UPDATES:
        at += rng.randrange(300, 4000)
        if table.uncovered:
            put(log_pb2.LogRecord(covered=log_pb2.HandCovered(hand=table.hands)))
            continue
        if table.waiting:
            for seat in range(chosen.seats - 1):
                put(log_pb2.LogRecord(ready=log_pb2.SeatReady(seat=seat)))
            given = [rng.randbytes(8) for _ in table.seats]
            put(log_pb2.LogRecord(dealt=log_pb2.HandDealt(contributions=given)))
            continue
        seat = rng.choice(table.state.to_act)
        message = Views(table, at).message(seat, as_json=False)
        update = gateway_pb2.ConnectResponse.FromString(message).messages[0].table
        text = choose(game.id, update)
        made = log_pb2.MoveMade(seat=seat, command_id=f"c{len(shown)}")
        if table.state.sealed(seat, text):
            fold.seal_move(table.match, table.version + 1, made, text)
        else:
            made.move = text
        put(log_pb2.LogRecord(moved=made))
    if not table.over:
        put(
            log_pb2.LogRecord(moved=log_pb2.MoveMade(seat=chosen.seats - 1, move="abandon", command_id="end"))
        )
    path.write_bytes(b"".join(shown))
    return len(shown)


def main() -> int:
    folder = Path(__file__).parent / "films"
    folder.mkdir(exist_ok=True)
    wanted = set(sys.argv[1:])
    for game in games():
        if wanted and game.id not in wanted:
            continue
        options = OPTIONS.get(game.id, {})
        print(game.id, film(game, folder / f"{game.id}.bin", options))  # noqa: T201 - a script
        if seats := CROWDED.get(game.id):
            crowded = film(game, folder / f"{game.id}-full.bin", {**options, "seats": seats})
            print(game.id, "full", crowded)  # noqa: T201 - a script
    return 0


if __name__ == "__main__":
    sys.exit(main())
