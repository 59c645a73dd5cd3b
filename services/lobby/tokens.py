"""Tokens: short access tokens (JWT, EdDSA) and refresh tokens that rotate.

A refresh token is `<session id>.<secret>`; the database has the hash of the newest secret of each session
only. Nobody but who held a token of a session knows its id, so a secret that is not the newest one is a token
that was used before: a thief's or its victim's, and all sessions of the account end.
"""

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import compare_digest

import asyncpg
import jwt
from tavolo.lobby.v1 import account_pb2

from services.lobby.keys import SigningKeys
from services.runtime.auth import AUDIENCE, ISSUER
from services.runtime.errors import unauthenticated
from services.runtime.ids import new_id, valid_id
from services.runtime.logs import logger

_BAD_REFRESH = "this refresh token is not valid: sign in again"


@dataclass(frozen=True, slots=True)
class Identity:
    """What a token says of an account."""

    id: str
    nickname: str
    kind: str
    roles: tuple[str, ...]

    @property
    def all_roles(self) -> list[str]:
        """`player`, the kind if it is not a person, and what the account was given."""
        return ["player", *([] if self.kind == "person" else [self.kind]), *self.roles]


class Tokens:
    """Makes tokens; keeps the sessions."""

    def __init__(self, pool: asyncpg.Pool, keys: SigningKeys, access_s: int, refresh_s: int) -> None:
        self._pool = pool
        self._keys = keys
        self._access_s = access_s
        self._life = timedelta(seconds=refresh_s)

    def access(self, who: Identity) -> account_pb2.Tokens:
        """An access token alone."""
        now = int(time.time())
        expires = now + self._access_s
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": who.id,
            "iat": now,
            "exp": expires,
            "jti": new_id("jti"),
            "typ": "access",
            "name": who.nickname,
            "roles": who.all_roles,
        }
        kid, key = self._keys.current()
        made = account_pb2.Tokens(access=jwt.encode(claims, key, algorithm="EdDSA", headers={"kid": kid}))
        made.access_expires.FromSeconds(expires)
        return made

    async def begin(self, connection: asyncpg.Connection, who: Identity) -> account_pb2.Tokens:
        """Begins a session, in the caller's transaction; ended ones of the account are forgotten."""
        session, secret = new_id("ses"), secrets.token_urlsafe(32)
        await connection.execute("DELETE FROM sessions WHERE account = $1 AND expires <= now()", who.id)
        await connection.execute(
            "INSERT INTO sessions (id, account, secret, expires) VALUES ($1, $2, $3, $4)",
            session, who.id, _hash(secret), self._expires(),
        )  # fmt: skip
        return self._both(who, session, secret)

    async def rotate(self, refresh: str) -> tuple[str, str, str]:
        """Uses a refresh token up; account id, session id and the new secret. Raises UNAUTHENTICATED."""
        session, _, secret = refresh.partition(".")
        if not valid_id(session, "ses"):
            raise unauthenticated(_BAD_REFRESH)
        async with self._pool.acquire() as connection, connection.transaction():
            row = await connection.fetchrow(
                "SELECT account, secret FROM sessions WHERE id = $1 AND expires > now() FOR UPDATE", session
            )
            if row is not None and compare_digest(row["secret"], _hash(secret)):
                fresh = secrets.token_urlsafe(32)
                await connection.execute(
                    "UPDATE sessions SET secret = $2, expires = $3 WHERE id = $1",
                    session,
                    _hash(fresh),
                    self._expires(),
                )
                return row["account"], session, fresh
            if row is not None:
                await connection.execute("DELETE FROM sessions WHERE account = $1", row["account"])
                logger().warning("refresh_token_used_twice", player=row["account"])
        raise unauthenticated(_BAD_REFRESH)

    def renewed(self, who: Identity, session: str, secret: str) -> account_pb2.Tokens:
        """The tokens that follow a `rotate`."""
        return self._both(who, session, secret)

    def _both(self, who: Identity, session: str, secret: str) -> account_pb2.Tokens:
        made = self.access(who)
        made.refresh = f"{session}.{secret}"
        return made

    def _expires(self) -> datetime:
        return datetime.now(UTC) + self._life


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
