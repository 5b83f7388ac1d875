"""Responses to the partner's opening after an opponent has overcalled or doubled."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from junto.games.cards import HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import DOUBLE, MAJORS, PASS, REDOUBLE, bid, level_of, read_call, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.no_trump import no_trump_before
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.responses import suit_opened
from junto.search.bridge_bidding.rules import Condition, Rules, longest_is, rule

NEGATIVE: Final = "negative double"
JORDAN: Final = "limit raise over a double"
_HIGHEST_NEGATIVE: Final = read_call("3S")


def responses(position: Position) -> Rules:
    """Return the rules for the first response to one of a suit after an overcall or a double."""
    suit = suit_opened(position)
    if suit is None or position.ago(1) == PASS:
        return []
    found = _over_double(position, suit) if position.ago(1) == DOUBLE else _over_overcall(position, suit)
    return [one for one in found if position.legal(one.call)]


def _over_double(position: Position, suit: int) -> Rules:
    name = SUIT_NAMES[suit]
    fewest = 3 if suit in MAJORS else 4
    game = bid(4 if suit in MAJORS else 5, suit)
    found = [
        rule("2NT", JORDAN, points=(10, 37), trump=suit, has={suit: fewest + 1},
             artificial=True, forcing=Forcing.ROUND),
        rule(REDOUBLE, "redouble", hcp=(10, 37), note="the hand is ours", forcing=Forcing.ROUND),
    ]  # fmt: skip
    if suit in MAJORS:
        found.append(rule(game, "weak raise to game", hcp=(0, 9), has={suit: 5}, when=lambda held: not held.balanced))
    found += [
        rule(bid(3, suit), f"preemptive raise of {name}", hcp=(0, 9), has={suit: fewest + 1},
             when=lambda held: not held.balanced and held.support(suit) >= 4),
        rule(bid(2, suit), f"raise of {name}", points=(6, 12), trump=suit, has={suit: fewest}),
    ]  # fmt: skip
    found += [
        rule(bid(1, new), "new suit at the one level", hcp=(6, 9), has={new: 4}, forcing=Forcing.ROUND,
             when=_higher_if_longer(new))
        for new in (HEARTS, SPADES, 2)
        if new != suit and position.cheapest(new) == bid(1, new)
    ]  # fmt: skip
    found += [
        rule(position.cheapest(new), "long suit, not forcing", hcp=(4, 9), has={new: 6})
        for new in (2, 3, HEARTS)
        if new != suit and level_of(position.cheapest(new)) == 2
    ]
    return [
        *found,
        rule("1NT", "one no-trump response", hcp=(6, 9), when=lambda held: held.hcp >= 7),
        rule(PASS, "nothing to say over the double", hcp=(0, 9)),
    ]


def _higher_if_longer(suit: int) -> Condition:
    other = SPADES if suit == HEARTS else HEARTS

    def better(held: Holding) -> bool:
        if suit not in MAJORS:
            return max(held.lengths[SPADES], held.lengths[HEARTS]) < 4
        mine, his = held.lengths[suit], held.lengths[other]
        return mine > his or (mine == his and (suit == SPADES) == (mine >= 5)) or his < 4

    return better


def _over_overcall(position: Position, suit: int) -> Rules:
    overcall = position.ago(1)
    if strain_of(overcall) == NO_TRUMP:
        return _over_no_trump_overcall(position, suit)
    theirs = strain_of(overcall)
    found = [*_raises(position, suit, theirs), *_new_suits(position, suit, theirs)]
    no_trumps = _no_trumps(position, theirs)
    unbid = [major for major in MAJORS if major not in (suit, theirs)]
    found += [replace(one, when=_no_four(unbid)) for one in no_trumps]
    found += _negative(position, suit, theirs)
    found += no_trumps
    found += _raises(position, suit, theirs, minor_too=True)
    return [*found, rule(PASS, "nothing to say over the overcall")]


def _over_no_trump_overcall(position: Position, suit: int) -> Rules:
    long = [
        rule(position.cheapest(new), "long suit, not forcing", hcp=(3, 9), has={new: 6})
        for new in range(4)
        if new != suit and position.cheapest(new)
    ]
    return [
        rule(DOUBLE, "penalty double", hcp=(9, 37)),
        *long,
        rule(position.cheapest(suit), f"raise of {SUIT_NAMES[suit]}", hcp=(3, 9), has={suit: 4}),
        rule(PASS, "nothing to say over the overcall", hcp=(0, 8)),
    ]


def _raises(position: Position, suit: int, theirs: int, *, minor_too: bool = False) -> Rules:
    """Return the raises; those of a minor come after the calls that look for a major or no-trumps."""
    if (suit in MAJORS) == minor_too:
        return []
    name, fewest = SUIT_NAMES[suit], 3 if suit in MAJORS else 4
    cue, plain, jump = position.cheapest(theirs), position.cheapest(suit), position.cheapest(suit, 1)
    found = []
    if suit in MAJORS and position.legal(bid(4, suit)):
        found += [
            rule(bid(4, suit), "raise to game", hcp=(0, 14), has={suit: 4},
                 when=lambda held: (held.lengths[suit] >= 5 and not held.balanced and held.hcp <= 9)
                 or (level_of(plain) >= 4 and held.support(suit) >= 9)),
        ]  # fmt: skip
    if cue and level_of(cue) <= 4:
        found.append(rule(cue, "cue-bid raise", points=(11, 37), trump=suit,
                          has={suit: fewest}, artificial=True, forcing=Forcing.ROUND,
                          note=f"at least an invitation in {name}"))  # fmt: skip
    if jump and level_of(jump) == 3:
        found.append(rule(jump, f"preemptive raise of {name}", hcp=(2, 9), points=(5, 9), trump=suit,
                          has={suit: fewest + 1}, when=lambda held: not held.balanced))  # fmt: skip
    if plain and level_of(plain) <= 3:
        low = 6 if level_of(plain) == 2 else 8
        found.append(rule(plain, f"raise of {name}", points=(low, 10), trump=suit, has={suit: fewest}))
    return found


def _new_suits(position: Position, suit: int, theirs: int) -> Rules:
    found = []
    for new in range(4):
        call = position.cheapest(new)
        if new in (suit, theirs) or not call or level_of(call) > 3:
            continue
        level = level_of(call)
        if level == 1:
            fewest = 5 if new == SPADES and theirs == HEARTS else 4
            found.append(rule(call, "new suit at the one level", hcp=(6, 37), has={new: fewest}, forcing=Forcing.ROUND,
                              when=_one_level(new, both=theirs not in MAJORS and suit not in MAJORS)))  # fmt: skip
        else:
            low = 10 if level == 2 else 12
            found.append(rule(call, "new suit over the overcall", hcp=(low, 37), has={new: 5}, forcing=Forcing.ROUND,
                              when=_longest_new(new, suit)))  # fmt: skip
    return found


def _one_level(suit: int, *, both: bool) -> Condition:
    """Return the test for a suit at the one level; four cards in both unbid majors are shown by a double."""
    better = _higher_if_longer(suit)
    return lambda held: better(held) and not (both and held.lengths[SPADES] == held.lengths[HEARTS] == 4)


def _no_four(majors: list[int]) -> Condition:
    return lambda held: min(held.lengths) > 0 and all(held.lengths[major] < 4 for major in majors)


def _longest_new(new: int, suit: int) -> Condition:
    return lambda held: held.lengths[new] == max(held.lengths[one] for one in range(4) if one != suit)


def _negative(position: Position, suit: int, theirs: int) -> Rules:
    if position.ago(1) > _HIGHEST_NEGATIVE:
        return [rule(DOUBLE, "penalty double", hcp=(9, 37), when=lambda held: held.hcp >= 10)]
    level = level_of(position.ago(1))
    low = {1: 6, 2: 8}.get(level, 10)
    unbid = [major for major in MAJORS if major not in (suit, theirs)]
    has = dict.fromkeys(unbid, 4) if len(unbid) == 1 else {}
    which = " and ".join(SUIT_NAMES[major] for major in unbid) or "the unbid suits"
    return [
        rule(DOUBLE, NEGATIVE, hcp=(low, 37), has=has, forcing=Forcing.ROUND, note=f"shows {which}",
             when=_negative_shape(suit, theirs, unbid, level))
    ]  # fmt: skip


def _negative_shape(suit: int, theirs: int, unbid: list[int], level: int) -> Condition:
    def shape(held: Holding) -> bool:
        if unbid:
            lengths = sorted(held.lengths[major] for major in unbid)
            return lengths[-1] >= 4 and (lengths[0] >= 4 - (level > 1) or held.hcp >= 10)
        minors = [one for one in (2, 3) if one not in (suit, theirs)]
        return all(held.lengths[one] >= 4 for one in minors) or held.hcp >= 10

    return shape


def _no_trumps(position: Position, theirs: int) -> Rules:
    level = level_of(position.ago(1))
    ranges = {1: ((7, 10), (11, 12), (13, 37)), 2: ((10, 12), (13, 37)), 3: ((12, 37),)}.get(level, ())
    found = []
    for jump, ends in enumerate(ranges):
        call = position.cheapest(NO_TRUMP, jump)
        if call:
            found.append(rule(call, "natural no-trumps with a stopper", hcp=ends, stopped=(theirs,),
                              when=lambda held: min(held.lengths) > 0))  # fmt: skip
    return found


def over_no_trump_contested(position: Position) -> Rules:
    """Return the rules for answering the partner's opening of one no-trump after an overcall."""
    opened = no_trump_before(position, 2)
    if opened is None or opened.level != 1 or position.ago(1) <= DOUBLE:
        return []
    theirs = strain_of(position.ago(1))
    if theirs == NO_TRUMP or level_of(position.ago(1)) > 2:
        return []
    found = []
    for suit in range(4):
        if suit != theirs:
            call = position.cheapest(suit)
            low_level = level_of(call) == 2
            if not low_level or suit in MAJORS:
                found.append(rule(bid(3, suit), "long suit, forcing to game", hcp=(10, 37), has={suit: 5},
                                  forcing=Forcing.GAME, when=longest_is(suit)))  # fmt: skip
            if low_level:
                found.append(rule(call, "long suit, to play", hcp=(3, 9), has={suit: 5},
                                  when=longest_is(suit)))  # fmt: skip
    other = [major for major in MAJORS if major != theirs]
    found += [
        rule(DOUBLE, NEGATIVE, hcp=(8, 37), forcing=Forcing.ROUND, note="a four-card major",
             when=lambda held: any(held.lengths[major] >= 4 for major in other) and held.lengths[theirs] <= 3),
        rule("3NT", "game in no-trumps", hcp=(10, 37), stopped=(theirs,)),
        rule("2NT", "invitation in no-trumps", hcp=(8, 9), stopped=(theirs,)),
        rule(DOUBLE, NEGATIVE, hcp=(8, 37), forcing=Forcing.ROUND, note="a four-card major",
             when=lambda held: held.hcp >= 10),
        rule(PASS, "nothing to say over the overcall", hcp=(0, 9)),
    ]  # fmt: skip
    return [one for one in found if position.legal(one.call)]
