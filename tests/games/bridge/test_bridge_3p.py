"""Bridge for three: the pile, the places, and who gets what (docs/games/bridge-3p.md)."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.playing import first_deal, play_out, random_seed

from junto.games.actions import Action, Bid, Claim, Pass, Play
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.three import PILE, BridgeThree, points_of, row_of
from junto.games.cards import HEARTS, SPADES, Card, mask_of, parse_card, parse_cards, suit_of
from junto.games.core import IllegalAction, Match, RuleError
from junto.games.options import OptionValue
from junto.games.view import BridgeDetails, Outcome, Pile, PointReport, Vulnerability

SUITS = [[card + 13 * suit for card in range(13)] for suit in range(4)]
"""Spades to player 0, hearts to 1, diamonds to 2, clubs to the pile."""


def dealt(places: tuple[int, ...] = (0, 1, 2, PILE), **options: OptionValue) -> BridgeDeal:
    deal = BridgeThree(options).deal_hands(1, SUITS, places=places).deal
    assert isinstance(deal, BridgeDeal)
    return deal


def after(deal: BridgeDeal, *actions: Action) -> BridgeDeal:
    for action in actions:
        step = deal.apply(action)
        assert isinstance(step.deal, BridgeDeal)
        deal = step.deal
    return deal


def pile_of(deal: BridgeDeal) -> Pile:
    assert isinstance(deal.shared.details, BridgeDetails)
    assert deal.shared.details.pile is not None
    return deal.shared.details.pile


def order(deal: BridgeDeal) -> list[int]:
    return [hand.seat for hand in deal.shared.hands]


def played_out(deal: BridgeDeal) -> BridgeDeal:
    while not deal.is_over:
        deal = after(deal, deal.default_action())
    return deal


def random_start(number: int, match: Match | None = None) -> BridgeDeal:
    game, rng = BridgeThree(), Random(number)
    deal = game.deal((match or game.new_match()).opened(), random_seed(3, rng)).deal
    assert isinstance(deal, BridgeDeal)
    return deal


# The pile.


@pytest.mark.parametrize("number", range(20))
def test_each_player_sees_five_cards_of_the_pile(number: int) -> None:
    """The open one and four of his own; together the three see all of it, and nobody sees another's."""
    deal = random_start(number)
    (opened,) = [card for card in pile_of(deal).row if card is not None]
    own = [{card for card in owner.pile_row if card is not None} - {opened} for owner in deal.owns]

    assert [len(cards) for cards in own] == [4, 4, 4]
    assert mask_of({opened}.union(*own)) == deal.hands[PILE]
    assert deal.shared.hands[3].open == (opened,)


@pytest.mark.parametrize("number", range(20))
def test_the_row_is_ordered_by_suit_and_everybody_sees_the_slots(number: int) -> None:
    """A card lies in the same slot for all who see it, spades first."""
    deal = random_start(number)
    rows = [pile_of(deal).row, *(own.pile_row for own in deal.owns)]
    slots = [{card for card in slot if card is not None} for slot in zip(*rows, strict=True)]

    assert [len(slot) for slot in slots] == [1] * 13
    suits = [suit_of(card) for slot in slots for card in slot]
    assert suits == sorted(suits)


def test_cards_of_a_suit_lie_as_they_were_dealt() -> None:
    """The row is sorted by suit alone."""
    pile = parse_cards("D4 SK H2 S9 CA")

    assert row_of(pile) == parse_cards("SK S9 H2 D4 CA")


@pytest.mark.parametrize("number", range(20))
def test_what_is_announced_is_what_the_players_looked_at(number: int) -> None:
    """Ace 4, king 3, queen 2, jack 1 of his own four, the open card left out; all hear it."""
    deal = random_start(number)
    opened = next(card for card in pile_of(deal).row if card is not None)

    def counted(row: tuple[Card | None, ...]) -> int:
        return points_of([card for card in row if card is not None and card != opened])

    assert pile_of(deal).reports == tuple(PointReport(own.seat, counted(own.pile_row)) for own in deal.owns)


def test_which_card_is_turned_up_is_chance() -> None:
    """Over some deals every slot is turned up, and it is not always in the place where it was dealt."""
    opened = {
        next(place for place, card in enumerate(pile_of(random_start(n)).row) if card is not None) for n in range(200)
    }

    assert opened == set(range(13))


def test_the_pile_is_turned_up_after_the_opening_lead() -> None:
    """Not with the contract, but with the lead; declarer plays its cards."""
    deal = after(dealt(), Bid(1, SPADES), Pass(), Pass())
    assert len(deal.shared.hands[3].open) == 1

    deal = after(deal, Play(parse_card("D2")))

    assert len(deal.shared.hands[3].open) == 13
    assert deal.to_act == 1
    assert deal.prompt is not None
    assert deal.prompt.choices.play is not None
    assert deal.prompt.choices.play.from_seat == PILE


# The places.


def test_the_player_opposite_the_pile_calls_first() -> None:
    """Whoever sits there."""
    assert dealt().to_act == 1
    assert dealt((0, PILE, 1, 2)).to_act == 2
    assert after(dealt((0, PILE, 1, 2)), Pass()).to_act == 0


def test_the_declarer_moves_opposite_the_pile() -> None:
    """He changes with whoever sat there, who may become the leader; a declarer who sits there stays."""
    stays = after(dealt(), Bid(1, SPADES), Pass(), Pass())
    moves = after(dealt(), Pass(), Bid(1, SPADES), Pass(), Pass())

    assert (order(stays), stays.contract.declarer, stays.to_act) == ([0, 1, 2, PILE], 1, 2)
    assert (order(moves), moves.contract.declarer, moves.to_act) == ([0, 2, 1, PILE], 2, 1)


def test_the_turn_goes_round_as_they_sit_after_the_move() -> None:
    """The pile comes after the player on declarer's left, then the other defender, then declarer."""
    deal = after(dealt(), Pass(), Bid(1, SPADES), Pass(), Pass())
    hands = []
    for _ in range(4):
        hands.append(deal.hand_number)
        deal = after(deal, deal.default_action())

    assert hands == [1, PILE, 0, 2]


def test_the_pile_moves_one_place_from_deal_to_deal() -> None:
    """It changes with the player after it; who moved in a deal stays where he sits."""
    game = BridgeThree()
    match = game.new_match().opened()
    deal = played_out(after(random_start(1), Pass(), Bid(1, SPADES), Pass(), Pass()))
    match = game.after(match, deal)

    assert match.carried == (("places", (PILE, 2, 1, 0)),)
    following = random_start(2, match)
    assert order(following) == [PILE, 2, 1, 0]
    assert following.to_act == 1


def test_a_deal_that_is_passed_out_is_void_and_the_pile_moves() -> None:
    """Nobody scores, it does not count, all cards are shown."""
    game = BridgeThree()
    deal = after(random_start(1), Pass(), Pass(), Pass())
    match = game.after(game.new_match().opened(), deal)

    assert deal.shared.result is not None
    assert deal.shared.result.outcome is Outcome.VOID
    assert (match.deals_done, match.scores) == (0, (0, 0, 0))
    assert match.carried == (("places", (PILE, 1, 2, 0)),)
    assert [len(hand.open) for hand in deal.shared.hands] == [13, 13, 13, 13]


def test_places_that_cannot_be_are_refused() -> None:
    """What a match carries may come from a file."""
    game = BridgeThree()
    for places in ((0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 4)):
        with pytest.raises(RuleError, match="no places"):
            random_start(1, game.new_match().carrying(places=places))


# The score.


@pytest.mark.parametrize(("zero_sum", "expected"), [(False, (50, -50, 50)), (True, (50, -100, 50))])
def test_each_defender_gets_the_full_negative(zero_sum: bool, expected: tuple[int, ...]) -> None:
    """So a deal does not sum to zero, unless the table wants it."""
    deal = played_out(after(dealt(zero_sum=zero_sum), Bid(7, SPADES), Pass(), Pass()))
    assert deal.shared.result is not None
    assert deal.shared.result.captured is not None
    down = 13 - deal.shared.result.captured

    assert deal.scores == tuple(share * down for share in expected)


def test_scores_are_of_the_three_players() -> None:
    """The pile has no share."""
    rng = Random(5)
    game = BridgeThree()
    steps, _ = play_out(first_deal(game, rng), rng)

    assert len(game.new_match().scores) == 3
    assert steps[-1].deal.scores is None or len(steps[-1].deal.scores) == 3


@pytest.mark.parametrize(
    ("option", "expected"),
    [("none", Vulnerability.NONE), ("all", Vulnerability.BOTH), ("board", Vulnerability.NORTH_SOUTH)],
)
def test_vulnerability_is_an_option(option: str, expected: Vulnerability) -> None:
    """Nobody is vulnerable unless the table says so."""
    details = BridgeThree({"vulnerability": option}).deal_hands(2, SUITS).deal.shared.details

    assert isinstance(details, BridgeDetails)
    assert details.vulnerability is expected


def test_with_boards_the_piles_place_decides() -> None:
    """On board 2 North-South are vulnerable: those are declarer and the pile, if it lies in place 0 or 2."""
    downs = []
    for places in ((PILE, 0, 1, 2), (0, PILE, 1, 2)):
        deal = BridgeThree({"vulnerability": "board"}).deal_hands(2, SUITS, places=places).deal
        assert isinstance(deal, BridgeDeal)
        ended = played_out(after(deal, Bid(7, 4), Pass(), Pass()))
        assert ended.scores is not None
        assert ended.shared.result is not None
        assert ended.shared.result.captured is not None
        downs.append(ended.scores[ended.contract.declarer] / (13 - ended.shared.result.captured))

    assert downs == [-100, -50]


def test_nobody_claims() -> None:
    """The rules for three have none."""
    deal = after(dealt(), Bid(1, HEARTS), Pass(), Pass(), Play(parse_card("D2")))
    while deal.trick is not None or deal.to_act != deal.contract.declarer:
        deal = after(deal, deal.default_action())

    with pytest.raises(IllegalAction, match="nobody claims"):
        deal.check(Claim(0))
