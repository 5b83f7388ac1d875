"""What a bidder counts in a hand: points, lengths, stoppers, keycards."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_SUIT: Final = (1 << 13) - 1
_ACE, _KING, _QUEEN, _JACK, _TEN = (1 << rank for rank in (12, 11, 10, 9, 8))
_SHORT_WITH_THREE: Final = (3, 2, 1)
_SHORT_WITH_FOUR: Final = (5, 3, 1)
_HELD: Final = 1 << 14


@lru_cache(1 << 13)
def _count(suit: int) -> tuple[int, int, int, int, bool]:
    """Return points, length, cards of A K Q, cards of A K Q J T, and whether the suit is stopped."""
    length = suit.bit_count()
    ace, king, queen, jack = (bool(suit & card) for card in (_ACE, _KING, _QUEEN, _JACK))
    stopped = ace or (king and length > 1) or (queen and length > 2) or (jack and length > 3)
    tops = ace + king + queen
    return 4 * ace + 3 * king + 2 * queen + jack, length, tops, tops + jack + bool(suit & _TEN), stopped


class Holding:
    """A hand of thirteen cards as a bidder sees it.

    `hcp` are high-card points (A 4, K 3, Q 2, J 1); `points` add one for every card beyond four of a suit.
    `lengths`, `tops` (of A K Q), `honours` (of A K Q J T) and `stopped` go by suit, S H D C.
    """

    __slots__ = ("balanced", "hand", "hcp", "honours", "lengths", "points", "stopped", "tops")

    def __init__(self, hand: int) -> None:
        counts = [_count(hand >> shift & _SUIT) for shift in (0, 13, 26, 39)]
        points, lengths, tops, honours, stopped = zip(*counts, strict=True)
        self.hand = hand
        self.hcp: int = sum(points)
        self.lengths: tuple[int, ...] = lengths
        self.tops: tuple[int, ...] = tops
        self.honours: tuple[int, ...] = honours
        self.stopped: tuple[bool, ...] = stopped
        self.points: int = self.hcp + sum(length - 4 for length in lengths if length > 4)
        self.balanced: bool = min(lengths) >= 2 and sum(length == 2 for length in lengths) <= 1

    def support(self, trump: int) -> int:
        """Return the points in support of a trump suit: high cards, and shortness with three trumps or more.

        With four trumps a void counts 5, a singleton 3, a doubleton 1; with three 3, 2 and 1.
        """
        trumps = self.lengths[trump]
        if trumps < 3:
            return self.hcp
        worth = _SHORT_WITH_THREE if trumps == 3 else _SHORT_WITH_FOUR
        short = (length for suit, length in enumerate(self.lengths) if suit != trump and length < 3)
        return self.hcp + sum(worth[length] for length in short)

    def keycards(self, trump: int) -> int:
        """Return how many of the four aces and the king of trumps are held."""
        aces = sum(bool(self.hand >> (13 * suit) & _ACE) for suit in range(4))
        return aces + bool(self.hand >> (13 * trump) & _KING)

    def kings(self, trump: int) -> int:
        """Return how many kings of the three other suits are held."""
        return sum(bool(self.hand >> (13 * suit) & _KING) for suit in range(4) if suit != trump)

    def has_queen(self, trump: int) -> bool:
        """Tell whether the queen of trumps is held."""
        return bool(self.hand >> (13 * trump) & _QUEEN)

    def has_top(self, suit: int) -> bool:
        """Tell whether the ace or the king of a suit is held."""
        return bool(self.hand >> (13 * suit) & (_ACE | _KING))

    def longest(self) -> int:
        """Return the longest suit, the higher of equals."""
        return self.lengths.index(max(self.lengths))

    def longest_major(self) -> int:
        """Return the longer major, spades of equals."""
        return 0 if self.lengths[0] >= self.lengths[1] else 1

    def quick_suit(self, suit: int) -> bool:
        """Tell whether a suit can be bid on its cards: two of the top three honours or three of the top five."""
        return self.tops[suit] >= 2 or self.honours[suit] >= 3


@lru_cache(_HELD)
def holding_of(hand: int) -> Holding:
    """Return what a bidder counts in a hand."""
    return Holding(hand)
