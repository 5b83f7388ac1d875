"""A deal of a replay as its suspicion timeline: the deal is proved and folded, what bots reported is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from junto.cli.climbing_words import play_words, show_words
from junto.games.actions import ShowCards
from junto.games.cards import Card
from junto.games.core import Deal, Game
from junto.games.shuffle import DealSeed
from junto.games.tricks.deal import TricksGame
from junto.games.verify import DealClaim, verify_deal
from junto.games.view import BaohuangDetails, MatchView, Role, SeatAction
from junto.search.suspicion import Ask, Moment, Timeline, check_hidden, timeline
from junto.v1 import events_pb2
from junto.v1.replays_pb2 import DealRecord, Replay
from junto.wire.catalog import read_rules
from junto.wire.decisions import read_beliefs
from junto.wire.errors import WireError
from junto.wire.replays import read_claim
from junto.wire.results import read_match_view

AskIn = Callable[[MatchView], Ask]
"""What seats believe in a deal before which a match stands so."""


@dataclass(frozen=True, slots=True)
class Told:
    """A deal's timeline, and what puts it in words: the game, the seats' names, the cards that make a partner."""

    number: int
    game: Game
    names: Sequence[str]
    telling: tuple[Card, ...]
    timeline: Timeline

    @property
    def unit(self) -> str:
        """What plays are counted by: `trick` or `round`."""
        return "trick" if isinstance(self.game, TricksGame) else "round"

    def title(self, role: Role) -> str:
        """Return what the game calls a role."""
        return self.game.role_names[role]

    def at(self, moment: Moment) -> str:
        """Return when something was: `in trick 3`, `before the first trick`."""
        return f"in {self.unit} {moment.round}" if moment.round else f"before the first {self.unit}"

    def said(self, done: SeatAction) -> str:
        """Return who did what, as the story of a deal tells it."""
        who = self.names[done.seat]
        if isinstance(done.action, ShowCards):
            return f"{who} shows {show_words(done.action)}"
        if done.combination is None:
            return f"{who} {play_words(done)}"
        return f"{who} plays {play_words(done, self.telling[0])}"


def seat_names(replay: Replay) -> list[str]:
    """Return what the seats of a replay are called: players by their names, bots by their seats.

    Raises:
        WireError: there are not as many names as seats.
    """
    seats = read_rules(replay.rules).seats
    if len(replay.seat_names) != seats:
        raise WireError(f"it names {len(replay.seat_names)} players at a table of {seats}")
    bots = {done.seat for deal in replay.deals for done in deal.actions if done.actor == events_pb2.ACTOR_BOT}
    return [name if name and seat not in bots else f"seat {seat}" for seat, name in enumerate(replay.seat_names)]


def tell(replay: Replay, record: DealRecord, names: Sequence[str], ask_in: AskIn | None = None) -> Told:
    """Return the timeline of one of a replay's deals. What bots did not report is asked for, or left open.

    Raises:
        NoSuspicion: nobody could be suspected in it.
        NotVerified: the deal does not hold.
        WireError: it says something that cannot be.
    """
    game = read_rules(replay.rules)
    check_hidden(game)
    claim = read_claim(record)
    verify_deal(game, claim)
    deals = _folded(game, claim)
    actions = [done.action for done in claim.actions]
    reported = {
        number: read_beliefs(done.decision) for number, done in enumerate(record.actions) if done.HasField("decision")
    }
    ask = None if ask_in is None else ask_in(read_match_view(record.before))
    return Told(record.number, game, names, _telling(deals[-1]), timeline(deals, actions, reported, ask))


def _folded(game: Game, claim: DealClaim) -> list[Deal]:
    """Return a deal before its first action and after each."""
    deals = [game.deal(claim.before.opened(), DealSeed(claim.secret, claim.entropy)).deal]
    for done in claim.actions:
        deals.append(deals[-1].apply(done.action).deal)
    return deals


def _telling(deal: Deal) -> tuple[Card, ...]:
    """Return the cards that make their holders partners."""
    details = deal.shared.details
    if isinstance(details, BaohuangDetails):
        return () if details.named is None else (details.named.card,)
    return tuple(called.card for called in deal.shared.called)
