"""What bridge for four and for three share: how a deal stands, who plays which hand, who is vulnerable.

A deal has four hands, by number; with three players hand 3 is the pile, which has no owner. Hands lie round the
table clockwise in the order of `Shared.hands`; a hand's index there is its place.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

from junto.games.bridge.auction import Auction, Callers, auction_after
from junto.games.bridge.calling import Calling
from junto.games.bridge.ending import played_out
from junto.games.bridge.play import Playing
from junto.games.bridge.scoring import board_vulnerability, is_vulnerable
from junto.games.cards import Card, cards_in
from junto.games.events import CardsShown, Seen
from junto.games.knowledge import Sheet
from junto.games.options import Choice, Option
from junto.games.phases import HANDS, PhaseRule
from junto.games.tricks import scoring
from junto.games.tricks.deal import Stakes, TricksDeal, TricksGame
from junto.games.tricks.terms import Terms
from junto.games.view import BridgeDetails, Doubling, Own, PendingClaim, Phase, Role, Shared, Vulnerability

SLAM_BONUS: Final = Option(
    "slam_bonus",
    Choice(("bid", "taken")),
    "bid",
    "What earns a slam's bonus: a slam that was bid, or the 12 or 13 tricks of any contract that is made.",
)
HAND: Final = 13
"""Cards of a hand."""


class BridgeGame(TricksGame):
    """A game of bridge: who calls, where dummy is, and what follows from the board's number."""

    unit = "tricks"
    role_names: ClassVar[Mapping[Role, str]] = {
        Role.DECLARER: "declarer",
        Role.PARTNER: "dummy",
        Role.OPPONENT: "defender",
    }
    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {Phase.AUCTION: Calling(), Phase.PLAY: Playing()}
    claims: ClassVar[bool]
    """Whether declarer may claim tricks."""

    @abstractmethod
    def callers(self, shared: Shared | Sheet) -> Callers:
        """Return who calls with whom, and in which order."""

    @abstractmethod
    def first_caller(self, shared: Shared | Sheet) -> int:
        """Return who calls first."""

    @abstractmethod
    def dummy_of(self, declarer: int) -> int:
        """Return the hand that declarer plays besides his own."""

    @abstractmethod
    def passed_out(self, deal: BridgeDeal) -> list[Seen]:
        """Return the end of a deal in which nobody bid."""

    def moved(self, shared: Shared, declarer: int) -> list[Seen]:  # noqa: ARG002  # with four players nobody moves
        """Return who changes places when the auction is over."""
        return []

    @cached_property
    def terms(self) -> Terms:
        """The constants of the play: plain tricks, each counts one."""
        return Terms(tricks=HAND, trick_points=1, scoring=scoring.DUPLICATE, score_options=self.score_options)

    @property
    def score_options(self) -> int:
        """How a deal is scored: what earns a slam's bonus."""
        return scoring.SLAMS_TAKEN if self.options["slam_bonus"] == "taken" else 0

    def vulnerability(self, board: int) -> Vulnerability:
        """Return who is vulnerable on a board."""
        match self.options["vulnerability"]:
            case "board":
                return board_vulnerability(board)
            case "none":
                return Vulnerability.NONE
            case _:
                return Vulnerability.BOTH

    def is_vulnerable(self, shared: Shared, hand: int) -> bool:
        """Tell whether the side at the place where a hand lies is vulnerable."""
        place = next(place for place, view in enumerate(shared.hands) if view.seat == hand)
        return is_vulnerable(self.vulnerability(shared.number), place)

    def auction(self, shared: Shared | Sheet) -> Auction:
        """Return how far the auction is."""
        calls = tuple(call.action for call in shared.calls)
        return auction_after(self.callers(shared), self.first_caller(shared), calls)

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event: the board's number, and who is vulnerable on it."""
        shared, owns = super().blank(number)
        return replace(shared, details=BridgeDetails(number, self.vulnerability(number))), owns

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is, and where dummy is; a pending claim is for the next defender to answer."""
        super().settle(sheet)
        claim = _details(sheet).claim
        if sheet.phase is Phase.PLAY and claim is not None:
            sheet.to_act = self.asked(sheet, claim)

    def asked(self, sheet: Sheet, claim: PendingClaim) -> int:
        """Return the defender who has to answer a claim: clockwise from the claimer, who has not agreed yet."""
        assert sheet.contract is not None
        dummy = self.dummy_of(sheet.contract.declarer)
        after = (self.hand_after(sheet, claim.seat, step) for step in range(1, 4))
        return next(hand for hand in after if hand not in (dummy, *claim.agreed))

    def details(self, sheet: Sheet) -> BridgeDetails:
        """Return the details with dummy's hand, once there is a contract."""
        details = _details(sheet)
        if sheet.contract is None or details.dummy is not None:
            return details
        return replace(details, dummy=self.dummy_of(sheet.contract.declarer))

    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return who calls next; None once the deal is over."""
        return self.auction(sheet).to_call if sheet.phase is Phase.AUCTION else None

    def stakes(self, shared: Shared) -> Stakes:
        """Return declarer, dummy, and the contract as the compiled scores read it."""
        contract = shared.contract
        assert contract is not None
        assert contract.bid.strain is not None
        assert contract.doubling is not None
        vulnerable = int(self.is_vulnerable(shared, contract.declarer))
        doubled = contract.doubling - Doubling.NONE
        packed = scoring.packed_contract(contract.bid.amount, contract.bid.strain, doubled, vulnerable)
        return Stakes(contract.declarer, self.dummy_of(contract.declarer), int(packed))

    def first_leader(self, shared: Shared | Sheet) -> int:
        """Return the hand to declarer's left."""
        assert shared.contract is not None
        return self.hand_after(shared, shared.contract.declarer, 1)

    def player_of(self, shared: Shared | Sheet, hand: int) -> int:
        """Return who plays a hand: declarer plays dummy's too."""
        assert shared.contract is not None
        declarer = shared.contract.declarer
        return declarer if hand == self.dummy_of(declarer) else hand

    def hand_to_play(self, shared: Shared) -> int:
        """Return the hand whose turn it is: the seat to act's own, or dummy."""
        return self.next_hand(shared)

    def shown_with(self, deal: BridgeDeal, hand: int, card: Card) -> Iterable[Seen]:  # noqa: ARG002  # by all leads
        """Return dummy, which is laid open after the opening lead."""
        assert deal.shared.tricks is not None
        if deal.shared.tricks.tricks:
            return ()
        return (Seen(CardsShown(HANDS[deal.dummy], tuple(cards_in(deal.hands[deal.dummy])))),)

    def played_out(self, deal: BridgeDeal, winner: int, points: int) -> list[Seen]:
        """Return the end of a deal, see `TricksGame.played_out`."""
        return played_out(deal, deal.taken + (points if winner in deal.side else 0))


@dataclass(frozen=True)
class BridgeDeal(TricksDeal):
    """One deal, see `TricksDeal`; `refused_at` is the number of the last trick before which a claim was refused."""

    game: BridgeGame
    refused_at: int | None = None

    @property
    def auction(self) -> Auction:
        """How far the auction is."""
        return self.game.auction(self.shared)

    @property
    def dummy(self) -> int:
        """The number of dummy's hand, once there is a contract."""
        return self.game.dummy_of(self.contract.declarer)

    @property
    def side(self) -> tuple[int, int]:
        """Declarer's hand and dummy's."""
        return self.contract.declarer, self.dummy

    @property
    def taken(self) -> int:
        """The tricks that declarer's side has taken."""
        assert self.shared.tricks is not None
        return sum(tally.tricks for tally in self.shared.tricks.tallies if tally.seat in self.side)

    @property
    def tricks_left(self) -> int:
        """The tricks that are not complete."""
        return HAND - self.trick_number

    @property
    def claim(self) -> PendingClaim | None:
        """The claim that defenders have to answer."""
        assert isinstance(self.shared.details, BridgeDetails)
        return self.shared.details.claim


def _details(sheet: Sheet) -> BridgeDetails:
    assert isinstance(sheet.details, BridgeDetails)
    return sheet.details
