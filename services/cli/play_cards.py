"""Cards in colour. Faces are text (CONVENTIONS.md, section 2); what is no known face is shown as it is."""

import re

from rich.text import Text

_BACK = "▒▒"
_FACE = re.compile(r"^(10|[A23456789TJQKC])([hdcsb])$")
_TRUMP = re.compile(r"^T(1|[4-9]|1\d|2[012])$")
_UNO = re.compile(r"^([rygb])(\d|S|R|\+2)$")

_FRENCH = {"h": ("♥", "red"), "d": ("♦", "red"), "c": ("♣", "white"), "s": ("♠", "white")}
_ITALIAN = {"d": ("♦", "yellow"), "c": ("♥", "red"), "b": ("♣", "green"), "s": ("♠", "cyan")}
_COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}

# Whose cards are the Italian ones: drawing only.
_ITALIAN_GAMES = frozenset(
    {"scopa", "scopone", "asso_pigliatutto", "cirulla", "briscola", "tresette", "bestia", "sette_e_mezzo"}
)


class Faces:
    """How the cards of a game are drawn."""

    def __init__(self, game: str) -> None:
        self._suits = _ITALIAN if game in _ITALIAN_GAMES else _FRENCH

    def card(self, face: str, *, symbol: bool = True) -> Text:
        """A card: `7d` as `7♦`, or with its letter where somebody is to type it (`symbol` false)."""
        match = _FACE.match(face)
        if match and match[2] in self._suits:
            suit, colour = self._suits[match[2]]
            return Text(match[1] + suit if symbol else face, style=f"bold {colour}")
        if _TRUMP.match(face):
            return Text(face, style="bold magenta")
        if match := _UNO.match(face):
            return Text(face, style=f"bold {_COLOURS[match[1]]}")
        return Text(face, style="bold")

    def cards(self, faces: list[str]) -> Text:
        """Several cards in a row."""
        return Text(" ").join(self.card(face) for face in faces)

    def move(self, text: str) -> Text:
        """A move in its notation, its cards in colour."""
        return Text(" ").join(
            self.card(word, symbol=False) if _is_face(word) else Text(word) for word in text.split(" ")
        )

    def legend(self) -> Text:
        """Which letter stands for which suit."""
        return Text("  ").join(
            Text(f"{letter} = {sign}", style=colour) for letter, (sign, colour) in self._suits.items()
        )


def backs(count: int) -> Text:
    """Cards whose faces are hidden."""
    return Text(" ".join([_BACK] * count) if count <= 10 else f"{_BACK} × {count}", style="dim")


def _is_face(word: str) -> bool:
    return bool(_FACE.match(word) or _TRUMP.match(word) or _UNO.match(word)) or word in {"X", "W", "W4"}
