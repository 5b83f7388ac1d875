"""What can go wrong with the store, whatever is asked of it.

    StoreError                  the store answered something that it should not: a fault of ours, or foreign data
    ├── RedisUrlError           the URL names no Redis (also a ValueError)
    ├── ShardsDiffer            the data were written with another number of shards
    └── StoreUnavailable        it cannot be reached, or its answer was lost: what was asked may have happened
        └── StoreUnwritable     it answers, and refuses to write; nothing happened

After `StoreUnavailable` the caller repeats the call, with the same request id.
"""

from __future__ import annotations


class StoreError(Exception):
    """The store answered something that it should not."""


class RedisUrlError(StoreError, ValueError):
    """The URL names no Redis."""


class ShardsDiffer(StoreError):
    """The data in Redis were written with another number of shards."""


class StoreUnavailable(StoreError):
    """Redis cannot be reached, or its answer was lost. What was asked may have happened or not."""


class StoreUnwritable(StoreUnavailable):
    """Redis answers, and refuses to write. Nothing happened."""
