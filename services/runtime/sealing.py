"""Sealing of what the log must not show yet: AES-256-GCM with named keys that can be rotated."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE_BYTES = 12
_KEY_BYTES = 32


def seed_place(table: str, match: str, hand: int, tie_break: int) -> bytes:
    """What the sealed seed of a hand is bound to."""
    return f"seed:{table}:{match}:{hand}:{tie_break}".encode()


def move_place(match: str, version: int, seat: int) -> bytes:
    """What the sealed text of a move is bound to; `version`: of the log entry that made it."""
    return f"move:{match}:{version}:{seat}".encode()


class SealError(Exception):
    """A sealed value cannot be opened: unknown key, wrong context, or it was changed."""


class Sealer:
    """Seals with the current key, opens with any known one. `aad` ties a sealed value to its place (table,
    match, hand)."""

    def __init__(self, keys: Mapping[str, bytes], current: str) -> None:
        if current not in keys:
            raise SealError(f"the current seal key {current!r} is not among the keys")
        for key_id, key in keys.items():
            if len(key) != _KEY_BYTES:
                raise SealError(f"seal key {key_id!r} has {len(key)} bytes, not {_KEY_BYTES}")
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        self._current = current

    @classmethod
    def from_file(cls, path: Path) -> "Sealer":
        """Reads `{"current": id, "keys": {id: 64 hex digits}}`. Raises SealError if the file says anything
        else."""
        try:
            content = json.loads(path.read_text())
            return cls(
                {key_id: bytes.fromhex(key) for key_id, key in content["keys"].items()}, content["current"]
            )
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise SealError(f"{path.name} is not a file of seal keys") from error

    def seal(self, plain: bytes, aad: bytes) -> tuple[str, bytes]:
        """The id of the key, and a random nonce (12 bytes) followed by the ciphertext with its tag."""
        nonce = os.urandom(_NONCE_BYTES)
        return self._current, nonce + self._ciphers[self._current].encrypt(nonce, plain, aad)

    def open(self, key_id: str, data: bytes, aad: bytes) -> bytes:
        """What was sealed. Raises SealError."""
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise SealError(f"no seal key {key_id!r}")
        try:
            return cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], aad)
        except (InvalidTag, ValueError) as error:
            raise SealError("sealed with another key or for another place, or changed") from error
