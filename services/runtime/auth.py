"""Who calls: players by the lobby's tokens, services by short-lived tokens of their own keys.

Both are JWTs signed with EdDSA (RFC 8037); no other algorithm is accepted, whatever a token says of itself
(RFC 8725). A player's token travels as `authorization: Bearer <jwt>`, a service's as `x-tavolo-service:
<jwt>`; a service that calls in the name of a player sends both.
"""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import grpc
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.algorithms import OKPAlgorithm

from services.runtime.errors import not_permitted, unauthenticated, unavailable
from services.runtime.ids import new_id
from services.runtime.logs import logger

ISSUER = AUDIENCE = "tavolo"
LEEWAY_S = 60
SERVICE_TOKEN_S = 60
PLAYER_TOKEN_KEY = "authorization"  # noqa: S105 - the name of a metadata key
SERVICE_TOKEN_KEY = "x-tavolo-service"  # noqa: S105
_BEARER = "Bearer "
_REFETCH_S = 10.0
_KNOWN_TOKENS = 4096

Keys = Mapping[str, Ed25519PublicKey]
FetchKeys = Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls. id: account id of a player, part name of a service; token_expires: POSIX seconds, 0 =
    never."""

    kind: Literal["player", "service", "anonymous"]
    id: str = ""
    roles: frozenset[str] = frozenset()
    nickname: str = ""
    token_expires: float = 0.0


ANONYMOUS = Caller("anonymous")

_player: ContextVar[Caller | None] = ContextVar("player", default=None)
_service: ContextVar[Caller | None] = ContextVar("service", default=None)


def set_callers(player: Caller | None, service: Caller | None) -> None:
    """For the server's interceptor: who makes the call that this task handles."""
    _player.set(player)
    _service.set(service)


def caller() -> Caller:
    """The player in whose name the call is made, else the calling service, else ANONYMOUS."""
    return _player.get() or _service.get() or ANONYMOUS


def require_player() -> Caller:
    """The calling player. Raises UNAUTHENTICATED without a player's token."""
    found = _player.get()
    if found is None:
        raise unauthenticated()
    return found


def require_service(*names: str) -> Caller:
    """The calling service, which must be one of `names`. Raises UNAUTHENTICATED or NOT_PERMITTED."""
    found = _service.get()
    if found is None:
        raise (
            unauthenticated("only for services: a service token is needed")
            if _player.get() is None
            else not_permitted("only for services")
        )
    if names and found.id not in names:
        raise not_permitted(f"not for the service {found.id}")
    return found


def require_role(name: str) -> Caller:
    """The calling player, who must have the role. Raises UNAUTHENTICATED or NOT_PERMITTED."""
    found = require_player()
    if name not in found.roles:
        raise not_permitted(f"only for the role {name}")
    return found


def read_keys(jwks: str) -> dict[str, Ed25519PublicKey]:
    """The EdDSA keys of a JSON Web Key Set by `kid`; others are passed over. Raises ValueError if it is no
    key set."""
    found: dict[str, Ed25519PublicKey] = {}
    for each in json.loads(jwks)["keys"]:
        if each.get("kty") == "OKP" and each.get("crv") == "Ed25519" and each.get("kid") and "d" not in each:
            key = OKPAlgorithm.from_jwk(each)
            if isinstance(key, Ed25519PublicKey):
                found[each["kid"]] = key
    return found


def write_keys(keys: Keys) -> str:
    """The JSON Web Key Set of public keys by `kid`."""
    entries = []
    for kid, key in keys.items():
        entry = OKPAlgorithm.to_jwk(key, as_dict=True)
        entries.append({**entry, "kid": kid, "alg": "EdDSA", "use": "sig"})
    return json.dumps({"keys": entries})


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """An ed25519 key of a PEM file. Raises ValueError for any other key."""
    key = load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path.name} is not an ed25519 key")
    return key


class TokenVerifier:
    """Checks players' access tokens.

    Keys come from `fetch` (a JSON Web Key Set as text) at first use; an unknown `kid` fetches again, at most
    every ten seconds; while the source is away the keys that are known stay in use.
    """

    def __init__(self, fetch: FetchKeys) -> None:
        self._fetch = fetch
        self._keys: dict[str, Ed25519PublicKey] = {}
        self._fetched_at = float("-inf")
        self._fetching = asyncio.Lock()
        self._known: OrderedDict[str, Caller] = OrderedDict()

    def use(self, fetch: FetchKeys) -> None:
        """Takes the keys from another source."""
        self._fetch = fetch

    async def verify(self, token: str) -> Caller:
        """The player whose token this is. Raises UNAUTHENTICATED, or UNAVAILABLE when no key could be had
        yet."""
        known = self._known.get(token)
        if known is not None:
            if time.time() > known.token_expires + LEEWAY_S:
                del self._known[token]
                raise unauthenticated("the token has expired")
            return known
        claims = _decode(token, await self._key(_kid(token)), ISSUER, AUDIENCE)
        if claims.get("typ") != "access":
            raise unauthenticated("not an access token")
        roles = claims.get("roles", [])
        if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
            raise unauthenticated("not a token of ours")
        found = Caller(
            "player", claims["sub"], frozenset(roles), str(claims.get("name", "")), float(claims["exp"])
        )
        self._known[token] = found
        if len(self._known) > _KNOWN_TOKENS:
            self._known.popitem(last=False)
        return found

    async def _key(self, kid: str) -> Ed25519PublicKey:
        if kid not in self._keys:
            async with self._fetching:
                if kid not in self._keys and time.monotonic() - self._fetched_at >= (
                    _REFETCH_S if self._keys else 0.0
                ):
                    await self._refetch()
        found = self._keys.get(kid)
        if found is None:
            raise unauthenticated("signed with a key that is not known")
        return found

    async def _refetch(self) -> None:
        try:
            self._keys = read_keys(await self._fetch())
        except (grpc.aio.AioRpcError, OSError, ValueError, KeyError, AttributeError) as error:
            if not self._keys:
                raise unavailable("the keys that tokens are checked with cannot be had now") from error
            logger().warning("token_keys_not_fetched", error=repr(error))
        self._fetched_at = time.monotonic()


class ServiceVerifier:
    """Checks services' tokens against the key set of a file, which is read again when it changes (rotation
    without a restart)."""

    def __init__(self, part: str, trusted: Path | None) -> None:
        self._part = part
        self._trusted = trusted
        self._keys: dict[str, Ed25519PublicKey] = {}
        self._read_at_change = -1
        self._known: OrderedDict[str, Caller] = OrderedDict()

    def verify(self, token: str) -> Caller:
        """The calling service. Raises UNAUTHENTICATED."""
        keys = self._current_keys()
        known = self._known.get(token)
        if known is not None and time.time() < known.token_expires + LEEWAY_S:
            return known
        kid = _kid(token)
        key = keys.get(kid)
        if key is None:
            raise unauthenticated("not a service that is trusted here")
        claims = _decode(token, key, kid, self._part)
        if claims.get("typ") != "service":
            raise unauthenticated("not a service token")
        found = Caller("service", kid, frozenset({"service"}), token_expires=float(claims["exp"]))
        self._known[token] = found
        if len(self._known) > _KNOWN_TOKENS:
            self._known.popitem(last=False)
        return found

    def _current_keys(self) -> dict[str, Ed25519PublicKey]:
        if self._trusted is None:
            return {}
        changed = self._trusted.stat().st_mtime_ns
        if changed != self._read_at_change:
            self._keys = read_keys(self._trusted.read_text())
            self._read_at_change = changed
            self._known.clear()
        return self._keys


class ServiceSigner:
    """Makes this service's tokens: one an audience, used for half its life."""

    def __init__(self, part: str, key: Ed25519PrivateKey) -> None:
        self._part = part
        self._key = key
        self._tokens: dict[str, tuple[float, str]] = {}

    def token(self, audience: str) -> str:
        """A token for calls to the part `audience`."""
        now = time.time()
        until, token = self._tokens.get(audience, (0.0, ""))
        if until < now:
            claims = {
                "iss": self._part,
                "aud": audience,
                "sub": self._part,
                "iat": int(now),
                "exp": int(now) + SERVICE_TOKEN_S,
                "jti": new_id("jti"),
                "typ": "service",
            }
            token = jwt.encode(claims, self._key, algorithm="EdDSA", headers={"kid": self._part})
            self._tokens[audience] = (now + SERVICE_TOKEN_S / 2, token)
        return token


def bearer(value: str) -> str:
    """The token in the value of `authorization`. Raises UNAUTHENTICATED for anything but `Bearer <token>`."""
    if not value.startswith(_BEARER):
        raise unauthenticated("authorization must be `Bearer <token>`")
    return value[len(_BEARER) :]


def _kid(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise unauthenticated("not a token of ours") from error
    kid = header.get("kid")
    if header.get("alg") != "EdDSA" or not isinstance(kid, str):
        raise unauthenticated("not a token of ours")
    return kid


def _decode(token: str, key: Ed25519PublicKey, issuer: str, audience: str) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=["EdDSA"],
            issuer=issuer,
            audience=audience,
            leeway=LEEWAY_S,
            options={"require": ["iss", "aud", "sub", "exp", "iat", "jti"]},
        )
    except jwt.ExpiredSignatureError as error:
        raise unauthenticated("the token has expired") from error
    except jwt.PyJWTError as error:
        raise unauthenticated("not a token of ours") from error
    return claims
