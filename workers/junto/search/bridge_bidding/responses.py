"""Responses to an opening of one of a suit when the next opponent has passed."""

from __future__ import annotations

from typing import Final

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import MAJORS, PASS, bid, level_of, outranks, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rule, Rules, rule

JACOBY: Final = "Jacoby two no-trumps"
SPLINTER: Final = "splinter"
INVERTED: Final = "inverted minor raise"


def suit_opened(position: Position) -> int | None:
    """Return the suit of the partner's opening at the one level, if the caller has not bid yet and it was his."""
    opening = position.opening
    if position.opener != position.partner or not opening or level_of(opening) > 1:
        return None
    strain = strain_of(opening)
    only = len(position.calls) - position.first_bid_index == 2
    return strain if only and strain != NO_TRUMP else None


def responses(position: Position) -> Rules:
    """Return the rules for the first response to one of a suit after a pass."""
    suit = suit_opened(position)
    if suit is None or position.ago(1) != PASS:
        return []
    return _to_major(suit) if suit in MAJORS else _to_minor(suit)


def _to_major(major: int) -> Rules:
    return [
        *_splinters(major),
        rule("2NT", JACOBY, hcp=(9, 37), points=(13, 37), trump=major, has={major: 4}, artificial=True,
             forcing=Forcing.GAME, note="asks for shortness"),
        rule(bid(4, major), "weak raise to game", hcp=(0, 9), points=(7, 14), trump=major, has={major: 5},
             when=lambda held: not held.balanced),
        rule(bid(3, major), "limit raise", hcp=(4, 12), points=(10, 14), trump=major, has={major: 4}),
        rule(bid(2, major), "single raise", points=(6, 10), trump=major, has={major: 3},
             when=lambda held: held.hcp >= 4),
        *([_one_over_one(SPADES, 6)] if major == HEARTS else []),
        *_two_over_one(major),
        rule("1NT", "one no-trump response", hcp=(6, 11), most={SPADES: 3}, note="any shape without a fit"),
        rule(PASS, "too weak to respond", hcp=(0, 5)),
    ]  # fmt: skip


def _splinters(major: int) -> Rules:
    found = []
    for short in range(4):
        if short != major:
            level = 3 if outranks(short, major) else 4
            found.append(
                rule(bid(level, short), SPLINTER, hcp=(9, 13), points=(13, 18), trump=major, has={major: 4},
                     most={short: 1}, artificial=True, forcing=Forcing.GAME,
                     note=f"a singleton or void in {SUIT_NAMES[short]}")
            )  # fmt: skip
    return found


def _one_over_one(suit: int, low: int, when: Condition | None = None) -> Rule:
    forcing = Forcing.ROUND
    return rule(bid(1, suit), "new suit at the one level", hcp=(low, 37), has={suit: 4}, forcing=forcing, when=when)


def _two_over_one(major: int) -> Rules:
    found = []
    for suit in (HEARTS, DIAMONDS, CLUBS):
        if outranks(major, suit):
            fewest = {HEARTS: 5, DIAMONDS: 4, CLUBS: 3}[suit]
            found.append(
                rule(bid(2, suit), "two over one", hcp=(12, 37), has={suit: fewest}, forcing=Forcing.GAME,
                     when=_best_side_suit(suit, major))
            )  # fmt: skip
    return found


def _best_side_suit(suit: int, major: int) -> Condition:
    """Return the test that a suit is the one to respond in: the longest, of fives the higher, of fours the lower."""
    fewest = {SPADES: 14, HEARTS: 5, DIAMONDS: 4, CLUBS: 3}
    sides = [side for side in range(4) if outranks(major, side)]

    def best(held: Holding) -> bool:
        longest = max(held.lengths[side] for side in sides if held.lengths[side] >= fewest[side])
        found = [side for side in sides if held.lengths[side] == longest >= fewest[side]]
        return suit == (found[0] if longest >= 5 else found[-1])

    return best


def _to_minor(minor: int) -> Rules:
    suits = [suit for suit in (SPADES, HEARTS, DIAMONDS) if outranks(suit, minor)]
    no_major = {SPADES: 3, HEARTS: 3}
    return [
        *(_one_over_one(suit, 6, _up_the_line(suit, minor)) for suit in suits if suit in MAJORS),
        rule(bid(2, minor), INVERTED, hcp=(10, 37), has={minor: 4}, most=no_major, forcing=Forcing.ROUND,
             when=lambda held: not held.balanced or held.hcp > 15 or held.lengths[minor] > 4),
        rule(bid(3, minor), "weak jump raise", hcp=(3, 8), has={minor: 5}, most=no_major,
             when=lambda held: not held.balanced),
        rule("3NT", "game in no-trumps", hcp=(13, 15), most=no_major, when=lambda held: held.balanced),
        rule("2NT", "invitation in no-trumps", hcp=(11, 12), most=no_major, when=lambda held: held.balanced),
        *([_two_clubs()] if minor == DIAMONDS else [_one_diamond()]),
        rule("1NT", "one no-trump response", hcp=(6, 10), most=no_major),
        rule(bid(2, minor), INVERTED, hcp=(10, 37), has={minor: 4}, most=no_major, forcing=Forcing.ROUND),
        rule("2NT", "invitation in no-trumps", hcp=(11, 12), most=no_major),
        rule(PASS, "too weak to respond", hcp=(0, 5)),
    ]  # fmt: skip


def _two_clubs() -> Rule:
    return rule("2C", "two over one", hcp=(12, 37), has={CLUBS: 4}, forcing=Forcing.GAME)


def _one_diamond() -> Rule:
    return rule("1D", "new suit at the one level", hcp=(6, 37), has={DIAMONDS: 4}, forcing=Forcing.ROUND)


def _up_the_line(suit: int, minor: int) -> Condition:
    def best(held: Holding) -> bool:
        spades, hearts, diamonds = (held.lengths[one] for one in (SPADES, HEARTS, DIAMONDS))
        long_diamonds = minor == CLUBS and diamonds > max(spades, hearts) and held.hcp >= 12
        if suit == SPADES:
            return not long_diamonds and (spades > hearts or spades == hearts >= 5)
        return not long_diamonds

    return best
