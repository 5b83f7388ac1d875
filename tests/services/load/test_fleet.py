"""How a load is spread over generators."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace

import pytest

from junto.load import fleet
from junto.load.fleet import Fleet, GeneratorFailed, connections, shares
from junto.load.orders import Order, Phase, line, rule_set
from junto.load.profile import Bots, Profile, Seating, Think

PROFILE = Profile("napoleon-tw", Seating(1, 4), Bots("greedy", 0.01), {"min_bid": 9, "allow_trump_change": True}, 200)


@pytest.mark.parametrize(("tables", "processes", "each"), [(7, 3, [3, 2, 2]), (2, 5, [1, 1]), (5, 1, [5])])
def test_tables_are_spread_evenly(tables: int, processes: int, each: list[int]) -> None:
    """No generator is without a table."""
    assert each == shares(tables, processes)


def test_a_connection_has_no_more_streams_than_a_front_takes() -> None:
    """Many people need several processes, whatever was asked for."""
    assert connections(PROFILE) == 1
    assert connections(replace(PROFILE, seating=Seating(5, 0))) == 2
    assert connections(replace(PROFILE, seating=Seating(7, 1), spectator_every=1)) == 2


def test_orders_survive_the_pipe() -> None:
    """What a generator reads is what it was to be told."""
    order = Order("127.0.0.1:1", tls=True, profile=replace(PROFILE, think=Think(0.1, 0.2), rate=3.0), first_table=7)
    phase = Phase(None, 10.0, 2.0, 5)

    assert order == Order.from_json(json.loads(line(order.to_json())))
    assert phase == Phase.from_json(json.loads(line(phase.to_json())))


def test_options_are_sent_by_their_kinds() -> None:
    """Flags, numbers and words are three fields of the API."""
    rules = rule_set("some-game", {"flag": True, "number": 3, "word": "two"})

    assert [option.value.WhichOneof("kind") for option in rules.options] == ["flag", "number", "choice"]


async def test_a_generator_that_ends_is_told_though_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two generators dies while both are listened to: that is said, and both are gone afterwards."""
    dying_at_first = """
import sys
number = 'first_table":0' in input()
print('{"kind":"ready"}', flush=True)
sys.stdin.readline()
sys.exit(7) if number else sys.stdin.read()
"""
    monkeypatch.setattr(fleet, "COMMAND", (sys.executable, "-c", dying_at_first))

    with pytest.raises(GeneratorFailed, match="ended with 7"):
        async with Fleet("127.0.0.1:1", replace(PROFILE, tables=2), lambda _: None, processes=2) as started:
            await started.play(1.0, 1.0, 0.0, 1, asyncio.Event())

    assert not started.pids
