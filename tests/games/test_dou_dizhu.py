"""Dou Dizhu: the auction and void deals, the kitty, what may be played, the end, bombs, spring and the score."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from junto.games.actions import Bid, Pass
from junto.games.cards import parse_cards
from junto.games.core import Match, Step
from junto.games.dou_dizhu import HAND, PLAYERS, DouDizhu
from junto.games.events import CardsMoved, CardsShown, PhaseChanged, RoleRevealed, RoundBegan, seen_by
from junto.games.options import OptionValue
from junto.games.phases import KITTY
from junto.games.view import DouDizhuDetails, Outcome, Phase, Role, SeatRole, Spring

from .climbing.telling import Table, hands_of
from .playing import play_out, random_seed

GAME = DouDizhu()
UNTIL_PASSED = DouDizhu({"bidding": "until_two_passes"})
LATE = ("34", "56", "78")


def dealt(*hands: str, game: DouDizhu = GAME, dealer: int = 0, kitty: str = "", voids: int = 0) -> Table:
    """Return a table at which these hands were dealt; nobody has bid."""
    return Table(game.deal_hands(1, hands_of(*hands), parse_cards(kitty), dealer, voids))


def at_play(*hands: str, landlord: int = 0, bid: int = 3, options: dict[str, OptionValue] | None = None) -> Table:
    """Return a table at which a landlord leads."""
    table = dealt(*hands, game=DouDizhu(options), dealer=landlord).does(f"{landlord} bid {bid}")
    while table.deal.phase is Phase.AUCTION:
        table.does(f"{table.deal.to_act} pass")
    return table


def first_deal(number: int, game: DouDizhu = GAME) -> Step:
    return game.deal(game.new_match().opened(), random_seed(PLAYERS, Random(number)))


def details(table: Table) -> DouDizhuDetails:
    assert isinstance(table.deal.shared.details, DouDizhuDetails)
    return table.deal.shared.details


# The deal and the auction.


@pytest.mark.parametrize("number", range(10))
def test_seventeen_cards_each_and_three_in_the_kitty(number: int) -> None:
    """Nobody sees another seat's cards or the kitty; the dealer calls first."""
    step = first_deal(number)
    shared = step.deal.shared
    assert [hand.size for hand in shared.hands] == [HAND] * PLAYERS
    assert (shared.kitty_size, shared.kitty) == (3, ())
    assert all(not event.cards for event in seen_by(step.events, None) if isinstance(event, CardsMoved))
    assert (step.deal.phase, step.deal.to_act) == (Phase.AUCTION, shared.dealer)


def test_every_seat_can_deal_first() -> None:
    """The first dealer is a random one."""
    assert {first_deal(number).deal.shared.dealer for number in range(40)} == set(range(PLAYERS))


def test_the_deal_goes_round() -> None:
    """Each next deal has the next dealer, void deals included."""
    match, dealers = GAME.new_match(), []
    for number in range(8):
        match = match.opened()
        step = GAME.deal(match, random_seed(PLAYERS, Random(number)))
        dealers.append(step.deal.shared.dealer or 0)
        end = Table(step).plays_out().deal if number % 2 else play_out(step, Random(number))[0][-1].deal
        match = GAME.after(match, end)
    assert all(later == (earlier + 1) % PLAYERS for earlier, later in pairwise(dealers))


def test_each_seat_calls_once() -> None:
    """After three calls the highest bidder is landlord: one of less than three can be outbid by those after it only."""
    table = dealt(*LATE, dealer=1).does("1 bid 1", "2 pass")
    assert table.deal.phase is Phase.AUCTION
    table.does("0 bid 2")
    assert (table.deal.phase, table.deal.to_act) == (Phase.PLAY, 0)


def test_a_bid_of_three_ends_the_auction() -> None:
    """Nobody can bid more, so nobody is asked."""
    assert dealt(*LATE).does("0 pass", "1 bid 3").deal.to_act == 1


@pytest.mark.parametrize(
    ("calls", "landlord"),
    [
        (("0 bid 1", "1 pass", "2 pass"), 0),
        (("0 pass", "1 bid 1", "2 bid 2", "0 pass", "1 pass"), 2),
        (("0 pass", "1 pass", "2 bid 1", "0 bid 2", "1 pass", "2 pass"), 0),
        (("0 bid 1", "1 bid 2", "2 pass", "0 bid 3"), 0),
        (("0 pass", "1 bid 1", "2 pass", "0 bid 2", "1 pass", "2 pass"), 0),
    ],
)
def test_an_auction_can_go_on_until_two_pass(calls: tuple[str, ...], landlord: int) -> None:
    """With `until_two_passes` who passed may bid later; it ends with the second pass in a row after a bid."""
    table = dealt(*LATE, game=UNTIL_PASSED)
    for call in calls:
        assert table.deal.phase is Phase.AUCTION
        table.does(call)
    assert (table.deal.phase, table.deal.to_act) == (Phase.PLAY, landlord)


def test_only_higher_bids_are_legal() -> None:
    """A prompt lists the bids above the last one, and a pass; anything else is refused with the rule."""
    table = dealt(*LATE).does("0 bid 1")
    assert table.deal.prompt is not None
    assert table.deal.prompt.choices.bids == (Bid(2), Bid(3))
    assert list(table.deal.legal_actions()) == [Pass(), Bid(2), Bid(3)]
    table.refuses("bid 1", "the bid must be higher than 1")
    table.refuses("bid 4", "3 is the highest bid")
    table.refuses("bid 2S", "in this game a bid is a number alone")
    table.refuses("5", "now you must bid or pass")


@pytest.mark.parametrize("game", [GAME, UNTIL_PASSED])
def test_a_deal_without_a_bid_is_void(game: DouDizhu) -> None:
    """All three pass at the start: nobody scores, all cards are shown, nothing is counted as a deal done."""
    table = dealt("34", "56", "78", game=game, kitty="S9 H9 D9").does("0 pass", "1 pass", "2 pass")
    result = table.deal.shared.result
    assert result is not None
    assert (result.outcome, table.deal.scores) == (Outcome.VOID, None)
    assert table.deal.shared.kitty == parse_cards("S9 H9 D9")
    assert [len(hand.open) for hand in table.deal.shared.hands] == [2, 2, 2]
    after = game.after(Match((5, -3, -2)).opened(), table.deal)
    assert (after.scores, after.deals_done, after.carried_value("voids")) == ((5, -3, -2), 0, (1,))


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_the_last_of_many_void_deals_is_played(most: int) -> None:
    """When nobody ever bids, every third deal (or as the option says) is played: its dealer is landlord at one."""
    game = DouDizhu({"max_consecutive_voids": most})
    match, ends = game.new_match(), []
    for number in range(3 * most):
        match = match.opened()
        table = Table(game.deal(match, random_seed(PLAYERS, Random(number)))).does()
        while table.deal.phase is Phase.AUCTION:
            table.does(f"{table.deal.to_act} pass")
        contract = table.deal.shared.contract
        ends.append(None if contract is None else (contract.declarer == table.deal.shared.dealer, contract.bid.amount))
        match = game.after(match, table.plays_out().deal)
    assert ends == ([None] * (most - 1) + [(True, 1)]) * 3
    assert match.carried_value("voids") == (0,)


def test_the_landlord_takes_the_kitty_before_all_eyes() -> None:
    """Everybody sees the three cards, knows that the landlord has them, and what he is; he leads."""
    table = dealt("34", "56", "78", kitty="S9 H9 RJ").does("0 pass", "1 bid 1", "2 pass")
    shared, kitty = table.deal.shared, parse_cards("S9 H9 RJ")
    assert [event for event in table.events if isinstance(event, CardsShown)] == [CardsShown(KITTY, kitty)]
    assert (shared.kitty_size, shared.kitty, shared.hands[1].open) == (0, kitty, kitty)
    assert set(kitty) < set(table.deal.owns[1].hand)
    assert table.deal.owns[1].kitty == kitty
    assert shared.roles == tuple(
        SeatRole(seat, Role.DECLARER if seat == 1 else Role.OPPONENT) for seat in range(PLAYERS)
    )
    assert sum(isinstance(event, RoleRevealed) for event in table.events) == PLAYERS
    assert table.events[-2:] == [PhaseChanged(Phase.PLAY), RoundBegan(1)]
    assert table.deal.to_act == 1


# The play.

WHAT_IS_CARRIED = (
    "a trio carries one card or one pair, each trio of a plane one, and four equal cards carry two cards or two "
    "pairs, of other ranks; four equal cards, and three that lengthen the run, are not carried"
)


@pytest.mark.parametrize(
    ("hand", "played", "reason"),
    [
        ("345", "6", "you do not hold S6"),
        ("345", "33", "you do not hold H3"),
        ("345", "34", "34 is no combination: a straight has at least 5 cards"),
        ("3344", "3344", "3344 is no combination: a run has at least 3 pairs"),
        ("JQKA2", "JQKA2", "JQKA2 is no combination: twos and jokers are in no run"),
        ("34568", "34568", "34568 is no combination: the ranks of a run follow each other without a gap"),
        ("333444BR", "333444BR", "333444BR is no combination: the two jokers are not carried together"),
        (
            "3334445566K",
            "33344455K",
            f"33344455K is no combination: {WHAT_IS_CARRIED}",
        ),
        ("345", "pass", "you lead: play a combination"),
        ("345", "bid 3", "you lead: play a combination"),
        ("345", "apply", "in this game nobody asks for the lead"),
    ],
)
def test_a_lead_that_is_refused_is_explained(hand: str, played: str, reason: str) -> None:
    """The rule that forbids it is said in words."""
    at_play(hand, "5", "6").refuses(played, reason)


def test_carried_cards_of_one_rank_can_be_forbidden() -> None:
    """With `kicker_rule` distinct: and the reason says so."""
    at_play("4444883", "5", "6").does("0 444488")
    table = at_play("4444883", "5", "6", options={"kicker_rule": "distinct"})
    table.refuses("444488", "444488 is no combination: single cards that are carried must be of different ranks")
    table.does("0 444483")


def test_both_jokers_can_be_allowed_to_be_carried() -> None:
    """With `rocket_as_kickers`."""
    table = at_play("333444BR5", "5", "6", options={"rocket_as_kickers": True}).does("0 333444BR")
    assert details(table).bombs == 0


@pytest.mark.parametrize(
    ("top", "play", "reason"),
    [
        ("4", "3", "3 does not beat 4: it takes a higher one, or a bomb"),
        ("4", "4", "4 does not beat 4: it takes a higher one, or a bomb"),
        ("4", "55", "55 does not beat 4: it takes a single card, or a bomb"),
        ("34567", "456789", "456789 does not beat 34567: it takes as many cards, or a bomb"),
        ("4445", "3336", "3336 does not beat 4445: it takes higher trios, or a bomb"),
        ("4445", "33366", "33366 does not beat 4445: it takes a trio with a single card, or a bomb"),
        ("4444", "33336", f"33336 is no combination: {WHAT_IS_CARRIED}"),
        ("4444", "3333", "3333 does not beat 4444: a bomb is beaten by one of a higher rank, or by the rocket"),
        ("4444", "22", "22 does not beat 4444: a bomb is beaten by one of a higher rank, or by the rocket"),
        ("BR", "2222", "2222 does not beat BR: nothing beats the rocket"),
        ("444456", "555567", None),
        ("444456", "3333", None),
    ],
)
def test_an_answer_that_is_refused_is_explained(top: str, play: str, reason: str | None) -> None:
    """The rule that forbids it is said in words; four cards that carry two are no bomb."""
    table = at_play(top + "3", play + "3", "6").does(f"0 {top}")
    if reason is None:
        table.does(f"1 {play}")
    else:
        table.refuses(play, reason)


def test_who_has_passed_may_play_later_in_the_round() -> None:
    """A pass is not final, and two in a row give the lead back to the owner of the top."""
    table = at_play("389", "5A", "4KK").does("0 3", "1 pass", "2 4", "0 8", "1 A", "2 pass", "0 pass")
    assert (table.deal.to_act, table.deal.top) == (1, None)


def test_the_first_empty_hand_ends_the_deal() -> None:
    """Nobody answers the last play; the others' cards are shown."""
    table = at_play("34", "5A", "4KK").does("0 4", "1 5", "2 pass", "0 pass", "1 A")
    assert table.deal.is_over
    assert [len(hand.open) for hand in table.deal.shared.hands] == [1, 0, 3]
    assert table.deal.scores == (-12, 6, 6)


# The score.


def test_the_landlord_plays_for_twice_as_much() -> None:
    """The bid from each peasant, or to each."""
    assert at_play("34", "5A", "46", bid=2).does("0 3", "1 5", "2 6", "0 pass", "1 A").deal.scores == (-8, 4, 4)
    won = at_play("3A", "5Q", "46", bid=2).does("0 3", "1 5", "2 6", "0 A")
    assert (won.deal.scores, details(won).spring) == ((4, -2, -2), Spring.NONE)
    assert won.deal.shared.result is not None
    assert won.deal.shared.result.outcome is Outcome.MADE
    assert [share.role for share in won.deal.shared.result.seats] == [Role.DECLARER, Role.OPPONENT, Role.OPPONENT]
    assert [share.place for share in won.deal.shared.result.seats] == [1, None, None]


BOMBS = (
    *("0 3", "1 4444", "2 BR", "0 pass", "1 pass", "2 6", "0 7", "1 8", "2 pass"),
    *("0 5555", "1 pass", "2 pass", "0 K"),
)
HANDS = ("375555K", "444489", "BR6Q")


@pytest.mark.parametrize(
    ("options", "multiplier"),
    [
        ({}, 8),
        ({"bomb_factor": "count"}, 3),
        ({"multiplier_cap": 4}, 4),
        ({"multiplier_cap": 2, "bomb_factor": "count"}, 2),
        ({"multiplier_cap": 100}, 8),
        ({"unit": 10}, 8),
    ],
)
def test_bombs_and_the_rocket_multiply(options: dict[str, OptionValue], multiplier: int) -> None:
    """Whoever plays them: each doubles, or their number multiplies, up to a cap; everybody sees it as it grows."""
    table = at_play(*HANDS, bid=1, options=options)
    seen = [details(table)]
    for saying in BOMBS:
        table.does(saying)
        seen.append(details(table))
    assert [one.bombs for one in seen] == sorted(one.bombs for one in seen)
    assert (seen[0].bombs, seen[0].multiplier, seen[-1].bombs, seen[-1].multiplier) == (0, 1, 3, multiplier)
    points = multiplier * int(options.get("unit", 1))
    assert table.deal.scores == (2 * points, -points, -points)


@pytest.mark.parametrize(
    ("options", "multiplier"), [({}, 4), ({"bomb_factor": "count"}, 2), ({"multiplier_cap": 3}, 3)]
)
def test_peasants_who_never_play_lose_double(options: dict[str, OptionValue], multiplier: int) -> None:
    """Spring, here with a bomb; the cap holds for both together."""
    table = at_play("33334", "5", "6", bid=1, options=options).does("0 3333", "1 pass", "2 pass")
    assert details(table).spring is None
    table.does("0 4")
    assert details(table) == DouDizhuDetails(1, multiplier, Spring.SPRING)
    assert table.deal.scores == (2 * multiplier, -multiplier, -multiplier)


def test_a_landlord_who_only_leads_once_loses_double() -> None:
    """Anti-spring: he made his first play and no other."""
    table = at_play("37", "4K", "5A").does("0 3", "1 4", "2 5", "0 pass", "1 pass", "2 A")
    assert details(table) == DouDizhuDetails(0, 2, Spring.ANTI_SPRING)
    assert table.deal.scores == (-12, 6, 6)


@pytest.mark.parametrize(
    ("sayings", "spring"),
    [
        (("0 3", "1 4", "2 5", "0 7", "1 pass", "2 A"), Spring.NONE),
        (("0 3", "1 pass", "2 5", "0 7", "1 pass", "2 pass", "0 8"), Spring.NONE),
    ],
)
def test_one_play_more_is_no_spring(sayings: tuple[str, ...], spring: Spring) -> None:
    """A second play of the landlord, or one play of one peasant, and nothing is doubled."""
    table = at_play("378", "4K", "5A").does(*sayings)
    assert (details(table).multiplier, details(table).spring) == (1, spring)


def test_going_out_with_the_first_play_is_one_spring() -> None:
    """It is not also something else: twice, not four times."""
    assert details(at_play("33", "4", "5").does("0 33")) == DouDizhuDetails(0, 2, Spring.SPRING)


# When time is up.


def test_who_is_late_passes() -> None:
    """In the auction, and where somebody else leads."""
    assert dealt(*LATE).default == "pass"
    assert at_play("34", "5A", "4K").does("0 3").default == "pass"


@pytest.mark.parametrize(
    ("hand", "led"),
    [("334556", "4"), ("33445566", "3"), ("333445556", "4"), ("BR", "B"), ("3344556", "3"), ("7", "7")],
)
def test_who_is_late_leads_a_low_card_that_breaks_little(hand: str, led: str) -> None:
    """A single card of the rank that he has fewest of, among his three lowest ranks; of those the lowest."""
    assert at_play(hand, "8", "9").default == led
