"""The documented metrics are those that running processes export."""

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from deploy.metrics import declared
from services.cli.cluster import Cluster

PARTS = ("gateway", "lobby", "table_engine", "clock", "chat", "scoring", "bots")


async def exported(address: str) -> dict[str, str]:
    """Name -> type of our metrics at an address."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}/metrics") as answer:
        families = text_string_to_metric_families(await answer.text())
        # The client adds to each counter and histogram when it was created.
        ours = [
            each
            for each in families
            if each.name.startswith("tavolo_") and not each.name.endswith("_created")
        ]
    return {f"{each.name}_total" if each.type == "counter" else each.name: each.type for each in ours}


async def test_every_process_exports_what_is_documented_of_its_part(cluster: Cluster) -> None:
    documented = {part: {each.name: each.kind for each in metrics} for part, metrics in declared().items()}
    for part in PARTS:
        name = cluster.workers[0] if part == "table_engine" else part
        port = "metrics" if part == "gateway" else "http"
        assert await exported(cluster.address(name, port)) == documented["runtime"] | documented[part]
