"""What the calls of an auction mean: the bots' bidding system as messages. It sees calls only, never cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from junto.front.faults import Fault, FieldViolation, InvalidField
from junto.front.refusals import refusals
from junto.games.actions import Action
from junto.games.bridge.auction import first_caller
from junto.games.bridge.four import Bridge
from junto.games.bridge.scoring import is_vulnerable
from junto.games.core import Game
from junto.search.bridge_bidding import AuctionError, Forcing, Meaning, explain
from junto.v1 import actions_pb2, catalog_pb2, errors_pb2
from junto.wire.actions import read_action
from junto.wire.cards import SUITS
from junto.wire.catalog import read_rules
from junto.wire.errors import WireError

_SEATS: Final = 4
_FORCING: Final = {
    Forcing.NONE: catalog_pb2.FORCING_NONE,
    Forcing.ROUND: catalog_pb2.FORCING_ROUND,
    Forcing.GAME: catalog_pb2.FORCING_GAME,
}


def explained(request: catalog_pb2.ExplainAuctionRequest) -> catalog_pb2.ExplainAuctionResponse:
    """Return the meanings of an auction's calls.

    Raises:
        Fault: there is no such game, it has no such option, or its bots bid by no system.
        InvalidField: a call is none of bridge, or is not legal where it stands.
    """
    with refusals():
        game = read_rules(request.rules)
    bridge = _bridge(game)
    first = first_caller(request.board, str(bridge.options["first_caller"]))
    sides = [is_vulnerable(bridge.vulnerability(request.board), (first + step) % _SEATS) for step in range(2)]
    calls = _calls(request.calls)
    try:
        meanings = explain(calls, first_side_vulnerable=sides[0], other_side_vulnerable=sides[1])
    except AuctionError as error:
        field = "calls" if error.index is None else f"calls[{error.index}]"
        raise InvalidField([FieldViolation(field, str(error))]) from None
    return catalog_pb2.ExplainAuctionResponse(
        meanings=[_meaning((first + turn) % _SEATS, meaning) for turn, meaning in enumerate(meanings)]
    )


def _bridge(game: Game) -> Bridge:
    if not isinstance(game, Bridge):
        problem = f"the bots of {game.id} bid by no system that could be explained; those of {Bridge.id} do"
        raise Fault(
            errors_pb2.ERROR_REASON_INVALID_FIELD, problem, violations=[FieldViolation("rules.game_id", problem)]
        )
    return game


def _calls(messages: Iterable[actions_pb2.Action]) -> list[Action]:
    calls = []
    for index, message in enumerate(messages):
        try:
            calls.append(read_action(message))
        except WireError as error:
            raise InvalidField([FieldViolation(f"calls[{index}]", str(error))]) from None
    return calls


def _meaning(seat: int, meaning: Meaning) -> catalog_pb2.CallMeaning:
    return catalog_pb2.CallMeaning(
        seat=seat,
        name=meaning.name,
        sentence=meaning.sentence,
        high_card_points=_points(meaning.hcp),
        shape_points=None if meaning.points is None else _points(meaning.points),
        lengths=[
            catalog_pb2.SuitLengths(suit=suit, min=low, max=high)
            for suit, (low, high) in zip(SUITS, meaning.lengths, strict=True)
        ],
        any_shape_from=meaning.any_shape_from,
        balanced=meaning.balanced,
        stopped=[SUITS[suit] for suit in meaning.stopped],
        artificial=meaning.artificial,
        forcing=_FORCING[meaning.forcing],
    )


def _points(ends: tuple[int, int]) -> catalog_pb2.PointRange:
    return catalog_pb2.PointRange(min=ends[0], max=ends[1])
