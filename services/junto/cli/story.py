"""A deal told as it goes, from nothing but the events that the API streams to a watcher."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from junto.cli.faces import SUIT_NAMES, action_face, card_face, card_faces
from junto.games.actions import CallCard, Play
from junto.games.cards import RANKS, SMALL_JOKER, Card, rank_of, suit_of
from junto.v1 import actions_pb2, cards_pb2, catalog_pb2, events_pb2, views_pb2
from junto.wire.actions import read_action
from junto.wire.cards import read_card, read_cards, read_suit

COURTS: Final = "JQKA"


@dataclass(slots=True)
class _Trick:
    leader: int
    led_suit: int | None
    calls: tuple[Card, ...]
    cards: list[tuple[int, Card]] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)


class Story:
    """Turns events into lines. `names` are the seats' names, `game` is the catalogue's entry of the game."""

    def __init__(self, names: Sequence[str], game: catalog_pb2.Game) -> None:
        self._names = names
        self._unit = game.unit or "points"
        self._roles = {role.role: role.title for role in game.role_names}
        self._contract: views_pb2.Contract | None = None
        self._trick: _Trick | None = None
        self._tricks = 0
        self._phase = actions_pb2.PHASE_UNSPECIFIED
        self.outcome = views_pb2.OUTCOME_UNSPECIFIED
        """How the last deal ended; unspecified while one is on."""

    def tell(self, event: events_pb2.Event) -> Iterator[str]:
        """Yield the lines that an event adds to the story."""
        match event.WhichOneof("kind"):
            case "deal_started":
                yield from self._deal_started(event.deal_started)
            case "phase_changed":
                self._phase = event.phase_changed.phase
            case "action_taken":
                yield from self._action(event.action_taken)
            case "cards_moved":
                yield from self._cards_moved(event.cards_moved)
            case "contract_changed":
                yield from self._contract_changed(event.contract_changed.contract)
            case "role_revealed" if self._phase != actions_pb2.PHASE_OVER:
                self._role(event.role_revealed)
            case "trick_led":
                self._trick_led(event.trick_led)
            case "trick_won":
                yield from self._trick_won(event.trick_won)
            case "deal_ended":
                yield from self._deal_ended(event.deal_ended.result)

    def _deal_started(self, started: events_pb2.DealStarted) -> Iterator[str]:
        self._contract, self._trick, self._tricks = None, None, 0
        self.outcome = views_pb2.OUTCOME_UNSPECIFIED
        yield f"Deal {started.number}. The cards are fixed: the SHA-256 of their seed is"
        yield f"  {started.commitment.seed_sha256}"

    def _action(self, taken: events_pb2.ActionTaken) -> Iterator[str]:
        action = read_action(taken.action)
        late = "  (its time was up)" if taken.actor == events_pb2.ACTOR_CLOCK else ""
        match action:
            case Play():
                return  # told with its trick
            case CallCard(card):
                title = self._title(views_pb2.ROLE_PARTNER, "partner")
                yield f"  {self._names[taken.seat]} calls {card_face(card)}: who holds it is the {title}{late}"
            case _:
                yield f"  {self._names[taken.seat]} {action_face(action)}{late}"

    def _cards_moved(self, moved: events_pb2.CardsMoved) -> Iterator[str]:
        source, target = getattr(moved, "from"), moved.to
        cards = read_cards(moved.cards)
        if source.zone == cards_pb2.ZONE_KITTY and target.zone == cards_pb2.ZONE_HAND:
            yield f"  {self._names[target.seat]} takes the kitty, {moved.count} cards"
        elif target.zone == cards_pb2.ZONE_PUT_BACK and cards:
            yield f"  Put back and shown: {card_faces(cards)}"
        elif target.zone == cards_pb2.ZONE_CENTRE and self._trick is not None:
            self._trick.cards += [(source.seat, card) for card in cards]

    def _contract_changed(self, contract: views_pb2.Contract) -> Iterator[str]:
        before = self._contract
        self._contract = contract
        who = self._names[contract.declarer]
        if before is None:
            title = self._title(views_pb2.ROLE_DECLARER, "declarer")
            yield f"  {who} is {title}; the contract is {contract.target} {self._unit}"
        elif before.target != contract.target:
            yield f"  The contract is now {contract.target} {self._unit}"

    def _role(self, revealed: events_pb2.RoleRevealed) -> None:
        if self._trick is None:
            return
        who, title = self._names[revealed.seat], self._title(revealed.role, "partner")
        if revealed.role == views_pb2.ROLE_PARTNER:
            self._trick.revealed.append(f"{who} turns out to be the {title}!")
        elif revealed.alone:
            self._trick.revealed.append(f"{who} turns out to play alone: the card was his own!")

    def _trick_led(self, led: events_pb2.TrickLed) -> None:
        self._tricks += 1
        suit = read_suit(led.led_suit) if led.led_suit else None
        self._trick = _Trick(led.leader, suit, tuple(map(read_card, led.calls)))

    def _trick_won(self, won: events_pb2.TrickWon) -> Iterator[str]:
        trick, self._trick = self._trick, None
        if trick is None:
            return
        cards = "  ".join(f"{seat}:{card_face(card)}" for seat, card in trick.cards)
        courts = [card for _, card in trick.cards if is_court(card)]
        held = f", with {card_faces(courts)}" if courts else ""
        yield f"  Trick {self._tricks:2}  {cards}{_said(trick)}  -> {self._names[won.winner]}{held}"
        yield from (f"{'':12}{line}" for line in trick.revealed)

    def _deal_ended(self, result: views_pb2.DealResult) -> Iterator[str]:
        self.outcome = result.outcome
        if result.outcome == views_pb2.OUTCOME_VOID:
            yield "Everybody passed: there is no score, and the cards are dealt again."
            return
        yield from self._verdict(result)
        for share in result.seats:
            title = self._title(share.role, "")
            yield f"  {self._names[share.seat]:12} {title:10} {share.score:+5}"

    def _verdict(self, result: views_pb2.DealResult) -> Iterator[str]:
        contract = self._contract
        made = "The contract is made" if result.outcome == views_pb2.OUTCOME_MADE else "The contract is lost"
        if contract is None or not result.HasField("captured"):
            yield f"{made}."
        else:
            declarer = self._names[contract.declarer]
            yield f"{made}: {declarer}'s side captured {result.captured} of {contract.target} {self._unit}."

    def _title(self, role: views_pb2.Role.ValueType, otherwise: str) -> str:
        return self._roles.get(role, otherwise)


def is_court(card: Card) -> bool:
    """Tell whether a card is an ace, king, queen or jack."""
    return card < SMALL_JOKER and RANKS[rank_of(card)] in COURTS


def _said(trick: _Trick) -> str:
    """Return what was said with the lead: a suit that is not the card's own, cards that were called."""
    lead = trick.cards[0][1] if trick.cards else None
    named = lead is not None and trick.led_suit is not None and suit_of(lead) != trick.led_suit
    words = [f"naming {SUIT_NAMES[trick.led_suit]}"] if named and trick.led_suit is not None else []
    words += [f"calling {card_face(card)}" for card in trick.calls]
    return f"  ({', '.join(words)})" if words else ""
