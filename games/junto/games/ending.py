"""How a deal ends: what was hidden is shown, then the result is told."""

from __future__ import annotations

from collections.abc import Iterable

from junto.games.cards import Card
from junto.games.events import CardsShown, DealEnded, Event, PhaseChanged, Seen
from junto.games.phases import HANDS
from junto.games.view import DealResult, Phase


def ended(result: DealResult, shown: Iterable[Event] = ()) -> list[Seen]:
    """Return the end of a deal: `shown` is what lies open from now on."""
    return [Seen(event) for event in (PhaseChanged(Phase.OVER), *shown, DealEnded(result))]


def hands_shown(hands: Iterable[Iterable[Card]]) -> list[Event]:
    """Return the showing of all hands, by hand number."""
    return [CardsShown(HANDS[number], tuple(hand)) for number, hand in enumerate(hands)]
