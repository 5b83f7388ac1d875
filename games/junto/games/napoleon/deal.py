"""How a Napoleon game is dealt, and the state of a deal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from junto.games.actions import Action
from junto.games.cards import Card, mask_of
from junto.games.core import Deal, DealIsOver, Game, Match, Step
from junto.games.events import CardsMoved, DealStarted, PhaseChanged, Seen, only
from junto.games.knowledge import Sheet, learn
from junto.games.napoleon.auction import Auction, next_caller
from junto.games.napoleon.call import Call
from junto.games.napoleon.exchange import Exchange, Trump
from junto.games.napoleon.house import HouseRules
from junto.games.napoleon.phase import DECK, HANDS, KITTY, PhaseRule
from junto.games.napoleon.play import Tricks
from junto.games.shuffle import DealSeed
from junto.games.tricks import kernel
from junto.games.view import (
    Contract,
    HandView,
    NapoleonDetails,
    Own,
    Phase,
    Prompt,
    Shared,
    Tally,
    Trick,
    TrickPlay,
)

_RULES: Final[dict[Phase, PhaseRule]] = {
    Phase.AUCTION: Auction(),
    Phase.TRUMP: Trump(),
    Phase.EXCHANGE: Exchange(),
    Phase.CALL: Call(),
    Phase.PLAY: Tricks(),
}


class NapoleonGame(Game):
    """A Napoleon game: its house rules, how it deals, and who begins."""

    @cached_property
    @abstractmethod
    def house(self) -> HouseRules:
        """The rules with the chosen options."""

    @abstractmethod
    def first_bidder(self, match: Match, seed: DealSeed) -> int:
        """Return who bids first in the match's next deal."""

    @property
    def seats(self) -> int:
        """How many play."""
        return self.house.seats

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the cards: seat s gets those from s·h to (s + 1)·h − 1 of the shuffled pack, the rest is the kitty."""
        house, size = self.house, self.house.tricks
        pack = seed.stream("cards").shuffled(house.pack)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(house.seats)]
        return self.deal_hands(match.deals_opened, hands, pack[house.seats * size :], self.first_bidder(match, seed))

    def deal_hands(self, number: int, hands: Sequence[Sequence[Card]], kitty: Sequence[Card], first: int) -> Step:
        """Deal these hands and this kitty; `first` bids first."""
        events = [Seen(DealStarted(number))]
        for seat, hand in enumerate(hands):
            backs = CardsMoved(DECK, HANDS[seat], len(hand))
            events.append(only(seat, replace(backs, cards=tuple(sorted(hand))), backs))
        events += [Seen(CardsMoved(DECK, KITTY, len(kitty))), Seen(PhaseChanged(Phase.AUCTION))]
        shared, owns = learn(*self.blank(number), events, self.settle)
        shared = replace(shared, to_act=first)
        deal = NapoleonDeal(
            self, shared, owns, tuple(map(mask_of, hands)), self.house.terms.vector, tuple(sorted(kitty))
        )
        return Step(deal, tuple(events))

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event: empty hands, and how many tricks there will be."""
        seats = range(self.house.seats)
        tricks = TrickPlay(self.house.tricks, tallies=tuple(map(Tally, seats)))
        hands = tuple(HandView(seat, 0) for seat in seats)
        return Shared(number, Phase.DEAL, hands, tricks=tricks), tuple(map(Own, seats))

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is, how many court cards are in play, and whether jokers have their power."""
        assert sheet.tricks is not None
        sheet.to_act = self._turn(sheet)
        tricks = sheet.tricks.tricks
        done = len(tricks) - (1 if tricks and tricks[-1].winner is None else 0)
        sheet.details = self._details[len(self.house.courts_among(sheet.put_back))][done]

    @cached_property
    def _details(self) -> tuple[tuple[NapoleonDetails, ...], ...]:
        """All details that there can be, by the number of court cards known to be put back and of tricks done."""
        strong = tuple(map(self.house.jokers_strong, range(self.house.tricks + 1)))
        courts = self.house.courts
        return tuple(tuple(NapoleonDetails(courts - gone, now) for now in strong) for gone in range(courts + 1))

    def _turn(self, sheet: Sheet) -> int | None:
        match sheet.phase:
            case Phase.AUCTION:
                return next_caller(sheet.calls, self.house) if sheet.calls else sheet.to_act
            case Phase.TRUMP | Phase.EXCHANGE | Phase.CALL:
                assert sheet.contract is not None
                return sheet.contract.declarer
            case Phase.PLAY:
                return self._next_player(sheet)
            case _:
                return None

    def _next_player(self, sheet: Sheet) -> int:
        assert sheet.tricks is not None
        assert sheet.contract is not None
        if not sheet.tricks.tricks:
            return self.house.first_leader(sheet.contract.declarer)
        trick = sheet.tricks.tricks[-1]
        return trick.winner if trick.winner is not None else (trick.leader + len(trick.cards)) % self.house.seats


@dataclass(frozen=True)
class NapoleonDeal(Deal):
    """One deal: what is known, and what lies hidden. Its `repr` tells what everybody knows.

    `hands` are sets of cards by seat; `kitty` is empty once Napoleon took it. `holders` are the seats that
    held the secretary cards when they were called, in that order. `rules` is the kernel's vector: the terms
    alone until all secretary cards are called.
    """

    game: NapoleonGame
    shared: Shared
    owns: tuple[Own, ...] = field(repr=False)
    hands: tuple[int, ...] = field(repr=False)
    rules: kernel.Vector = field(compare=False, repr=False)
    kitty: tuple[Card, ...] = field(default=(), repr=False)
    put_back: tuple[Card, ...] = field(default=(), repr=False)
    holders: tuple[int, ...] = field(default=(), repr=False)

    @cached_property
    def prompt(self) -> Prompt | None:
        """What the seat to act may do; None once the deal is over."""
        if self.is_over:
            return None
        return Prompt(self.seat, self.shared.phase, self._rule.choices(self))

    def check(self, action: Action) -> None:
        """Check an action of the seat to act, see `Deal.check`."""
        self._rule.check(self, action)

    def apply(self, action: Action) -> Step:
        """Return the deal after an action of the seat to act, see `Deal.apply`."""
        rule = self._rule
        rule.check(self, action)
        return rule.apply(self, action)

    def legal_actions(self) -> Iterator[Action]:
        """Yield every legal action, see `Deal.legal_actions`."""
        return iter(()) if self.is_over else self._rule.legal(self)

    def default_action(self) -> Action:
        """Return the action that is taken when the seat's time is up."""
        return self._rule.default(self)

    @property
    def _rule(self) -> PhaseRule:
        try:
            return _RULES[self.shared.phase]
        except KeyError:
            raise DealIsOver("the deal is over") from None

    # What the phases ask of a deal.

    @property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        return self.game.house

    @property
    def seat(self) -> int:
        """The seat to act, in a deal that is not over."""
        assert self.shared.to_act is not None
        return self.shared.to_act

    @property
    def hand(self) -> int:
        """The cards of the seat to act, as a set."""
        return self.hands[self.seat]

    @property
    def contract(self) -> Contract:
        """The contract, once the auction is won."""
        assert self.shared.contract is not None
        return self.shared.contract

    @property
    def target(self) -> int:
        """How many court cards the contract asks for."""
        assert self.contract.target is not None
        return self.contract.target

    @property
    def trump(self) -> int:
        """The trump suit, once it is named."""
        assert self.shared.tricks is not None
        assert self.shared.tricks.trump is not None
        return self.shared.tricks.trump

    @property
    def trick(self) -> Trick | None:
        """The trick on the table; None if one is to be led."""
        assert self.shared.tricks is not None
        tricks = self.shared.tricks.tricks
        return tricks[-1] if tricks and tricks[-1].winner is None else None

    @property
    def trick_number(self) -> int:
        """The number of the trick that is on the table or to be led, from 0."""
        assert self.shared.tricks is not None
        return len(self.shared.tricks.tricks) - (0 if self.trick is None else 1)

    @property
    def longest_suit(self) -> int:
        """The suit of which the seat to act holds most; spades, hearts, diamonds, clubs on ties."""
        return max(range(4), key=lambda suit: ((self.hand >> 13 * suit & kernel.WHOLE_SUIT).bit_count(), -suit))

    def hands_with(self, hand: int) -> tuple[int, ...]:
        """Return the hands with another one for the seat to act."""
        return (*self.hands[: self.seat], hand, *self.hands[self.seat + 1 :])

    def after(
        self,
        events: Sequence[Seen],
        *,
        hands: tuple[int, ...] | None = None,
        rules: kernel.Vector | None = None,
        kitty: tuple[Card, ...] | None = None,
        put_back: tuple[Card, ...] | None = None,
        holders: tuple[int, ...] | None = None,
    ) -> Step:
        """Return the step that these events make; what is not given lies as it did."""
        shared, owns = learn(self.shared, self.owns, events, self.game.settle)
        deal = NapoleonDeal(
            self.game,
            shared,
            owns,
            self.hands if hands is None else hands,
            self.rules if rules is None else rules,
            self.kitty if kitty is None else kitty,
            self.put_back if put_back is None else put_back,
            self.holders if holders is None else holders,
        )
        return Step(deal, tuple(events))
