"""Solitario (solitario.md): Klondike as a race of one to ten seats on one deal; the deck `fr52`."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from services.rules.core.cards import FR52
from services.rules.core.chance import Shuffle, check_order
from services.rules.core.course import Course
from services.rules.core.errors import PositionError, Refusal
from services.rules.core.game import Game
from services.rules.core.match import Outcome, verdict
from services.rules.core.moves import Applied, Event
from services.rules.core.view import Prompt, View, Zone
from services.rules.games.solitario_board import Board
from services.rules.games.solitario_moves import (
    BASE,
    DRAW,
    RECYCLE,
    STOP,
    UNDO,
    WASTE,
    Step,
    card_steps,
    place_name,
    steps_by_text,
    zone_id,
)
from services.rules.games.solitario_options import SOLITARIO_SPECS, SolitarioOptions
from services.rules.games.solitario_shown import (
    board_json,
    board_zones,
    numbers_json,
    own_json,
    read_board,
    whole_json,
)

_TIE_HANDS = 1
_EXTRA = 10  # what the last seat gets when all others have left: one card on a base
_PROMPT = {"it": "Muovi una carta o pesca", "en": "Move a card, or draw"}


class Solitario(Course[Step]):
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
        self.boards = [Board(options)] * options.seats  # the same empty one until the first deal
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
        board = Board.dealt(self.options, deck)
        if not board.has_scoring_move:
            self.void_deals += 1
            return [Event("deal_voided", None, {})]
        self.void_deals = 0
        self.shuffled = deck
        self.steps = 0
        self.phase = "play"
        self.playing = self._staying()
        for seat in self.gone:
            self.boards[seat] = Board(self.options)
            self.boards[seat].status = "abandoned"
        first, *others = self.playing
        self.boards[first] = board
        for seat in others:
            self.boards[seat] = board.copy()
        seen = {
            "columns": [FR52.faces[column[-1]] for column in board.columns],
            "waste": FR52.show(board.waste),
        }
        private = dict.fromkeys(self.playing, seen)
        return [Event("hand_dealt", None, {"seats": list(self.playing)}, private)]

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
        with_cards = card_steps(seat)
        moves = [with_cards[key] for key in board.open]
        if board.stock:
            moves.append(DRAW)
        elif board.waste and board.may_recycle:
            moves.append(RECYCLE)
        if board.trail:
            moves.append(UNDO)
        moves.append(STOP)
        return moves

    def _read(self, seat: int, text: str) -> Step | None:
        return steps_by_text(seat).get(text)

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
                if not board.may_recycle:
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
        card, target = move.key >> 4, move.key & 15
        place = board.lies[card]
        if not place and board.is_top_of_base(card):
            return Refusal("not_allowed", "a base keeps its cards at this table", face)
        if not place:
            return Refusal("not_available", f"{face} is not where a card can be moved from", face)
        if target == BASE and place < WASTE and board.columns[place - 1][-1] != card:
            return Refusal("not_available", f"other cards lie on {face}", face)
        return Refusal("does_not_fit", f"{face} does not go there", place_name(target))

    def _play(self, seat: int, move: Step) -> Applied:
        board = self.boards[seat]
        events: list[Event] = []
        self.steps += 1
        if move is STOP:
            board.status = "stopped"
        else:
            board.moves += 1
            seen = self._make(seat, board, move)
            board.update()
            events.append(Event("board_changed", seat, numbers_json(board), {seat: seen}))
        if board.status == "playing":
            return Applied(move.text, events, False)
        board.finished = self.steps
        events.append(Event("seat_finished", seat, {"status": board.status}))
        self._close(seat, events)
        return Applied(move.text, events)

    def _make(self, seat: int, board: Board, move: Step) -> dict[str, Any]:
        """Carry out a move of a board, not `stop`; what its seat sees of it, to animate."""
        if move is DRAW:
            return {"move": move.text, "cards": FR52.show(board.draw())}
        if move is RECYCLE:
            board.recycle()
            return {"move": move.text}
        if move is UNDO:
            moved = board.take_back()
            source, target = moved.target, moved.source
        else:
            moved = board.move(move.key)
            source, target = moved.source, moved.target
            if target == BASE:
                board.last_base = self.steps
        faces, card = FR52.faces, moved.card
        return {
            "move": move.text,
            "cards": (
                [faces[card]] if moved.number == 1 else FR52.show(board.columns[target - 1][-moved.number :])
            ),
            "from": zone_id(seat, source, card),
            "to": move.target or zone_id(seat, target, card),
            "turned": None if moved.turned is None else faces[moved.turned],
        }

    def _close(self, seat: int, events: list[Event]) -> None:
        """The seat plays no more in this deal."""
        self.playing = tuple([other for other in self.playing if other != seat])
        if not self.playing:
            self._end_hand(events)

    # ---------------------------------------------------------------- 4. and 5. end of hand, match

    def _end_hand(self, events: list[Event]) -> None:
        self._count(0, events)
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

    def _count(self, extra: int, events: list[Event]) -> None:
        """Add the deal to the scores of those who have not left, and to each of these so much more."""
        seats = self.options.seats
        total, cards, moves = [0] * seats, [0] * seats, [0] * seats
        for seat in self._staying():
            board = self.boards[seat]
            total[seat] = board.points + extra
            cards[seat] = sum(board.bases)
            moves[seat] = board.moves
        self._add_total({"total": total, "cards": cards, "moves": moves})
        self.match_cards = [before + more for before, more in zip(self.match_cards, cards, strict=True)]
        self.match_moves = [before + more for before, more in zip(self.match_moves, moves, strict=True)]
        events.append(Event("hand_ended", None, self._scored_json()))

    def _end_match(self, outcome: Outcome, events: list[Event]) -> None:
        """Those who have left are last, and their scores come down to the lowest of the others."""
        if self.gone:
            staying = [self.scores[seat] for seat in self._staying()]
            ranking = list(outcome.places)
            for seat in self.gone:
                self.scores[seat] = min([self.scores[seat], *staying])
                ranking[seat] = self.options.seats
            outcome = outcome._replace(places=tuple(ranking))
        self.playing = ()
        super()._end_match(outcome, events)

    # ------------------------------------------------------------- 6. time-out and abandonment

    def timeout_move(self, seat: int) -> str:
        """The end of the clock is no offence."""
        return STOP.text

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
                self._count(_EXTRA, events)
            winner = staying[0] if staying else None
            self._end_match(Outcome(winner, (1,) * self.options.seats, "abandon", seat), events)
        elif is_open:
            self._close(seat, events)
        return Applied("abandon", events)

    # ---------------------------------------------------------------------- 7. hidden information

    def sealed(self, seat: int, text: str) -> bool:
        """What a seat does on its board; that it stops is seen by everybody."""
        return text not in (STOP.text, "abandon")

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
            boards = [numbers_json(board) for board in self.boards]
        else:
            boards = [whole_json(board) for board in self.boards]
            for seat, board in enumerate(self.boards):
                zones += board_zones(board, seat, True)
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
        boards = [numbers_json(board) for board in self.boards]
        boards[seat] = own_json(self.boards[seat])
        return self._view(
            board_zones(self.boards[seat], seat, False), [], self.legal(seat), {"boards": boards}
        )

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
            "boards": [board_json(board) for board in self.boards],
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
        boards = [read_board(options, board) for board in json.get("boards", [{}])]
        if len(boards) not in (1, seats):
            raise PositionError("boards", f"must be {seats}, or one for all")
        state.boards = boards if len(boards) == seats else [boards[0].copy() for _ in range(seats)]
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
    specs=SOLITARIO_SPECS,
    options_type=SolitarioOptions,
    state_type=Solitario,
    no_dealer=True,
)
