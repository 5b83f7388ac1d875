"""After the partner's weak two or preempt: raises, the asking two no-trumps, and the opener's answer."""

from __future__ import annotations

from typing import Final

from junto.search.bridge_bidding.calls import (
    MAJORS,
    PASS,
    bid,
    is_game,
    level_of,
    read_call,
    strain_of,
)
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import SUIT_NAMES, Forcing
from junto.search.bridge_bidding.openings import PREEMPT, WEAK_TWO
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rules, rule

ASK: Final = "feature ask"


def after_weak_opening(position: Position) -> Rules:
    """Return the rules for responding to a weak two or a preempt, and for the answer to the ask."""
    if position.opener < 0 or position.opener % 2 != position.me % 2:
        return []
    name = position.meanings[position.first_bid_index].name
    after = len(position.calls) - position.first_bid_index
    if not name.startswith((WEAK_TWO, PREEMPT)) or after not in (2, 4):
        return []
    suit, level = strain_of(position.opening), level_of(position.opening)
    if after == 4:
        asked = position.meanings[-2].name == ASK and position.ago(1) == PASS
        return _answers(suit) if asked else _content(position)
    if position.ago(1) != PASS:
        return []
    found = _to_weak_two(suit) if level == 2 else _to_preempt(position, suit, level)
    return [one for one in found if position.legal(one.call)]


def _content(position: Position) -> Rules:
    """Return the rule of a preempter who has said his all, unless his partner has asked for more."""
    return [] if position.must_bid else [rule(PASS, "nothing to add to the preempt")]


def _game_call(suit: int) -> int:
    return bid(4 if suit in MAJORS else 5, suit)


def _to_weak_two(suit: int) -> Rules:
    game = rule(_game_call(suit), "raise to game", points=(7, 37), trump=suit, has={suit: 3},
                when=_game_raise(suit, 15))  # fmt: skip
    return [
        *([game] if suit in MAJORS else []),
        rule("3NT", "game in no-trumps", hcp=(16, 22), has={suit: 2},
             when=lambda held: all(held.stopped[one] for one in range(4) if one != suit)),
        rule("2NT", ASK, hcp=(14, 37), artificial=True, forcing=Forcing.ROUND, note="asks for an ace or king outside",
             when=lambda held: held.hcp >= 16 or held.lengths[suit] >= 3),
        rule(bid(3, suit), "preemptive raise", hcp=(0, 13), has={suit: 3}),
        rule(PASS, "content with the weak two", hcp=(0, 17)),
    ]  # fmt: skip


def _game_raise(suit: int, low: int) -> Condition:
    def raises(held: Holding) -> bool:
        return held.support(suit) >= low or (held.lengths[suit] >= 4 and not held.balanced and held.hcp <= 10)

    return raises


def _to_preempt(position: Position, suit: int, level: int) -> Rules:
    slam = rule("4NT", "keycard ask", points=(21, 37), trump=suit, has={suit: 2}, artificial=True,
                forcing=Forcing.ROUND, note="how many of the four aces and the king of trumps",
                when=lambda held: held.keycards(suit) >= 3)  # fmt: skip
    found = [slam]
    if level == 3:
        found.append(
            rule("3NT", "game in no-trumps", hcp=(15, 37), has={suit: 1},
                 when=lambda held: all(held.stopped[one] for one in range(4) if one != suit) and suit not in MAJORS)
        )  # fmt: skip
    if not is_game(position.opening):
        found.append(
            rule(_game_call(suit), "raise to game", points=(7, 37), trump=suit, has={suit: 1},
                 when=_preempt_raise(suit))
        )  # fmt: skip
    return [*found, rule(PASS, "content with the preempt")]


def _preempt_raise(suit: int) -> Condition:
    def raises(held: Holding) -> bool:
        fit = held.lengths[suit]
        weak = fit >= 3 and not held.balanced and held.hcp <= 10
        return weak or (held.support(suit) >= (15 if suit in MAJORS else 18) and fit >= 2)

    return raises


def _answers(suit: int) -> Rules:
    names = [
        rule(call, f"feature in {SUIT_NAMES[strain_of(call)]}", hcp=(8, 11), artificial=True,
             stopped=(strain_of(call),), when=_feature(strain_of(call)))
        for call in range(read_call("3C"), read_call("3NT"))
        if strain_of(call) != suit
    ]  # fmt: skip
    return [
        *names,
        rule("3NT", "maximum without a feature", hcp=(8, 11), artificial=True),
        rule(bid(3, suit), "minimum", hcp=(5, 7)),
    ]


def _feature(suit: int) -> Condition:
    return lambda held: held.has_top(suit)
