"""Tokens: only ours, only by EdDSA, only for us; keys that are fetched, cached, and kept while their source
is away."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tavolo.common.v1 import error_pb2

from services.runtime import auth
from services.runtime.auth import Caller, ServiceSigner, ServiceVerifier, TokenVerifier, write_keys
from services.runtime.errors import TavoloError

KEY = Ed25519PrivateKey.generate()
OTHER = Ed25519PrivateKey.generate()


def claims(**changes: Any) -> dict[str, Any]:
    now = int(time.time())
    found = {
        "iss": "tavolo",
        "aud": "tavolo",
        "sub": "ply_aaaaaaaaaaaaaaaaaaaa",
        "iat": now,
        "exp": now + 900,
        "jti": "jti_1",
        "typ": "access",
        "name": "Ada",
        "roles": ["player"],
    }
    return {key: value for key, value in {**found, **changes}.items() if value is not None}


def token(key: Any = KEY, kid: str | None = "k1", algorithm: str = "EdDSA", **changes: Any) -> str:
    return jwt.encode(claims(**changes), key, algorithm=algorithm, headers={"kid": kid} if kid else None)


class Source:
    """A source of keys that counts how often it is asked."""

    def __init__(self, **keys: Ed25519PrivateKey) -> None:
        self.keys = keys
        self.asked = 0
        self.away = False

    async def __call__(self) -> str:
        self.asked += 1
        if self.away:
            raise ConnectionRefusedError
        return write_keys({kid: key.public_key() for kid, key in self.keys.items()})


async def refusal(verifier: TokenVerifier, text: str) -> TavoloError:
    with pytest.raises(TavoloError) as error:
        await verifier.verify(text)
    return error.value


async def test_a_good_token_tells_who_calls() -> None:
    source = Source(k1=KEY)
    verifier = TokenVerifier(source)
    text = token()
    found = await verifier.verify(text)
    assert (found.kind, found.id, found.nickname, found.roles) == (
        "player",
        "ply_aaaaaaaaaaaaaaaaaaaa",
        "Ada",
        frozenset({"player"}),
    )
    assert await verifier.verify(text) is found
    assert source.asked == 1


def forged_none() -> str:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "k1"}).encode()).rstrip(b"=").decode()
    body = base64.urlsafe_b64encode(json.dumps(claims()).encode()).rstrip(b"=").decode()
    return f"{head}.{body}."


def changed_payload() -> str:
    head, _, signature = token().split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(roles=["director"])).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{signature}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "a.b.c",
        forged_none(),
        changed_payload(),
        token(OTHER),
        token("k" * 32, algorithm="HS256"),
        token(kid=None),
        token(kid="../k1"),
        token(iss="elsewhere"),
        token(aud="scoring"),
        token(exp=int(time.time()) - 61),
        token(iat=int(time.time()) + 3600),
        token(typ="refresh"),
        token(typ=None),
        token(sub=None),
        token(jti=None),
        token(exp=None),
        token(iat=None),
        token(roles="director"),
    ],
)
async def test_any_other_token_is_unauthenticated(text: str) -> None:
    error = await refusal(TokenVerifier(Source(k1=KEY)), text)
    assert error.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def test_a_clock_that_is_a_minute_off_is_forgiven() -> None:
    now = int(time.time())
    found = await TokenVerifier(Source(k1=KEY)).verify(token(exp=now - 30, iat=now + 30))
    assert found.nickname == "Ada"


async def test_a_token_that_was_good_is_refused_once_it_has_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = TokenVerifier(Source(k1=KEY))
    text = token()
    await verifier.verify(text)
    later = time.time() + 961
    monkeypatch.setattr(time, "time", lambda: later)
    assert (await refusal(verifier, text)).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def test_a_new_key_is_found_and_a_flood_of_unknown_ones_asks_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Source(k1=KEY)
    verifier = TokenVerifier(source)
    await verifier.verify(token())
    source.keys["k2"] = OTHER
    for _ in range(20):
        await refusal(verifier, token(OTHER, kid="k2"))
    assert source.asked == 1
    later = time.monotonic() + 11
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert (await verifier.verify(token(OTHER, kid="k2"))).kind == "player"
    assert source.asked == 2


async def test_known_keys_stay_in_use_while_their_source_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(k1=KEY)
    verifier = TokenVerifier(source)
    await verifier.verify(token())
    source.away = True
    later = time.monotonic() + 11
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert (await refusal(verifier, token(OTHER, kid="k2"))).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
    assert (await verifier.verify(token(jti="jti_2"))).kind == "player"


async def test_without_any_key_the_answer_is_to_try_again() -> None:
    source = Source(k1=KEY)
    source.away = True
    verifier = TokenVerifier(source)
    assert (await refusal(verifier, token())).reason == error_pb2.ERROR_REASON_UNAVAILABLE
    source.away = False
    assert (await verifier.verify(token())).kind == "player"


def trusted(tmp_path: Path, **keys: Ed25519PrivateKey) -> Path:
    path = tmp_path / "services.json"
    path.write_text(write_keys({part: key.public_key() for part, key in keys.items()}))
    return path


def test_a_service_token_is_for_one_callee(tmp_path: Path) -> None:
    path = trusted(tmp_path, lobby=KEY)
    signer = ServiceSigner("lobby", KEY)
    found = ServiceVerifier("scoring", path).verify(signer.token("scoring"))
    assert (found.kind, found.id) == ("service", "lobby")
    assert signer.token("scoring") == signer.token("scoring")
    for verifier in (ServiceVerifier("chat", path), ServiceVerifier("scoring", None)):
        with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
            verifier.verify(signer.token("scoring"))


def test_a_service_cannot_sign_as_another(tmp_path: Path) -> None:
    path = trusted(tmp_path, lobby=KEY, chat=OTHER)
    with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
        ServiceVerifier("scoring", path).verify(ServiceSigner("lobby", OTHER).token("scoring"))
    with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
        ServiceVerifier("scoring", path).verify(token(kid="lobby", iss="lobby", aud="scoring"))


def test_a_changed_key_file_is_read_again(tmp_path: Path) -> None:
    path = trusted(tmp_path, lobby=KEY)
    verifier = ServiceVerifier("scoring", path)
    before = ServiceSigner("lobby", KEY).token("scoring")
    verifier.verify(before)
    trusted(tmp_path, lobby=OTHER)
    with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
        verifier.verify(before)
    assert verifier.verify(ServiceSigner("lobby", OTHER).token("scoring")).id == "lobby"


def test_who_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    player, lobby = Caller("player", "ply_1", frozenset({"auditor"})), Caller("service", "lobby")
    auth.set_callers(None, None)
    assert auth.caller() is auth.ANONYMOUS
    for require in (auth.require_player, auth.require_service):
        with pytest.raises(TavoloError, match="UNAUTHENTICATED"):
            require()
    auth.set_callers(player, None)
    assert auth.require_player() is auth.caller() is player
    assert auth.require_role("auditor") is player
    with pytest.raises(TavoloError, match="NOT_PERMITTED"):
        auth.require_role("director")
    with pytest.raises(TavoloError, match="NOT_PERMITTED"):
        auth.require_service("lobby")
    auth.set_callers(player, lobby)
    assert auth.require_service("lobby", "chat") is lobby
    assert auth.caller() is player
    with pytest.raises(TavoloError, match="NOT_PERMITTED"):
        auth.require_service("chat")
    auth.set_callers(None, None)
