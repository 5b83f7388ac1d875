"""What the steward measures, for Prometheus. No label holds a table, a player or anything of a deal."""

from __future__ import annotations

from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from junto.pool.frames import Cause, Outcome

_log = structlog.get_logger(__name__)
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)


class StewardMetrics:
    """The steward's series in a registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.due_lag = Histogram(
            "junto_due_lag_seconds",
            "How late the steward came to a table that was due.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.duties = Counter("junto_duties", "Things done for tables, by kind.", ("task",), registry=registry)
        self.decisions = Counter(
            "junto_decisions",
            "Decisions asked of the pool, by what came of them.",
            ("outcome",),
            registry=registry,
        )
        self.decision_seconds = Histogram(
            "junto_decision_seconds", "Time from asking to a decision.", buckets=_SECONDS, registry=registry
        )
        self.fallbacks = Counter(
            "junto_fallbacks",
            "Decisions of the rule of thumb, taken because a bot's was late, lost or illegal.",
            registry=registry,
        )
        self.worlds = Counter("junto_worlds", "Worlds that bots sampled.", registry=registry)
        self.playouts = Counter("junto_playouts", "Playouts that bots made.", registry=registry)
        self.hints = Counter("junto_hints", "Hints, by what came of them.", ("outcome",), registry=registry)
        self.conflicts = Counter("junto_steward_conflicts", "Duties that others had done meanwhile.", registry=registry)
        self.faults = Counter("junto_steward_faults", "Faults of the steward's own.", registry=registry)
        self.shards = Gauge("junto_shards_held", "Shards that this steward works.", registry=registry)
        self.waiting = Gauge("junto_agenda_tables", "Tables that this steward will come back to.", registry=registry)
        self.thinking = Gauge("junto_decisions_under_way", "Decisions under way.", registry=registry)
        self.tournaments = Gauge(
            "junto_tournaments_open",
            "Tournaments that are played or wait for it, whoever plays them.",
            registry=registry,
        )
        self.tournament_deals = Counter(
            "junto_tournament_deals",
            "Deals of tournaments that this steward's organiser has kept, each seating counted.",
            registry=registry,
        )
        self.pool_ready = Gauge("junto_pool_ready", "1 while the pool takes decisions.", registry=registry)


class PoolMetrics:
    """The pool's series in a registry: a `junto.pool.counters.Observer`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._answers = Counter(
            "junto_pool_answers", "Answers of workers, by outcome.", ("outcome",), registry=registry
        )
        self._deaths = Counter("junto_pool_deaths", "Workers that ended, by cause.", ("cause",), registry=registry)
        self._waited = Histogram(
            "junto_pool_wait_seconds", "How long decisions waited for a worker.", buckets=_SECONDS, registry=registry
        )
        self._thought = Histogram(
            "junto_pool_think_seconds", "How long workers thought.", buckets=_SECONDS, registry=registry
        )
        self._timeouts = Counter("junto_pool_timeouts", "Decisions whose time was up.", registry=registry)
        self._refusals = Counter("junto_pool_refusals", "Decisions refused: too many wait.", registry=registry)
        self._retries = Counter("junto_pool_retries", "Decisions asked for again.", registry=registry)
        self._losses = Counter("junto_pool_losses", "Times that the Ray cluster was lost.", registry=registry)
        self._workers = Gauge(
            "junto_pool_workers", "Workers, by whether they are ready.", ("state",), registry=registry
        )

    def answered(self, outcome: Outcome, waited_s: float, thought_s: float) -> None:
        """See `Observer`."""
        self._answers.labels(outcome.name.lower()).inc()
        self._waited.observe(waited_s)
        self._thought.observe(thought_s)

    def timed_out(self) -> None:
        """See `Observer`."""
        self._timeouts.inc()

    def turned_away(self) -> None:
        """See `Observer`."""
        self._refusals.inc()

    def asked_again(self) -> None:
        """See `Observer`."""
        self._retries.inc()

    def worker_died(self, cause: Cause, reason: str) -> None:
        """See `Observer`. It is logged, too: while workers die one after the other, bots are late for no other sign."""
        _log.warning("a worker ended", cause=cause.name.lower(), reason=reason)
        self._deaths.labels(cause.name.lower()).inc()

    def crew_changed(self, ready: int, wanted: int) -> None:
        """See `Observer`."""
        self._workers.labels("ready").set(ready)
        self._workers.labels("wanted").set(wanted)

    def cluster_lost(self) -> None:
        """See `Observer`."""
        self._losses.inc()
