"""The catalogue: what can be played, and against whom."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from junto.client import CallError, Catalog
from junto.front.call import Call
from junto.front.catalog import CatalogService
from junto.front.methods import Service
from junto.games.catalog import GAMES
from junto.v1 import catalog_pb2, errors_pb2

BOTS = [
    catalog_pb2.Strategy(id=name, title=name.title(), game_ids=games)
    for name, games in (("pimc", ["a", "b"]), ("greedy", ["a"]), ("acme/oracle", ["b"]))
]
MADE_UP = [catalog_pb2.Game(id=name, title=name.upper()) for name in "cab"]


@pytest.fixture
async def catalog(stage: Any, transport: str) -> Any:
    """Provide the catalogue of three games and three bots, through a front, to somebody who has not signed in."""
    front = await stage.serve([Service(Catalog.DESCRIPTOR, CatalogService(BOTS, MADE_UP))])
    return (await stage.client(front, transport, name=None)).catalog


async def test_the_games_are_listed_page_by_page(catalog: Any) -> None:
    """Pages follow each other by id, without gap or repetition, and the last one says so."""
    seen, token, pages = [], "", 0
    while True:
        page = await catalog.list_games(catalog_pb2.ListGamesRequest(page_size=2, page_token=token))
        seen += [game.id for game in page.games]
        token, pages = page.next_page_token, pages + 1
        if not token:
            break

    assert (seen, pages) == (["a", "b", "c"], 2)
    assert [game.id for game in (await catalog.list_games(catalog_pb2.ListGamesRequest())).games] == ["a", "b", "c"]


async def test_the_bots_of_a_game_are_listed(catalog: Any) -> None:
    """All bots, or those that play a game."""
    every = await catalog.list_strategies(catalog_pb2.ListStrategiesRequest())
    some = await catalog.list_strategies(catalog_pb2.ListStrategiesRequest(game_id="b"))

    assert [bot.id for bot in every.strategies] == ["acme/oracle", "greedy", "pimc"]
    assert [bot.id for bot in some.strategies] == ["acme/oracle", "pimc"]


@pytest.mark.parametrize(
    ("request_", "code", "reason"),
    [
        ({"game_id": "bridge-9"}, "NOT_FOUND", errors_pb2.ERROR_REASON_GAME_NOT_FOUND),
        ({"page_token": "nonsense"}, "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_PAGE_TOKEN),
        ({"page_size": 101}, "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD),
        ({"page_size": -1}, "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD),
    ],
)
async def test_a_wrong_question_is_refused(catalog: Any, request_: dict[str, Any], code: str, reason: int) -> None:
    """An unknown game, somebody else's page token and an impossible page size are each refused by name."""
    with pytest.raises(CallError) as caught:
        await catalog.list_strategies(catalog_pb2.ListStrategiesRequest(**request_))

    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode[code], reason)


async def test_a_page_token_is_of_one_list(catalog: Any) -> None:
    """The token of the games' list does not open the bots'."""
    games = await catalog.list_games(catalog_pb2.ListGamesRequest(page_size=1))

    with pytest.raises(CallError) as caught:
        await catalog.list_strategies(catalog_pb2.ListStrategiesRequest(page_token=games.next_page_token))

    assert caught.value.reason == errors_pb2.ERROR_REASON_INVALID_PAGE_TOKEN


async def test_the_real_games_have_their_options() -> None:
    """Every registered game is in the catalogue with a type, a default and a sentence for each option."""
    listed = await CatalogService([]).list_games(catalog_pb2.ListGamesRequest(), Call())

    assert {game.id for game in listed.games} == set(GAMES)
    for game in listed.games:
        assert game.title
        assert game.players.min >= 2
        for option in game.options:
            assert option.description
            assert option.WhichOneof("type")
            assert option.default_value.WhichOneof("kind")


def test_a_bot_plays_what_it_says() -> None:
    """Whether a bot can be seated is asked of the same list."""
    catalogue = CatalogService(BOTS, MADE_UP)

    assert catalogue.plays("pimc", "b")
    assert not catalogue.plays("greedy", "b")
    assert not catalogue.plays("nobody", "a")
