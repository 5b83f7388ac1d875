"""Double-dummy tricks by Bo Haglund's solver (DDS), as the package `endplay` carries it.

Asked for a *position*: four hands by place (0..3, clockwise) as sets of cards, trumps (4: no trumps), the place that
led to the trick on the table, and the cards of that trick, which are no longer in the hands. A place is where a hand
lies; in bridge for four it is the seat. Answers count the tricks that the side of the place to play takes from this
trick on, the one on the table included. Worlds are many hands for one trick on the table.

A world cannot be interrupted: a full deal can take a second, hands of ten cards take a millisecond. Who has a deadline
says so, and is given what was solved by then; the world that takes too long is left behind in its thread, and its
answer dropped. One thread solves, one world after the other; calls from several threads wait for each other.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.cards import Card

Vector = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
"""As the solver's library takes them and gives them back."""
Tricks = npt.NDArray[np.int8]
"""Tricks by card, (worlds, 52); -1 for a card that may not be played."""

NOT_PLAYABLE: Final = -1
_MEMORY_MB: Final = 30
"""Of so little the solver makes its small table: hands of eight cards take half the time that the large one costs."""
_DEAL: Final = 24
_TRUMP, _LEADER, _TRICK_SUITS, _TRICK_RANKS, _HANDS = 0, 1, 2, 5, 8
_FUTURE: Final = 54
_CARDS, _SUITS, _RANKS, _EQUALS, _SCORES = 1, 2, 15, 28, 41
_ANY_TARGET, _EVERY_CARD, _BEST_CARD, _ALWAYS_SEARCH = -1, 3, 1, 1
_SUIT_SHIFTS: Final = 13 * np.arange(4)
_LOWEST_RANK: Final = 2
_SUIT_CARDS: Final = (1 << 13) - 1
_MAKING: Final = threading.Lock()


class UnsolvablePosition(ValueError):
    """What was given is no position: hands of unequal size, a card that is there twice, a trick that is full."""


def tricks_by_card(hands: Sequence[int], trump: int, leader: int, trick: Sequence[Card] = ()) -> dict[Card, int]:
    """Return for each card that the place to play may play the tricks that its side then takes.

    Raises:
        UnsolvablePosition: this is no position.
    """
    tricks = tricks_in_worlds(np.array([hands], np.int64), trump, leader, trick)[0]
    return {card: int(count) for card, count in enumerate(tricks) if count != NOT_PLAYABLE}


def most_tricks(hands: Sequence[int], trump: int, leader: int, trick: Sequence[Card] = ()) -> int:
    """Return the tricks that the side of the place to play takes at best.

    Raises:
        UnsolvablePosition: this is no position.
    """
    return int(_solved(np.array([hands], np.int64), trump, leader, trick, _BEST_CARD)[0, _SCORES])


def tricks_in_worlds(
    hands: Vector, trump: int, leader: int, trick: Sequence[Card] = (), deadline: float = math.inf
) -> Tricks:
    """Return the tricks of each card in each of many worlds; `hands` is (worlds, 4).

    With a `deadline` (of `time.monotonic`) it returns by then, with the first of the worlds: none, if none was solved.

    Raises:
        UnsolvablePosition: one of them is no position.
    """
    return _by_card(_solved(hands, trump, leader, trick, _EVERY_CARD, deadline))


def _solved(
    hands: Vector, trump: int, leader: int, trick: Sequence[Card], asked: int, deadline: float = math.inf
) -> Numbers:
    """Return what the solver says of the worlds, a row each: of all of them, or of those solved by the deadline."""
    _check(hands, trump, leader, trick)
    deals = np.zeros((len(hands), _DEAL), np.int32)
    deals[:, _TRUMP], deals[:, _LEADER] = trump, leader
    for place, card in enumerate(trick):
        deals[:, _TRICK_SUITS + place], deals[:, _TRICK_RANKS + place] = card // 13, card % 13 + _LOWEST_RANK
    suits = hands[:, :, None] >> _SUIT_SHIFTS & _SUIT_CARDS
    deals[:, _HANDS:] = (suits << _LOWEST_RANK).reshape(len(hands), 16)
    return _solver().solve(deals, asked, deadline)


def _by_card(answers: npt.NDArray[np.int32]) -> Tricks:
    """Return the tricks of each card; the solver tells of one of equal cards, and which are its equals."""
    tricks = np.full((len(answers), 4, 13), NOT_PLAYABLE, np.int8)
    rows = np.arange(len(answers))
    for slot in range(int(answers[:, _CARDS].max(initial=0))):
        there = slot < answers[:, _CARDS]
        cards = (1 << answers[:, _RANKS + slot] | answers[:, _EQUALS + slot]) >> _LOWEST_RANK
        held = (cards[:, None] >> np.arange(13) & 1).astype(bool) & there[:, None]
        suit_rows = tricks[rows, answers[:, _SUITS + slot]]
        tricks[rows, answers[:, _SUITS + slot]] = np.where(held, answers[:, _SCORES + slot, None], suit_rows)
    return tricks.reshape(-1, 52)


def _check(hands: Vector, trump: int, leader: int, trick: Sequence[Card]) -> None:
    """Refuse what is no position: the solver would write all it was given to a file in the working folder."""
    if hands.ndim != 2 or hands.shape[1] != 4:
        raise UnsolvablePosition("a position has four hands")
    if trump not in range(5) or leader not in range(4):
        raise UnsolvablePosition("trumps are 0 to 4, the leader's place is 0 to 3")
    if len(trick) > 3:
        raise UnsolvablePosition("a trick on the table has at most three cards")
    if not all(card in range(52) for card in trick) or (hands >> 52).any():
        raise UnsolvablePosition("the cards are those of a pack of 52")
    sizes = (hands[:, :, None] >> np.arange(52) & 1).sum(axis=2)
    for step in range(len(trick)):
        sizes[:, (leader + step) % 4] += 1
    if (sizes != sizes[:, :1]).any() or not sizes.all() or (sizes > 13).any():
        raise UnsolvablePosition("with the cards on the table, all hands have the same number of cards, 1 to 13")
    table = sum(1 << card for card in set(trick))
    together = hands[:, 0] | hands[:, 1] | hands[:, 2] | hands[:, 3] | table
    if ((together[:, None] >> np.arange(52) & 1).sum(axis=1) != 4 * sizes[:, 0]).any():
        raise UnsolvablePosition("a card is there twice")


class _Job:
    """Worlds to solve, as the solver has them, and what it says of the first `done` of them."""

    def __init__(self, deals: Numbers, asked: int, deadline: float) -> None:
        self.deals, self.asked, self.deadline = deals, asked, deadline
        self.answers: Numbers = np.zeros((len(deals), _FUTURE), np.int32)
        self.done = 0
        self._began = math.inf

    def goes_on(self) -> bool:
        """Tell whether there is time for one more world, if it takes as long as those before it."""
        now = time.monotonic()
        self._began = min(self._began, now)
        return now + (now - self._began) / max(1, self.done) < self.deadline


class _Solver:
    """The solver's library with one thread to wait for; loaded without the rest of `endplay`, which takes 3 s."""

    def __init__(self) -> None:
        self._dds = _bindings()
        self._dds._dll.SetResources(_MEMORY_MB, 1)  # noqa: SLF001  # the package has no function for it
        self._thread = ThreadPoolExecutor(1, "double-dummy")

    def solve(self, deals: Numbers, asked: int, deadline: float) -> Numbers:
        """Return the solver's answers to the worlds, or to those that are solved by the deadline."""
        job = _Job(deals, asked, deadline)
        working = self._thread.submit(self._work, job)
        while not working.done() and (left := deadline - time.monotonic()) > 0:
            wait((working,), None if left == math.inf else left)
        if not working.cancel() and working.done():
            working.result()
        return job.answers[: job.done].copy()

    def _work(self, job: _Job) -> None:
        deal, answer = self._dds.deal(), self._dds.futureTricks()
        asking, answered = np.frombuffer(deal, np.int32), np.frombuffer(answer, np.int32)
        for number, numbers in enumerate(job.deals):
            if not job.goes_on():
                return
            asking[:] = numbers
            code = self._dds._dll.SolveBoard(  # noqa: SLF001  # the function itself, for its code
                deal, _ANY_TARGET, job.asked, _ALWAYS_SEARCH, ctypes.byref(answer), 0
            )
            if code != 1:
                raise UnsolvablePosition(str(self._dds.DDSError.from_code(code)))
            job.answers[number] = answered
            job.done = number + 1


@functools.cache
def _made() -> _Solver:
    return _Solver()


def _solver() -> _Solver:
    """Return the one solver: two at once would use the same memory of the library."""
    with _MAKING:  # the cache would let two first calls make one each
        return _made()


def _bindings() -> ModuleType:
    found = importlib.util.find_spec("endplay")
    if found is None or not found.submodule_search_locations:
        raise ImportError("the package endplay, which has the double-dummy solver, is not installed")
    path = Path(found.submodule_search_locations[0]) / "_dds" / "__init__.py"
    spec = importlib.util.spec_from_file_location("junto_endplay_dds", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
