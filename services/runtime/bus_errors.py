"""What an exchange with JetStream can end with."""


class BusError(Exception):
    """JetStream refuses: `code` is its error code, the text its description."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code


class WrongLastSequence(BusError):
    """Somebody else has written to the subject, or this very message is stored already: read the last one to
    know."""


class AppendUnknown(Exception):
    """It is not known whether the append was or will be stored."""


class AppendNotSent(AppendUnknown):
    """The append was not sent (no connection) or reached no stream: it is not stored."""


# JetStream's error codes that are branched on.
WRONG_LAST_SEQUENCE = frozenset({10071, 10164})
NO_MESSAGE = 10037
NO_STREAM = 10059
NO_CONSUMER = 10014
