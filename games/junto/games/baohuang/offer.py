"""The offer: who is asked to become emperor, in which order, and what those who decline add to the pot.

It goes clockwise, from a seat to the one with the number before it. After five have declined, the first is asked
once more; if he declines again the deal is void. A seat that does not qualify declines as well: nobody can tell
why somebody declines. Source: Baohuang's page, sections 2 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from junto.games.cards import Card, suit_of
from junto.games.climbing import kernel
from junto.games.climbing.ranks import rank_of_card

PLAYERS: Final = 5
ASKED: Final = 6
"""How often somebody is asked before a deal is void."""
_TWO: Final = kernel.TWO
_SMALL: Final = kernel.SMALL
_BIG: Final = kernel.BIG


@dataclass(frozen=True, slots=True)
class Offering:
    """How a deal's offer goes: who is asked `first`, the rules of the `street` or not, the previous emperor if any."""

    first: int
    street: bool = False
    previous_emperor: int | None = None

    def candidate(self, declined: int) -> int | None:
        """Return who is asked after so many have declined; None: nobody any more, the deal is void."""
        return (self.first - declined) % PLAYERS if declined < ASKED else None

    def contribution(self, declined: int, hand: Iterable[Card]) -> Card | None:
        """Return the card that the candidate adds to the pot when he declines; None: nothing.

        A two, the lowest suit (clubs, diamonds, hearts, spades) first. Who is asked first adds nothing, but on the
        street he does: the previous emperor his best joker before a two. Others without a two add a joker there,
        a small one first. Nobody adds twice.
        """
        if declined == ASKED - 1 or (declined == 0 and not self.street):
            return None
        held: dict[int, Card] = {}
        for card in hand:
            rank = rank_of_card(card)
            if rank >= _TWO and (rank not in held or suit_of(card) > suit_of(held[rank])):
                held[rank] = card
        ranks: tuple[int, ...] = (_TWO,)
        if self.street:
            best_first = declined == 0 and self.first == self.previous_emperor
            ranks = (_BIG, _SMALL, _TWO) if best_first else (_TWO, _SMALL, _BIG)
        return next((held[rank] for rank in ranks if rank in held), None)


def must_accept(voids: int, most_voids: int) -> bool:
    """Tell whether the first seat that qualifies has to accept: so many void deals in a row are the most."""
    return voids >= most_voids
