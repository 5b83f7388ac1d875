"""What the board of a climbing game has: what is at stake, the round, and how many cards each hand has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from junto.cli.climbing_words import (
    combination_words,
    fan,
    listed,
    ordinal,
    round_parts,
    show_words,
    wrapped,
)
from junto.cli.faces import amount, card_faces
from junto.games.baohuang.naming import shows_of
from junto.games.cards import Card
from junto.games.view import BaohuangDetails, ClimbingPlay, DouDizhuDetails, Own, Phase, Shared


def named_card(shared: Shared) -> Card | None:
    """Return the card that an emperor has named by showing it; None: there is none."""
    details = shared.details
    return details.named.card if isinstance(details, BaohuangDetails) and details.named is not None else None


def stake_lines(details: DouDizhuDetails) -> Iterator[str]:
    """Yield what the bombs have made of the stakes."""
    if details.bombs:
        yield f"  bombs played: {details.bombs}, the stakes are {details.multiplier} times the bid"


def court_lines(details: BaohuangDetails, own: Own, phase: Phase) -> Iterator[str]:
    """Yield what is offered, or what the emperor has shown."""
    if details.pot:
        yield f"  pot: {card_faces(details.pot)}"
    if details.named is not None:
        yield f"  shown: {show_words(details.named)}"
    if phase in {Phase.OFFER, Phase.SHOW}:
        shows = [show_words(show) for show in shows_of(own.hand)]
        yield f"  you can show {listed(shows)}" if shows else "  you have no three equal cards to show"


def cards_left(hand: int, size: int, play: ClimbingPlay) -> str:
    """Return how many cards a hand has, or in which place it is out."""
    if hand in play.finished:
        return f"out, {ordinal(play.finished.index(hand) + 1)}"
    return amount(size, "cards")


def round_lines(shared: Shared, names: Sequence[str]) -> Iterator[str]:
    """Yield the round that is on: what was played, and what is to be beaten."""
    play = shared.climbing
    if play is None or shared.phase is not Phase.PLAY or not play.rounds:
        return
    current, first = play.rounds[-1], f"  round {len(play.rounds)}: "
    if current.top is None or current.top.combination is None:
        yield f"{first}{names[current.leader]} leads"
        return
    yield from wrapped(first, list(round_parts(current.actions, named_card(shared))))
    yield f"  to beat: {combination_words(current.top.combination)} by {names[current.top.seat]}"
    if play.applicant is not None:
        yield f"  {names[play.applicant]} asks for the lead"


def hand_line(own: Own, shared: Shared) -> str:
    """Return the own hand as it is held."""
    return f"  your hand: {fan(own.hand, named_card(shared))}"
