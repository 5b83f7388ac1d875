"""The end of a deal of bridge: all cards are shown, and the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from junto.games.cards import cards_in
from junto.games.ending import ended, hands_shown
from junto.games.events import Seen
from junto.games.tricks import scoring
from junto.games.tricks.kernel import NOBODY
from junto.games.view import DealResult, Outcome, SeatResult

if TYPE_CHECKING:
    from junto.games.bridge.game import BridgeDeal


def played_out(deal: BridgeDeal, captured: int) -> list[Seen]:
    """Return the end of a deal of which all tricks were played; declarer's side has `captured` so many."""
    return ended(_scored(deal, captured))


def claimed(deal: BridgeDeal, tricks: int) -> list[Seen]:
    """Return the end of a deal whose last tricks were claimed, so many of them, and both defenders agreed."""
    return ended(_scored(deal, deal.taken + tricks), hands_shown(map(cards_in, deal.hands)))


def passed_out(deal: BridgeDeal) -> list[Seen]:
    """Return the end of a deal in which nobody bid, and which counts: no points for anybody."""
    shares = tuple(SeatResult(seat, 0) for seat in range(deal.game.seats))
    return ended(DealResult(Outcome.DRAWN, shares), hands_shown(map(cards_in, deal.hands)))


def dealt_again(deal: BridgeDeal) -> list[Seen]:
    """Return the end of a deal in which nobody bid, and which does not count."""
    return ended(DealResult(Outcome.VOID), hands_shown(map(cards_in, deal.hands)))


def _scored(deal: BridgeDeal, captured: int) -> DealResult:
    """Return the result: duplicate scores, plus for one side and minus for the other."""
    terms, stakes = deal.game.terms, deal.game.stakes(deal.shared)
    scores = np.zeros(terms.seats, np.int64)
    lost = terms.tricks - captured
    scoring.write_scores(scores, terms.vector, stakes.declarer, stakes.partner, NOBODY, stakes.contract, captured, lost)
    made = bool(scoring.is_made(terms.vector, stakes.contract, captured))
    shares = tuple(SeatResult(seat, int(scores[seat]), deal.shared.role_of(seat)) for seat in range(deal.game.seats))
    return DealResult(Outcome.MADE if made else Outcome.DOWN, shares, captured)
