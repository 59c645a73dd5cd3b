"""What the gateway says to somebody who opens it in a browser; the page will be served from this place."""

_TEXT = """\
Tavolo: a room for Italian card games.

Play in a terminal, from the project's folder:

    make play                                   sit at a scopa table against a computer player
    .venv/bin/tavolo play --gateway {grpc}      the same, at this gateway
    .venv/bin/tavolo play --help                choose game, options and opponents; join or watch a table

Write a client:

    ws://{http}/ws    WebSocket, sub-protocols tavolo.v1.json and tavolo.v1.proto
    {grpc}            gRPC: tavolo.gateway.v1.GatewayService and the public services; reflection is on

services/gateway/README.md describes the protocol, with examples.
"""


def how_to_play(http: str, grpc: str) -> str:
    """The text, with the addresses under which HTTP and gRPC are reached."""
    return _TEXT.format(http=http, grpc=grpc)
