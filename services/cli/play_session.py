"""Who plays: nicknames, and their tokens kept between runs so that the same nickname gets its seat back."""

import asyncio
import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from google.protobuf import json_format
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1.account_pb2 import Account, Tokens

from services.client import Gateway, Refused, Session


class SavedSession:
    """The file of one nickname, readable by its owner only.

    Account, tokens, and the last notice that was shown. A refresh token works once. Two terminals of the same
    nickname therefore renew under a lock, and the second one takes what the first has written.
    """

    def __init__(self, folder: Path, nickname: str) -> None:
        self._path = folder / f"session-{quote(nickname.casefold(), safe='')}.json"

    async def open(self, gateway: Gateway) -> Session | None:
        """The session that was kept, or None when there is none or it is over."""
        kept = self._read()
        if kept is None:
            return None
        session = Session(gateway, *_parsed(kept), renew=lambda old: self._renew(gateway, old))
        try:
            await session.access()
        except Refused as refused:
            if refused.reason != error_pb2.ERROR_REASON_UNAUTHENTICATED:
                raise
            self._path.unlink(missing_ok=True)
            return None
        return session

    async def create(self, gateway: Gateway, nickname: str) -> Session:
        """A new guest, kept. Refused: NICKNAME_TAKEN and the others of signing in."""
        guest = await gateway.sign_in_guest(nickname)
        with self._locked():
            self._write(guest.account, guest.tokens, 0)
        return Session(gateway, guest.account, guest.tokens, renew=lambda old: self._renew(gateway, old))

    @property
    def last_notice(self) -> int:
        """The number of the last notice that was shown, 0 if none was."""
        kept = self._read()
        return int(kept["last_notice"]) if kept else 0

    def keep_notice(self, number: int) -> None:
        """Remembers which notice was shown last."""
        with self._locked():
            kept = self._read()
            if kept and kept["last_notice"] < number:
                self._write(*_parsed(kept), number)

    async def _renew(self, gateway: Gateway, old: Tokens) -> Tokens:
        renewing = await asyncio.to_thread(self._lock, ".renewing")
        try:
            kept = self._read()
            newest = _parsed(kept)[1] if kept else old
            if newest.access != old.access and newest.access_expires.seconds > time.time() + 60:
                return newest
            session = await gateway.sign_in_again(newest.refresh)
            with self._locked():
                kept = self._read()
                self._write(session.account, session.tokens, kept["last_notice"] if kept else 0)
            return session.tokens
        finally:
            os.close(renewing)

    def _read(self) -> dict[str, Any] | None:
        try:
            kept: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return kept

    def _write(self, account: Account, tokens: Tokens, last_notice: int) -> None:
        kept = {
            "account": json_format.MessageToDict(account),
            "tokens": json_format.MessageToDict(tokens),
            "last_notice": last_notice,
        }
        new = self._path.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(kept, file)
        new.replace(self._path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """For as long as it takes to write the file; nothing is awaited meanwhile."""
        lock = self._lock(".lock")
        try:
            yield
        finally:
            os.close(lock)

    def _lock(self, suffix: str) -> int:
        """Waits for a lock among all programs of this nickname; closing what is returned gives it back."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._path.with_suffix(suffix), os.O_WRONLY | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        return lock


def _parsed(kept: dict[str, Any]) -> tuple[Account, Tokens]:
    account = json_format.ParseDict(kept["account"], Account())
    return account, json_format.ParseDict(kept["tokens"], Tokens())
