"""How a board of solitario is shown and kept (solitario.md, sections 7 and 10)."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.rules.core.cards import FR52
from services.rules.core.errors import PositionError
from services.rules.core.position import read_zones
from services.rules.core.view import Layout, Zone
from services.rules.games.solitario_board import Board, Moved
from services.rules.games.solitario_cards import COLUMNS, RANKS
from services.rules.games.solitario_options import SolitarioOptions

_STATUSES = ("playing", "complete", "stalled", "stopped", "abandoned")


def numbers_json(board: Board) -> dict[str, Any]:
    """What everybody sees of a board while the race runs."""
    return {
        "points": board.points,
        "moves": board.moves,
        "status": board.status,
        "bases": sum(board.bases),
    }


def own_json(board: Board) -> dict[str, Any]:
    """What its seat sees of it meanwhile."""
    faces = FR52.faces
    return {
        "columns": [FR52.show(column[board.down[n] :]) for n, column in enumerate(board.columns)],
        "down": list(board.down),
        "bases": [faces[suit * RANKS + n - 1] if n else None for suit, n in enumerate(board.bases)],
        "waste": FR52.show(board.waste),
        "stock": len(board.stock),
        "points": board.points,
        "moves": board.moves,
        "recycles": board.recycles,
        "status": board.status,
    }


def whole_json(board: Board) -> dict[str, Any]:
    """What everybody sees of it when the deal has ended."""
    return {
        **own_json(board),
        "columns": [FR52.show(column) for column in board.columns],
        "stock": FR52.show(board.stock),
    }


def board_zones(board: Board, seat: int, is_whole: bool) -> list[Zone]:
    """The board of a seat to draw: what that seat sees, or all of it."""
    zones = []
    for n, column in enumerate(board.columns):
        cards = tuple(FR52.show(column if is_whole else column[board.down[n] :]))
        zones.append(_zone(f"columns.{seat}.{n + 1}", "columns", "columns", cards, len(column), seat))
    waste = tuple(FR52.show(board.waste))
    zones.append(_zone(f"waste.{seat}", "waste", "fan", waste, len(waste), seat))
    stock = tuple(FR52.show(board.stock)) if is_whole else None
    zones.append(_zone(f"stock.{seat}", "stock", "stack", stock, len(board.stock), seat))
    for suit, height in enumerate(board.bases):
        cards = FR52.faces[suit * RANKS : suit * RANKS + height]
        zones.append(_zone(f"bases.{seat}.{suit}", "bases", "pile", cards, height, seat))
    return zones


def _zone(id_: str, kind: str, layout: Layout, cards: Sequence[str] | None, count: int, seat: int) -> Zone:
    return Zone(id_, kind, layout, cards, count, seat, seat, ordered=True)


def board_json(board: Board) -> dict[str, Any]:
    """A snapshot: the keys of a position, and what else the board needs."""
    return {
        **whole_json(board),
        "trail": [[FR52.faces[moved.card], *moved[1:]] for moved in board.trail],
        "last_base": board.last_base,
        "finished": board.finished,
    }


def read_board(options: SolitarioOptions, json: Mapping[str, Any]) -> Board:
    """A board from a snapshot or a bare position. PositionError: it cannot be a board of the game."""
    board = Board(options)
    if unknown := sorted(json.keys() - board_json(board).keys()):
        raise PositionError(unknown[0], "no such key of a board")
    for suit, face in enumerate(json.get("bases", [])):
        if face is not None:
            board.bases[suit] = _height(suit, face)
    named = {**json, "bases": [FR52.show(board.on_bases())]}
    zones = read_zones(named, FR52, whole=["waste", "stock"], parted=["columns", "bases"])
    columns = zones.get("columns", [])
    if len(columns) > COLUMNS:
        raise PositionError("columns", f"at most {COLUMNS}")
    board.columns[: len(columns)] = columns
    board.down = list(json.get("down", board.down))
    if len(board.down) != COLUMNS or not all(
        0 <= down < max(1, len(column)) for down, column in zip(board.down, board.columns, strict=True)
    ):
        raise PositionError("down", "the last card of a column is face up")
    board.waste = zones.get("waste", [[]])[0]
    board.stock = bytes(zones.get("stock", [[]])[0])
    board.points = json.get("points", 0)
    board.moves = json.get("moves", 0)
    board.recycles = json.get("recycles", 0)
    if min(board.points, board.moves, board.recycles) < 0:
        raise PositionError("points", "points, moves and recycles are never negative")
    board.status = json.get("status", "playing")
    if board.status not in _STATUSES:
        raise PositionError("status", f"must be one of {', '.join(_STATUSES)}")
    board.trail = [Moved(FR52.number[face], *rest) for face, *rest in json.get("trail", [])]
    board.last_base = json.get("last_base", 0)
    board.finished = json.get("finished", 0)
    board.look()
    return board


def _height(suit: int, face: str) -> int:
    """How many cards lie on a base with this top card."""
    card = FR52.number.get(face, -1)
    if card // RANKS != suit:
        raise PositionError("bases", f"{face} does not lie on base {suit}")
    return card % RANKS + 1
