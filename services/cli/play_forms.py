"""How values of views and events are written: seats by their names, calls and colours by their words.

A template says the form of a value after a colon, as in `{punter:seat}`. A value that has no words is written
as it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

Pair = tuple[str, str]
"""The same in Italian and English."""

_WORDS: Mapping[str, Mapping[Any, Pair]] = {
    "addition": {
        "gioco": ("gioco", "game"),
        "assoluto": ("assoluto", "assoluto"),
        "bagatto": ("bagatto", "bagatto"),
        "tutte": ("tutte le prese", "tutte le prese"),
    },
    "board": {
        "playing": ("in gioco", "playing"),
        "complete": ("riuscito", "complete"),
        "stalled": ("senza più mosse", "no moves left"),
        "stopped": ("fermo", "stopped"),
        "abandoned": ("abbandonato", "abandoned"),
    },
    "call": {
        "bid": ("chiama", "bids"),
        "announce": ("dichiara", "announces"),
        "pass": ("passa", "passes"),
        "done": ("ha finito di chiamare", "has ended the calls"),
        "solo_seme": ("solo di seme", "solo di seme"),
        "tutte": ("tutte le prese", "tutte le prese"),
        "gioco": ("al gioco", "the game"),
    },
    "choice": {"reenter": ("rientra", "re-enters"), "leave": ("lascia", "leaves")},
    "colour": {
        "r": ("rosso", "red"),
        "y": ("giallo", "yellow"),
        "g": ("verde", "green"),
        "b": ("blu", "blue"),
    },
    "direction": {1: ("→", "→"), -1: ("←", "←")},
    "flag": {False: ("no", "no"), True: ("sì", "yes")},
    "game": {
        "chiamante": ("chiamante", "chiamante"),
        "solo_seme": ("solo di seme", "solo di seme"),
        "solo": ("solo", "solo"),
    },
    "joined": {
        "?": ("?", "?"),
        "in": ("gioca", "in"),
        "passed": ("passa", "passed"),
        "blind": ("al buio", "blind"),
        "out": ("fuori", "out"),
    },
    "kontra": {1: ("kontra", "kontra"), 2: ("rekontra", "rekontra"), 3: ("subkontra", "subkontra")},
    "reason": {
        "plus_two": ("per il +2", "for the +2"),
        "uno_not_said": ("senza aver detto UNO", "without saying UNO"),
        "wild4": ("per il +4", "for the +4"),
        "challenge_won": ("sfida vinta", "challenge won"),
        "challenge_lost": ("sfida persa", "challenge lost"),
        "draw": ("", ""),
        "too_few_tarocks": ("troppo pochi tarocchi in una mano", "too few tarocks in a hand"),
        "four_low_cards": ("quattro scartine in una mano", "four low cards in a hand"),
    },
    "step": {
        "meld": ("la combinazione", "the meld"),
        "add": ("la carta attaccata", "the card added"),
        "swap": ("il cambio del jolly", "the joker"),
        "draw": ("la presa dal pozzo", "the pick-up"),
        "take": ("la presa del pozzo", "the taking of the pile"),
    },
    "team": {"caller": ("chiamante", "caller"), "opponents": ("avversario", "opponent")},
}


class Forms(Formatter):
    """Writes values in a language. `name`: the nickname on a seat."""

    def __init__(self, language: str, name: Callable[[int], str]) -> None:
        self._index = 1 if language == "en" else 0
        self._name = name
        self._forms: Mapping[str, Callable[[Any], str]] = {
            "": self.plain,
            "faces": self.plain,
            "cards": self._cards,
            "seat": self._seat,
            "seats": lambda seats: ", ".join(map(self._seat, seats)),
            "by_seat": self._by_seat,
            "signed": lambda number: f"{number:+}",
            "each": lambda values: " – ".join(map(self.plain, values)),
            "call": lambda call: " ".join(self._word("call", word) for word in call.split()),
            "contract": self._contract,
            "opening": lambda opening: f"{opening['ready']} / {opening['needed']}",
            "pots": lambda pots: ", ".join(self._pot(pot) for pot in pots),
            "boards": self._boards,
            "melds": lambda melds: " | ".join(map(self.plain, melds)),
            "layable": lambda melds: " | ".join(
                meld["move"].removeprefix("meld ") for meld in melds[:_SHOWN]
            ),
        }

    def pair(self, texts: Pair) -> str:
        """The one of this language."""
        return texts[self._index]

    def format_field(self, value: Any, format_spec: str) -> str:
        """The value in this form."""
        if format_spec in self._forms:
            return self._forms[format_spec](value)
        values = value if isinstance(value, list) else [value]
        return " – ".join(self._word(format_spec, each) for each in values)

    def plain(self, value: Any) -> str:
        """A number, a card, cards one after the other; what is not there is a dash."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self._word("flag", value)
        return " ".join(map(self.plain, value)) if isinstance(value, list) else str(value)

    def _word(self, form: str, value: Any) -> str:
        texts = _WORDS[form].get(value)
        return self.pair(texts) if texts else self.plain(value)

    def _cards(self, cards: Sequence[str] | int) -> str:
        """Cards, or how many they are."""
        return f"{cards} {self.pair(('carte', 'cards'))}" if isinstance(cards, int) else self.plain(cards)

    def _seat(self, seat: int) -> str:
        return self._name(seat)

    def _by_seat(self, values: Iterable[Any]) -> str:
        """What is known of each seat: cards, not how many they are."""
        return ", ".join(
            f"{self._name(seat)} {self.plain(value)}"
            for seat, value in enumerate(values)
            if isinstance(value, str | list)
        )

    def _contract(self, contract: Mapping[str, Any]) -> str:
        """A game of tarocco: what is played, by whom, at which level, with which additions."""
        called = contract["called"] or ""
        level = self._word("kontra", contract["kontra"]) if contract["kontra"] else ""
        words = (self._word("game", contract["game"]), called, f"({self._name(contract['caller'])})", level)
        additions = [
            " ".join(
                filter(
                    None,
                    (
                        self._word("addition", each["call"]),
                        f"({self._name(each['seat'])})",
                        self._word("kontra", each["kontra"]) if each["kontra"] else "",
                    ),
                )
            )
            for each in contract["additions"]
        ]
        return ", ".join([" ".join(filter(None, words)), *additions])

    def _pot(self, pot: Mapping[str, Any]) -> str:
        winners = ", ".join(map(self._name, pot["winners"]))
        return f"{pot['chips']} → {winners}" if winners else str(pot["chips"])

    def _boards(self, boards: Iterable[Mapping[str, Any]]) -> str:
        return " – ".join(f"{board['points']} ({self._word('board', board['status'])})" for board in boards)


_SHOWN = 6
"""So many melds that could be laid are shown."""
