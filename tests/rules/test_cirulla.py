"""What the cases of cirulla do not reach (cirulla.md)."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.clock import LEAD_IN_DEAL_MS
from services.rules.core.cards import IT40, as_set
from services.rules.core.errors import OptionsError, PositionError
from services.rules.core.state import State
from services.rules.families.captures import VALUE
from services.rules.games.cirulla import CIRULLA, best_accuso

ORDER = [*range(40)]
MATTA = IT40.number["7c"]


def position(hands: str, table: str = "", json: dict[str, Any] | None = None, **options: Any) -> State[Any]:
    """Seat 0 to act: hands like "3s 4d 2b / 2s 4s Ab"; the other cards in the stock and seat 1's pile."""
    held = [hand.split() for hand in hands.split("/")]
    named = {*hands.split(), *table.split()}
    others = [face for face in IT40.faces if face not in named]
    given = {
        "dealer": 1,
        "hands": held,
        "table": table.split(),
        "stock": others[:6],
        "captured": [[], "any"],
        "last_capture": 1,
    }
    return CIRULLA.from_json(CIRULLA.options(options), {**given, **(json or {})})


def on_table(*faces: str) -> list[int]:
    """An order that deals these to the table of two seats."""
    cards = IT40.read(faces)
    others = [card for card in ORDER if card not in cards]
    return [*others[:6], *cards, *others[6:]]


def hand_of(state: State[Any], seat: int, viewer: int | None) -> Any:
    (found,) = (zone for zone in state.view(viewer).zones if zone.id == f"hands.{seat}")
    return found.count if found.cards is None else list(found.cards)


# -------------------------------------------------------------------------------------------- deal


@pytest.mark.parametrize("table", ["Kd Kc Ks 2d", "Ad Ac 5d 6d", "Ad Ac Ab As", "Kd Kc Kb Ks"])
def test_three_kings_or_two_aces_void_the_deal(table: str) -> None:
    state = CIRULLA.start(CIRULLA.options({}), 1)
    (event,) = state.supply(on_table(*table.split()))
    assert event.kind == "deal_voided"
    assert state.needs_chance is not None
    assert state.needs_chance.purpose == "redeal"
    assert state.public_view().facts["accusi"] == [0, 0]


@pytest.mark.parametrize("table", ["Kd Kc 2d 3d", "Ad 2c Kc Jd", "Ad 2c 4c 7d"])
def test_two_kings_or_one_ace_stay(table: str) -> None:
    state = CIRULLA.start(CIRULLA.options({}), 1)
    (event,) = state.supply(on_table(*table.split()))
    assert event.kind == "hand_dealt"
    assert state.to_json()["table"] == IT40.show_set(as_set(IT40.read(table.split())))


@pytest.mark.parametrize(("table", "scope"), [("2d 3d 4d 6c", 1), ("3c Jc Qc Kc", 2), ("7c 2b 5b As", 1)])
@pytest.mark.parametrize("dealer", [0, 1])
def test_a_table_of_fifteen_or_thirty_is_the_dealers(table: str, scope: int, dealer: int) -> None:
    state = CIRULLA.start(CIRULLA.options({"matta": True}), dealer)
    events = state.supply(on_table(*table.split()))
    assert [event.kind for event in events] == ["hand_dealt", "cards_captured"] + ["scopa_made"] * scope
    assert events[0].data["table"] == events[1].data["cards"]
    assert all(event.seat == dealer for event in events[1:])
    json = state.to_json()
    assert (json["scope"][dealer], json["last_capture"], json["table"]) == (scope, dealer, [])
    assert sorted(json["captured"][dealer]) == sorted(table.split())
    assert [len(pile) for pile in json["captured"]] == ([4, 0] if dealer == 0 else [0, 4])
    assert state.to_act == (1 - dealer,)


# -------------------------------------------------------------------------------------- captures


def sets_of(table: list[int], total: int) -> set[tuple[int, ...]]:
    return {
        cards
        for size in range(1, len(table) + 1)
        for cards in combinations(table, size)
        if sum(VALUE[card] for card in cards) == total
    }


@given(cards=st.lists(st.integers(0, 39), min_size=1, max_size=9, unique=True), ace_fifteen=st.booleans())
def test_what_a_card_takes(cards: list[int], ace_fifteen: bool) -> None:
    card, *rest = cards
    table, played = sorted(rest), IT40.faces[card]
    aces = {(other,) for other in table if VALUE[other] == 1}
    if VALUE[card] != 1:
        takes = sets_of(table, VALUE[card]) | sets_of(table, 15 - VALUE[card])
    elif aces:
        takes = aces | (sets_of(table, 14) if ace_fifteen else set())
    else:
        takes = {tuple(table)} if table else set()
    texts = [f"play {played} take {' '.join(IT40.show(taken))}" for taken in sorted(takes)]
    other = next(face for face in IT40.faces if IT40.number[face] not in cards)
    state = position(f"{played} / {other}", " ".join(IT40.show(table)), ace_fifteen=ace_fifteen)
    assert [move.text for move in state.legal(0)] == (texts or [f"play {played}"])


# ---------------------------------------------------------------------------------- declarations


@pytest.mark.parametrize("matta", [False, True])
def test_every_three_cards_declare_what_their_best_values_give(matta: bool) -> None:
    def declares(values: tuple[int, ...]) -> str | None:
        return "decino" if len(set(values)) == 1 else "cirulla" if sum(values) <= 9 else None

    for hand in combinations(range(40), 3):
        values = tuple(VALUE[card] for card in hand)
        if matta and MATTA in hand:
            others = tuple(VALUE[card] for card in hand if card != MATTA)
            possible = {declares((*others, value)) for value in range(1, 11)}
        else:
            possible = {declares(values)}
        best = next((accuso for accuso in ("decino", "cirulla") if accuso in possible), None)
        assert best_accuso(as_set(hand), matta) == best


def test_a_declaration_is_a_step_and_shows_the_cards() -> None:
    state = position("3s 4d 2b / 2s 4s Ab", "Qd Kd")
    assert [move.text for move in state.legal(0)][:2] == ["declare cirulla", "play 4d"]
    assert state.legal(0)[0].cards == ("4d", "2b", "3s")
    applied = state.apply(0, "declare cirulla")
    assert (applied.text, applied.turn_ended, applied.lead_in_ms) == ("declare cirulla", False, 0)
    (event,) = applied.events
    assert (event.kind, event.seat) == ("accuso_declared", 0)
    assert event.data == {"side": 0, "accuso": "cirulla", "points": 3, "cards": ["4d", "2b", "3s"]}
    assert state.to_act == (0,)
    facts = state.public_view().facts
    assert (facts["accusi"], facts["exposed"], facts["scope"]) == ([3, 0], [0], [0, 0])
    assert facts["last_move"]["move"] == "declare cirulla"
    for viewer in (None, 1):
        assert hand_of(state, 0, viewer) == ["4d", "2b", "3s"]
    assert hand_of(state, 1, None) == 3
    assert all(not move.text.startswith("declare") for move in state.legal(0))
    state.apply(0, "play 3s")
    assert hand_of(state, 0, None) == ["4d", "2b"]


def test_exposed_cards_may_be_opened_to_everybody() -> None:
    hands = IT40.read(["Ad", "Kd", "2d", "Kc", "3d", "Kb"])
    state = CIRULLA.start(CIRULLA.options({}), 1)
    state.supply([*hands, *(card for card in ORDER if card not in hands)])
    assert state.openings(None) == [6, 7, 8, 9]
    state.apply(0, "declare cirulla")
    assert state.openings(None) == [0, 2, 4, 6, 7, 8, 9]
    assert state.openings(1) == [*range(10)]


def test_with_the_next_deal_cards_are_covered_and_may_be_declared_again() -> None:
    json: dict[str, Any] = {
        "hands": [[], ["Kb"]], "to_act": [1], "exposed": [0], "accusi": [3, 0],
        "stock": ["2d", "6d", "Ad", "6c", "3d", "Qs"],
    }  # fmt: skip
    state = position("/ Kb", "Jd", json)
    applied = state.apply(1, "play Kb")
    assert applied.lead_in_ms == LEAD_IN_DEAL_MS
    assert applied.events[-1].data["hands"] == [3, 3]
    facts = state.public_view().facts
    assert (facts["accusi"], facts["exposed"]) == ([3, 0], [])
    assert state.check(0, "declare cirulla") is None


@pytest.mark.parametrize(
    ("hands", "json", "text", "code", "where"),
    [
        ("3s 4d / 2s 4s", {"exposed": [0]}, "declare cirulla", "wrong_phase", ""),
        ("3s 4d 2b / 2s 4s Ab", {"exposed": [0]}, "declare decino", "already_declared", ""),
        ("3s 4d 2b / 2s 4s Ab", {}, "declare decino", "not_an_accuso", "decino"),
        ("3s 3d 3b / 2s 4s Ab", {}, "declare cirulla", "not_an_accuso", "cirulla"),
        ("3s 4d 2b / 2s 4s Ab", {}, "declare napola", "unparsable", ""),
        ("3s 4d 2b / 2s 4s Ab", {}, "declare cirulla decino", "unparsable", ""),
        ("3s 4d 2b / 2s 4s Ab", {}, "play 3c", "not_in_hand", "3c"),
        ("3s 4d 7b / 2s 4s Ab", {}, "play 7b", "capture_required", "7b"),
        ("3s 4d 7b / 2s 4s Ab", {}, "play 7b take Jc", "not_on_table", "Jc"),
        ("3s 4d 7b / 2s 4s Ab", {}, "play 7b take Jd Jd", "not_on_table", "Jd"),
        ("3s 4d As / 2s 4s Ab", {}, "play As take Jd", "must_take_all", "Kd"),
        ("3s 4d 7b / 2s 4s Ab", {}, "play 7b take Kd", "not_a_capture", "Kd"),
    ],
)
def test_refusal(hands: str, json: dict[str, Any], text: str, code: str, where: str) -> None:
    state = position(hands, "Jd Kd", json)
    before = state.to_json()
    refusal = state.check(0, text)
    assert refusal is not None
    assert (refusal.code, refusal.where) == (code, where)
    assert refusal.text
    assert state.to_json() == before


# ------------------------------------------------------------------------- end of hand and match


def ended(mine: str, **json: Any) -> State[Any]:
    """The state after seat 1's last card of a hand; seat 0's pile is `mine`, nothing is left."""
    pile = mine.split()
    last = next(face for face in reversed(IT40.faces) if face not in pile)
    given = {"hands": [[], [last]], "to_act": [1], "stock": [], "captured": [pile, "any"]}
    state = position(f"/ {last}", "", {**given, **json})
    state.apply(1, f"play {last}")
    return state


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("Ad 2d", 0),
        ("Ad 2d 4d 5d 6d 7d", 0),
        ("2d 3d 4d 5d", 0),
        ("Ad 2d 3d", 3),
        ("Ad 2d 3d 5d", 3),
        ("Ad 2d 3d 4d", 4),
        ("Ad 2d 3d 4d 5d 7d", 5),
        ("Ad 2d 3d 4d 5d 6d 7d", 7),
        ("Ad 2d 3d 4d 5d 6d 7d Jd", 7),
    ],
)
def test_piccola(pile: str, points: int) -> None:
    score = ended(pile).hand_score
    assert score is not None
    assert score["piccola"] == (points, 0)


@pytest.mark.parametrize(("pile", "grande"), [("Jd Qd", (0, 0)), ("Jd Qd Kd", (5, 0)), ("Ad", (0, 5))])
def test_grande(pile: str, grande: tuple[int, int]) -> None:
    score = ended(pile).hand_score
    assert score is not None
    assert score["grande"] == grande


DENARI = "Ad 2d 3d 4d 5d 6d 7d Jd Qd"


def test_a_cappotto_ends_even_a_tie_break_hand_and_leaves_the_table() -> None:
    json = {"captured": [DENARI.split(), "any"], "scores": [30, 30], "tie_break": 2, "stock": []}
    state = position("Kc 2b / 3b 4b", "Kd 5c", json, match="hands", ko=True)
    applied = state.apply(0, "play Kc take Kd")
    assert [event.kind for event in applied.events] == [
        "card_played", "cards_captured", "hand_ended", "match_ended",
    ]  # fmt: skip
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.ended_by) == (0, "cappotto")
    assert (state.tie_break, state.legal(1), state.to_json()["table"]) == (2, [], ["5c"])
    assert not state.whole_deck_shown


def test_a_cappotto_with_the_very_last_card_leaves_the_rest_of_the_table() -> None:
    json = {"hands": [[], ["Kc"]], "to_act": [1], "captured": ["any", DENARI.split()], "stock": []}
    state = position("/ Kc", "Kd 6b", json)
    state.apply(1, "play Kc take Kd")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.places) == (1, (2, 1))
    assert state.to_json()["table"] == ["6b"]


def test_the_first_table_counts_as_the_last_capture() -> None:
    state = CIRULLA.start(CIRULLA.options({}), 1)
    state.supply(on_table("2d", "3d", "4d", "6c"))
    assert state.public_view().facts["last_capture"] == 1
    assert state.public_view().facts["last_move"] is None


def test_leaving_after_a_declaration_keeps_its_points() -> None:
    state = position("3s 4d 2b / 2s 4s Ab", "Qd Kd")
    state.apply(0, "declare cirulla")
    state.apply(1, "abandon")
    assert state.hand_score == {
        "scope": (0, 0), "accusi": (3, 0), "unassigned": (4, 0), "extra_scopa": (1, 0), "total": (8, 0),
    }  # fmt: skip
    assert hand_of(state, 0, None) == ["4d", "2b", "3s"]
    assert hand_of(state, 1, None) == 3


# ---------------------------------------------------------------------------- options, positions


def test_defaults_and_options_that_are_refused() -> None:
    json = CIRULLA.options_json(CIRULLA.options({}))
    assert (json["target"], json["target_rule"], json["matta"], json["ace_fifteen"]) == (
        51, "reach", False, False,
    )  # fmt: skip
    for field, value in (("matta", 1), ("open_partners", True), ("ace_scopa", True), ("seats", 3)):
        with pytest.raises(OptionsError) as refused:
            CIRULLA.options({field: value})
        assert refused.value.field == field


def test_only_seats_can_have_declared() -> None:
    with pytest.raises(PositionError, match="exposed"):
        position("3s 4d 2b / 2s 4s Ab", "", {"exposed": [2]})
