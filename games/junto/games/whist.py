"""Whist: four players, partners drawn by cards. The rules for players are in `docs/games/whist.md`.

Players keep their seats. Where the draw puts them is told as the order in which the hands lie round the table:
the drawers of spades, hearts, clubs and diamonds, clockwise, so that partners sit opposite each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Card, mask_of, suit_of
from junto.games.core import Deal, Match, RuleError, Step
from junto.games.dealing import hands_dealt
from junto.games.ending import ended
from junto.games.events import (
    CardsShown,
    DealStarted,
    PhaseChanged,
    PlacesSwapped,
    SeatDraw,
    SeatsDrawn,
    Seen,
    TrumpChanged,
)
from junto.games.knowledge import Sheet, learn
from junto.games.options import Number, Option
from junto.games.phases import HANDS, PhaseRule
from junto.games.shuffle import DealSeed
from junto.games.tricks import scoring
from junto.games.tricks.deal import Stakes, TricksDeal, TricksGame
from junto.games.tricks.kernel import NOBODY
from junto.games.tricks.play import Tricks
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.games.view import DealResult, Details, Outcome, Phase, SeatResult, Shared, WhistDetails

PLAYERS: Final = 4
SEATING: Final = (SPADES, HEARTS, CLUBS, DIAMONDS)
"""Who drew which suit sits where, clockwise; the first deals first."""
_PLACES: Final = "places"
_UNMOVED: Final = (0, 1, 2, 3)


class Whist(TricksGame):
    """Whist with chosen options: a match carries how the players sit round the table."""

    id = "whist"
    rules_version = 1
    title = "Whist"
    unit = "tricks"
    role_names: ClassVar = {}
    player_range = (PLAYERS, PLAYERS)
    options_schema = (
        Option("target", Number(0, 50), 0, "The points that end the match; 0: the number of deals alone does."),
    )
    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {Phase.PLAY: Tricks()}
    terms = Terms(trick_points=1, scoring=scoring.BY_MARGIN)

    @property
    def zero_sum(self) -> bool:
        """Whether the scores sum to zero: only the winners score."""
        return False

    @property
    def default_deals(self) -> int:
        """One deal; with a target as many as it can take at most, for every deal is worth a point."""
        return max(1, 2 * int(self.options["target"]) - 1)

    def is_decided(self, match: Match) -> bool:
        """Tell whether a side has the points that end the match."""
        return 0 < int(self.options["target"]) <= max(match.scores)

    def sides(self, match: Match, shared: Shared | None = None) -> tuple[tuple[int, ...], ...]:
        """Return who plays with whom: the black drawers, then the red ones; nothing before the draw."""
        places = tuple(hand.seat for hand in shared.hands) if shared else match.carried_value(_PLACES)
        return (tuple(sorted(places[::2])), tuple(sorted(places[1::2]))) if places else ()

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the shuffled pack one by one from the dealer's left; the last card, the dealer's, is turned up.

        Before the first deal each seat draws a suit; the spade drawer deals first, then it goes clockwise.

        Raises:
            RuleError: what the match carries are no places.
        """
        places = match.carried_value(_PLACES)
        draws = () if places else _drawn(seed)
        places = places or tuple(draw.from_seat for draw in sorted(draws, key=lambda draw: SEATING.index(draw.suit)))
        if sorted(places) != list(_UNMOVED):
            raise RuleError(f"{places} are no places of four players")
        pack = seed.stream("cards").shuffled(self.pack)
        at = (match.deals_opened - 1) % PLAYERS
        hands: list[list[Card]] = [[] for _ in places]
        for number, card in enumerate(pack):
            hands[places[(at + 1 + number) % PLAYERS]].append(card)
        return self.deal_hands(match.deals_opened, hands, places[at], pack[-1], places, draws)

    def deal_hands(
        self,
        number: int,
        hands: Sequence[Sequence[Card]],
        dealer: int,
        turned: Card,
        places: tuple[int, ...] = _UNMOVED,
        draws: tuple[SeatDraw, ...] = (),
    ) -> Step:
        """Deal these hands by seat, of which the dealer's has the card that is turned up; hands lie at these places."""
        events = [Seen(DealStarted(number, dealer))]
        if draws:
            events.append(Seen(SeatsDrawn(draws)))
        if places != _UNMOVED:
            events.append(Seen(PlacesSwapped(places)))
        events += hands_dealt(hands)
        trump = suit_of(turned)
        events += [
            Seen(CardsShown(HANDS[dealer], (turned,))),
            Seen(TrumpChanged(trump)),
            Seen(PhaseChanged(Phase.PLAY)),
        ]
        shared, owns = learn(*self.blank(number), events, self.settle)
        deal = TricksDeal(self, shared, owns, tuple(map(mask_of, hands)), rules_of_deal(self.terms, trump))
        return Step(deal, tuple(events))

    def details(self, sheet: Sheet) -> Details | None:
        """Return the card that was turned up in the dealer's hand."""
        if sheet.details is not None or sheet.phase is not Phase.PLAY:
            return sheet.details
        shown = next(hand.open for hand in sheet.hands if hand.seat == sheet.dealer)
        return WhistDetails(shown[0])

    def turn_before_play(self, sheet: Sheet) -> int | None:  # noqa: ARG002  # there is nothing to decide
        """Return nobody: the play begins at once."""
        return None

    def first_leader(self, shared: Shared | Sheet) -> int:
        """Return the player to the dealer's left."""
        assert shared.dealer is not None
        return self.hand_after(shared, shared.dealer, 1)

    def stakes(self, shared: Shared) -> Stakes:
        """Return the side of the first place as the declarer's: nobody has undertaken anything."""
        one, other = (hand.seat for hand in shared.hands[::2])
        return Stakes(one, other, 0)

    def played_out(self, deal: TricksDeal, winner: int, points: int) -> list[Seen]:
        """Return the end of a deal: the side with more tricks gets those above six, each of its players."""
        assert deal.shared.tricks is not None
        stakes = self.stakes(deal.shared)
        side = {stakes.declarer, stakes.partner}
        taken = sum(tally.points for tally in deal.shared.tricks.tallies if tally.seat in side)
        captured = taken + (points if winner in side else 0)
        scores = np.zeros(PLAYERS, np.int64)
        terms = self.terms
        scoring.write_scores(
            scores, terms.vector, stakes.declarer, stakes.partner, NOBODY, 0, captured, terms.tricks - captured
        )
        shares = tuple(SeatResult(seat, score) for seat, score in enumerate(scores.tolist()))
        return ended(DealResult(Outcome.PLAYED, shares))

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry the places on: partners are drawn once."""
        return match.carrying(**{_PLACES: tuple(hand.seat for hand in deal.shared.hands)})


def _drawn(seed: DealSeed) -> tuple[SeatDraw, ...]:
    """Return what the seats draw: seat s the s-th of the four shuffled suits. Nobody changes his seat."""
    suits = seed.stream("draw").shuffled(SEATING)
    return tuple(SeatDraw(seat, suit, seat) for seat, suit in enumerate(suits))
