"""The bidding system: the chapters in their order, and the two questions that it answers.

`propose` chooses a call for a hand, `explain` says what the calls of an auction mean. Both look into the same
rules of the same public position: a proposal is the first rule that fits the hand, an explanation is the rule's
meaning, whatever the hand. A call that no rule of the position makes is read naturally.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from junto.games.actions import Action
from junto.search.bridge_bidding import (
    advances,
    contested,
    no_trump,
    openings,
    overcalls,
    rebids,
    responses,
    slams,
    strong_two,
    weak_twos,
)
from junto.search.bridge_bidding.calls import ACTIONS, NAMES, PASS, AuctionError, encode
from junto.search.bridge_bidding.holding import Holding, holding_of
from junto.search.bridge_bidding.judgement import judgement
from junto.search.bridge_bidding.meaning import Meaning
from junto.search.bridge_bidding.natural import natural_meaning
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Rule, Rules

_REMEMBERED: Final = 1 << 11
"""So many positions, and their rules, are kept: about ten kilobytes each."""
Chapter = Callable[[Position], Rules]


def _opening(position: Position) -> Rules:
    return openings.openings(position) if not position.last_bid else []


CHAPTERS: Final[tuple[Chapter, ...]] = (
    _opening,
    slams.slam_calls,
    no_trump.responses,
    no_trump.answers,
    no_trump.second_calls,
    contested.over_no_trump_contested,
    strong_two.strong_two,
    weak_twos.after_weak_opening,
    responses.responses,
    contested.responses,
    rebids.rebids,
    overcalls.overcalls,
    advances.advances,
    judgement,
)
"""The parts of the system; the first that has rules for a position gives all its rules."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call, and what it means."""

    call: Action
    meaning: Meaning


def propose(hand: int, calls: Sequence[Action], *, vulnerable: bool = False, they_vulnerable: bool = False) -> Proposal:
    """Return the system's call with a hand (a bit set of 13 cards) after the calls so far, and its meaning.

    The call is legal after any legal auction. `vulnerable` is the side that is to call.

    Raises:
        AuctionError: the calls are no auction, or it is over.
    """
    sides = (they_vulnerable, vulnerable) if len(calls) % 2 else (vulnerable, they_vulnerable)
    position = position_after(encode(calls), *sides)
    if position.ended:
        raise AuctionError("the auction is over")
    found = chosen(position, holding_of(hand))
    return Proposal(ACTIONS[found.call], found.meaning)


def explain(
    calls: Sequence[Action], *, first_side_vulnerable: bool = False, other_side_vulnerable: bool = False
) -> tuple[Meaning, ...]:
    """Return what each call of an auction means; any legal auction has meanings.

    Raises:
        AuctionError: the calls are no auction.
    """
    return position_after(encode(calls), first_side_vulnerable, other_side_vulnerable).meanings


def position_after(calls: bytes, first_side: bool = False, other_side: bool = False) -> Position:  # a memo's key
    """Return the public position after some calls.

    Raises:
        AuctionError: one of them is not legal, or comes after the end.
    """
    position = Position(vulnerable=(first_side, other_side))
    for end in range(len(calls), 0, -1):
        known = _known.get((calls[:end], first_side, other_side))
        if known is not None:
            position = known
            break
    for end in range(len(position.calls) + 1, len(calls) + 1):
        position = _step(position, calls[end - 1])
        if len(_known) >= _REMEMBERED:
            _known.clear()
        _known[calls[:end], first_side, other_side] = position
    return position


_known: dict[tuple[bytes, bool, bool], Position] = {}


def _step(position: Position, call: int) -> Position:
    if not position.legal(call):
        index = len(position.calls)
        why = (
            "comes after the end of the auction" if position.ended else f"is not legal after {_spoken(position.calls)}"
        )
        raise AuctionError(f"call {index + 1}, {NAMES[call]}, {why}", index)
    return position.after(call, meaning_of(position, call))


def _spoken(calls: bytes) -> str:
    return " ".join(NAMES[call] for call in calls) or "no call"


def meaning_of(position: Position, call: int) -> Meaning:
    """Return what a legal call means in a position."""
    found = next((one for one in rules_of(position) if one.call == call), None)
    return natural_meaning(position, call) if found is None else found.meaning


@lru_cache(_REMEMBERED)
def _rules(calls: bytes, vulnerable: tuple[bool, bool]) -> tuple[Rule, ...]:
    position = position_after(calls, *vulnerable)
    chapter = next(rules for rules in (chapter(position) for chapter in CHAPTERS) if rules)
    return _one_meaning_each([one for one in chapter if position.legal(one.call)])


def rules_of(position: Position) -> tuple[Rule, ...]:
    """Return the rules of a position in the order in which they are tried; every call has one meaning."""
    return _rules(position.calls, position.vulnerable)


def _one_meaning_each(rules: Rules) -> tuple[Rule, ...]:
    """Return the rules without those whose call has another meaning in an earlier rule."""
    first: dict[int, Meaning] = {}
    for one in rules:
        first.setdefault(one.call, one.meaning)
    return tuple(one for one in rules if first[one.call] == one.meaning)


def chosen(position: Position, held: Holding) -> Rule:
    """Return the rule that a hand follows: the first that fits it, else the one that it misses least."""
    rules = rules_of(position)
    for one in rules:
        if one.fits(held):
            return one
    return min(rules, key=lambda one: (one.meaning.misfit(held), one.call != PASS))


def would_call(hand: int, position: Position) -> int:
    """Return the number of the call that the system makes with a hand in a position."""
    return chosen(position, holding_of(hand)).call
