"""What a player of a climbing game types: a play by its ranks, by cards, or by its number in the list.

Suits are free in these games, so ranks are enough: the cards for them are picked from the hand. Only copies of a
card that an emperor has named matter, to the guard above all; they stay in the hand unless they are typed as cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from junto.cli.climbing_words import KINDS, combination_letters, combination_words, counted, plural, wrapped
from junto.cli.faces import card_face
from junto.games.actions import Action, PlayCards, text
from junto.games.cards import Card, CardError, parse_card, suit_of
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.ranks import RANKS, rank_of_card
from junto.games.view import CombinationChoice

MOST_NUMBERED: Final = 12
"""How many plays a prompt lists; where they are more, `list` shows them all."""
_NUMBER: Final = re.compile(r"#([0-9]{1,6})|(1)")


class NotHeld(Exception):
    """The hand has not the cards of what was typed; the message says which."""


@dataclass(frozen=True, slots=True)
class Held:
    """The own hand; copies of `spared` are picked last."""

    hand: tuple[Card, ...] = ()
    spared: Card | None = None

    def picked(self, ranks: Sequence[int], besides: Sequence[Card] = ()) -> tuple[Card, ...]:
        """Return cards of these ranks besides some cards of the hand that are chosen already: low suits first.

        Raises:
            NotHeld: the hand has not so many.
        """
        left = list((Counter(self.hand) - Counter(besides)).elements())
        cards = list(besides)
        for rank, count in Counter(ranks).items():
            fitting = sorted((card for card in left if rank_of_card(card) == rank), key=self._order)
            if len(fitting) < count:
                held = f"only {counted(len(fitting), rank)}" if fitting else f"no {plural(rank)}"
                raise NotHeld(f"you hold {held}")
            cards += fitting[:count]
        return tuple(cards)

    def _order(self, card: Card) -> tuple[bool, int]:
        return card == self.spared, -suit_of(card)


def read_play(words: Sequence[str], choice: CombinationChoice | None, held: Held) -> PlayCards | None:
    """Return the play that a line means; None: it means none.

    Raises:
        NotHeld: the hand has not the cards, or the list no such number.
    """
    spoken = words[1:] if words[0].lower() == "play" else words
    if len(spoken) == 1 and (number := _NUMBER.fullmatch(spoken[0])):
        return PlayCards(held.picked(_numbered(int(number[1] or number[2]), choice).ranks))
    cards: list[Card] = []
    ranks: list[int] = []
    for word in (word.upper().replace("10", "T") for word in spoken):
        try:
            cards.append(parse_card(word))
        except CardError:
            if not set(word) <= set(RANKS):
                return None
            ranks += map(RANKS.index, word)
    if not cards and not ranks:
        return None
    return PlayCards(held.picked(ranks, cards))


def _numbered(number: int, choice: CombinationChoice | None) -> Combination:
    plays = choice.plays if choice is not None else ()
    if not 1 <= number <= len(plays):
        raise NotHeld(f"there is no play number {number}" + (f", only #1 to #{len(plays)}" if plays else ""))
    return plays[number - 1]


def how_many(choice: CombinationChoice) -> str:
    """Return how many plays there are to choose from."""
    number = len(choice.plays) + choice.omitted
    return f"one of {number} plays (type list)" if number > 1 else combination_letters(choice.plays[0])


def offered(choice: CombinationChoice) -> str:
    """Return the weakest plays of every kind, each with its number in the list, and how many more there are."""
    entries = list(_entries(choice.plays))
    shown = "  ".join(entries[place] for place in sorted(_weakest_first(choice.plays)[:MOST_NUMBERED]))
    more = len(choice.plays) + choice.omitted - MOST_NUMBERED
    return shown + (f"  and {more} more (type list)" if more > 0 else "")


def _weakest_first(plays: Sequence[Combination]) -> list[int]:
    """Return the places of plays in the list: first the weakest of each kind, then the second ones, and so on."""
    met: Counter[tuple[Kind, int]] = Counter()
    order = []
    for place, play in enumerate(plays):
        kind = (play.kind, play.size if play.kind is Kind.SET else 0)
        order.append((met[kind], place))
        met[kind] += 1
    return [place for _, place in sorted(order)]


def listing(choice: CombinationChoice) -> Iterator[str]:
    """Yield all plays, kind by kind, sets by their size."""
    groups: dict[str, list[str]] = {}
    for entry, play in zip(_entries(choice.plays), choice.plays, strict=True):
        name = f"{KINDS[play.kind]} of {play.size}" if play.kind is Kind.SET else KINDS[play.kind]
        groups.setdefault(name, []).append(entry)
    for name, entries in groups.items():
        yield from wrapped(f"  {name}: ", entries, between="  ")
    if choice.omitted:
        yield f"  and {choice.omitted} more that are not listed"


def _entries(plays: Sequence[Combination]) -> Iterator[str]:
    return (f"#{number} {combination_letters(play)}" for number, play in enumerate(plays, start=1))


def action_words(action: Action, choice: CombinationChoice | None, named: Card | None = None) -> str:
    """Return an action in words, a play with its number in the list."""
    if not isinstance(action, PlayCards) or choice is None:
        return text(action)
    ranks = sorted(map(rank_of_card, action.cards))
    for number, play in enumerate(choice.plays, start=1):
        if sorted(play.ranks) == ranks:
            said = f", {card_face(named)} in it" if named is not None and named in action.cards else ""
            return f"play #{number} {combination_words(play)}{said}"
    return text(action)
