"""The keys of a local cluster: services, players' tokens, seals, passwords. Made once, in files that only
their owner can read."""

import json
import secrets
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.runtime.app import write_atomically
from services.runtime.auth import read_private_key, write_keys

PARTS = ("gateway", "lobby", "table_engine", "clock", "chat", "scoring", "bots")
_PRIVATE = 0o600


class Keys:
    """The keys below `folder`; those that are missing are made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        for part in PARTS:
            _make_private_key(self.service_key(part))
        public = {part: read_private_key(self.service_key(part)).public_key() for part in PARTS}
        write_atomically(self.trusted_services, write_keys(public))
        self.player_keys.mkdir(exist_ok=True)
        if not any(self.player_keys.glob("*.pem")):
            _make_private_key(self.player_keys / f"player-{secrets.token_hex(4)}.pem")
        if not self.seal_keys.exists():
            key_id = f"seal-{secrets.token_hex(4)}"
            content = {"current": key_id, "keys": {key_id: secrets.token_hex(32)}}
            write_atomically(self.seal_keys, json.dumps(content), _PRIVATE)
        self._passwords_file = folder / "passwords.json"
        self._passwords: dict[str, str] = (
            json.loads(self._passwords_file.read_text()) if self._passwords_file.exists() else {}
        )

    def service_key(self, part: str) -> Path:
        """The private key with which a part signs its service tokens."""
        return self._folder / f"service-{part}.pem"

    @property
    def trusted_services(self) -> Path:
        """The JSON Web Key Set of all parts' public keys."""
        return self._folder / "services.jwks.json"

    @property
    def player_keys(self) -> Path:
        """The folder of the keys that sign players' tokens."""
        return self._folder / "players"

    @property
    def seal_keys(self) -> Path:
        """The file of the keys that seal the log's secrets."""
        return self._folder / "seals.json"

    def password(self, name: str) -> str:
        """The password of a user of NATS or PostgreSQL; made at first use."""
        if name not in self._passwords:
            self._passwords[name] = secrets.token_urlsafe(24)
            write_atomically(self._passwords_file, json.dumps(self._passwords), _PRIVATE)
        return self._passwords[name]


def _make_private_key(path: Path) -> None:
    if not path.exists():
        key = Ed25519PrivateKey.generate()
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_atomically(path, pem.decode(), _PRIVATE)
