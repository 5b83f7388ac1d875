"""No coordinated omission: a stall of the server is in the latencies of all the moves that it delayed.

The server is a model with a clock of its own: it answers a move at once, unless it stalls, and then after the stall.
"""

from __future__ import annotations

import heapq
import random

import pytest

from junto.client import CallError
from junto.load.arrivals import Turnstile, poisson
from junto.load.pace import Pace, Turn
from junto.load.profile import Think
from junto.load.recording import Move, Recorder

STALL = (10.0, 11.0)
"""When the server does nothing, in seconds."""


def answered(at_s: float) -> float:
    """Return when the server answers what comes at a moment, and has the next turn ready."""
    return STALL[1] if STALL[0] <= at_s < STALL[1] else at_s


def test_arrivals_in_a_stall_count_from_their_moments() -> None:
    """With two tables and 50 moves a second, a closed loop would see two slow moves; here all of the stall are seen."""
    turnstile, latencies = Turnstile[int](), {}
    events = [(moment, 1, -1) for moment in poisson(50.0, 0.0, 20.0, random.Random(3))]
    events += [(0.0, 0, 0), (0.0, 0, 1)]  # the turns of two seats
    heapq.heapify(events)

    def send(seat: int, intended: float, now: float) -> None:
        done = answered(now)
        latencies[intended] = done - intended
        heapq.heappush(events, (done, 0, seat))

    while events:
        now, is_arrival, seat = heapq.heappop(events)
        if is_arrival:
            found = turnstile.arrive(now)
            if found is not None:
                send(found, now, now)
        else:
            intended = turnstile.turn(seat)
            if intended is not None:
                send(seat, intended, now)

    in_stall = [moment for moment in latencies if STALL[0] <= moment < STALL[1]]
    assert 35 < len(in_stall) < 65
    assert all(latencies[moment] == pytest.approx(STALL[1] - moment) for moment in in_stall)
    assert sum(latency > 0.5 for latency in latencies.values()) > 15
    assert all(latency == 0 for moment, latency in latencies.items() if moment < STALL[0])
    assert turnstile.give_up() == []


@pytest.mark.parametrize("bots_late_s", [0.0, 1.0])
def test_a_pace_catches_up_after_a_stall(bots_late_s: float) -> None:
    """One person who moves every 0.1 s: all moves of the stall are late, whether the server stalled or its bots did."""
    pace = Pace(Think(0.1, 0.1), bot_time_s=0.01, draw=random.Random(1))
    turn, latencies = Turn(0.0), {}
    while turn.known_s < 20.0:
        intended = pace.intended(turn)
        sent = max(intended, turn.known_s)
        done = sent if bots_late_s else answered(sent)
        latencies[intended] = done - intended
        known = answered(sent) if bots_late_s else done
        turn = Turn(known, bot_moves=1, took_s=known - done)

    late = {moment: latency for moment, latency in latencies.items() if latency > 0.01}
    assert 8 <= len(late) <= 11
    assert 0.75 < max(late.values()) <= 1.0
    assert 3.0 < sum(late.values()) < 5.6  # a triangle: a closed loop would have one second at most
    assert min(late) >= STALL[0] - 0.1


def test_bots_have_the_time_that_they_may_take() -> None:
    """What bots take within their budget is the game's time, what they take beyond it makes the person late."""
    pace = Pace(Think(1.0, 1.0), bot_time_s=0.1, draw=random.Random(1))

    assert pace.intended(Turn(5.0)) == 6.0
    assert pace.intended(Turn(6.3, bot_moves=4, took_s=0.3)) == pytest.approx(7.3)
    assert pace.intended(Turn(9.0, bot_moves=4, took_s=1.7)) == pytest.approx(8.7)


def test_a_server_that_never_comes_back_is_counted_too() -> None:
    """The moves whose turn never came are known: one every 0.1 s until the end."""
    pace = Pace(Think(0.1, 0.1), bot_time_s=0.01, draw=random.Random(1))
    assert pace.intended(Turn(0.0)) == pytest.approx(0.1)

    assert pace.owes(1.0)
    assert len(list(pace.owed(1.0))) == 8
    assert not pace.owes(1.0)


def test_moves_that_are_answered_after_the_measured_time_are_slow_and_add_nothing_to_its_throughput() -> None:
    """A server that falls behind is not told to be as fast as the load that it was given."""
    now = [0.0]
    recorder = Recorder(lambda: now[0])
    recorder.begin(0.0, 10.0)
    for second in range(10):
        move = Move(float(second), float(second))
        recorder.meant(move)
        recorder.sent(move)
        recorder.accept(move, 2.0 * second + 1.0)
    measured = recorder.close([], [])

    assert measured.times["replied"].count == measured.counts["accepted"] == 10
    assert measured.human_moves_per_s == 0.5


def test_what_is_not_answered_has_waited_until_the_end() -> None:
    """Moves under way, moves without a turn, and moves that somebody has not seen are in the figures with their age."""
    now = [100.0]
    recorder = Recorder(lambda: now[0])
    recorder.begin(100.0, 110.0)
    answered_move, hanging, early = Move(101.0, 101.0), Move(102.0, 102.0), Move(99.0, 99.0)
    for move in (answered_move, hanging, early):
        recorder.meant(move)
        recorder.sent(move)
    recorder.accept(answered_move, 101.5)
    now[0] = 112.0
    measured = recorder.close(unmet=[103.0, 111.0], unseen=[101.0])

    assert measured.counts["accepted"] == 1
    assert measured.counts["unanswered"] == 2
    assert measured.counts["unseen"] == 1
    assert sorted([0.5, 10.0, 9.0]) == pytest.approx(
        sorted(measured.times["replied"].quantile(share) for share in (0.3, 0.6, 1.0)), rel=0.005
    )
    assert measured.times["seen_by_all"].count == 3
    assert measured.error_share == pytest.approx(1.0)  # two that nobody answered; the model counts no calls
    assert recorder.accepted == 1


def test_a_move_is_counted_once() -> None:
    """An answer that comes after the phase was closed is not counted in the next one."""
    now = [0.0]
    recorder = Recorder(lambda: now[0])
    recorder.begin(0.0, 1.0)
    move = Move(0.5, 0.5)
    recorder.meant(move)
    assert not recorder.is_settled
    now[0] = 2.0
    assert recorder.close([], []).counts["unanswered"] == 1
    recorder.begin(2.0, 3.0)
    recorder.accept(move, 2.5)
    recorder.fail(move)

    measured = recorder.close([], [])
    assert not measured.times["replied"].count
    assert measured.counts["accepted"] == 0


def test_errors_are_counted_by_what_they_say() -> None:
    """Also those that come while the last moves are awaited; those between phases are kept apart."""
    import grpc

    now = [0.0]
    recorder = Recorder(lambda: now[0])
    error = CallError(grpc.StatusCode.UNAVAILABLE, "gone")
    recorder.error("Act", error)
    recorder.begin(1.0, 2.0)
    for now[0] in (0.5, 1.5, 2.5):  # warming up, measured, awaiting the last moves
        recorder.called()
        recorder.error("Act", error)

    measured = recorder.close([], [])
    assert dict(measured.errors) == {"Act UNAVAILABLE": 2}
    assert measured.error_share == 1.0
    assert recorder.elsewhere == {"Act UNAVAILABLE": 2}
    assert set(measured.seconds) == {0}
