"""What can be known of a deal: `Shared` by everybody, `Own` by one seat besides; together a `View`.

These values mirror `junto/v1/views.proto`, field by field. They are made in one place only
(`junto.games.knowledge`), by folding the events that their owner may see: nothing else gets in.
A missing value is `None`; lists are tuples; seats count from 0, in the order of play.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from junto.games.actions import Action, Bid, PlayCards, ShowCards
from junto.games.cards import Card
from junto.games.climbing.combination import Combination


class Phase(IntEnum):
    """The stages of a deal, over all games (numbers as in the API)."""

    DEAL = 1
    AUCTION = 2
    TRUMP = 3
    EXCHANGE = 4
    CALL = 5
    OFFER = 6
    SHOW = 7
    PLAY = 8
    OVER = 9


class Role(IntEnum):
    """What a seat is in a deal; each game has its own words (numbers as in the API)."""

    DECLARER = 1
    PARTNER = 2
    OPPONENT = 3


class Outcome(IntEnum):
    """How a deal ended (numbers as in the API)."""

    MADE = 1
    DOWN = 2
    DRAWN = 3
    VOID = 4
    PLAYED = 5


class Doubling(IntEnum):
    """Whether a bid was doubled (numbers as in the API)."""

    NONE = 1
    DOUBLED = 2
    REDOUBLED = 3


class Spring(IntEnum):
    """Whether one side of Dou Dizhu never got to play: the peasants, or the landlord after his lead (春天)."""

    NONE = 1
    SPRING = 2
    ANTI_SPRING = 3


class Alliance(IntEnum):
    """Whether an emperor has a guard (numbers as in the API)."""

    PARTNER = 1
    HIDDEN_SOLO = 2
    OPEN_SOLO = 3


class Vulnerability(IntEnum):
    """Who is vulnerable in a bridge deal (numbers as in the API)."""

    NONE = 1
    NORTH_SOUTH = 2
    EAST_WEST = 3
    BOTH = 4


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as everybody sees it: its size, and the cards in it that all know (`open`).

    A hand without an owner (the pile of bridge for three) has the number after the last seat's.
    """

    seat: int
    size: int
    open: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatAction:
    """A seat and what it did; `combination` is how its cards are read, if it played some."""

    seat: int
    action: Action
    combination: Combination | None = None


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declarer has undertaken: his side must capture `target` of the game's unit."""

    declarer: int
    bid: Bid
    target: int | None = None
    doubling: Doubling | None = None


@dataclass(frozen=True, slots=True)
class CalledCard:
    """A card whose holder is the declarer's partner; `holder` once it was seen in a seat's hands."""

    card: Card
    holder: int | None = None


@dataclass(frozen=True, slots=True)
class SeatRole:
    """A seat and its role, as everybody knows it."""

    seat: int
    role: Role


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card in a trick and from whose hand it came."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: cards in the order of play; `winner` and `points` once it is complete."""

    leader: int
    cards: tuple[TrickCard, ...] = ()
    led_suit: int | None = None
    calls: tuple[Card, ...] = ()
    winner: int | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What a seat has captured: tricks, and points in the game's unit."""

    seat: int
    tricks: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class TrickPlay:
    """The course of a trick-taking game; `trump` is a strain (4: no trumps), None while not named."""

    total_tricks: int
    trump: int | None = None
    tricks: tuple[Trick, ...] = ()
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a climbing game, from a lead until nobody beats it: plays, passes, requests to take the lead."""

    leader: int
    actions: tuple[SeatAction, ...] = ()

    @property
    def top(self) -> SeatAction | None:
        """The play that is to be beaten; None before the lead."""
        return next((done for done in reversed(self.actions) if isinstance(done.action, PlayCards)), None)


@dataclass(frozen=True, slots=True)
class ClimbingPlay:
    """The course of a climbing game: its rounds, the seats that have gone out, in order, and who asks for the lead."""

    rounds: tuple[Round, ...] = ()
    finished: tuple[int, ...] = ()
    applicant: int | None = None


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's share of a deal's result; `place` where seats go out in order, from 1."""

    seat: int
    score: int
    role: Role | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended; `captured` by the declarer's side, in the contract's unit."""

    outcome: Outcome
    seats: tuple[SeatResult, ...] = ()
    captured: int | None = None


@dataclass(frozen=True, slots=True)
class NapoleonDetails:
    """What the games with a called card have besides: whether jokers have their power now, and what is to be won.

    `counting_cards` is in the game's unit (court cards, point cards, points), less what all know to be put back.
    """

    counting_cards: int
    jokers_strong: bool


@dataclass(frozen=True, slots=True)
class PointReport:
    """What a player's four cards of the pile count: ace 4, king 3, queen 2, jack 1."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Pile:
    """The fourth hand in bridge for three as it was laid down, ordered by suit; None lies face down."""

    row: tuple[Card | None, ...] = ()
    reports: tuple[PointReport, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingClaim:
    """A claim that is not settled: the claimer, the tricks he claims, and the seats that have agreed, in order."""

    seat: int
    tricks: int
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BridgeDetails:
    """What bridge has besides; `dummy` is a hand's number once the auction is over, `pile` for three players."""

    board: int
    vulnerability: Vulnerability
    dummy: int | None = None
    pile: Pile | None = None
    claim: PendingClaim | None = None


@dataclass(frozen=True, slots=True)
class WhistDetails:
    """What whist has besides: the card that was turned up and made its suit trumps."""

    turned: Card


@dataclass(frozen=True, slots=True)
class DouDizhuDetails:
    """What Dou Dizhu has besides: bombs and rockets played, what they multiply by so far, and at the end spring."""

    bombs: int = 0
    multiplier: int = 1
    spring: Spring | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """What a seat that declined put into the pot; None: nothing."""

    seat: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Tribute:
    """A card that changed hands for the last deal's result."""

    from_seat: int
    to_seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Clearing:
    """A seat left with nothing but threes whose last play was beaten at once, and by whom."""

    seat: int
    by_seat: int


@dataclass(frozen=True, slots=True)
class BaohuangDetails:
    """What Baohuang has besides; `payments` are by whoever declined, in order, `pot` as it stands."""

    pot: tuple[Card, ...] = ()
    payments: tuple[Payment, ...] = ()
    named: ShowCards | None = None
    alliance: Alliance | None = None
    tributes: tuple[Tribute, ...] = ()
    clearings: tuple[Clearing, ...] = ()


Details = NapoleonDetails | BridgeDetails | WhistDetails | DouDizhuDetails | BaohuangDetails
"""What only one game or family has in its shared view."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What everybody at the table knows of a deal. `hands` are as they lie round the table, in the order of play."""

    number: int
    phase: Phase
    hands: tuple[HandView, ...]
    dealer: int | None = None
    to_act: int | None = None
    kitty_size: int = 0
    kitty: tuple[Card, ...] = ()
    put_back: tuple[Card, ...] = ()
    calls: tuple[SeatAction, ...] = ()
    contract: Contract | None = None
    called: tuple[CalledCard, ...] = ()
    roles: tuple[SeatRole, ...] = ()
    result: DealResult | None = None
    tricks: TrickPlay | None = None
    climbing: ClimbingPlay | None = None
    details: Details | None = None

    def role_of(self, seat: int) -> Role | None:
        """Return the role that everybody knows `seat` to have."""
        return next((known.role for known in self.roles if known.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Own:
    """What one seat knows beyond the shared view.

    `hand` is sorted by card number. `kitty` is the kitty that it took, `put_back` what it put back.
    `alone` is true for a declarer who knows that he has no partner. `pile_row` is the pile of bridge for three
    as this seat sees it: the open card and its own four, None for the others.
    """

    seat: int
    hand: tuple[Card, ...] = ()
    role: Role | None = None
    alone: bool = False
    kitty: tuple[Card, ...] = ()
    put_back: tuple[Card, ...] = ()
    pile_row: tuple[Card | None, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """Put back exactly `count` of `cards`; each of `costly` raises the contract by one and is shown."""

    count: int
    cards: tuple[Card, ...]
    costly: tuple[Card, ...] = ()
    costly_limit: int | None = None


@dataclass(frozen=True, slots=True)
class LeadCall:
    """A card that may be called out, and the leads that it may be called with."""

    called: Card
    leads: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayChoice:
    """Play one of `cards` from `from_seat`'s hand (dummy's, for a declarer); with those in `naming` goes a suit.

    A lead makes any one of the `calls` that it fits; a second one besides only if one of the two calls a joker as
    a joker, not as a partner's card.
    """

    from_seat: int
    cards: tuple[Card, ...]
    follow: int | None = None
    naming: tuple[Card, ...] = ()
    calls: tuple[LeadCall, ...] = ()


@dataclass(frozen=True, slots=True)
class CombinationChoice:
    """Play one of `plays`, weakest first, with any cards of their ranks; `to_beat` is None for a lead.

    `omitted` are those that are legal, too, and too many to be listed.
    """

    to_beat: Combination | None = None
    plays: tuple[Combination, ...] = ()
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Declining:
    """An offer may be declined; `gives` is the card that this puts into the pot."""

    gives: Card | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be done now. An empty or missing field is not allowed; see `Choices` in the API.

    Any number of tricks from 0 to `claim_up_to` may be claimed. Who is `answering_claim` agrees or refuses. The lead
    may be asked for if `applying`.
    """

    passing: bool = False
    bids: tuple[Bid, ...] = ()
    trumps: tuple[int, ...] = ()
    contract_rise: int = 0
    discard: DiscardChoice | None = None
    callable: tuple[Card, ...] = ()
    play: PlayChoice | None = None
    combination: CombinationChoice | None = None
    accepting: bool = False
    declining: Declining | None = None
    showing: tuple[ShowCards, ...] = ()
    applying: bool = False
    doubling: bool = False
    redoubling: bool = False
    claim_up_to: int | None = None
    answering_claim: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision that a seat has to make, with all that is needed to make it without knowing the rules."""

    seat: int
    phase: Phase
    choices: Choices


@dataclass(frozen=True, slots=True)
class LastDeal:
    """The last scored deal of a match: its number and result, and what Baohuang's tribute hangs on besides."""

    number: int
    result: DealResult
    alliance: Alliance | None = None
    clearings: tuple[Clearing, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchView:
    """What is carried from deal to deal, as everybody sees it. `scores` are by seat, `sides` fixed partnerships."""

    deals_done: int = 0
    deals_total: int | None = None
    scores: tuple[int, ...] = ()
    last_deal: LastDeal | None = None
    sides: tuple[tuple[int, ...], ...] = ()
