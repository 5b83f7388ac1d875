"""The end of a deal of bridge: all cards are shown, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from junto.games.cards import cards_in
from junto.games.events import CardsShown, DealEnded, Event, PhaseChanged, Seen
from junto.games.tricks import scoring
from junto.games.tricks.kernel import NOBODY
from junto.games.tricks.phase import HANDS
from junto.games.view import DealResult, Outcome, Phase, SeatResult

if TYPE_CHECKING:
    from junto.games.bridge.game import BridgeDeal


def played_out(deal: BridgeDeal, captured: int) -> list[Seen]:
    """Return the end of a deal of which all tricks were played; declarer's side has `captured` so many."""
    return _end([], _scored(deal, captured))


def claimed(deal: BridgeDeal, tricks: int) -> list[Seen]:
    """Return the end of a deal whose last tricks were claimed, so many of them, and both defenders agreed."""
    return _end(_hands_shown(deal.hands), _scored(deal, deal.taken + tricks))


def passed_out(deal: BridgeDeal) -> list[Seen]:
    """Return the end of a deal in which nobody bid, and which counts: no points for anybody."""
    shares = tuple(SeatResult(seat, 0) for seat in range(deal.game.seats))
    return _end(_hands_shown(deal.hands), DealResult(Outcome.DRAWN, shares))


def dealt_again(deal: BridgeDeal) -> list[Seen]:
    """Return the end of a deal in which nobody bid, and which does not count."""
    return _end(_hands_shown(deal.hands), DealResult(Outcome.VOID))


def _end(shown: Sequence[Event], result: DealResult) -> list[Seen]:
    return [Seen(event) for event in (PhaseChanged(Phase.OVER), *shown, DealEnded(result))]


def _hands_shown(hands: Sequence[int]) -> list[Event]:
    return [CardsShown(HANDS[number], tuple(cards_in(hand))) for number, hand in enumerate(hands)]


def _scored(deal: BridgeDeal, captured: int) -> DealResult:
    """Return the result: duplicate scores, plus for one side and minus for the other."""
    terms, stakes = deal.game.terms, deal.game.stakes(deal.shared)
    scores = np.zeros(terms.seats, np.int64)
    lost = terms.tricks - captured
    scoring.write_scores(scores, terms.vector, stakes.declarer, stakes.partner, NOBODY, stakes.contract, captured, lost)
    made = bool(scoring.is_made(terms.vector, stakes.contract, captured))
    shares = tuple(SeatResult(seat, int(scores[seat]), deal.shared.role_of(seat)) for seat in range(deal.game.seats))
    return DealResult(Outcome.MADE if made else Outcome.DOWN, shares, captured)
