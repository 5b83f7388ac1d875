"""The state of a deal of Baohuang."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from junto.games.baohuang.offer import Offering
from junto.games.cards import Card
from junto.games.climbing.deal import ClimbingDeal
from junto.games.view import Alliance, BaohuangDetails, Role

if TYPE_CHECKING:
    from junto.games.baohuang.game import Baohuang


@dataclass(frozen=True)
class BaohuangDeal(ClimbingDeal):
    """One deal, see `ClimbingDeal`.

    `must_accept`: the first seat that can be emperor cannot decline. `alliance` and `guard` are what holds once cards
    were shown, whoever knows it.
    """

    game: Baohuang
    offering: Offering
    must_accept: bool = False
    alliance: Alliance | None = field(default=None, repr=False)
    guard: int | None = field(default=None, repr=False)

    @property
    def details(self) -> BaohuangDetails:
        """What everybody knows of this game alone."""
        assert isinstance(self.shared.details, BaohuangDetails)
        return self.shared.details

    @property
    def emperor(self) -> int:
        """The emperor, once there is one."""
        return next(known.seat for known in self.shared.roles if known.role is Role.DECLARER)

    @property
    def named(self) -> Card | None:
        """The card of which the emperor has shown copies."""
        return None if self.details.named is None else self.details.named.card

    @property
    def declined(self) -> int:
        """How often the offer was declined."""
        return len(self.shared.calls)

    @property
    def contribution(self) -> Card | None:
        """What the candidate adds to the pot if he declines."""
        return self.offering.contribution(self.declined, self.hand)

    @property
    def named_played(self) -> list[tuple[int, int]]:
        """Which seats have played how many copies of the named card, in order."""
        actions = (done for played in self.climbing.rounds for done in played.actions if done.combination is not None)
        counts = ((done.seat, done.action.cards.count(self.named)) for done in actions)  # type: ignore[union-attr]
        return [(seat, count) for seat, count in counts if count]
