"""Hundred (百分): fives, tens and kings count, a hundred points in all, and the declarer calls an ally.

The rules for players are in `docs/games/hundred.md`. How a deal goes stands in `junto.games.napoleon`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from junto.games.cards import Card, mask_of, parse_cards
from junto.games.napoleon import DealtInTurn, HouseRules, NapoleonDeal
from junto.games.options import Choice, Flag, Number, Option
from junto.games.tricks import kernel, scoring
from junto.games.tricks.terms import Terms
from junto.games.view import Role

_FIVE = 5
_TENS_AND_KINGS = mask_of(parse_cards("ST SK HT HK DT DK CT CK"))
_FIVES = mask_of(parse_cards("S5 H5 D5 C5"))
HUNDRED_TERMS: Final = Terms(
    seats=4,
    tricks=12,
    jokers=kernel.JOKERS,
    counting=_FIVES | _TENS_AND_KINGS,
    counting_twice=_TENS_AND_KINGS,
    unit=_FIVE,
    joker_is_trump=True,
    declarer_leads=True,
    scoring=scoring.BY_POINTS,
)
"""The play and the scores, with default options."""
_KITTY = 6
_BURIED: Final = {
    "none": kernel.BURIED_TO_NOBODY,
    "declarer": kernel.BURIED_TO_DECLARER,
    "last_trick_winner": kernel.BURIED_TO_LAST,
}


class Hundred(DealtInTurn):
    """Hundred with chosen options."""

    id = "hundred"
    rules_version = 1
    title = "Hundred"
    unit = "points"
    role_names = {Role.DECLARER: "declarer", Role.PARTNER: "ally", Role.OPPONENT: "opponent"}  # noqa: RUF012
    player_range = (4, 4)
    options_schema = (
        Option("min_bid", Number(60, 100, step=_FIVE), 60, "The lowest bid."),
        Option(
            "jokers_are_trump",
            Flag(),
            default=True,
            meaning="Jokers belong to the trump suit; if not, who follows may play one only if he is void.",
        ),
        Option("two_high", Flag(), default=False, meaning="The two ranks above the ace in every suit."),
        Option(
            "buried_points",
            Choice(tuple(_BURIED)),
            "none",
            "Whose the points are that are put back: nobody's, the declarer's, or the side's that wins the last trick.",
        ),
        Option("pass_is_final", Flag(), default=False, meaning="Who has passed may not bid again."),
    )

    @property
    def zero_sum(self) -> bool:
        """No: each seat scores its side's figure."""
        return False

    @cached_property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        chosen = self.options
        terms = replace(
            HUNDRED_TERMS,
            joker_is_trump=bool(chosen["jokers_are_trump"]),
            two_high=bool(chosen["two_high"]),
            buried=_BURIED[str(chosen["buried_points"])],
        )
        return HouseRules(
            terms,
            kitty=_KITTY,
            min_bid=int(chosen["min_bid"]),
            bid_step=_FIVE,
            pass_is_final=bool(chosen["pass_is_final"]),
            court_penalty=False,
            joker_secretary=True,
        )

    def idle_call(self, deal: NapoleonDeal, cards: Sequence[Card]) -> Card:
        """Return which card is called for a declarer whose time is up.

        The higher joker that he does not hold, else the highest trump, else the highest such card.
        """
        jokers = [card for card in cards if card >= kernel.SMALL_JOKER and not deal.hand >> card & 1]
        return max(jokers) if jokers else super().idle_call(deal, cards)
