"""Opening bids: five-card majors, the better minor, a strong no-trump, weak twos, a strong two clubs."""

from __future__ import annotations

from typing import Final

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from junto.search.bridge_bidding.calls import MAJORS, PASS, bid
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import Forcing
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rule, Rules, rule

STRONG_TWO: Final = "strong two clubs"
WEAK_TWO: Final = "weak two"
PREEMPT: Final = "preempt"
_TWENTY: Final = 20
_FOURTH: Final = 3


def openings(position: Position) -> Rules:
    """Return the rules for the first bid of the auction; the fourth caller makes no weak ones."""
    weak = [] if len(position.calls) == _FOURTH else _weak(vulnerable=position.vulnerable[len(position.calls) % 2])
    return [*_strong(), *_no_trumps(), *_suits(), *weak, _no_opening()]


def _strong() -> Rules:
    return [
        rule("2C", STRONG_TWO, hcp=(18, 37), points=(22, 37), artificial=True, forcing=Forcing.ROUND,
             note="or nearly a game in hand", when=_game_in_hand),
    ]  # fmt: skip


def _game_in_hand(held: Holding) -> bool:
    suit = held.longest()
    return held.hcp >= 22 or (held.points >= 23 and held.lengths[suit] >= 6 and held.tops[suit] >= 2)


def _no_trumps() -> Rules:
    return [
        rule("2NT", "two no-trumps", hcp=(20, 21), balanced=True),
        rule("1NT", "strong no-trump", hcp=(15, 17), balanced=True, note="a five-card major is possible"),
    ]


def _suits() -> Rules:
    points = (12, 26)
    return [
        *(
            rule(bid(1, suit), f"one {name}", hcp=(10, 21), points=points, has={suit: 5}, when=_longest(suit))
            for suit, name in ((SPADES, "spade"), (HEARTS, "heart"))
        ),
        rule("1D", "one diamond", hcp=(10, 21), points=points, has={DIAMONDS: 3}, most={HEARTS: 6, SPADES: 6},
             note="the better minor, no five-card major unless shorter", when=_longest(DIAMONDS)),
        rule("1C", "one club", hcp=(10, 21), points=points, has={CLUBS: 3}, most={HEARTS: 6, SPADES: 6},
             note="the better minor, no five-card major unless shorter", when=_opens),
    ]  # fmt: skip


def _opens(held: Holding) -> bool:
    """Tell whether a hand is worth an opening: 12 points, or 20 with the two longest suits (rule of twenty)."""
    return held.hcp >= 12 or held.hcp + sum(sorted(held.lengths)[2:]) >= _TWENTY


def opening_suit(held: Holding) -> int:
    """Return the suit to open: the longest, of five the higher; with no five-card major the better minor."""
    longest = max(held.lengths)
    if longest >= 5:
        return held.longest()
    clubs, diamonds = held.lengths[CLUBS], held.lengths[DIAMONDS]
    return DIAMONDS if diamonds > clubs or diamonds == clubs == 4 else CLUBS


def _longest(suit: int) -> Condition:
    return lambda held: _opens(held) and opening_suit(held) == suit


def _weak(*, vulnerable: bool) -> Rules:
    tops = 1 if vulnerable else 0
    names = ((SPADES, "spades"), (HEARTS, "hearts"), (DIAMONDS, "diamonds"), (CLUBS, "clubs"))
    found = []
    for suit, name in names:
        for level, most in ((4, 13), (3, 7)):
            fewest = 8 if level == 4 else 7
            found.append(
                rule(bid(level, suit), f"{PREEMPT} in {name}", hcp=(4, 11), has={suit: fewest}, most={suit: most},
                     when=_good_suit(suit, tops))
            )  # fmt: skip
    for suit, name in names[:3]:
        found.append(
            rule(bid(2, suit), f"{WEAK_TWO} in {name}", hcp=(5, 11), has={suit: 6}, most={suit: 6},
                 note="a good suit", when=_weak_two(suit, tops))
        )  # fmt: skip
    return found


def _good_suit(suit: int, tops: int) -> Condition:
    return lambda held: held.honours[suit] >= 2 and held.tops[suit] >= tops


def _weak_two(suit: int, tops: int) -> Condition:
    def suits(held: Holding) -> bool:
        other = any(held.lengths[major] >= 4 for major in MAJORS if major != suit)
        good = held.honours[suit] >= 2 and held.tops[suit] >= tops
        return good and not other and min(held.lengths) >= 1

    return suits


def _no_opening() -> Rule:
    return rule(PASS, "no opening", hcp=(0, 11))
