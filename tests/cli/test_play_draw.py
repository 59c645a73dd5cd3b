"""What the terminal client draws, from views alone: also those of a game that it has never heard of."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from rich.text import Text
from tavolo.common.v1.money_pb2 import Money
from tavolo.table.v1.view_pb2 import (
    TABLE_STATE_COVER,
    TABLE_STATE_PLAY,
    TABLE_STATE_READY,
    CardGroup,
    Clocks,
    Event,
    LegalMove,
    OwnView,
    Prompt,
    PublicView,
    ScoreItem,
    Seat,
    SeatClock,
    TableInfo,
    TableUpdate,
    Zone,
)

from services.cli.play_draw import move_lines, question, table_lines
from services.cli.play_scene import Scene, clock_text
from services.cli.play_words import Words

INFO = TableInfo(
    match="mch_1",
    game="a_game_of_tomorrow",
    seats=[
        Seat(account="ply_a", nickname="Anna", side=0),
        Seat(account="ply_b", nickname="Beppe", side=1, computer=True),
    ],
    stake=Money(cents=100, currency="PLAY"),
    your_seat=0,
)
PUBLIC = PublicView(
    state=TABLE_STATE_PLAY,
    phase="play",
    hand=2,
    dealer=1,
    to_act=[0],
    zones=[
        Zone(id="hands.0", kind="hands", seat=0, layout="fan", hidden=True, count=2),
        Zone(id="hands.1", kind="hands", seat=1, layout="fan", hidden=True, count=3),
        Zone(id="middle", kind="middle", layout="row", cards=["Ks", "2d"], count=2),
        Zone(id="stock", kind="stock", layout="stack", hidden=True, count=17),
        Zone(
            id="melds",
            kind="melds",
            layout="melds",
            groups=[CardGroup(cards=["4h", "5h"]), CardGroup(cards=["X"])],
        ),
    ],
    prompts=[Prompt(seats=[0], code="choose", text_it="Scegli", text_en="Choose")],
    scores=[3, 12],
    facts=json.dumps({"trump": "d", "bids": [4, 5], "last_move": {"seat": 1}}),
    clocks=Clocks(
        seats=[
            SeatClock(left_ms=65_000, running=True, connected=True, bonus=True),
            SeatClock(left_ms=120_000),
        ],
        lead_in_ms=2_000,
    ),
)
OWN = OwnView(
    seat=0,
    zones=[Zone(id="hands.0", kind="hands", seat=0, layout="fan", cards=["7d", "Qc"], count=2)],
    moves=[
        LegalMove(text="lay 7d", verb="lay", cards=["7d"]),
        LegalMove(text="lay Qc", verb="lay", cards=["Qc"]),
        LegalMove(text="lay Qc 2d", verb="lay", cards=["Qc"]),
    ],
    turn=4,
)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def scene(update: TableUpdate, now: Clock, language: str = "en") -> Scene:
    made = Scene(Words(language), now)
    made.take(update)
    return made


@pytest.fixture
def now() -> Clock:
    return Clock()


def update(**changes: Any) -> TableUpdate:
    new = TableUpdate(table="tbl_1", version=5, public=PUBLIC, own=OWN, info=INFO)
    new.MergeFrom(TableUpdate(**changes))
    return new


def text(lines: Iterable[Text]) -> str:
    return "\n".join(line.plain for line in lines)


def test_the_table_of_an_unknown_game_is_drawn(now: Clock) -> None:
    drawn = text(table_lines(scene(update(), now)))
    for part in ("A Game Of Tomorrow", "hand 2", "stake 1.00", "Anna", "you", "Beppe", "dealer", "7♦ Q♣"):
        assert part in drawn
    assert "▒▒ ▒▒ ▒▒" in drawn  # the other hand: backs only
    assert "middle: K♠ 2♦" in drawn
    assert "stock: (17)" in drawn
    assert "4♥ 5♥  |  X" in drawn
    assert "trump d · bids 4 – 5" in drawn
    assert "last move" not in drawn


def test_what_is_played_for_is_shown_with_the_value_of_a_chip(now: Clock) -> None:
    drawn = text(table_lines(scene(update(info=TableInfo(chip=Money(cents=5, currency="PLAY"))), now)))
    assert "stake 1.00, chips of 0.05" in drawn


def test_while_a_hand_is_settled_its_score_is_shown_and_nothing_is_asked(now: Clock) -> None:
    public = PublicView(state=TABLE_STATE_COVER, hand_score=[ScoreItem(id="total", values=[3, -3])])
    made = scene(update(public=public), now)
    assert question(made).plain == "The hand is being settled…"
    assert "−3" in text(table_lines(made)) or "-3" in text(table_lines(made))


def test_melds_have_the_numbers_that_moves_call_them_by_and_columns_a_line_each(now: Clock) -> None:
    table = update(
        public=PublicView(
            zones=[
                Zone(id="melds.0", kind="melds", layout="melds", seat=0, cards=["4h", "5h", "6h"], count=3),
                Zone(id="melds.2", kind="melds", layout="melds", seat=0, cards=["Ks", "Kd", "Kc"], count=3),
                Zone(id="columns.0.1", kind="columns", layout="columns", seat=0, cards=["7d"], count=3),
                Zone(id="columns.0.2", kind="columns", layout="columns", seat=0, count=0),
                Zone(id="bases.0.0", kind="bases", layout="pile", seat=0, cards=["Ah", "2h"], count=2),
                Zone(id="bases.0.1", kind="bases", layout="pile", seat=0, count=0),
            ]
        )
    )
    drawn = text(table_lines(scene(table, now)))
    assert "melds: m0 4♥ 5♥ 6♥  |  m2 K♠ K♦ K♣" in drawn
    assert "column 1: ▒▒ ▒▒ 7♦" in drawn
    assert "column 2: –" in drawn
    assert "bases: 2♥ (2)  |  –" in drawn


def test_the_moves_have_numbers_and_the_question_is_the_games(now: Clock) -> None:
    made = scene(update(), now)
    assert text(move_lines(made, 200)).split() == ["1", "lay", "7d", "2", "lay", "Qc", "3", "lay", "Qc", "2d"]
    assert "Choose" in question(made).plain
    assert "Scegli" in question(scene(update(), now, "it")).plain


def test_of_very_many_moves_the_first_are_listed_and_one_shows_how_they_are_typed(now: Clock) -> None:
    giving = update()
    moves = [LegalMove(text=f"give 2h 3h {number}d", verb="give") for number in range(286)]
    giving.own.ClearField("moves")
    giving.own.moves.extend(moves)
    made = scene(giving, now)
    drawn = text(move_lines(made, 200))
    assert "60 give 2h 3h 59d" in drawn
    assert "61" not in drawn
    assert "226 more, typed like this: give 2h 3h 285d" in drawn
    assert made.move_of("286") == moves[285]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("1", "lay 7d"), ("3", "lay Qc 2d"), ("7d", "lay 7d"), ("Qc", None), ("4", None), ("0", None)],
)
def test_a_number_or_a_card_that_only_one_move_plays_is_a_move(
    typed: str, wanted: str | None, now: Clock
) -> None:
    found = scene(update(), now).move_of(typed)
    assert (found and found.text) == wanted


def test_a_running_clock_counts_down_after_its_lead_in_and_the_other_stands(now: Clock) -> None:
    made = scene(update(), now)
    running, standing = made.public.clocks.seats
    assert (made.left_ms(running), made.left_ms(standing)) == (65_000, 120_000)
    now.now += 1.5
    assert made.left_ms(running) == 65_000
    now.now += 10
    assert (made.left_ms(running), made.left_ms(standing)) == (55_500, 120_000)
    now.now += 1_000
    assert made.left_ms(running) == 0


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (120_000, "2:00"),
        (60_001, "1:01"),
        (10_000, "0:10"),
        (9_999, "10.0"),
        (9_900, "9.9"),
        (1, "0.1"),
        (0, "0.0"),
    ],
)
def test_clocks_are_shown_as_the_specification_says(ms: int, shown: str) -> None:
    assert clock_text(ms) == shown


def test_a_player_who_is_away_is_shown_with_the_grace_that_is_left(now: Clock) -> None:
    drawn = text(table_lines(scene(update(), now)))
    assert "away" in drawn
    assert "2:00" not in drawn  # Beppe is not connected


def test_between_hands_the_score_is_a_table_and_enter_goes_on(now: Clock) -> None:
    made = scene(
        update(
            public=PublicView(
                state=TABLE_STATE_READY,
                ready_wait_ms=15_000,
                hand_score=[ScoreItem(id="tricks", values=[2, 1]), ScoreItem(id="total", values=[2, 1])],
            )
        ),
        now,
    )
    drawn = text(table_lines(made))
    assert "tricks" in drawn
    assert "Score" in drawn
    assert made.wants_ready
    assert "Enter" in question(made).plain


def test_events_become_lines_with_names_and_unknown_ones_are_told_all_the_same(now: Clock) -> None:
    made = Scene(Words("en"), now)
    events = [
        Event(kind="card_played", seat=1, data='{"card": "Ks"}'),
        Event(kind="bid_made", seat=0, data='{"bid": 4}'),
    ]
    lines = made.take(update(public=PublicView(events=events)))
    assert [line.plain for line in lines] == ["Beppe plays Ks", "Anna bid made bid 4"]
    assert (
        made.take(update(public=PublicView(events=events))) == []
    )  # the same version again: nothing happened


def test_a_spectator_sees_no_moves_and_no_hand(now: Clock) -> None:
    watched = TableUpdate(table="tbl_1", version=5, public=PUBLIC, info=INFO)
    watched.info.ClearField("your_seat")
    made = scene(watched, now)
    assert made.seat is None
    assert not made.wants_ready
    assert move_lines(made, 80) == []
    assert "7♦" not in text(table_lines(made))
