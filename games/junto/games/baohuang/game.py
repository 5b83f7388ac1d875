"""Baohuang (保皇): an emperor, his secret guard, and who is out first. Rules for players: `docs/games/baohuang.md`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Final

from junto.games.actions import ShowCards
from junto.games.baohuang.asking import Asking
from junto.games.baohuang.carried import owed_in, with_owed, with_void
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.ending import owed_after, played_out, told_by_play
from junto.games.baohuang.naming import COPIES
from junto.games.baohuang.offer import PLAYERS, Offering, must_accept
from junto.games.baohuang.showing import Showing
from junto.games.baohuang.tribute import Owed, hands_after, tributes_of
from junto.games.cards import BIG_JOKER, Card
from junto.games.climbing import course, kernel
from junto.games.climbing.combination import Combination, Kind, made_of
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.play import Climbing
from junto.games.climbing.ranks import RANKS, rank_of_card
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, Terms
from junto.games.core import Deal, Match, Step
from junto.games.dealing import hands_dealt, voids_in
from junto.games.events import CardsMoved, DealStarted, PhaseChanged, Seen
from junto.games.knowledge import Sheet, learn
from junto.games.options import PRESET, Choice, Flag, Number, Option
from junto.games.phases import DECK, HANDS, POT, PhaseRule
from junto.games.shuffle import DealSeed
from junto.games.view import (
    Alliance,
    BaohuangDetails,
    DealResult,
    LastDeal,
    Outcome,
    Own,
    Phase,
    Role,
    SeatRole,
    Shared,
)

STREET: Final = "shandong_street"
_REMOVED: Final = {"none": "", "3": "3", "34": "34", "345": "345"}


class Baohuang(ClimbingGame):
    """Baohuang with chosen options: a match carries the tribute that the last scored deal leaves."""

    id = "baohuang"
    rules_version = 1
    title = "Baohuang"
    unit = "points"
    role_names: ClassVar = {Role.DECLARER: "emperor", Role.PARTNER: "guard", Role.OPPONENT: "rebel"}
    player_range = (PLAYERS, PLAYERS)
    options_schema = (
        Option(PRESET, Choice(("classic", STREET)), "classic", "Whose rules are played."),
        Option("pure_jokers", Choice(("always", "last_only")), "always", "When jokers may be played by themselves."),
        Option("jiefeng", Choice(("apply", "auto_next")), "apply", "Who leads after the last set of a seat."),
        Option("payout", Choice(("team", "shares")), "team", "Whether seats score their side's points, or shares."),
        Option(
            "clear3",
            Flag(),
            default=True,
            meaning="On the street: threes go last, and who is left with them can be cleared.",
        ),
        Option("max_consecutive_voids", Number(0, 9), 3, "After so many void deals in a row somebody must accept."),
        Option("removed_ranks", Choice(tuple(_REMOVED)), "none", "On the street: ranks that are not in the pack."),
    )
    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {
        Phase.OFFER: Asking(),
        Phase.SHOW: Showing(),
        Phase.PLAY: Climbing(),
    }

    @property
    def street(self) -> bool:
        """Whether it is played as on the street in Shandong."""
        return self.options[PRESET] == STREET

    @cached_property
    def terms(self) -> Terms:
        """The constants of the play."""
        options = self.options
        return replace(
            BAOHUANG_STREET if self.street else BAOHUANG,
            jokers_last=options["pure_jokers"] == "last_only",
            threes_last=self.street and bool(options["clear3"]),
            heir=course.APPLICANT if options["jiefeng"] == "apply" else course.NEXT,
            shares=options["payout"] == "shares",
        )

    @property
    def zero_sum(self) -> bool:
        """Whether the scores of a deal sum to zero: as shares they do."""
        return self.options["payout"] == "shares"

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """The cards of all packs, equal ones next to each other; on the street without those of removed ranks."""
        removed = _REMOVED[str(self.options["removed_ranks"])] if self.street else ""
        return tuple(card for card in super().pack if RANKS[rank_of_card(card)] not in removed)

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the shuffled pack, without the big joker that lies in the pot: seat s gets the s-th part of it.

        Who is asked first, a random seat or on the street the last emperor, gets the first of the cards left over,
        the seats after him one each of the others.
        """
        owed = owed_in(match)
        first = owed.emperor if self.street and owed is not None else seed.stream("first").below(PLAYERS)
        pack = seed.stream("cards").shuffled(self.pack if self.street else self.pack[:-1])
        size, left = divmod(len(pack), PLAYERS)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(PLAYERS)]
        for number in range(left):
            hands[(first + number) % PLAYERS].append(pack[PLAYERS * size + number])
        return self.deal_hands(match.deals_opened, hands, first, owed, voids_in(match))

    def deal_hands(
        self, number: int, hands: Sequence[Sequence[Card]], first: int, owed: Owed | None = None, voids: int = 0
    ) -> Step:
        """Deal these hands; `first` is asked first. Tribute is paid for what is owed.

        So many of the last deals were void.
        """
        pot = () if self.street else (BIG_JOKER,)
        tributes = tributes_of(owed, hands) if owed is not None else ()
        events = [Seen(DealStarted(number))]
        if pot:
            events.append(Seen(CardsMoved(DECK, POT, len(pot), pot)))
        events += hands_dealt(hands)
        events += [Seen(CardsMoved(HANDS[one.from_seat], HANDS[one.to_seat], 1, (one.card,))) for one in tributes]
        events.append(Seen(PhaseChanged(Phase.OFFER)))
        shared, owns = learn(*self.blank(number), events, self.settle)
        offering = Offering(first, self.street, owed.emperor if owed is not None else None)
        held = tuple(tuple(sorted(hand)) for hand in hands_after(hands, tributes))
        forced = must_accept(voids, int(self.options["max_consecutive_voids"]))
        return Step(BaohuangDeal(self, replace(shared, to_act=first), owns, held, offering, forced), tuple(events))

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event: empty hands, an empty pot."""
        shared, owns = super().blank(number)
        return replace(shared, details=BaohuangDetails()), owns

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is, and what everybody knows of the emperor's alliance."""
        super().settle(sheet)
        details = sheet.details
        assert isinstance(details, BaohuangDetails)
        if details.named is not None and details.alliance is None:
            sheet.details = replace(details, alliance=_known_alliance(details.named, sheet.roles))

    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return who is asked next, or the emperor."""
        if sheet.phase is Phase.OFFER:
            return (sheet.calls[-1].seat - 1) % PLAYERS if sheet.calls else sheet.to_act
        if sheet.phase is Phase.SHOW:
            return next(known.seat for known in sheet.roles if known.role is Role.DECLARER)
        return None

    def after_play(self, deal: BaohuangDeal, seat: int, cards: tuple[Card, ...]) -> Iterable[Seen]:
        """Return what a play tells of roles, and who is cleared by it."""
        return told_by_play(deal, seat, cards)

    def played_out(self, deal: BaohuangDeal, places: Sequence[int]) -> list[Seen]:
        """Return the end of a deal, see `ClimbingGame.played_out`."""
        return played_out(deal, places)

    def idle_lead(self, deal: BaohuangDeal) -> Combination:
        """Return all cards of the lowest rank, on the street not threes; a joker if there is nothing else."""
        counts = deal.counts
        ranks = [rank for rank in range(kernel.RANKS) if counts[rank] > 0]
        lowest = next((rank for rank in ranks if rank or not self.street), 0)
        if lowest > kernel.TWO:
            return made_of(Kind.SET, lowest, 0, [lowest])
        cards = [lowest] * int(counts[lowest])
        return made_of(Kind.SET, lowest, len(cards), cards)

    def last_deal(self, shared: Shared, result: DealResult) -> LastDeal:
        """Return the result, and what else the tribute hangs on."""
        assert isinstance(shared.details, BaohuangDetails)
        return LastDeal(shared.number, result, shared.details.alliance, shared.details.clearings)

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry on what is owed; a void deal is counted, and leaves the rest as it was."""
        assert isinstance(deal, BaohuangDeal)
        assert deal.shared.result is not None
        if deal.shared.result.outcome is Outcome.VOID:
            return with_void(match)
        return with_owed(match, owed_after(deal))


def _known_alliance(named: ShowCards, roles: Iterable[SeatRole]) -> Alliance | None:
    """Return whether the emperor has a guard, as far as that follows from what everybody knows of roles."""
    known = {one.role for one in roles}
    if named.count == COPIES:
        return Alliance.OPEN_SOLO
    if Role.PARTNER in known:
        return Alliance.PARTNER
    return Alliance.HIDDEN_SOLO if Role.OPPONENT in known else None
