"""A board of solitario (solitario.md, sections 2 to 4): what lies where, what may move and what it brings.

Places and keys of moves are those of `solitario_moves`.
"""

from typing import NamedTuple, Self

from services.rules.core.cards import as_set
from services.rules.games.solitario_cards import (
    COLUMNS,
    END_OF_COLUMN,
    GOING_ON,
    KINGS,
    NO_CARD,
    RANK,
    RANKS,
    SUIT,
    SUITS,
)
from services.rules.games.solitario_moves import BASE, WASTE
from services.rules.games.solitario_options import SolitarioOptions

_DEALT = tuple((n * (n + 1) // 2, (n + 1) * (n + 2) // 2) for n in range(COLUMNS))
_LAID_OUT = _DEALT[-1][1]
_WHOLE = [RANKS] * SUITS  # the bases of a board that is complete

# What the steps are worth (section 4).
_TO_BASE = 10
_WASTE_TO_COLUMN = 5
_TURNED_UP = 5
_FROM_BASE = -15
_RECYCLE_ONE = -100
_RECYCLE_THREE = -20
_FREE_RECYCLES = 2  # with three cards at a time


class Moved(NamedTuple):
    """A move of cards (the lowest is `card`) from one place of a board to another; the points before it, and
    the card that it turned up."""

    card: int
    number: int
    source: int
    target: int
    points: int
    turned: int | None


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
        "options",
        "points",
        "recycles",
        "status",
        "stock",
        "trail",
        "waste",
    )

    def __init__(self, options: SolitarioOptions) -> None:
        self.options = options
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.down = [0] * COLUMNS  # how many cards of each column are covered
        self.bases = [0] * SUITS
        self.waste: list[int] = []
        self.stock = b""
        self.points = 0
        self.moves = 0
        self.recycles = 0
        self.status = "playing"
        self.trail: list[Moved] = []  # what can be taken back
        self.last_base = 0  # the step of the deal with which a card last went to a base
        self.finished = 0  # the step after which this board's game was finished
        self.lies = bytearray(NO_CARD + 1)  # the place of each available card, 0 of others
        self.open: list[int] = []  # the keys of the moves of a card that are legal now, ascending

    def copy(self) -> "Board":
        new = object.__new__(Board)
        new.options = self.options
        new.columns = [column.copy() for column in self.columns]
        new.down = self.down.copy()
        new.bases = self.bases.copy()
        new.waste = self.waste.copy()
        new.stock = self.stock
        new.points = self.points
        new.moves = self.moves
        new.recycles = self.recycles
        new.status = self.status
        new.trail = self.trail.copy()
        new.last_base = self.last_base
        new.finished = self.finished
        new.lies = self.lies.copy()
        new.open = self.open  # made anew after a move, never changed
        return new

    # --------------------------------------------------------------------------------- 2. deal

    @classmethod
    def dealt(cls, options: SolitarioOptions, deck: bytes) -> Self:
        """The layout from which all seats start."""
        board = cls(options)
        board.columns = [list(deck[first:last]) for first, last in _DEALT]
        board.down = list(range(COLUMNS))
        for n, column in enumerate(board.columns, 1):
            board.lies[column[-1]] = n
        board.stock = deck[_LAID_OUT:]
        board.draw()
        board.open = board.find_moves()
        return board

    @property
    def has_scoring_move(self) -> bool:
        """Whether a move of a card that is legal now is worth points."""
        return any(self._worth(key >> 4, key & 15) > 0 for key in self.open)

    # --------------------------------------------------------------------------------- 3. play

    def look(self) -> None:
        """Find where the available cards lie, and what may be moved."""
        self.lies = bytearray(NO_CARD + 1)
        for n, column in enumerate(self.columns):
            for card in column[self.down[n] :]:
                self.lies[card] = n + 1
        for card in self.waste[-1:]:
            self.lies[card] = WASTE
        for suit in range(SUITS):
            self._show_base(suit)
        self.open = self.find_moves()

    def find_moves(self) -> list[int]:
        """The keys of the legal moves of a card, ascending."""
        lies, bases = self.lies, self.bases
        found, empty = [], []
        if self.waste:
            top = self.waste[-1]
            if bases[SUIT[top]] == RANK[top]:
                found.append(top * 16 + BASE)
        for n, column in enumerate(self.columns, 1):
            if not column:
                empty.append(n)
                continue
            one, other, suit, rank = END_OF_COLUMN[column[-1]]
            if bases[suit] == rank:
                found.append(column[-1] * 16 + BASE)
            if lies[one] and lies[one] != n:
                found.append(one * 16 + n)
            if lies[other] and lies[other] != n:
                found.append(other * 16 + n)
        if empty:
            feet = [column[0] for column in self.columns if column]
            found += [king * 16 + n for king in KINGS if lies[king] and king not in feet for n in empty]
        found.sort()
        return found

    def is_top_of_base(self, card: int) -> bool:
        """Whether a card lies on top of its base, available or not."""
        return self.bases[SUIT[card]] == RANK[card] + 1

    def _worth(self, card: int, target: int) -> int:
        """The points of a legal move of a card."""
        source = self.lies[card]
        if source == BASE:
            return _FROM_BASE
        if source == WASTE:
            return _TO_BASE if target == BASE else _WASTE_TO_COLUMN
        points = _TO_BASE if target == BASE else 0
        covered = self.down[source - 1]
        return points + _TURNED_UP if covered and self.columns[source - 1][covered] == card else points

    def move(self, key: int) -> Moved:
        """Make a legal move of a card."""
        card, target = key >> 4, key & 15
        source, before = self.lies[card], self.points
        self.points = max(0, before + self._worth(card, target))
        number, turned = 1, None
        if source >= WASTE:
            self._carry(card, 1, source, target)
        else:
            column, covered = self.columns[source - 1], self.down[source - 1]
            number = len(column) - column.index(card, covered)
            self._carry(card, number, source, target)
            if covered and covered == len(column):
                turned = column[-1]
                self.down[source - 1] = covered - 1
                self.lies[turned] = source
        moved = Moved(card, number, source, target, before, turned)
        if turned is not None:
            self.trail.clear()
        elif self.options.undo:
            self.trail.append(moved)
        return moved

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
        if source == WASTE:
            self.waste.pop()
            if self.waste:
                lies[self.waste[-1]] = WASTE
        elif source == BASE:
            self.bases[SUIT[card]] -= 1
            self._show_base(SUIT[card])
        else:
            column = self.columns[source - 1]
            cards = column[-number:]
            del column[-number:]
        if target == WASTE:
            if self.waste:
                lies[self.waste[-1]] = 0
            self.waste.append(card)
        elif target == BASE:
            if RANK[card]:
                lies[card - 1] = 0
            self.bases[SUIT[card]] += 1
            self._show_base(SUIT[card])
            return
        else:
            self.columns[target - 1] += cards
        for each in cards:
            lies[each] = target

    def _show_base(self, suit: int) -> None:
        """The top card of a base is available, where bases do not keep their cards."""
        top = self.bases[suit] - 1
        if top >= 0:
            self.lies[suit * RANKS + top] = BASE if self.options.from_base else 0

    def draw(self) -> bytes:
        """Turn the next cards of the stock: these."""
        size = self.options.draw_size
        turned = self.stock[:size]
        self.stock = self.stock[size:]
        if self.waste:
            self.lies[self.waste[-1]] = 0
        self.waste += turned
        self.lies[turned[-1]] = WASTE
        self.trail.clear()
        return turned

    @property
    def may_recycle(self) -> bool:
        """Whether there are recycles left."""
        most = self.options.max_recycles
        return most is None or self.recycles < most

    def recycle(self) -> None:
        """The mazzetto becomes the stock."""
        self.lies[self.waste[-1]] = 0
        self.stock = bytes(self.waste)
        self.waste.clear()
        self.trail.clear()
        self.recycles += 1
        if self.options.draw_size == 1:
            self.points = max(0, self.points + _RECYCLE_ONE)
        elif self.recycles > _FREE_RECYCLES:
            self.points = max(0, self.points + _RECYCLE_THREE)

    def update(self) -> None:
        """After a move of its seat: what may be moved now, and what has become of the game."""
        self.open = self.find_moves()
        if self.bases == _WHOLE:
            self.status = "complete"
        elif not self.open and self._is_stalled():
            self.status = "stalled"
        elif self.moves >= self.options.max_moves:
            self.status = "stopped"

    def _is_stalled(self) -> bool:
        """Whether, where nothing can be moved, nothing could be after any draws, and there is nothing to take
        back."""
        if self.trail:
            return False
        wanted = {suit * RANKS + n for suit, n in enumerate(self.bases) if n < RANKS}
        for column in self.columns:
            wanted.update(GOING_ON[column[-1]] if column else KINGS)
        pile = bytes(self.waste) + self.stock
        size = self.options.draw_size
        heights = [*range(len(self.waste) + size, len(pile), size)]
        if self.may_recycle:
            heights += range(size, len(pile), size)
        if self.stock or (self.may_recycle and pile):
            heights.append(len(pile))
        return not any(pile[height - 1] in wanted for height in heights)

    # ---------------------------------------------------------------------- 7. what its seat sees

    def seen(self) -> int:
        """The set of cards that its seat sees."""
        cards = [card for n, column in enumerate(self.columns) for card in column[self.down[n] :]]
        return as_set((*cards, *self.waste, *self.on_bases()))

    def on_bases(self) -> list[int]:
        """The cards that lie on the bases."""
        return [suit * RANKS + rank for suit, n in enumerate(self.bases) for rank in range(n)]
