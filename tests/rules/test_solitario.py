"""Solitario beyond its cases (solitario.md)."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.core.cards import FR52
from services.rules.core.chance import Shuffle
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.games.solitario import SOLITARIO
from tests.rules.strategies import as_json, faces, matches, start


def table(options: dict[str, Any] | None = None, *boards: dict[str, Any], **position: Any) -> State[Any]:
    given = {"seats": 1, **(options or {})}
    return SOLITARIO.from_json(SOLITARIO.options(given), {"boards": list(boards), **position})


def board(state: State[Any], seat: int = 0) -> dict[str, Any]:
    return state.to_json()["boards"][seat]  # type: ignore[no-any-return]


def texts(state: State[Any], seat: int = 0) -> list[str]:
    return [move.text for move in state.legal(seat)]


BUSY = {
    "columns": [["Kc", "Qh", "Jc"], ["9d", "5h"], ["8s", "6s"], ["Kd"], ["Th"]],
    "down": [0, 1, 1, 0, 0, 0, 0],
    "bases": ["3h", None, None, None],
    "stock": ["Ts"],
    "waste": ["2s", "As"],
}


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("move Th", "unparsable", ""),
        ("move Th 0", "unparsable", ""),
        ("move Th 8", "unparsable", ""),
        ("move Th 01", "unparsable", ""),
        ("move Th bases", "unparsable", ""),
        ("move 10h 1", "unparsable", ""),
        ("move  Th 1", "unparsable", ""),
        ("draw 3", "unparsable", ""),
        ("play Th", "unparsable", ""),
        ("move 2s base", "not_available", "2s"),
        ("move 9d 1", "not_available", "9d"),
        ("move Ts 1", "not_available", "Ts"),
        ("move 2h 1", "not_available", "2h"),
        ("move Kc base", "not_available", "Kc"),
        ("move Qh base", "not_available", "Qh"),
        ("move Jc base", "does_not_fit", "base"),
        ("move 3h base", "does_not_fit", "base"),
        ("move 3h 2", "does_not_fit", "2"),
        ("move Th 6", "does_not_fit", "6"),
        ("move Kc 6", "does_not_fit", "6"),
        ("move Jc 1", "does_not_fit", "1"),
        ("move As 1", "does_not_fit", "1"),
        ("recycle", "stock_not_empty", ""),
        ("undo", "nothing_to_undo", ""),
    ],
)
def test_a_refusal(text: str, code: str, where: str) -> None:
    refusal = table(None, BUSY).check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)


def test_a_base_that_keeps_its_cards_comes_before_what_does_not_fit() -> None:
    state = table({"from_base": False, "undo": False}, BUSY)
    for text in ("move 3h base", "move 3h 1", "undo"):
        refusal = state.check(0, text)
        assert refusal is not None
        assert refusal.code == "not_allowed"


def test_a_knock_out_table_has_two_seats() -> None:
    assert SOLITARIO.options({"ko": True})
    for seats in (1, 3):
        with pytest.raises(OptionsError, match="ko"):
            SOLITARIO.options({"seats": seats, "ko": True})
    assert SOLITARIO.options({"max_recycles": None}) == SOLITARIO.options({})


@pytest.mark.parametrize(
    "position",
    [
        {"boards": []},
        {"boards": [{}, {}, {}]},
        {},
        {"boards": [{"columns": [["Kc", "Kc"]]}]},
        {"boards": [{"columns": [["2h"]], "bases": ["3h", None, None, None]}]},
        {"boards": [{"bases": ["3d", None, None, None]}]},
        {"boards": [{"columns": [["Kc"]], "down": [1, 0, 0, 0, 0, 0, 0]}]},
        {"boards": [{"columns": [["Kc"]], "down": [0]}]},
        {"boards": [{"columns": [[]] * 8}]},
        {"boards": [{"points": -5}]},
        {"boards": [{"status": "asleep"}]},
        {"boards": [{"status": "stopped"}]},
        {"boards": [{"hands": []}]},
        {"boards": [{}], "phase": "drawn"},
        {"boards": [{}], "match_cards": [1]},
        {"boards": [{}], "scores": [1]},
    ],
)
def test_a_position_that_cannot_be(position: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        SOLITARIO.from_json(SOLITARIO.options({}), position)


def test_any_is_what_this_board_does_not_name() -> None:
    state = table({"seats": 2}, {"bases": ["Kh", "Kd", None, None], "stock": "any"}, {"stock": "any"})
    assert len(board(state, 0)["stock"]) == 26
    assert board(state, 1)["stock"] == list(FR52.texts)


def test_a_king_comes_back_from_its_base_to_an_empty_column() -> None:
    state = table(None, {"bases": ["Kh", None, None, None], "columns": [["2c"]], "points": 20})
    assert "move Kh 2" in texts(state)
    state.apply(0, "move Kh 2")
    assert (board(state)["points"], board(state)["bases"][0]) == (5, "Qh")
    assert "move Kh 3" not in texts(state)
    state.apply(0, "undo")
    assert (board(state)["points"], board(state)["bases"][0], board(state)["moves"]) == (20, "Kh", 2)


def test_moves_of_runs_and_of_the_mazzetto_are_taken_back_in_turn() -> None:
    first = {"columns": [["Kc"], ["Qh", "Jc"], ["Qd"]], "waste": ["5d", "Th"], "stock": ["2c"]}
    state = table(None, first)
    before = board(state)
    for text in ("move Th 2", "move Qh 1", "move Jc 3"):
        state.apply(0, text)
    assert board(state)["columns"][:3] == [["Kc", "Qh"], [], ["Qd", "Jc", "Th"]]
    for _ in range(3):
        state.apply(0, "undo")
    assert {**board(state), "moves": 0} == before


def test_points_of_an_undone_move_that_was_cut_off_at_zero() -> None:
    state = table(
        None, {"bases": ["2h", None, None, None], "columns": [["3s"]], "stock": ["9c"], "points": 5}
    )
    state.apply(0, "move 2h 1")
    assert board(state)["points"] == 0
    state.apply(0, "undo")
    assert board(state)["points"] == 5


@pytest.mark.parametrize(
    ("options", "cards", "status"),
    [
        ({}, {"stock": ["7c", "Th", "3h"]}, "playing"),  # the third comes to the top
        ({}, {"stock": ["3h", "Th", "7c"]}, "stalled"),  # the first never does
        ({"draw_size": 1}, {"stock": ["3h", "Th", "7c"]}, "playing"),
        ({}, {"waste": ["7c", "Th", "3h", "8h"], "stock": ["9c"]}, "playing"),  # after a recycle
        ({"max_recycles": 0}, {"waste": ["7c", "Th", "3h", "8h"], "stock": ["9c"]}, "stalled"),
        ({"max_recycles": 0}, {"waste": ["7c"], "stock": ["9c", "3h"]}, "playing"),  # fewer are left
        ({"max_recycles": 0}, {"waste": ["7c"], "stock": ["9c", "8h", "3h", "Td"]}, "playing"),
        ({"max_recycles": 0}, {"waste": ["7c"], "stock": ["9c", "3h", "8h", "Td"]}, "stalled"),
        ({"max_recycles": 0}, {"waste": ["3h", "7c"]}, "stalled"),
        ({"draw_size": 1}, {"waste": ["3h", "7c"]}, "playing"),
        ({}, {}, "stalled"),
    ],
)
def test_a_stall_counts_what_draws_and_recycles_can_bring(
    options: dict[str, Any], cards: dict[str, Any], status: str
) -> None:
    """Of the cards given only 3h goes anywhere, on 4s; the move turns a card up: nothing can be undone."""
    columns = [["Kc"], ["9d", "Qd"], ["4s"], ["2d"], ["2c"], ["6h"], ["6s"]]
    state = table(options, {"columns": columns, "down": [0, 1, 0, 0, 0, 0, 0], **cards})
    state.apply(0, "move Qd 1")
    assert board(state)["status"] == status
    assert state.over == (status == "stalled")


def test_the_end_of_a_seats_game_ends_its_turn() -> None:
    state = table({"seats": 2}, BUSY)
    assert state.timeout_move(0) == "stop"
    assert not state.apply(1, "draw").turn_ended
    applied = state.apply(1, "stop")
    assert applied.turn_ended
    assert (board(state, 1)["status"], board(state, 1)["moves"]) == ("stopped", 1)
    assert state.to_act == (0,)
    assert [state.sealed(0, text) for text in ("draw", "move As base", "stop")] == [True, True, False]


def test_who_leaves_has_lost_and_the_others_play_on() -> None:
    boards = [{**BUSY, "points": points} for points in (300, 20, 40)]
    state = table({"seats": 3, "hands": 2}, *boards, scores=[500, 10, 0])
    state.apply(0, "abandon")
    refusal = state.check(0, "abandon")
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    assert (state.over, state.to_act) == (False, (1, 2))
    assert state.view(0).facts["boards"][0] == {"points": 0, "moves": 0, "status": "abandoned", "bases": 3}
    state.apply(1, "stop")
    state.apply(2, "stop")
    assert (state.phase, state.scores, state.hand) == ("deal", [500, 30, 40], 2)
    assert state.hand_score == {"total": (0, 20, 40), "cards": (0, 3, 3), "moves": (0, 0, 0)}
    order = start(SOLITARIO, state.options, 1)
    while state.needs_chance:
        state.supply(order.rng.sample(range(52), 52))
    assert (state.to_act, board(state, 0)["columns"], board(state, 0)["status"]) == (
        (1, 2),
        [[]] * 7,
        "abandoned",
    )
    state.apply(1, "stop")
    state.apply(2, "abandon")
    assert state.outcome is not None
    assert state.outcome.to_json() == {
        "winner": 1, "places": [3, 1, 3], "ended_by": "abandon", "offender": 2,
    }  # fmt: skip
    assert state.scores == [40, 40, 40]


def test_leaving_may_close_the_last_deal() -> None:
    boards = [{**BUSY, "points": points} for points in (300, 20, 40)]
    state = table({"seats": 3}, *boards, scores=[500, 0, 0])
    state.apply(1, "stop")
    state.apply(2, "stop")
    state.apply(0, "abandon")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.places) == (2, (3, 2, 1))
    assert (state.outcome.ended_by, state.outcome.offender) == ("score", None)
    assert state.scores == [20, 20, 40]


def test_alone_and_gone() -> None:
    state = table(None, {**BUSY, "points": 30})
    state.apply(0, "abandon")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.offender, state.scores) == (None, 0, [0])


@pytest.mark.parametrize("draw_size", [1, 3])
def test_the_deal_keeps_its_promise(draw_size: int) -> None:
    """Of 500 shuffles some are thrown back: just those without a move of section 3 that is worth points."""
    rng = Random(draw_size)  # noqa: S311  the same deals every time
    voided = 0
    for _ in range(500):
        state = SOLITARIO.start(SOLITARIO.options({"seats": 1, "draw_size": draw_size}), 0)
        deck = rng.sample(FR52.texts, 52)
        (event,) = state.supply([FR52.number[card] for card in deck])
        laid = as_dealt(deck, draw_size)
        if event.kind == "deal_voided":
            voided += 1
            assert (state.phase, state.to_act, event.data) == ("deal", (), {})
            assert state.needs_chance == Shuffle(FR52.texts, "redeal")
            assert most_points(laid) == 0
            continue
        dealt = board(state)
        assert (state.phase, {key: dealt[key] for key in laid}) == ("play", laid)
        listed = [move for move in state.legal(0) if move.verb == "move"]
        brought = []
        for move in listed:
            after = state.copy()
            after.apply(0, move)
            brought.append(board(after)["points"])
        assert max(brought) == most_points(laid) > 0
    assert 10 < voided < 80


def as_dealt(deck: list[str], draw_size: int) -> dict[str, Any]:
    """Section 2, word by word."""
    cards = iter(deck)
    columns = [[next(cards) for _ in range(n)] for n in range(1, 8)]
    waste = [next(cards) for _ in range(draw_size)]
    return {
        "columns": columns,
        "down": [0, 1, 2, 3, 4, 5, 6],
        "bases": [None] * 4,
        "waste": waste,
        "stock": list(cards),
    }


def most_points(laid: dict[str, Any]) -> int:
    """Of the moves of a board as dealt the most that one is worth (section 4); 0 without any."""
    most = 0
    for text in plain_moves(laid, from_base=True):
        _, card, target = text.split()
        if card in laid["waste"]:
            points = 10 if target == "base" else 5
        else:
            points = 10 * (target == "base") + 5 * (card not in laid["columns"][0])
        most = max(most, points)
    return most


@given(data=st.data())
@settings(max_examples=60)
def test_every_board_is_a_deck(data: st.DataObject) -> None:
    match = data.draw(matches(SOLITARIO))
    snapshot = match.state.to_json()
    for one in snapshot["boards"]:
        cards = Counter(card for column in one["columns"] for card in column)
        cards.update(one["waste"] + one["stock"])
        for top in one["bases"]:
            if top is not None:
                last = FR52.number[top]
                cards.update(FR52.faces[last - last % 13 : last + 1])
        assert cards in (Counter(), Counter(FR52.texts))


@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([None, 0, 1]), st.sampled_from([1, 3]))
@settings(max_examples=30)
def test_a_long_game_keeps_to_the_rules(
    seed: int, from_base: bool, max_recycles: int | None, draw_size: int
) -> None:
    """Moves are those of section 3, an undo restores the board, a stall is one."""
    options = {"seats": 1, "from_base": from_base, "max_recycles": max_recycles, "draw_size": draw_size}
    match = start(SOLITARIO, SOLITARIO.options(options), seed)
    while match.state.needs_chance:
        match.step()
    state = match.state
    for _ in range(150):
        one = board(state)
        if not state.to_act:
            assert one["status"] == "complete" or not can_go_on(one, from_base, max_recycles, draw_size)
            return
        listed = {text for text in texts(state) if text.startswith("move ")}
        assert listed == set(plain_moves(one, from_base))
        assert one["moves"] == 0 or one["trail"] or can_go_on(one, from_base, max_recycles, draw_size)
        text = match.rng.choice([text for text in texts(state) if text != "stop"])
        state.apply(0, text)
        if text.startswith("move ") and "undo" in texts(state):
            back = state.copy()
            back.apply(0, "undo")
            assert {**board(back), "moves": 0, "last_base": 0} == {**one, "moves": 0, "last_base": 0}


def can_go_on(one: dict[str, Any], from_base: bool, max_recycles: int | None, draw_size: int) -> bool:
    """Whether a card can be moved now or after draws and recycles, by trying."""
    waste, stock, recycles = list(one["waste"]), list(one["stock"]), one["recycles"]
    for _ in range(120):
        if plain_moves({**one, "waste": waste}, from_base):
            return True
        if stock:
            waste, stock = waste + stock[:draw_size], stock[draw_size:]
        elif waste and (max_recycles is None or recycles < max_recycles):
            waste, stock, recycles = [], waste, recycles + 1
        else:
            return False
    return False


def plain_moves(one: dict[str, Any], from_base: bool) -> list[str]:
    """Section 3, word by word."""
    red, ranks = "hd", "A23456789TJQK"
    sources = [(card, n) for n, column in enumerate(one["columns"]) for card in column[one["down"][n] :]]
    sources += [(card, 8) for card in one["waste"][-1:]]
    sources += [(top, 9) for top in one["bases"] if top and from_base]
    found = []
    for card, source in sources:
        rank = ranks.index(card[0])
        base = one["bases"]["hdcs".index(card[1])]
        is_last = source == 8 or (source < 8 and one["columns"][source][-1] == card)
        if is_last and rank == (ranks.index(base[0]) + 1 if base else 0):
            found.append(f"move {card} base")
        for n, column in enumerate(one["columns"]):
            if n == source:
                continue
            if not column:
                fits = rank == 12 and not (source < 8 and one["columns"][source][0] == card)
            else:
                last = column[-1]
                fits = rank + 1 == ranks.index(last[0]) and (card[1] in red) != (last[1] in red)
            if fits:
                found.append(f"move {card} {n + 1}")
    return found


@given(data=st.data())
@settings(max_examples=40)
def test_nobody_sees_a_board_of_another_while_the_race_runs(data: st.DataObject) -> None:
    state = data.draw(matches(SOLITARIO)).state
    if state.phase != "play":
        return
    assert list(faces(as_json([state.view(None).zones, state.view(None).facts]), SOLITARIO)) == []
    for seat in range(state.options.seats):
        view = state.view(seat)
        assert {zone.seat for zone in view.zones} <= {seat}
        others = [one for n, one in enumerate(view.facts["boards"]) if n != seat]
        assert all(one.keys() == {"points", "moves", "status", "bases"} for one in others)


def test_a_match_without_a_dealer_can_be_set_up_and_kept() -> None:
    state = table({"seats": 2}, BUSY)
    assert SOLITARIO.from_json(state.options, state.to_json()).to_json() == state.to_json()
