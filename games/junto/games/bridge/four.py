"""Contract bridge for four players in two partnerships. The rules for players are in `docs/games/bridge.md`."""

from __future__ import annotations

from collections.abc import Sequence

from junto.games.bridge.auction import FOUR, Callers, first_caller, partner_of
from junto.games.bridge.ending import passed_out
from junto.games.bridge.game import HAND, SLAM_BONUS, BridgeDeal, BridgeGame
from junto.games.bridge.scoring import board_dealer
from junto.games.cards import Card, mask_of
from junto.games.core import Deal, Match, Step
from junto.games.dealing import hands_dealt
from junto.games.events import DealStarted, PhaseChanged, Seen
from junto.games.knowledge import Sheet, learn
from junto.games.options import Choice, Option
from junto.games.shuffle import DealSeed
from junto.games.view import Phase, Shared


class Bridge(BridgeGame):
    """Contract bridge with chosen options. A deal's number in its match is its board number."""

    id = "bridge"
    rules_version = 1
    title = "Bridge"
    player_range = (4, 4)
    options_schema = (
        Option(
            "first_caller",
            Choice(("dealer_partner", "dealer")),
            "dealer_partner",
            "Who calls first: the dealer's partner, or the dealer, as in the Laws.",
        ),
        SLAM_BONUS,
        Option(
            "vulnerability",
            Choice(("board", "none", "both")),
            "board",
            "Who is vulnerable: as the board's number says, nobody, or both sides.",
        ),
    )
    claims = True

    def sides(self, match: Match, shared: Shared | None = None) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002  # fixed
        """Return North-South and East-West."""
        return (0, 2), (1, 3)

    def callers(self, shared: Shared | Sheet) -> Callers:  # noqa: ARG002  # they are always the same
        """Return four players, two on a side."""
        return FOUR

    def first_caller(self, shared: Shared | Sheet) -> int:
        """Return the dealer, or his partner."""
        return first_caller(shared.number, str(self.options["first_caller"]))

    def dummy_of(self, declarer: int) -> int:
        """Return declarer's partner."""
        return partner_of(declarer)

    def passed_out(self, deal: BridgeDeal) -> list[Seen]:
        """Return the end of a board that was passed out: it counts, with no points."""
        return passed_out(deal)

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the cards: seat s gets those from 13·s to 13·s + 12 of the shuffled pack."""
        pack = seed.stream("cards").shuffled(self.pack)
        return self.deal_hands(match.deals_opened, [pack[seat * HAND : (seat + 1) * HAND] for seat in range(4)])

    def deal_hands(self, board: int, hands: Sequence[Sequence[Card]]) -> Step:
        """Deal these hands as the board of that number."""
        events = [Seen(DealStarted(board, board_dealer(board))), *hands_dealt(hands), Seen(PhaseChanged(Phase.AUCTION))]
        shared, owns = learn(*self.blank(board), events, self.settle)
        deal = BridgeDeal(self, shared, owns, tuple(map(mask_of, hands)), self.terms.vector)
        return Step(deal, tuple(events))

    def carry(self, match: Match, deal: Deal) -> Match:  # noqa: ARG002  # all follows from the board's number
        """Return the match as it is."""
        return match
