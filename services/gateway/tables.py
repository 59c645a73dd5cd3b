"""Which connection is attached to which table, and where views go."""

from collections import defaultdict
from typing import TYPE_CHECKING

from services.gateway import metrics
from services.gateway.link import Link
from services.runtime.shards import shard_of

if TYPE_CHECKING:
    from services.gateway.session import Session

_VERSION_BYTES = 8


class Attachment:
    """A connection's tie to a table. `id` is the engine's name for it, empty until it has attached it."""

    __slots__ = ("ended", "id", "link", "seat", "session", "shard", "subject", "table", "version", "watch")

    def __init__(self, session: "Session", table: str, watch: bool) -> None:
        self.session = session
        self.table = table
        self.shard = shard_of(table)
        self.watch = watch
        self.id = ""
        self.seat: int | None = None
        self.subject = ""
        # Of the newest view that was put out to the client.
        self.version = 0
        # The link on which it was attached last: another one now means that it must be attached again.
        self.link: Link | None = None
        self.ended = False


class _Arrivals:
    """What came for a table while attachments to it were under way, whose subjects are not known yet."""

    __slots__ = ("attaching", "gone", "views")

    def __init__(self) -> None:
        self.attaching = 0
        self.views: dict[str, bytes] = {}
        self.gone: set[str] = set()


class Tables:
    """All attachments of this gateway."""

    def __init__(self, gateway: str) -> None:
        self._views = f"tavolo.view.{gateway}."
        # By subject as it comes from the wire.
        self._by_subject: defaultdict[str, list[Attachment]] = defaultdict(list)
        self._by_id: dict[str, Attachment] = {}
        self._by_shard: defaultdict[int, set[Attachment]] = defaultdict(set)
        self._arrivals: defaultdict[str, _Arrivals] = defaultdict(_Arrivals)

    def attached_to(self, shard: int) -> tuple[Attachment, ...]:
        """The attachments to tables of a shard."""
        return tuple(self._by_shard.get(shard, ()))

    def shards(self) -> list[int]:
        """The shards to whose tables somebody is attached."""
        return list(self._by_shard)

    def all(self) -> list[Attachment]:
        """Every attachment."""
        return list(self._by_id.values())

    # ---------------------------------------------------------------------------------- coming and going

    def arriving(self, table: str) -> None:
        """An attachment to the table is under way: what comes for it is kept."""
        self._arrivals[table].attaching += 1

    def arrived(self, table: str) -> None:
        """An attachment that was under way has been answered (and added, if it was made)."""
        arrivals = self._arrivals[table]
        arrivals.attaching -= 1
        if not arrivals.attaching:
            del self._arrivals[table]

    def add(self, attachment: Attachment, identity: str, seat: int | None, version: int) -> None:
        """The engine has made the attachment (again), with the view `version`. `catch_up` has to follow."""
        self.remove(attachment)
        attachment.ended = False
        attachment.id = identity
        attachment.seat = seat
        attachment.version = max(version, attachment.version)
        place = "public" if seat is None else str(seat)
        attachment.subject = f"{self._views}{attachment.table}.{place}.{attachment.session.form.suffix}"
        self._by_subject[attachment.subject].append(attachment)
        self._by_id[identity] = attachment
        self._by_shard[attachment.shard].add(attachment)
        metrics.ATTACHMENTS.labels("watch" if seat is None else "seat").inc()

    def catch_up(self, attachment: Attachment) -> None:
        """Hands over what came for the attachment before its answer did."""
        arrivals = self._arrivals.get(attachment.table)
        if arrivals is None:
            return
        payload = arrivals.views.get(attachment.subject)
        if payload is not None:
            _show(attachment, payload)
        if attachment.id in arrivals.gone:
            self.gone(attachment.table, attachment.id)

    def remove(self, attachment: Attachment) -> None:
        """Forgets the attachment; it gets nothing any more."""
        attachment.ended = True
        if self._by_id.pop(attachment.id, None) is None:
            return
        metrics.ATTACHMENTS.labels("watch" if attachment.seat is None else "seat").dec()
        _discard(self._by_subject, attachment.subject, attachment)
        in_shard = self._by_shard[attachment.shard]
        in_shard.discard(attachment)
        if not in_shard:
            del self._by_shard[attachment.shard]

    # ------------------------------------------------------------------------------------ from the engine

    def view(self, subject: str, payload: bytes) -> None:
        """A view: eight bytes of version (big-endian), then an item that is passed on unparsed."""
        metrics.VIEWS_IN.inc()
        for attachment in self._by_subject.get(subject, ()):
            _show(attachment, payload)
        if self._arrivals:
            arrivals = self._arrivals.get(subject[len(self._views) :].partition(".")[0])
            if arrivals is not None:
                known = arrivals.views.get(subject)
                if known is None or known[:_VERSION_BYTES] < payload[:_VERSION_BYTES]:
                    arrivals.views[subject] = payload

    def gone(self, table: str, identity: str) -> None:
        """A newer connection of the account has taken the seat of this attachment over."""
        attachment = self._by_id.get(identity)
        if attachment is not None:
            metrics.TAKEN_OVER.inc()
            self.remove(attachment)
            attachment.session.replaced(attachment)
        elif table in self._arrivals:
            self._arrivals[table].gone.add(identity)


def _show(attachment: Attachment, payload: bytes) -> None:
    """Puts a view out to the client, unless it has a newer one."""
    version = int.from_bytes(payload[:_VERSION_BYTES], "big")
    if version > attachment.version:
        attachment.version = version
        attachment.session.outbox.put_view(attachment, payload[_VERSION_BYTES:])


def _discard(lists: dict[str, list[Attachment]], key: str, attachment: Attachment) -> None:
    found = lists[key]
    found.remove(attachment)
    if not found:
        del lists[key]
