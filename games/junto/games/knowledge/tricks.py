"""What events add to the course of a trick-taking game, and to what is known of called cards."""

from __future__ import annotations

from junto.games.cards import Card
from junto.games.knowledge.sheet import Sheet
from junto.games.view import CalledCard, Tally, Trick, TrickCard, TrickPlay


def play_of(sheet: Sheet) -> TrickPlay:
    """Return the course of the tricks."""
    assert sheet.tricks is not None, "a game of tricks begins with an empty TrickPlay"
    return sheet.tricks


def note_play(sheet: Sheet, seat: int, cards: tuple[Card, ...]) -> None:
    """Write down a card that was played to the trick."""
    play = play_of(sheet)
    trick = play.tricks[-1]
    played = (*trick.cards, *[TrickCard(seat, card) for card in cards])
    trick = Trick(trick.leader, played, trick.led_suit, trick.calls)
    sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks[:-1], trick), play.tallies)
    note_holder(sheet, seat, cards)


def note_holder(sheet: Sheet, seat: int | None, cards: tuple[Card, ...]) -> None:
    """Write down whose partnership a called card made that was seen."""
    for known in sheet.called:
        if known.holder is None and known.card in cards:
            sheet.called = tuple(
                CalledCard(other.card, seat) if other.card in cards else other for other in sheet.called
            )


def note_trick(sheet: Sheet, winner: int, points: int) -> None:
    """Write down who won the trick and what it is worth."""
    play = play_of(sheet)
    last = play.tricks[-1]
    trick = Trick(last.leader, last.cards, last.led_suit, last.calls, winner, points)
    tallies = tuple(
        Tally(winner, tally.tricks + 1, tally.points + points) if tally.seat == winner else tally
        for tally in play.tallies
    )
    sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks[:-1], trick), tallies)


def note_led(sheet: Sheet, leader: int, led_suit: int | None, calls: tuple[Card, ...]) -> None:
    """Write down that a trick began."""
    play = play_of(sheet)
    trick = Trick(leader, (), led_suit, calls)
    sheet.tricks = TrickPlay(play.total_tricks, play.trump, (*play.tricks, trick), play.tallies)


def note_trump(sheet: Sheet, trump: int) -> None:
    """Write down what is trumps."""
    play = play_of(sheet)
    sheet.tricks = TrickPlay(play.total_tricks, trump, play.tricks, play.tallies)
