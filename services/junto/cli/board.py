"""A deal as one seat sees it, drawn in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from junto.cli.faces import SUIT_NAMES, by_suits, card_face, card_faces
from junto.games.cards import suit_of
from junto.games.view import Own, Phase, Shared, Trick


@dataclass(frozen=True, slots=True)
class Words:
    """The seats' names, what the game calls the roles, and what its contracts count."""

    names: Sequence[str]
    titles: Mapping[int, str]
    unit: str


def draw(shared: Shared, own: Own, words: Words) -> Iterator[str]:
    """Yield the lines of a deal as one seat sees it."""
    names = words.names
    yield from _contract(shared, words)
    yield from (_seat(hand.seat, shared, own, words) for hand in shared.hands)
    if shared.tricks is not None and shared.phase is Phase.PLAY and shared.tricks.tricks:
        trick = shared.tricks.tricks[-1]
        if trick.winner is None:
            yield f"  trick {len(shared.tricks.tricks)} of {shared.tricks.total_tricks}: {_trick(trick, names)}"
    yield f"  your hand: {by_suits(own.hand)}"


def _contract(shared: Shared, words: Words) -> Iterator[str]:
    parts = []
    if shared.contract is not None:
        target = f"{shared.contract.target} {words.unit}" if shared.contract.target is not None else ""
        parts.append(f"contract: {target} by {words.names[shared.contract.declarer]}")
    if shared.tricks is not None and shared.tricks.trump is not None:
        parts.append(f"trumps: {SUIT_NAMES[shared.tricks.trump]}")
    if shared.called:
        parts.append("called: " + card_faces(called.card for called in shared.called))
    if shared.put_back:
        parts.append(f"put back and shown: {card_faces(shared.put_back)}")
    if parts:
        yield "  " + "   ".join(parts)


def _seat(seat: int, shared: Shared, own: Own, words: Words) -> str:
    """Return a seat's line: who, as what, with which tricks."""
    role = own.role if seat == own.seat else shared.role_of(seat)
    title = words.titles.get(role, "") if role is not None else ""
    if seat == own.seat and own.alone:
        title += ", alone"
    you = "you" if seat == own.seat else ""
    who = ", ".join(word for word in (you, title) if word)
    tallies = shared.tricks.tallies if shared.tricks is not None else ()
    tally = next((tally for tally in tallies if tally.seat == seat), None)
    won = f"{counted(tally.tricks, 'trick')}, {tally.points} {words.unit}" if tally is not None and tally.tricks else ""
    turn = ">" if seat == shared.to_act else " "
    return f"{turn} {words.names[seat]:10} {who:18} {won}".rstrip()


def counted(number: int, word: str) -> str:
    """Return a number of things."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _trick(trick: Trick, names: Sequence[str]) -> str:
    parts = ["  ".join(f"{names[played.seat]} {card_face(played.card)}" for played in trick.cards)]
    if trick.led_suit is not None and trick.cards and suit_of(trick.cards[0].card) != trick.led_suit:
        parts.append(f"(to follow: {SUIT_NAMES[trick.led_suit]})")
    if trick.calls:
        parts.append(f"(called: {card_faces(trick.calls)})")
    return "  ".join(parts)
