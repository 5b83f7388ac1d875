"""What is public before a call: the auction so far, and what each seat has said of its hand.

Seats are counted from the first caller: the call with index i is made by seat i mod 4, so seats 0 and 2 are
one side. Nobody's cards are in here, so everything that a rule takes from a position is known at the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding.calls import (
    DOUBLE,
    FIRST_BID,
    MAJORS,
    PASS,
    bid,
    has_ended,
    is_game,
    level_of,
    outranks,
    strain_of,
)
from junto.search.bridge_bidding.meaning import ANY_LENGTH, ANY_POINTS, Forcing, Meaning, Range

FIT: Final = 8
KEYCARDS_ASKED: Final = "keycard ask"
_BY_RANK: Final = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a seat has shown: high-card points, strength in the measure of its last call, and lengths by suit."""

    hcp: Range = ANY_POINTS
    strength: Range = ANY_POINTS
    lengths: tuple[Range, ...] = (ANY_LENGTH,) * 4

    @property
    def low(self) -> int:
        """The least strength."""
        return self.strength[0]

    @property
    def high(self) -> int:
        """The most strength."""
        return self.strength[1]

    @property
    def likely(self) -> int:
        """The strength to reckon with: the middle of a narrow range, a little above the bottom of a wide one."""
        low, high = self.strength
        return (low + high) // 2 if high - low <= 4 else low + 1 if high - low > 9 else low + 2

    def least(self, suit: int) -> int:
        """Return the least length of a suit."""
        return self.lengths[suit][0]

    def after(self, meaning: Meaning) -> Shown:
        """Return what is shown after one more call; where it contradicts what was shown, it is believed."""
        lengths = (
            self.lengths
            if meaning.any_shape_from is not None and self.lengths != Shown().lengths
            else tuple(_meet(old, new) for old, new in zip(self.lengths, meaning.lengths, strict=True))
        )
        hcp = _meet(self.hcp, meaning.hcp)
        return Shown(hcp, _meet(self.strength, meaning.strength), lengths)


def _meet(old: Range, new: Range) -> Range:
    low, high = max(old[0], new[0]), min(old[1], new[1])
    return (low, high) if low <= high else new


NOTHING_SHOWN: Final = (Shown(),) * 4


@dataclass(frozen=True)
class Position:
    """The public state before the next call.

    `vulnerable` is by side: that of the first caller, and the other.
    """

    calls: bytes = b""
    meanings: tuple[Meaning, ...] = ()
    shown: tuple[Shown, ...] = NOTHING_SHOWN
    vulnerable: tuple[bool, bool] = (False, False)

    def after(self, call: int, meaning: Meaning) -> Position:
        """Return the position after a call."""
        shown = list(self.shown)
        shown[self.me] = shown[self.me].after(meaning)
        return replace(self, calls=self.calls + bytes([call]), meanings=(*self.meanings, meaning), shown=tuple(shown))

    @property
    def me(self) -> int:
        """The seat that is to call."""
        return len(self.calls) % 4

    @property
    def partner(self) -> int:
        """The seat of the caller's partner."""
        return (self.me + 2) % 4

    @property
    def mine(self) -> Shown:
        """What the caller has shown."""
        return self.shown[self.me]

    @property
    def his(self) -> Shown:
        """What the caller's partner has shown."""
        return self.shown[self.partner]

    @cached_property
    def ended(self) -> bool:
        """Whether the auction is over."""
        return has_ended(self.calls)

    @cached_property
    def last_bid_index(self) -> int:
        """The index of the last bid, -1 if there is none."""
        return next((index for index in range(len(self.calls) - 1, -1, -1) if self.calls[index] >= FIRST_BID), -1)

    @property
    def last_bid(self) -> int:
        """The last bid, 0 if there is none."""
        return self.calls[self.last_bid_index] if self.last_bid_index >= 0 else 0

    @property
    def ours(self) -> bool:
        """Whether the last bid is of the caller's side."""
        return self.last_bid_index >= 0 and (len(self.calls) - self.last_bid_index) % 2 == 0

    @cached_property
    def doubling(self) -> int:
        """PASS, DOUBLE or REDOUBLE: what stands on the last bid."""
        return max(self.calls[self.last_bid_index + 1 :], default=PASS) if self.last_bid_index >= 0 else PASS

    def legal(self, call: int) -> bool:
        """Tell whether a call is legal now."""
        if self.ended:
            return False
        if call == PASS:
            return True
        if call >= FIRST_BID:
            return call > self.last_bid
        if call == DOUBLE:
            return self.last_bid_index >= 0 and not self.ours and self.doubling == PASS
        return self.ours and self.doubling == DOUBLE

    def ago(self, distance: int) -> int:
        """Return the call made so many calls ago (1 is the last one), PASS if there was none."""
        return self.calls[-distance] if distance <= len(self.calls) else PASS

    def cheapest(self, strain: int, jump: int = 0) -> int:
        """Return the lowest legal bid in a strain, or so many levels more; 0 above the seven level."""
        last = self.last_bid
        level = 1 if not last else level_of(last) + (0 if outranks(strain, strain_of(last)) else 1)
        return bid(level + jump, strain) if level + jump <= 7 else 0

    def bids_of(self, seat: int) -> list[int]:
        """Return the indices of a seat's bids."""
        return [index for index in range(seat, len(self.calls), 4) if self.calls[index] >= FIRST_BID]

    def natural(self, index: int) -> int | None:
        """Return the suit that the call at an index shows by naming it, or None."""
        call, meaning = self.calls[index], self.meanings[index]
        if call < FIRST_BID or meaning.artificial or strain_of(call) == NO_TRUMP:
            return None
        return strain_of(call)

    @cached_property
    def their_suits(self) -> tuple[int, ...]:
        """The suits in which an opponent has shown four cards, or three by opening, in the order S H D C."""
        foes = ((self.me + 1) % 4, (self.me + 3) % 4)
        named = {self.natural(index) for seat in foes for index in self.bids_of(seat)}
        return tuple(suit for suit in range(4) if suit in named or any(self.shown[foe].least(suit) > 3 for foe in foes))

    @cached_property
    def unbid(self) -> tuple[int, ...]:
        """The suits that nobody has named to show them."""
        named = {self.natural(index) for index in range(len(self.calls))}
        return tuple(suit for suit in range(4) if suit not in named)

    @cached_property
    def agreed(self) -> int | None:
        """The suit in which the caller's side has shown eight cards, the longest fit, a major before a minor."""
        sums = {suit: self.his.least(suit) + self.mine.least(suit) for suit in _BY_RANK}
        fits = [suit for suit in _BY_RANK if sums[suit] >= FIT and min(self.his.least(suit), self.mine.least(suit)) > 0]
        fits = fits or [suit for suit in _BY_RANK if sums[suit] >= FIT]
        return max(fits, key=lambda suit: (suit in MAJORS, sums[suit]), default=None)

    @cached_property
    def forced_to_game(self) -> bool:
        """Whether the caller's side has promised to reach game and has not done so."""
        promised = any(self.meanings[index].forcing is Forcing.GAME for index in range(self.me % 2, len(self.calls), 2))
        return promised and not (self.ours and is_game(self.last_bid))

    @cached_property
    def must_bid(self) -> bool:
        """Whether the partner's last call, or an earlier promise, forbids the caller to pass now."""
        if len(self.calls) < 2 or self.calls[-1] != PASS:
            return False
        if self.forced_to_game:
            return True
        forcing = self.meanings[-2].forcing is not Forcing.NONE
        return forcing and not (self.ours and self.meanings[-2].forcing is Forcing.GAME)

    @cached_property
    def first_bid_index(self) -> int:
        """The index of the opening bid, -1 before it."""
        return next((index for index, call in enumerate(self.calls) if call >= FIRST_BID), -1)

    @property
    def opening(self) -> int:
        """The opening bid, 0 before it."""
        return self.calls[self.first_bid_index] if self.first_bid_index >= 0 else 0

    @property
    def opener(self) -> int:
        """The seat that opened, -1 before the opening."""
        return self.first_bid_index % 4 if self.first_bid_index >= 0 else -1

    def our_calls(self) -> list[int]:
        """Return the calls of the caller's side from its first one that is not a pass."""
        mine = list(self.calls[len(self.calls) % 2 :: 2])
        first = next((index for index, call in enumerate(mine) if call != PASS), len(mine))
        return mine[first:]

    def their_calls(self) -> list[int]:
        """Return the calls of the other side that are not passes, in order."""
        return [call for call in self.calls[(len(self.calls) + 1) % 2 :: 2] if call != PASS]

    @property
    def uncontested(self) -> bool:
        """Whether the other side has only passed."""
        return not self.their_calls()
