"""Signing keys rotate by files, without a restart."""

from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.lobby.keys import SigningKeys, SigningKeysError
from services.runtime.auth import read_keys


def write_key(folder: Path, name: str) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / f"{name}.pem").write_bytes(pem)


def test_the_last_name_signs_and_all_verify(tmp_path: Path) -> None:
    write_key(tmp_path, "2026-01")
    keys = SigningKeys(tmp_path)
    old_kid, old_key = keys.current()
    token = jwt.encode({"sub": "x"}, old_key, algorithm="EdDSA", headers={"kid": old_kid})
    write_key(tmp_path, "2026-02")
    keys.reload()
    assert keys.current()[0] == "2026-02"
    published = read_keys(keys.jwks())
    assert set(published) == {"2026-01", "2026-02"}
    assert jwt.decode(token, published["2026-01"], algorithms=["EdDSA"])["sub"] == "x"


def test_an_unreadable_key_leaves_the_known_ones_in_use(tmp_path: Path) -> None:
    write_key(tmp_path, "a")
    keys = SigningKeys(tmp_path)
    (tmp_path / "b.pem").write_text("-----BEGIN NONSENSE-----")
    with pytest.raises(SigningKeysError, match="b"):
        keys.reload()
    assert keys.current()[0] == "a"


def test_a_folder_without_keys_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SigningKeysError):
        SigningKeys(tmp_path)
    with pytest.raises(SigningKeysError):
        SigningKeys(tmp_path / "missing")


def test_the_public_set_holds_no_private_part(tmp_path: Path) -> None:
    write_key(tmp_path, "a")
    assert '"d"' not in SigningKeys(tmp_path).jwks()
