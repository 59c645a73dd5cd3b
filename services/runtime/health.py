"""Health: alive is that the event loop turns; ready is that every named condition holds, and if not, why
not."""

from collections.abc import Callable

from services.runtime.logs import logger


class Health:
    """Readiness conditions by name. A process is ready when all of them hold and it is not draining."""

    def __init__(self) -> None:
        self._conditions: dict[str, tuple[bool, str]] = {"start": (False, "starting")}
        self._watchers: list[Callable[[bool], None]] = []

    def set(self, name: str, ready: bool, why: str = "") -> None:
        """Says whether the condition `name` holds; `why` tells an operator what is waited for when it does
        not."""
        before = self.ready
        if self._conditions.get(name) != (ready, why):
            self._conditions[name] = (ready, why)
            logger().info("readiness_changed", condition=name, holds=ready, why=why)
        if self.ready != before:
            for watcher in self._watchers:
                watcher(self.ready)

    @property
    def ready(self) -> bool:
        """Every condition holds."""
        return all(holds for holds, _ in self._conditions.values())

    def reasons(self) -> dict[str, str]:
        """Condition -> why it does not hold."""
        return {name: why for name, (holds, why) in self._conditions.items() if not holds}

    def on_change(self, watcher: Callable[[bool], None]) -> None:
        """Calls `watcher(ready)` whenever readiness as a whole changes."""
        self._watchers.append(watcher)
