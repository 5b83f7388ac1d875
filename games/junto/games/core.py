"""What every game is made of: `Game` (rules with chosen options), `Deal` (one deal's state), `Match`.

Pure and deterministic: no input or output, no clock, no randomness but a `DealSeed`. A deal is immutable;
`apply` returns the next one with the events that led there. What seats know is folded from those events
(`junto.games.knowledge`), so a view can hold nothing that its seat was not shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from junto.games.actions import Action
from junto.games.climbing.combination import Combination
from junto.games.events import Seen
from junto.games.knowledge import Sheet
from junto.games.options import Option, OptionValue, chosen
from junto.games.shuffle import DealSeed
from junto.games.view import DealResult, LastDeal, MatchView, Outcome, Own, Phase, Prompt, Role, Shared


class RuleError(Exception):
    """The rules forbid what was asked; the message says which rule, in words for a player."""


class IllegalAction(RuleError):
    """This action is not legal now."""


class DealIsOver(RuleError):
    """Nobody has to decide: the deal is over."""


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat knows when it has to decide: its information set. Strategies get this and nothing else."""

    game: Game
    match: MatchView
    shared: Shared
    own: Own
    prompt: Prompt

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.prompt.seat


@dataclass(frozen=True, slots=True)
class Match:
    """What is carried from deal to deal.

    `scores` are by seat. `deals_opened` counts void deals too. `carried` are the game's own values
    (dealer, first bidder, places ...), each a name and whole numbers, sorted by name.
    """

    scores: tuple[int, ...]
    deals_done: int = 0
    deals_opened: int = 0
    carried: tuple[tuple[str, tuple[int, ...]], ...] = ()
    last_deal: LastDeal | None = None

    def carried_value(self, name: str) -> tuple[int, ...] | None:
        """Return what the game carries under `name`; None: nothing."""
        return dict(self.carried).get(name)

    def opened(self) -> Match:
        """Return the match with one more deal opened: the one that is about to be dealt."""
        return replace(self, deals_opened=self.deals_opened + 1)

    def carrying(self, **values: tuple[int, ...]) -> Match:
        """Return the match with these values carried besides the others."""
        return replace(self, carried=tuple(sorted({**dict(self.carried), **values}.items())))


@dataclass(frozen=True, slots=True)
class Step:
    """A deal after something happened, and what happened, in order."""

    deal: Deal
    events: tuple[Seen, ...]


class Game(ABC):
    """A rule set with chosen options. Its class tells what can be chosen; equal options make equal games."""

    id: ClassVar[str]
    rules_version: ClassVar[int]
    """Rises when a change of the rules' code makes an old log mean something else."""
    title: ClassVar[str]
    unit: ClassVar[str]
    """What contracts and tallies count, in the plural."""
    role_names: ClassVar[Mapping[Role, str]]
    player_range: ClassVar[tuple[int, int]]
    options_schema: ClassVar[tuple[Option, ...]]

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Choose options; what is not given has its default.

        Raises:
            OptionError: there is no such option, or it cannot have that value.
        """
        self.options: Mapping[str, OptionValue] = chosen(self.options_schema, options or {})

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many play."""

    @property
    def zero_sum(self) -> bool:
        """Whether the scores of a deal sum to zero."""
        return True

    @property
    def default_deals(self) -> int:
        """How many scored deals a match has, where nobody says otherwise."""
        return 10

    @abstractmethod
    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal the cards of the match's next deal (number `match.deals_opened`: count it first, `Match.opened`)."""

    @abstractmethod
    def blank(self, number: int) -> tuple[Shared, tuple[Own, ...]]:
        """Return what is known of the match's deal of that number before its first event."""

    @abstractmethod
    def settle(self, sheet: Sheet) -> None:
        """Write down what follows from the rest of the shared knowledge: whose turn it is, and the details.

        While nothing yet tells whose turn it is (a deal's first), leave it as it is.
        """

    @abstractmethod
    def carry(self, match: Match, deal: Deal) -> Match:
        """Return what `match` carries on after a finished deal, scores and counts aside."""

    def new_match(self) -> Match:
        """Return a match before its first deal."""
        return Match((0,) * self.seats)

    def is_decided(self, match: Match) -> bool:  # noqa: ARG002  # most matches are played to their last deal
        """Tell whether a match is over before its last deal: somebody has the points that were played for."""
        return False

    def sides(self, match: Match, shared: Shared | None = None) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002
        """Return the match's fixed partnerships, each its seats; none where partners are found anew in each deal.

        `shared` is what is known of the deal on the table, if one is: partners may just have been drawn for it.
        """
        return ()

    def last_deal(self, shared: Shared, result: DealResult) -> LastDeal:
        """Return what the match shows of a deal that was scored, as far as the next one depends on it."""
        return LastDeal(shared.number, result)

    def after(self, match: Match, deal: Deal) -> Match:
        """Return the match after a finished deal: a void one (all passed) adds no score and does not count."""
        assert deal.shared.result is not None
        result = deal.shared.result
        carried = self.carry(match, deal)
        if result.outcome is Outcome.VOID:
            return carried
        scores = tuple(old + share.score for old, share in zip(match.scores, result.seats, strict=True))
        last = self.last_deal(deal.shared, result)
        return replace(carried, scores=scores, deals_done=match.deals_done + 1, last_deal=last)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.id == other.id and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.options.items())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.options)!r})"


class Deal(ABC):
    """One deal's state. `shared` and `owns` are what is known; the hidden cards are the game's own fields."""

    game: Game
    shared: Shared
    owns: tuple[Own, ...]

    @property
    def to_act(self) -> int | None:
        """The seat that has to decide; None once the deal is over."""
        return self.shared.to_act

    @property
    def phase(self) -> Phase:
        """The stage of the deal."""
        return self.shared.phase

    @property
    def is_over(self) -> bool:
        """Whether the deal is scored or void."""
        return self.shared.phase is Phase.OVER

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points by seat; None before the end and for a void deal."""
        result = self.shared.result
        return tuple(share.score for share in result.seats) if result and result.seats else None

    @property
    @abstractmethod
    def prompt(self) -> Prompt | None:
        """What the seat to act may do; None once the deal is over."""

    @abstractmethod
    def check(self, action: Action) -> None:
        """Check an action of the seat to act; the deal stays as it is.

        Raises:
            IllegalAction: the rules forbid it; the message says which.
            DealIsOver: nobody has to decide.
        """

    @abstractmethod
    def apply(self, action: Action) -> Step:
        """Return the deal after an action of the seat to act, and the events.

        Raises:
            IllegalAction: the rules forbid it; the message says which.
            DealIsOver: nobody has to decide.
        """

    @abstractmethod
    def legal_actions(self) -> Iterator[Action]:
        """Yield every legal action, lazily: a discard alone can be one of thousands."""

    @abstractmethod
    def default_action(self) -> Action:
        """Return the action that is taken when the seat's time is up: defined at every decision."""

    def reading(self, action: Action) -> Combination | None:  # noqa: ARG002  # most games have no combinations
        """Return how the cards of an action are read, whether it is legal or not; None: as no combination."""
        return None

    def view(self, seat: int, match: MatchView | None = None) -> View:
        """Return all that the seat to act knows.

        Raises:
            DealIsOver: nobody has to decide.
        """
        prompt = self.prompt
        if prompt is None or prompt.seat != seat:
            raise DealIsOver(f"seat {seat} has nothing to decide")
        return View(self.game, match or MatchView(), self.shared, self.owns[seat], prompt)
