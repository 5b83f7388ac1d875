"""Bridge for three players and a fourth hand, the pile. The rules for players are in `docs/games/bridge-3p.md`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from junto.games.bridge.auction import Callers, three
from junto.games.bridge.ending import dealt_again
from junto.games.bridge.game import HAND, SLAM_BONUS, BridgeDeal, BridgeGame
from junto.games.cards import Card, mask_of, rank_of, suit_of
from junto.games.core import Deal, Match, RuleError, Step
from junto.games.dealing import hands_dealt
from junto.games.events import (
    CardsMoved,
    CardsShown,
    DealStarted,
    PhaseChanged,
    PileLaid,
    PlacesSwapped,
    PointsReported,
    Seen,
    only,
)
from junto.games.knowledge import Sheet, learn
from junto.games.options import Choice, Flag, Option
from junto.games.phases import DECK, HANDS
from junto.games.shuffle import DealSeed
from junto.games.tricks import scoring
from junto.games.tricks.kernel import JACK
from junto.games.view import Phase, PointReport, Shared

PLAYERS: Final = 3
PILE: Final = 3
"""The pile's hand number."""
_PLACES: Final = "places"
_FIRST_PLACES: Final = (0, 1, 2, PILE)
_SHOWN: Final = 4


class BridgeThree(BridgeGame):
    """Bridge for three with chosen options: a match carries how the hands lie round the table."""

    id = "bridge-3p"
    rules_version = 1
    title = "Bridge for three"
    player_range = (PLAYERS, PLAYERS)
    options_schema = (
        Option("doubles", Flag(), default=True, meaning="Bids may be doubled and redoubled."),
        SLAM_BONUS,
        Option(
            "zero_sum", Flag(), default=False, meaning="The declarer wins or loses what both defenders do together."
        ),
        Option(
            "vulnerability",
            Choice(("none", "all", "board")),
            "none",
            "Who is vulnerable: nobody, everybody, or as the board's number says of the pile's and the other places.",
        ),
    )
    claims = False

    @property
    def seats(self) -> int:
        """How many play; there are four hands."""
        return PLAYERS

    @property
    def zero_sum(self) -> bool:
        """Whether the scores sum to zero, as the option says."""
        return bool(self.options["zero_sum"])

    @property
    def score_options(self) -> int:
        """How a deal is scored: the pile gets nothing."""
        zero_sum = scoring.ZERO_SUM if self.options["zero_sum"] else 0
        return super().score_options | scoring.DUMMY_WITHOUT_OWNER | zero_sum

    def callers(self, shared: Shared | Sheet) -> Callers:
        """Return the players, each for himself, as they sit."""
        return three(
            tuple(hand.seat for hand in shared.hands if hand.seat != PILE), doubles=bool(self.options["doubles"])
        )

    def first_caller(self, shared: Shared | Sheet) -> int:
        """Return the player opposite the pile."""
        return self.hand_after(shared, PILE, 2)

    def dummy_of(self, declarer: int) -> int:  # noqa: ARG002  # whoever declares
        """Return the pile."""
        return PILE

    def passed_out(self, deal: BridgeDeal) -> list[Seen]:
        """Return the end of a deal that was passed out: it is dealt again."""
        return dealt_again(deal)

    def moved(self, shared: Shared, declarer: int) -> list[Seen]:
        """Let the declarer take the place opposite the pile; who sat there takes his."""
        opposite = self.hand_after(shared, PILE, 2)
        return [] if declarer == opposite else [Seen(PlacesSwapped(swapped(_order(shared), declarer, opposite)))]

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the cards: player s gets those from 13·s to 13·s + 12 of the shuffled pack, the pile the last 13.

        Which card of the pile is turned up, and who looks at which, further streams say.

        Raises:
            RuleError: what the match carries are no places.
        """
        pack = seed.stream("cards").shuffled(self.pack)
        hands = [pack[hand * HAND : (hand + 1) * HAND] for hand in range(PLAYERS + 1)]
        opened = seed.stream("pile-open").below(HAND)
        others = [place for place in range(HAND) if place != opened]
        dealt = seed.stream("pile-shown").shuffled(others)
        looked_at = [dealt[seat * _SHOWN : (seat + 1) * _SHOWN] for seat in range(PLAYERS)]
        places = match.carried_value(_PLACES) or _FIRST_PLACES
        if sorted(places) != list(_FIRST_PLACES):
            raise RuleError(f"{places} are no places of three players and the pile")
        return self.deal_hands(match.deals_opened, hands, opened, looked_at, places)

    def deal_hands(
        self,
        number: int,
        hands: Sequence[Sequence[Card]],
        opened: int = 0,
        looked_at: Sequence[Sequence[int]] = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)),
        places: tuple[int, ...] = _FIRST_PLACES,
    ) -> Step:
        """Deal these hands, the pile last, and lay them at these places.

        `opened` is the pile's card that is turned up, `looked_at` are those that each player looks at: both count
        from 0 in the order of the pile as it is given.
        """
        pile = hands[PILE]
        shown = [[pile[index] for index in indices] for indices in looked_at]
        events = [Seen(DealStarted(number))]
        if places != _FIRST_PLACES:
            events.append(Seen(PlacesSwapped(places)))
        events += hands_dealt(hands[:PILE])
        events += [Seen(CardsMoved(DECK, HANDS[PILE], HAND)), Seen(CardsShown(HANDS[PILE], (pile[opened],)))]
        events += laid_open(pile, pile[opened], shown)
        events.append(Seen(PhaseChanged(Phase.AUCTION)))
        shared, owns = learn(*self.blank(number), events, self.settle)
        deal = BridgeDeal(self, shared, owns, tuple(map(mask_of, hands)), self.terms.vector)
        return Step(deal, tuple(events))

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry the places on; the pile moves one place clockwise, and who sat there takes its place."""
        order = _order(deal.shared)
        next_one = order[(order.index(PILE) + 1) % len(order)]
        return match.carrying(**{_PLACES: swapped(order, PILE, next_one)})


def row_of(pile: Sequence[Card]) -> tuple[Card, ...]:
    """Return the pile as it is laid down: ordered by suit, within a suit as it lay."""
    return tuple(sorted(pile, key=suit_of))


def points_of(cards: Sequence[Card]) -> int:
    """Return what cards count: ace 4, king 3, queen 2, jack 1."""
    return sum(max(0, rank_of(card) - JACK + 1) for card in cards)


def laid_open(pile: Sequence[Card], opened: Card, shown: Sequence[Sequence[Card]]) -> list[Seen]:
    """Return the pile's row as everybody and as each player sees it, and what the players' cards count."""
    row = row_of(pile)

    def seen_with(cards: Sequence[Card]) -> tuple[Card | None, ...]:
        return tuple(card if card == opened or card in cards else None for card in row)

    rows = [only(seat, PileLaid(seen_with(cards), seat)) for seat, cards in enumerate(shown)]
    reports = PointsReported(tuple(PointReport(seat, points_of(cards)) for seat, cards in enumerate(shown)))
    return [Seen(PileLaid(seen_with(()))), *rows, Seen(reports)]


def swapped(order: Sequence[int], one: int, other: int) -> tuple[int, ...]:
    """Return the order in which two have changed places."""
    return tuple(other if hand == one else one if hand == other else hand for hand in order)


def _order(shared: Shared) -> tuple[int, ...]:
    return tuple(hand.seat for hand in shared.hands)
