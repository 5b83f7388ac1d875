"""What one seat knows of the cards in a deal of a climbing game: the search's seam to the domain.

Places are the seats, then the kitty. Equal cards of several packs count each, as if they could be told apart: a card
that is played or shown is one that lay open in its hand before, if there is an equal one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from junto.games.actions import PlayCards
from junto.games.baohuang.game import Baohuang
from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.ranks import Vector, counts_of
from junto.games.core import View
from junto.games.view import BaohuangDetails, Shared
from junto.search.climbing.disclosed import details_of, lacked, threes_held
from junto.search.decisions import UnplayableGame
from junto.search.worlds.outline import Limit
from junto.search.worlds.ranks import RankWorlds, count_rank_worlds

Matrix = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a seat knows of the cards when it has to decide.

    `seen` are the cards in each place that the seat knows, its own hand among them, and `sizes` how many others lie
    there. These are the `hidden` cards: `barred` are the cards, as sets, that none of those in a place is, and of some
    a place may hold no more than a `limit`. Copies of the `named` card are counted; None: there is no such card.
    """

    seat: int
    seen: tuple[tuple[Card, ...], ...]
    sizes: tuple[int, ...]
    hidden: tuple[Card, ...]
    barred: tuple[int, ...]
    limit: Limit | None = None
    named: Card | None = None

    @property
    def counts(self) -> Matrix:
        """How many cards of each rank are seen in each place: what a draw adds to."""
        return np.array([counts_of(cards) for cards in self.seen])

    @property
    def copies(self) -> Vector:
        """How many copies of the named card are seen in each place: what a draw adds to."""
        return np.array([0 if self.named is None else cards.count(self.named) for cards in self.seen], np.int64)

    def worlds(self) -> RankWorlds:
        """Count the ways in which the hidden cards can lie.

        Raises:
            NoWorld: what is known contradicts itself.
        """
        return count_rank_worlds(self.hidden, self.barred, self.sizes, self.named, self.limit)


def knowledge_of(view: View) -> Knowledge:
    """Return what the seat to act knows of the cards in a deal of a climbing game.

    Raises:
        UnplayableGame: it is another game.
    """
    game, shared = view.game, view.shared
    if not isinstance(game, ClimbingGame):
        raise UnplayableGame(f"this strategy does not play {game.id}")
    seen = tuple(view.own.hand if hand.seat == view.seat else hand.open for hand in shared.hands)
    sizes = tuple(hand.size - len(cards) for hand, cards in zip(shared.hands, seen, strict=True))
    hidden = Counter(game.pack)
    hidden.subtract(card for cards in (*seen, _laid_out(shared)) for card in cards)
    barred, limit, named = [0] * game.seats, None, None
    if isinstance(game, Baohuang):
        show = details_of(shared).named
        barred, limit, named = lacked(game, view), threes_held(game, shared, sizes), None if show is None else show.card
    return Knowledge(
        seat=view.seat,
        seen=(*seen, ()),
        sizes=(*sizes, shared.kitty_size),
        hidden=tuple(hidden.elements()),
        barred=(*barred, 0),
        limit=None if limit is None else Limit(limit.cards, (*limit.most, shared.kitty_size)),
        named=named,
    )


def _laid_out(shared: Shared) -> Iterator[Card]:
    """Yield the cards that lie in nobody's hand, open to all: those that were played, and those in a pot."""
    yield from _played(shared)
    if isinstance(shared.details, BaohuangDetails):
        yield from shared.details.pot


def _played(shared: Shared) -> Iterable[Card]:
    rounds = () if shared.climbing is None else shared.climbing.rounds
    actions = (done.action for one in rounds for done in one.actions)
    return (card for action in actions if isinstance(action, PlayCards) for card in action.cards)
