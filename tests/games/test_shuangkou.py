"""Shuangkou: who leads, what may be played, who leads when a seat has gone out, the end, and the score."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from junto.games.actions import PlayCards
from junto.games.cards import PACK
from junto.games.core import Step
from junto.games.events import CardsMoved, SeatFinished, seen_by
from junto.games.options import OptionValue
from junto.games.shuangkou import HAND, PLAYERS, Shuangkou
from junto.games.view import Outcome, Phase

from .climbing.telling import Table, hands_of
from .playing import play_out, random_seed

GAME = Shuangkou()


def at_play(*hands: str, leader: int = 0, **options: OptionValue) -> Table:
    """Return a table at which these hands were dealt."""
    return Table(Shuangkou(options).deal_hands(1, hands_of(*hands), leader))


def first_deal(number: int, game: Shuangkou = GAME) -> Step:
    return game.deal(game.new_match().opened(), random_seed(PLAYERS, Random(number)))


def in_order(order: tuple[int, ...], **options: OptionValue) -> Table:
    """Return a deal in which seats go out in this order, as far as it goes: each has one card, and beats the last."""
    ranks = dict(zip(order, "3456", strict=True))
    table = at_play(*(ranks[seat] for seat in range(PLAYERS)), leader=order[0], **options)
    for seat in order:
        while not table.deal.is_over and table.deal.to_act != seat:
            table.does(f"{table.deal.to_act} pass")
        if not table.deal.is_over:
            table.does(f"{seat} {ranks[seat]}")
    return table


def places(table: Table) -> list[int | None]:
    assert table.deal.shared.result is not None
    return [share.place for share in table.deal.shared.result.seats]


# The deal.


@pytest.mark.parametrize("number", range(10))
def test_two_packs_are_dealt(number: int) -> None:
    """Twenty-seven cards each, of which the others see the number; the play begins at once."""
    step = first_deal(number)
    assert [hand.size for hand in step.deal.shared.hands] == [HAND] * PLAYERS
    assert sorted(card for own in step.deal.owns for card in own.hand) == sorted(2 * [*range(PACK)])
    assert all(not event.cards for event in seen_by(step.events, None) if isinstance(event, CardsMoved))
    assert step.deal.phase is Phase.PLAY


def test_partners_sit_opposite() -> None:
    """The teams are fixed."""
    assert GAME.sides(GAME.new_match()) == ((0, 2), (1, 3))


def test_anybody_can_lead_first() -> None:
    """The first leader is a random seat."""
    assert {first_deal(number).deal.to_act for number in range(60)} == set(range(PLAYERS))


def test_who_went_out_first_leads_the_next_deal() -> None:
    """Whatever his team scored."""
    match = GAME.new_match().opened()
    for number in range(8):
        deal = play_out(GAME.deal(match, random_seed(PLAYERS, Random(number))), Random(number))[0][-1].deal
        match = GAME.after(match, deal).opened()
        assert deal.shared.climbing is not None
        for seed in range(3):
            again = GAME.deal(match, random_seed(PLAYERS, Random(seed)))
            assert again.deal.to_act == deal.shared.climbing.finished[0]


def test_the_next_leader_can_be_a_random_seat() -> None:
    """With `next_leader` random, as in the first deal."""
    game = Shuangkou({"next_leader": "random"})
    match = game.after(game.new_match().opened(), in_order((2, 3, 1, 0), next_leader="random").deal).opened()
    leaders = {game.deal(match, random_seed(PLAYERS, Random(number))).deal.to_act for number in range(60)}
    assert leaders == set(range(PLAYERS))


# The play.


@pytest.mark.parametrize(
    ("hand", "played", "reason"),
    [
        (
            "33345",
            "3334",
            "3334 is no combination: nothing is carried, and runs have as many of each rank",
        ),
        ("33344456", "333444", "333444 is no combination: a run has at least 3 trios"),
        ("BB3", "BB", "BB is no combination: jokers by themselves are played singly, or all together"),
        ("BBR3", "BBR", "BBR is no combination: jokers by themselves are played singly, or all together"),
        ("QKA23", "QKA2", "QKA2 is no combination: a straight has at least 5 cards"),
        ("TJQKA23", "TJQKA2", "TJQKA2 is no combination: twos and jokers are in no run"),
        ("3", "pass", "you lead: play a combination"),
        ("3", "apply", "in this game nobody asks for the lead"),
    ],
)
def test_a_lead_that_is_refused_is_explained(hand: str, played: str, reason: str) -> None:
    """The rule that forbids it is said in words."""
    at_play(hand, "4", "5", "6").refuses(played, reason)


@pytest.mark.parametrize(
    ("top", "play", "reason"),
    [
        ("44", "33", "33 does not beat 44: it takes a higher one, or a bomb"),
        ("44", "555", "555 does not beat 44: it takes a pair, or a bomb"),
        ("334455", "44556677", "44556677 does not beat 334455: it takes as many cards, or a bomb"),
        ("44444", "5555", "5555 does not beat 44444: {bomb}"),
        ("44444", "33333", "33333 does not beat 44444: {bomb}"),
        ("44444", "R", "R does not beat 44444: {bomb}"),
        ("BBRR", "33333333", "33333333 does not beat BBRR: nothing beats the four jokers"),
        ("2222", "33333", None),
        ("3333", "4444", None),
        ("R", "3333", None),
        ("22222222", "BBRR", None),
    ],
)
def test_an_answer_that_is_refused_is_explained(top: str, play: str, reason: str | None) -> None:
    """Bombs go by size, then rank, and the four jokers beat them all."""
    bomb = "a bomb is beaten by one of more cards, or of as many and a higher rank, or by the four jokers"
    table = at_play(top + "7", play + "7", "5", "6").does(f"0 {top}")
    if reason is None:
        table.does(f"1 {play}")
    else:
        table.refuses(play, reason.format(bomb=bomb))


def test_joker_pairs_are_an_option() -> None:
    """Two small jokers beat two twos, two big ones beat two small ones; a mixed pair is none."""
    table = at_play("22B", "BBR", "RR4", "6", joker_pairs=True).does("0 22")
    table.refuses("BR", "BR is no combination: jokers by themselves are played singly, in equal pairs or all together")
    table.does("1 BB", "2 RR")


def test_a_round_is_over_when_all_others_have_passed() -> None:
    """A pass is not final; the owner of the top leads again."""
    table = at_play("379", "58Q", "46", "9T").does("0 3", "1 pass", "2 4", "3 pass", "0 7", "1 8", "2 pass")
    assert (table.deal.to_act, table.deal.top is None) == (3, False)
    table.does("3 pass", "0 pass")
    assert (table.deal.to_act, table.deal.top) == (1, None)


@pytest.mark.parametrize(
    ("sayings", "leader"),
    [
        # The partner had his turn to beat it, and passed.
        (("0 K", "1 pass", "2 pass", "3 pass"), 2),
        # Somebody beat it, and leads.
        (("0 K", "1 A", "2 pass", "3 pass"), 1),
        (("0 K", "1 pass", "2 2", "3 pass", "1 pass"), 2),
    ],
)
def test_the_partner_leads_for_who_has_gone_out(sayings: tuple[str, ...], leader: int) -> None:
    """If nobody beats the last play."""
    table = at_play("K", "5A", "462", "9T").does(*sayings)
    assert (table.deal.to_act, table.deal.top) == (leader, None)


def test_the_next_seat_leads_if_the_partner_is_out_as_well() -> None:
    """The next one with cards after the owner."""
    table = at_play("3Q", "48", "5", "9T").does("0 3", "1 pass", "2 5", "3 pass", "0 Q", "1 pass", "3 pass")
    assert (table.deal.to_act, table.deal.top) == (1, None)


def test_a_seat_without_cards_is_passed_over() -> None:
    """It has no turn any more."""
    table = at_play("3", "4K", "5A", "6T").does("0 3", "1 4", "2 5", "3 6")
    assert table.deal.to_act == 1


def test_the_deal_ends_when_one_seat_has_cards() -> None:
    """The third seat's last play is not answered; the places are told as they are taken."""
    table = at_play("3", "4", "5", "9T").does("0 3", "1 4", "2 5")
    assert table.deal.is_over
    assert SeatFinished(2, 3) in table.events
    assert places(table) == [1, 2, 3, 4]
    assert table.deal.shared.hands[3].open == hands_of("9T")[0]


# The score.


@pytest.mark.parametrize("order", [*permutations(range(PLAYERS))])
def test_the_first_ones_team_scores_by_the_place_of_his_partner(order: tuple[int, ...]) -> None:
    """Two points if he is second, one if third, none if last; the other team gets nothing, or loses as much."""
    first, partner = order[0], (order[0] + 2) % PLAYERS
    points = {1: 2, 2: 1, 3: 0}[order.index(partner)]
    team = {first, partner}
    table = in_order(order)
    assert table.deal.scores == tuple(points if seat in team else 0 for seat in range(PLAYERS))
    assert places(table) == [order.index(seat) + 1 for seat in range(PLAYERS)]
    assert table.deal.shared.result is not None
    assert table.deal.shared.result.outcome is Outcome.PLAYED
    scores = in_order(order, zero_sum=True).deal.scores
    assert scores == tuple(points if seat in team else -points for seat in range(PLAYERS))


@pytest.mark.parametrize("order", [*permutations(range(PLAYERS))])
def test_a_deal_can_end_when_two_partners_are_out_first(order: tuple[int, ...]) -> None:
    """With `early_end` the two others get no place; the score is the same."""
    table = in_order(order, early_end=True)
    early = order[1] == (order[0] + 2) % PLAYERS
    expected = [order.index(seat) + 1 for seat in range(PLAYERS)]
    assert places(table) == [place if place <= 2 or not early else None for place in expected]
    assert table.deal.scores == in_order(order).deal.scores


def test_a_game_says_whether_its_scores_sum_to_zero() -> None:
    """Only by an option the losers lose anything; that they do in every deal the laws of all games see to."""
    assert not GAME.zero_sum
    assert Shuangkou({"zero_sum": True}).zero_sum


# When time is up.


def test_who_is_late_passes_or_leads_a_low_card_that_breaks_little() -> None:
    """A single card of the rank that he has fewest of, among his three lowest ranks; of those the lowest."""
    assert at_play("3333444556", "7", "8", "9").default == "5"
    assert at_play("BBRR", "7", "8", "9").default == "B"
    assert at_play("3", "7", "8", "9").does("0 3").default == "pass"


def test_any_card_of_a_rank_can_be_played() -> None:
    """Equal cards of both packs are two; which suits go is for the player to say."""
    deal = GAME.deal_hands(1, [(1, 1, 14, 3), (2,), (3,), (4,)], 0).deal
    for cards in ((1,), (14,), (1, 1), (1, 14), (1, 1, 14)):
        deal.check(PlayCards(cards))
    assert len(list(deal.legal_actions())) == 4
