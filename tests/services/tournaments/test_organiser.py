"""The organiser: it plays what nobody plays, once each, whatever happens to it, and comes to the same table."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from junto.arena import running
from junto.arena.crew import Crew, OwnCrew, Played
from junto.arena.entrants import THINKING
from junto.arena.errors import StrategyUnfit, TournamentFailed
from junto.arena.plan import Plan
from junto.arena.records import Failing
from junto.organiser import organiser as organiser_module
from junto.organiser.organiser import MOST_TRIES, Came, Organiser
from junto.organiser.specs import code_of, read_spec
from junto.organiser.standings import FAULTS
from junto.table.redis_server import EmbeddedRedis
from junto.tournaments.keys import TournamentId, tournament_keys
from junto.tournaments.specs import DEFAULT_ITERATIONS, deals_total
from junto.tournaments.store import Tournament
from junto.tournaments.work import Work
from junto.v1 import tournaments_pb2
from junto.wire.catalog import read_rules

from .conftest import Hall, Stage, entrant, opened_hall, spec

FINISHED = tournaments_pb2.TOURNAMENT_STATUS_FINISHED
FAILED = tournaments_pb2.TOURNAMENT_STATUS_FAILED
SMALL = spec(entrant("a", "random"), entrant("b", "random"), seed=7, deals=6)


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give sittings out one by one, so that a small tournament can be interrupted."""
    monkeypatch.setattr(running, "BATCH_S", 1e-6)


class Interrupted(OwnCrew):
    """A crew of this process that does something after so many sittings."""

    def __init__(self, plan: Plan, after: int, what: Callable[[], None]) -> None:
        super().__init__(plan)
        self._after = after
        self._what = what
        self._played = 0

    def take(self, within_s: float) -> Any:
        """See `Crew`."""
        if self._played >= self._after:
            self._what()
        found: list[Played] = list(super().take(within_s))
        self._played += sum(len(one.records) for one in found)
        return found


def organiser(
    hall: Hall, crew: Callable[[Plan], Crew] = OwnCrew, *, work: Work | None = None, turn_s: float = 60.0
) -> Organiser:
    """Return an organiser whose workers are this process."""
    return Organiser(work or hall.work(), crew, hall.clock.now_ms, turn_s=turn_s)


async def played_through(hall: Hall, wanted: tournaments_pb2.TournamentSpec = SMALL) -> Tournament:
    """Return a tournament that was played without any trouble."""
    created = await hall.create(await hall.player(), wanted)
    assert await organiser(hall).work_off() is Came.OVER
    return await hall.work().tournaments.get(TournamentId(created.id))


def table(tournament: Tournament) -> Any:
    """Return what a tournament came to, without the times that decisions took."""
    progress = type(tournament.progress)()
    progress.CopyFrom(tournament.progress)
    for standing in progress.standings:
        standing.ClearField("times")
    return progress


async def test_a_tournament_is_played_to_its_end(hall: Hall) -> None:
    """All deals are there, each entrant has a line, and what can be told of it is told by the API."""
    kept: list[int] = []
    player = await hall.player()
    created = await hall.create(player, SMALL)
    organiser_ = Organiser(hall.work(), OwnCrew, hall.clock.now_ms, turn_s=60.0, played=kept.append)

    assert await organiser_.work_off() is Came.OVER

    request = tournaments_pb2.GetTournamentRequest(tournament_id=created.id)
    over = (await player.tournaments.get_tournament(request)).tournament
    assert (over.status, over.deals_played, over.deals_total, over.whole_deals) == (FINISHED, 12, 12, 6)
    assert (over.failed_decisions, over.waiting, over.HasField("end_time")) == (0, False, True)
    assert sum(kept) == 12
    lines = (
        await player.tournaments.get_standings(tournaments_pb2.GetStandingsRequest(tournament_id=created.id))
    ).standings
    assert {line.entrant for line in lines} == {"a", "b"}
    first, second = lines
    assert first.mean_score.value >= second.mean_score.value
    assert first.pairings[0].opponent == second.entrant
    ahead = first.mean_score.value - second.mean_score.value
    assert first.pairings[0].difference.value == pytest.approx(ahead)
    assert (first.deals, first.roles[0].seats, first.times.decisions) == (12, 24, 12 * 26)


@pytest.mark.usefixtures("one_by_one")
async def test_one_that_was_interrupted_comes_to_the_same_table(hall: Hall) -> None:
    """Asked to end in the middle, again and again: each deal is played once, and the standings are the very same."""
    undisturbed = table(await played_through(hall))
    created = await hall.create(await hall.player(), SMALL)
    work, rounds = hall.work(), 0

    while (await work.tournaments.get(TournamentId(created.id))).is_running:
        one = organiser(hall, work=work)
        one._crew_of = lambda plan, one=one: Interrupted(plan, 2, one.stopping.set)
        await one.work_off()
        rounds += 1

    assert rounds > 2
    assert table(await work.tournaments.get(TournamentId(created.id))) == undisturbed


@pytest.mark.usefixtures("one_by_one")
async def test_one_whose_lease_was_lost_keeps_nothing_more(hall: Hall) -> None:
    """An organiser that was away for too long stops; the other one's table is that of an unbroken run."""
    undisturbed = table(await played_through(hall))
    created = await hall.create(await hall.player(), SMALL)
    slow, quick = hall.work("slow"), hall.work("quick")
    keys = tournament_keys(hall.store.keyspace, TournamentId(created.id))
    loop = asyncio.get_running_loop()

    async def overtaken() -> None:
        await hall.store.connection.write(keys.slot, "HSET", keys.tournament, "until", 0)
        assert await quick.take(await quick.tournaments.get(TournamentId(created.id)), "") is not None

    def overtake() -> None:
        asyncio.run_coroutine_threadsafe(overtaken(), loop).result()

    crew = organiser(hall, lambda plan: Interrupted(plan, 3, overtake), work=slow)
    assert await crew.work_off() is Came.LOST

    await hall.store.connection.write(keys.slot, "HSET", keys.tournament, "until", 0)
    assert await organiser(hall, work=quick).work_off() is Came.OVER
    assert table(await quick.tournaments.get(TournamentId(created.id))) == undisturbed


@pytest.mark.usefixtures("one_by_one")
async def test_one_that_is_cancelled_is_left(hall: Hall) -> None:
    """What was told of it before is kept; nothing is played for it any more."""
    player = await hall.player()
    created = await hall.create(player, SMALL)
    request = tournaments_pb2.CancelTournamentRequest(tournament_id=created.id)
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        asyncio.run_coroutine_threadsafe(player.tournaments.cancel_tournament(request), loop).result()

    assert await organiser(hall, lambda plan: Interrupted(plan, 3, cancel)).work_off() is Came.LOST
    assert await hall.work().to_be_played() == []


async def test_a_stop_rule_ends_it(hall: Hall) -> None:
    """What it says is told, and the deals behind the last look do not count."""
    wanted = spec(
        entrant("a", "greedy"),
        entrant("b", "random"),
        seed=1,
        deals=300,
        stop_rule={"difference": 1.0, "alpha": 0.05, "beta": 0.05, "first": 20},
    )

    over = await played_through(hall, wanted)

    assert (over.status, over.progress.verdict) == (FINISHED, tournaments_pb2.VERDICT_DIFFERENCE)
    assert 20 <= over.progress.whole_deals < 300
    assert over.progress.deals_played == 2 * over.progress.whole_deals


async def test_workers_that_fail_are_tried_again_but_not_for_ever(hall: Hall) -> None:
    """Trouble that may be the cluster's is no verdict on the tournament; trouble that never ends is."""
    created = await hall.create(await hall.player(), SMALL)
    work = hall.work()

    class Failing(OwnCrew):
        def take(self, within_s: float) -> Any:
            raise TournamentFailed("the workers died")

    for _ in range(MOST_TRIES):
        assert await organiser(hall, Failing, work=work).work_off() is Came.TROUBLE
    assert (await work.tournaments.get(TournamentId(created.id))).is_running
    assert await organiser(hall, Failing, work=work).work_off() is Came.OVER

    failed = await work.tournaments.get(TournamentId(created.id))
    assert failed.status == FAILED
    assert "5 times" in failed.problem


async def test_a_strategy_that_is_gone_fails_it_at_once(hall: Hall) -> None:
    """There is no use in trying again; the reason is told."""
    created = await hall.create(await hall.player(), SMALL)

    def crew(plan: Plan) -> Crew:
        raise StrategyUnfit("random cannot be loaded")

    assert await organiser(hall, crew).work_off() is Came.OVER
    failed = await hall.work().tournaments.get(TournamentId(created.id))
    assert (failed.status, failed.problem) == (FAILED, "random cannot be loaded")


async def test_it_does_not_go_on_with_other_rules(hall: Hall) -> None:
    """Deals that were played by other code do not mean the same: the tournament fails, and says so."""
    created = await hall.create(await hall.player(), SMALL)
    work = hall.work()
    hold = await work.take(await work.tournaments.get(TournamentId(created.id)), "another state")
    assert hold is not None
    await work.give_back(hold, hall.clock.now_ms())

    assert await organiser(hall, work=work).work_off() is Came.OVER
    failed = await work.tournaments.get(TournamentId(created.id))
    assert failed.status == FAILED
    assert "another version" in failed.problem


@pytest.mark.usefixtures("one_by_one")
async def test_tournaments_that_wait_have_their_turn(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long one does not hold up a short one for longer than its turn."""
    monkeypatch.setattr(organiser_module, "TELL_S", 0.02)
    player = await hall.player()
    long = await hall.create(player, spec(entrant("a", "random"), entrant("b", "random"), deals=12))
    brief = spec(entrant("a", "random"), entrant("b", "random"), deals=2)
    short = await hall.create(await hall.player(name="Bob"), brief)
    work = hall.work()

    await organiser(hall, work=work, turn_s=0.0).work_off()

    both = [await work.tournaments.get(TournamentId(one.id)) for one in (long, short)]
    assert [one.status for one in both] == [FINISHED, FINISHED]
    assert both[1].end_ms < both[0].end_ms


@pytest.mark.usefixtures("one_by_one")
async def test_a_restart_of_redis_loses_and_doubles_nothing(stage: Stage, tmp_path: Path) -> None:
    """Killed in the middle and started on its file, Redis has all that was acknowledged; the runner waits for it."""
    server = EmbeddedRedis(tmp_path / "redis")
    server.start()
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(server.stop)
        hall = await opened_hall(server.url, stage, stack)
        undisturbed = table(await played_through(hall))
        created = await hall.create(await hall.player(name="Bob"), SMALL)
        again = threading.Timer(0.5, server.start)

        def kill() -> None:
            if again.ident is None:
                os.kill(server.pid, signal.SIGKILL)
                again.start()

        assert await organiser(hall, lambda plan: Interrupted(plan, 3, kill)).work_off() is Came.OVER
        again.join()
        assert table(await hall.work().tournaments.get(TournamentId(created.id))) == undisturbed


def test_what_the_arena_knows_is_known_here() -> None:
    """Each way to fail has its number in the API, and each strategy that has to be told how long to think is told."""
    assert set(FAULTS) == set(Failing)
    assert set(DEFAULT_ITERATIONS) == THINKING


@pytest.mark.parametrize(
    ("game", "form", "entrants", "fields"),
    [
        ("whist", "TOURNAMENT_FORMAT_ROUND_ROBIN", 3, {}),
        ("whist", "TOURNAMENT_FORMAT_ROUND_ROBIN", 5, {"at_a_table": 4}),
        ("bridge", "TOURNAMENT_FORMAT_HEAD_TO_HEAD", 2, {}),
        ("bridge", "TOURNAMENT_FORMAT_ROUND_ROBIN", 4, {}),
        ("napoleon-tw", "TOURNAMENT_FORMAT_GAUNTLET", 3, {}),
        ("dou-dizhu", "TOURNAMENT_FORMAT_ROUND_ROBIN", 3, {}),
        ("dou-dizhu", "TOURNAMENT_FORMAT_LADDER", 3, {}),
    ],
)
async def test_the_front_and_the_arena_count_the_same_deals(
    hall: Hall, game: str, form: str, entrants: int, fields: dict[str, int]
) -> None:
    """What a request is told it will be is what the arena's plan plays, and the arena accepts what the front did."""
    those = [entrant(f"e{number}", "pimc", iterations=number + 1) for number in range(entrants)]
    wanted = spec(*those, game=game, format=form, deals=3, **fields)

    created = await hall.create(await hall.player(), wanted)

    found = read_spec(created.spec)
    assert Plan(found).sittings == created.deals_total
    assert deals_total(created.spec, read_rules(created.spec.rules)) == created.deals_total
    assert [one.name for one in found.entrants] == [one.name for one in those]
    assert code_of(found) == code_of(replace(found, seed=found.seed + 1))
