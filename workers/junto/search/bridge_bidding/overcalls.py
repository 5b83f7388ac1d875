"""The first action against an opponent's bid: overcalls, take-out doubles, the one no-trump overcall."""

from __future__ import annotations

from typing import Final

from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding.calls import (
    DOUBLE,
    MAJORS,
    PASS,
    bid,
    is_game,
    level_of,
    outranks,
    read_call,
    strain_of,
)
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rules, rule

TAKE_OUT: Final = "take-out double"
_ANY_SHAPE: Final = 18
_BALANCING: Final = 3
"""A hand in the last seat may be so many points weaker: the partner has them."""


def overcalls(position: Position) -> Rules:
    """Return the rules for a side that has only passed so far, after a bid of the other side."""
    if position.ours or position.our_calls() or not position.last_bid or position.doubling != PASS:
        return []
    last = position.last_bid
    if position.their_suits == () and strain_of(last) == NO_TRUMP:
        return _over_no_trump(position)
    if last == read_call("2C") and position.meanings[position.last_bid_index].artificial:
        return _over_strong_two()
    if level_of(last) >= 5 or (is_game(last) and strain_of(last) == NO_TRUMP):
        return [rule(PASS, "too high to come in")]
    return _over_suits(position)


def _over_strong_two() -> Rules:
    return [
        *(rule(bid(level, suit), "weak overcall", hcp=(4, 15), has={suit: 6}, when=_good(suit))
          for level, suit in ((2, 0), (2, 1), (2, 2), (3, 3))),
        rule(PASS, "nothing to say against a strong hand"),
    ]  # fmt: skip


def _over_no_trump(position: Position) -> Rules:
    level = level_of(position.last_bid)
    found: Rules = []
    if level == 1:
        found.append(
            rule(DOUBLE, "penalty double", hcp=(16, 37), when=lambda held: held.hcp >= 17 or max(held.lengths) >= 5)
        )
    if level <= 2:
        for suit in range(4):
            call = position.cheapest(suit)
            fewest = 5 if suit in MAJORS and level == 1 else 6
            low = 9 if level == 1 else 11
            found.append(
                rule(call, "overcall of no-trumps", points=(low, 19), has={suit: fewest},
                     when=_good_unbalanced(suit))
            )  # fmt: skip
    return [*found, rule(PASS, "no overcall")]


def _over_suits(position: Position) -> Rules:
    balancing = len(position.calls) >= 3 and not any(position.calls[-2:])
    ease = _BALANCING if balancing and level_of(position.last_bid) <= 2 else 0
    theirs = position.their_suits or (strain_of(position.last_bid),)
    return [
        *_no_trump_overcalls(position, theirs, ease),
        *_strong_double(position, theirs, ease),
        *_suit_overcalls(position, theirs, ease),
        *_shape_double(position, theirs, ease),
        *_jump_overcalls(position, theirs, balancing=balancing),
        rule(PASS, "no overcall", hcp=(0, 17), note="too weak, or no suitable shape"),
    ]


def _no_trump_overcalls(position: Position, theirs: tuple[int, ...], ease: int) -> Rules:
    level = level_of(position.last_bid)
    call = position.cheapest(NO_TRUMP)
    if strain_of(position.last_bid) == NO_TRUMP:
        return []
    if level == 1:
        ends = (15, 18) if not ease else (12, 15)
        return [rule(call, "no-trump overcall", hcp=ends, balanced=True, stopped=theirs)]
    if level == 2:
        return [rule(call, "no-trump overcall", hcp=(16 - ease, 19 - ease), balanced=True, stopped=theirs)]
    if level == 3 and call:
        return [rule(call, "no-trump overcall", hcp=(17, 22), stopped=theirs, when=lambda held: min(held.lengths) > 0)]
    return []


def _least_double(position: Position, ease: int) -> int:
    return {1: 12, 2: 13, 3: 14}.get(level_of(position.last_bid), 16) - min(ease, 2)


def _double(position: Position, theirs: tuple[int, ...], ease: int, when: Condition) -> Rules:
    others = {suit: 3 for suit in range(4) if suit not in theirs}
    strong = _ANY_SHAPE - ease
    return [
        rule(DOUBLE, TAKE_OUT, hcp=(_least_double(position, ease) - 1, 37), has=others, any_shape_from=strong,
             forcing=Forcing.ROUND, when=when)
    ]  # fmt: skip


def _strong_double(position: Position, theirs: tuple[int, ...], ease: int) -> Rules:
    return _double(position, theirs, ease, lambda held: held.hcp >= _ANY_SHAPE)


def _shape_double(position: Position, theirs: tuple[int, ...], ease: int) -> Rules:
    low = _least_double(position, ease)

    def shape(held: Holding) -> bool:
        short = max(held.lengths[suit] for suit in theirs)
        shapely = short <= 1 or any(held.lengths[suit] >= 4 for suit in MAJORS if suit not in theirs)
        light = held.hcp >= low or short <= 1
        supports = all(held.lengths[suit] >= 3 for suit in range(4) if suit not in theirs)
        return held.hcp >= _ANY_SHAPE or (supports and light and shapely and short <= (3 if held.hcp >= 15 else 2))

    return _double(position, theirs, ease, shape)


def _suit_overcalls(position: Position, theirs: tuple[int, ...], ease: int) -> Rules:
    found = []
    for suit in range(4):
        call = position.cheapest(suit)
        if suit in theirs or not call or level_of(call) > 4:
            continue
        level = level_of(call)
        low = {1: 8, 2: 11, 3: 13, 4: 15}[level] - ease
        fewest = 5 if level < 4 else 6
        found.append(
            rule(call, f"overcall in {SUIT_NAMES[suit]}", hcp=(max(low - 2, 5), 17), points=(low, 22),
                 has={suit: fewest}, when=_worth_overcalling(suit, level, theirs))
        )  # fmt: skip
    return found


def _worth_overcalling(suit: int, level: int, theirs: tuple[int, ...]) -> Condition:
    def worth(held: Holding) -> bool:
        others = [held.lengths[one] for one in range(4) if one not in theirs]
        longest = held.lengths[suit] == max(others)
        higher = any(held.lengths[one] == held.lengths[suit] and outranks(one, suit) for one in range(4)
                     if one not in theirs)  # fmt: skip
        sound = held.quick_suit(suit) or held.hcp >= 12 + 2 * (level > 1) or held.lengths[suit] >= 6 + (level > 2)
        return longest and not higher and sound

    return worth


def _good_unbalanced(suit: int) -> Condition:
    return lambda held: held.longest() == suit and held.quick_suit(suit) and not held.balanced


def _honours(suit: int, fewest: int) -> Condition:
    return lambda held: held.honours[suit] >= fewest


def _good(suit: int) -> Condition:
    return lambda held: held.quick_suit(suit) and held.longest() == suit


def _jump_overcalls(position: Position, theirs: tuple[int, ...], *, balancing: bool) -> Rules:
    found: Rules = []
    if balancing or level_of(position.last_bid) > 1:
        return found
    vulnerable = position.vulnerable[position.me % 2]
    for suit in range(4):
        call = position.cheapest(suit, 1)
        level = level_of(call)
        if suit not in theirs and level <= 3:
            fewest = 6 if level == 2 else 7
            found.append(
                rule(call, "weak jump overcall", hcp=(4, 10), has={suit: fewest},
                     when=_honours(suit, 2 + vulnerable))
            )  # fmt: skip
    return found
