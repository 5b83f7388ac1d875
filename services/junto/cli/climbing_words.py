"""The words of the climbing games: combinations, rounds and places as players say them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from junto.cli.faces import action_face, card_face
from junto.games.actions import ApplyForLead, Pass, PlayCards, ShowCards
from junto.games.cards import Card
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.ranks import RANKS, letters_of, rank_of_card
from junto.games.view import SeatAction

NAMES: Final = (
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace", "two",
    "small joker", "big joker",
)  # fmt: skip
NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
)
KINDS: Final = {
    Kind.SINGLE: "single cards",
    Kind.PAIR: "pairs",
    Kind.TRIO: "trios",
    Kind.TRIO_SINGLE: "trios with a card",
    Kind.TRIO_PAIR: "trios with a pair",
    Kind.STRAIGHT: "straights",
    Kind.PAIR_STRAIGHT: "runs of pairs",
    Kind.TRIO_STRAIGHT: "planes",
    Kind.PLANE_SINGLE: "planes with cards",
    Kind.PLANE_PAIR: "planes with pairs",
    Kind.FOUR_TWO_SINGLE: "fours with two cards",
    Kind.FOUR_TWO_PAIR: "fours with two pairs",
    Kind.BOMB: "bombs",
    Kind.JOKER_BOMB: "jokers",
    Kind.SET: "sets",
}
"""What the combinations of a kind are called together."""
WIDTH: Final = 104
_ROCKET_SIZE: Final = 2
_WIDTHS: Final = {Kind.TRIO_SINGLE: 3, Kind.TRIO_PAIR: 3, Kind.PLANE_SINGLE: 3, Kind.PLANE_PAIR: 3}
_FOURS: Final = frozenset({Kind.FOUR_TWO_SINGLE, Kind.FOUR_TWO_PAIR})


def plural(rank: int) -> str:
    """Return what several cards of a rank are called: `sixes`, `jacks`."""
    return f"{NAMES[rank]}es" if NAMES[rank] == "six" else f"{NAMES[rank]}s"


def counted(count: int, rank: int) -> str:
    """Return so many cards of a rank: `a king`, `three kings`."""
    if count == 1:
        return f"{'an' if NAMES[rank][0] in 'ae' else 'a'} {NAMES[rank]}"
    return f"{number_word(count)} {plural(rank)}"


def number_word(number: int) -> str:
    """Return a number in words if it is small."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def ordinal(place: int) -> str:
    """Return a place: `1st`, `2nd`."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def combination_letters(combination: Combination) -> str:
    """Return a combination as it is typed, what is carried last: `34567`, `44455539`."""
    return letters_of(combination.ranks)


def combination_words(combination: Combination) -> str:
    """Return a combination in words: `a straight 3-7`, `a plane 444555 with 3 and 9`."""
    key, kind = combination.key, combination.kind
    match kind:
        case Kind.SINGLE:
            return counted(1, key)
        case Kind.PAIR:
            return f"a pair of {plural(key)}"
        case Kind.TRIO:
            return counted(3, key)
        case Kind.STRAIGHT | Kind.PAIR_STRAIGHT:
            name = "straight" if kind is Kind.STRAIGHT else "run of pairs"
            return f"a {name} {RANKS[combination.ranks[0]]}-{RANKS[key]}"
        case Kind.TRIO_STRAIGHT:
            return f"a plane {combination_letters(combination)}"
        case Kind.BOMB:
            size = f"{number_word(combination.size)} " if combination.length > 1 else ""
            return f"a bomb of {size}{plural(key)}"
        case Kind.JOKER_BOMB:
            return "the rocket" if combination.size == _ROCKET_SIZE else "all the jokers"
        case Kind.SET:
            return _set_words(combination)
        case _:
            return _carrying_words(combination)


def _carrying_words(combination: Combination) -> str:
    """Return the words of a trio, a plane or a four with what it carries."""
    kind, key = combination.kind, combination.key
    main = 4 if kind in _FOURS else _WIDTHS[kind] * combination.length
    carried = [letters_of(group) for _, group in groupby(combination.ranks[main:])]
    if kind is Kind.TRIO_SINGLE:
        return f"{counted(3, key)} with {counted(1, combination.ranks[-1])}"
    if kind is Kind.TRIO_PAIR:
        return f"{counted(3, key)} with a pair of {plural(combination.ranks[-1])}"
    what = counted(4, key) if kind in _FOURS else f"a plane {letters_of(combination.ranks[:main])}"
    return f"{what} with {listed(carried)}"


def _set_words(combination: Combination) -> str:
    """Return the words of a set: its base, then the twos and jokers with it."""
    joined = [
        (combination.twos, RANKS.index("2")),
        (combination.small, RANKS.index("B")),
        (combination.big, RANKS.index("R")),
    ]
    rest = listed([counted(count, rank) for count, rank in joined if count])
    if not combination.length:
        return rest
    base = counted(combination.length, combination.key)
    return f"{base} with {rest}" if rest else base


def listed(words: Sequence[str]) -> str:
    """Return words as a list: `3`, `3 and 9`, `3, 9 and J`; nothing for none."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def play_words(done: SeatAction, named: Card | None = None) -> str:
    """Return what a seat played, did not play, or asked for; that the named card was in it is told."""
    match done.action:
        case PlayCards(cards) if done.combination is not None:
            said = "" if named is None or named not in cards else f" ({card_face(named)})"
            return combination_words(done.combination) + said
        case Pass():
            return "passes"
        case ApplyForLead():
            return "asks for the lead"
        case action:
            return action_face(action)


def round_parts(actions: Iterable[SeatAction], named: Card | None = None) -> Iterator[str]:
    """Yield the parts of a round, each with its seat; passes in succession are one."""
    for passing, group in groupby(actions, lambda done: isinstance(done.action, Pass)):
        if passing:
            seats = [str(done.seat) for done in group]
            yield f"{', '.join(seats)} {'passes' if len(seats) == 1 else 'pass'}"
        else:
            yield from (f"{done.seat}{_colon(done)} {play_words(done, named)}" for done in group)


def _colon(done: SeatAction) -> str:
    """Return what stands between a seat and what it played; nothing if that is a verb."""
    return ":" if isinstance(done.action, PlayCards) else ""


def wrapped(first: str, parts: Sequence[str], end: str = "", between: str = "; ") -> Iterator[str]:
    """Yield parts as lines of bearable width, broken between parts: the first begins with `first`, the last ends so."""
    line, at = first, len(first)
    last = len(parts) - 1
    for n, part in enumerate(parts):
        said = part + (end if n == last else between)
        if len(line) > at and len(line) + len(said.rstrip()) > WIDTH:
            yield line.rstrip()
            line = " " * at
        line += said
    yield line.rstrip()


def fan(hand: Iterable[Card], named: Card | None = None) -> str:
    """Return a hand as climbing players hold it: equal ranks together, low to high, copies of a named card by name."""
    ordered = sorted(hand, key=rank_of_card)
    return "  ".join(_fanned(rank, list(cards), named) for rank, cards in groupby(ordered, rank_of_card))


def _fanned(rank: int, cards: Sequence[Card], named: Card | None) -> str:
    copies = [card_face(card) for card in cards if card == named]
    letters = RANKS[rank] * (len(cards) - len(copies))
    return " ".join([letters, *copies] if letters else copies)


def show_words(show: ShowCards) -> str:
    """Return what an emperor shows: `three ♥9`."""
    return f"{number_word(show.count)} {card_face(show.card)}"
