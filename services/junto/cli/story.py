"""A deal told as it goes, from nothing but what the API streams to a watcher.

No rule of any game stands here: what is told are events, in the words that the catalogue has for the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from junto.cli.climbing_story import ClimbingStory
from junto.cli.climbing_words import ordinal
from junto.cli.faces import (
    SUIT_NAMES,
    action_face,
    amount,
    by_suits,
    card_face,
    card_faces,
    contract_face,
    row_face,
    suit_face,
    vulnerability_face,
)
from junto.games.actions import Bid, CallCard, ChooseTrump, Play
from junto.games.cards import Card, suit_of
from junto.games.view import Vulnerability
from junto.v1 import actions_pb2, cards_pb2, catalog_pb2, events_pb2, tables_pb2, views_pb2
from junto.wire.actions import read_action
from junto.wire.cards import read_card, read_cards, read_row, read_strain, read_suit
from junto.wire.results import read_contract


@dataclass(slots=True)
class _Trick:
    leader: int
    led_suit: int | None
    calls: tuple[Card, ...]
    cards: list[tuple[int, Card]] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)


class Story:
    """Turns events into lines.

    Args:
        names: the hands' names: the seats', and one more for a hand without an owner.
        game: the catalogue's entry of the game.
    """

    def __init__(self, names: Sequence[str], game: catalog_pb2.Game) -> None:
        self._names = names
        self._unit = game.unit or "points"
        self._roles = {role.role: role.title for role in game.role_names}
        self._contract: views_pb2.Contract | None = None
        self._trick: _Trick | None = None
        self._won: list[int] = []
        self._phase = actions_pb2.PHASE_UNSPECIFIED
        self._trump_named = False
        self._shared = views_pb2.SharedView()
        self._sides: list[list[int]] = []
        self._climbing = ClimbingStory(names, {int(role): title for role, title in self._roles.items()})
        self._choices: dict[str, str] = {}
        self._has_next_deal = True
        self.outcome = views_pb2.OUTCOME_UNSPECIFIED
        """How the last deal ended; unspecified while one is on."""

    def catch_up(self, view: tables_pb2.TableView) -> None:
        """Take note of a table as it is: the story goes on from there."""
        self._take_in(view.table)
        if view.HasField("deal"):
            self._shared = view.deal.shared
            self._phase = self._shared.phase
            self._contract = self._shared.contract if self._shared.HasField("contract") else None
            self._won = [trick.winner for trick in self._shared.tricks.tricks if trick.HasField("winner")]
            self._climbing.catch_up(self._shared)

    def tell_update(self, update: tables_pb2.TableUpdate) -> Iterator[str]:
        """Yield the lines that an update of the table adds to the story."""
        if update.HasField("deal"):
            self._shared = update.deal.shared
            self._climbing.know(self._shared)
        if update.table.HasField("match"):
            self._take_in(update.table)
        for event in update.events:
            yield from self.tell(event)

    def _take_in(self, table: tables_pb2.Table) -> None:
        """Take note of a table: who plays with whom, what was chosen of the rules, whether another deal follows."""
        match = table.match
        self._sides = [list(side.seats) for side in match.sides]
        self._choices = {option.name: option.value.choice for option in table.rules.options}
        self._has_next_deal = not match.HasField("deals_total") or match.deals_done < match.deals_total

    def tell(self, event: events_pb2.Event) -> Iterator[str]:
        """Yield the lines that an event adds to the story."""
        if event.WhichOneof("kind") == "phase_changed":
            self._phase = event.phase_changed.phase
        lines = self._climbing.tell(event, self._phase) if self._is_climbing else None
        yield from self._told(event) if lines is None else lines

    @property
    def _is_climbing(self) -> bool:
        return self._shared.HasField("climbing")

    def _told(self, event: events_pb2.Event) -> Iterator[str]:
        """Yield the lines of an event that is told alike in all games."""
        match event.WhichOneof("kind"):
            case "deal_started":
                yield from self._deal_started(event.deal_started)
            case "action_taken":
                yield from self._action(event.action_taken)
            case "cards_moved":
                yield from self._cards_moved(event.cards_moved)
            case "cards_shown" if self._phase != actions_pb2.PHASE_OVER:
                yield from self._cards_shown(event.cards_shown)
            case "contract_changed":
                yield from self._contract_changed(event.contract_changed.contract)
            case "trump_changed" if not self._trump_named:
                yield f"  Trumps: {SUIT_NAMES[read_strain(event.trump_changed.trump) or 0]}"
            case "role_revealed" if self._phase != actions_pb2.PHASE_OVER:
                yield from self._role(event.role_revealed)
            case "trick_led":
                self._trick_led(event.trick_led)
            case "trick_won":
                yield from self._trick_won(event.trick_won)
            case "deal_ended":
                yield from self._deal_ended(event.deal_ended.result)
            case _:
                yield from self._places(event)

    def _places(self, event: events_pb2.Event) -> Iterator[str]:
        """Yield the lines of what happens to places: partners drawn, the pile laid down, a move round the table."""
        match event.WhichOneof("kind"):
            case "seats_drawn":
                for draw in event.seats_drawn.draws:
                    place = "" if draw.to_seat == draw.from_seat else f" and sits as {self._names[draw.to_seat]} now"
                    yield f"  {self._names[draw.from_seat]} draws {suit_face(read_suit(draw.suit))}{place}"
                yield "  Whoever drew black plays with the other one, and so do the two who drew red."
            case "pile_laid" if self._phase != actions_pb2.PHASE_PLAY and not event.pile_laid.HasField("seat"):
                yield f"  The pile lies in a row: {row_face(read_row(event.pile_laid.row))}"
            case "points_reported":
                counts = ", ".join(f"{self._names[one.seat]} {one.points}" for one in event.points_reported.reports)
                yield f"  What each one's cards of the pile count: {counts}"
            case "places_swapped":
                order = ", ".join(self._names[hand] for hand in event.places_swapped.order)
                yield f"  So they sit now, clockwise: {order}"

    def _deal_started(self, started: events_pb2.DealStarted) -> Iterator[str]:
        self._contract, self._trick, self._won = None, None, []
        self._phase, self._trump_named = actions_pb2.PHASE_DEAL, False
        self.outcome = views_pb2.OUTCOME_UNSPECIFIED
        dealer = f", dealt by {self._names[started.dealer]}" if started.HasField("dealer") else ""
        yield f"Deal {started.number}{dealer}. The cards are fixed: the SHA-256 of their seed is"
        yield f"  {started.commitment.seed_sha256}"
        if self._shared.HasField("bridge"):
            bridge = self._shared.bridge
            places = [self._names[hand.seat] for hand in self._shared.hands]
            yield f"  Board {bridge.board}: {vulnerability_face(Vulnerability(bridge.vulnerability), places)}"

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
                self._trump_named |= isinstance(action, ChooseTrump) or (
                    isinstance(action, Bid) and action.strain is not None
                )
                yield f"  {self._names[taken.seat]} {action_face(action)}{late}"

    def _cards_moved(self, moved: events_pb2.CardsMoved) -> Iterator[str]:
        source, target = getattr(moved, "from"), moved.to
        cards = read_cards(moved.cards)
        if source.zone == cards_pb2.ZONE_KITTY and target.zone == cards_pb2.ZONE_HAND:
            yield f"  {self._names[target.seat]} takes the kitty, {amount(moved.count, 'cards')}"
        elif target.zone == cards_pb2.ZONE_PUT_BACK and cards:
            yield f"  Put back and shown: {card_faces(cards)}"
        elif target.zone == cards_pb2.ZONE_CENTRE and self._trick is not None:
            self._trick.cards += [(source.seat, card) for card in cards]

    def _cards_shown(self, shown: events_pb2.CardsShown) -> Iterator[str]:
        cards = read_cards(shown.cards)
        match shown.at.zone:
            case cards_pb2.ZONE_HAND:
                done = "shows" if len(cards) == 1 else "lies open" if self._is_ownerless(shown.at.seat) else "lays down"
                yield f"  {self._names[shown.at.seat]} {done}: {by_suits(cards)}"
            case cards_pb2.ZONE_KITTY:
                yield f"  The kitty is shown: {card_faces(cards)}"

    def _is_ownerless(self, hand: int) -> bool:
        return hand == len(self._names) - 1

    def _contract_changed(self, contract: views_pb2.Contract) -> Iterator[str]:
        before = self._contract
        self._contract = contract
        who, face = self._names[contract.declarer], contract_face(read_contract(contract), self._unit)
        if before is None:
            title = self._title(views_pb2.ROLE_DECLARER, "declarer")
            what = "contract" if contract.HasField("target") else "bid"
            yield f"  {who} is {title}; the {what} is {face}"
        elif before != contract:
            yield f"  The contract is now {face}"

    def _role(self, revealed: events_pb2.RoleRevealed) -> Iterator[str]:
        who, title = self._names[revealed.seat], self._title(revealed.role, "partner")
        if self._trick is None:
            if revealed.alone:
                yield f"  {who} plays alone"
        elif revealed.role == views_pb2.ROLE_PARTNER:
            self._trick.revealed.append(f"{who} turns out to be the {title}!")
        elif revealed.alone:
            self._trick.revealed.append(f"{who} turns out to play alone: the card was his own!")

    def _trick_led(self, led: events_pb2.TrickLed) -> None:
        suit = read_suit(led.led_suit) if led.led_suit else None
        self._trick = _Trick(led.leader, suit, tuple(map(read_card, led.calls)))

    def _trick_won(self, won: events_pb2.TrickWon) -> Iterator[str]:
        self._won.append(won.winner)
        trick, self._trick = self._trick, None
        if trick is None:
            return
        cards = "  ".join(f"{self._mark(seat)}:{card_face(card)}" for seat, card in trick.cards)
        worth = f", {amount(won.points, self._unit)}" if won.points and self._unit != "tricks" else ""
        yield f"  Trick {len(self._won):2}  {cards}{_said(trick)}  -> {self._names[won.winner]}{worth}"
        yield from (f"{'':12}{line}" for line in trick.revealed)

    def _mark(self, hand: int) -> str:
        """Return what stands before a card in a trick: the number of its seat."""
        return "pile" if self._is_ownerless(hand) else str(hand)

    def _deal_ended(self, result: views_pb2.DealResult) -> Iterator[str]:
        self.outcome = result.outcome
        if result.outcome == views_pb2.OUTCOME_VOID:
            who = self._climbing.void() if self._is_climbing else "Everybody passed"
            yield f"{who}: there is no score, and the cards are dealt again."
            return
        yield from self._climbing.verdict(result, self._sides) if self._is_climbing else self._verdict(result)
        for share in result.seats:
            title = self._title(share.role, "")
            place = f"{ordinal(share.place):4}" if share.HasField("place") else ""
            yield f"  {self._names[share.seat]:12} {title:10} {place}{share.score:+5}"
        if self._is_climbing and self._has_next_deal:
            yield from self._climbing.carried(result, self._choices)

    def _verdict(self, result: views_pb2.DealResult) -> Iterator[str]:
        contract = self._contract
        made = "The contract is made" if result.outcome == views_pb2.OUTCOME_MADE else "The contract is lost"
        if contract is None:
            yield from self._played_out(result)
        elif not result.HasField("captured"):
            yield f"{made}."
        else:
            declarer = self._names[contract.declarer]
            captured = "took" if self._unit == "tricks" else "captured"
            yield f"{made}: {declarer}'s side {captured} {result.captured} of {amount(contract.target, self._unit)}."

    def _played_out(self, result: views_pb2.DealResult) -> Iterator[str]:
        """Yield how a deal without a contract ended: who won how many tricks, if any were played."""
        if not self._won:
            yield "Everybody passed."
            return
        sides = self._sides or [[share.seat] for share in result.seats]
        for side in sides:
            who = " and ".join(self._names[seat] for seat in side)
            yield f"{who} took {amount(sum(winner in side for winner in self._won), 'tricks')}."

    def _title(self, role: views_pb2.Role.ValueType, otherwise: str) -> str:
        return self._roles.get(role, otherwise)


def _said(trick: _Trick) -> str:
    """Return what was said with the lead: a suit that is not the card's own, cards that were called."""
    lead = trick.cards[0][1] if trick.cards else None
    named = lead is not None and trick.led_suit is not None and suit_of(lead) != trick.led_suit
    words = [f"asking for {SUIT_NAMES[trick.led_suit]}"] if named and trick.led_suit is not None else []
    words += [f"calling {card_face(card)}" for card in trick.calls]
    return f"  ({', '.join(words)})" if words else ""
