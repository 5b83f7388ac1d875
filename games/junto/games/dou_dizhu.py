"""Dou Dizhu (鬥地主): a landlord against two peasants. The rules for players are in `docs/games/dou-dizhu.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from junto.games.actions import Action, Bid, Pass
from junto.games.cards import Card
from junto.games.climbing import scoring
from junto.games.climbing.combination import Combination
from junto.games.climbing.course import NOBODY
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.idle import lowest_single
from junto.games.climbing.play import Climbing
from junto.games.climbing.ranks import Vector
from junto.games.climbing.terms import DOU_DIZHU, Terms
from junto.games.core import Deal, IllegalAction, Match, Step
from junto.games.dealing import deal_passed_on, dealer_of, hands_dealt, voids_in, with_voids
from junto.games.ending import ended, hands_shown
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    DealStarted,
    Event,
    PhaseChanged,
    RoleRevealed,
    RoundBegan,
    Seen,
)
from junto.games.knowledge import Sheet, learn
from junto.games.options import Choice, Flag, Number, Option
from junto.games.phases import DECK, HANDS, KITTY, PhaseRule
from junto.games.shuffle import DealSeed
from junto.games.view import (
    Choices,
    ClimbingPlay,
    Contract,
    DealResult,
    DouDizhuDetails,
    Outcome,
    Own,
    Phase,
    Role,
    SeatAction,
    SeatResult,
    Shared,
    Spring,
)

PLAYERS: Final = 3
HAND: Final = 17
HIGHEST_BID: Final = 3
MOST_MULTIPLIER: Final = 1 << 15
"""With thirteen bombs, the rocket and spring."""


@dataclass(frozen=True)
class DouDizhuDeal(ClimbingDeal):
    """A deal: `kitty` are the three cards that the landlord takes; `is_last_try`: it is not void if all pass."""

    kitty: tuple[Card, ...] = field(repr=False)
    is_last_try: bool

    @property
    def calls(self) -> list[int]:
        """The bids so far, 0 for a pass."""
        return [_amount(call) for call in self.shared.calls]


def _amount(call: SeatAction) -> int:
    return call.action.amount if isinstance(call.action, Bid) else 0


def auction_is_over(calls: Sequence[int], *, one_round: bool) -> bool:
    """Tell whether calls, 0 for a pass, end an auction: by the highest bid, or as the option `bidding` says."""
    if HIGHEST_BID in calls or (not any(calls) and len(calls) == PLAYERS):
        return True
    return len(calls) == PLAYERS if one_round else any(calls) and calls[-2:] == [0, 0]


class Bidding(PhaseRule[DouDizhuDeal]):
    """In turn each seat passes or bids more than the last bid; who bids most becomes landlord."""

    def choices(self, deal: DouDizhuDeal) -> Choices:
        """List the higher bids."""
        lowest = max(deal.calls, default=0) + 1
        return Choices(passing=True, bids=tuple(Bid(amount) for amount in range(lowest, HIGHEST_BID + 1)))

    def check(self, deal: DouDizhuDeal, action: Action) -> None:
        """Check that a bid is high enough, and no more than three."""
        match action:
            case Pass():
                return
            case Bid(amount, None):
                highest = max(deal.calls, default=0)
                if amount <= highest:
                    raise IllegalAction(f"the bid must be higher than {highest}")
                if amount > HIGHEST_BID:
                    raise IllegalAction(f"{HIGHEST_BID} is the highest bid")
            case Bid():
                raise IllegalAction("in this game a bid is a number alone")
            case _:
                raise IllegalAction("now you must bid or pass")

    def apply(self, deal: DouDizhuDeal, action: Action) -> Step:
        """Go on, make the highest bidder landlord, or end a deal in which nobody bid."""
        taken = Seen(ActionTaken(deal.seat, action))
        calls = [*deal.shared.calls, SeatAction(deal.seat, action)]
        amounts = list(map(_amount, calls))
        if not auction_is_over(amounts, one_round=deal.game.options["bidding"] == "one_round"):
            return deal.after([taken])
        if any(amounts):
            last = max(calls, key=_amount)
            return _with_landlord(deal, last.seat, _amount(last), taken)
        if deal.is_last_try:
            assert deal.shared.dealer is not None
            return _with_landlord(deal, deal.shared.dealer, 1, taken)
        shown = [*hands_shown(deal.hands), CardsShown(KITTY, deal.kitty)]
        return deal.after([taken, *ended(DealResult(Outcome.VOID), shown)])

    def legal(self, deal: DouDizhuDeal) -> Iterator[Action]:
        """Yield a pass and every higher bid."""
        yield Pass()
        yield from self.choices(deal).bids

    def default(self, deal: DouDizhuDeal) -> Action:  # noqa: ARG002  # it never depends on the deal
        """Pass."""
        return Pass()


class DouDizhu(ClimbingGame):
    """Dou Dizhu with chosen options: a match carries who deals next, and how many deals in a row were void."""

    id = "dou-dizhu"
    rules_version = 1
    title = "Dou Dizhu"
    unit = "points"
    role_names: ClassVar = {Role.DECLARER: "landlord", Role.OPPONENT: "peasant"}
    player_range = (PLAYERS, PLAYERS)
    options_schema = (
        Option(
            "bidding",
            Choice(("one_round", "until_two_passes")),
            "one_round",
            "Whether each seat calls once, or the auction goes on until two passes follow a bid.",
        ),
        Option(
            "kicker_rule",
            Choice(("standard", "distinct")),
            "standard",
            "Whether single cards that are carried may be of one rank, or must all be of different ranks.",
        ),
        Option("rocket_as_kickers", Flag(), default=False, meaning="Whether both jokers may be carried together."),
        Option(
            "bomb_factor",
            Choice(("double", "count")),
            "double",
            "Whether every bomb and rocket doubles the score, or their number multiplies it.",
        ),
        Option("multiplier_cap", Number(0, MOST_MULTIPLIER), 0, "The highest multiplier, spring included; 0: any."),
        Option("unit", Number(1, 1000), 1, "What each point of the bid is worth."),
        Option(
            "max_consecutive_voids",
            Number(1, 100),
            3,
            "When so many deals in a row would be void, the last one's dealer becomes landlord at a bid of one.",
        ),
    )
    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {Phase.AUCTION: Bidding(), Phase.PLAY: Climbing()}

    @cached_property
    def terms(self) -> Terms:
        """The constants of the play, with the chosen options."""
        return replace(
            DOU_DIZHU,
            distinct_kickers=self.options["kicker_rule"] == "distinct",
            rocket_as_kickers=bool(self.options["rocket_as_kickers"]),
            bombs_count=self.options["bomb_factor"] == "count",
            most_multiplier=int(self.options["multiplier_cap"]),
            unit=int(self.options["unit"]),
        )

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal seventeen cards to each seat and three to the kitty; the first dealer is a random one."""
        dealer = dealer_of(match, seed, self.seats)
        pack = seed.stream("cards").shuffled(self.pack)
        hands = [pack[seat * HAND : (seat + 1) * HAND] for seat in range(self.seats)]
        return self.deal_hands(match.deals_opened, hands, pack[self.seats * HAND :], dealer, voids_in(match))

    def deal_hands(
        self, number: int, hands: Sequence[Sequence[Card]], kitty: Sequence[Card], dealer: int, voids: int = 0
    ) -> Step:
        """Deal these hands by seat and this kitty, after so many void deals in a row."""
        events = [
            Seen(DealStarted(number, dealer)),
            *hands_dealt(hands),
            Seen(CardsMoved(DECK, KITTY, len(kitty))),
            Seen(PhaseChanged(Phase.AUCTION)),
        ]
        shared, owns = learn(*self.blank(number), events, self.settle)
        sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
        last_try = voids + 1 >= int(self.options["max_consecutive_voids"])
        deal = DouDizhuDeal(self, shared, owns, sorted_hands, tuple(sorted(kitty)), last_try)
        return Step(deal, tuple(events))

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event."""
        shared, owns = super().blank(number)
        return replace(shared, details=DouDizhuDetails()), owns

    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return who calls: the dealer first, then in turn."""
        if sheet.phase is not Phase.AUCTION:
            return None
        assert sheet.dealer is not None
        return (sheet.dealer + len(sheet.calls)) % self.seats

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is, and what the bombs multiply the score by."""
        super().settle(sheet)
        if sheet.contract is None or not isinstance(sheet.details, DouDizhuDetails):
            return
        assert sheet.climbing is not None
        spring = scoring.NO_SPRING
        stakes = stakes_of(sheet.climbing, sheet.contract)
        if sheet.result is not None:
            won = sheet.result.outcome is Outcome.MADE
            spring = int(scoring.spring_of(stakes, landlord_won=won))
        sheet.details = DouDizhuDetails(
            int(stakes[scoring.BOMBS]),
            int(scoring.multiplier_of(self.terms.vector, stakes, spring)),
            None if sheet.result is None else Spring(spring),
        )

    def played_out(self, deal: DouDizhuDeal, places: Sequence[int]) -> list[Seen]:
        """Return the end of a deal: whoever goes out first wins it for his side."""
        contract = deal.shared.contract
        assert contract is not None
        scores, landlord = np.zeros(self.seats, np.int64), contract.declarer
        stakes = stakes_of(deal.climbing, contract)
        scoring.write_scores(scores, self.terms.vector, stakes, np.array(places, np.int64))
        shares = tuple(
            SeatResult(seat, score, Role.DECLARER if seat == landlord else Role.OPPONENT, places[seat] or None)
            for seat, score in enumerate(scores.tolist())
        )
        outcome = Outcome.MADE if places[landlord] == 1 else Outcome.DOWN
        return ended(DealResult(outcome, shares), hands_shown(deal.hands))

    def idle_lead(self, deal: DouDizhuDeal) -> Combination:
        """Return the lowest single card that breaks least."""
        return lowest_single(deal.counts)

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry on who deals next, and how many deals in a row were void."""
        assert deal.shared.result is not None
        voids = voids_in(match) + 1 if deal.shared.result.outcome is Outcome.VOID else 0
        return with_voids(deal_passed_on(match, deal, self.seats), voids)


def _with_landlord(deal: DouDizhuDeal, landlord: int, bid: int, taken: Seen) -> Step:
    """Return the deal after its auction: the landlord takes the kitty before all eyes, and leads."""
    kitty = deal.kitty
    roles = [RoleRevealed(seat, Role.DECLARER if seat == landlord else Role.OPPONENT) for seat in range(PLAYERS)]
    events: tuple[Event, ...] = (
        ContractChanged(Contract(landlord, Bid(bid))),
        *roles,
        CardsShown(KITTY, kitty),
        CardsMoved(KITTY, HANDS[landlord], len(kitty), kitty),
        PhaseChanged(Phase.PLAY),
        RoundBegan(landlord),
    )
    hands = deal.hands_with(landlord, (*deal.hands[landlord], *kitty))
    return deal.after([taken, *map(Seen, events)], hands=hands)


def stakes_of(play: ClimbingPlay, contract: Contract) -> Vector:
    """Return what a deal's score hangs on besides who goes out first, as far as it is played."""
    stakes = np.zeros(scoring.STAKES, np.int64)
    stakes[scoring.DECLARER], stakes[scoring.PARTNER] = contract.declarer, NOBODY
    stakes[scoring.BID] = contract.bid.amount
    for done in (action for one in play.rounds for action in one.actions):
        if done.combination is not None:
            stakes[scoring.BOMBS] += done.combination.is_bomb
            stakes[scoring.DECLARER_PLAYS if done.seat == contract.declarer else scoring.OTHER_PLAYS] += 1
    return stakes
