"""What a player types: from a line to an action, or to what else is wanted.

The text forms of actions (`bid 12`, `play HT`) always work. Where a prompt leaves no doubt, less will do:
a bid's number and suit alone, a suit, cards alone, or the number that stands beside a playable card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from junto.cli.climbing_typing import Held, NotHeld, how_many, offered, read_play
from junto.cli.climbing_words import show_words
from junto.cli.faces import SIGNS, SUIT_NAMES, bid_face, by_suits, card_face, hand_order
from junto.games.actions import (
    AcceptOffer,
    Action,
    ActionError,
    AgreeToClaim,
    CallCard,
    ChooseTrump,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
    parse,
    text,
)
from junto.games.cards import SUITS, Card, CardError, card_text, parse_card, parse_cards
from junto.games.view import Choices, Phase, PlayChoice, Prompt

SUIT_LETTERS: Final = {
    word: letter for name, letter in zip(SUIT_NAMES, SUITS, strict=False) for word in (name, name.removesuffix("s"))
}
"""The letter of each suit's name, also in the singular."""


class NotUnderstood(Exception):
    """A line that means nothing here; the message says what would."""


class Word(Enum):
    """What is not an action."""

    HINT = "hint"
    LIST = "list"
    EXPLAIN = "explain"
    HELP = "help"
    HAND = "hand"
    QUIT = "quit"


MOST_LISTED: Final = 20
"""How many cards that may be called are listed: where they are more, most cards may be."""

_BID: Final = re.compile(r"[0-9]+(S|H|D|C|NT?)?")
_DOUBLES: Final = frozenset({"x", "dbl"})
_REDOUBLES: Final = frozenset({"xx", "rdbl"})
_YES: Final = frozenset({"yes", "y"})
_NO: Final = frozenset({"no", "n"})
_ANSWERS: Final[Mapping[str, Action]] = {
    **dict.fromkeys(_YES, AgreeToClaim()),
    **dict.fromkeys(_NO, RefuseClaim()),
}

WORDS: Final = {
    **{word.value: word for word in Word},
    "?": Word.HELP,
    "q": Word.QUIT,
    "exit": Word.QUIT,
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A line, in words: the first in lower case, the others in capitals, suit signs as letters."""

    words: tuple[str, ...]

    @property
    def first(self) -> str:
        """The first word."""
        return self.words[0].lower()

    @property
    def text(self) -> str:
        """The line as the text form of an action has it."""
        keep = {"naming", "call"}
        rest = [word.lower() if word.lower() in keep else word.upper() for word in self.words[1:]]
        return " ".join([self.first, *rest])


def read_line(line: str, prompt: Prompt, held: Held | None = None) -> Action | Word:
    """Return what a line means at a prompt; `held` is the hand from which cards are picked in a climbing game.

    Raises:
        NotUnderstood: it means nothing.
    """
    for sign, letter in zip(SIGNS, SUITS, strict=True):
        line = line.replace(sign, letter)
    typed = Typed(tuple(SUIT_LETTERS.get(word.lower(), word) for word in line.replace(",", " ").split()))
    if not typed.words:
        raise NotUnderstood(asked(prompt))
    if (word := _word(typed, combinations=held is not None)) is not None:
        return word
    action = _short(typed, prompt) or _combination(typed, prompt, held)
    if action is not None:
        return action
    try:
        return parse(typed.text)
    except ActionError:
        raise NotUnderstood(f"{line.strip()!r} is not understood; {asked(prompt, briefly=True)}") from None


def _word(typed: Typed, *, combinations: bool) -> Word | None:
    """Return what a line is that is no action; in games of combinations a Q is a queen."""
    if len(typed.words) > 1 or (typed.first == "q" and combinations):
        return None
    return WORDS.get(typed.first)


def _combination(typed: Typed, prompt: Prompt, held: Held | None) -> PlayCards | None:
    """Return the combination that a line means; None: it means none, or none is played now."""
    choice = prompt.choices.combination
    if choice is None and (held is None or prompt.phase is not Phase.PLAY):
        return None
    try:
        return read_play(typed.words, choice, held or Held())
    except NotHeld as error:
        raise NotUnderstood(f"{error}; {asked(prompt, briefly=True)}") from None


def asked(prompt: Prompt, *, briefly: bool = False) -> str:
    """Return what a prompt asks for, in words; `briefly`: combinations are counted, not listed."""
    choices = prompt.choices
    parts = ["pass"] if choices.passing else []
    if choices.bids:
        low, high = bid_face(choices.bids[0]), bid_face(choices.bids[-1])
        parts.append(f"bid {low} to {high}" if low != high else f"bid {low}")
    parts += ["double"] if choices.doubling else []
    parts += ["redouble"] if choices.redoubling else []
    if choices.trumps:
        suits = ", ".join(f"{SUITS[suit]} for {SUIT_NAMES[suit]}" for suit in choices.trumps)
        rise = f" (the contract rises by {choices.contract_rise})" if choices.contract_rise else ""
        parts.append(f"name trumps: {suits}{rise}")
    if choices.discard is not None:
        costly = f"; each of {by_suits(choices.discard.costly)} raises the contract" if choices.discard.costly else ""
        parts.append(f"put back {choices.discard.count} cards{costly}")
    if choices.callable:
        few = len(choices.callable) <= MOST_LISTED
        parts.append(f"call one of {by_suits(choices.callable)}" if few else "call a card")
    if choices.play is not None:
        whose = "" if choices.play.from_seat == prompt.seat else "from the open hand "
        parts.append(f"play {whose}" + numbered(choices.play))
    parts += _climbing_parts(choices, briefly=briefly)
    if choices.claim_up_to is not None:
        parts.append(f"claim 0 to {choices.claim_up_to} tricks")
    if choices.answering_claim:
        parts += ["agree to the claim", "refuse it"]
    return "you may " + ", or ".join(parts)


def _climbing_parts(choices: Choices, *, briefly: bool) -> Iterator[str]:
    """Yield what may be done in climbing games alone."""
    if choices.accepting:
        yield "accept the pot and become emperor"
    if choices.declining is not None:
        gives = choices.declining.gives
        yield "decline" + ("" if gives is None else f" ({card_face(gives)} goes into the pot)")
    if choices.showing:
        yield "show " + "  ".join(f"{n}:{show_words(show)}" for n, show in enumerate(choices.showing, start=1))
    if choices.combination is not None:
        yield f"play {how_many(choices.combination) if briefly else offered(choices.combination)}"
    if choices.applying:
        yield "apply for the lead"


def numbered(choice: PlayChoice) -> str:
    """Return the playable cards, each with the number that may be typed for it."""
    return "  ".join(f"{number}:{card_face(card)}" for number, card in enumerate(playable(choice), start=1))


def playable(choice: PlayChoice) -> list[Card]:
    """Return the playable cards in the order in which they are numbered."""
    return sorted(choice.cards, key=hand_order)


def _short(typed: Typed, prompt: Prompt) -> Action | None:
    """Return the action that a line without its verb means; None: it has its verb, or means nothing."""
    choices = prompt.choices
    if len(typed.words) == 1 and (word := _one_word(typed.first, choices)) is not None:
        return word
    if choices.bids and (bid := "".join(typed.words).upper()) and _BID.fullmatch(bid):
        return parse(f"bid {bid}T" if bid.endswith("N") else f"bid {bid}")
    if choices.showing and (show := _show(typed, choices.showing)) is not None:
        return show
    if choices.trumps and len(typed.words) == 1 and (suit := _suit(typed.first)) is not None:
        return ChooseTrump(suit)
    try:
        if choices.play is not None:
            return _card_alone(typed, choices.play)
        cards = parse_cards(" ".join(typed.words).upper())
    except (CardError, ActionError):
        return None
    if choices.discard is not None:
        return Discard(cards)
    return CallCard(cards[0]) if choices.callable and len(cards) == 1 else None


def _one_word(word: str, choices: Choices) -> Action | None:
    """Return the action that one word means; None: it means none of those that need no more."""
    if choices.passing and word in {"p", "no"}:
        return Pass()
    if choices.doubling and word in _DOUBLES:
        return DoubleBid()
    if choices.redoubling and word in _REDOUBLES:
        return RedoubleBid()
    if choices.accepting and word in _YES:
        return AcceptOffer()
    if choices.declining is not None and word in _NO:
        return DeclineOffer()
    return _ANSWERS.get(word) if choices.answering_claim else None


def _show(typed: Typed, ways: Sequence[ShowCards]) -> ShowCards | None:
    """Return what an emperor shows by its number, or by the card alone if there is one way to show it."""
    if len(typed.words) != 1:
        return None
    if typed.first.isdecimal():
        if (number := _number(typed.first, len(ways))) is None:
            raise NotUnderstood(f"there is no number {typed.first}, only 1 to {len(ways)}")
        return ways[number - 1]
    fitting = [way for way in ways if card_text(way.card) == typed.first.upper()]
    if len(fitting) > 1:
        raise NotUnderstood("say how many: " + " or ".join(map(text, fitting)))
    return fitting[0] if fitting else None


def _card_alone(typed: Typed, choice: PlayChoice) -> Play | None:
    first, *rest = typed.text.split()
    if first.isdecimal():
        cards = playable(choice)
        if (number := _number(first, len(cards))) is None:
            raise NotUnderstood(f"there is no card number {first}: {numbered(choice)}")
        card = cards[number - 1]
    else:
        card = parse_card(first.upper())
    if len(rest) == 1 and (suit := _suit(rest[0])) is not None:
        rest = ["naming", SUITS[suit]]
    action = parse(" ".join(["play", card_text(card), *rest]))
    assert isinstance(action, Play)
    if action.naming is None and card in choice.naming:
        raise NotUnderstood(f"say which suit is to be followed: {card_text(card)} naming S, H, D or C")
    return action


def _number(digits: str, most: int) -> int | None:
    """Return a number from 1 to the most there is; None: it is none of these."""
    number = int(digits) if len(digits) <= len(str(most)) else 0
    return number if 1 <= number <= most else None


def _suit(word: str) -> int | None:
    """Return the suit of a letter; None: it is no suit's."""
    return SUITS.index(word.upper()) if word.upper() in SUITS and len(word) == 1 else None
