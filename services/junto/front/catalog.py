"""CatalogService: which games there are, with which options, and which bots."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from junto.front.auctions import explained
from junto.front.call import Call
from junto.front.faults import Fault
from junto.front.pages import read_page_token, write_page_token
from junto.front.refusals import refusals
from junto.games.catalog import GAMES
from junto.v1 import catalog_pb2, errors_pb2
from junto.wire.catalog import write_game

_PAGE: Final = 50
_GAMES: Final = "games"
_STRATEGIES: Final = "strategies"

Entry = TypeVar("Entry", catalog_pb2.Game, catalog_pb2.Strategy)


class CatalogService:
    """Answers `junto.v1.CatalogService`.

    Args:
        strategies: the bots that can be seated.
        games: the games that can be played; by default all that there are.
    """

    def __init__(
        self, strategies: Iterable[catalog_pb2.Strategy], games: Iterable[catalog_pb2.Game] | None = None
    ) -> None:
        found = (write_game(game) for game in GAMES.values()) if games is None else games
        self._games = sorted(found, key=lambda game: game.id)
        self._game_ids = {game.id for game in self._games}
        self._strategies = sorted(strategies, key=lambda strategy: strategy.id)
        self._plays = {(strategy.id, game_id) for strategy in self._strategies for game_id in strategy.game_ids}

    def plays(self, strategy_id: str, game_id: str) -> bool:
        """Tell whether there is such a strategy, and whether it plays this game."""
        return (strategy_id, game_id) in self._plays

    async def list_games(self, request: catalog_pb2.ListGamesRequest, _: Call) -> catalog_pb2.ListGamesResponse:
        """List the games."""
        page, token = _page(_GAMES, self._games, request.page_size, request.page_token)
        return catalog_pb2.ListGamesResponse(games=page, next_page_token=token)

    async def list_strategies(
        self, request: catalog_pb2.ListStrategiesRequest, _: Call
    ) -> catalog_pb2.ListStrategiesResponse:
        """List the strategies, all or those that play a game."""
        game_id = request.game_id
        if game_id and game_id not in self._game_ids:
            raise Fault(errors_pb2.ERROR_REASON_GAME_NOT_FOUND, f"there is no game {game_id!r}")
        found = [strategy for strategy in self._strategies if not game_id or game_id in strategy.game_ids]
        page, token = _page(_STRATEGIES, found, request.page_size, request.page_token)
        return catalog_pb2.ListStrategiesResponse(strategies=page, next_page_token=token)

    async def explain_auction(
        self, request: catalog_pb2.ExplainAuctionRequest, _: Call
    ) -> catalog_pb2.ExplainAuctionResponse:
        """Tell what the calls of an auction mean; in a thread, since the longest auction takes a third of a second."""
        return await asyncio.to_thread(explained, request)


def _page(kind: str, entries: Sequence[Entry], size: int, token: str) -> tuple[Sequence[Entry], str]:
    """Return the entries after the token's, whose cursor is an id, and the next page's token."""
    with refusals():
        after = read_page_token(kind, token).decode(errors="replace")
    rest = [entry for entry in entries if entry.id > after]
    page = rest[: size or _PAGE]
    return page, write_page_token(kind, page[-1].id.encode() if len(rest) > len(page) else b"")
