"""What the terminal client says, in Italian and English.

What a game of tomorrow has and nobody has given a word to is shown by its own name.
"""

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from tavolo.lobby.v1.lobby_pb2 import Table
from tavolo.table.v1.view_pb2 import TableInfo

from services.cli.play_events import tell
from services.cli.play_forms import Forms, Pair
from services.cli.play_names import FACTS, ITEMS, UNSAID, ZONES

_SAYS: Mapping[str, tuple[str, str]] = {
    "nickname": ("Il tuo nome al tavolo: ", "Your nickname: "),
    "nickname_taken": ("Il nome «{name}» è già preso (o troppo simile a un altro): scegline un altro.",
                       "The nickname “{name}” is taken, or looks too much like one that is: choose another."),
    "welcome": ("Benvenuto, {name}.", "Welcome, {name}."),
    "back": ("Bentornato, {name}: siedi ancora a un tavolo di {game}, riprendi il tuo posto.",
             "Welcome back, {name}: you still sit at a table of {game}, your seat is yours."),
    "opened": ("Tavolo {table} aperto. Un'altra persona si siede con: tavolo play --table {table}",
               "Table {table} is open. Somebody else sits down with: tavolo play --table {table}"),
    "seat_lost": ("Non hai più un posto a quel tavolo: {why}",
                  "You have no seat at that table any more: {why}"),
    "waiting": ("Aspetto che i posti siano occupati…", "Waiting for the other seats to be taken…"),
    "open_tables": ("Tavoli liberi (numero per sederti, Invio per aprirne uno):",
                    "Open tables (a number to sit down, Enter to open your own):"),
    "no_tables": ("Nessun tavolo.", "No tables."),
    "no_game": ("Non c'è il gioco «{game}»; ci sono: {games}",
                "There is no game “{game}”; there are: {games}"),
    "or_none": ("{values}, o null (nessuno)", "{values}, or null (none)"),
    "default": ("di solito {value}", "default {value}"),
    "default_none": ("di solito secondo le altre, o nessuno", "default by the other options, or none"),
    "default_depends": ("di solito secondo le altre", "default by the other options"),
    "state_open": ("posti liberi", "seats free"),
    "state_starting": ("sta per cominciare", "starting"),
    "state_playing": ("in gioco", "playing"),
    "you": ("tu", "you"),
    "computer": ("computer", "computer"),
    "dealer": ("mazziere", "dealer"),
    "away": ("assente", "away"),
    "away_for": ("assente, ancora {left}", "away, {left} left"),
    "paused": ("tavolo in pausa", "table paused"),
    "resume_wait": ("si riprende: si aspetta al massimo {left}",
                    "service is back: waiting for the players, at most {left}"),
    "hand": ("mano {hand}", "hand {hand}"),
    "tie_break": ("spareggio {number}", "tie-break {number}"),
    "watching": ("stai guardando", "watching"),
    "stake": ("posta {amount}", "stake {amount}"),
    "chip": ("chip da {amount}", "chips of {amount}"),
    "cover_wait": ("Si regolano i conti della mano…", "The hand is being settled…"),
    "score": ("Punti", "Score"),
    "avanti": ("Invio = Avanti (quello che scrivi entra nel mescolamento)",
               "Enter = next hand (what you type is mixed into the shuffle)"),
    "avanti_wait": ("Aspetto gli altri ({left})", "Waiting for the others ({left})"),
    "your_move": ("La tua mossa: numero, o scrivila", "Your move: its number, or type it"),
    "more_moves": ("    … e altre {count}, da scrivere così: {example}",
                   "    … and {count} more, typed like this: {example}"),
    "not_your_turn": ("Tocca a {names}", "{names} to act"),
    "sending": ("La mossa è in viaggio…", "Your move is on its way…"),
    "no_such_move": ("Non c'è la mossa numero {number}.", "There is no move number {number}."),
    "refused": ("Rifiutata: {text} [{code}]", "Refused: {text} [{code}]"),
    "time_20": ("Attenzione: 20 secondi.", "Careful: 20 seconds."),
    "time_10": ("Attenzione: 10 secondi!", "Careful: 10 seconds!"),
    "confirm_abandon": ("Abbandonare vuol dire perdere la partita. Scrivi «sì» per abbandonare.",
                        "To abandon is to lose the match. Type “yes” to abandon."),
    "not_abandoned": ("Si continua.", "The match goes on."),
    "lost": ("Connessione persa ({text}): riprovo…", "Connection lost ({text}): trying again…"),
    "resumed": ("Connessione ripresa.", "Connected again."),
    "replaced": ("Il tuo posto è stato ripreso da un altro dispositivo.",
                 "Your seat was taken over from another device."),
    "table_gone": ("Il tavolo non è più raggiungibile.", "The table cannot be reached any more."),
    "quit": ("Il posto resta tuo: torna con lo stesso nome.",
             "Your seat stays yours: come back with the same nickname."),
    "won": ("Vince {names}.", "{names} won."),
    "draw": ("Patta.", "A draw."),
    "void": ("Partita annullata: {text}", "The match is void: {text}"),
    "settled": ("Conto: {delta} (saldo {balance}){points}; valutazione {rating}",
                "Ledger: {delta} (balance {balance}){points}; rating {rating}"),
    "unsettled": ("Il conto non è ancora arrivato: sarà fatto comunque.",
                  "The ledger line has not come yet; it will be booked all the same."),
    "help": ("numero o testo = mossa · Invio = Avanti · /say testo · /abandon · /quit · /help",
             "number or text = move · Enter = next hand · /say text · /abandon · /quit · /help"),
    "unknown_command": ("Comando sconosciuto: {text}. /help li elenca.",
                        "Unknown command: {text}. /help lists them."),
}  # fmt: skip

YES = frozenset({"sì", "si", "s", "yes", "y"})


class Words:
    """The texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._index = 1 if language == "en" else 0

    def __call__(self, key: str, **values: object) -> str:
        """A text with its values filled in."""
        return _SAYS[key][self._index].format(**values)

    def zone(self, kind: str) -> str:
        """The name of a kind of zone."""
        return self._named(ZONES, kind)

    def item(self, name: str) -> str:
        """The name of an item of a hand's score."""
        return self._named(ITEMS, name)

    def fact(self, key: str, value: Any, seat: Callable[[int], str]) -> str:
        """A fact of a view with its name; empty if it says nothing to a player."""
        if key in UNSAID or key.startswith("last_"):
            return ""
        own_name = key.replace("_", " ")
        italian, english, form = FACTS.get(
            key, (own_name, own_name, "each" if isinstance(value, list) else "")
        )
        if form in ("", "each") and _has_objects(value):
            return ""
        if value is None or (form != "seat" and not _says_something(value)):
            return ""
        label = english if self.language == "en" else italian
        return label if value is True else f"{label} {Forms(self.language, seat).format_field(value, form)}"

    def event(self, kind: str, seat: int | None, data: Mapping[str, Any], name: Callable[[int], str]) -> str:
        """What happened, in a line. `name`: the nickname on a seat."""
        whose = {} if seat is None else {"seat": name(seat)}
        return tell(kind, {**data, **whose}, Forms(self.language, name))

    def _named(self, names: Mapping[str, Pair], key: str) -> str:
        return names[key][self._index] if key in names else key.replace("_", " ")


def _has_objects(value: Any) -> bool:
    """Whether a value is more than numbers and words."""
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_has_objects, value)))


def _says_something(value: Any) -> bool:
    return any(map(_says_something, value)) if isinstance(value, list) else bool(value)


def language() -> str:
    """`en` where the locale is an English one, else `it`."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "en" if locale.startswith("en") else "it"


def money(cents: int, *, sign: bool = False) -> str:
    """An amount of play money: `1,00`, with its sign where it is a change."""
    text = f"{abs(cents) // 100}.{abs(cents) % 100:02}"
    return ("−" if cents < 0 else "+" if sign else "") + text


def stakes(words: Words, of: Table | TableInfo) -> str:
    """What a table is played for: what each seat puts in, and what a chip is worth if there are any."""
    parts = [words("stake", amount=money(of.stake.cents))]
    if of.chip.cents:
        parts.append(words("chip", amount=money(of.chip.cents)))
    return ", ".join(parts)


def object_of(text: str) -> dict[str, Any]:
    """A JSON object of a view; empty text is an empty object."""
    found: dict[str, Any] = json.loads(text) if text else {}
    return found
