"""The auction of bridge, for four players and for three: who calls, what is legal, who declares.

With four, two seats bid as one side; the first of it to name the strain of the last bid declares. With three,
every player is a side of his own, so the same rules make the last bidder declarer, let any other player double
him, and him alone redouble. Sources: Laws of Duplicate Bridge 2017, Laws 17 to 22; `docs/games/bridge.md`,
`docs/games/bridge-3p.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid
from junto.games.bridge.scoring import board_dealer
from junto.games.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES, STRAINS
from junto.games.core import IllegalAction
from junto.games.view import Doubling

STRAINS_RISING: Final = (CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP)
"""The strains, lowest first."""
BIDS: Final = tuple(Bid(level, strain) for level in range(1, 8) for strain in STRAINS_RISING)
"""Every bid, lowest first."""
_RANKS: Final = {bid: rank for rank, bid in enumerate(BIDS)}


def bid_rank(bid: Bid) -> int:
    """Return a bid's place among all bids: 0 for 1C .. 34 for 7NT."""
    return _RANKS[bid]


def bid_text(bid: Bid) -> str:
    """Return a bid as players write it: `1NT`."""
    assert bid.strain is not None
    return f"{bid.amount}{STRAINS[bid.strain]}"


def partner_of(seat: int) -> int:
    """Return who sits opposite, of four."""
    return (seat + 2) % 4


def first_caller(board: int, option: str) -> int:
    """Return who calls first on a board: with `dealer` its dealer, with `dealer_partner` his partner."""
    dealer = board_dealer(board)
    return dealer if option == "dealer" else partner_of(dealer)


@dataclass(frozen=True, slots=True)
class Callers:
    """Who takes part in an auction: the seats in clockwise order, and the side of each seat.

    `doubles`: doubling and redoubling are allowed.
    """

    order: tuple[int, ...]
    sides: tuple[int, ...]
    doubles: bool = True

    def after(self, seat: int) -> int:
        """Return who calls after a seat."""
        return self.order[(self.order.index(seat) + 1) % len(self.order)]


FOUR: Final = Callers((0, 1, 2, 3), (0, 1, 0, 1))
"""Four players in two partnerships."""


def three(order: tuple[int, ...], *, doubles: bool = True) -> Callers:
    """Return three players, seats 0 to 2, each for himself; `order` is how they sit, clockwise."""
    return Callers(order, (0, 1, 2), doubles)


@dataclass(frozen=True, slots=True)
class Auction:
    """How far an auction is: whose turn it is, the last bid and its double, and the passes since.

    `bid` and `bidder` are the last bid and who made it, `passes` the passes since the last other call. `named` has
    the seat that named each strain first for its side, by (side, strain).
    """

    callers: Callers
    to_call: int
    bid: Bid | None = None
    bidder: int | None = None
    doubling: Doubling = Doubling.NONE
    passes: int = 0
    named: tuple[tuple[tuple[int, int], int], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether nobody calls any more: all but one passed after the last bid, or all passed and nobody bid."""
        return self.passes == len(self.callers.order) - (0 if self.bid is None else 1)

    @property
    def is_passed_out(self) -> bool:
        """Whether it is over and nobody bid."""
        return self.is_over and self.bid is None

    @property
    def declarer(self) -> int:
        """Who declares if the last bid stands: of the side that made it, the first to name its strain."""
        assert self.bid is not None
        assert self.bid.strain is not None
        return dict(self.named)[self._side_of_bid, self.bid.strain]

    @property
    def bids(self) -> tuple[Bid, ...]:
        """Every bid that is higher than the last one, lowest first."""
        return BIDS if self.bid is None else BIDS[bid_rank(self.bid) + 1 :]

    @property
    def may_double(self) -> bool:
        """Whether the seat whose turn it is may double: the last call but passes is the other side's bid."""
        return self._may_raise_stakes(Doubling.NONE) and self._side_to_call != self._side_of_bid

    @property
    def may_redouble(self) -> bool:
        """Whether the seat whose turn it is may redouble: the other side doubled its own side's bid."""
        return self._may_raise_stakes(Doubling.DOUBLED) and self._side_to_call == self._side_of_bid

    def legal(self) -> Iterator[Action]:
        """Yield every legal call: passing, the bids, a double or a redouble."""
        if self.is_over:
            return
        yield Pass()
        yield from self.bids
        if self.may_double:
            yield DoubleBid()
        if self.may_redouble:
            yield RedoubleBid()

    def check(self, call: Action) -> None:
        """Check a call of the seat whose turn it is.

        Raises:
            IllegalAction: the rules forbid it; the message says which.
        """
        if self.is_over:
            raise IllegalAction("the auction is over")
        match call:
            case Pass():
                return
            case Bid():
                self._check_bid(call)
            case DoubleBid():
                if not self.may_double:
                    raise IllegalAction(self._why_not("double", "a bid of the other side that is not doubled"))
            case RedoubleBid():
                if not self.may_redouble:
                    raise IllegalAction(self._why_not("redouble", "an own bid that the other side doubled"))
            case _:
                raise IllegalAction("now you must call: pass, bid, double or redouble")

    def after(self, call: Action) -> Auction:
        """Return the auction after a call of the seat whose turn it is.

        Raises:
            IllegalAction: the rules forbid it; the message says which.
        """
        self.check(call)
        following = replace(self, to_call=self.callers.after(self.to_call), passes=0)
        match call:
            case Bid():
                return replace(
                    following, bid=call, bidder=self.to_call, doubling=Doubling.NONE, named=self._named_with(call)
                )
            case DoubleBid():
                return replace(following, doubling=Doubling.DOUBLED)
            case RedoubleBid():
                return replace(following, doubling=Doubling.REDOUBLED)
            case _:
                return replace(following, passes=self.passes + 1)

    @property
    def _side_to_call(self) -> int:
        return self.callers.sides[self.to_call]

    @property
    def _side_of_bid(self) -> int:
        assert self.bidder is not None
        return self.callers.sides[self.bidder]

    def _may_raise_stakes(self, doubling: Doubling) -> bool:
        return self.callers.doubles and self.bid is not None and self.doubling is doubling

    def _check_bid(self, bid: Bid) -> None:
        if bid not in _RANKS:
            raise IllegalAction("a bid is a level from 1 to 7 and a strain")
        if self.bid is not None and bid_rank(bid) <= bid_rank(self.bid):
            raise IllegalAction(f"the bid must be higher than {bid_text(self.bid)}")

    def _why_not(self, call: str, asked: str) -> str:
        return f"you can {call} only {asked}" if self.callers.doubles else "there is no doubling at this table"

    def _named_with(self, bid: Bid) -> tuple[tuple[tuple[int, int], int], ...]:
        assert bid.strain is not None
        key = (self._side_to_call, bid.strain)
        return self.named if key in dict(self.named) else (*self.named, (key, self.to_call))


@lru_cache(maxsize=1024)
def auction_after(callers: Callers, first: int, calls: tuple[Action, ...]) -> Auction:
    """Return the auction that `first` began, after these calls.

    Raises:
        IllegalAction: the rules forbid one of them.
    """
    return auction_after(callers, first, calls[:-1]).after(calls[-1]) if calls else Auction(callers, first)
