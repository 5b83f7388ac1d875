"""A deal as one seat sees it, drawn in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from junto.cli.climbing_board import cards_left, court_lines, hand_line, named_card, round_lines, stake_lines
from junto.cli.climbing_words import fan
from junto.cli.faces import (
    SUIT_NAMES,
    amount,
    by_suits,
    card_face,
    card_faces,
    contract_face,
    row_face,
    vulnerability_face,
)
from junto.games.cards import suit_of
from junto.games.view import (
    BaohuangDetails,
    BridgeDetails,
    DouDizhuDetails,
    HandView,
    Own,
    PendingClaim,
    Phase,
    Pile,
    Shared,
    Trick,
    WhistDetails,
)


@dataclass(frozen=True, slots=True)
class Words:
    """What the game has for names: its hands' (one more than seats), its roles', and what its contracts count."""

    names: Sequence[str]
    titles: Mapping[int, str]
    unit: str


def draw(shared: Shared, own: Own, words: Words, sides: Sequence[Sequence[int]] = ()) -> Iterator[str]:
    """Yield the lines of a deal as one seat sees it; `sides` are the match's fixed partnerships."""
    names = words.names
    partners = next((side for side in sides if own.seat in side), ())
    yield from _contract(shared, words)
    yield from _details(shared, own, words)
    for hand in shared.hands:
        yield _seat(hand.seat, shared, own, words, partners)
        yield from _open(hand, own, shared)
    if shared.tricks is not None and shared.phase is Phase.PLAY and shared.tricks.tricks:
        trick = shared.tricks.tricks[-1]
        if trick.winner is None:
            yield f"  trick {len(shared.tricks.tricks)} of {shared.tricks.total_tricks}: {_trick(trick, names)}"
    yield from round_lines(shared, names)
    yield _hand(own, shared)


def _hand(own: Own, shared: Shared) -> str:
    return hand_line(own, shared) if shared.climbing is not None else f"  your hand: {by_suits(own.hand)}"


def _contract(shared: Shared, words: Words) -> Iterator[str]:
    parts = []
    if shared.contract is not None:
        face = contract_face(shared.contract, words.unit)
        what = "bid" if shared.contract.target is None else "contract"
        parts.append(f"{what}: {face} by {words.names[shared.contract.declarer]}")
    if shared.tricks is not None and shared.tricks.trump is not None:
        parts.append(f"trumps: {SUIT_NAMES[shared.tricks.trump]}")
    if shared.called:
        parts.append("called: " + card_faces(called.card for called in shared.called))
    if shared.kitty:
        parts.append(f"kitty: {card_faces(shared.kitty)}")
    if shared.put_back:
        parts.append(f"put back and shown: {card_faces(shared.put_back)}")
    if parts:
        yield "  " + "   ".join(parts)


def _details(shared: Shared, own: Own, words: Words) -> Iterator[str]:
    match shared.details:
        case BridgeDetails() as bridge:
            places = [words.names[hand.seat] for hand in shared.hands]
            yield f"  board {bridge.board}: {vulnerability_face(bridge.vulnerability, places)}"
            if bridge.pile is not None and (shared.tricks is None or not shared.tricks.tricks):
                yield _pile(bridge.pile, own, words)
            if bridge.claim is not None:
                yield _claim(bridge.claim, words)
        case WhistDetails(turned):
            yield f"  turned up: {card_face(turned)}"
        case DouDizhuDetails() as stakes:
            yield from stake_lines(stakes)
        case BaohuangDetails() as court:
            yield from court_lines(court, own, shared.phase)


def _pile(pile: Pile, own: Own, words: Words) -> str:
    reports = ", ".join(f"{words.names[report.seat]} {report.points}" for report in pile.reports)
    return f"  the pile's row: {row_face(own.pile_row or pile.row)}   (cards count: {reports})"


def _claim(claim: PendingClaim, words: Words) -> str:
    agreed = "".join(f"; {words.names[seat]} agrees" for seat in claim.agreed)
    claimed = amount(claim.tricks, "tricks")
    return f"  {words.names[claim.seat]} claims {claimed} of those that are left{agreed}"


def _open(hand: HandView, own: Own, shared: Shared) -> Iterator[str]:
    """Yield what all know of another hand: dummy, a card that was turned up, what was taken before all eyes."""
    if hand.open and hand.seat != own.seat:
        yield f"    {by_suits(hand.open) if shared.climbing is None else fan(hand.open, named_card(shared))}"


def _seat(seat: int, shared: Shared, own: Own, words: Words, partners: Sequence[int]) -> str:
    """Return a seat's line: who, as what, with which tricks or how many cards."""
    role = own.role if seat == own.seat else shared.role_of(seat)
    title = words.titles.get(role, "") if role is not None else ""
    if seat == own.seat and own.alone:
        title += ", alone"
    you = "you" if seat == own.seat else "partner" if seat in partners else ""
    who = ", ".join(word for word in (you, title) if word)
    turn = ">" if seat == shared.to_act else " "
    return f"{turn} {words.names[seat]:10} {who:18} {_standing(seat, shared, words)}".rstrip()


def _standing(seat: int, shared: Shared, words: Words) -> str:
    """Return how far a seat has come: the tricks that it won, or the cards that it has left."""
    if shared.climbing is not None:
        size = next(hand.size for hand in shared.hands if hand.seat == seat)
        return cards_left(seat, size, shared.climbing)
    tallies = shared.tricks.tallies if shared.tricks is not None else ()
    tally = next((tally for tally in tallies if tally.seat == seat), None)
    if tally is None or not tally.tricks:
        return ""
    points = f", {amount(tally.points, words.unit)}" if words.unit != "tricks" else ""
    return amount(tally.tricks, "tricks") + points


def _trick(trick: Trick, names: Sequence[str]) -> str:
    parts = ["  ".join(f"{names[played.seat]} {card_face(played.card)}" for played in trick.cards)]
    if trick.led_suit is not None and trick.cards and suit_of(trick.cards[0].card) != trick.led_suit:
        parts.append(f"(to follow: {SUIT_NAMES[trick.led_suit]})")
    if trick.calls:
        parts.append(f"(called: {card_faces(trick.calls)})")
    return "  ".join(parts)
