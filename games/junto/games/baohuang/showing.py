"""The phase in which the emperor shows cards, and so names his guard (命名)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from junto.games.actions import Action, ShowCards
from junto.games.baohuang.naming import COPIES, SHOWN, alliance_of, default_show, shows_of
from junto.games.core import IllegalAction, Step
from junto.games.events import ActionTaken, CardsShown, PhaseChanged, RoleRevealed, RoundBegan, Seen, only
from junto.games.phases import HANDS, PhaseRule
from junto.games.view import Alliance, Choices, Phase, Role

if TYPE_CHECKING:
    from junto.games.baohuang.deal import BaohuangDeal


class Showing(PhaseRule["BaohuangDeal"]):
    """The emperor shows three or four copies of a card; everybody is told what he is himself."""

    def choices(self, deal: BaohuangDeal) -> Choices:
        """Name all that can be shown."""
        return Choices(showing=shows_of(deal.hand))

    def check(self, deal: BaohuangDeal, action: Action) -> None:
        """Check that the emperor has what he shows."""
        if not isinstance(action, ShowCards):
            raise IllegalAction("now you must show three or four equal cards")
        if action not in shows_of(deal.hand):
            raise IllegalAction(_why_not(deal, action))

    def apply(self, deal: BaohuangDeal, action: Action) -> Step:
        """Show the cards, tell the roles, and let the emperor lead."""
        assert isinstance(action, ShowCards)
        emperor = deal.seat
        alliance, guard = alliance_of(emperor, action, deal.hands)
        events = [
            Seen(ActionTaken(emperor, action)),
            Seen(CardsShown(HANDS[emperor], (action.card,) * action.count)),
            *_roles_told(deal.game.seats, emperor, guard, alliance),
            Seen(PhaseChanged(Phase.PLAY)),
            Seen(RoundBegan(emperor)),
        ]
        return deal.after(events, alliance=alliance, guard=guard)

    def legal(self, deal: BaohuangDeal) -> Iterator[Action]:
        """Yield all that can be shown."""
        yield from shows_of(deal.hand)

    def default(self, deal: BaohuangDeal) -> Action:
        """Show three of the lowest rank."""
        return default_show(shows_of(deal.hand))


def roles_known(seats: int, emperor: int, guard: int | None) -> Iterator[RoleRevealed]:
    """Yield what everybody learns of roles once the guard is known, or that there is none."""
    if guard is None:
        yield RoleRevealed(emperor, Role.DECLARER, alone=True)
    else:
        yield RoleRevealed(guard, Role.PARTNER)
    for seat in _rebels(seats, emperor, guard):
        yield RoleRevealed(seat, Role.OPPONENT)


def _roles_told(seats: int, emperor: int, guard: int | None, alliance: Alliance) -> Iterator[Seen]:
    """Yield what each seat is told of itself alone; after an open solo all know everything."""
    if alliance is Alliance.OPEN_SOLO:
        yield from map(Seen, roles_known(seats, emperor, guard))
        return
    if guard is None:
        yield only(emperor, RoleRevealed(emperor, Role.DECLARER, secret=True, alone=True))
    else:
        yield only(guard, RoleRevealed(guard, Role.PARTNER, secret=True))
    for seat in _rebels(seats, emperor, guard):
        yield only(seat, RoleRevealed(seat, Role.OPPONENT, secret=True))


def _rebels(seats: int, emperor: int, guard: int | None) -> Iterator[int]:
    return (seat for seat in range(seats) if seat not in (emperor, guard))


def _why_not(deal: BaohuangDeal, show: ShowCards) -> str:
    """Return why this cannot be shown."""
    if show.count not in range(SHOWN, COPIES + 1):
        return "three or four equal cards are shown"
    if deal.hand.count(show.card) < show.count:
        return f"you do not have {show.count} of this card"
    return "twos and jokers cannot be shown"
