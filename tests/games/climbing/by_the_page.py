"""The rule pages' tables of combinations once more, in plain Python and as they stand: slow, and easy to check.

A multiset of ranks is a tuple of fifteen counts. A reading is what the pages report of a combination: type, key and
length, or base, size, small and big jokers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from junto.games.climbing.terms import BAOHUANG, DOU_DIZHU, SHUANGKOU, Terms

Counts = tuple[int, ...]
Reading = tuple[Any, ...]
ACE, TWO, B, R = 11, 12, 13, 14


def dou_dizhu(counts: Counts, terms: Terms = DOU_DIZHU) -> Iterator[Reading]:
    """Yield all readings by section 3 of Dou Dizhu's page."""
    held = {rank: count for rank, count in enumerate(counts) if count}
    total = sum(counts)
    if total > 20:
        return
    if set(held) == {B, R} and total == 2:
        yield "rocket", R, 1
    if len(held) == 1:
        (rank,) = held
        if total == 1 or rank <= TWO:
            yield {1: "single", 2: "pair", 3: "trio", 4: "bomb"}[total], rank, 1
    yield from runs(held, 5, 3, 2)
    for key in range(TWO + 1):
        for length in range(1, 7):
            main = range(key - length + 1, key + 1)
            if main[0] < 0 or (length > 1 and key > ACE) or any(held.get(rank, 0) != 3 for rank in main):
                continue
            others = {rank: count for rank, count in held.items() if rank not in main}
            if sum(others.values()) == length and singles(others, main, terms):
                yield ("trio_single" if length == 1 else "plane_single"), key, length
            if len(others) == length and pairs(others):
                yield ("trio_pair" if length == 1 else "plane_pair"), key, length
        if held.get(key, 0) == 4:
            others = {rank: count for rank, count in held.items() if rank != key}
            if sum(others.values()) == 2 and singles(others, range(key, key + 1), terms):
                yield "four_two_single", key, 1
            if len(others) == 2 and pairs(others):
                yield "four_two_pair", key, 1


def pairs(others: dict[int, int]) -> bool:
    return all(count == 2 and rank <= TWO for rank, count in others.items())


def singles(others: dict[int, int], main: range, terms: Terms) -> bool:
    if B in others and R in others and not terms.rocket_as_kickers:
        return False
    if terms.distinct_kickers and max(others.values()) > 1:
        return False
    for rank, count in others.items():
        beside = len(main) > 1 and rank <= ACE and rank in {main[0] - 1, main[-1] + 1}
        if count == 4 or (count == 3 and beside):
            return False
    return True


def runs(held: dict[int, int], singly: int, paired: int, threefold: int) -> Iterator[Reading]:
    ranks, widths = sorted(held), set(held.values())
    if not ranks or len(widths) > 1 or ranks[-1] > ACE or ranks != list(range(ranks[0], ranks[-1] + 1)):
        return
    names = {1: ("straight", singly), 2: ("pair_straight", paired), 3: ("trio_straight", threefold)}
    name, shortest = names.get(widths.pop(), ("", 99))
    if len(ranks) >= shortest:
        yield name, ranks[-1], len(ranks)


def shuangkou(counts: Counts, terms: Terms = SHUANGKOU) -> Iterator[Reading]:
    """Yield all readings by section 3 of Shuangkou's page."""
    held = {rank: count for rank, count in enumerate(counts) if count}
    if held == {B: 2, R: 2}:
        yield "king_bomb", R, 4
    if len(held) == 1:
        ((rank, count),) = held.items()
        if rank <= TWO:
            yield ("bomb", rank, count) if count >= 4 else (("single", "pair", "trio")[count - 1], rank, 1)
        elif count == 1:
            yield "single", rank, 1
        elif terms.joker_pairs:
            yield "pair", rank, 1
    yield from runs(held, 5, 3, 3)


def baohuang(counts: Counts, terms: Terms = BAOHUANG) -> Iterator[Reading]:
    """Yield all readings by sections 3 and 9 of Baohuang's page."""
    suited = {rank: count for rank, count in enumerate(counts[:B]) if count}
    small, big, size = counts[B], counts[R], sum(counts)
    if len(suited) == 1 or (len(suited) == 2 and TWO in suited and terms.twos_fill):
        yield min(suited), size, small, big
    elif not suited and size:
        yield (B if small else R), size, small, big


def dou_dizhu_beats(top: Reading, play: Reading, terms: Terms) -> bool:
    """Tell whether the play beats the top by section 4 of Dou Dizhu's page."""
    if play[0] == "rocket" or top[0] == "rocket":
        return bool(top[0] != "rocket")
    if play[0] == "bomb" and top[0] != "bomb":
        return True
    return bool(play[0] == top[0] and play[2] == top[2] and play[1] > top[1])


def shuangkou_beats(top: Reading, play: Reading, terms: Terms) -> bool:
    """Tell whether the play beats the top by section 4 of Shuangkou's page."""
    if play[0] == "king_bomb" or top[0] == "king_bomb":
        return bool(top[0] != "king_bomb")
    if play[0] == "bomb":
        return bool(top[0] != "bomb" or (play[2], play[1]) > (top[2], top[1]))
    return bool(play[0] == top[0] and play[2] == top[2] and play[1] > top[1])


def baohuang_beats(top: Reading, play: Reading, terms: Terms) -> bool:
    """Tell whether the play beats the top by sections 3 and 9 of Baohuang's page."""
    if play[1] != top[1] or play[0] <= top[0]:
        return False
    if not terms.one_big_beatable:
        return bool(top[3] == 0 and play[3] >= top[2])
    needs = {0: top[2], 1: top[2] + 2}
    return top[3] in needs and bool(play[3] >= needs[top[3]])


Readings = Callable[[Counts, Terms], Iterator[Reading]]
Beats = Callable[[Reading, Reading, Terms], bool]
