"""What the front measures, for Prometheus.

No label holds a player, a table or anything that depends on a card. Label values come from closed sets:
the front (`grpc`, `connect`), the method, the status code.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)


class FrontMetrics:
    """The front's own series in a registry; each front of a process needs a registry of its own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.calls = Counter(
            "junto_calls", "Calls that ended, streams included.", ("front", "method", "code"), registry=registry
        )
        self.seconds = Histogram(
            "junto_call_seconds",
            "Time from a call's arrival to its reply, without streams.",
            ("front", "method"),
            buckets=_SECONDS,
            registry=registry,
        )
        self.messages = Counter(
            "junto_stream_messages", "Messages sent on streams.", ("front", "method"), registry=registry
        )
        self.rejected = Counter(
            "junto_calls_rejected",
            "Calls refused before they reached a servicer, by reason.",
            ("reason",),
            registry=registry,
        )
        self.cut = Counter("junto_streams_cut", "Streams cut off because their client read nothing.", registry=registry)
        self.incidents = Counter(
            "junto_incidents", "Faults of the server's: calls answered INTERNAL.", registry=registry
        )
        self.in_work = Gauge("junto_calls_in_work", "Calls being answered now, without streams.", registry=registry)
        self.streams = Gauge("junto_streams_open", "Streams open now.", registry=registry)
        self.ready = Gauge("junto_ready", "1 while the front takes calls: the store takes writes.", registry=registry)
        self._outcomes: dict[tuple[str, str, str], Counter] = {}
        self._seconds: dict[tuple[str, str], Histogram] = {}
        self._messages: dict[tuple[str, str], Counter] = {}

    def ended(self, front: str, method: str, code: str) -> None:
        """Count a call that ended."""
        key = (front, method, code)
        child = self._outcomes.get(key)
        if child is None:
            child = self._outcomes[key] = self.calls.labels(*key)
        child.inc()

    def took(self, front: str, method: str, seconds: float) -> None:
        """Note how long a call without a stream took."""
        key = (front, method)
        child = self._seconds.get(key)
        if child is None:
            child = self._seconds[key] = self.seconds.labels(*key)
        child.observe(seconds)

    def sent(self, front: str, method: str, messages: int) -> None:
        """Count messages of a stream."""
        key = (front, method)
        child = self._messages.get(key)
        if child is None:
            child = self._messages[key] = self.messages.labels(*key)
        child.inc(messages)
