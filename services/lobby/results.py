"""Closes tables whose match is over: reads every result once, idempotently."""

import asyncpg
from tavolo.table.v1.result_pb2 import MatchResult

from services.lobby import metrics, rooms
from services.runtime.logs import bind, logger
from services.runtime.messages import StoredMessage

STREAM = "TABLE_RESULTS"
SUBJECT = "tavolo.table.result.>"
DURABLE = "lobby"


class Results:
    """Handles the messages of the stream of results."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def close_table(self, message: StoredMessage) -> None:
        """Closes the table of one result. Raises DecodeError for what is no result: the consumer puts that
        aside.
        """
        result = MatchResult.FromString(message.data)
        bind(table=result.table, match=result.match)
        async with self._pool.acquire() as connection, connection.transaction():
            row = await connection.fetchrow(
                "SELECT state FROM tables WHERE id = $1 AND match = $2 FOR UPDATE", result.table, result.match
            )
            if row is not None and row["state"] != "CLOSED":
                await rooms.close(connection, result.table)
        if row is None:
            metrics.RESULTS.labels("unknown").inc()
            logger().warning("result_of_unknown_table")
        else:
            metrics.RESULTS.labels("repeated" if row["state"] == "CLOSED" else "closed").inc()
            logger().info("table_closed", ended_by=result.outcome.ended_by)
