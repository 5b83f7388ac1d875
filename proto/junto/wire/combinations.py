"""Combinations of climbing games: to messages and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from junto.games.climbing import kernel
from junto.games.climbing.combination import Combination, Kind, made_of
from junto.v1 import cards_pb2
from junto.wire.errors import WireError

_RANKS: Final = tuple(cards_pb2.Rank.ValueType(number) for number in (*range(2, 14), 1, 14, 15))
"""The wire's numbers of the ranks: 3 .. A, 2, small joker, big joker."""
_RANK_OF: Final[dict[int, int]] = {number: rank for rank, number in enumerate(_RANKS)}
_KINDS: Final = {
    kind: cards_pb2.CombinationKind.Value(f"COMBINATION_KIND_{kind.name}") for kind in Kind if kind != Kind.JOKER_BOMB
}
_KIND_OF: Final[dict[int, Kind]] = {
    **{number: kind for kind, number in _KINDS.items()},
    cards_pb2.COMBINATION_KIND_ROCKET: Kind.JOKER_BOMB,
    cards_pb2.COMBINATION_KIND_KING_BOMB: Kind.JOKER_BOMB,
}
_ROCKET_SIZE: Final = 2
_MOST: Final = 54
"""As the API has it."""


@lru_cache(1 << 15)
def write_combination(combination: Combination) -> cards_pb2.Combination:
    """Return the message of a combination; it is shared by all who ask: nobody changes it."""
    kind = combination.kind
    if kind is Kind.JOKER_BOMB:
        rocket = combination.size == _ROCKET_SIZE
        number = cards_pb2.COMBINATION_KIND_ROCKET if rocket else cards_pb2.COMBINATION_KIND_KING_BOMB
    else:
        number = _KINDS[kind]
    return cards_pb2.Combination(
        kind=number,
        key=_RANKS[combination.key],
        length=combination.size if kind is Kind.SET else combination.length,
        ranks=[_RANKS[rank] for rank in combination.ranks],
    )


def read_combination(message: cards_pb2.Combination) -> Combination:
    """Return the combination of a message.

    Raises:
        WireError: its kind or a rank is none of this game server's, or there are too many.
    """
    return _read(message.kind, message.key, message.length, tuple(message.ranks))


@lru_cache(1 << 15)
def _read(kind_number: int, key_number: int, length: int, rank_numbers: tuple[int, ...]) -> Combination:
    try:
        kind, key = _KIND_OF[kind_number], _RANK_OF[key_number]
        ranks = [_RANK_OF[rank] for rank in rank_numbers]
    except KeyError:
        raise WireError("a combination has a kind or a rank that is not known") from None
    if not 0 <= length <= _MOST or len(ranks) > _MOST:
        raise WireError(f"a combination has {_MOST} ranks and cards at most")
    return made_of(kind, key, _base_of(key, ranks) if kind is Kind.SET else length, ranks)


def _base_of(key: int, ranks: Sequence[int]) -> int:
    """Return how many cards of its base a set has; 0 for jokers alone."""
    return ranks.count(key) if key <= kernel.TWO else 0
