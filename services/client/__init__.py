"""A small client of the card room: sign in, sit down, play; see the README of this folder."""

from services.client.connection import Connection
from services.client.errors import Refused
from services.client.gateway import Gateway
from services.client.inbox import Event, Lost, Resumed
from services.client.session import Session

__all__ = ["Connection", "Event", "Gateway", "Lost", "Refused", "Resumed", "Session"]
