"""A trick-taking game, and the state of one of its deals: what all games of the family share.

A game says which phases it has and what is its own; the play of the cards is the same everywhere
(`junto.games.tricks.play`). Hands are numbered by the seats that hold them; a hand without an owner has the
number after the last seat's.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from junto.games.cards import Card, cards_in, rank_of, suit_of
from junto.games.core import Game
from junto.games.events import Seen
from junto.games.knowledge import Sheet
from junto.games.phases import PhasedDeal, PhaseRule
from junto.games.tricks import kernel
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.games.view import (
    Contract,
    Details,
    HandView,
    Own,
    Phase,
    Shared,
    Tally,
    Trick,
    TrickPlay,
)


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a deal's play is about, as the scoring kernel reads it: hands by number.

    `partner` is the hand that everybody knows to be on the declarer's side (`NOBODY`: it is for the deal to show),
    `contract` the number that `write_scores` takes. Without a contract any side is the declarer's.
    """

    declarer: int
    partner: int
    contract: int


class TricksGame(Game):
    """A trick-taking game: its terms, its phases, and whose turn it is."""

    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]]

    @cached_property
    @abstractmethod
    def terms(self) -> Terms:
        """The constants of the play, with the chosen options."""

    @abstractmethod
    def turn_before_play(self, sheet: Sheet) -> int | None:
        """Return whose turn it is in a phase before the play; None after it."""

    @abstractmethod
    def first_leader(self, shared: Shared | Sheet) -> int:
        """Return the hand that leads to the first trick."""

    @abstractmethod
    def played_out(self, deal: Any, winner: int, points: int) -> list[Seen]:
        """Return the end of a deal whose last trick, worth `points`, goes to the hand `winner`."""

    @property
    def seats(self) -> int:
        """How many play."""
        return self.terms.seats

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """The cards, in the order of their numbers."""
        return (*range(kernel.SMALL_JOKER), *cards_in(self.terms.jokers))

    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known before the first event: empty hands, and how many tricks there will be."""
        hands = range(self.terms.seats)
        tricks = TrickPlay(self.terms.tricks, tallies=tuple(map(Tally, hands)))
        shared = Shared(number, Phase.DEAL, tuple(HandView(hand, 0) for hand in hands), tricks=tricks)
        return shared, tuple(map(Own, range(self.seats)))

    def settle(self, sheet: Sheet) -> None:
        """Write down whose turn it is, and the details."""
        if sheet.phase is Phase.PLAY:
            sheet.to_act = self.player_of(sheet, self.next_hand(sheet))
        elif sheet.phase is not Phase.DEAL:
            sheet.to_act = self.turn_before_play(sheet)
        sheet.details = self.details(sheet)

    def details(self, sheet: Sheet) -> Details | None:
        """Return what only this game has in its shared view, as it follows from the rest; None: as it is."""
        return sheet.details

    def stakes(self, shared: Shared) -> Stakes:
        """Return what the play is about, once the declarer is known."""
        assert shared.contract is not None
        return Stakes(shared.contract.declarer, kernel.NOBODY, shared.contract.target or 0)

    def next_hand(self, shared: Shared | Sheet) -> int:
        """Return the hand from which the next card is played."""
        assert shared.tricks is not None
        if not shared.tricks.tricks:
            return self.first_leader(shared)
        trick = shared.tricks.tricks[-1]
        if trick.winner is not None:
            return trick.winner
        return self.hand_after(shared, trick.leader, len(trick.cards))

    def hand_after(self, shared: Shared | Sheet, hand: int, steps: int) -> int:
        """Return the hand so many places clockwise from another one."""
        order = [view.seat for view in shared.hands]
        return order[(order.index(hand) + steps) % len(order)]

    def player_of(self, shared: Shared | Sheet, hand: int) -> int:  # noqa: ARG002  # dummy is played by another
        """Return the seat that plays a hand's cards."""
        return hand

    def hand_to_play(self, shared: Shared) -> int:
        """Return the hand from which the seat to act plays: its own, where nobody plays another's."""
        assert shared.to_act is not None
        return shared.to_act

    def shown_with(self, deal: Any, hand: int, card: Card) -> Iterable[Seen]:  # noqa: ARG002  # most show nothing
        """Return what everybody learns when a card is played from a hand."""
        return ()

    def idle_card(self, deal: TricksDeal, cards: Sequence[Card]) -> Card:
        """Return which of the legal cards is played for a seat whose time is up.

        The lowest that follows suit, else the lowest of the longest suit that is not trumps.
        """
        trick, hand = deal.trick, deal.hand

        def order(card: Card) -> tuple[bool, bool, int, int, int]:
            suit = suit_of(card)
            joker = suit not in range(4)
            length = 0 if joker else (hand >> 13 * suit & kernel.WHOLE_SUIT).bit_count()
            follows = trick is not None and suit == trick.led_suit
            return not follows and suit == deal.trump, joker, -length, 0 if joker else rank_of(card), card

        return min(cards, key=order)


@dataclass(frozen=True)
class TricksDeal(PhasedDeal):
    """One deal: what is known, and what lies hidden. Its `repr` tells what everybody knows.

    `hands` are sets of cards by hand number. `rules` is the kernel's vector: the terms alone until trumps and
    called cards are settled.
    """

    hands: tuple[int, ...] = field(repr=False)
    rules: kernel.Vector = field(compare=False, repr=False)

    @property
    def hand_number(self) -> int:
        """The hand from which the seat to act plays: its own, or dummy's."""
        return self.game.hand_to_play(self.shared) if self.phase is Phase.PLAY else self.seat

    @property
    def hand(self) -> int:
        """The cards from which the seat to act plays, as a set."""
        return self.hands[self.hand_number]

    @property
    def contract(self) -> Contract:
        """The contract, once the auction is won."""
        assert self.shared.contract is not None
        return self.shared.contract

    @property
    def trump(self) -> int:
        """The trumps (4: none), once they are settled."""
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
        """The suit of which the hand to play has most; spades, hearts, diamonds, clubs on ties."""
        return max(range(4), key=lambda suit: ((self.hand >> 13 * suit & kernel.WHOLE_SUIT).bit_count(), -suit))

    def hands_with(self, hand: int) -> tuple[int, ...]:
        """Return the hands, with other cards in the one to play."""
        number = self.hand_number
        return (*self.hands[:number], hand, *self.hands[number + 1 :])

    def rules_with(self, trump: int, *called: Card) -> kernel.Vector:
        """Return the rules of play once trumps and called cards are settled."""
        return rules_of_deal(self.game.terms, trump, *called)
