"""One sitting for the record: a `Replay` that `junto verify` proves and `junto beliefs` reads, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from junto.arena.errors import NoTournament
from junto.arena.plan import Plan
from junto.arena.playing import deal_seed, match_of
from junto.arena.records import SittingRecord
from junto.games.actions import ActionError, parse, text
from junto.games.climbing.deal import ClimbingGame
from junto.games.core import IllegalAction, Match, Step
from junto.games.shuffle import DealSeed
from junto.games.view import MatchView, SeatAction
from junto.v1 import events_pb2, replays_pb2
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.promises import Promise
from junto.wire.replays import write_deal
from junto.wire.results import write_match_view

_BOT: Final = events_pb2.ACTOR_BOT
_NO_ANSWER: Final = events_pb2.ACTOR_CLOCK


def steps_of(plan: Plan, record: SittingRecord) -> Iterator[tuple[SeatAction | None, Step]]:
    """Yield the deal of a sitting as it was dealt and after each action, with the action; None: the deal itself.

    Raises:
        NoTournament: the record does not fit the rules: another version of them wrote it.
    """
    step = plan.game.deal(match_of(plan.game, record.sitting.deal).opened(), _seed(plan, record))
    is_climbing = isinstance(plan.game, ClimbingGame)
    yield None, step
    for number, written in enumerate(record.actions):
        seat = step.deal.to_act
        try:
            action = parse(written, combination=is_climbing)
            step = step.deal.apply(action)
        except (ActionError, IllegalAction) as error:
            raise NoTournament(
                f"deal {record.sitting.deal}, sitting {record.sitting.number}: action {number} ({written}) "
                f"is not legal by these rules: {error}"
            ) from None
        assert seat is not None
        yield SeatAction(seat, action), step


def replay_of(plan: Plan, record: SittingRecord) -> replays_pb2.Replay:
    """Return a sitting as a replay.

    Raises:
        NoTournament: the record does not fit the rules.
    """
    match = match_of(plan.game, record.sitting.deal)
    steps = list(steps_of(plan, record))
    deal = steps[-1][1].deal
    seed = _seed(plan, record)
    if not deal.is_over:
        raise NoTournament(f"deal {record.sitting.deal}, sitting {record.sitting.number} is not played to its end")
    first = record.void_steps
    failed = {(number, fault.step - first) for number, seat in enumerate(record.seats) for fault in seat.faults}
    actions = [
        replays_pb2.ActionRecord(
            version=number + 1,
            seat=done.seat,
            actor=_NO_ANSWER if (done.seat, number) in failed else _BOT,
            action=write_action(done.action),
            text=text(done.action),
        )
        for number, done in enumerate(done for done, _ in steps if done is not None)
    ]
    entrants = plan.spec.entrants
    return replays_pb2.Replay(
        table_id=f"deal {record.sitting.deal}, sitting {record.sitting.number}",
        rules=write_rules(plan.game),
        rules_version=plan.game.rules_version,
        seat_names=[entrants[entrant].name for entrant in record.sitting.entrants],
        deals=[write_deal(deal.shared, seed, Promise(seed.commitment), match, _view(plan, match), actions)],
        match=write_match_view(_view(plan, plan.game.after(match.opened(), deal))),
    )


def _seed(plan: Plan, record: SittingRecord) -> DealSeed:
    return deal_seed(plan.game, plan.spec.seed, record.sitting.deal, record.attempt)


def _view(plan: Plan, match: Match) -> MatchView:
    return MatchView(
        scores=match.scores, deals_done=match.deals_done, last_deal=match.last_deal, sides=plan.game.sides(match)
    )
