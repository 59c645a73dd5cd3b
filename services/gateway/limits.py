"""How much somebody may send: token buckets, and how many connections there may be."""

from collections import Counter, OrderedDict


class Bucket:
    """A token bucket: `burst` at once, `rate` per second in the long run. Times are monotonic seconds."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, now: float) -> float:
        """Takes one token and returns 0, or takes none and returns the seconds until there is one."""
        tokens = self._tokens + (now - self._at) * self._rate
        if tokens > self._burst:
            tokens = self._burst
        self._at = now
        if tokens >= 1.0:
            self._tokens = tokens - 1.0
            return 0.0
        self._tokens = tokens
        return (1.0 - tokens) / self._rate


class Buckets:
    """A bucket for each key, of the keys that were used last (`most` of them)."""

    def __init__(self, rate: float, burst: float, most: int = 20_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """See Bucket.take."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now)


class Places:
    """How many things each key has, with a limit for each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, key: str) -> bool:
        """Takes a place; False when the key has as many as it may."""
        if self._taken[key] >= self._most:
            return False
        self._taken[key] += 1
        return True

    def give_back(self, key: str) -> None:
        """Gives a place back that was taken."""
        self._taken[key] -= 1
        if not self._taken[key]:
            del self._taken[key]


def client_address(peer: str, forwarded: str, proxies: int) -> str:
    """A client's address: the peer's, or what the outermost of `proxies` trusted proxies has written down."""
    if not proxies:
        return peer
    hops = [each.strip() for each in forwarded.split(",") if each.strip()]
    return hops[-proxies] if len(hops) >= proxies else peer
