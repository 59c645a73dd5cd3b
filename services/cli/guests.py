"""Guests that the tools sign in by themselves."""

import secrets

from tavolo.common.v1 import error_pb2

from services.client import Gateway, Refused, Session

# Letters of which none looks like another, alone or in pairs, so that two of these names never look alike.
_LETTERS = "abdegkptxz"
_LENGTH = 10
_TRIES = 5


async def sign_in_guest(gateway: Gateway, prefix: str) -> Session:
    """A new guest whose nickname begins with `prefix`. Refused: not for the nickname's sake."""
    for _ in range(_TRIES - 1):
        try:
            return await gateway.sign_in_guest(_nickname(prefix))
        except Refused as refused:
            if refused.reason not in {
                error_pb2.ERROR_REASON_NICKNAME_TAKEN,
                error_pb2.ERROR_REASON_NICKNAME_REFUSED,
            }:
                raise
    return await gateway.sign_in_guest(_nickname(prefix))


def _nickname(prefix: str) -> str:
    return f"{prefix}-{''.join(secrets.choice(_LETTERS) for _ in range(_LENGTH))}"
