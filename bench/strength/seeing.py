"""What a bot knows that sees all cards: one world is left, and that is the deal."""

from __future__ import annotations

from dataclasses import replace

from junto.games.cards import mask_of
from junto.games.climbing.deal import ClimbingDeal
from junto.games.core import Deal, View
from junto.games.dou_dizhu import DouDizhuDeal
from junto.games.tricks.deal import TricksDeal
from junto.search.climbing import knowledge as climbing
from junto.search.tricks import knowledge as tricks


def tricks_cards(deal: Deal, view: View) -> tricks.Knowledge:
    """Return what the seat to act knows of a trick-taking deal if it sees every hand and what was put back."""
    assert isinstance(deal, TricksDeal)
    known = tricks.knowledge_of(view)
    return replace(
        known,
        seen=tuple(deal.hands[hand.seat] for hand in view.shared.hands),
        put_back=known.put_back | mask_of(card for own in deal.owns for card in own.put_back),
        pile=None,
    )


def climbing_cards(deal: Deal, view: View) -> climbing.Knowledge:
    """Return what the seat to act knows of a climbing deal if it sees every hand and the kitty."""
    assert isinstance(deal, ClimbingDeal)
    known = climbing.knowledge_of(view)
    kitty = deal.kitty if isinstance(deal, DouDizhuDeal) and view.shared.kitty_size else ()
    nothing = (0,) * len(known.sizes)
    return replace(known, seen=(*deal.hands, kitty), sizes=nothing, hidden=(), barred=nothing, limit=None)
