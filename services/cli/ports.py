"""Free ports on loopback."""

import random
import socket

# Below what the system gives to outgoing connections, so that none of those takes a port between our look and
# its use.
_LEAST, _MOST = 20_000, 32_000
_TRIES = 200


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Ports:
    """Gives out free ports, none twice."""

    def __init__(self) -> None:
        self._given: set[int] = set()

    def any(self) -> int:
        """Some free port. Raises OSError if none is found."""
        for _ in range(_TRIES):
            port = random.randrange(_LEAST, _MOST)  # noqa: S311 - no secret
            if self._take(port):
                return port
        raise OSError("no free port was found")

    def from_(self, port: int) -> int:
        """`port`, or the next one that is free. Raises OSError if none is."""
        for candidate in range(port, min(port + _TRIES, 65_536)):
            if self._take(candidate):
                return candidate
        raise OSError(f"no port from {port} on is free")

    def _take(self, port: int) -> bool:
        if port in self._given or not is_free(port):
            return False
        self._given.add(port)
        return True
