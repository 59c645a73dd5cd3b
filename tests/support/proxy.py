"""A TCP proxy between a client and a server that can cut, stall and heal the connection."""

import asyncio
import contextlib

_CHUNK = 64 * 1024


class Proxy:
    """Passes bytes on between its own port and `target` (host:port)."""

    def __init__(self, target: str) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._cut = False
        self._open = asyncio.Event()
        self._open.set()

    async def start(self) -> None:
        """Listens on a free port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Ends all connections and stops listening."""
        self.cut()
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*self._connections, return_exceptions=True)

    @property
    def address(self) -> str:
        """host:port to connect to."""
        if self._server is None:
            raise LookupError("the proxy is not started")
        host, port = self._server.sockets[0].getsockname()
        return f"{host}:{port}"

    def cut(self) -> None:
        """Drops every connection, and every new one."""
        self._cut = True
        for connection in self._connections:
            connection.cancel()

    def stall(self) -> None:
        """Holds all bytes back, both ways."""
        self._open.clear()

    def heal(self) -> None:
        """Passes on again, what was held back first."""
        self._cut = False
        self._open.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if self._cut or task is None:
            writer.close()
            return
        self._connections.add(task)
        try:
            up_reader, up_writer = await asyncio.open_connection(self._host, self._port)
            try:
                await asyncio.gather(self._pass_on(reader, up_writer), self._pass_on(up_reader, writer))
            finally:
                up_writer.close()
        except (OSError, asyncio.CancelledError):
            pass  # an end of the connection on either side is what a proxy is there for
        finally:
            self._connections.discard(task)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(_CHUNK):
            await self._open.wait()
            target.write(data)
            await target.drain()
        target.close()
