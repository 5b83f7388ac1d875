"""Strategies that behave badly: each failure is told for what it is, and nothing but its own decision is lost."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from tests.arena.outside.houses import STRATEGIES, House, answer, failure

from junto.arena.deciding import Entry
from junto.arena.outside.fences import fences
from junto.arena.records import Failing
from junto.games.actions import Pass, Play

WAITED_S = 1.5
"""How long the slow one is waited for."""

FAULTS = {
    "slow": {
        "sleeping": (Failing.LATE, "it did not answer in time"),
        "looping": (Failing.LATE, "it did not answer in time"),
    },
    "lying": {
        "wordy": (Failing.GARBLED, "it answered 'I would rather not'"),
        "nothing": (Failing.GARBLED, "it answered nothing, not an action"),
        "no_card": (Failing.GARBLED, "its decision has a part that cannot be"),
        "no_number": (Failing.GARBLED, "its decision has a part that cannot be"),
        "other_decision": (Failing.GARBLED, "it answered another decision"),
        "garbage": (Failing.GARBLED, "it sent"),
        "unreadable": (Failing.GARBLED, "its answer cannot be read"),
        "huge": (Failing.GARBLED, "it sent 1073741833 bytes at once, and may send 1048576"),
        "long": (Failing.GARBLED, "it answered 'pass pass"),
        "boasting": (Failing.GARBLED, "its answer cannot be read: it tells of 4611686018427387904 worlds"),
        "doubting": (Failing.GARBLED, "its answer cannot be read: what it expects of an action is no number"),
    },
    "crashing": {
        "raising": (Failing.RAISED, "ValueError: no idea what to play (crashing.py:"),
        "refusing": (Failing.RAISED, "StrategyError: I play only when it rains (crashing.py:"),
        "exiting": (Failing.RAISED, "SystemExit: enough (crashing.py:"),
        "muttering": (Failing.RAISED, "ValueError: no text: ?"),
        "interrupting": (Failing.RAISED, "KeyboardInterrupt (crashing.py:"),
        "vanishing": (Failing.DIED, "its process ended with exit code 7"),
        "killing": (Failing.DIED, "its process ended with SIGKILL"),
        "reading_nowhere": (Failing.DIED, "its process ended with SIGSEGV"),
        "killing_its_parent": (Failing.RAISED, "PermissionError"),
    },
    "silent": {"closing": (Failing.DIED, "it closed its socket")},
    "hungry": {
        "hoarding": (Failing.MEMORY, "it asked for more memory than it may have"),
        "calling_itself": (Failing.RAISED, "RecursionError"),
    },
    "forking": {
        "forking": (Failing.RAISED, "RuntimeError: 0 started"),
        "running": (Failing.RAISED, "PermissionError"),
        "calling_out": (Failing.RAISED, "PermissionError"),
    },
}


def bad(house: House, file: str) -> Entry:
    """Return a bad strategy at work."""
    return house.entry(f"{file}.py:{file.capitalize()}", WAITED_S if file == "slow" else 30.0)


def number(file: str, way: str) -> int:
    """Return the seed that makes a bad strategy behave in one of its ways."""
    return WAYS[file].index(way) + 1


def ways_of(file: str) -> tuple[str, ...]:
    """Return the ways of a bad strategy, as its file has them."""
    spec = importlib.util.spec_from_file_location(f"bad_{file}", STRATEGIES / f"{file}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(STRATEGIES))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(STRATEGIES))
        sys.modules.pop("ways", None)
    ways: tuple[str, ...] = getattr(module, file.capitalize()).ways
    return ways


WAYS = {file: ways_of(file) for file in (*FAULTS, "chatty")}


NEEDS_FILTER = {"killing_its_parent", *FAULTS["forking"]}


@pytest.mark.parametrize(("file", "way"), [(file, way) for file, ways in FAULTS.items() for way in ways])
def test_a_fault_is_told_and_costs_one_decision(house: House, file: str, way: str) -> None:
    """The failure has its name and a reason; the seat's next decision is made, and so is another seat's."""
    if way in NEEDS_FILTER and not fences().seccomp:
        pytest.skip("this kernel does not filter system calls")
    failing, reason = FAULTS[file][way]
    chair, other = bad(house, file).sit(), bad(house, file).sit()
    failed = failure(chair, number(file, way))

    assert (failed.failing, str(failed)[: len(reason)]) == (failing, reason)
    assert answer(chair) == Pass()
    assert answer(other) == Pass()
    chair.leave()
    other.leave()


def test_another_seats_card_is_an_answer(house: House) -> None:
    """Whether it is legal is for whoever asks: the rules say so."""
    chair = bad(house, "lying").sit()

    assert isinstance(answer(chair, number("lying", "foreign")), Play)
    chair.leave()


@pytest.mark.parametrize("way", ["printing", "writing", "meddling"])
def test_what_it_prints_writes_and_changes_is_its_own_affair(house: House, way: str) -> None:
    """Prints go nowhere, nothing can be written, and other modules are changed for nobody else."""
    if way == "writing" and not fences().landlock:
        pytest.skip("this kernel has no Landlock")
    chair, other = bad(house, "chatty").sit(), bad(house, "chatty").sit()

    assert answer(chair, number("chatty", way)) == Pass()
    assert answer(other) == Pass()
    chair.leave()
    other.leave()


def test_who_dies_too_often_is_not_asked_any_more_in_this_sitting(house: House) -> None:
    """After three deaths a seat is given up; in the next sitting it is asked again."""
    chair, dying = bad(house, "crashing").sit(), number("crashing", "vanishing")

    assert [failure(chair, dying).failing for _ in range(4)] == [Failing.DIED] * 3 + [Failing.GIVEN_UP]
    assert failure(chair, 0).failing is Failing.GIVEN_UP
    chair.leave()
    assert answer(bad(house, "crashing").sit()) == Pass()
