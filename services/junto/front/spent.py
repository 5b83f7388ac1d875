"""Used refresh tokens, remembered in Redis for all fronts."""

from __future__ import annotations

from typing import Final, Protocol

from redis.crc import key_slot

from junto.front.refusals import refusals

_LEAST_MS: Final = 1000


class Redis(Protocol):
    """What this needs of `junto.table.connection.Connection`."""

    async def read(self, slot: int, *command: bytes | str | int) -> object:
        """Send a command that changes nothing."""

    async def write(self, slot: int, *command: bytes | str | int) -> object:
        """Send a command."""


class SpentInRedis:
    """Remembers, for each refresh token, when it was first used, until it would end anyway.

    Args:
        redis: the connection.
        prefix: begins the names of the keys, as `Keyspace` has it.
    """

    def __init__(self, redis: Redis, prefix: str = "junto") -> None:
        self._redis = redis
        self._prefix = prefix

    async def first_use(self, token_id: str, now: float, keep_s: float) -> float:
        """See `junto.front.tokens.SpentTokens`.

        Raises:
            Fault: STORE_UNAVAILABLE.
        """
        key = f"{self._prefix}:spent:{token_id}".encode()
        slot = key_slot(key)
        keep_ms = max(_LEAST_MS, round(keep_s * 1000))
        with refusals():
            if await self._redis.write(slot, "SET", key, repr(now), "NX", "PX", keep_ms) is not None:
                return now
            first = await self._redis.read(slot, "GET", key)
        return float(first) if isinstance(first, bytes) else now
