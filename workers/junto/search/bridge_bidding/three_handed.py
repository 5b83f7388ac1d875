"""Bidding in bridge for three: each for himself, with the pile as dummy, whose points all players know.

There are no conventions, as there is no partner who could read them. A player knows his own hand, five cards of
the pile, all its points (the three reports and the open card), and from its row, which is ordered by suit, how
long its suits may be. From these come the tricks that a contract is likely to take, and from them what each call
is worth on average; the cheapest of the best calls is made. The weights were fitted to double-dummy results of
random deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import erf, sqrt
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid
from junto.games.bridge.auction import Auction, three
from junto.games.bridge.scoring import score
from junto.games.bridge.three import points_of
from junto.games.cards import NO_TRUMP, Card, cards_in, suit_of
from junto.games.view import Doubling
from junto.search.bridge_bidding.holding import Holding, holding_of
from junto.search.bridge_bidding.meaning import Meaning
from junto.search.bridge_bidding.system import Proposal

TRICKS: Final = 13
_ALL_POINTS: Final = 40
_MIDDLE: Final = 20
"""The points of two hands that take about half of the tricks."""
_SUIT_BASE, _SUIT_POINT, _OWN_TRUMP, _PILE_TRUMP, _SHORTNESS = 6.45, 0.40, 1.0, 1.11, 0.26
_FLAT_BASE, _FLAT_POINT = 6.03, 0.513
_TEMPERED_FROM, _TEMPERED = 10.5, 0.55
_SUIT_SPREAD, _FLAT_SPREAD, _FOE_SPREAD = 1.3, 1.4, 1.7
"""How far tricks are from what is expected, as a standard deviation."""
_BIDDER_POINTS: Final = 2.0
"""Who bids has so many points more than his share of those unseen."""
_BIDDER_TRUMPS: Final = 0.65
"""Who bids a suit has this share of its unseen cards."""
_NEARLY: Final = 10.0
_CONTENT: Final = Meaning("content to defend")
_NATURAL: Final = Meaning("natural bid", note="hopes to make it with the pile as dummy")
_DOUBLE: Final = Meaning("penalty double", note="expects to beat the contract")
_REDOUBLE: Final = Meaning("redouble", note="expects to make the contract")


@dataclass(frozen=True, slots=True)
class PileWorth:
    """What the pile is worth to a player: its points, and how many cards of each suit (S H D C) to expect."""

    points: int
    lengths: tuple[float, ...]


def see_pile(hand: int, row: Sequence[Card | None], open_card: Card, reports: Sequence[int]) -> PileWorth:
    """Return what the row and the reports say to a player.

    Args:
        hand: the player's own cards.
        row: the thirteen slots as he sees them, ordered by suit; None for a card that he does not know.
        open_card: the card that is open to all.
        reports: the points that each player has reported.
    """
    points = sum(reports) + points_of((open_card,))
    known = [card for card in row if card is not None]
    unseen = [TRICKS - sum(suit_of(card) == suit for card in (*known, *cards_in(hand))) for suit in range(4)]
    lengths = [float(sum(suit_of(card) == suit for card in known)) for suit in range(4)]
    for slot, card in enumerate(row):
        if card is None:
            first = max((suit_of(one) for one in row[:slot] if one is not None), default=0)
            last = min((suit_of(one) for one in row[slot:] if one is not None), default=3)
            there = sum(unseen[first : last + 1])
            for suit in range(first, last + 1):
                lengths[suit] += unseen[suit] / there if there else 0.0
    return PileWorth(points, tuple(lengths))


def expected_tricks(held: Holding, pile: PileWorth, strain: int) -> float:
    """Return the tricks that a hand and the pile take on average with a strain as trumps (4: none)."""
    extra = held.hcp + pile.points - _MIDDLE
    if strain == NO_TRUMP:
        return _tempered(_FLAT_BASE + _FLAT_POINT * extra)
    short = sum(max(0, 3 - length) for suit, length in enumerate(held.lengths) if suit != strain)
    trumps = _OWN_TRUMP * (held.lengths[strain] - 4) + _PILE_TRUMP * (pile.lengths[strain] - 3)
    return _tempered(_SUIT_BASE + _SUIT_POINT * extra + trumps + _SHORTNESS * short)


def _tempered(tricks: float) -> float:
    """Return the tricks of strong hands, which have no more than thirteen to take."""
    return tricks if tricks <= _TEMPERED_FROM else _TEMPERED_FROM + _TEMPERED * (tricks - _TEMPERED_FROM)


def propose(
    hand: int,
    row: Sequence[Card | None],
    open_card: Card,
    reports: Sequence[int],
    calls: Sequence[Action],
    *,
    doubles: bool = True,
    vulnerable: bool = False,
) -> Proposal:
    """Return the call of the player whose turn it is; `calls` go round three players from the first caller.

    `row`, `open_card` and `reports` are as in `see_pile`.

    Raises:
        IllegalAction: the calls are no auction of three, or it is over.
    """
    auction = reduce(Auction.after, calls, Auction(three((0, 1, 2), doubles=doubles), 0))
    pile = see_pile(hand, row, open_card, reports)
    held = holding_of(hand)
    worths = {bid: _worth(held, pile, bid, vulnerable=vulnerable) for bid in auction.bids}
    best = max(worths.values(), default=float("-inf"))
    passing, doubling = _defending(held, pile, auction, vulnerable=vulnerable)
    if auction.may_redouble and auction.bid is not None:
        made = expected_tricks(held, pile, auction.bid.strain or 0) - auction.bid.amount - 6
        return Proposal(RedoubleBid(), _REDOUBLE) if made >= 1 else Proposal(Pass(), _CONTENT)
    if auction.may_double and doubling > max(passing + _NEARLY, best):
        return Proposal(DoubleBid(), _DOUBLE)
    if best <= max(passing, 0):
        return Proposal(Pass(), _CONTENT)
    return Proposal(next(bid for bid, worth in worths.items() if worth >= best - _NEARLY), _NATURAL)


def _worth(held: Holding, pile: PileWorth, bid: Bid, *, vulnerable: bool) -> float:
    """Return what a bid scores on average if it is the last one; what goes down is reckoned as doubled."""
    assert bid.strain is not None
    spread = _FLAT_SPREAD if bid.strain == NO_TRUMP else _SUIT_SPREAD
    chances = _chances(expected_tricks(held, pile, bid.strain), spread)
    level, strain, side = bid.amount, bid.strain, int(vulnerable)
    book = level + 6
    scores = (score(level, strain, int(tricks < book), side, tricks, 0) for tricks in range(TRICKS + 1))
    return sum(chance * points for chance, points in zip(chances, scores, strict=True))


def _defending(held: Holding, pile: PileWorth, auction: Auction, *, vulnerable: bool) -> tuple[float, float]:
    """Return what passing and what doubling score on average, if the last bid is another player's."""
    bid = auction.bid
    if bid is None or bid.strain is None or auction.bidder == auction.to_call:
        return 0.0, float("-inf")
    foe = max(_ALL_POINTS - held.hcp - pile.points, 0) / 2 + _BIDDER_POINTS
    extra = foe + pile.points - _MIDDLE
    if bid.strain == NO_TRUMP:
        tricks = _tempered(_FLAT_BASE + _FLAT_POINT * extra)
    else:
        unseen = TRICKS - held.lengths[bid.strain] - pile.lengths[bid.strain]
        trumps = _OWN_TRUMP * (_BIDDER_TRUMPS * unseen - 4) + _PILE_TRUMP * (pile.lengths[bid.strain] - 3)
        tricks = _tempered(_SUIT_BASE + _SUIT_POINT * extra + trumps + 2 * _SHORTNESS)
    chances = _chances(tricks, _FOE_SPREAD)
    level, strain, doubled = bid.amount, bid.strain, auction.doubling - Doubling.NONE

    def worth(stakes: int) -> float:
        scores = (score(level, strain, stakes, int(vulnerable), taken, 0) for taken in range(TRICKS + 1))
        return -sum(chance * points for chance, points in zip(chances, scores, strict=True))

    return worth(doubled), worth(1) if doubled == 0 else float("-inf")


def _chances(mean: float, spread: float) -> list[float]:
    """Return the chances of 0 to 13 tricks."""
    ends = [erf((tricks - 0.5 - mean) / (spread * sqrt(2))) for tricks in range(TRICKS + 2)]
    ends[0], ends[-1] = -1.0, 1.0
    return [(high - low) / 2 for low, high in pairwise(ends)]
