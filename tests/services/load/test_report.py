"""What is told of a load test: a page, JSON, and what to think of the figures."""

from __future__ import annotations

import json
import time

import psutil
import pytest

from junto.load.judging import doubts, limit_of
from junto.load.measuring import Measured, total
from junto.load.profile import Bots, Goal, Profile, Seating
from junto.load.ramp import Found
from junto.load.report import report
from junto.load.resources import Part, Resources, Use, kind_of
from junto.load.results import Case, Ramp, Tried, write_json

PROFILE = Profile("whist", Seating(1, 3), Bots("greedy", 0.01), options={"<b>": "<script>alert(1)</script>"}, rate=50.0)


def measured(latency_s: float = 0.01, lateness_s: float = 0.001) -> Measured:
    """Return two seconds of a hundred moves, all alike."""
    found = Measured(span_s=2.0, cpu_s=[0.5])
    for number in range(100):
        found.second(number / 50).replied.add(latency_s)
        found.second(number / 50).counts["done"] += 1
        for name in ("replied", "seen", "seen_by_all", "service"):
            found.times[name].add(latency_s)
        found.times["lateness"].add(lateness_s)
    found.counts.update(done=100, accepted=100, calls=100, player=100, bot=300)
    return found


def test_what_generators_measure_adds_up() -> None:
    """Counts and times are summed, second by second; the time they took is not."""
    whole = total([measured(), Measured.from_json(json.loads(json.dumps(measured().to_json())))])

    assert whole.span_s == 2.0
    assert whole.human_moves_per_s == 100.0
    assert whole.moves_per_s == 400.0
    assert whole.times["replied"].count == 200
    assert whole.seconds[1].counts["done"] == 100
    assert whole.busiest == 0.25


def test_the_page_is_whole_and_escapes_what_strangers_wrote() -> None:
    """It fetches nothing, runs nothing, and has every plot, also of steps and cases without a move."""
    found = measured()
    found.errors["Act <i>UNAVAILABLE</i>"] = 3
    ramp = Ramp(
        Goal("p99", 0.99, 0.1),
        [Tried(50.0, kept=True, measured=found), Tried(60.0, kept=False, measured=Measured())],
        Found(50.0, 60.0),
    )
    page = report(
        [Case(PROFILE, found, ramp=ramp), Case(PROFILE, Measured(span_s=1.0))], {"begun": "", "server": "<x>"}
    )

    assert page.count("<svg") == 9
    assert "<script" not in page
    assert "<i>" not in page
    assert "&lt;i&gt;UNAVAILABLE" in page
    assert "&lt;x&gt;" in page
    assert "src=" not in page
    assert "kept at 50.0 moves/s" in page


def test_the_json_has_no_numbers_that_json_lacks() -> None:
    """It can be read anywhere, also if nothing was measured."""
    document = json.loads(
        write_json([Case(PROFILE, measured()), Case(PROFILE, Measured(span_s=1.0))], {"server": "own"})
    )

    assert document["cases"][0]["human_moves_per_s"] == 50.0
    assert document["cases"][0]["seconds"]["replied"]["max"] == 0.01
    assert document["cases"][1]["seconds"]["replied"]["count"] == 0


def test_a_generator_that_was_the_limit_is_told() -> None:
    """If it was late, or its core was used up, the figures are not the server's alone."""
    assert list(doubts(Case(PROFILE, measured()))) == []
    assert any("late by p99" in sentence for sentence in doubts(Case(PROFILE, measured(0.02, 0.018))))
    busy = measured()
    busy.cpu_s = [1.9]
    assert any("95% of a core" in sentence for sentence in doubts(Case(PROFILE, busy)))
    assert [limit_of(one) for one in (measured(), measured(0.02, 0.018), busy)] == ["server", "generator", "generator"]


def test_moves_that_waited_for_turns_are_told() -> None:
    """Too few tables for a rate look like a slow server; the reader is warned."""
    waiting = measured(0.5)
    waiting.times["turn_wait"].add(0.4, 100)

    assert any("too few --tables" in sentence for sentence in doubts(Case(PROFILE, waiting)))
    assert limit_of(waiting) == "turns"


def test_a_process_that_uses_a_core_is_named() -> None:
    """A front cannot use more than one; a machine that is full without such a one is told, too."""
    front, worker = Part(1, 0.97, 0.97, 1), Part(2, 1.0, 0.5, 1)
    assert any(
        "(front) used 97%" in one for one in doubts(Case(PROFILE, measured(), use=Use({"front": front}, 0.6, 4)))
    )
    assert any("busy to 99%" in one for one in doubts(Case(PROFILE, measured(), use=Use({"x": worker}, 0.99, 2))))
    assert list(doubts(Case(PROFILE, measured(), use=Use({}, 0.1, 2)))) == []


def test_this_very_process_is_seen_to_work() -> None:
    """What it does between two looks is counted, in cores."""
    me = psutil.Process()
    resources = Resources([me])
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    (part,) = resources.used([me]).parts.values()

    assert 0.0 < part.cores == part.busiest
    assert part.processes == 1
    assert part.memory > 1 << 20


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (["python", "-m", "junto.cli.main", "serve", "--ready-file", "x"], "front"),
        (["python", "-m", "junto.cli.main", "steward"], "steward"),
        (["/usr/bin/redis-server", "unixsocket:x"], "Redis"),
        (["ray::SearchWorker.decide"], "Ray worker"),
        (["/ray/gcs_server", "--x"], "Ray itself"),
        (["python", "-m", "junto.pool.driver"], "Ray's driver"),
        (["vi"], "other"),
    ],
)
def test_processes_are_known_by_their_commands(command: list[str], kind: str) -> None:
    """Everything that `junto up` starts has a name that people know."""
    assert kind == kind_of(command)
