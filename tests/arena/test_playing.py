"""One sitting: what is told of a decision that a strategy failed to make leads back to that decision."""

from __future__ import annotations

from junto.arena.deciding import Chair, SeatFailed
from junto.arena.entrants import Entrant
from junto.arena.plan import Plan
from junto.arena.playing import play
from junto.arena.records import Failing, SittingRecord, from_bytes, to_bytes
from junto.arena.replays import replay_of
from junto.arena.spec import Spec
from junto.games.core import View
from junto.search.decisions import Budget, Decision
from junto.search.strategies import greedy_strategy
from junto.v1 import events_pb2

PLAN = Plan(Spec("dou-dizhu", (Entrant("a", "greedy"), Entrant("b", "greedy")), deals=1, seed=3))
SEATS = PLAN.game.seats


class Shy:
    """An entrant that does not answer to the first so many questions of each sitting; by default a seat passes."""

    def __init__(self, silent: frozenset[int]) -> None:
        self._silent = silent
        self._asked = 0

    def sit(self) -> Chair:
        """See `junto.arena.deciding.Entry`."""
        return self

    def decide(self, view: View, budget: Budget) -> Decision:
        """See `junto.arena.deciding.Chair`."""
        self._asked += 1
        if self._asked - 1 in self._silent:
            raise SeatFailed(Failing.LATE, "it said \x1b[31mnothing\n\ud800")
        return greedy_strategy.decide(view, budget)

    def leave(self) -> None:
        """See `junto.arena.deciding.Chair`."""

    def close(self) -> None:
        """See `junto.arena.deciding.Entry`."""


def played(silent: frozenset[int]) -> SittingRecord:
    shy = Shy(silent)
    return play(PLAN, PLAN.of_deal(0)[0], [shy, shy])


def test_a_fault_has_the_number_of_its_decision_in_the_whole_sitting() -> None:
    """Everybody passes the first deal, which is void; the fourth decision of the next one fails: it is number 6."""
    record = played(frozenset({*range(SEATS), SEATS + 3}))

    steps = sorted(fault.step for seat in record.seats for fault in seat.faults)

    assert (record.attempt, record.void_steps) == (1, SEATS)
    assert steps == [*range(SEATS), SEATS + 3]
    assert from_bytes(to_bytes(record)) == record


def test_what_a_strategy_says_when_it_fails_cannot_colour_the_screen() -> None:
    """The reason of a fault has only signs that can be printed."""
    (fault, *_) = (fault for seat in played(frozenset({0})).seats for fault in seat.faults)

    assert fault.reason == "it said �[31mnothing �"


def test_a_replay_says_which_actions_nobody_chose() -> None:
    """Faults of void deals mark nothing in the deal that counts; its own mark what was done in their place."""
    record = played(frozenset({*range(SEATS), SEATS + 3}))

    actions = replay_of(PLAN, record).deals[0].actions

    assert [number for number, done in enumerate(actions) if done.actor != events_pb2.ACTOR_BOT] == [3]
