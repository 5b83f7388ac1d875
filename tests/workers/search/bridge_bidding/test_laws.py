"""Laws of the bidding system that hold for every deal and every auction, whoever made the calls."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from junto.games.actions import Action, Bid, Claim, DoubleBid, Pass
from junto.games.bridge.auction import FOUR, auction_after
from junto.search.bridge_bidding import AuctionError, consistent, disagreements, explain, misfit, propose, shown_ranges
from junto.search.bridge_bidding.calls import ACTIONS, CALLS, encode, has_ended
from junto.search.bridge_bidding.holding import holding_of
from junto.search.bridge_bidding.system import position_after

from .writing import bid_out, random_hands, read_auction, read_hand

VULNERABILITIES = ((False, False), (True, False), (False, True), (True, True))


def legal_calls(calls: Sequence[Action]) -> list[int]:
    """Return the numbers of the calls that the rules of the game allow next, passing first, then the doubles."""
    return sorted(encode(auction_after(FOUR, 0, tuple(calls)).legal()))


def any_auction(source: random.Random, longest: int) -> list[Action]:
    """Return legal calls of players who call anything: cheap and dear bids, passes, doubles."""
    calls: list[Action] = []
    dear = source.random()
    while len(calls) < longest and not has_ended(encode(calls)):
        legal = legal_calls(calls)
        bids = [call for call in legal if call > 2]
        cheap = bids[: 1 + int(dear * len(bids))]
        calls.append(ACTIONS[source.choice([*legal[: len(legal) - len(bids)], 0, *(cheap[:4] or [0])])])
    return calls


def deals_keep_what_they_announce(first: int, deals: int) -> None:
    """Bid deals out and hold every call against the hand, the explanation and the Laws."""
    for seed in range(first, first + deals):
        hands, vulnerable = random_hands(random.Random(seed)), VULNERABILITIES[seed % 4]
        made = bid_out(hands, vulnerable)
        calls = [one.call for one in made]
        meanings = explain(calls, first_side_vulnerable=vulnerable[0], other_side_vulnerable=vulnerable[1])
        assert meanings == tuple(one.meaning for one in made)
        assert has_ended(encode(calls))
        for seat, hand in enumerate(hands):
            assert consistent(hand, meanings, seat), (seed, seat)
            assert misfit(hand, meanings, seat) == 0


def test_a_bid_hand_is_what_was_announced() -> None:
    """Four bots end every auction, and each hand is one that all its calls described."""
    deals_keep_what_they_announce(first=0, deals=250)


@pytest.mark.soak
def test_thousands_of_hands_are_what_was_announced() -> None:
    """The same for many deals."""
    deals_keep_what_they_announce(first=100_000, deals=4_000)


def test_every_auction_can_be_gone_on_with() -> None:
    """After any legal calls whatever the proposal is legal, and every call so far has a meaning."""
    for seed in range(80):
        source = random.Random(seed)
        calls = any_auction(source, source.choice((3, 8, 16, 40, 120)))
        meanings = explain(calls)
        assert len(meanings) == len(calls)
        assert all(meaning.name and meaning.sentence.endswith(".") for meaning in meanings)
        for _ in range(3):
            if not has_ended(encode(calls)):
                hand = random_hands(source)[0]
                assert encode([propose(hand, calls).call])[0] in legal_calls(calls)


def test_the_longest_auction_can_be_gone_on_with() -> None:
    """An auction of every bid, doubled and redoubled after two passes each, is explained to its 318th call."""
    calls: list[int] = [0, 0, 0]
    for bid in range(3, CALLS):
        calls += [bid, 0, 0, 1, 0, 0, 2, 0, 0]
    actions = [ACTIONS[call] for call in calls]

    assert len(explain(actions)) == 318
    assert propose(random_hands(random.Random(1))[0], actions).call == Pass()


@pytest.mark.parametrize("side", [0, 1])
def test_bots_keep_bidding_with_a_partner_who_bids_anything(side: int) -> None:
    """Two bots finish an auction that their opponents fill with random calls."""
    for seed in range(60):
        source = random.Random(seed)
        hands, calls = random_hands(source), [Pass()] * side
        calls_made: list[Action] = list(calls)
        while not has_ended(encode(calls_made)):
            if len(calls_made) % 2 == side:
                calls_made.append(propose(hands[len(calls_made) % 4], calls_made).call)
            else:
                legal = [call for call in legal_calls(calls_made) if call < 8]
                calls_made.append(ACTIONS[source.choice(legal)])
        assert len(calls_made) < 80


def test_a_proposal_depends_on_the_hand_and_the_calls_alone() -> None:
    """The same question has the same answer, whatever was asked between."""
    hands = random_hands(random.Random(7))
    first = [one.call for one in bid_out(hands)]
    for seed in range(20):
        bid_out(random_hands(random.Random(seed)))

    assert [one.call for one in bid_out(hands)] == first


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([Bid(2, 0), Bid(2, 1)], "call 2, 2H, is not legal after 2S"),
        ([DoubleBid()], "call 1, X, is not legal after no call"),
        ([Bid(1, 0), Pass(), DoubleBid()], "call 3, X, is not legal after 1S P"),
        ([Pass()] * 5, "call 5, P, comes after the end of the auction"),
        ([Claim(3)], "call 1, 'claim 3', is not a call of bridge"),
        ([Bid(8, 0)], "not a call of bridge"),
    ],
)
def test_what_is_no_auction_is_refused(calls: list[Action], words: str) -> None:
    """An illegal call, one after the end and one of another game are named, and where they stand."""
    with pytest.raises(AuctionError, match=words) as caught:
        explain(calls)

    assert caught.value.index is not None


def test_nothing_is_proposed_after_the_end() -> None:
    """Who asks after three passes is told that the auction is over."""
    with pytest.raises(AuctionError, match="over"):
        propose(random_hands(random.Random(1))[0], read_auction("1S P P P"))


def test_worlds_are_told_apart_by_calls() -> None:
    """A hand that does not fit a call is inconsistent, the further away the more misfit."""
    meanings = explain(read_auction("1NT P 2D P"))
    near, far = read_hand("KQ5.AJ74.K92.J86"), read_hand("KQJ52.9743.2.862")

    assert consistent(read_hand("KQ5.AJ74.K92.Q86"), meanings, 0)
    assert not consistent(near, meanings, 0)
    assert 0 < misfit(near, meanings, 0) < misfit(far, meanings, 0)
    assert not consistent(read_hand("KQ52.AJ74.K9.Q86"), meanings, 2)
    assert consistent(read_hand("52.KJ9743.K92.86"), meanings, 2)


def test_what_was_not_bid_tells_too() -> None:
    """A hand that would have called something else disagrees with a call that its ranges allow."""
    calls = encode(read_auction("1S P 2S"))
    raises, jumps = read_hand("974.K83.QJ42.T65"), read_hand("QJ974.3.J9842.65")

    assert disagreements(raises, calls, 2) == 0
    assert disagreements(jumps, calls, 2) == 1


def test_ranges_are_rows_of_numbers() -> None:
    """What each seat has shown stands in a row: points, then each suit."""
    position = position_after(encode(read_auction("1NT P 2D P 2H P 3NT")))
    rows = shown_ranges(position)

    assert rows.shape == (4, 10)
    assert rows[0].tolist() == [15, 17, 2, 5, 2, 5, 2, 5, 2, 5]
    assert rows[2].tolist() == [10, 15, 0, 13, 5, 13, 0, 13, 0, 13]


def test_a_hand_is_counted_as_players_count() -> None:
    """High cards, long suits, support with a singleton, stoppers and keycards."""
    held = holding_of(read_hand("KQ974.3.AJ42.Q65"))

    assert (held.hcp, held.points, held.balanced) == (12, 13, False)
    assert (held.support(0), held.support(2)) == (15, 15)
    assert held.stopped == (True, False, True, True)
    assert (held.keycards(0), held.has_queen(0), held.kings(2)) == (2, True, 1)
