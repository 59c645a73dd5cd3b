"""The operators' HTTP endpoints of every service: /healthz (alive), /readyz (ready, or why not), /metrics."""

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from services.runtime import metrics
from services.runtime.health import Health


def health_routes(health: Health) -> list[web.RouteDef]:
    """/healthz and /readyz, for a service that has an HTTP server of its own."""

    async def healthz(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def readyz(_request: web.Request) -> web.Response:
        reasons = health.reasons()
        return web.json_response({"ready": not reasons, "reasons": reasons}, status=503 if reasons else 200)

    return [web.get("/healthz", healthz), web.get("/readyz", readyz)]


class OpsServer:
    """The endpoints on a port of their own."""

    def __init__(self, health: Health) -> None:
        application = web.Application()
        application.add_routes([*health_routes(health), web.get("/metrics", _metrics)])
        self._runner = web.AppRunner(application, access_log=None, handle_signals=False)

    async def start(self, host: str, port: int) -> int:
        """Listens; the port that it got. Raises OSError if it is taken."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, shutdown_timeout=1)
        await site.start()
        found: int = self._runner.addresses[0][1]
        return found

    async def stop(self) -> None:
        """Closes the port."""
        await self._runner.cleanup()


async def _metrics(_request: web.Request) -> web.Response:
    return web.Response(body=metrics.exposition(), headers={"Content-Type": CONTENT_TYPE_LATEST})
