"""How a deal of a trick-taking game ends: what was hidden is shown, then the result is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from junto.games.cards import cards_in
from junto.games.events import CardsShown, DealEnded, Event, PhaseChanged, Seen
from junto.games.tricks.phase import HANDS
from junto.games.view import DealResult, Phase


def ended(result: DealResult, shown: Iterable[Event] = ()) -> list[Seen]:
    """Return the end of a deal: `shown` is what lies open from now on."""
    return [Seen(event) for event in (PhaseChanged(Phase.OVER), *shown, DealEnded(result))]


def hands_shown(hands: Sequence[int]) -> list[Event]:
    """Return the showing of all hands, by hand number."""
    return [CardsShown(HANDS[number], tuple(cards_in(hand))) for number, hand in enumerate(hands)]
