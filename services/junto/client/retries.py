"""When a call is made again by itself."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

import grpc

from junto.client.errors import CallError
from junto.v1 import errors_pb2

_REPEATABLE: Final = frozenset({errors_pb2.ERROR_REASON_CONFLICT})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and after what time a call that may be repeated is repeated.

    `attempts` counts the first one; the wait doubles from `base_s` up to `cap_s`, is drawn at random below
    that, and is never shorter than what the server asked for.
    """

    attempts: int = 5
    base_s: float = 0.05
    cap_s: float = 2.0
    draw: random.Random = field(default_factory=random.Random, repr=False, compare=False)

    def wait_s(self, attempt: int, error: CallError) -> float | None:
        """Return how long to wait after a failed attempt (the first is 1); None: give up."""
        if attempt >= self.attempts or not self._may_pass(error):
            return None
        longest = min(self.cap_s, self.base_s * 2 ** (attempt - 1))
        return max(self.draw.uniform(0, longest), error.retry_delay_s or 0.0)

    def _may_pass(self, error: CallError) -> bool:
        return error.code is grpc.StatusCode.UNAVAILABLE or error.reason in _REPEATABLE


NO_RETRIES: Final = Retries(attempts=1)
