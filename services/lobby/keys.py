"""The keys that sign players' tokens: a folder of PEM files, read again when it changes, so that keys rotate
without a restart.

A key's id is the file's name without `.pem`. The last name (they are dates, say) signs; all of them verify.
To rotate, add a file; remove the old one when its last token has ended.
"""

import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.runtime.auth import read_private_key, write_keys
from services.runtime.logs import logger

_LOOK_AGAIN_S = 60.0


class SigningKeysError(Exception):
    """The folder holds no usable key; the text says why."""


class SigningKeys:
    """The keys of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._keys: dict[str, Ed25519PrivateKey] = {}
        self._stamp: list[tuple[str, int]] = []
        self._looked_at = float("-inf")
        self.reload()

    def reload(self) -> None:
        """Reads the folder. Raises SigningKeysError if that gives no key at all; the keys known before then
        stay.
        """
        self._looked_at = time.monotonic()
        try:
            stamp = self._look()
            keys = {name: read_private_key(self._folder / f"{name}.pem") for name, _ in stamp}
        except (OSError, ValueError, TypeError) as error:
            raise SigningKeysError(f"a signing key in {self._folder} cannot be read: {error}") from error
        if not keys:
            raise SigningKeysError(f"no *.pem in {self._folder}")
        self._stamp, self._keys = stamp, keys
        logger().info("signing_keys_read", kids=list(keys))

    def current(self) -> tuple[str, Ed25519PrivateKey]:
        """Id and key that sign now."""
        self._look_again()
        kid = max(self._keys)
        return kid, self._keys[kid]

    def jwks(self) -> str:
        """All public keys, as a JSON Web Key Set."""
        self._look_again()
        return write_keys({kid: key.public_key() for kid, key in self._keys.items()})

    def _look_again(self) -> None:
        if time.monotonic() - self._looked_at < _LOOK_AGAIN_S:
            return
        self._looked_at = time.monotonic()
        try:
            if self._look() != self._stamp:
                self.reload()
        except (SigningKeysError, OSError) as error:
            logger().error("signing_keys_not_read", error=str(error))

    def _look(self) -> list[tuple[str, int]]:
        return sorted((path.stem, path.stat().st_mtime_ns) for path in self._folder.glob("*.pem"))
