"""Identifiers: opaque strings with a prefix that says their kind, safe as one token of a NATS subject."""

import os
import re
from typing import NewType

AccountId = NewType("AccountId", str)  # ply_
TableId = NewType("TableId", str)  # tbl_
MatchId = NewType("MatchId", str)  # mch_
AttachmentId = NewType("AttachmentId", str)  # att_
GatewayId = NewType("GatewayId", str)  # gw_
WorkerId = NewType("WorkerId", str)  # wrk_

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_ID = re.compile(r"[a-z]{2,4}_[a-z2-7]{20}")
_COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_id(prefix: str) -> str:
    """`<prefix>_` and 20 random lower-case base32 characters (100 bits)."""
    return f"{prefix}_" + "".join(_ALPHABET[byte & 31] for byte in os.urandom(20))


def valid_id(text: str, prefix: str) -> bool:
    """Whether `text` is an identifier of this kind: nothing else may reach a subject, a key or a query."""
    return text.startswith(prefix + "_") and _ID.fullmatch(text) is not None


def valid_command_id(text: str) -> bool:
    """Whether `text` can be the id of a client's command: 1-64 characters of A-Z a-z 0-9 _ -."""
    return _COMMAND_ID.fullmatch(text) is not None
