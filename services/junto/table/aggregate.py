"""The table: an immutable aggregate of seats, match, the deal on it and the clock of the seat to act.

What can happen to it is `junto.table.handling`; when it next needs the server is `junto.table.duties`; how it
is kept is `junto.table.snapshot`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from junto.games.actions import Action
from junto.games.core import Deal, Game, Match
from junto.games.events import Seen
from junto.games.shuffle import DealSeed
from junto.games.view import MatchView, Outcome, Phase, Prompt, Shared
from junto.table.commands import Act, Command
from junto.table.errors import MatchNotStarted, NotNow, Over, StaleVersion
from junto.table.seats import Actor, Player, PlayerId, Seat, Status, TableId, TableSettings


@dataclass(frozen=True, slots=True)
class Header:
    """What never changes at a table."""

    table_id: TableId
    game: Game
    settings: TableSettings
    host: Player | None
    create_ms: int


@dataclass(frozen=True, slots=True)
class SeatMove:
    """A decision and whose it was."""

    seat: int
    actor: Actor
    action: Action


@dataclass(frozen=True, slots=True)
class TableDeal:
    """The deal on the table.

    `state` is None while players may still add entropy, until `entropy_until_ms` (0: they never could).
    `prompt_version` is the table's version at which the decision that is due arose. `over_ms`: when the
    deal ended, 0: it is on. `after`: the match after it, once it is over.
    """

    number: int
    secret: bytes = field(repr=False)
    entropy: tuple[bytes, ...] = field(repr=False)
    entropy_until_ms: int = 0
    state: Deal | None = None
    moves: tuple[SeatMove, ...] = field(default=(), repr=False)
    prompt_version: int = 0
    over_ms: int = 0
    after: Match | None = None

    @property
    def seed(self) -> DealSeed:
        """What everything random in the deal follows from."""
        return DealSeed(self.secret, self.entropy)

    @property
    def is_over(self) -> bool:
        """Whether it is scored or void."""
        return self.state is not None and self.state.is_over

    @property
    def is_void(self) -> bool:
        """Whether it ended without a score and is dealt again."""
        result = self.state.shared.result if self.state else None
        return result is not None and result.outcome is Outcome.VOID

    @property
    def shared(self) -> Shared:
        """What everybody knows of it."""
        return self.state.shared if self.state else Shared(self.number, Phase.DEAL, ())


@dataclass(frozen=True, slots=True)
class LogStart:
    """Where a log begins. `log` counts the logs of the table, 0 is the lobby's; `deal_number` counts in its match."""

    log: int
    deal_number: int
    version: int


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of the seat to act: its turn's own time, then its time bank."""

    start_ms: int
    turn_end_ms: int
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `match` is the match before the deal that is on the table; `standing` counts that deal in."""

    header: Header
    version: int
    status: Status
    seats: tuple[Seat, ...]
    touched_ms: int
    logs: tuple[LogStart, ...]
    match: Match | None = None
    deal: TableDeal | None = None
    clock: TurnClock | None = None

    @property
    def table_id(self) -> TableId:
        """Its id."""
        return self.header.table_id

    @property
    def game(self) -> Game:
        """What is played."""
        return self.header.game

    @property
    def settings(self) -> TableSettings:
        """How it is played."""
        return self.header.settings

    @property
    def log(self) -> LogStart:
        """The log that is being written."""
        return self.logs[-1]

    @property
    def starts_log(self) -> bool:
        """Whether the last command is the first of its log."""
        return self.logs[-1].version == self.version

    @property
    def standing(self) -> Match | None:
        """The match as it stands, a finished deal counted in."""
        return self.deal.after if self.deal and self.deal.after else self.match

    @property
    def match_view(self) -> MatchView | None:
        """What everybody sees of the match; None before it starts."""
        match = self.standing
        if match is None:
            return None
        return MatchView(match.deals_done, self.settings.deals, match.scores, match.last_deal, self.sides)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The match's fixed partnerships; none before partners are drawn, and where each deal finds its own."""
        if self.standing is None:
            return ()
        state = self.deal.state if self.deal else None
        return self.game.sides(self.standing, state.shared if state else None)

    @property
    def to_act(self) -> int | None:
        """The seat that has to decide; None: nobody has to."""
        if self.status is not Status.PLAYING or self.deal is None or self.deal.state is None:
            return None
        return self.deal.state.to_act

    @property
    def prompt(self) -> Prompt | None:
        """The decision that is due, for its seat alone; None: none is."""
        if self.to_act is None or self.deal is None or self.deal.state is None:
            return None
        return self.deal.state.prompt

    @property
    def current_deal(self) -> TableDeal:
        """The deal that is on the table in a running match.

        Raises:
            MatchNotStarted, Over: no match is on.
        """
        match self.status:
            case Status.OPEN:
                raise MatchNotStarted("the match has not started")
            case Status.FINISHED | Status.CLOSED:
                raise Over("the match is over")
            case Status.PLAYING:
                assert self.deal is not None
                return self.deal

    @property
    def playable(self) -> Deal:
        """The deal that takes actions.

        Raises:
            MatchNotStarted, Over, NotNow: there is none.
        """
        deal = self.current_deal
        if deal.state is None:
            raise NotNow("the cards are not dealt yet")
        if deal.is_over:
            raise NotNow("the deal is over; the next one is about to begin")
        return deal.state

    def seat_of(self, player: PlayerId) -> int | None:
        """Return the player's seat, also one that was left during the match; None: has none."""
        for number, seat in enumerate(self.seats):
            if isinstance(seat.occupant, Player) and seat.occupant.id == player:
                return number
        return None

    def is_host(self, player: PlayerId) -> bool:
        """Tell whether the player is the host."""
        return self.header.host is not None and self.header.host.id == player

    def require_prompt(self, expected_version: int) -> None:
        """Check that a decision made at that version is about the prompt that stands now.

        Raises:
            StaleVersion: it is not.
        """
        since = self.deal.prompt_version if self.deal else self.version
        if not since <= expected_version <= self.version:
            raise StaleVersion(self.version)

    def require_version(self, expected_version: int | None) -> None:
        """Check that the table is at the version that the asker has seen; None: any will do.

        Raises:
            StaleVersion: it is not.
        """
        if expected_version is not None and expected_version != self.version:
            raise StaleVersion(self.version)


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command: who asked, what, when, and the table's version after it."""

    version: int
    time_ms: int
    by: PlayerId
    command: Command


@dataclass(frozen=True, slots=True)
class Change:
    """What a command did: the table before (None: there was none) and after it, and what happened at the cards."""

    before: Table | None
    table: Table
    entry: Entry
    events: tuple[Seen, ...] = ()

    @property
    def actor(self) -> Actor | None:
        """Who decided, if it was a decision."""
        return self.entry.command.actor if isinstance(self.entry.command, Act) else None
