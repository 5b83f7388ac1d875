"""What a player in the terminal is shown: their seat's view, in a few lines."""

from __future__ import annotations

import random

from junto.cli.board import Words, draw
from junto.cli.hints import explain
from junto.games.actions import Action, Bid, CallCard, Pass
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.shuffle import DealSeed
from junto.games.view import Phase
from junto.v1 import cards_pb2, strategies_pb2, views_pb2
from junto.wire.actions import write_action
from junto.wire.reading import read_own, read_shared
from junto.wire.views import write_own, write_shared

WORDS = Words(
    ["Ada", *(f"seat {seat}" for seat in range(1, 5)), "the pile"], {1: "Napoleon", 2: "secretary"}, "court cards"
)


def deal_in_play(plays: int) -> Deal:
    """Return a deal after some random plays; the first bidder is Napoleon."""
    rng = random.Random(3)
    game = open_game("napoleon-tw")
    deal = game.deal(game.new_match().opened(), DealSeed(bytes(32), (b"",) * 5)).deal
    played = 0
    while played < plays:
        played += deal.phase is Phase.PLAY
        action: Action
        match deal.phase:
            case Phase.AUCTION:
                action = Pass() if deal.shared.calls else Bid(11)
            case Phase.EXCHANGE | Phase.TRUMP:
                action = deal.default_action()
            case _:
                action = rng.choice(list(deal.legal_actions()))
        deal = deal.apply(action).deal
    return deal


def shown(deal: Deal, seat: int) -> str:
    """Return what a seat is shown, by way of the messages that it is sent."""
    shared, own = read_shared(write_shared(deal.shared)), read_own(write_own(deal.owns[seat]))
    return "\n".join(draw(shared, own, WORDS))


def test_the_board_has_the_contract_the_seats_the_trick_and_the_hand() -> None:
    """Everything that a player needs to decide is on the screen."""
    deal = deal_in_play(13)
    assert deal.shared.contract is not None
    board = shown(deal, 0)

    assert f"contract: {deal.shared.contract.target} court cards by" in board
    assert "trumps: " in board
    assert "called: " in board
    assert "Napoleon" in board
    assert "trick 3 of 10: " in board
    assert "1 trick, " in board
    assert "  your hand: " in board
    assert board.count("\n> ") == 1, "the seat to act is marked"


def test_a_hand_is_sorted_by_suits() -> None:
    """Jokers first, then spades, hearts, diamonds, clubs, each from the ace down."""
    deal = deal_in_play(1)
    hand = shown(deal, 2).splitlines()[-1].partition("your hand: ")[2]
    order = ["♠♥♦♣".index(card[0]) for card in hand.split() if card[0] in "♠♥♦♣"]

    assert order == sorted(order)
    assert len(hand.split()) == len(deal.owns[2].hand)


def test_a_hint_is_explained() -> None:
    """The choice, each candidate with mean and standard error, and who is believed to be the secretary."""
    decision = strategies_pb2.Decision(
        action=write_action(Bid(12)),
        evaluations=[
            strategies_pb2.Evaluation(action=write_action(Bid(12)), mean=20.5, standard_error=3.25, visits=400),
            strategies_pb2.Evaluation(action=write_action(CallCard(12)), mean=-5),
        ],
        beliefs=[
            strategies_pb2.Belief(
                role=strategies_pb2.RoleBelief(
                    seat=2, roles=[strategies_pb2.RoleChance(role=views_pb2.ROLE_PARTNER, probability=0.4)]
                )
            ),
            strategies_pb2.Belief(
                card=strategies_pb2.CardBelief(
                    card=cards_pb2.CARD_SPADE_ACE,
                    places=[
                        strategies_pb2.LocationChance(
                            location=cards_pb2.Location(zone=cards_pb2.ZONE_HAND, seat=3), probability=0.75
                        ),
                        strategies_pb2.LocationChance(
                            location=cards_pb2.Location(zone=cards_pb2.ZONE_PUT_BACK), probability=0.25
                        ),
                    ],
                )
            ),
        ],
        worlds=400,
        playouts=1200,
    )
    text = "\n".join(explain(decision, WORDS))

    assert "it would bid 12   (400 worlds, 1,200 playouts" in text
    assert "+20.5 ± 3.2   400 tries" in text
    assert "call SA" in text
    assert "seat 2 is the secretary: 40%" in text
    assert "♠A is with seat 3 75%, put back 25%" in text
