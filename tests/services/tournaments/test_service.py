"""TournamentService over the wire: created, looked at, listed, stopped, and what is refused."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from junto.client import CallError
from junto.internal.v1 import store_pb2
from junto.v1 import catalog_pb2, errors_pb2, tournaments_pb2
from junto.v1.errors_pb2 import ErrorReason

from .conftest import Hall, entrant, spec

RUNNING = tournaments_pb2.TOURNAMENT_STATUS_RUNNING
CANCELLED = tournaments_pb2.TOURNAMENT_STATUS_CANCELLED
UNKNOWN = b"\xfa\x3f\xd0\x0f" + 2000 * b"x"
"""A field of number 1023 with 2,000 bytes."""


async def refused(call: Any, reason: str) -> CallError:
    """Return the error of a call that must be refused for this reason."""
    with pytest.raises(CallError) as caught:
        await call
    assert ErrorReason.Name(caught.value.reason) == f"ERROR_REASON_{reason}", caught.value
    return caught.value


async def test_a_tournament_waits_and_says_what_it_will_be(hall: Hall, transport: str) -> None:
    """What the request left open is filled in and told, and while nobody plays it, it says so."""
    player = await hall.player(transport)

    created = await hall.create(player, spec(entrant("a"), entrant("b", "pimc")))

    assert (created.status, created.waiting, created.deals_total, created.repeatable) == (RUNNING, True, 12, True)
    assert created.spec.format == tournaments_pb2.TOURNAMENT_FORMAT_HEAD_TO_HEAD
    assert (created.spec.at_a_table, created.spec.entrants[1].budget.iterations) == (2, 100)
    assert created.spec.HasField("seed")
    assert player.player is not None
    assert created.creator_player_id == player.player.id
    asked = await player.tournaments.get_tournament(tournaments_pb2.GetTournamentRequest(tournament_id=created.id))
    assert asked.tournament == created


async def test_who_asks_again_gets_the_same_tournament(hall: Hall) -> None:
    """A repeated request is carried out once, at any front; with other content it is refused."""
    player = await hall.player()
    *_, other_front = await hall.another_front()
    elsewhere = await hall.player(front=other_front)
    elsewhere.tokens = player.tokens
    request = tournaments_pb2.CreateTournamentRequest(request_id=str(uuid.uuid4()), spec=spec())

    first = await player.tournaments.create_tournament(request)
    again = await elsewhere.tournaments.create_tournament(request)
    request.spec.deals = 7

    assert again == first
    await refused(player.tournaments.create_tournament(request), "REQUEST_ID_REUSED")
    listed = await player.tournaments.list_tournaments(tournaments_pb2.ListTournamentsRequest())
    assert [one.id for one in listed.tournaments] == [first.tournament.id]


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        (spec(entrant("a"), entrant("a", "random")), "spec.entrants[1].name"),
        (spec(entrant("a"), entrant(" b")), "spec.entrants[1].name"),
        (spec(entrant("a"), entrant("b\u202e")), "spec.entrants[1].name"),
        (spec(entrant("a"), entrant("b" + 9 * "\u0301")), "spec.entrants[1].name"),
        (spec(entrant("a"), entrant("b", "pimc", iterations=20_000)), "spec.entrants[1].budget.iterations"),
        (spec(entrant("a"), entrant("b", "pimc", iterations=5, seed=1)), "spec.entrants[1].budget.seed"),
        (spec(deals=501), "spec.deals"),
        (spec(deals=0), "spec.deals"),
        (spec(seed=1 << 63), "spec.seed"),
        (spec(at_a_table=3), "spec.at_a_table"),
        (spec(entrant("a"), entrant("b"), entrant("c"), format="TOURNAMENT_FORMAT_HEAD_TO_HEAD"), "spec.entrants"),
        (spec(format="TOURNAMENT_FORMAT_GAUNTLET", at_a_table=2), "spec.at_a_table"),
        (spec(format="TOURNAMENT_FORMAT_LADDER"), "spec.entrants[1].budget"),
        (spec(stop_rule={"difference": 0.0, "alpha": 0.05, "beta": 0.05}), "spec.stop_rule.difference"),
        (spec(stop_rule={"difference": 1.0, "alpha": 0.7, "beta": 0.05}), "spec.stop_rule.alpha"),
        (spec(stop_rule={"difference": 1.0, "alpha": 1e-300, "beta": 0.05}), "spec.stop_rule.alpha"),
        (spec(stop_rule={"difference": 1e300, "alpha": 0.1, "beta": 0.05}), "spec.stop_rule.difference"),
        (spec(*(entrant(str(number)) for number in range(40)), deals=1, at_a_table=3), "spec.at_a_table"),
        (spec(stop_rule={"difference": float("nan"), "alpha": 0.1, "beta": 0.05}), "spec.stop_rule.difference"),
        (spec(format="TOURNAMENT_FORMAT_GAUNTLET", stop_rule={"difference": 1, "alpha": 0.1, "beta": 0.1}),
         "spec.stop_rule"),
        (spec(entrant("a")), "spec.entrants"),
    ],
)  # fmt: skip
async def test_a_spec_that_cannot_be_played_is_refused_by_its_field(
    hall: Hall, wanted: tournaments_pb2.TournamentSpec, field: str
) -> None:
    """The answer names the field, and nothing is stored."""
    player = await hall.player()

    error = await refused(hall.create(player, wanted), "INVALID_FIELD")

    assert field in [violation.field for violation in error.violations]
    assert not (await player.tournaments.list_tournaments(tournaments_pb2.ListTournamentsRequest())).tournaments


async def test_what_nobody_knows_is_not_kept(hall: Hall, transport: str) -> None:
    """Fields of no meaning here are dropped: they would be sent to everybody who looks."""
    player, wanted = await hall.player(transport), spec()
    wanted.entrants[0].MergeFromString(UNKNOWN)
    wanted.MergeFromString(UNKNOWN)

    created = await hall.create(player, wanted)

    assert wanted.ByteSize() > 2 * len(UNKNOWN)
    assert created.ByteSize() < len(UNKNOWN)
    asked = await player.tournaments.get_tournament(tournaments_pb2.GetTournamentRequest(tournament_id=created.id))
    assert asked.tournament == created


async def test_time_is_bounded_by_the_server(hall: Hall) -> None:
    """A budget beyond what one tournament may think is refused."""
    slow = entrant("b", "pimc")
    slow.budget.time.FromMilliseconds(1001)

    error = await refused(hall.create(await hall.player(), spec(entrant("a"), slow)), "INVALID_FIELD")

    assert error.violations[0].field == "spec.entrants[1].budget.time"


@pytest.mark.parametrize("strategy", ["oracle", "./bot.py:Careful", "grpc://127.0.0.1:1", "os:system"])
async def test_only_installed_strategies_play(hall: Hall, strategy: str) -> None:
    """No file of the server's and no address is opened because somebody asks for it by the API."""
    error = await refused(
        hall.create(await hall.player(), spec(entrant("a"), entrant("b", strategy))), "STRATEGY_NOT_FOUND"
    )

    assert "whist" in error.message


async def test_unknown_games_and_options_are_refused(hall: Hall) -> None:
    """As at tables, with the path inside this request."""
    player = await hall.player()
    setting = catalog_pb2.OptionSetting(name="wings", value=catalog_pb2.OptionValue(number=2))
    winged = spec()
    winged.rules.options.append(setting)

    await refused(hall.create(player, spec(game="bridge-9")), "GAME_NOT_FOUND")
    error = await refused(hall.create(player, winged), "INVALID_OPTION")

    assert error.violations[0].field == "spec.rules.options[0].name"


async def test_so_many_run_at_a_time_and_one_that_is_stopped_makes_room(hall: Hall) -> None:
    """A player's own limit, and the server's for all; a cancelled tournament counts no more."""
    player = await hall.player()
    first, _ = await hall.create(player), await hall.create(player)

    error = await refused(hall.create(player), "TOO_MANY")
    assert error.metadata["limit"] == "2"

    await player.tournaments.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id=first.id))
    await hall.create(player)
    others = [await hall.player(name=name) for name in ("Bob", "Eve")]
    for other in others:
        await hall.create(other)
    await hall.create(others[0])
    await refused(hall.create(others[1]), "RATE_LIMITED")


async def test_only_its_creator_stops_a_tournament(hall: Hall, transport: str) -> None:
    """Others are refused; stopping twice is harmless; what is over cannot be stopped."""
    ada, bob = await hall.player(transport), await hall.player(transport, "Bob")
    created = await hall.create(ada)
    request = tournaments_pb2.CancelTournamentRequest(tournament_id=created.id)

    await refused(bob.tournaments.cancel_tournament(request), "NOT_ALLOWED")
    once = await ada.tournaments.cancel_tournament(request)
    twice = await ada.tournaments.cancel_tournament(request)

    assert (once.tournament.status, once.tournament.HasField("end_time")) == (CANCELLED, True)
    assert twice == once

    finished = await hall.create(ada)
    work = hall.work()
    hold = await work.take((await work.unheld(hall.clock.now_ms()))[0], "code")
    assert hold is not None
    await work.end(hold, tournaments_pb2.TOURNAMENT_STATUS_FINISHED)
    await refused(
        ada.tournaments.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id=finished.id)), "OVER"
    )


async def test_the_seed_of_a_running_tournament_is_its_creators_secret(hall: Hall) -> None:
    """The cards of deals to come follow from it: others are told when it is over."""
    ada, bob = await hall.player(), await hall.player(name="Bob")
    created = await hall.create(ada)
    request = tournaments_pb2.GetTournamentRequest(tournament_id=created.id)

    seen = (await bob.tournaments.get_tournament(request)).tournament
    streamed = await anext(
        bob.tournaments.watch_tournament(tournaments_pb2.WatchTournamentRequest(tournament_id=created.id))
    )
    assert not seen.spec.HasField("seed")
    assert not streamed.tournament.spec.HasField("seed")

    await ada.tournaments.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id=created.id))
    told = (await bob.tournaments.get_tournament(request)).tournament
    assert told.spec.seed == created.spec.seed


async def test_a_player_lists_the_own_tournaments_newest_first(hall: Hall, transport: str) -> None:
    """Page by page, without gap or repetition, and nobody else's."""
    ada, bob = await hall.player(transport), await hall.player(transport, "Bob")
    await hall.create(bob)
    made = []
    for _ in range(5):
        created = await hall.create(ada)
        made.append(created.id)
        await ada.tournaments.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id=created.id))

    seen, token, pages = [], "", 0
    while not pages or token:
        page = await ada.tournaments.list_tournaments(
            tournaments_pb2.ListTournamentsRequest(page_size=2, page_token=token)
        )
        seen += [one.id for one in page.tournaments]
        token, pages = page.next_page_token, pages + 1

    assert (sorted(seen), pages) == (sorted(made), 3)
    times = {one: at for at, one in enumerate(made)}
    assert times[seen[0]] > times[seen[-1]]
    await refused(
        ada.tournaments.list_tournaments(tournaments_pb2.ListTournamentsRequest(page_token="bad")), "INVALID_PAGE_TOKEN"
    )


async def test_standings_come_in_pages(hall: Hall, transport: str) -> None:
    """Best first, as the organiser wrote them, with the deals that they rest on."""
    player = await hall.player(transport)
    created = await hall.create(player)
    work = hall.work()
    hold = await work.take((await work.unheld(hall.clock.now_ms()))[0], "code")
    assert hold is not None
    lines = [tournaments_pb2.Standing(entrant=name, deals=12) for name in "abc"]
    await work.tell(hold, store_pb2.TournamentProgress(deals_played=12, standings=lines))

    first = await player.tournaments.get_standings(
        tournaments_pb2.GetStandingsRequest(tournament_id=created.id, page_size=2)
    )
    rest = await player.tournaments.get_standings(
        tournaments_pb2.GetStandingsRequest(tournament_id=created.id, page_token=first.next_page_token)
    )

    assert [[line.entrant for line in page.standings] for page in (first, rest)] == [["a", "b"], ["c"]]
    assert (first.deals_played, rest.next_page_token) == (12, "")
    stranger = tournaments_pb2.GetStandingsRequest(tournament_id="other", page_token=first.next_page_token)
    await refused(player.tournaments.get_standings(stranger), "INVALID_PAGE_TOKEN")


async def test_what_does_not_exist_is_not_found(hall: Hall, transport: str) -> None:
    """By every method that names a tournament."""
    player = (await hall.player(transport)).tournaments
    calls = [
        player.get_tournament(tournaments_pb2.GetTournamentRequest(tournament_id="none")),
        player.get_standings(tournaments_pb2.GetStandingsRequest(tournament_id="none")),
        player.cancel_tournament(tournaments_pb2.CancelTournamentRequest(tournament_id="none")),
        anext(player.watch_tournament(tournaments_pb2.WatchTournamentRequest(tournament_id="none"))),
    ]
    for call in calls:
        await refused(call, "TOURNAMENT_NOT_FOUND")


async def test_strangers_need_a_token(hall: Hall, transport: str) -> None:
    """Nothing here is public."""
    stranger = await hall.stage.client(hall.front, transport, name=None)

    error = await refused(hall.create(stranger), "TOKEN_MISSING")

    assert error.reason == errors_pb2.ERROR_REASON_TOKEN_MISSING
