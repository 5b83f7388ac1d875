"""What a play tells of roles and of seats with nothing but threes, and the end of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from junto.games.baohuang.naming import discovered
from junto.games.baohuang.showing import roles_known
from junto.games.baohuang.standing import outcome_of, points_of, scores_of, stakes_of
from junto.games.baohuang.tribute import Owed
from junto.games.cards import Card
from junto.games.climbing.deal import round_of
from junto.games.climbing.ranks import rank_of_card
from junto.games.ending import ended, hands_shown
from junto.games.events import Event, SeatCleared, Seen
from junto.games.view import Clearing, DealResult, Role, SeatResult

if TYPE_CHECKING:
    from junto.games.baohuang.deal import BaohuangDeal

_THREE = 0


def told_by_play(deal: BaohuangDeal, seat: int, cards: Sequence[Card]) -> Iterator[Seen]:
    """Yield what everybody learns when a seat plays these cards; the deal is as it was before."""
    show = deal.details.named
    assert show is not None
    if (copies := cards.count(show.card)) and deal.details.alliance is None:
        alliance, guard = discovered(deal.emperor, show, [*deal.named_played, (seat, copies)])
        if alliance is not None:
            yield from map(Seen, roles_known(deal.game.seats, deal.emperor, guard))
    if deal.game.terms.threes_last:
        yield from _clearing(deal, seat)


def _clearing(deal: BaohuangDeal, seat: int) -> Iterator[Seen]:
    """Yield the clearing of the owner of the set that is beaten, if threes are all that it left him."""
    top = round_of(deal.shared).top
    left = deal.hands[top.seat] if top is not None else ()
    if top is not None and left and all(rank_of_card(card) == _THREE for card in left):
        yield Seen(SeatCleared(Clearing(top.seat, seat)))


def played_out(deal: BaohuangDeal, places: Sequence[int]) -> list[Seen]:
    """Return the end of a deal: roles and remaining cards are shown, and what each seat scores."""
    assert deal.alliance is not None
    emperor, guard = deal.emperor, deal.guard
    order, stakes = order_of(places), stakes_of(emperor, guard, deal.alliance)
    scores = scores_of(deal.game.terms, stakes, order)
    shares = tuple(
        SeatResult(seat, score, _role(seat, emperor, guard), places[seat]) for seat, score in enumerate(scores)
    )
    roles: list[Event] = [] if deal.details.alliance is not None else [*roles_known(deal.game.seats, emperor, guard)]
    result = DealResult(outcome_of(points_of(deal.game.terms, stakes, order)), shares)
    return ended(result, [*roles, *hands_shown(deal.hands)])


def owed_after(deal: BaohuangDeal) -> Owed:
    """Return what a finished deal that was not void leaves for the next one."""
    assert deal.shared.result is not None
    assert deal.alliance is not None
    order = order_of([share.place or 0 for share in deal.shared.result.seats])
    won = points_of(deal.game.terms, stakes_of(deal.emperor, deal.guard, deal.alliance), order)
    return Owed(deal.emperor, deal.guard, deal.alliance, order, won, deal.details.clearings)


def order_of(places: Sequence[int]) -> tuple[int, ...]:
    """Return the seats in the order of their places."""
    return tuple(sorted(range(len(places)), key=lambda seat: places[seat]))


def _role(seat: int, emperor: int, guard: int | None) -> Role:
    return Role.DECLARER if seat == emperor else Role.PARTNER if seat == guard else Role.OPPONENT
