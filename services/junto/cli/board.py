"""A deal as one seat sees it, drawn in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from junto.cli.faces import SUIT_NAMES, by_suits, card_face, card_faces
from junto.games.cards import suit_of
from junto.games.view import Own, Phase, Role, Shared, Trick


def draw(shared: Shared, own: Own, names: Sequence[str], titles: dict[int, str]) -> Iterator[str]:
    """Yield the lines of a deal; `names` are the seats', `titles` what the game calls the roles."""
    yield from _contract(shared, names)
    yield from _seats(shared, own, names, titles)
    if shared.tricks is not None and shared.phase is Phase.PLAY and shared.tricks.tricks:
        trick = shared.tricks.tricks[-1]
        if trick.winner is None:
            yield f"  trick {len(shared.tricks.tricks)} of {shared.tricks.total_tricks}: {_trick(trick, names)}"
    yield f"  your hand: {by_suits(own.hand)}"


def _contract(shared: Shared, names: Sequence[str]) -> Iterator[str]:
    parts = []
    if shared.contract is not None:
        parts.append(f"{names[shared.contract.declarer]} has undertaken {shared.contract.target}")
    if shared.tricks is not None and shared.tricks.trump is not None:
        parts.append(f"{SUIT_NAMES[shared.tricks.trump]} are trumps")
    if shared.called:
        parts.append("called: " + card_faces(called.card for called in shared.called))
    if shared.put_back:
        parts.append(f"put back and shown: {card_faces(shared.put_back)}")
    if parts:
        yield "  " + "; ".join(parts)


def _seats(shared: Shared, own: Own, names: Sequence[str], titles: dict[int, str]) -> Iterator[str]:
    tallies = {tally.seat: tally for tally in shared.tricks.tallies} if shared.tricks is not None else {}
    parts = []
    for hand in shared.hands:
        you = " (you)" if hand.seat == own.seat else ""
        role = own.role if hand.seat == own.seat else shared.role_of(hand.seat)
        title = f" {titles.get(role, '')}" if role is not None else ""
        alone = " alone" if hand.seat == own.seat and own.alone and role is Role.DECLARER else ""
        tally = tallies.get(hand.seat)
        won = f": {tally.tricks} tricks, {tally.points} points" if tally is not None and tally.tricks else ""
        parts.append(f"{names[hand.seat]}{you}{title}{alone}{won}")
    yield "  " + " | ".join(parts)


def _trick(trick: Trick, names: Sequence[str]) -> str:
    parts = ["  ".join(f"{names[played.seat]} {card_face(played.card)}" for played in trick.cards)]
    if trick.led_suit is not None and trick.cards and suit_of(trick.cards[0].card) != trick.led_suit:
        parts.append(f"(to follow: {SUIT_NAMES[trick.led_suit]})")
    if trick.calls:
        parts.append(f"(called: {card_faces(trick.calls)})")
    return "  ".join(parts)
