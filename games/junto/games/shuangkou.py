"""Shuangkou (雙扣): two against two, partners opposite. The rules for players are in `docs/games/shuangkou.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from junto.games.cards import Card
from junto.games.climbing import course, scoring
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.idle import lowest_single
from junto.games.climbing.play import Climbing
from junto.games.climbing.terms import SHUANGKOU, Terms
from junto.games.core import Deal, Match, Step
from junto.games.dealing import hands_dealt
from junto.games.ending import ended, hands_shown
from junto.games.events import DealStarted, PhaseChanged, RoundBegan, Seen
from junto.games.knowledge import Sheet, learn
from junto.games.options import Choice, Flag, Option
from junto.games.phases import PhaseRule
from junto.games.shuffle import DealSeed
from junto.games.view import DealResult, Outcome, Phase, SeatResult, Shared

PLAYERS: Final = 4
HAND: Final = 27
_LEADER: Final = "leader"


class Shuangkou(ClimbingGame):
    """Shuangkou with chosen options: a match carries who leads next."""

    id = "shuangkou"
    rules_version = 1
    title = "Shuangkou"
    unit = "points"
    role_names: ClassVar = {}
    player_range = (PLAYERS, PLAYERS)
    options_schema = (
        Option("joker_pairs", Flag(), default=False, meaning="Two equal jokers are a pair, above that of twos."),
        Option("early_end", Flag(), default=False, meaning="The deal ends when the first two out are partners."),
        Option("zero_sum", Flag(), default=False, meaning="The losing team loses what the other one gets."),
        Option(
            "next_leader",
            Choice(("first_out", "random")),
            "first_out",
            "Who leads the next deal: the seat that went out first, or a random one.",
        ),
    )
    phases: ClassVar[Mapping[Phase, PhaseRule[Any]]] = {Phase.PLAY: Climbing()}

    @property
    def zero_sum(self) -> bool:
        """Whether the scores sum to zero: only by an option the losers lose anything."""
        return bool(self.options["zero_sum"])

    @cached_property
    def terms(self) -> Terms:
        """The constants of the play, with the chosen options."""
        return replace(
            SHUANGKOU,
            joker_pairs=bool(self.options["joker_pairs"]),
            ending=course.PARTNERS_OUT if self.options["early_end"] else course.ONE_LEFT,
            zero_sum=bool(self.options["zero_sum"]),
        )

    def sides(self, match: Match, shared: Shared | None = None) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002
        """Return the two teams: partners sit opposite each other."""
        return (0, 2), (1, 3)

    def deal(self, match: Match, seed: DealSeed) -> Step:
        """Deal twenty-seven cards to each seat; the first leader is a random seat."""
        carried = None if self.options["next_leader"] == "random" else match.carried_value(_LEADER)
        leader = carried[0] if carried else seed.stream(_LEADER).below(PLAYERS)
        pack = seed.stream("cards").shuffled(self.pack)
        return self.deal_hands(match.deals_opened, [pack[seat * HAND :][:HAND] for seat in range(PLAYERS)], leader)

    def deal_hands(self, number: int, hands: Sequence[Sequence[Card]], leader: int) -> Step:
        """Deal these hands by seat; `leader` plays first."""
        events = [
            Seen(DealStarted(number)),
            *hands_dealt(hands),
            Seen(PhaseChanged(Phase.PLAY)),
            Seen(RoundBegan(leader)),
        ]
        shared, owns = learn(*self.blank(number), events, self.settle)
        return Step(ClimbingDeal(self, shared, owns, tuple(tuple(sorted(hand)) for hand in hands)), tuple(events))

    def turn_before_play(self, sheet: Sheet) -> int | None:  # noqa: ARG002  # there is nothing to decide
        """Return nobody: the play begins at once."""
        return None

    def played_out(self, deal: ClimbingDeal, places: Sequence[int]) -> list[Seen]:
        """Return the end of a deal: the first one's team gets the more the sooner his partner is out."""
        scores = np.zeros(PLAYERS, np.int64)
        scoring.write_scores(scores, self.terms.vector, np.zeros(scoring.STAKES, np.int64), np.array(places, np.int64))
        shares = tuple(
            SeatResult(seat, score, place=places[seat] or None) for seat, score in enumerate(scores.tolist())
        )
        return ended(DealResult(Outcome.PLAYED, shares), hands_shown(deal.hands))

    def idle_lead(self, deal: ClimbingDeal) -> Combination:
        """Return the lowest single card that breaks least."""
        return lowest_single(deal.counts)

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry on who went out first: he leads the next deal."""
        assert deal.shared.climbing is not None
        return match.carrying(**{_LEADER: (deal.shared.climbing.finished[0],)})
