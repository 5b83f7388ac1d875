"""What the story of a climbing game has of its own: the offer, tribute, rounds, who is out, who was what.

`Story` asks it about every event and tells the rest itself, as in any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from junto.cli.carried import carry_lines
from junto.cli.climbing_words import listed, ordinal, round_parts, show_words, wrapped
from junto.cli.faces import amount, card_face, card_faces
from junto.games.actions import AcceptOffer, ApplyForLead, DeclineOffer, ShowCards
from junto.games.cards import Card
from junto.games.view import SeatAction
from junto.v1 import actions_pb2, cards_pb2, events_pb2, views_pb2
from junto.wire.actions import read_action
from junto.wire.cards import read_card, read_cards
from junto.wire.combinations import read_combination
from junto.wire.reading import read_shared

INDENT: Final = 12
_ALL_COPIES: Final = 4
_SPRINGS: Final = {
    views_pb2.SPRING_SPRING: "Spring: the peasants made no play.",
    views_pb2.SPRING_ANTI_SPRING: "Anti-spring: the landlord made no play but the first.",
}


@dataclass(slots=True)
class _Round:
    """A round that is on: what was done, whose time was up, and what is told after it."""

    actions: list[SeatAction] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class ClimbingStory:
    """Turns a climbing game's events into lines.

    Args:
        names: the seats' names.
        titles: the roles' names.
    """

    def __init__(self, names: Sequence[str], titles: Mapping[int, str]) -> None:
        self._names = names
        self._titles = titles
        self._shared = views_pb2.SharedView()
        self._begin()

    def _begin(self) -> None:
        self._round: _Round | None = None
        self._rounds = 0
        self._declined = 0
        self._multiplier = 1

    def know(self, shared: views_pb2.SharedView) -> None:
        """Take note of what everybody knows after the events that are told next."""
        self._shared = shared

    def catch_up(self, shared: views_pb2.SharedView) -> None:
        """Take note of a deal that began before the story does."""
        self.know(shared)
        self._declined = len(shared.baohuang.payments)
        self._multiplier = shared.dou_dizhu.multiplier
        rounds = read_shared(shared).climbing
        if rounds is not None and rounds.rounds:
            *over, current = rounds.rounds
            self._rounds, self._round = len(over), _Round(list(current.actions))

    def tell(self, event: events_pb2.Event, phase: int) -> Iterable[str] | None:
        """Return the lines that an event adds to the story; None: it is told as in any game."""
        match event.WhichOneof("kind"):
            case "deal_started":
                self._begin()
                return None
            case "phase_changed" if phase == actions_pb2.PHASE_OVER:
                return self._close()
            case "action_taken" if phase in {actions_pb2.PHASE_OFFER, actions_pb2.PHASE_SHOW}:
                return self._answered(event.action_taken)
            case "action_taken" if phase == actions_pb2.PHASE_PLAY:
                return self._played(event.action_taken)
            case "cards_moved":
                return self._moved(event.cards_moved)
            case "cards_shown" if phase == actions_pb2.PHASE_SHOW:
                return ()
            case "role_revealed":
                return self._revealed(event.role_revealed, phase)
            case "round_began" | "seat_finished" | "seat_cleared":
                return self._went_on(event)
            case _:
                return None

    def _went_on(self, event: events_pb2.Event) -> Iterator[str]:
        """Yield a round that is over; note who is out, or cleared."""
        match event.WhichOneof("kind"):
            case "round_began":
                yield from self._close(event.round_began.leader)
                self._round = _Round()
            case "seat_finished":
                self._note(f"{self._names[event.seat_finished.seat]} is out, {ordinal(event.seat_finished.place)}")
            case "seat_cleared":
                clearing = event.seat_cleared.clearing
                seat, by_seat = self._names[clearing.seat], self._names[clearing.by_seat]
                self._note(f"{seat} has nothing but threes left, and is cleared by {by_seat}")

    def _answered(self, taken: events_pb2.ActionTaken) -> Iterator[str]:
        """Yield an answer to the offer, or what the emperor shows."""
        who, late = self._names[taken.seat], _late(taken)
        match read_action(taken.action):
            case DeclineOffer():
                yield f"  {who} declines{self._paid()}{late}"
                self._declined += 1
            case AcceptOffer():
                yield f"  {who} accepts{late}"
            case ShowCards() as show if show.count == _ALL_COPIES:
                yield f"  {who} shows {show_words(show)}, and plays alone against all: an open solo{late}"
            case ShowCards() as show:
                guard = self._titles.get(views_pb2.ROLE_PARTNER, "partner")
                yield f"  {who} shows {show_words(show)}: the {guard} is whoever else holds the fourth{late}"

    def _paid(self) -> str:
        payments = self._shared.baohuang.payments
        if self._declined >= len(payments) or not payments[self._declined].HasField("card"):
            return ""
        return f" and puts {card_face(read_card(payments[self._declined].card))} into the pot"

    def _played(self, taken: events_pb2.ActionTaken) -> Iterator[str]:
        """Take note of what was done in a round; it is told when the round is over."""
        combination = read_combination(taken.combination) if taken.HasField("combination") else None
        action = read_action(taken.action)
        self._round = self._round or _Round()
        self._round.actions.append(SeatAction(taken.seat, action, combination))
        if _late(taken):
            self._round.late.append(taken.seat)
        yield from ()

    def _note(self, line: str) -> None:
        if self._round is not None:
            self._round.notes.append(line)

    def _close(self, leader: int | None = None) -> Iterator[str]:
        """Yield the round that is over, who takes it, what came out in it, and who leads in the place of the owner."""
        played, self._round = self._round, None
        if played is None or not played.actions:
            return
        self._rounds += 1
        last = max((n for n, done in enumerate(played.actions) if done.combination is not None), default=0)
        asked = any(isinstance(done.action, ApplyForLead) for done in played.actions[last + 1 :])
        told = played.actions if asked else played.actions[: last + 1]
        owner = played.actions[last].seat
        parts = list(round_parts(told, self._named))
        yield from wrapped(f"  Round {self._rounds:2}  ", parts, f"  -> {self._names[owner]}")
        if played.late:
            played.notes.append(f"the time of {listed([self._names[seat] for seat in played.late])} was up")
        if leader is not None and leader != owner:
            played.notes.append(f"{self._names[leader]} leads in the place of {self._names[owner]}")
        for note in [*played.notes, *self._stakes()]:
            yield f"{'':{INDENT}}{note}"

    def _stakes(self) -> Iterator[str]:
        """Yield what bombs have made of the stakes, once for each change before the end."""
        multiplier = self._shared.dou_dizhu.multiplier
        if multiplier > self._multiplier and not self._shared.HasField("result"):
            self._multiplier = multiplier
            yield f"the stakes are {multiplier} times the bid now"

    @property
    def _named(self) -> Card | None:
        court = self._shared.baohuang
        return read_card(court.named.card) if court.HasField("named") else None

    def _moved(self, moved: events_pb2.CardsMoved) -> Iterable[str] | None:
        """Return the lines of tribute and of the pot; a payment into it is told with the answer to the offer."""
        source, target, cards = getattr(moved, "from"), moved.to, read_cards(moved.cards)
        match source.zone, target.zone:
            case cards_pb2.ZONE_HAND, cards_pb2.ZONE_HAND:
                return [f"  Tribute: {self._names[source.seat]} pays {card_faces(cards)} to {self._names[target.seat]}"]
            case cards_pb2.ZONE_DECK, cards_pb2.ZONE_POT:
                return [f"  In the pot: {card_faces(cards)}"]
            case cards_pb2.ZONE_POT, cards_pb2.ZONE_HAND:
                return [f"  {self._names[target.seat]} takes the pot: {card_faces(cards)}"] if cards else []
        return None

    def _revealed(self, revealed: events_pb2.RoleRevealed, phase: int) -> Iterable[str]:
        """Return who is emperor, and what comes out of the others' roles; who is a rebel follows from it."""
        who = self._names[revealed.seat]
        title = self._titles.get(revealed.role, "partner")
        if revealed.secret:
            article = "the" if revealed.role == views_pb2.ROLE_PARTNER else "a"
            return [f"  {who} {'plays alone' if revealed.alone else f'is {article} {title}'}, and nobody else is told"]
        if phase == actions_pb2.PHASE_OFFER and revealed.role == views_pb2.ROLE_DECLARER:
            return [f"  {who} is {title}"]
        came_out = self._came_out(revealed, who, title)
        if came_out and phase == actions_pb2.PHASE_OVER:
            return [f"Nobody could know before the end: {came_out}"]
        if came_out and phase == actions_pb2.PHASE_PLAY:
            self._note(f"now everybody knows: {came_out}")
        return ()

    def _came_out(self, revealed: events_pb2.RoleRevealed, who: str, title: str) -> str:
        if revealed.role == views_pb2.ROLE_PARTNER:
            return f"{who} is the {title}"
        return f"{who} plays alone" if revealed.alone else ""

    def verdict(self, result: views_pb2.DealResult, sides: Sequence[Sequence[int]]) -> Iterator[str]:
        """Yield how a deal that is not void ended: who won, in which order all were out, what it is worth."""
        yield from self._winners(result, sides)
        places = sorted((share.place, share.seat) for share in result.seats if share.HasField("place"))
        if len(places) > 1:
            yield f"Out in this order: {', '.join(self._names[seat] for _, seat in places)}."
        stakes = self._shared.dou_dizhu
        if stakes.spring in _SPRINGS:
            yield _SPRINGS[stakes.spring]
        if self._shared.HasField("dou_dizhu"):
            yield self._stake(stakes)

    def _stake(self, stakes: views_pb2.DouDizhuDetails) -> str:
        bid, bombs = self._shared.contract.bid.amount, amount(stakes.bombs, "bombs")
        if stakes.multiplier == 1:
            return f"The bid was {bid}."
        return f"The bid of {bid} counts {stakes.multiplier} times{f', with {bombs}' if stakes.bombs else ''}."

    def _winners(self, result: views_pb2.DealResult, sides: Sequence[Sequence[int]]) -> Iterator[str]:
        declarer = self._titles.get(views_pb2.ROLE_DECLARER, "declarer")
        opponent = self._titles.get(views_pb2.ROLE_OPPONENT, "opponent")
        match result.outcome:
            case views_pb2.OUTCOME_MADE if any(share.role == views_pb2.ROLE_PARTNER for share in result.seats):
                yield f"The {declarer}'s side wins."
            case views_pb2.OUTCOME_MADE:
                yield f"The {declarer}, alone, wins." if self._shared.HasField("baohuang") else f"The {declarer} wins."
            case views_pb2.OUTCOME_DOWN:
                yield f"The {opponent}s win."
            case views_pb2.OUTCOME_DRAWN:
                yield "Nobody wins: it is a draw."
            case _:
                scores = {share.seat: share.score for share in result.seats}
                won = [seats for seats in sides if seats and scores[seats[0]] > 0]
                for seats in won:
                    points = amount(scores[seats[0]], "points")
                    yield f"{' and '.join(self._names[seat] for seat in seats)} win {points}."
                if not won:
                    yield "Nobody wins a point."

    def void(self) -> str:
        """Return why a deal ended without a score."""
        return "Everybody declined" if self._shared.HasField("baohuang") else "Everybody passed"

    def carried(self, result: views_pb2.DealResult, options: Mapping[str, str]) -> Iterator[str]:
        """Yield what the deal leaves for the next one; `options` are the rules' choices."""
        return carry_lines(self._shared, result, options, self._names)


def _late(taken: events_pb2.ActionTaken) -> str:
    return "  (its time was up)" if taken.actor == events_pb2.ACTOR_CLOCK else ""
