"""Who is alive in a group and who owns which part of it, as a fold over the keys of the lease bucket. No I/O.

Keys (subjects `$KV.LEASES.<key>`): `<group>.member.<id>` lives as long as its member renews it;
`<group>.part.<n>` names an owner and counts while the owner's member key lives. One renewal a member stands
for all of its parts.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import orjson

from services.runtime.messages import StoredMessage

PREFIX = "$KV.LEASES."


class Owner(NamedTuple):
    """Who owns a part, and where it is reached."""

    id: str
    address: str


@dataclass(frozen=True, slots=True)
class Member:
    """A living member. leaving: it still holds parts but takes no more."""

    id: str
    address: str
    leaving: bool
    revision: int


@dataclass(frozen=True, slots=True)
class Part:
    """What the key of a part says. revision: the sequence that a write must expect."""

    owner: Owner | None
    revision: int


class LeaseMap:
    """The map of one group."""

    def __init__(self, group: str) -> None:
        self.group = group
        self.members: dict[str, Member] = {}
        self.parts: dict[int, Part] = {}

    def member_subject(self, member: str) -> str:
        """The subject of a member's key."""
        return f"{PREFIX}{self.group}.member.{member}"

    def part_subject(self, part: int) -> str:
        """The subject of a part's key."""
        return f"{PREFIX}{self.group}.part.{part}"

    def clear(self) -> None:
        """The bucket was made anew: nobody has registered, nothing is owned."""
        self.members.clear()
        self.parts.clear()

    def fold(self, message: StoredMessage) -> tuple[str | None, set[int]]:
        """Takes one change of the bucket; which member came or went (if any), and which parts may have
        another owner now."""
        kind, name = message.subject.removeprefix(f"{PREFIX}{self.group}.").split(".", 1)
        value = orjson.loads(message.data) if message.data else None
        if kind == "member":
            return self._fold_member(name, value, message.sequence)
        part = int(name)
        before = self.owner(part)
        known = self.parts.get(part)
        if known is None or message.sequence > known.revision:
            owner = None if value is None else Owner(value["owner"], value["address"])
            self.parts[part] = Part(owner, message.sequence)
        return None, {part} if self.owner(part) != before else set()

    def end(self, member: str) -> tuple[str | None, set[int]]:
        """A member is taken to have ended without its key having said so; what `fold` would have answered."""
        found = self.members[member]
        return self._fold_member(member, None, found.revision)

    def member_of(self, subject: str) -> str | None:
        """The member whose key a subject is; None for the key of a part."""
        start = self.member_subject("")
        return subject.removeprefix(start) if subject.startswith(start) else None

    def owner(self, part: int) -> Owner | None:
        """The living owner of a part."""
        found = self.parts.get(part)
        if found is None or found.owner is None or found.owner.id not in self.members:
            return None
        return found.owner

    def owned_by(self, member: str) -> set[int]:
        """The parts whose key names the member, alive or not."""
        return {n for n, part in self.parts.items() if part.owner is not None and part.owner.id == member}

    def revision(self, part: int) -> int:
        """The sequence that a write to a part's key must expect."""
        found = self.parts.get(part)
        return 0 if found is None else found.revision

    def candidates(self) -> list[str]:
        """The members that may be given parts."""
        return sorted(member.id for member in self.members.values() if not member.leaving)

    def _fold_member(
        self, name: str, value: dict[str, str | bool] | None, revision: int
    ) -> tuple[str | None, set[int]]:
        before = self.members.get(name)
        if value is None:
            if before is None:
                return None, set()
            del self.members[name]
            return name, self.owned_by(name)
        member = Member(name, str(value["address"]), bool(value.get("leaving", False)), revision)
        self.members[name] = member
        if before is None:
            return name, self.owned_by(name)
        return (name, set()) if before.leaving != member.leaving else (None, set())


def rightful(part: int, candidates: list[str]) -> str | None:
    """Who should own a part: the candidate with the highest hash of (candidate, part). A member that comes or
    goes moves only its share (rendezvous hashing)."""
    return max(candidates, key=lambda member: sha256(f"{member}.{part}".encode()).digest(), default=None)
