"""What the server says of itself: its Prometheus metrics, before and after, and what happened in between."""

from __future__ import annotations

import asyncio
import math
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from prometheus_client.parser import text_string_to_metric_families

TIMEOUT_S: Final = 5.0

Labels = tuple[tuple[str, str], ...]
Sample = tuple[str, Labels]


class NoMetrics(Exception):
    """Metrics cannot be had; the message says why."""


@dataclass(frozen=True, slots=True)
class Scraped:
    """The samples of some processes, summed up by name and labels."""

    samples: Mapping[Sample, float]

    def since(self, before: Scraped) -> Scraped:
        """Return what has been added since an earlier look."""
        return Scraped({key: value - before.samples.get(key, 0.0) for key, value in self.samples.items()})

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of a series over all labels that are not given."""
        return sum(
            value
            for (found, having), value in self.samples.items()
            if found == name and labels.items() <= dict(having).items()
        )

    def by(self, name: str, label: str) -> dict[str, float]:
        """Return the sums of a series by one label."""
        sums: defaultdict[str, float] = defaultdict(float)
        for (found, having), value in self.samples.items():
            if found == name:
                sums[dict(having).get(label, "")] += value
        return dict(sums)

    def quantile(self, name: str, share: float) -> float | None:
        """Return a bound that so large a share of a histogram's times does not exceed, in seconds; None: it is empty.

        Prometheus' buckets are coarse: the truth may be as low as the bound before.
        """
        bounds: Counter[float] = Counter()
        for (found, having), value in self.samples.items():
            if found == f"{name}_bucket":
                bounds[float(dict(having)["le"])] += value  # type: ignore[assignment]
        count = max(bounds.values(), default=0)
        if not count:
            return None
        return min((bound for bound, below in bounds.items() if below >= share * count), default=math.inf)


async def scrape(urls: Iterable[str]) -> Scraped:
    """Read the metrics of some processes.

    Raises:
        NoMetrics: one does not answer, or with something else.
    """
    texts = await asyncio.gather(*(asyncio.to_thread(_read, url) for url in urls))
    sums: defaultdict[Sample, float] = defaultdict(float)
    for text in texts:
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                sums[sample.name, tuple(sorted(sample.labels.items()))] += sample.value
    return Scraped(dict(sums))


def _read(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as reply:  # noqa: S310  # the user's own URL
            return str(reply.read().decode())
    except (OSError, ValueError) as problem:
        raise NoMetrics(f"{url}: {getattr(problem, 'reason', problem)}") from None


def told(between: Scraped, span_s: float) -> dict[str, Any]:
    """Return what a load test wants to know of the server's own figures, as JSON can hold it; times in seconds.

    `span_s` is the time between the two looks. It is longer than what is measured: it begins before the warm-up and
    ends when the last moves are answered.
    """
    return {
        "span_s": span_s,
        "has_steward": any(name == "junto_fallbacks_total" for name, _ in between.samples),
        "acts_accepted": round(between.total("junto_calls_total", method="TableService/Act", code="OK")),
        "decisions": {name: round(count) for name, count in between.by("junto_decisions_total", "outcome").items()},
        "fallbacks": round(between.total("junto_fallbacks_total")),
        "playouts": round(between.total("junto_playouts_total")),
        "conflicts": round(between.total("junto_steward_conflicts_total")),
        "incidents": round(between.total("junto_incidents_total")),
        "rejected": {name: round(count) for name, count in between.by("junto_calls_rejected_total", "reason").items()},
        **{
            label: {quantile: between.quantile(name, share) for quantile, share in (("p50", 0.5), ("p99", 0.99))}
            for label, name in _TIMES.items()
        },
    }


_TIMES: Final = {
    "due_lag": "junto_due_lag_seconds",
    "queue_age": "junto_pool_wait_seconds",
    "thinking": "junto_pool_think_seconds",
    "decision": "junto_decision_seconds",
    "call": "junto_call_seconds",
}
"""Which histograms are told: how late the steward came to a bot's turn, how long the decision waited for a worker, how
long the worker thought, all of it from the steward's side, and calls."""
