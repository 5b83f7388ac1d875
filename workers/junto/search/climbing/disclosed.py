"""What a deal of Baohuang tells of cards that a seat does not hold, by the rules alone.

Tribute is a hand's best cards; what goes into the pot is told by the hand; and on the street all see when a seat has
nothing but threes, and when it has not. Cards that come to a hand later are seen by all. So what a hand lacked then,
its hidden cards lack now. Source: Baohuang's page, sections 2, 8 and 9.

Not told here: that a hand has no three equal cards, when its seat declines though so many deals were void that it
had to accept if it could.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from junto.games.actions import PlayCards
from junto.games.baohuang.game import Baohuang
from junto.games.baohuang.offer import Offering
from junto.games.baohuang.tribute import best_first
from junto.games.cards import PACK, Card, mask_of
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import View
from junto.games.view import BaohuangDetails, Role, Round, Shared
from junto.search.worlds.outline import Limit

_CARDS = (1 << PACK) - 1
_THREES = mask_of(card for card in range(PACK) if rank_of_card(card) == 0)


def lacked(game: Baohuang, view: View) -> list[int]:
    """Return the cards that none of each seat's hidden ones is, as sets, by seat."""
    lacks, details = [0] * game.seats, details_of(view.shared)
    for tribute in details.tributes:
        lacks[tribute.from_seat] |= _better(tribute.card)
    for declined, payment in enumerate(details.payments):
        lacks[payment.seat] |= _not_given(_offering(game, view), declined, payment.card)
    for clearing in details.clearings:
        lacks[clearing.seat] |= _CARDS & ~_THREES
    return lacks


def threes_held(game: Baohuang, shared: Shared, hidden: Sequence[int]) -> Limit | None:
    """Return how many threes are at most among so many `hidden` cards of each seat; None: nothing is known of them.

    A seat whose last set was beaten at once without its being cleared has a card that is no three.
    """
    if not game.terms.threes_last or shared.climbing is None:
        return None
    most = list(hidden)
    for seat in _beaten(shared.climbing.rounds) - {clearing.seat for clearing in details_of(shared).clearings}:
        if hidden[seat] and not mask_of(shared.hands[seat].open) & ~_THREES:
            most[seat] -= 1
    return Limit(_THREES, tuple(most)) if most != list(hidden) else None


def details_of(shared: Shared) -> BaohuangDetails:
    """Return what a deal of Baohuang has besides."""
    assert isinstance(shared.details, BaohuangDetails)
    return shared.details


def _beaten(rounds: Iterable[Round]) -> set[int]:
    """Return the seats whose last set was beaten at once."""
    beaten = set()
    for one in rounds:
        owner = None
        for done in one.actions:
            if isinstance(done.action, PlayCards):
                if owner is not None:
                    beaten.add(owner)
                owner = done.seat
                beaten.discard(owner)
    return beaten


def _offering(game: Baohuang, view: View) -> Offering:
    """Return how the offer goes, as everybody knows it."""
    last = view.match.last_deal
    shares = last.result.seats if last is not None else ()
    emperor = next((share.seat for share in shares if share.role is Role.DECLARER), None)
    return Offering(view.shared.calls[0].seat, game.street, emperor)


@functools.cache
def _better(card: Card) -> int:
    """Return the cards that would be paid as tribute before this one."""
    return mask_of(other for other in range(PACK) if best_first(other) < best_first(card))


@functools.cache
def _not_given(offering: Offering, declined: int, given: Card | None) -> int:
    """Return the cards of which a candidate would have put one into the pot instead of this one, or of nothing."""
    rest = () if given is None else (given,)
    return mask_of(card for card in range(PACK) if offering.contribution(declined, (card, *rest)) != given)
