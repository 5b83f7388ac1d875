"""Whist: the draw for partners, the card that is turned up, whose deal it is, the score and the match."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from junto.games.actions import Play
from junto.games.cards import DIAMONDS, SPADES, SUITS, mask_of, parse_card, parse_cards, suit_of
from junto.games.core import Match, RuleError, Step
from junto.games.events import CardsMoved, CardsShown, DealStarted, PlacesSwapped, SeatsDrawn, seen_by
from junto.games.tricks.deal import TricksDeal
from junto.games.view import Outcome, Phase, WhistDetails
from junto.games.whist import Whist

from .playing import play_out, random_seed

WHIST = Whist()
SEEDS = 40


def first_deal(number: int, game: Whist = WHIST) -> Step:
    return game.deal(game.new_match().opened(), random_seed(4, Random(number)))


def places(step: Step) -> list[int]:
    return [hand.seat for hand in step.deal.shared.hands]


def drawn(step: Step) -> dict[str, int]:
    """Return who drew which suit."""
    event = next(seen.event for seen in step.events if isinstance(seen.event, SeatsDrawn))
    assert all(draw.from_seat == draw.to_seat for draw in event.draws)
    return {SUITS[draw.suit]: draw.from_seat for draw in event.draws}


def short_deal(*hands: str, dealer: int, turned: str, sits: tuple[int, ...] = (0, 1, 2, 3)) -> TricksDeal:
    """Return a deal of short hands."""
    step = WHIST.deal_hands(1, [parse_cards(hand) for hand in hands], dealer, parse_card(turned), sits)
    assert isinstance(step.deal, TricksDeal)
    return step.deal


@pytest.mark.parametrize("number", range(SEEDS))
def test_partners_sit_opposite_as_they_drew(number: int) -> None:
    """Clockwise sit the drawers of spades, hearts, clubs and diamonds; the first of them deals."""
    step = first_deal(number)
    found = drawn(step)

    assert [found[suit] for suit in "SHCD"] == places(step)
    assert step.deal.shared.dealer == found["S"]
    black, red = WHIST.sides(Match((0,) * 4), step.deal.shared)
    assert (set(black), set(red)) == ({found["S"], found["C"]}, {found["H"], found["D"]})


def test_every_seating_can_be_drawn() -> None:
    """All 24 ways to draw happen, and most seeds draw another way than they deal."""
    assert len({tuple(places(first_deal(number))) for number in range(400)}) == 24


def test_before_the_draw_there_are_no_sides() -> None:
    """A match that has just begun has no partnerships."""
    assert WHIST.sides(WHIST.new_match()) == ()


def test_partners_are_drawn_once_and_the_deal_goes_round_the_table() -> None:
    """In later deals nothing is drawn, everybody sits as before, and the next one clockwise deals."""
    match, dealers, seatings, told = WHIST.new_match(), [], [], []
    for number in range(9):
        match = match.opened()
        step = WHIST.deal(match, random_seed(4, Random(number)))
        dealers.append(step.deal.shared.dealer)
        seatings.append(places(step))
        told.append(sum(isinstance(seen.event, SeatsDrawn) for seen in step.events))
        match = WHIST.after(match, play_out(step, Random(number))[0][-1].deal)

    assert told == [1, *[0] * 8]
    assert all(seating == seatings[0] for seating in seatings)
    assert dealers == [seatings[0][number % 4] for number in range(9)]
    assert [set(side) for side in WHIST.sides(match)] == [set(seatings[0][::2]), set(seatings[0][1::2])]


@pytest.mark.parametrize("number", range(SEEDS))
def test_the_dealers_last_card_is_turned_up_for_all(number: int) -> None:
    """It is one of the dealer's thirteen, makes its suit trumps, and everybody sees it; the left-hand seat leads."""
    step = first_deal(number)
    shared, dealer = step.deal.shared, step.deal.shared.dealer
    assert dealer is not None
    assert isinstance(shared.details, WhistDetails)
    turned = shared.details.turned
    seen = seen_by(step.events, None)

    assert turned in step.deal.owns[dealer].hand
    assert [event.cards for event in seen if isinstance(event, CardsShown)] == [(turned,)]
    assert all(not event.cards for event in seen if isinstance(event, CardsMoved))
    assert shared.tricks is not None
    assert shared.tricks.trump == suit_of(turned)
    sits = places(step)
    assert step.deal.to_act == sits[(sits.index(dealer) + 1) % 4]
    assert {hand.seat: hand.open for hand in shared.hands} == {seat: (turned,) * (seat == dealer) for seat in range(4)}


def test_the_pack_is_dealt_one_by_one_from_the_dealers_left() -> None:
    """Every fourth card of the shuffled pack is a player's; the last of all is turned up."""
    seed = random_seed(4, Random(1))
    step = WHIST.deal(WHIST.new_match().opened(), seed)
    pack, sits = seed.stream("cards").shuffled(range(52)), places(step)

    assert step.deal.shared.details == WhistDetails(pack[-1])
    for place, seat in enumerate(sits):
        assert step.deal.owns[seat].hand == tuple(sorted(pack[(place - 1) % 4 :: 4]))


def test_the_turned_card_is_known_until_it_is_played() -> None:
    """It lies open in the dealer's hand; after it was played everybody still knows which one it was."""
    deal = short_deal("S2 S3", "S4 S5", "S6 S7", "S8 D9", dealer=3, turned="D9")
    for card in ("S2", "S4", "S6"):
        step = deal.apply(Play(parse_card(card)))
        assert isinstance(step.deal, TricksDeal)
        deal = step.deal
    assert deal.shared.hands[3].open == (parse_card("D9"),)

    step = deal.apply(Play(parse_card("S8")))
    for card in ("D9", "S3", "S5", "S7"):
        step = step.deal.apply(Play(parse_card(card)))
    assert step.deal.shared.hands[3].open == ()
    assert step.deal.shared.details == WhistDetails(parse_card("D9"))


def test_who_has_changed_places_plays_in_his_new_one() -> None:
    """The turn goes round as they sit, and the winner of a trick leads."""
    deal = short_deal("S2 S3", "S4 S5", "S9 S7", "S6 D9", dealer=3, turned="D9", sits=(0, 2, 1, 3))
    turns = []
    for card in ("S2", "S9", "S4", "S6", "S7"):
        turns.append(deal.to_act)
        step = deal.apply(Play(parse_card(card)))
        assert isinstance(step.deal, TricksDeal)
        deal = step.deal
    assert [*turns, deal.to_act] == [0, 2, 1, 3, 2, 1]


@pytest.mark.parametrize("number", range(SEEDS))
def test_the_side_with_more_tricks_scores_those_above_six(number: int) -> None:
    """Both winners score the same, the losers nothing."""
    deal = play_out(first_deal(number), Random(number))[0][-1].deal
    shared = deal.shared
    assert shared.tricks is not None
    assert shared.result is not None
    assert deal.scores is not None
    tricks = {tally.seat: tally.tricks for tally in shared.tricks.tallies}
    for side in WHIST.sides(Match((0,) * 4), shared):
        assert {deal.scores[seat] for seat in side} == {max(0, sum(tricks[seat] for seat in side) - 6)}
    assert shared.result.outcome is Outcome.PLAYED


def test_a_deal_has_no_decision_but_cards() -> None:
    """There is no auction: the first thing asked of anybody is a lead, and any card may be led."""
    deal = first_deal(1).deal
    assert deal.phase is Phase.PLAY
    assert deal.prompt is not None
    assert deal.prompt.choices.play is not None
    assert mask_of(deal.prompt.choices.play.cards) == mask_of(deal.owns[deal.prompt.seat].hand)


def test_who_is_late_follows_low_or_plays_low_of_his_longest_side_suit() -> None:
    """The lowest card that follows; else the lowest of the longest suit that is not trumps; trumps if nothing else."""
    hands = "C2 C3 C4", "CA C5 D2", "D3 D4 D9 H2 H3", "D8 D7 SA"
    deal = short_deal(*hands, dealer=3, turned="D8")
    played = []
    for _ in range(4):
        action = deal.default_action()
        assert isinstance(action, Play)
        played.append(action.card)
        step = deal.apply(action)
        assert isinstance(step.deal, TricksDeal)
        deal = step.deal
    assert tuple(played) == parse_cards("C2 C5 H2 SA")


def test_without_side_suits_the_lowest_trump_is_played() -> None:
    """Who has nothing but trumps throws the lowest."""
    deal = short_deal("C2", "D9 D3", "C4", "D8", dealer=3, turned="D8")
    deal_after = deal.apply(Play(parse_card("C2"))).deal
    assert deal_after.default_action() == Play(parse_card("D3"))


def test_the_winner_is_told_by_trumps_then_by_the_suit_led() -> None:
    """A trump beats an ace of the suit led, and a higher trump beats that."""
    assert suit_of(parse_card("D2")) == DIAMONDS != SPADES
    deal = short_deal("SA", "D2", "D3", "D8", dealer=3, turned="D8")
    step = Step(deal, ())
    for card in ("SA", "D2", "D3", "D8"):
        step = step.deal.apply(Play(parse_card(card)))
    assert step.deal.shared.tricks is not None
    assert step.deal.shared.tricks.tricks[-1].winner == 3


@pytest.mark.parametrize(("target", "deals"), [(0, 1), (1, 1), (5, 9), (7, 13)])
def test_a_match_to_a_target_has_room_for_it(target: int, deals: int) -> None:
    """Every deal is worth a point: by so many deals a side has the target, even if the sides take turns."""
    assert Whist({"target": target}).default_deals == deals


def test_a_match_is_decided_by_the_points_of_a_side() -> None:
    """It is, once a side has the target; without a target only the number of deals decides."""
    assert not Whist({"target": 5}).is_decided(Match((4, 3, 4, 3)))
    assert Whist({"target": 5}).is_decided(Match((4, 5, 4, 5)))
    assert not WHIST.is_decided(Match((40, 50, 40, 50)))


def test_places_that_cannot_be_are_refused() -> None:
    """A claim about a match that names one player twice is no match of whist."""
    match = WHIST.new_match().carrying(places=(0, 1, 1, 3)).opened()
    with pytest.raises(RuleError, match="are no places of four players"):
        WHIST.deal(match, random_seed(4, Random(1)))


def test_places_are_told_in_every_deal_in_which_they_are_not_the_seats_order() -> None:
    """A client that joins late sees them in the order of the hands; the event says it with every deal."""
    match = WHIST.new_match().carrying(places=(2, 0, 1, 3)).opened()
    step = WHIST.deal(match, random_seed(4, Random(1)))
    told = [seen.event for seen in step.events]

    assert PlacesSwapped((2, 0, 1, 3)) in told
    assert isinstance(told[0], DealStarted)
    assert [type(one) for one, _ in pairwise(told)][1] is PlacesSwapped
