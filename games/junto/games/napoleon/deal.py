"""How a game with a called partner is dealt, and the state of a deal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from junto.games.cards import Card, mask_of, suit_of
from junto.games.core import Match, Step
from junto.games.dealing import hands_dealt
from junto.games.events import CardsMoved, DealStarted, PhaseChanged, Seen
from junto.games.knowledge import Sheet, learn
from junto.games.napoleon.auction import Auction, next_caller
from junto.games.napoleon.call import Call, roles_shown
from junto.games.napoleon.ending import played_out
from junto.games.napoleon.exchange import Exchange, Trump
from junto.games.napoleon.house import HouseRules
from junto.games.phases import DECK, KITTY, PhaseRule
from junto.games.shuffle import DealSeed
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksDeal, TricksGame
from junto.games.tricks.play import Tricks
from junto.games.tricks.terms import Terms
from junto.games.view import NapoleonDetails, Phase, Shared


class NapoleonGame(TricksGame):
    """A game in which the declarer calls his partner's card: its house rules, how it deals, and who begins."""

    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {
        Phase.AUCTION: Auction(),
        Phase.TRUMP: Trump(),
        Phase.EXCHANGE: Exchange(),
        Phase.CALL: Call(),
        Phase.PLAY: Tricks(),
    }

    @cached_property
    @abstractmethod
    def house(self) -> HouseRules:
        """The rules with the chosen options."""

    @abstractmethod
    def first_bidder(self, match: Match, seed: DealSeed) -> int:
        """Return who bids first in the match's next deal."""

    @cached_property
    def terms(self) -> Terms:
        """The constants of the play."""
        return self.house.terms

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the cards: seat s gets those from s·h to (s + 1)·h − 1 of the shuffled pack, the rest is the kitty."""
        house, size = self.house, self.house.tricks
        pack = seed.stream("cards").shuffled(self.pack)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(house.seats)]
        return self.deal_hands(match.deals_opened, hands, pack[house.seats * size :], self.first_bidder(match, seed))

    def dealer(self, first_bidder: int) -> int | None:  # noqa: ARG002  # where there is one, he sits by that seat
        """Return who deals when this seat bids first; None: there is no dealer."""
        return None

    def deal_hands(self, number: int, hands: Sequence[Sequence[Card]], kitty: Sequence[Card], first: int) -> Step:
        """Deal these hands and this kitty; `first` bids first."""
        events = [Seen(DealStarted(number, self.dealer(first))), *hands_dealt(hands)]
        events += [Seen(CardsMoved(DECK, KITTY, len(kitty))), Seen(PhaseChanged(Phase.AUCTION))]
        shared, owns = learn(*self.blank(number), events, self.settle)
        shared = replace(shared, to_act=first)
        deal = NapoleonDeal(
            self, shared, owns, tuple(map(mask_of, hands)), self.house.terms.vector, tuple(sorted(kitty))
        )
        return Step(deal, tuple(events))

    def details(self, sheet: Sheet) -> NapoleonDetails:
        """Return how much there is to capture, and whether jokers have their power."""
        assert sheet.tricks is not None
        tricks = sheet.tricks.tricks
        done = len(tricks) - (1 if tricks and tricks[-1].winner is None else 0)
        lost = sheet.put_back if self.terms.buried == kernel.BURIED_TO_NOBODY else ()
        return self._details[self.house.worth(lost) if lost else 0][done]

    @cached_property
    def _details(self) -> tuple[tuple[NapoleonDetails, ...], ...]:
        """All details that there can be, by what is known to be put back and the number of tricks done.

        After the last trick, jokers are as they were in it.
        """
        last = self.house.tricks - 1
        strong = tuple(self.house.jokers_strong(min(done, last)) for done in range(last + 2))
        most = self.house.most_points
        return tuple(tuple(NapoleonDetails(most - gone, now) for now in strong) for gone in range(most + 1))

    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return who calls next, or the declarer."""
        if sheet.phase is Phase.AUCTION:
            return next_caller(sheet.calls, self.house) if sheet.calls else sheet.to_act
        return sheet.contract.declarer if sheet.contract is not None and sheet.phase is not Phase.OVER else None

    def first_leader(self, shared: Shared | Sheet) -> int:
        """Return the declarer, or the seat after him."""
        assert shared.contract is not None
        return self.house.first_leader(shared.contract.declarer)

    def shown_with(self, deal: NapoleonDeal, hand: int, card: Card) -> Iterable[Seen]:
        """Return what a called card tells of roles when it is played."""
        return roles_shown(deal, hand, card) if any(card == called.card for called in deal.shared.called) else ()

    def played_out(self, deal: NapoleonDeal, winner: int, points: int) -> list[Seen]:
        """Return the end of a deal, see `TricksGame.played_out`."""
        return played_out(deal, winner, points)

    def idle_card(self, deal: TricksDeal, cards: Sequence[Card]) -> Card:
        """Return the lowest card: plain ones before trumps, jokers, and called cards where they have power."""
        assert isinstance(deal, NapoleonDeal)

        def height(card: Card) -> tuple[bool, bool, int, Card]:
            joker = card >= kernel.SMALL_JOKER
            return bool(deal.rules[kernel.MIGHTY] >> card & 1), joker, 0 if joker else deal.height(card), card

        return min(cards, key=height)

    def idle_call(self, deal: NapoleonDeal, cards: Sequence[Card]) -> Card:
        """Return which card is called for a declarer whose time is up.

        The highest trump that another holds, else the highest such card; if he must play alone, of his own.
        """
        fitting = [
            card
            for card in cards
            if card < kernel.SMALL_JOKER and bool(deal.hand >> card & 1) == self.house.forced_solo
        ]
        return max(fitting, key=lambda card: (deal.height(card), -card))


@dataclass(frozen=True)
class NapoleonDeal(TricksDeal):
    """One deal, see `TricksDeal`.

    `kitty` is empty once the declarer took it. `holders` are the seats that held the called cards when they were
    called, in that order (the declarer's for one in the kitty). The rules of play are complete once all are called.
    """

    game: NapoleonGame
    kitty: tuple[Card, ...] = field(default=(), repr=False)
    put_back: tuple[Card, ...] = field(default=(), repr=False)
    holders: tuple[int, ...] = field(default=(), repr=False)

    @property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        return self.game.house

    @property
    def target(self) -> int:
        """How much the contract asks for."""
        assert self.contract.target is not None
        return self.contract.target

    def height(self, card: Card) -> int:
        """Return how high a suit card is in a trick of its own suit, before a card is called: trumps are higher."""
        return int(kernel.power(self.rules_with(self.trump), 0, suit_of(card), card, leads=False))
