"""Solitario (solitario.md): Klondike as a race of one to ten seats on one deal; the deck `fr52`, ace low.

A card's number is 13 times its suit (h d c s) and its rank, 0 the ace.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

from services.rules.core.cards import FR52, as_set
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.errors import OptionsError, PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, verdict
from services.rules.core.moves import Applied, Event, Move
from services.rules.core.option_specs import KO, flag_spec, hands_spec, match_spec, seats_spec
from services.rules.core.options import Options, OptionSpec
from services.rules.core.position import read_zones
from services.rules.core.state import State, hand_score
from services.rules.core.view import Layout, Prompt, View, Zone

_COLUMNS = 7
_RANKS = 13
_SUITS = 4
_WHOLE = [_RANKS] * _SUITS  # the bases of a board that is complete
_KING = _RANKS - 1
_KINGS = tuple(suit * _RANKS + _KING for suit in range(_SUITS))
_WASTE, _BASE = 8, 9  # places of a card; the columns are 1 to 7
_TIE_HANDS = 1
_EXTRA = 10  # what the last seat gets when all others have left: one card on a base

_DEALT = tuple((n * (n + 1) // 2, (n + 1) * (n + 2) // 2) for n in range(_COLUMNS))
_LAID_OUT = _DEALT[-1][1]
_STATUSES = ("playing", "complete", "stalled", "stopped", "abandoned")
_PROMPT = {"it": "Muovi una carta o pesca", "en": "Move a card, or draw"}

# What the steps are worth (section 4).
_TO_BASE = 10
_WASTE_TO_COLUMN = 5
_TURNED_UP = 5
_FROM_BASE = -15
_RECYCLE_ONE = -100
_RECYCLE_THREE = -20
_FREE_RECYCLES = 2  # with three cards at a time


def _going_on(card: int) -> tuple[int, ...]:
    """The cards that go on this one in a column: one lower, of the other colour."""
    suit, rank = divmod(card, _RANKS)
    others = (2, 3) if suit < 2 else (0, 1)
    return tuple(other * _RANKS + rank - 1 for other in others) if rank else ()


_GOING_ON = tuple(_going_on(card) for card in range(len(FR52.faces)))


@dataclass(frozen=True, slots=True)
class SolitarioOptions(Options):
    """Section 1."""

    match: Literal["hands"]
    hands: int
    draw_size: Literal[1, 3]
    max_recycles: int | None
    from_base: bool
    undo: bool
    max_moves: int
    ko: bool

    def __post_init__(self) -> None:
        if self.ko and self.seats != 2:
            raise OptionsError("ko", "a knock-out table has two seats")


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A move; of one with a card also `key`: 16 times the card, and the place where it goes."""

    key: int = -1


_DRAW = Step("draw", "draw")
_RECYCLE = Step("recycle", "recycle")
_UNDO = Step("undo", "undo")
_STOP = Step("stop", "stop")


@lru_cache(maxsize=10)
def _steps(seat: int) -> Mapping[int, Step]:
    """All moves of a card on the board of this seat, by their keys."""
    steps = {}
    for card, face in enumerate(FR52.faces):
        for place in (*range(1, _COLUMNS + 1), _BASE):
            key = card * 16 + place
            text = f"move {face} {_place_name(place)}"
            steps[key] = Step(text, "move", (face,), (), _zone_id(seat, place, card), key)
    return steps


def _place_name(place: int) -> str:
    return "base" if place == _BASE else str(place)


def _zone_id(seat: int, place: int, card: int) -> str:
    """The zone of a seat where a card lies at this place."""
    if place == _BASE:
        return f"bases.{seat}.{card // _RANKS}"
    return f"waste.{seat}" if place == _WASTE else f"columns.{seat}.{place}"


@lru_cache(maxsize=10)
def _by_text(seat: int) -> Mapping[str, Step]:
    return {step.text: step for step in (*_steps(seat).values(), _DRAW, _RECYCLE, _UNDO, _STOP)}


# ------------------------------------------------------------------------------------------ a board


class Moved(NamedTuple):
    """A move of cards (the lowest is `card`) from one place of a board to another; the points before it, and
    the card that it turned up."""

    card: int
    number: int
    source: int
    target: int
    points: int
    turned: int | None = None


class Board:
    """The cards of one seat. Columns and mazzetto are bottom to top, the next card of the stock is the first,
    bases are how many cards lie on them."""

    __slots__ = (
        "bases",
        "columns",
        "down",
        "finished",
        "last_base",
        "lies",
        "moves",
        "open",
        "points",
        "recycles",
        "status",
        "stock",
        "trail",
        "waste",
    )

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(_COLUMNS)]
        self.down = [0] * _COLUMNS  # how many cards of each column are covered
        self.bases = [0] * _SUITS
        self.waste: list[int] = []
        self.stock = b""
        self.points = 0
        self.moves = 0
        self.recycles = 0
        self.status = "playing"
        self.trail: list[Moved] = []  # what can be taken back
        self.last_base = 0  # the step of the deal with which a card last went to a base
        self.finished = 0  # the step after which this board's game was finished
        self.lies = bytearray(len(FR52.faces))  # the place of each available card, 0 of others
        self.open: list[int] = []  # the keys of the moves of a card that are legal now, ascending

    def copy(self) -> "Board":
        new = object.__new__(Board)
        new.columns = [list(column) for column in self.columns]
        new.down = list(self.down)
        new.bases = list(self.bases)
        new.waste = list(self.waste)
        new.stock = self.stock
        new.points = self.points
        new.moves = self.moves
        new.recycles = self.recycles
        new.status = self.status
        new.trail = list(self.trail)
        new.last_base = self.last_base
        new.finished = self.finished
        new.lies = bytearray(self.lies)
        new.open = self.open  # made anew after a move, never changed
        return new

    def look(self, from_base: bool) -> None:
        """Find where the available cards lie, and what may be moved."""
        self.lies = bytearray(len(FR52.faces))
        for n, column in enumerate(self.columns):
            for card in column[self.down[n] :]:
                self.lies[card] = n + 1
        for card in self.waste[-1:]:
            self.lies[card] = _WASTE
        for suit, height in enumerate(self.bases):
            if height:
                self.lies[suit * _RANKS + height - 1] = _BASE
        self.open = self.find_moves(from_base)

    def find_moves(self, from_base: bool) -> list[int]:
        """The keys of the legal moves of a card, ascending."""
        lies, bases = self.lies, self.bases
        barred = 0 if from_base else _BASE
        empty = []
        turned = self.waste[-1:]
        found = [card * 16 + _BASE for card in turned if bases[card // _RANKS] == card % _RANKS]
        for n, column in enumerate(self.columns, 1):
            if not column:
                empty.append(n)
                continue
            last = column[-1]
            if bases[last // _RANKS] == last % _RANKS:
                found.append(last * 16 + _BASE)
            for card in _GOING_ON[last]:
                place = lies[card]
                if place and place != n and place != barred:
                    found.append(card * 16 + n)
        if empty:
            for king in _KINGS:
                place = lies[king]
                at_foot = 0 < place < _WASTE and self.columns[place - 1][0] == king
                if place and place != barred and not at_foot:
                    found += [king * 16 + n for n in empty]
        found.sort()
        return found

    def worth(self, key: int) -> int:
        """The points of a legal move of a card."""
        card, target = divmod(key, 16)
        source = self.lies[card]
        points = _TO_BASE if target == _BASE else 0
        if source == _BASE:
            return _FROM_BASE
        if source == _WASTE:
            return points or _WASTE_TO_COLUMN
        covered = self.down[source - 1]
        if covered and self.columns[source - 1][covered] == card:
            points += _TURNED_UP
        return points

    def move(self, key: int) -> Moved:
        """Make a legal move of a card."""
        card, target = divmod(key, 16)
        source, before = self.lies[card], self.points
        self.points = max(0, before + self.worth(key))
        if source >= _WASTE:
            self._carry(card, 1, source, target)
            return Moved(card, 1, source, target, before)
        column, covered = self.columns[source - 1], self.down[source - 1]
        number = len(column) - column.index(card, covered)
        self._carry(card, number, source, target)
        turned = None
        if covered and covered == len(column):
            turned = column[-1]
            self.down[source - 1] = covered - 1
            self.lies[turned] = source
        return Moved(card, number, source, target, before, turned)

    def take_back(self) -> Moved:
        """Undo the last move."""
        last = self.trail.pop()
        self._carry(last.card, last.number, last.target, last.source)
        self.points = last.points
        return last

    def _carry(self, card: int, number: int, source: int, target: int) -> None:
        """Take cards, of which this is the lowest, from one place to another."""
        cards = [card]
        lies = self.lies
        if source == _BASE:
            self.bases[card // _RANKS] -= 1
            if card % _RANKS:
                lies[card - 1] = _BASE
        elif source == _WASTE:
            self.waste.pop()
            if self.waste:
                lies[self.waste[-1]] = _WASTE
        else:
            column = self.columns[source - 1]
            cards = column[-number:]
            del column[-number:]
        if target == _BASE:
            self.bases[card // _RANKS] += 1
            if card % _RANKS:
                lies[card - 1] = 0
        elif target == _WASTE:
            if self.waste:
                lies[self.waste[-1]] = 0
            self.waste.append(card)
        else:
            self.columns[target - 1] += cards
        for each in cards:
            lies[each] = target

    def draw(self, size: int) -> bytes:
        """Turn the next cards of the stock, at most so many: these."""
        turned = self.stock[:size]
        self.stock = self.stock[size:]
        if self.waste:
            self.lies[self.waste[-1]] = 0
        self.waste += turned
        self.lies[turned[-1]] = _WASTE
        self.trail.clear()
        return turned

    def recycle(self, draw_size: int) -> None:
        """The mazzetto becomes the stock."""
        self.lies[self.waste[-1]] = 0
        self.stock = bytes(self.waste)
        self.waste.clear()
        self.trail.clear()
        self.recycles += 1
        if draw_size == 1:
            self.points = max(0, self.points + _RECYCLE_ONE)
        elif self.recycles > _FREE_RECYCLES:
            self.points = max(0, self.points + _RECYCLE_THREE)

    def is_stalled(self, draw_size: int, may_recycle: bool) -> bool:
        """Whether nothing can be moved now or after any draws, and there is nothing to take back."""
        if self.open or self.trail:
            return False
        wanted = {suit * _RANKS + n for suit, n in enumerate(self.bases) if n < _RANKS}
        for column in self.columns:
            wanted.update(_GOING_ON[column[-1]] if column else _KINGS)
        pile = bytes(self.waste) + self.stock
        heights = [*range(len(self.waste) + draw_size, len(pile), draw_size)]
        if may_recycle:
            heights += range(draw_size, len(pile), draw_size)
        if self.stock or (may_recycle and pile):
            heights.append(len(pile))
        return not any(pile[height - 1] in wanted for height in heights)

    def seen(self) -> int:
        """The set of cards that its seat sees."""
        cards = [card for n, column in enumerate(self.columns) for card in column[self.down[n] :]]
        return as_set((*cards, *self.waste, *self.on_bases()))

    def on_bases(self) -> list[int]:
        return [suit * _RANKS + rank for suit, n in enumerate(self.bases) for rank in range(n)]

    # How a board is shown and kept.

    def tops(self) -> list[str | None]:
        """The top card of each base."""
        faces = FR52.faces
        return [faces[suit * _RANKS + n - 1] if n else None for suit, n in enumerate(self.bases)]

    def numbers_json(self) -> dict[str, Any]:
        """What everybody sees of it while the race runs."""
        return {
            "points": self.points,
            "moves": self.moves,
            "status": self.status,
            "bases": sum(self.bases),
        }

    def own_json(self) -> dict[str, Any]:
        """What its seat sees of it meanwhile."""
        return {
            "columns": [FR52.show(column[self.down[n] :]) for n, column in enumerate(self.columns)],
            "down": list(self.down),
            "bases": self.tops(),
            "waste": FR52.show(self.waste),
            "stock": len(self.stock),
            "points": self.points,
            "moves": self.moves,
            "recycles": self.recycles,
            "status": self.status,
        }

    def whole_json(self) -> dict[str, Any]:
        """What everybody sees of it when the deal has ended."""
        return {
            **self.own_json(),
            "columns": [FR52.show(column) for column in self.columns],
            "stock": FR52.show(self.stock),
        }

    def zones(self, seat: int, is_whole: bool) -> list[Zone]:
        """The board to draw: what its seat sees, or all of it."""
        zones = []
        for n, column in enumerate(self.columns):
            cards = tuple(FR52.show(column if is_whole else column[self.down[n] :]))
            zones.append(_zone(f"columns.{seat}.{n + 1}", "columns", "columns", cards, len(column), seat))
        waste = tuple(FR52.show(self.waste))
        zones.append(_zone(f"waste.{seat}", "waste", "fan", waste, len(waste), seat))
        stock = tuple(FR52.show(self.stock)) if is_whole else None
        zones.append(_zone(f"stock.{seat}", "stock", "stack", stock, len(self.stock), seat))
        for suit, height in enumerate(self.bases):
            cards = FR52.faces[suit * _RANKS : suit * _RANKS + height]
            zones.append(_zone(f"bases.{seat}.{suit}", "bases", "pile", cards, height, seat))
        return zones

    def to_json(self) -> dict[str, Any]:
        return {
            **self.whole_json(),
            "trail": [[FR52.faces[moved.card], *moved[1:]] for moved in self.trail],
            "last_base": self.last_base,
            "finished": self.finished,
        }

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> "Board":
        """PositionError: it cannot be a board of the game."""
        board = cls()
        if unknown := sorted(json.keys() - board.to_json().keys()):
            raise PositionError(unknown[0], "no such key of a board")
        for suit, face in enumerate(json.get("bases", [])):
            if face is not None:
                board.bases[suit] = _height(suit, face)
        named = {**json, "bases": [FR52.show(board.on_bases())]}
        zones = read_zones(named, FR52, whole=["waste", "stock"], parted=["columns", "bases"])
        columns = zones.get("columns", [])
        if len(columns) > _COLUMNS:
            raise PositionError("columns", f"at most {_COLUMNS}")
        board.columns[: len(columns)] = columns
        board.down = list(json.get("down", board.down))
        if len(board.down) != _COLUMNS or not all(
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
        return board


def _zone(id_: str, kind: str, layout: Layout, cards: Sequence[str] | None, count: int, seat: int) -> Zone:
    return Zone(id_, kind, layout, cards, count, seat, seat, ordered=True)


def _height(suit: int, face: str) -> int:
    """How many cards lie on a base with this top card."""
    card = FR52.number.get(face, -1)
    if card // _RANKS != suit:
        raise PositionError("bases", f"{face} does not lie on base {suit}")
    return card % _RANKS + 1


# ----------------------------------------------------------------------------------------- the match


class Solitario(State[Step]):
    """A match of solitario. `dealer` is drawn as in every game, and does nothing."""

    __slots__ = (
        "boards",
        "gone",
        "match_cards",
        "match_moves",
        "playing",
        "shuffled",
        "steps",
        "void_deals",
    )

    options: SolitarioOptions

    def __init__(self, options: SolitarioOptions, dealer: int) -> None:
        super().__init__(options, dealer)
        self.boards = [Board() for _ in range(options.seats)]
        self.playing: tuple[int, ...] = ()  # the seats whose game is not finished
        self.gone: list[int] = []  # those that have left, ascending
        self.match_cards = [0] * options.seats
        self.match_moves = [0] * options.seats
        self.steps = 0  # accepted moves of all seats in this deal
        self.shuffled = b""  # the deck of the running or ended deal, empty if not known
        self.void_deals = 0  # how often the deal to come was thrown back

    # --------------------------------------------------------------------------------- 2. deal

    @property
    def needs_chance(self) -> Shuffle | None:
        if self.phase != "deal":
            return None
        return Shuffle(FR52.texts, "redeal" if self.void_deals else "deal")

    def supply(self, order: Sequence[int]) -> list[Event]:
        if self.phase != "deal":
            raise ValueError("no shuffle was asked for")
        check_order(order, len(FR52.cards))
        deck = bytes(order)
        board = self._dealt(deck)
        if not any(board.worth(key) > 0 for key in board.open):
            self.void_deals += 1
            return [Event("deal_voided", None, {})]
        self.void_deals = 0
        self.shuffled = deck
        self.steps = 0
        self.phase = "play"
        self.playing = self._staying()
        for seat in self.gone:
            self.boards[seat] = Board()
            self.boards[seat].status = "abandoned"
        for seat in self.playing:
            self.boards[seat] = board.copy()
        seen = {
            "columns": FR52.show([column[-1] for column in board.columns]),
            "waste": FR52.show(board.waste),
        }
        private = dict.fromkeys(self.playing, seen)
        return [Event("hand_dealt", None, {"seats": list(self.playing)}, private)]

    def _dealt(self, deck: bytes) -> Board:
        """The layout from which all seats start."""
        board = Board()
        board.columns = [list(deck[first:last]) for first, last in _DEALT]
        board.down = list(range(_COLUMNS))
        board.stock = deck[_LAID_OUT:]
        board.draw(self.options.draw_size)
        board.look(self.options.from_base)
        return board

    def _staying(self) -> tuple[int, ...]:
        """The seats that have not left."""
        seats = range(self.options.seats)
        return tuple([seat for seat in seats if seat not in self.gone] if self.gone else seats)

    # --------------------------------------------------------------------------------- 3. play

    @property
    def to_act(self) -> Sequence[int]:
        return self.playing

    def legal(self, seat: int) -> list[Step]:
        if seat not in self.playing:
            return []
        board = self.boards[seat]
        steps = _steps(seat)
        moves = [steps[key] for key in board.open]
        if board.stock:
            moves.append(_DRAW)
        elif board.waste and self._may_recycle(board):
            moves.append(_RECYCLE)
        if board.trail:
            moves.append(_UNDO)
        moves.append(_STOP)
        return moves

    def _may_recycle(self, board: Board) -> bool:
        most = self.options.max_recycles
        return most is None or board.recycles < most

    def _read(self, seat: int, text: str) -> Step | None:
        return _by_text(seat).get(text)

    def _refusal(self, seat: int, move: Step) -> Refusal | None:
        """Section 8, row by row."""
        board = self.boards[seat]
        match move.verb:
            case "move":
                return None if move.key in board.open else self._move_refusal(board, move)
            case "draw":
                if not board.stock:
                    return Refusal("stock_empty", "the stock has no card left")
            case "recycle":
                if board.stock:
                    return Refusal("stock_not_empty", "the stock has cards left: draw first")
                if not board.waste:
                    return Refusal("nothing_to_recycle", "stock and mazzetto are empty")
                if not self._may_recycle(board):
                    return Refusal("no_recycles", "the mazzetto may not be turned over again")
            case "undo":
                if not self.options.undo:
                    return Refusal("not_allowed", "nothing is taken back at this table")
                if not board.trail:
                    return Refusal("nothing_to_undo", "there is no move that can be taken back")
        return None

    def _move_refusal(self, board: Board, move: Step) -> Refusal:
        """Why a move of a card is not legal."""
        (face,) = move.cards
        card, target = divmod(move.key, 16)
        place = board.lies[card]
        if not place:
            return Refusal("not_available", f"{face} is not where a card can be moved from", face)
        if place == _BASE and not self.options.from_base:
            return Refusal("not_allowed", "a base keeps its cards at this table", face)
        if target == _BASE and place < _WASTE and board.columns[place - 1][-1] != card:
            return Refusal("not_available", f"other cards lie on {face}", face)
        return Refusal("does_not_fit", f"{face} does not go there", _place_name(target))

    def _play(self, seat: int, move: Step) -> Applied:
        board = self.boards[seat]
        events: list[Event] = []
        self.steps += 1
        if move.verb == "stop":
            board.status = "stopped"
        else:
            board.moves += 1
            private = {"move": move.text, **self._make(seat, board, move)}
            board.open = board.find_moves(self.options.from_base)
            board.status = self._status(board)
            events.append(Event("board_changed", seat, board.numbers_json(), {seat: private}))
        if board.status == "playing":
            return Applied(move.text, events, False)
        board.finished = self.steps
        events.append(Event("seat_finished", seat, {"status": board.status}))
        self._close(seat, events)
        return Applied(move.text, events)

    def _make(self, seat: int, board: Board, move: Step) -> dict[str, Any]:
        """Carry out a move of a board, not `stop`; what there is to animate for its seat."""
        if move.verb == "draw":
            return {"cards": FR52.show(board.draw(self.options.draw_size))}
        if move.verb == "recycle":
            board.recycle(self.options.draw_size)
            return {}
        if move.verb == "undo":
            moved = board.take_back()
            source, target = moved.target, moved.source
        else:
            moved = board.move(move.key)
            source, target = moved.source, moved.target
            if target == _BASE:
                board.last_base = self.steps
            if moved.turned is not None:
                board.trail.clear()
            elif self.options.undo:
                board.trail.append(moved)
        return {
            "cards": FR52.show(
                board.columns[target - 1][-moved.number :] if target < _WASTE else [moved.card]
            ),
            "from": _zone_id(seat, source, moved.card),
            "to": _zone_id(seat, target, moved.card),
            "turned": None if moved.turned is None else FR52.faces[moved.turned],
        }

    def _status(self, board: Board) -> str:
        """What has become of a board after a move of its seat."""
        options = self.options
        if board.bases == _WHOLE:
            return "complete"
        if not board.open and board.is_stalled(options.draw_size, self._may_recycle(board)):
            return "stalled"
        return "stopped" if board.moves >= options.max_moves else "playing"

    def _close(self, seat: int, events: list[Event]) -> None:
        """The seat plays no more in this deal."""
        self.playing = tuple(other for other in self.playing if other != seat)
        if not self.playing:
            self._end_hand(events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        self._score(0, events)
        options = self.options
        if not self.tie_break and self.hand < options.hands:
            self.hand += 1
        else:
            outcome = verdict(
                self._standing(),
                tie_break=self.tie_break,
                tie_hands=_TIE_HANDS,
                ko_order=self._ko_order() if options.ko else None,
            )
            if outcome:
                if self.gone:
                    last = options.seats
                    places = [last if n in self.gone else place for n, place in enumerate(outcome.places)]
                    outcome = outcome._replace(places=tuple(places))
                self._end_match(outcome, events)
                return
            self.tie_break += 1
        self.phase = "deal"

    def _standing(self) -> list[int]:
        """What ranks the seats: points, then cards on the bases, then fewer moves; who has left is last."""
        standing = []
        for seat, score in enumerate(self.scores):
            value = score << 64 | self.match_cards[seat] << 32 | (1 << 32) - 1 - self.match_moves[seat]
            standing.append(-1 if seat in self.gone else value)
        return standing

    def _ko_order(self) -> list[int]:
        """The later a card was moved to a base, the worse; without any, the later the game was finished."""
        boards = self.boards
        return sorted(range(len(boards)), key=lambda seat: (boards[seat].last_base, boards[seat].finished))

    def _score(self, extra: int, events: list[Event]) -> None:
        """Add the deal to the scores of those who have not left, and to each of these so much more."""
        total, cards, moves = ([0] * self.options.seats for _ in range(3))
        scores, match_cards, match_moves = list(self.scores), list(self.match_cards), list(self.match_moves)
        for seat in self._staying():
            board = self.boards[seat]
            total[seat] = board.points + extra
            cards[seat] = sum(board.bases)
            moves[seat] = board.moves
            scores[seat] += total[seat]
            match_cards[seat] += cards[seat]
            match_moves[seat] += moves[seat]
        self.hand_score = hand_score({"total": total, "cards": cards, "moves": moves})
        self.scores, self.match_cards, self.match_moves = scores, match_cards, match_moves
        data = {"hand_score": self._hand_score_json(), "scores": list(scores)}
        events.append(Event("hand_ended", None, data))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        """The scores of those who have left come down to the lowest of the others."""
        if self.gone:
            staying = [self.scores[seat] for seat in self._staying()]
            for seat in self.gone:
                self.scores[seat] = min([self.scores[seat], *staying])
        self.outcome = outcome
        self.phase = "over"
        self.playing = ()
        events.append(Event("match_ended", None, {**outcome.to_json(), "scores": list(self.scores)}))

    # ------------------------------------------------------------- 6. time-out and abandonment

    def timeout_move(self, seat: int) -> str:
        """The end of the clock is no offence."""
        return _STOP.text

    def _may_abandon(self, seat: int) -> bool:
        return super()._may_abandon(seat) and seat not in self.gone

    def _abandon(self, seat: int) -> Applied:
        events = [Event("seat_abandoned", seat, {})]
        self.gone = sorted((*self.gone, seat))
        is_open = self.phase == "play"
        if is_open:
            board = self.boards[seat]
            board.status = "abandoned"
            board.points = 0
            board.trail.clear()
        staying = self._staying()
        if len(staying) < 2:
            if is_open:
                self._score(_EXTRA, events)
            places = tuple(
                1 if other in staying else self.options.seats for other in range(self.options.seats)
            )
            winner = staying[0] if staying else None
            self._end_match(Outcome(winner, places, "abandon", seat), events)
        elif is_open:
            self._close(seat, events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        """What a seat does on its board; that it stops is seen by everybody."""
        return text not in (_STOP.text, "abandon")

    @property
    def whole_deck_shown(self) -> bool:
        return self.phase != "play" and bool(self.shuffled)

    def openings(self, viewer: int | None) -> Sequence[int]:
        if self.phase != "play":
            return list(range(len(self.shuffled)))
        if viewer is None or viewer in self.gone:
            return ()
        seen = self.boards[viewer].seen()
        return [place for place, card in enumerate(self.shuffled) if seen >> card & 1]

    def public_view(self) -> View:
        zones: list[Zone] = []
        if self.phase == "play":
            boards = [board.numbers_json() for board in self.boards]
        else:
            boards = [board.whole_json() for board in self.boards]
            for seat, board in enumerate(self.boards):
                zones += board.zones(seat, True)
        facts = {
            "boards": boards,
            "match_cards": list(self.match_cards),
            "match_moves": list(self.match_moves),
        }
        prompts = [Prompt(self.playing, "play_solitaire", _PROMPT)] if self.playing else []
        return self._view(zones, prompts, [], facts)

    def own_view(self, seat: int) -> View:
        if self.phase != "play" or seat in self.gone:
            return self._view([], [], [], {})
        boards = [board.numbers_json() for board in self.boards]
        boards[seat] = self.boards[seat].own_json()
        return self._view(self.boards[seat].zones(seat, False), [], self.legal(seat), {"boards": boards})

    # ------------------------------------------------------------------- 10. positions, snapshots

    def copy(self) -> Self:
        new = self._copy()
        new.boards = [board.copy() for board in self.boards]
        new.playing = self.playing
        new.gone = self.gone
        new.match_cards = self.match_cards
        new.match_moves = self.match_moves
        new.steps = self.steps
        new.shuffled = self.shuffled
        new.void_deals = self.void_deals
        return new

    def to_json(self) -> dict[str, Any]:
        return {
            **self._common_json(),
            "boards": [board.to_json() for board in self.boards],
            "gone": list(self.gone),
            "match_cards": list(self.match_cards),
            "match_moves": list(self.match_moves),
            "steps": self.steps,
            "shuffled": FR52.show(self.shuffled),
            "void_deals": self.void_deals,
        }

    @classmethod
    def from_json(cls, options: SolitarioOptions, json: Mapping[str, Any]) -> Self:
        state = cls._begin_from(options, json)
        seats = options.seats
        boards = [Board.from_json(board) for board in json.get("boards", [{}])]
        if len(boards) not in (1, seats):
            raise PositionError("boards", f"must be {seats}, or one for all")
        state.boards = boards if len(boards) == seats else [boards[0].copy() for _ in range(seats)]
        for board in state.boards:
            board.look(options.from_base)
        state.gone = list(json.get("gone", []))
        state.match_cards = list(json.get("match_cards", state.match_cards))
        state.match_moves = list(json.get("match_moves", state.match_moves))
        if not len(state.match_cards) == len(state.match_moves) == seats:
            raise PositionError("match_cards", f"match_cards and match_moves must be {seats} numbers")
        state.steps = json.get("steps", 0)
        state.shuffled = bytes(FR52.read(json.get("shuffled", [])))
        state.void_deals = json.get("void_deals", 0)
        if state.phase == "play":
            if "boards" not in json:
                raise PositionError("boards", "must be given")
            state.playing = tuple(n for n, board in enumerate(state.boards) if board.status == "playing")
            if not state.playing:
                raise PositionError("boards", "somebody plays while the deal runs")
        elif state.phase not in ("deal", "over"):
            raise PositionError("phase", "is none of this game")
        return state


SOLITARIO = Game(
    id="solitario",
    names={"it": "Solitario", "en": "Klondike"},
    deck=FR52,
    direction=None,
    rules_version=1,
    specs=(
        seats_spec(2, tuple(range(1, 11))),
        match_spec("hands", ("hands",)),
        hands_spec(1, 10),
        OptionSpec(
            "draw_size",
            "choice",
            3,
            {"it": "Carte girate per volta", "en": "Cards turned at a time"},
            choices=(1, 3),
        ),
        OptionSpec(
            "max_recycles",
            "int",
            None,
            {"it": "Quante volte si rigira il mazzetto", "en": "How often the mazzetto may be turned over"},
            low=0,
            high=99,
            nullable=True,
        ),
        flag_spec("from_base", True, "Si può tornare dalle basi", "Cards may come back from a base"),
        flag_spec("undo", True, "Si può annullare", "Moves may be taken back"),
        OptionSpec(
            "max_moves",
            "int",
            1000,
            {"it": "Mosse al massimo", "en": "Most moves"},
            low=100,
            high=10_000,
        ),
        KO,
    ),
    options_type=SolitarioOptions,
    state_type=Solitario,
    no_dealer=True,
)
