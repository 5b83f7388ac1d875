"""Why cards cannot be played in a climbing game, in words for a player: they are no combination, or beat nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from junto.games.climbing import kernel
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.kernel import ACE, NO_PLAY, SMALL, UNBEATABLE
from junto.games.climbing.ranks import Vector, letters_of, ranks_text
from junto.games.climbing.terms import Terms

_KINDS: Final = {
    Kind.SINGLE: "a single card",
    Kind.PAIR: "a pair",
    Kind.TRIO: "a trio",
    Kind.STRAIGHT: "a straight",
    Kind.PAIR_STRAIGHT: "a run of pairs",
    Kind.TRIO_STRAIGHT: "a plane",
    Kind.PLANE_SINGLE: "a plane with single cards",
    Kind.PLANE_PAIR: "a plane with pairs",
    Kind.TRIO_SINGLE: "a trio with a single card",
    Kind.TRIO_PAIR: "a trio with a pair",
    Kind.FOUR_TWO_SINGLE: "four equal cards with two single cards",
    Kind.FOUR_TWO_PAIR: "four equal cards with two pairs",
}
_RUNS: Final = ("a straight has at least {} cards", "a run has at least {} pairs", "a run has at least {} trios")
_TRIOS: Final = frozenset({Kind.TRIO_SINGLE, Kind.TRIO_PAIR, Kind.PLANE_SINGLE, Kind.PLANE_PAIR})
_FOUR: Final = 4
_ALL_JOKERS: Final = {1: "the rocket", 2: "the four jokers"}


def why_no_combination(terms: Terms, counts: Vector) -> str:
    """Return why some cards, counted by rank, are no combination of a game."""
    if not counts.any():
        return "play at least one card"
    return f"{ranks_text(counts)} is no combination: {_why_none(terms, counts)}"


def why_not_higher(terms: Terms, top: Combination, play: Combination) -> str:
    """Return why a combination does not beat the one on top."""
    why = _why_no_higher_set if terms.sets else _why_not_higher
    return f"{letters_of(play.ranks)} does not beat {letters_of(top.ranks)}: {why(terms, top, play)}"


def _why_none(terms: Terms, counts: Vector) -> str:
    if terms.sets:
        others = "twos and jokers" if terms.twos_fill else "jokers"
        return f"a set has cards of one rank, and {others} with them"
    ranks = np.flatnonzero(counts).tolist()
    widths = {int(counts[rank]) for rank in ranks}
    if ranks[0] >= SMALL:
        pairs = "in equal pairs " if terms.joker_pairs else ""
        return f"jokers by themselves are played singly, {pairs}or all together"
    if len(widths) == 1 and max(widths) <= Kind.TRIO:
        return _why_no_run(terms, ranks, widths.pop())
    if terms.kickers:
        return _why_not_carried(terms, counts)
    return "nothing is carried, and runs have as many of each rank"


def _why_no_run(terms: Terms, ranks: list[int], width: int) -> str:
    shortest = (terms.straight_from, terms.pair_straight_from, terms.trio_straight_from)[width - 1]
    if len(ranks) < shortest:
        return _RUNS[width - 1].format(shortest)
    return "twos and jokers are in no run" if ranks[-1] > ACE else "the ranks of a run follow each other without a gap"


def _why_not_carried(terms: Terms, counts: Vector) -> str:
    """Return which rule forbids what is carried: one that can be left out by an option, or all of them."""
    if _is_play(replace(terms, rocket_as_kickers=True), counts):
        return "the two jokers are not carried together"
    if _is_play(replace(terms, distinct_kickers=False), counts):
        return "single cards that are carried must be of different ranks"
    return (
        "a trio carries one card or one pair, each trio of a plane one, and four equal cards carry two cards or two "
        "pairs, of other ranks; four equal cards, and three that lengthen the run, are not carried"
    )


def _is_play(terms: Terms, counts: Vector) -> bool:
    return int(kernel.classify(terms.vector, counts)) != NO_PLAY


def _why_not_higher(terms: Terms, top: Combination, play: Combination) -> str:
    match top.kind:
        case Kind.JOKER_BOMB:
            return f"nothing beats {_ALL_JOKERS[terms.packs]}"
        case Kind.BOMB:
            grows = "more cards, or of as many and " if terms.largest_bomb > _FOUR else ""
            return f"a bomb is beaten by one of {grows}a higher rank, or by {_ALL_JOKERS[terms.packs]}"
        case kind if play.kind is not kind:
            return f"it takes {_KINDS[kind]}, or a bomb"
    if play.length != top.length:
        return "it takes as many cards, or a bomb"
    return "it takes higher trios, or a bomb" if top.kind in _TRIOS else "it takes a higher one, or a bomb"


def _why_no_higher_set(terms: Terms, top: Combination, play: Combination) -> str:
    needed = int(kernel.big_needed(terms.vector, top.play))
    if needed == UNBEATABLE:
        return f"nothing beats a set with {'two big jokers' if terms.one_big_beatable else 'a big joker'}"
    if play.size != top.size:
        return "it takes as many cards"
    if play.key <= top.key:
        return "it takes a higher rank"
    return f"it takes {needed} big {'joker' if needed == 1 else 'jokers'} to beat its jokers"
