"""Sections 4 to 6 of the pages of Dou Dizhu and Shuangkou once more, in plain Python: rounds, heirs, end and score.

Combinations and what beats what are read in `by_the_page`. Nothing here calls the kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from junto.games.climbing.terms import DOU_DIZHU, SHUANGKOU, Terms
from junto.games.options import OptionValue

from . import by_the_page
from .by_the_page import Counts, Reading

MOST_PARTS = 400
"""Of a hand with more parts not all that can be played is looked for."""


@dataclass
class Table(ABC):
    """A deal from its first lead on: the hands as counts of ranks, whose turn it is, and what has happened."""

    options: Mapping[str, OptionValue]
    hands: list[Counts]
    to_act: int
    top: Reading | None = None
    owner: int = -1
    passed: int = 0
    out: list[int] = field(default_factory=list)
    played: list[tuple[int, str]] = field(default_factory=list)

    @property
    @abstractmethod
    def over(self) -> bool:
        """Tell whether the deal is over."""

    @abstractmethod
    def scores(self) -> list[int]:
        """Return what each seat scores."""

    @abstractmethod
    def reading(self, cards: Counts) -> Reading | None:
        """Return which combination cards are; None: they are none."""

    @abstractmethod
    def beats(self, play: Reading, top: Reading) -> bool:
        """Tell whether a play may be laid on the top."""

    @abstractmethod
    def heir(self) -> int:
        """Return who leads when the owner of the top has gone out."""

    def may_play(self, cards: Counts) -> bool:
        """Tell whether the seat to act may play these cards, which it has."""
        play = self.reading(cards)
        return play is not None and (self.top is None or self.beats(play, self.top))

    def plays(self) -> set[Counts] | None:
        """Return all that the seat to act may play; None if its hand is too large to look through."""
        hand = self.hands[self.to_act]
        if prod(count + 1 for count in hand) > MOST_PARTS:
            return None
        parts = product(*(range(count + 1) for count in hand))
        return {part for part in parts if any(part) and self.may_play(part)}

    def do(self, cards: Counts | None) -> None:
        """Let the seat to act play cards, or pass (None)."""
        seat = self.to_act
        if cards is None:
            self.passed += 1
        else:
            self.top, self.owner, self.passed = self.reading(cards), seat, 0
            assert self.top is not None
            self.played.append((seat, self.top[0]))
            self.hands[seat] = tuple(held - gone for held, gone in zip(self.hands[seat], cards, strict=True))
            if not any(self.hands[seat]):
                self.out.append(seat)
        if self.over:
            return
        if self.passed < self._answering():
            self.to_act = self.next_with_cards(seat)
        else:
            self.to_act = self.heir() if self.owner in self.out else self.owner
            self.top, self.owner, self.passed = None, -1, 0

    def _answering(self) -> int:
        """Return how many must pass: all with cards but the owner of the top."""
        return sum(any(hand) for seat, hand in enumerate(self.hands) if seat != self.owner)

    def next_with_cards(self, seat: int) -> int:
        """Return the next seat that acts after a seat; never the owner of the top."""
        seats = len(self.hands)
        others = ((seat + step) % seats for step in range(1, seats + 1))
        return next(other for other in others if any(self.hands[other]) and other != self.owner)


@dataclass
class DouDizhuTable(Table):
    """鬥地主: the first to lead is the landlord."""

    landlord: int = -1
    bid: int = 1

    @property
    def terms(self) -> Terms:
        """What the options change of combinations."""
        return replace(
            DOU_DIZHU,
            distinct_kickers=self.options["kicker_rule"] == "distinct",
            rocket_as_kickers=bool(self.options["rocket_as_kickers"]),
        )

    @property
    def over(self) -> bool:
        return bool(self.out)

    def reading(self, cards: Counts) -> Reading | None:
        return next(by_the_page.dou_dizhu(cards, self.terms), None)

    def beats(self, play: Reading, top: Reading) -> bool:
        return by_the_page.dou_dizhu_beats(top, play, self.terms)

    def heir(self) -> int:
        raise AssertionError("the first who is out ends the deal")

    @property
    def spring(self) -> str:
        """Which side never got to play."""
        own = sum(seat == self.landlord for seat, _ in self.played)
        if self.out == [self.landlord]:
            return "spring" if own == len(self.played) else "none"
        return "anti_spring" if own == 1 else "none"

    @property
    def bombs(self) -> int:
        """How many bombs and rockets were played."""
        return sum(kind in {"bomb", "rocket"} for _, kind in self.played)

    @property
    def multiplier(self) -> int:
        """What the bid is multiplied by."""
        times = max(1, self.bombs) if self.options["bomb_factor"] == "count" else 2**self.bombs
        times *= 1 if self.spring == "none" else 2
        cap = int(self.options["multiplier_cap"])
        return min(times, cap) if cap else times

    def scores(self) -> list[int]:
        points = int(self.options["unit"]) * self.bid * self.multiplier
        won = self.out == [self.landlord]
        return [
            (2 * points if won else -2 * points) if seat == self.landlord else -points if won else points
            for seat in range(3)
        ]


@dataclass
class ShuangkouTable(Table):
    """雙扣."""

    @property
    def over(self) -> bool:
        partners = self.options["early_end"] and len(self.out) == 2 and abs(self.out[0] - self.out[1]) == 2
        return bool(partners) or len(self.out) == 3

    def reading(self, cards: Counts) -> Reading | None:
        terms = replace(SHUANGKOU, joker_pairs=bool(self.options["joker_pairs"]))
        return next(by_the_page.shuangkou(cards, terms), None)

    def beats(self, play: Reading, top: Reading) -> bool:
        return by_the_page.shuangkou_beats(top, play, SHUANGKOU)

    def heir(self) -> int:
        partner = (self.owner + 2) % 4
        return partner if any(self.hands[partner]) else self.next_with_cards(self.owner)

    def scores(self) -> list[int]:
        first = self.out[0]
        partner = (first + 2) % 4
        points = {1: 2, 2: 1}.get(self.out.index(partner), 0) if partner in self.out else 0
        lost = -points if self.options["zero_sum"] else 0
        return [points if seat in {first, partner} else lost for seat in range(4)]
