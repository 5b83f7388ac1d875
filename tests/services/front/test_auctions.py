"""Explaining an auction over the API: what each call means, over every protocol, from calls alone."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from junto.client import CallError, Catalog
from junto.front.catalog import CatalogService
from junto.front.methods import Service
from junto.games.actions import Action, Bid, DoubleBid, Pass
from junto.v1 import cards_pb2, catalog_pb2, errors_pb2
from junto.wire.actions import write_action


def auction(*calls: Action, game: str = "bridge", board: int = 1, **options: str) -> catalog_pb2.ExplainAuctionRequest:
    """Return the question about some calls."""
    return catalog_pb2.ExplainAuctionRequest(
        rules=catalog_pb2.RuleSet(
            game_id=game,
            options=[
                catalog_pb2.OptionSetting(name=name, value=catalog_pb2.OptionValue(choice=value))
                for name, value in options.items()
            ],
        ),
        board=board,
        calls=[write_action(call) for call in calls],
    )


@pytest.fixture
async def catalog(stage: Any, transport: str) -> Any:
    """Provide the catalogue through a front, to somebody who has not signed in."""
    front = await stage.serve([Service(Catalog.DESCRIPTOR, CatalogService([]))])
    return (await stage.client(front, transport, name=None)).catalog


async def test_every_call_is_explained(catalog: Any) -> None:
    """The answer has a meaning for each call, by the seats that made them, with ranges and a sentence."""
    answer = await catalog.explain_auction(auction(Bid(1, 4), Pass(), Bid(2, 2)))

    opening, silent, transfer = answer.meanings
    assert [meaning.seat for meaning in answer.meanings] == [2, 3, 0]
    assert (opening.name, opening.balanced, opening.artificial) == ("strong no-trump", True, False)
    assert (opening.high_card_points.min, opening.high_card_points.max) == (15, 17)
    assert silent.name == "no overcall"
    assert (transfer.name, transfer.artificial, transfer.forcing) == (
        "Jacoby transfer", True, catalog_pb2.FORCING_ROUND,
    )  # fmt: skip
    hearts = next(suit for suit in transfer.lengths if suit.suit == cards_pb2.SUIT_HEARTS)
    assert (hearts.min, hearts.max) == (5, 13)
    assert transfer.sentence == "Jacoby transfer: 5 or more hearts; asks for hearts; forcing for one round."


async def test_the_options_say_who_called(catalog: Any) -> None:
    """With the dealer calling first the seats of the same calls are others."""
    answer = await catalog.explain_auction(auction(Pass(), Bid(1, 0), board=2, first_caller="dealer"))

    assert [meaning.seat for meaning in answer.meanings] == [1, 2]


async def test_no_calls_have_no_meanings(catalog: Any) -> None:
    """The empty auction is answered, with nothing."""
    assert not (await catalog.explain_auction(auction())).meanings


@pytest.mark.parametrize(
    ("request_", "code", "reason", "words"),
    [
        (auction(Bid(1, 4), game="bridge-9"), "NOT_FOUND", errors_pb2.ERROR_REASON_GAME_NOT_FOUND, "bridge-9"),
        (auction(game="napoleon-tw"), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD, "no system"),
        (auction(first_caller="north"), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_OPTION, "first_caller"),
        (auction(board=0), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD, "board"),
        (
            auction(Bid(2, 0), Pass(), Bid(2, 1)), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD,
            "calls[2]: call 3, 2H, is not legal after 2S P",
        ),
        (auction(DoubleBid()), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD, "calls[0]"),
        (
            auction(Pass(), Pass(), Pass(), Pass(), Pass()), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD,
            "comes after the end of the auction",
        ),
        (auction(Bid(13, 0)), "INVALID_ARGUMENT", errors_pb2.ERROR_REASON_INVALID_FIELD, "not a call of bridge"),
    ],
)  # fmt: skip
async def test_a_wrong_question_is_refused(catalog: Any, request_: Any, code: str, reason: int, words: str) -> None:
    """An unknown game, one without a system, a wrong option and an illegal call are each refused by name."""
    with pytest.raises(CallError) as caught:
        await catalog.explain_auction(request_)

    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode[code], reason)
    assert words in str(caught.value)
