"""What the front measures, for Prometheus.

No label holds a player, a table or anything that depends on a card. Label values come from closed sets:
the front (`grpc`, `connect`), the method, the status code.

Calls are counted in plain dictionaries and become series when they are asked for: on the way of every call
prometheus-client's own counters, which take a lock each, would cost more than all the rest of the counting.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)


class _Times:
    """How long calls took: how many fell below each bound and above the one before, and the sum."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(_SECONDS) + 1)
        self.seconds = 0.0

    def buckets(self) -> list[tuple[str, float]]:
        """Return how many took at most each bound."""
        total, found = 0, []
        for bound, count in zip((*map(str, _SECONDS), "+Inf"), self.counts, strict=True):
            total += count
            found.append((bound, float(total)))
        return found


class _Calls(Collector):
    """Turns what was counted into series."""

    def __init__(self) -> None:
        self.ended: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self.times: defaultdict[tuple[str, str], _Times] = defaultdict(_Times)
        self.messages: defaultdict[tuple[str, str], int] = defaultdict(int)

    def collect(self) -> Iterator[Metric]:
        """See prometheus-client, which calls this from a thread of its own."""
        calls = CounterMetricFamily(
            "junto_calls", "Calls that ended, streams included.", labels=("front", "method", "code")
        )
        for labels, count in list(self.ended.items()):
            calls.add_metric(labels, count)
        seconds = HistogramMetricFamily(
            "junto_call_seconds",
            "Time from a call's arrival to its reply, without streams.",
            labels=("front", "method"),
        )
        for names, times in list(self.times.items()):
            seconds.add_metric(names, times.buckets(), times.seconds)
        messages = CounterMetricFamily(
            "junto_stream_messages", "Messages of streams that ended.", labels=("front", "method")
        )
        for names, count in list(self.messages.items()):
            messages.add_metric(names, count)
        yield from (calls, seconds, messages)


class FrontMetrics:
    """The front's own series in a registry; each front of a process needs a registry of its own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self._calls = _Calls()
        registry.register(self._calls)
        self.rejected = Counter(
            "junto_calls_rejected", "Calls held back by a limit, by reason.", ("reason",), registry=registry
        )
        self.cut = Counter("junto_streams_cut", "Streams cut off because their client read nothing.", registry=registry)
        self.incidents = Counter("junto_incidents", "Calls answered INTERNAL.", registry=registry)
        self.in_work = Gauge("junto_calls_in_work", "Calls being answered now, without streams.", registry=registry)
        self.streams = Gauge("junto_streams_open", "Streams open now.", registry=registry)
        self.ready = Gauge("junto_ready", "1 while the front takes calls: the store takes writes.", registry=registry)

    def ended(self, front: str, method: str, code: str) -> None:
        """Count a call that ended."""
        self._calls.ended[front, method, code] += 1

    def took(self, front: str, method: str, seconds: float) -> None:
        """Note how long a call without a stream took."""
        times = self._calls.times[front, method]
        times.counts[bisect_left(_SECONDS, seconds)] += 1
        times.seconds += seconds

    def sent(self, front: str, method: str, messages: int) -> None:
        """Count messages of a stream."""
        self._calls.messages[front, method] += messages
