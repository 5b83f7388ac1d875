"""Play one sitting: the deal of its number, whoever sits where, to a record.

All randomness follows from the tournament's seed: the cards from it, the deal's number and the attempt (a deal that
all pass is dealt again, as at the table), a decision's from these, the sitting, the step and the seat. Which process
plays it, and what it played before, makes no difference.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from typing import Final

from junto.arena.deciding import Chair, Entry, SeatFailed
from junto.arena.plan import Plan, Sitting
from junto.arena.records import Failing, Fault, SeatRecord, SittingRecord
from junto.arena.report.words import plain
from junto.games.actions import Action, text
from junto.games.core import Deal, Game, IllegalAction, Match
from junto.games.shuffle import DealSeed
from junto.games.view import DealResult, Outcome
from junto.search.decisions import Decision

MOST_VOIDS: Final = 20
"""After so many deals that all pass the last one counts, with no score for anybody."""
_NUMBERS: Final = 16
"""Deals bear the numbers 1 to 16 in turn: in bridge these say who deals and who is vulnerable."""
_LONGEST_REASON: Final = 500
_PURPOSE: Final = b"junto/arena/1"


def mixed(purpose: bytes, *numbers: int) -> bytes:
    """Return 32 bytes that depend on a purpose and some numbers and nothing else, as good as random."""
    words = (number.to_bytes(8, "little", signed=True) for number in numbers)
    return sha256(purpose + b"".join(words)).digest()


def deal_seed(game: Game, seed: int, deal: int, attempt: int) -> DealSeed:
    """Return what gives the cards of a deal, at the first attempt (0) or after so many void ones."""
    return DealSeed(mixed(_PURPOSE, seed, deal, attempt), (b"",) * game.seats)


def match_of(game: Game, deal: int) -> Match:
    """Return the match before a deal, at any attempt: as many deals were opened in it as make the deal's number."""
    return replace(game.new_match(), deals_opened=deal % _NUMBERS)


def play(plan: Plan, sitting: Sitting, entries: Sequence[Entry]) -> SittingRecord:
    """Play a sitting with the entrants of these numbers; whatever they do, it is played to its end."""
    began = time.process_time()
    with ExitStack() as stack:
        seats = [_Seat(entrant, entries[entrant].sit()) for entrant in sitting.entrants]
        for seat in seats:
            stack.callback(seat.chair.leave)
        table, result = _played(plan, sitting, seats)
    return SittingRecord(
        sitting=sitting,
        outcome=result.outcome,
        seats=_seat_records(seats, result),
        actions=tuple(table.actions),
        attempt=table.attempt,
        captured=result.captured,
        cpu_s=round(time.process_time() - began, 6),
    )


def _played(plan: Plan, sitting: Sitting, seats: Sequence[_Seat]) -> tuple[_Table, DealResult]:
    """Play a deal to a score, dealing again while all pass, up to a limit."""
    game = plan.game
    match = match_of(game, sitting.deal).opened()
    done = 0
    for attempt in count():
        table = _Table(plan, sitting, seats, attempt, done)
        deal = table.play(game.deal(match, deal_seed(game, plan.spec.seed, sitting.deal, attempt)).deal)
        result = deal.shared.result
        assert result is not None
        if result.outcome is not Outcome.VOID or attempt == MOST_VOIDS:
            return table, result
        done += len(table.actions)
    raise AssertionError("the count never ends")


def _seat_records(seats: Sequence[_Seat], result: DealResult) -> tuple[SeatRecord, ...]:
    shares = {share.seat: share for share in result.seats}
    return tuple(
        SeatRecord(
            entrant=seat.entrant,
            score=shares[number].score if number in shares else 0,
            role=shares[number].role if number in shares else None,
            place=shares[number].place if number in shares else None,
            micros=tuple(seat.micros),
            worlds=seat.worlds,
            playouts=seat.playouts,
            faults=tuple(seat.faults),
        )
        for number, seat in enumerate(seats)
    )


@dataclass(slots=True)
class _Seat:
    """Who decides in a seat, and how that went so far."""

    entrant: int
    chair: Chair
    micros: list[int] = field(default_factory=list)
    worlds: int = 0
    playouts: int = 0
    faults: list[Fault] = field(default_factory=list)

    def failed(self, step: int, failing: Failing, reason: str) -> None:
        self.faults.append(Fault(step, failing, plain(reason[:_LONGEST_REASON])))


class _Table:
    """One deal under way, after so many decisions that were `done` in the void deals before it."""

    def __init__(self, plan: Plan, sitting: Sitting, seats: Sequence[_Seat], attempt: int, done: int) -> None:
        self._plan = plan
        self._sitting = sitting
        self._seats = seats
        self.attempt = attempt
        self._done_before = done
        self.actions: list[str] = []

    def play(self, deal: Deal) -> Deal:
        while not deal.is_over:
            deal = self._moved(deal)
        return deal

    def _moved(self, deal: Deal) -> Deal:
        number = deal.to_act
        assert number is not None
        seat, step = self._seats[number], self._done_before + len(self.actions)
        decision = self._decided(deal, seat, step, number)
        if decision is not None:
            seat.worlds += decision.worlds or 0
            seat.playouts += decision.playouts or 0
            try:
                return self._done(deal, decision.action)
            except IllegalAction as error:
                seat.failed(step, Failing.ILLEGAL, f"{text(decision.action)}: {error}")
        return self._done(deal, deal.default_action())

    def _decided(self, deal: Deal, seat: _Seat, step: int, number: int) -> Decision | None:
        view = deal.view(number)
        budget = replace(self._plan.spec.entrants[seat.entrant].budget, seed=self._seed(number))
        began = time.perf_counter()
        try:
            return seat.chair.decide(view, budget)
        except SeatFailed as failed:
            seat.failed(step, failed.failing, str(failed))
            return None
        finally:
            seat.micros.append(round((time.perf_counter() - began) * 1e6))

    def _done(self, deal: Deal, action: Action) -> Deal:
        after = deal.apply(action).deal
        self.actions.append(text(action))
        return after

    def _seed(self, seat: int) -> int:
        sitting, step = self._sitting, len(self.actions)
        found = mixed(_PURPOSE, self._plan.spec.seed, sitting.deal, self.attempt, sitting.number, step, seat)
        return int.from_bytes(found[:8], "little") >> 1
