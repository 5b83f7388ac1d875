"""Baohuang as it is dealt and played: what its page promises beside the plays themselves."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest
from tests.games.playing import play_out, random_seed

from junto.games import actions
from junto.games.actions import AcceptOffer, Action, DeclineOffer, Pass, PlayCards, ShowCards
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.game import Baohuang
from junto.games.baohuang.tribute import Owed
from junto.games.cards import BIG_JOKER, Card, parse_card
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.baohuang_setup import at_play
from junto.games.core import IllegalAction, Match, Step
from junto.games.events import ActionTaken, CardsMoved, RoleRevealed, seen_by
from junto.games.view import Alliance, Clearing, Outcome, Phase, Role

from .hands import hand, ranked, ranks_of

STREET = {"preset": "shandong_street"}
GAME, ON_THE_STREET = Baohuang(), Baohuang(STREET)
OWED = Owed(3, 1, Alliance.PARTNER, (1, 4, 3, 0, 2), 4)
TRIPLE = ["S9", "S9", "S9"]


def deal_of(game: Baohuang, number: int, match: Match | None = None) -> BaohuangDeal:
    match = (match or game.new_match()).opened()
    return as_deal(game.deal(match, random_seed(5, Random(number))))


def as_deal(step: Step) -> BaohuangDeal:
    assert isinstance(step.deal, BaohuangDeal)
    return step.deal


def after(deal: BaohuangDeal, *done: Action) -> BaohuangDeal:
    for action in done:
        deal = as_deal(deal.apply(action))
    return deal


def offered(*hands: list[Card], game: Baohuang = GAME, first: int = 0, **more: Any) -> BaohuangDeal:
    """Return a deal of these hands, and empty ones, before its first offer."""
    return as_deal(game.deal_hands(1, [*hands, *[[]] * (5 - len(hands))], first, **more))


def refusal(deal: BaohuangDeal, action: Action) -> str:
    with pytest.raises(IllegalAction) as refused:
        deal.check(action)
    return str(refused.value)


# The deal.


def test_a_big_joker_lies_in_the_pot_and_the_rest_is_dealt() -> None:
    """43 cards to each, four of each in all."""
    deal = deal_of(GAME, 1)
    assert deal.details.pot == (BIG_JOKER,)
    assert [len(own.hand) for own in deal.owns] == [43] * 5
    cards = Counter(card for own in deal.owns for card in own.hand)
    assert set(cards) == set(range(54))
    assert all(count == 4 - (card == BIG_JOKER) for card, count in cards.items())


@pytest.mark.parametrize(
    ("removed", "sizes"),
    [
        ("none", [44, 43, 43, 43, 43]),
        ("3", [40, 40, 40, 40, 40]),
        ("34", [37, 37, 37, 37, 36]),
        ("345", [34, 34, 34, 33, 33]),
    ],
)
def test_on_the_street_the_first_gets_the_odd_card(removed: str, sizes: list[int]) -> None:
    """And the seats after him one each of the others that are left over; the pot is empty."""
    deal = deal_of(Baohuang({**STREET, "removed_ranks": removed}), 1)
    first = deal.to_act
    assert first is not None
    assert [len(deal.owns[(first + step) % 5].hand) for step in range(5)] == sizes
    assert deal.details.pot == ()
    ranks = set(ranks_of([card for own in deal.owns for card in own.hand]))
    assert ranks == set("3456789TJQKA2BR") - (set() if removed == "none" else set(removed))


def test_any_seat_may_be_asked_first() -> None:
    """In 300 deals each is, about as often as the others; on the street only before the first scored deal."""
    first = Counter(deal_of(GAME, number).to_act for number in range(300))
    assert len(first) == 5
    assert min(first.values()) > 35
    match = match_with(OWED)
    assert {deal_of(ON_THE_STREET, number, match).to_act for number in range(20)} == {3}
    assert len({deal_of(GAME, number, match).to_act for number in range(20)}) > 1


def match_with(owed: Owed, **carried: tuple[int, ...]) -> Match:
    match = GAME.new_match()
    guard = -1 if owed.guard is None else owed.guard
    cleared = tuple(seat for one in owed.cleared for seat in (one.seat, one.by_seat))
    values = (owed.emperor, guard, int(owed.alliance), owed.won, *owed.order)
    return match.carrying(tribute=values, cleared=cleared, **carried)


# The offer.


def test_who_accepts_takes_the_whole_pot() -> None:
    """He is emperor, and all know; all know which cards of his hand were in the pot."""
    deal = offered(hand(*TRIPLE, "S2"), hand(*TRIPLE, "H2"), hand(*TRIPLE), hand(*TRIPLE), hand("D2", "D4"))
    deal = after(deal, DeclineOffer(), DeclineOffer(), AcceptOffer())
    assert (deal.emperor, deal.phase) == (3, Phase.SHOW)
    assert ranks_of(list(deal.hand)) == "9992R"
    assert deal.shared.hands[3].open == tuple(hand("R", "D2"))
    assert deal.details.pot == ()
    assert [deal.shared.hands[seat].size for seat in range(5)] == [4, 4, 3, 5, 1]


def test_who_does_not_qualify_is_asked_all_the_same() -> None:
    """He can only decline, which is told as anybody's; only he sees that he has no choice."""
    deal = offered(hand("S9", "S9", "H9", "S2"), hand(*TRIPLE))
    assert list(deal.legal_actions()) == [DeclineOffer()]
    assert "three equal cards" in refusal(deal, AcceptOffer())
    step = deal.apply(DeclineOffer())
    assert seen_by(step.events, None) == (ActionTaken(0, DeclineOffer()),)
    assert step.deal.to_act == 4


def test_an_offer_that_nobody_takes_is_void() -> None:
    """Nobody scores, all hands are open, and the tribute that is owed stays as it is."""
    deal = offered(*[hand(*TRIPLE, "C2")] * 5)
    deal = after(deal, *[DeclineOffer()] * 5)
    assert deal.to_act == 0
    assert ranks_of(list(deal.details.pot)) == "2222R"
    deal = after(deal, DeclineOffer())
    assert deal.shared.result is not None
    assert deal.shared.result.outcome is Outcome.VOID
    assert [ranks_of(list(one.open)) for one in deal.shared.hands] == ["9992", "999", "999", "999", "999"]
    match = match_with(OWED, voids=(1,))
    carried = dict(GAME.after(match, deal).carried)
    assert carried == {**dict(match.carried), "voids": (2,)}
    assert GAME.after(match, deal).deals_done == 0


def test_after_three_void_deals_the_first_who_qualifies_must_accept() -> None:
    """He is told so; who does not qualify declines as ever."""
    deal = offered(hand("S9", "C2"), *[hand(*TRIPLE)] * 4, voids=3)
    deal = after(deal, DeclineOffer())
    assert list(deal.legal_actions()) == [AcceptOffer()]
    assert deal.default_action() == AcceptOffer()
    assert "must accept" in refusal(deal, DeclineOffer())
    assert DeclineOffer() in offered(*[hand(*TRIPLE)] * 5, voids=2).legal_actions()
    assert (
        DeclineOffer() not in offered(*[hand(*TRIPLE)] * 5, game=Baohuang({"max_consecutive_voids": 0})).legal_actions()
    )


def test_a_table_at_which_nobody_decides_ends_its_match() -> None:
    """Three deals are void, in the fourth somebody must accept, and it is played to its end."""
    match, outcomes = GAME.new_match(), []
    for number in range(8):
        match = match.opened()
        deal = as_deal(GAME.deal(match, random_seed(5, Random(number))))
        while not deal.is_over:
            deal = after(deal, deal.default_action())
        assert deal.shared.result is not None
        outcomes.append(deal.shared.result.outcome is Outcome.VOID)
        match = GAME.after(match, deal)
    assert outcomes == [True, True, True, False] * 2


# Naming the guard.


def test_the_guard_alone_is_told() -> None:
    """Each other seat is told that it is a rebel, and a spectator nothing; a hidden solo looks the same."""
    for holder, alliance in ((1, Alliance.PARTNER), (0, Alliance.HIDDEN_SOLO)):
        hands = [hand(*TRIPLE, "S4"), *[hand("S4")] * 4]
        hands[holder] = [*hands[holder], parse_card("S9")]
        deal = after(offered(*hands), AcceptOffer())
        step = deal.apply(ShowCards(parse_card("S9"), 3))
        assert as_deal(step).alliance is alliance
        assert not any(isinstance(event, RoleRevealed) for event in seen_by(step.events, None))
        assert [own.role for own in step.deal.owns] == [
            Role.DECLARER,
            Role.PARTNER if holder else Role.OPPONENT,
            *[Role.OPPONENT] * 3,
        ]
        assert as_deal(step).details.alliance is None
        assert step.deal.owns[0].alone == (holder == 0)
        assert [len(seen_by(step.events, seat)) for seat in range(1, 5)] == [5] * 4


def test_an_open_solo_is_known_to_all() -> None:
    """Four cards are shown, and everybody else is a rebel."""
    deal = after(offered(hand(*TRIPLE, "S9"), *[hand("S4")] * 4), AcceptOffer(), ShowCards(parse_card("S9"), 4))
    assert deal.details.alliance is Alliance.OPEN_SOLO
    assert [deal.shared.role_of(seat) for seat in range(5)] == [Role.DECLARER, *[Role.OPPONENT] * 4]
    assert deal.owns[0].alone


def test_what_cannot_be_shown_is_said_in_words() -> None:
    """Too few, twos and jokers, two or five of a card, or something else altogether."""
    deal = after(offered(hand(*TRIPLE, "S2", "S2", "S2", "H9")), AcceptOffer())
    assert refusal(deal, ShowCards(parse_card("H9"), 3)) == "you do not have 3 of this card"
    assert refusal(deal, ShowCards(parse_card("S9"), 4)) == "you do not have 4 of this card"
    assert refusal(deal, ShowCards(parse_card("S2"), 3)) == "twos and jokers cannot be shown"
    assert refusal(deal, ShowCards(parse_card("S9"), 2)) == "three or four equal cards are shown"
    assert refusal(deal, Pass()) == "now you must show three or four equal cards"
    assert refusal(offered(hand(*TRIPLE)), Pass()) == "now you must accept the offer or decline it"


# The end.


def test_all_is_told_at_the_end() -> None:
    """Whatever had not been discovered: roles, the alliance, and the cards that are left."""
    for number in range(6):
        steps, _ = play_out(
            GAME.deal(match_with(OWED, voids=(3,)).opened(), random_seed(5, Random(number))), Random(number)
        )
        deal = as_deal(steps[-1])
        assert deal.details.alliance is deal.alliance
        assert {known.seat for known in deal.shared.roles} == set(range(5))
        assert [one.open for one in deal.shared.hands] == [own.hand for own in deal.owns]
        assert sum(bool(own.hand) for own in deal.owns) == 1


@pytest.mark.parametrize("options", [{}, STREET], ids=["classic", "street"])
def test_a_game_says_whether_its_scores_sum_to_zero(options: dict[str, Any]) -> None:
    """Shares do, team points need not; that they do in every deal the laws of all games see to."""
    assert not Baohuang(options).zero_sum
    assert Baohuang({**options, "payout": "shares"}).zero_sum


def test_who_is_cleared_pays_in_the_next_deal() -> None:
    """The clearing is told, carried by the match, and paid after the other tribute."""
    deal = at_play(ON_THE_STREET, list(map(ranked, ("8833", "9945", "66", "77", "55"))))
    deal = after(deal, PlayCards(tuple(ranked("88"))), PlayCards(tuple(ranked("99"))))
    assert deal.details.clearings == (Clearing(0, 1),)
    while not deal.is_over:
        deal = after(deal, deal.default_action())
    match = ON_THE_STREET.after(ON_THE_STREET.new_match().opened(), deal)
    last = deal_of(ON_THE_STREET, 1, match).details.tributes[-1]
    assert (last.from_seat, last.to_seat) == (0, 1)


def test_only_the_next_set_clears_and_only_on_the_street() -> None:
    """Not one that is laid on another set, and not with `clear3` off."""
    hands = list(map(ranked, ("8833", "9945", "TT4", "77", "55")))
    eights, nines, tens = (PlayCards(tuple(ranked(ranks))) for ranks in ("88", "99", "TT"))
    deal = after(at_play(ON_THE_STREET, hands), eights, nines, tens)
    assert deal.details.clearings == (Clearing(0, 1),)
    for game in (GAME, Baohuang({**STREET, "clear3": False})):
        assert after(at_play(game, hands), eights, nines).details.clearings == ()


def test_tribute_is_seen_by_all() -> None:
    """Every card that changes hands and its two seats; from then on it lies open in the hand that took it."""
    step = GAME.deal(match_with(OWED).opened(), random_seed(5, Random(3)))
    deal = as_deal(step)
    moves = [
        event for event in seen_by(step.events, None) if isinstance(event, CardsMoved) and event.source.seat is not None
    ]
    assert [(move.source.seat, move.target.seat, move.cards) for move in moves] == [
        (paid.from_seat, paid.to_seat, (paid.card,)) for paid in deal.details.tributes
    ]
    assert len(moves) == 3
    for paid in deal.details.tributes:
        assert paid.card in deal.shared.hands[paid.to_seat].open


# Prompts.


def test_of_too_many_sets_the_plainest_are_listed() -> None:
    """All sets without jokers and twos are, of every rank; the rest are counted, and legal all the same."""
    cards = "444555666777888999TTTJJJQQQKKKAAA22222222BBBBRRRR"
    deal = at_play(ON_THE_STREET, [ranked(cards), *[ranked("4567")] * 4])
    assert deal.prompt is not None
    choice = deal.prompt.choices.combination
    assert choice is not None

    plain = {play.ranks for play in choice.plays if not play.twos + play.small + play.big}
    assert plain == {(rank,) * size for rank in range(1, 13) for size in range(1, cards.count(RANKS[rank]) + 1)}
    assert choice.omitted == len(list(deal.legal_actions())) - len(choice.plays) > 0
    deal.check(PlayCards(tuple(ranked("AAA22222222BBBBRRRR"))))


# Time-outs.


@pytest.mark.parametrize(
    ("options", "cards", "led"),
    [
        ({}, "33445B", "33"),
        ({}, "2BBR", "2"),
        ({}, "BBR", "B"),
        ({}, "RR", "R"),
        ({"pure_jokers": "last_only"}, "BBR", "BBR"),
        ({"pure_jokers": "last_only"}, "2BBR", "2"),
        (STREET, "33445B", "44"),
        (STREET, "333", "333"),
        (STREET, "333B", "B"),
        ({**STREET, "pure_jokers": "last_only"}, "333B", "333B"),
        (STREET, "33322", "22"),
        ({**STREET, "clear3": False}, "33445", "44"),
    ],
)
def test_what_is_led_for_a_player_whose_time_is_up(options: dict[str, Any], cards: str, led: str) -> None:
    """All cards of the lowest rank without jokers, on the street not threes, then the lowest joker."""
    deal = at_play(Baohuang(options), [ranked(cards), *[ranked("4567")] * 4])
    action = deal.default_action()
    assert isinstance(action, PlayCards)
    assert ranks_of(list(action.cards)) == led
    deal.check(action)


def test_other_defaults() -> None:
    """The offer is declined, three of the lowest rank are shown, and who need not play passes."""
    deal = offered(hand(*TRIPLE, "H4", "H4", "H4", "H4", "S4", "S4", "S4"), *[hand("S5")] * 4)
    assert deal.default_action() == DeclineOffer()
    deal = after(deal, AcceptOffer())
    assert actions.text(deal.default_action()) == "show3 S4"
    deal = after(deal, deal.default_action())
    deal = after(deal, deal.default_action())
    assert deal.default_action() == Pass()


def test_equal_ranks_of_other_suits_are_the_same_set() -> None:
    """Any cards may be played; which suits go matters for the named card alone, and is up to the player."""
    deal = at_play(GAME, [hand("S9", "H9", "C9", "D4"), *[ranked("4")] * 4], named=parse_card("H9"))
    listed = [action.cards for action in islice(deal.legal_actions(), 99) if isinstance(action, PlayCards)]
    assert sorted(listed) == sorted(
        tuple(sorted(hand(*cards.split()))) for cards in ("C9", "H9", "C9 S9", "C9 H9", "C9 H9 S9", "D4")
    )
    deal.check(PlayCards(tuple(hand("S9"))))
