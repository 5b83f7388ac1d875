"""When moves are meant to be made: arrivals that do not wait for the server, and the turns that they find.

A load generator that sends the next request when the last one is answered stops asking whenever the server
stops answering, and so does not see what it was there to see (Gil Tene, "How NOT to Measure Latency", calls it
coordinated omission). Here the moments come first, from a Poisson process; the latency of a move counts from
its moment, whatever it had to wait for.
"""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

Seat = TypeVar("Seat", bound=Hashable)


def poisson(rate: float, begin_s: float, end_s: float, draw: random.Random) -> Iterator[float]:
    """Yield the moments from `begin_s` to `end_s` of a Poisson process with `rate` arrivals a second."""
    moment_s = begin_s + draw.expovariate(rate)
    while moment_s < end_s:
        yield moment_s
        moment_s += draw.expovariate(rate)


class Turnstile(Generic[Seat]):
    """Brings arrivals and seats whose turn it is together, each in the order in which they came.

    An arrival that finds no seat to move waits for the next one: the moment at which its move was meant to be
    made stays what it was.
    """

    def __init__(self) -> None:
        self._arrivals: deque[float] = deque()
        self._seats: OrderedDict[Seat, None] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many arrivals wait for a turn."""
        return len(self._arrivals)

    def arrive(self, intended_s: float) -> Seat | None:
        """Let a move be meant for now; return who makes it, None if nobody can yet."""
        if self._seats:
            return self._seats.popitem(last=False)[0]
        self._arrivals.append(intended_s)
        return None

    def turn(self, seat: Seat) -> float | None:
        """Let it be a seat's turn; return when its move was meant to be made, None if none is meant yet."""
        if self._arrivals:
            return self._arrivals.popleft()
        self._seats[seat] = None
        return None

    def leave(self, seat: Seat) -> None:
        """Let a seat be gone, whether it waited or not."""
        self._seats.pop(seat, None)

    def give_up(self) -> list[float]:
        """Return the arrivals that found no turn, and forget them."""
        given_up = list(self._arrivals)
        self._arrivals.clear()
        return given_up
