"""The Ray side: how a decision is asked for, and who decides. See docs/pool.md.

`Pool` moves bytes between a steward and workers; `LocalRay` runs a Ray for one machine. Importing this loads
no Ray: that happens in the processes which these start.
"""

from __future__ import annotations

from junto.pool.counters import Counters, Observer
from junto.pool.errors import (
    BadAddress,
    BadSeam,
    DecisionLate,
    DecisionLost,
    LocalRayFailed,
    PoolBusy,
    PoolError,
    PoolUnavailable,
    WorkFailed,
)
from junto.pool.frames import Cause, Outcome
from junto.pool.local_ray import LocalRay
from junto.pool.pool import Pool
from junto.pool.seam import Decide, Warmup
from junto.pool.settings import PoolSettings

__all__ = [
    "BadAddress",
    "BadSeam",
    "Cause",
    "Counters",
    "Decide",
    "DecisionLate",
    "DecisionLost",
    "LocalRay",
    "LocalRayFailed",
    "Observer",
    "Outcome",
    "Pool",
    "PoolBusy",
    "PoolError",
    "PoolSettings",
    "PoolUnavailable",
    "Warmup",
    "WorkFailed",
]
