"""The end of a deal in which a partner's card is called: what was hidden is shown, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from junto.games.cards import Card, cards_in
from junto.games.ending import ended, hands_shown
from junto.games.events import CardsShown, Event, RoleRevealed, Seen
from junto.games.phases import KITTY, PUT_BACK
from junto.games.view import Contract, DealResult, Outcome, Role, SeatResult

if TYPE_CHECKING:
    from junto.games.napoleon.deal import NapoleonDeal


def played_out(deal: NapoleonDeal, winner: int, points: int) -> list[Seen]:
    """Return the end of a deal whose last trick, worth `points`, goes to `winner`."""
    assert deal.shared.tricks is not None
    declarer, side = deal.contract.declarer, {deal.contract.declarer, *deal.holders}
    taken = [tally.points + (points if tally.seat == winner else 0) for tally in deal.shared.tricks.tallies]
    captured, made, scores = deal.house.result(declarer, deal.holders, deal.target, taken, deal.put_back, winner)
    outcome = Outcome.MADE if made else Outcome.DOWN
    hidden = tuple(card for card in deal.put_back if card not in deal.shared.put_back)
    shown = [*_put_back_shown(hidden), *_roles_put_back(deal)]
    return ended(DealResult(outcome, _shares(scores, declarer, side), captured), shown)


def hopeless(deal: NapoleonDeal, contract: Contract, hands: Sequence[int], hidden: tuple[Card, ...]) -> list[Seen]:
    """Return the end of a deal whose contract asks for more than there is to capture."""
    assert contract.target is not None
    declarer = contract.declarer
    shares = _shares(deal.house.hopeless_scores(declarer, contract.target), declarer, {declarer})
    allies = [RoleRevealed(share.seat, Role.OPPONENT) for share in shares if share.seat != declarer]
    result = DealResult(Outcome.DOWN, shares, captured=0)
    return ended(result, [*allies, *hands_shown(map(cards_in, hands)), *_put_back_shown(hidden)])


def void(deal: NapoleonDeal) -> list[Seen]:
    """Return the end of a deal in which nobody bid."""
    return ended(DealResult(Outcome.VOID), [*hands_shown(map(cards_in, deal.hands)), CardsShown(KITTY, deal.kitty)])


def _put_back_shown(hidden: tuple[Card, ...]) -> list[Event]:
    return [CardsShown(PUT_BACK, hidden)] if hidden else []


def _roles_put_back(deal: NapoleonDeal) -> list[Event]:
    """Return what a called card tells of roles that was put back: its holder, the declarer, was alone."""
    if all(called.card not in deal.put_back for called in deal.shared.called):
        return []
    declarer = deal.contract.declarer
    allies = [RoleRevealed(seat, Role.OPPONENT) for seat in range(deal.house.seats) if seat != declarer]
    return [RoleRevealed(declarer, Role.DECLARER, alone=True), *allies]


def _shares(scores: Sequence[int], declarer: int, side: set[int]) -> tuple[SeatResult, ...]:
    def role(seat: int) -> Role:
        return Role.DECLARER if seat == declarer else Role.PARTNER if seat in side else Role.OPPONENT

    return tuple(SeatResult(seat, score, role(seat)) for seat, score in enumerate(scores))
