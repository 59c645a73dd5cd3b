"""Errors of the rules: every one has a code or a field that callers may rely on, and a text for people."""

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a move is not accepted (CONVENTIONS.md, section 7).

    `code` is the contract; `text` says in words what is wrong, and nothing that the asking seat does not
    know already; `where` is the argument of the move that offends, "" if it is none in particular.
    """

    code: str
    text: str
    where: str = ""


class Refused(Exception):
    """Raised by `State.apply`; the state is then unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.text}")
        self.refusal = refusal


class OptionsError(ValueError):
    """An option that is unknown, of the wrong type, out of range or excluded by another one."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text


class PositionError(ValueError):
    """A position or snapshot that cannot be a state of its game."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"{field}: {text}")
        self.field = field
        self.text = text


class UnknownGame(LookupError):
    """No game has this id or name; the text names the nearest one."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
