"""The house rules of a game with a called partner, and how its result is counted: what all phases share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from junto.games.actions import Bid
from junto.games.cards import Card, mask_of
from junto.games.tricks import kernel, scoring
from junto.games.tricks.terms import Terms
from junto.games.view import Phase

_SUITS = 4


@dataclass(frozen=True)
class HouseRules:
    """What the games and their options leave open, beside the play and the scores (`terms`).

    Bids go up by `bid_step` from `min_bid`, `clockwise` or not, and may name a suit (`bids_name_suits`), which is
    trumps then; who has passed may be out (`pass_is_final`). The `kitty` has so many cards. `trump_change`: the
    declarer may name another suit after seeing it, for one more in the contract. `court_penalty`: counting cards put
    back are shown, and each raises the contract by one. He calls so many cards (`secretaries`), before he sees the
    kitty where `call_first` holds, and then may put them back; a joker may be called (`joker_secretary`), or only a
    card of his own (`forced_solo`).
    """

    terms: Terms
    kitty: int
    min_bid: int
    bid_step: int = 1
    bids_name_suits: bool = False
    clockwise: bool = False
    pass_is_final: bool = False
    trump_change: bool = False
    court_penalty: bool = True
    call_first: bool = False
    joker_secretary: bool = False
    forced_solo: bool = False
    secretaries: int = 1

    @property
    def seats(self) -> int:
        """How many play."""
        return self.terms.seats

    @property
    def tricks(self) -> int:
        """How many cards a hand has, and so how many tricks there are."""
        return self.terms.tricks

    @cached_property
    def most_points(self) -> int:
        """What there is to capture, in the game's unit: the highest bid, and the highest contract that is played."""
        return int(kernel.most_points(self.terms.vector))

    @property
    def turn(self) -> int:
        """Where the auction goes: 1 clockwise, -1 counter-clockwise."""
        return 1 if self.clockwise else -1

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases of a deal that is bid for, in their order."""
        if self.call_first:
            return (Phase.AUCTION, Phase.CALL, Phase.EXCHANGE, Phase.PLAY)
        return (Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.CALL, Phase.PLAY)

    def phase_after(self, phase: Phase) -> Phase:
        """Return the phase that follows."""
        return self.phases[self.phases.index(phase) + 1]

    def height_of(self, bid: Bid) -> int:
        """Return a bid as a number that is greater the higher it is: spades are above hearts, diamonds, clubs."""
        return bid.amount if bid.strain is None else _SUITS * bid.amount + _SUITS - 1 - bid.strain

    def bid_of(self, height: int) -> Bid:
        """Return the bid of a height."""
        if not self.bids_name_suits:
            return Bid(height)
        return Bid(height // _SUITS, _SUITS - 1 - height % _SUITS)

    @property
    def lowest_bid(self) -> int:
        """The height of the lowest bid."""
        return _SUITS * self.min_bid if self.bids_name_suits else self.min_bid

    @property
    def highest_bid(self) -> int:
        """The height of the highest bid."""
        return _SUITS * self.most_points + _SUITS - 1 if self.bids_name_suits else self.most_points

    def counting_among(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return the cards that count, among some cards."""
        return tuple(card for card in cards if self.terms.counting >> card & 1)

    def worth(self, cards: Iterable[Card]) -> int:
        """Return what some cards count."""
        return int(kernel.count_points(self.terms.vector, mask_of(cards)))

    def jokers_strong(self, trick: int) -> bool:
        """Tell whether jokers have their power in this trick, counted from 0."""
        return bool(kernel.jokers_strong(self.terms.vector, trick))

    def first_leader(self, declarer: int) -> int:
        """Return who leads to the first trick."""
        return int(kernel.first_leader(self.terms.vector, declarer))

    def result(
        self,
        declarer: int,
        holders: Sequence[int],
        contract: int,
        points: Sequence[int],
        put_back: Iterable[Card],
        last_winner: int,
    ) -> tuple[int, bool, tuple[int, ...]]:
        """Return what the declarer's side captured, whether the contract is made, and every seat's score.

        `holders` had the called cards; `points` are what each seat has taken, by itself.
        """
        terms, taken = self.terms.vector, np.array(points, np.int64)
        first, second = _two(holders)
        scoring.add_buried(taken, terms, declarer, last_winner, mask_of(put_back))
        captured = scoring.captured_points(taken, self.seats, declarer, first, second)
        lost = scoring.lost_points(taken, self.seats, captured)
        written = np.zeros(self.seats, np.int64)
        scoring.write_scores(written, terms, declarer, first, second, contract, captured, lost)
        return int(captured), bool(scoring.is_made(terms, contract, captured)), tuple(written.tolist())

    def hopeless_scores(self, declarer: int, contract: int) -> tuple[int, ...]:
        """Return every seat's score when the contract asks for more than there is."""
        written = np.zeros(self.seats, np.int64)
        scoring.write_hopeless_scores(written, self.terms.vector, declarer, contract)
        return tuple(written.tolist())


def _two(holders: Sequence[int]) -> tuple[int, int]:
    first, second = (*holders, kernel.NOBODY, kernel.NOBODY)[:2]
    return first, second
