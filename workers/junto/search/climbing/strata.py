"""The worlds of a decision by who holds the named card, so that no holder is left to chance.

Who holds the fourth copy of the card that the emperor of Baohuang has shown decides who plays with whom: it is part
of the world. A world is drawn for a holder, and how likely he is to hold the card weighs it. (Stratified sampling
with importance weights as in ScrofaZero, for Gongzhu.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from junto.games.cards import Card
from junto.games.climbing.ranks import Vector
from junto.search.climbing.knowledge import Knowledge, Matrix
from junto.search.worlds.outline import Limit
from junto.search.worlds.ranks import RankWorlds

ALONE: Final = 0.15
"""How likely an emperor's hand with all copies of the card is, as against one that lacks the last of them;
set by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """The worlds in which one place holds the named card, or all worlds.

    `seen` and `copies` are what a draw adds to, see `Knowledge`; `share` is the chance of these worlds among all,
    `holder` the place.
    """

    worlds: RankWorlds
    seen: Matrix
    copies: Vector
    share: float = 1.0
    holder: int = 0


def whole(known: Knowledge) -> Stratum:
    """Return all worlds in one.

    Raises:
        NoWorld: what is known contradicts itself.
    """
    return Stratum(known.worlds(), known.counts, known.copies)


def by_holder(known: Knowledge, emperor: int | None) -> list[Stratum]:
    """Return the worlds by who holds the named card; in one, if there is none or all see who does.

    An emperor who could show another card has no reason to show one that he has all of: see `ALONE`.

    Raises:
        NoWorld: what is known contradicts itself.
    """
    if known.named is None or known.hidden.count(known.named) != 1:
        return [whole(known)]
    chances = known.worlds().chances(known.named)
    if emperor is not None and chances[emperor] < 1.0:
        chances[emperor] *= ALONE
    places = [place for place, chance in enumerate(chances) if chance > 0.0]
    total = sum(chances)
    return [
        replace(whole(held_by(known, known.named, place)), share=chances[place] / total, holder=place)
        for place in places
    ]


def held_by(known: Knowledge, card: Card, place: int) -> Knowledge:
    """Return what would be known, were a hidden card seen in a place."""
    seen, sizes, hidden, limit = list(known.seen), list(known.sizes), list(known.hidden), known.limit
    seen[place] = (*seen[place], card)
    sizes[place] -= 1
    hidden.remove(card)
    if limit is not None:
        most = list(limit.most)
        most[place] -= limit.cards >> card & 1
        limit = Limit(limit.cards, tuple(min(fewest, size) for fewest, size in zip(most, sizes, strict=True)))
    return replace(known, seen=tuple(seen), sizes=tuple(sizes), hidden=tuple(hidden), limit=limit)
