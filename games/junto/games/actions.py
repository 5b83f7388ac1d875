"""What a seat does, in any game: small values with one canonical text form each.

`text(action)` and `parse(text)` are inverse to each other; logs, replays, tests and the command line
speak these texts. Which actions are legal is for a `Deal` to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from junto.games.cards import SUITS, Card, CardError, card_text, cards_text, parse_card, parse_cards

_STRAINS: Final = {"S": 0, "H": 1, "D": 2, "C": 3, "NT": 4}
_STRAIN_TEXTS: Final = ("S", "H", "D", "C", "NT")


class ActionError(ValueError):
    """A text that is no action."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Say or play nothing. `pass`"""


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid an amount, in some games with a strain (0..3 suits, 4 no trumps). `bid 13`, `bid 13S`, `bid 1NT`"""

    amount: int
    strain: int | None = None


@dataclass(frozen=True, slots=True)
class DoubleBid:
    """Double the last bid. `double`"""


@dataclass(frozen=True, slots=True)
class RedoubleBid:
    """Redouble the last bid. `redouble`"""


@dataclass(frozen=True, slots=True)
class ChooseTrump:
    """Name the trump suit, or change it where the rules allow. `trump H`"""

    suit: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Put cards back after taking the kitty; kept sorted. `discard S3 D4 C5 C6`"""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class CallCard:
    """Call the card whose holder becomes the partner (秘書, 副官). `call SA`"""

    card: Card


@dataclass(frozen=True, slots=True)
class Play:
    """Play one card to a trick. `play HT`, `play RJ naming D`, `play D3 call RJ`, `play C4 call SA`

    `naming` is the suit that a led joker asks for; `calls` are cards that the lead calls out of other
    hands (the secretary card by its own name), kept sorted.
    """

    card: Card
    naming: int | None = None
    calls: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if len(self.calls) > 1:
            object.__setattr__(self, "calls", tuple(sorted(self.calls)))


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play a combination in a climbing game; kept sorted, equal cards repeated. `play H5 D5 C5 S9`"""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class AcceptOffer:
    """Take the pot and become emperor. `accept`"""


@dataclass(frozen=True, slots=True)
class DeclineOffer:
    """Let the pot pass on. `decline`"""


@dataclass(frozen=True, slots=True)
class ShowCards:
    """Show copies of one card; the holder of the missing one is the guard. `show3 H9`, `show4 H9`"""

    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class ApplyForLead:
    """Ask for the lead after a seat has gone out (接風). `apply`"""


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim so many of the tricks that are left. `claim 5`"""

    tricks: int


@dataclass(frozen=True, slots=True)
class AgreeToClaim:
    """Agree to a claim. `agree`"""


@dataclass(frozen=True, slots=True)
class RefuseClaim:
    """Refuse a claim. `refuse`"""


Action = (
    Pass | Bid | DoubleBid | RedoubleBid | ChooseTrump | Discard | CallCard | Play | PlayCards
    | AcceptOffer | DeclineOffer | ShowCards | ApplyForLead | Claim | AgreeToClaim | RefuseClaim
)  # fmt: skip
"""Any decision of a seat."""

_WORDS: Final[dict[str, Action]] = {
    "pass": Pass(), "double": DoubleBid(), "redouble": RedoubleBid(), "accept": AcceptOffer(),
    "decline": DeclineOffer(), "apply": ApplyForLead(), "agree": AgreeToClaim(), "refuse": RefuseClaim(),
}  # fmt: skip
_WORD_OF: Final = {action: word for word, action in _WORDS.items()}


def text(action: Action) -> str:
    """Return an action's text form."""
    match action:
        case Bid(amount, strain):
            return f"bid {amount}{'' if strain is None else _STRAIN_TEXTS[strain]}"
        case ChooseTrump(suit):
            return f"trump {SUITS[suit]}"
        case Discard(cards):
            return f"discard {cards_text(cards)}".rstrip()
        case CallCard(card):
            return f"call {card_text(card)}"
        case Play(card, naming, calls):
            named = "" if naming is None else f" naming {SUITS[naming]}"
            return f"play {card_text(card)}{named}" + "".join(f" call {card_text(called)}" for called in calls)
        case PlayCards(cards):
            return f"play {cards_text(cards)}"
        case ShowCards(card, count):
            return f"show{count} {card_text(card)}"
        case Claim(tricks):
            return f"claim {tricks}"
        case _:
            return _WORD_OF[action]


def parse(words: str, *, combination: bool = False) -> Action:
    """Return the action of a text form.

    One card after `play` is a `Play`; `combination` makes it a `PlayCards` (climbing games).

    Raises:
        ActionError: the text is no action.
    """
    first, _, rest = words.strip().partition(" ")
    if first in _WORDS and not rest:
        return _WORDS[first]
    try:
        if first == "play" and not combination and len(rest.split()) % 2 == 1 and _is_play(rest):
            return _play(rest.split())
        return _PARSERS[first](rest)
    except (KeyError, ValueError, IndexError) as error:
        detail = f": {error}" if isinstance(error, CardError) else ""
        raise ActionError(f"{words!r} is not an action{detail}") from None


def _is_play(rest: str) -> bool:
    words = rest.split()
    return len(words) == 1 or words[1] in {"naming", "call"}


def _play(words: list[str]) -> Play:
    naming: int | None = None
    calls: list[Card] = []
    for key, value in zip(words[1::2], words[2::2], strict=True):
        if key == "naming" and naming is None:
            naming = SUITS.index(value)
        elif key == "call":
            calls.append(parse_card(value))
        else:
            raise ActionError(key)
    return Play(parse_card(words[0]), naming, tuple(calls))


def _bid(rest: str) -> Bid:
    digits = rest.rstrip("SHDCNT")
    strain = rest[len(digits) :]
    return Bid(_number(digits), _STRAINS[strain] if strain else None)


def _number(digits: str) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise ActionError(digits)
    return int(digits)


def _combination(rest: str) -> PlayCards:
    cards = parse_cards(rest)
    if not cards:
        raise ActionError(rest)
    return PlayCards(cards)


_PARSERS: Final[dict[str, Callable[[str], Action]]] = {
    "bid": _bid,
    "trump": lambda rest: ChooseTrump(SUITS.index(rest) if len(rest) == 1 else SUITS.index("?")),
    "discard": lambda rest: Discard(parse_cards(rest)),
    "call": lambda rest: CallCard(parse_card(rest)),
    "play": _combination,
    "show3": lambda rest: ShowCards(parse_card(rest), 3),
    "show4": lambda rest: ShowCards(parse_card(rest), 4),
    "claim": lambda rest: Claim(_number(rest)),
}
