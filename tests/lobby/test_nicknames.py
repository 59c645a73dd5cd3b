"""What a nickname may be, and which look alike (FEATURES 2.4: nobody can pass for another)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tavolo.common.v1 import error_pb2

from services.lobby import nicknames
from services.lobby.computers import COMPUTERS
from services.runtime.errors import TavoloError
from services.runtime.ids import valid_id


def alike(one: str, other: str) -> bool:
    return bool(set(nicknames.keys(one)) & set(nicknames.keys(other)))


@pytest.mark.parametrize(
    "other",
    [
        "mario rossi",
        "MARIO ROSSI",
        "Màrio Róssi",
        "Mario  _ Rossi",
        "Mario.Rossi",
        "Mario-Rossi",
        "MarioRossi",
        "Mar1o R0ssi",
        "MarIo Rossi",
        "Marlo Rossi",
        "rnario rossi",
        "Мario Rossi",  # Cyrillic М
        "Mаriо Rоssi",  # Cyrillic а and о
        "Mαriο Rοssi",  # Greek alpha and omicron
        "Ｍａｒｉｏ Ｒｏｓｓｉ",
        "𝐌ario Rossi",
    ],
)
def test_names_that_look_like_mario_rossi_are_alike(other: str) -> None:
    assert alike("Mario Rossi", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Нина", "нина"),
        ("Σωκράτης", "ΣΩΚΡΆΤΗΣ"),
        ("ANNA", "АNNА"),
        ("Anna", "ΑΝΝΑ"),
        ("vvilma", "Wilma"),
        ("O'Neil", "0 neil"),
    ],
)
def test_other_scripts_and_pairs_of_letters_are_alike_too(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mario", "Maria"),
        ("Anna", "Anno"),
        ("Luca", "Luna"),
        ("Sara", "Zara"),
        ("Gino7", "Gino8"),
        ("Нина", "Лина"),
    ],
)
def test_different_names_are_not_alike(one: str, other: str) -> None:
    assert not alike(one, other)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzàèéìòùABCXYZ0123456789 ._-'", min_size=3, max_size=20))
def test_a_name_is_alike_itself_in_any_case(name: str) -> None:
    assert alike(name, name)
    assert alike(name, name.upper())
    assert alike(name, name.lower())


@pytest.mark.parametrize(
    "name",
    [
        "Moderatore", "moderator", "M0derat0re", "mоderаtоre",
        "il moderatore", "rnoderatore", "Admin", "ADM1N",
        "Moderatore di sala", "Adrnin", "admin_7", "Ad min",
        "Tavolo", "TAVOLO", "tavolo.staff", "TavoloStaff",
        "Staff", "5taff", "Arbitro", "l'arbitro", "Computer", "Aldo Computer", "Mario (bot)", "Supporto",
    ],
)  # fmt: skip
def test_nobody_may_pass_for_the_house(name: str) -> None:
    with pytest.raises(TavoloError) as refused:
        nicknames.read(name)
    assert refused.value.reason == error_pb2.ERROR_REASON_NICKNAME_REFUSED
    assert refused.value.field == "nickname"


@pytest.mark.parametrize(
    "name",
    [
        "Cazzo",
        "c.a.z.z.o",
        "C4zz0",
        "MarioCazzo",
        "stronzo99",
        "Str0nzo",
        "fuck you",
        "nigger",
        "Porco Dio",
        "porcodio",
    ],
)
def test_nicknames_do_not_insult(name: str) -> None:
    with pytest.raises(TavoloError) as refused:
        nicknames.read(name)
    assert refused.value.reason == error_pb2.ERROR_REASON_NICKNAME_REFUSED


@pytest.mark.parametrize(
    "name",
    [
        "Mario", "D'Angelo", "Jo-Jo", "Anna Maria",
        "x_Luca_x", "Badminton", "Tavolozza", "Botticelli", "Culotta",
        "Cazzaniga", "Nino Negri", "Scunthorpe", "Modesto",
        "Finocchiaro", "Ciro80", "李小龍", "Дмитрий", "Robot",
        "Merdini", "Sir Admiral", "Staffan", "Banconi",
    ],
)  # fmt: skip
def test_honest_names_are_taken_as_they_are(name: str) -> None:
    assert nicknames.read(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ab",
        "a" * 21,
        "  a ",
        "Mario!",
        "a/b/c",
        "mario\u200brossi",
        "\u202emario",
        "mario\nrossi\x00",
        "...",
        "tbl*>",
        "🙂🙂🙂",
    ],
)
def test_names_of_a_wrong_form_are_refused(name: str) -> None:
    with pytest.raises(TavoloError) as refused:
        nicknames.read(name)
    assert refused.value.reason == error_pb2.ERROR_REASON_NICKNAME_REFUSED


def test_spaces_around_and_between_are_tidied() -> None:
    assert nicknames.read("  Anna   Maria ") == "Anna Maria"


def test_the_computers_of_the_house_have_valid_ids_and_names_that_nobody_else_can_have() -> None:
    keys = [key for name in COMPUTERS.values() for key in nicknames.keys(name)]
    assert len(set(keys)) == len(keys)
    for account, name in COMPUTERS.items():
        assert valid_id(account, "ply")
        with pytest.raises(TavoloError):
            nicknames.read(name)
