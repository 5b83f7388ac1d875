"""Answers to the partner's overcall or take-out double."""

from __future__ import annotations

from typing import Final

from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding.calls import DOUBLE, MAJORS, PASS, bid, level_of, outranks, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.overcalls import TAKE_OUT
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rules, longest_is, rule

CUE_RAISE: Final = "cue-bid raise"


def advances(position: Position) -> Rules:
    """Return the rules for the first call after the partner's overcall or take-out double."""
    ours = position.our_calls()
    if len(ours) != 1 or position.opener % 2 == position.me % 2:
        return []
    name = position.meanings[-2].name
    if name == TAKE_OUT and position.calls[-2] == DOUBLE:
        return _to_double(position)
    if name.startswith("overcall in"):
        return _to_overcall(position, strain_of(position.calls[-2]))
    return []


def _to_double(position: Position) -> Rules:
    """Return the answers to a take-out double; when the next opponent has bid, only hands with values answer."""
    free = position.ago(1) != PASS
    theirs = position.their_suits
    if not theirs or level_of(position.last_bid) >= 4:
        return _to_high_double(position, theirs)
    found = [*_penalty_pass(position, free=free), *_double_games(position, theirs)]
    found += _double_no_trumps(position, theirs)
    found += _double_suits(position, theirs, free=free)
    found += _cue_bid(position, theirs, _always)
    found += _penalty_pass(position, free=free, last=True)
    most = 11 if len(theirs) == 1 else 37
    weak = [rule(PASS, "too weak for a free answer", hcp=(0, most))] if free else []
    return [one for one in [*found, *weak] if position.legal(one.call)]


def _to_high_double(position: Position, theirs: tuple[int, ...]) -> Rules:
    suits = [
        rule(position.cheapest(suit), "long suit, answering a high double", has={suit: 5},
             when=longest_is(suit))
        for suit in range(4)
        if suit not in theirs and position.cheapest(suit)
    ]  # fmt: skip
    return [*suits, rule(PASS, "penalty pass")]


def _penalty_pass(position: Position, *, free: bool, last: bool = False) -> Rules:
    """Return the pass that plays the doubled bid: with strong trumps, or `last` with nothing else to bid."""
    trump = strain_of(position.last_bid)
    if free:
        return []
    if trump == NO_TRUMP:
        return [rule(PASS, "penalty pass")] if last else []
    return [
        rule(
            PASS,
            "penalty pass",
            has={trump: 5},
            when=lambda held: last or (held.honours[trump] >= 3 and held.hcp >= 6),
        )
    ]


def _double_games(position: Position, theirs: tuple[int, ...]) -> Rules:
    high = level_of(position.last_bid) >= 2
    games = [
        rule(
            bid(4, major),
            "game answer",
            points=(10 if high else 12, 20),
            has={major: 4 if high else 5},
            when=_best(major, theirs),
        )
        for major in MAJORS
        if major not in theirs and position.cheapest(major) < bid(4, major)
    ]
    return [*games, *_cue_bid(position, theirs, _four_major(theirs))]


def _cue_bid(position: Position, theirs: tuple[int, ...], when: Condition) -> Rules:
    if len(theirs) != 1 or not position.cheapest(theirs[0]):
        return []
    return [rule(position.cheapest(theirs[0]), "strong cue-bid", hcp=(11, 37), artificial=True, forcing=Forcing.GAME,
                 note="asks for the doubler's best suit", when=lambda held: held.hcp >= 12 and when(held))]  # fmt: skip


def _four_major(theirs: tuple[int, ...]) -> Condition:
    return lambda held: any(held.lengths[major] >= 4 for major in MAJORS if major not in theirs)


def _double_no_trumps(position: Position, theirs: tuple[int, ...]) -> Rules:
    level = level_of(position.last_bid)
    ranges = {1: ((6, 10), (11, 12), (13, 37)), 2: ((8, 11), (12, 37)), 3: ((10, 37),)}[level]
    found = []
    for jump, ends in enumerate(ranges):
        call = position.cheapest(NO_TRUMP, jump)
        if call:
            low_major = _no_major(theirs) if jump < 2 else _always
            found.append(rule(call, "no-trump answer", hcp=ends, stopped=theirs, when=low_major))
    return found


def _always(_: Holding) -> bool:
    return True


def _no_major(theirs: tuple[int, ...]) -> Condition:
    return lambda held: not _four_major(theirs)(held) and max(held.lengths) <= 5


def _double_suits(position: Position, theirs: tuple[int, ...], *, free: bool) -> Rules:
    found = []
    low = 6 if free else 0
    for suit in range(4):
        if suit in theirs or not position.cheapest(suit):
            continue
        jump, plain = position.cheapest(suit, 1), position.cheapest(suit)
        name = SUIT_NAMES[suit]
        if jump and level_of(jump) <= 3:
            found.append(rule(jump, f"jump answer in {name}", points=(9, 37), has={suit: 4},
                              when=_best(suit, theirs)))  # fmt: skip
        most = 12 if len(theirs) == 1 else 37
        fewest = 4 if suit in MAJORS and len(theirs) == 1 else 3
        found.append(rule(plain, f"answer in {name}", points=(low, most), has={suit: fewest}, when=_best(suit, theirs)))
    return found


def _best(suit: int, theirs: tuple[int, ...]) -> Condition:
    """Return the test that a suit is the one to answer in: the longest, a major before a minor, the higher."""

    def worth(held: Holding, one: int) -> tuple[int, bool]:
        length = held.lengths[one]
        bonus = (2 if length >= 4 else -1) if one in MAJORS else 0
        return 2 * length + bonus, outranks(one, suit)

    def best(held: Holding) -> bool:
        mine = worth(held, suit)
        return all(worth(held, one) <= mine for one in range(4) if one != suit and one not in theirs)

    return best


def _to_overcall(position: Position, suit: int) -> Rules:
    theirs = position.their_suits
    found = [*_raises(position, suit, theirs)]
    level = level_of(position.last_bid)
    if level <= 2:
        found += [
            rule(position.cheapest(new), "new suit, constructive", hcp=(8, 15), has={new: 5}, most={suit: 2},
                 when=_sound(new))
            for new in range(4)
            if new != suit and new not in theirs and position.cheapest(new)
            and level_of(position.cheapest(new)) <= 2
        ]  # fmt: skip
        found += _advance_no_trumps(position, theirs)
    found.append(rule(PASS, "nothing to add to the overcall"))
    return [one for one in found if position.legal(one.call)]


def _sound(suit: int) -> Condition:
    return lambda held: held.quick_suit(suit) or held.lengths[suit] >= 6


def _raises(position: Position, suit: int, theirs: tuple[int, ...]) -> Rules:
    name = SUIT_NAMES[suit]
    found = []
    game = bid(4 if suit in MAJORS else 5, suit)
    low = position.his.low
    if suit in MAJORS:
        found.append(rule(game, "raise to game", points=(25 - low - 8, 37), trump=suit, has={suit: 4},
                          when=_shapely_raise(suit, 26 - low)))  # fmt: skip
    cue = position.cheapest(theirs[0]) if len(theirs) == 1 else 0
    if cue and level_of(cue) <= 3:
        found.append(rule(cue, CUE_RAISE, points=(11, 37), trump=suit, has={suit: 3}, artificial=True,
                          forcing=Forcing.ROUND, note=f"at least an invitation in {name}"))  # fmt: skip
    jump, plain = position.cheapest(suit, 1), position.cheapest(suit)
    if jump and level_of(jump) == 3:
        found.append(rule(jump, f"preemptive raise of {name}", hcp=(2, 9), points=(5, 10), trump=suit, has={suit: 4},
                          when=lambda held: not held.balanced or held.hcp <= 5))  # fmt: skip
    if plain and level_of(plain) <= 3:
        limit = 2 if level_of(plain) == 2 else 4
        found.append(rule(plain, f"raise of {name}", points=(4 + limit, 12), trump=suit, has={suit: 3},
                          when=lambda held: level_of(plain) == 2 or held.lengths[suit] >= 4))  # fmt: skip
    return found


def _shapely_raise(suit: int, low: int) -> Condition:
    def raises(held: Holding) -> bool:
        return held.support(suit) >= low or (held.lengths[suit] >= 5 and not held.balanced)

    return raises


def _advance_no_trumps(position: Position, theirs: tuple[int, ...]) -> Rules:
    found = []
    for jump, ends in enumerate(((9, 11), (12, 14), (15, 37))):
        call = position.cheapest(NO_TRUMP, jump)
        if call and level_of(call) <= 3:
            found.append(rule(call, "no-trump advance", hcp=ends if level_of(call) < 3 else (ends[0], 37),
                              stopped=theirs))  # fmt: skip
    return found
