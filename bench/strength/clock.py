"""Which time a decision's budget counts: the wall clock's, or the processor time of this process.

With processor time it makes no difference what else the machine does: on an idle one both are the same. What the search
reads is `time.monotonic`, so that is what is exchanged, in this process and for as long as the block lasts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def counted(by_processor: bool) -> Iterator[None]:  # the one thing that it is told
    """Let budgets count processor time in the block, if they are to."""
    clocks = time.monotonic, time.perf_counter
    if by_processor:
        time.monotonic = time.perf_counter = time.process_time
    try:
        yield
    finally:
        time.monotonic, time.perf_counter = clocks
