"""The computer players of the house: fixed accounts, so that bots, tables and ledger know them for ever."""

from base64 import b32encode
from hashlib import sha256

_NAMES = ("Aldo", "Bice", "Carlo", "Dora", "Elio", "Fosca", "Gino", "Ilda", "Lino", "Marta", "Nino", "Olga")


def _id(name: str) -> str:
    return "ply_" + b32encode(sha256(f"tavolo computer {name}".encode()).digest()).decode().lower()[:20]


COMPUTERS = {_id(name): f"{name} (computer)" for name in _NAMES}
"""Account id -> nickname. No person can take such a nickname: brackets are not allowed in theirs."""
