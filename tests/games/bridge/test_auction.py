"""The auction of bridge with four and with three players (docs/games/bridge.md, docs/games/bridge-3p.md)."""

from __future__ import annotations

from random import Random

import pytest

from junto.games.actions import Action, Bid, CallCard, DoubleBid, Pass, RedoubleBid
from junto.games.bridge.auction import (
    BIDS,
    FOUR,
    Auction,
    Callers,
    auction_after,
    bid_rank,
    bid_text,
    first_caller,
    three,
)
from junto.games.cards import STRAINS
from junto.games.core import IllegalAction
from junto.games.view import Doubling

WORDS: dict[str, Action] = {"P": Pass(), "X": DoubleBid(), "XX": RedoubleBid()}
THREE = three((0, 1, 2))


def call(word: str) -> Action:
    return WORDS[word] if word in WORDS else Bid(int(word[0]), STRAINS.index(word[1:]))


def auction(words: str, callers: Callers = FOUR, first: int = 0) -> Auction:
    return auction_after(callers, first, tuple(map(call, words.split())))


def test_bids_rise_by_level_then_strain() -> None:
    """1C is the lowest, 7NT the highest; no trumps are above spades, hearts, diamonds and clubs."""
    assert [bid_text(bid) for bid in BIDS[:7]] == ["1C", "1D", "1H", "1S", "1NT", "2C", "2D"]
    assert bid_text(BIDS[-1]) == "7NT"
    assert [bid_rank(bid) for bid in BIDS] == list(range(35))


def test_the_dealers_partner_or_the_dealer_calls_first() -> None:
    """The house rule and the Laws, as the option says."""
    assert [first_caller(board, "dealer_partner") for board in range(1, 6)] == [2, 3, 0, 1, 2]
    assert [first_caller(board, "dealer") for board in range(1, 6)] == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(
    ("calls", "contract", "declarer", "doubling"),
    [
        ("1S P P P", "1S", 0, Doubling.NONE),
        ("1S P 2S P P P", "2S", 0, Doubling.NONE),
        ("P 1H P 2H P 4H P P P", "4H", 1, Doubling.NONE),
        ("1H 2H 3H X P P P", "3H", 0, Doubling.DOUBLED),
        ("1H X XX P P P", "1H", 0, Doubling.REDOUBLED),
        ("1H X XX 1S P P P", "1S", 3, Doubling.NONE),
        ("P P P 1C P P P", "1C", 3, Doubling.NONE),
        ("1S 1NT 2S 2NT P P P", "2NT", 1, Doubling.NONE),
    ],
)
def test_who_named_the_strain_first_for_his_side_declares(
    calls: str, contract: str, declarer: int, doubling: Doubling
) -> None:
    """The contract is the last bid; a new bid wipes a double out; the other side's naming does not count."""
    ended = auction(calls)

    assert ended.is_over
    assert not ended.is_passed_out
    assert (ended.bid, ended.declarer, ended.doubling) == (call(contract), declarer, doubling)


@pytest.mark.parametrize(
    ("calls", "refused", "reason"),
    [
        ("1S", "1H", "must be higher than 1S"),
        ("2D", "2D", "must be higher than 2D"),
        ("", "X", "double only a bid of the other side"),
        ("1S P", "X", "double only a bid of the other side"),
        ("1S X P", "X", "double only a bid of the other side"),
        ("1S", "XX", "redouble only an own bid"),
        ("1S X P", "XX", "redouble only an own bid"),
        ("1S X XX P", "XX", "redouble only an own bid"),
        ("1S P P P", "P", "the auction is over"),
    ],
)
def test_what_the_laws_forbid_is_refused_in_words(calls: str, refused: str, reason: str) -> None:
    """Insufficient bids, doubles of one's own side and calls after the end."""
    with pytest.raises(IllegalAction, match=reason):
        auction(calls).after(call(refused))


@pytest.mark.parametrize("bid", [Bid(0, 0), Bid(8, 0), Bid(1, None), Bid(1, 5), Bid(-1, 2)])
def test_a_bid_is_a_level_and_a_strain(bid: Bid) -> None:
    """No number alone, no level above seven."""
    with pytest.raises(IllegalAction, match="a level from 1 to 7 and a strain"):
        auction("").after(bid)


def test_other_actions_are_no_calls() -> None:
    """Whatever is not said in an auction is refused."""
    with pytest.raises(IllegalAction, match="now you must call"):
        auction("").after(CallCard(0))


def test_four_passes_pass_the_deal_out() -> None:
    """Three do not, there is one more to call."""
    assert not auction("P P P").is_over
    assert auction("P P P P").is_passed_out


def test_with_three_players_two_passes_end_it() -> None:
    """Two passes after a bid, three without one."""
    assert not auction("P P", THREE).is_over
    assert auction("P P P", THREE).is_passed_out
    assert auction("P 1C P P", THREE).declarer == 1
    assert auction("1H P P", THREE).is_over


def test_with_three_players_the_last_bidder_declares() -> None:
    """Who named the strain before him does not matter: each plays for himself."""
    assert auction("1H 2H 3H P P", THREE).declarer == 2


def test_with_three_players_anybody_else_may_double() -> None:
    """Both opponents of the last bidder may, he alone may redouble."""
    assert auction("1S", THREE).may_double
    assert auction("1S P", THREE).may_double
    assert not auction("1S X", THREE).may_redouble
    assert auction("1S X P", THREE).may_redouble
    assert not auction("1S X P", THREE).may_double


def test_doubling_can_be_left_out() -> None:
    """Where the table has no doubles, neither is offered, and the refusal says why."""
    plain = auction("1S", three((0, 1, 2), doubles=False))

    assert not plain.may_double
    with pytest.raises(IllegalAction, match="no doubling at this table"):
        plain.check(DoubleBid())


def test_the_turn_goes_round_as_the_players_sit() -> None:
    """With three players the order changes when declarers move."""
    seats, now = [], Auction(three((0, 2, 1)), 2)
    for _ in range(4):
        seats.append(now.to_call)
        now = now.after(now.bids[0])

    assert seats == [2, 1, 0, 2]


@pytest.mark.parametrize("callers", [FOUR, THREE])
def test_what_is_legal_is_what_is_not_refused(callers: Callers) -> None:
    """At every point of random auctions, which all end, `legal` lists exactly what `check` lets pass."""
    rng = Random(3)
    for _ in range(200):
        now = Auction(callers, rng.choice(callers.order))
        while not now.is_over:
            legal = list(now.legal())
            for action in (*BIDS, *WORDS.values()):
                if action in legal:
                    now.check(action)
                else:
                    with pytest.raises(IllegalAction):
                        now.check(action)
            now = now.after(rng.choice((Pass(), *legal[:2], *legal[-2:])))
        assert not list(now.legal())
