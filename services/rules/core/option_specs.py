"""Descriptions of the options that several games have (CONVENTIONS.md, section 6)."""

from collections.abc import Callable, Mapping, Sequence

from services.rules.core.options import OptionSpec, Value


def seats_spec(default: int, choices: Sequence[int]) -> OptionSpec:
    """How many play."""
    return OptionSpec("seats", "choice", default, {"it": "Giocatori", "en": "Players"}, choices=choices)


def match_spec(default: str, choices: Sequence[str] = ("points", "hands")) -> OptionSpec:
    """What decides the match."""
    text = {"it": "A punti o a smazzate", "en": "To points, or a number of hands"}
    return OptionSpec("match", "choice", default, text, choices=choices)


def target_spec(
    default: int, low: int, high: int, derive: Callable[[Mapping[str, Value]], Value] | None = None
) -> OptionSpec:
    """The points of a match to points, from a range."""
    return OptionSpec("target", "int", default, _TARGET, low=low, high=high, derive=derive)


def target_choice_spec(default: int, choices: Sequence[int]) -> OptionSpec:
    """The same where there are only these."""
    return OptionSpec("target", "choice", default, _TARGET, choices=choices)


def hands_spec(
    default: int, high: int, low: int = 1, derive: Callable[[Mapping[str, Value]], Value] | None = None
) -> OptionSpec:
    """The hands of a match of hands."""
    text = {"it": "Numero di smazzate", "en": "Number of hands"}
    return OptionSpec("hands", "int", default, text, low=low, high=high, derive=derive)


def tie_hands_spec() -> OptionSpec:
    """The tie-break hands of a match without `ko`."""
    text = {"it": "Spareggi al massimo", "en": "Most tie-break hands"}
    return OptionSpec("tie_hands", "int", 1, text, low=0, high=3)


def max_hands_spec() -> OptionSpec:
    """The most hands of a match that has no fixed number of them."""
    text = {"it": "Smazzate al massimo", "en": "Most hands"}
    return OptionSpec("max_hands", "int", 60, text, low=10, high=200)


def stake_spec(italian: str, english: str, high: int, default: int = 0) -> OptionSpec:
    """What a unit of the score, or the match, is worth, in cents: 0 is no money."""
    return OptionSpec("stake", "int", default, {"it": italian, "en": english}, low=0, high=high)


def limit_spec(
    italian: str,
    english: str,
    high: int,
    default: int | None = None,
    derive: Callable[[Mapping[str, Value]], Value] | None = None,
) -> OptionSpec:
    """The most, in cents, that it may grow to; None is no limit."""
    text = {"it": italian, "en": english}
    return OptionSpec("limit", "int", default, text, low=0, high=high, derive=derive, nullable=True)


def ante_spec(default: int, low: int, high: int) -> OptionSpec:
    """The chips that each seat pays before a hand."""
    text = {"it": "Invito", "en": "Ante"}
    return OptionSpec("ante", "int", default, text, low=low, high=high)


def flag_spec(name: str, default: bool, italian: str, english: str) -> OptionSpec:
    """A yes or no."""
    return OptionSpec(name, "bool", default, {"it": italian, "en": english})


KO = flag_spec("ko", False, "Eliminazione diretta: niente patta", "Knock-out: no draw")
SEEN_CARDS = flag_spec("seen_cards", False, "A carte viste", "Captured cards are shown")
OPEN_PARTNERS = flag_spec(
    "open_partners", False, "A carte scoperte tra compagni", "Partners see each other's hand"
)

_TARGET = {"it": "Punti della partita", "en": "Target"}
