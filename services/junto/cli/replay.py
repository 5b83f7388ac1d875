"""`junto replay`: one deal of a tournament, told card by card, or written as a replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from junto.arena.errors import ArenaError, NoTournament
from junto.arena.journal import read
from junto.arena.plan import Plan
from junto.arena.playing import deal_seed, match_of
from junto.arena.records import SittingRecord
from junto.arena.replays import replay_of, steps_of
from junto.cli.console import Failure, say
from junto.cli.faces import by_suits
from junto.cli.story import Story
from junto.games.core import Step
from junto.games.view import MatchView
from junto.v1 import tables_pb2, views_pb2
from junto.wire.catalog import write_game, write_rules
from junto.wire.events import write_events
from junto.wire.promises import Promise
from junto.wire.replays import write_replay_file
from junto.wire.results import write_match_view
from junto.wire.views import write_shared

BAD_WISH = 2
_BEFORE = -1
"""The step before the first: what failed in deals that everybody passed."""


def replay(
    *,
    folder: Annotated[Path, typer.Argument(help="The results of a tournament.")],
    deal: Annotated[int, typer.Option(help="The number of the deal, from 0.", min=0)],
    sitting: Annotated[int | None, typer.Option(help="Which of its sittings; none: the first.", min=0)] = None,
    out: Annotated[Path | None, typer.Option(help="Write it here, for `junto verify` and `junto beliefs`.")] = None,
) -> None:
    """Show one deal of a tournament: who sat where, all hands, every action, what failed, and the score.

    Exit code 0: shown; 2: there is no such tournament or deal.
    """
    try:
        with read(folder) as (spec, journal):
            plan = Plan(spec)
            record = _found(journal.of_deal(deal), deal, sitting, folder)
            for line in _told(plan, record):
                say(line)
            if out is not None:
                write_replay_file(replay_of(plan, record), out)
                say(f"The replay is in {out}; `junto verify {out}` proves it.")
    except ArenaError as problem:
        raise Failure(str(problem), BAD_WISH) from None
    except OSError as problem:
        raise Failure(f"{out or folder}: {problem.strerror}", BAD_WISH) from None


def _found(records: tuple[SittingRecord, ...], deal: int, sitting: int | None, folder: Path) -> SittingRecord:
    if not records:
        raise NoTournament(f"deal {deal} was not played in {folder}")
    for record in records:
        if sitting in {None, record.sitting.number}:
            return record
    numbers = ", ".join(str(record.sitting.number) for record in records)
    raise NoTournament(f"deal {deal} has no sitting {sitting}; there are {numbers}")


def _told(plan: Plan, record: SittingRecord) -> Iterator[str]:
    names = [f"{seat} {plan.spec.entrants[entrant].name}" for seat, entrant in enumerate(record.sitting.entrants)]
    story = Story([*names, "the pile"], write_game(type(plan.game)))
    failed: dict[int, list[str]] = {}
    for name, seat in zip(names, record.seats, strict=True):
        for fault in seat.faults:
            at = max(_BEFORE, fault.step - record.void_steps)
            failed.setdefault(at, []).append(f"  ! {name} {fault.failing.value}: {fault.reason}")
    yield _heading(plan, record)
    if record.attempt:
        yield _redealt(record.attempt, is_told=_BEFORE in failed)
    for number, (_, step) in enumerate(steps_of(plan, record)):
        yield from failed.get(number - 1, ())
        yield from story.tell_update(_update(plan, record, step, is_first=number == 0))
        if number == 0:
            yield from (f"  {name:14} {by_suits(own.hand)}" for name, own in zip(names, step.deal.owns, strict=True))


def _heading(plan: Plan, record: SittingRecord) -> str:
    """Tell which deal it is: by its number in the tournament, and by the number that it bears at the table."""
    deal, spec = record.sitting.deal, plan.spec
    at_table = match_of(plan.game, deal).opened().deals_opened
    which = f"Deal {deal}, sitting {record.sitting.number} of {plan.sittings_per_deal}"
    return f"{which}; {spec.game}, seed {spec.seed}. At the table it is deal {at_table}:"


def _redealt(voids: int, *, is_told: bool) -> str:
    deals = "a deal" if voids == 1 else f"{voids} deals"
    return f"It was dealt after {deals} that everybody passed" + ("; what failed there:" if is_told else ".")


def _update(plan: Plan, record: SittingRecord, step: Step, *, is_first: bool) -> tables_pb2.TableUpdate:
    seed = deal_seed(plan.game, plan.spec.seed, record.sitting.deal, record.attempt)
    promise, deal = Promise(seed.commitment), step.deal
    reveal = seed if deal.is_over else None
    update = tables_pb2.TableUpdate(
        events=write_events(step.events, None, promise=promise, reveal=reveal),
        deal=views_pb2.DealView(shared=write_shared(deal.shared, promise, reveal)),
    )
    if is_first:
        match = match_of(plan.game, record.sitting.deal)
        update.table.rules.CopyFrom(write_rules(plan.game))
        update.table.match.CopyFrom(write_match_view(MatchView(deals_total=1, sides=plan.game.sides(match))))
    return update
