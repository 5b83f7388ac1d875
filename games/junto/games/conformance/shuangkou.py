"""Conformance cases of Shuangkou, each driven through a deal of the real rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from junto.games.actions import PlayCards
from junto.games.cards import Card
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import RANKS
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.climbing import ClimbingCases, cards_of_ranks, with_finished
from junto.games.conformance.driving import after
from junto.games.shuangkou import PLAYERS, Shuangkou

_LABELS: Final = {2: "shuang", 3: "dan", 4: "ping"}
"""By the place of the first one's partner."""


class ShuangkouCases(ClimbingCases):
    """The cases of Shuangkou."""

    seats = PLAYERS

    def leading(
        self, case: Case, hands: Sequence[Sequence[Card]], leader: int, finished: Sequence[int] = ()
    ) -> ClimbingDeal:
        """Return a deal whose play begins, see `ClimbingCases.leading`."""
        deal = Shuangkou(case.options).deal_hands(1, hands, leader).deal
        assert isinstance(deal, ClimbingDeal)
        return with_finished(deal, finished)

    def named(self, combination: Combination) -> Answer:
        """Return its type, its key and its length."""
        kind = "king_bomb" if combination.kind is Kind.JOKER_BOMB else combination.kind.name.lower()
        return {"type": kind, "key": RANKS[combination.key], "len": combination.length}

    def score(self, case: Case) -> Answer:
        """Say what a deal is worth in which the seats go out in this order: each has one card, and beats the last."""
        order = case.given["order"]
        hands = {seat: cards_of_ranks(rank) for seat, rank in zip(order, "3456", strict=True)}
        deal = self.leading(case, [hands[seat] for seat in range(PLAYERS)], order[0])
        for seat in order[:-1]:
            while deal.to_act != seat:
                deal = after(deal, deal.default_action())
            deal = after(deal, PlayCards(hands[seat]))
        assert deal.shared.result is not None
        assert deal.scores is not None
        places = {share.seat: share.place for share in deal.shared.result.seats}
        partner = places[(order[0] + 2) % PLAYERS]
        assert partner is not None
        return {"label": _LABELS[partner], "team_scores": list(deal.scores[:2])}


_CASES: Final = ShuangkouCases()
ADAPTER: Final[Adapter] = {**_CASES.adapter, "score": _CASES.score}
