"""Calls that are repeated, as a real client would, and counted, as a real client would not."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from junto.client import CallError
from junto.load.recording import Recorder
from junto.v1 import errors_pb2

Request = TypeVar("Request")
Reply = TypeVar("Reply")

PATIENCE_S: Final = 30.0
"""How long a call that fails is repeated, with the same request id, before it is given up."""
FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 1.0
_AGAIN: Final = frozenset({"UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"})


async def persist(
    method: Callable[[Request], Awaitable[Reply]],
    request: Request,
    name: str,
    recorder: Recorder,
    patience_s: float = PATIENCE_S,
) -> Reply:
    """Make a call, and again with growing pauses while its failure may pass; every attempt and failure is counted.

    Raises:
        CallError: it failed for good, or for longer than `patience_s`.
    """
    give_up_s = recorder.clock() + patience_s
    pause_s = FIRST_PAUSE_S
    while True:
        recorder.called()
        try:
            return await method(request)
        except CallError as error:
            recorder.error(name, error)
            if not may_pass(error) or recorder.clock() + pause_s > give_up_s:
                raise
            await asyncio.sleep(max(pause_s * random.uniform(0.5, 1.0), error.retry_delay_s or 0.0))
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def may_pass(error: CallError) -> bool:
    """Tell whether the same call may succeed later."""
    if error.reason == errors_pb2.ERROR_REASON_TOO_MANY:
        return False
    return error.code.name in _AGAIN or error.reason == errors_pb2.ERROR_REASON_CONFLICT


def new_request_id() -> str:
    """Return an id for a new intent."""
    return str(uuid.uuid4())
