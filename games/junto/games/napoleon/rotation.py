"""The games with a called partner in which the deal goes round the table."""

from __future__ import annotations

from typing import ClassVar

from junto.games.core import Deal, Match
from junto.games.dealing import deal_passed_on, dealer_of
from junto.games.napoleon.deal import NapoleonGame
from junto.games.shuffle import DealSeed


class DealtInTurn(NapoleonGame):
    """A game whose dealer is a random one first, and then always the next seat, after a void deal, too."""

    first_bidder_after_dealer: ClassVar[int] = 0
    """How many seats after the dealer, clockwise, he sits who bids first: 0, the dealer himself."""

    def first_bidder(self, match: Match, seed: DealSeed) -> int:
        """Return who bids first: he has his place by the dealer."""
        return (dealer_of(match, seed, self.seats) + self.first_bidder_after_dealer) % self.seats

    def dealer(self, first_bidder: int) -> int:
        """Return who deals when this seat bids first."""
        return (first_bidder - self.first_bidder_after_dealer) % self.seats

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry on who deals next."""
        return deal_passed_on(match, deal, self.seats)
