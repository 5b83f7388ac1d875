"""Napoleon for four (四人拿破崙): one joker, who deals bids first, and Napoleon leads.

The rules for players are in `docs/games/napoleon-4p.md`. How a deal goes stands in `junto.games.napoleon`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from junto.games.napoleon import DealtInTurn, HouseRules
from junto.games.napoleon_tw import NAPOLEON_TERMS
from junto.games.options import Flag, Number, Option
from junto.games.tricks import kernel
from junto.games.view import Role

FOUR_TERMS: Final = replace(
    NAPOLEON_TERMS,
    seats=4,
    tricks=12,
    jokers=1 << kernel.BIG_JOKER,
    declarer_leads=True,
    ally_made=75,
    ally_over=15,
    ally_down=30,
)
"""The play and the scores of the game for five, with what is other for four."""
_KITTY = 5


class NapoleonFour(DealtInTurn):
    """Napoleon for four with chosen options."""

    id = "napoleon-4p"
    rules_version = 1
    title = "Napoleon for four"
    unit = "court cards"
    role_names = {Role.DECLARER: "Napoleon", Role.PARTNER: "secretary", Role.OPPONENT: "ally"}  # noqa: RUF012
    player_range = (4, 4)
    options_schema = (
        Option("min_bid", Number(9, 16), 9, "The lowest bid."),
        Option(
            "allow_trump_change",
            Flag(),
            default=True,
            meaning="Having seen the kitty, Napoleon may change trumps for one more in the contract.",
        ),
        Option("allow_joker_secretary", Flag(), default=False, meaning="The joker may be the secretary card."),
        Option("joker_anytime", Flag(), default=False, meaning="The joker may be played instead of following suit."),
        Option(
            "court_penalty",
            Flag(),
            default=False,
            meaning="Court cards put back are shown, and each raises the contract by one.",
        ),
        Option("call_secretary", Flag(), default=False, meaning="Napoleon may call the secretary with a lead."),
        Option("secretary_follows", Flag(), default=False, meaning="The secretary card must follow suit too."),
        Option("pass_is_final", Flag(), default=False, meaning="Who has passed may not bid again."),
    )

    @cached_property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        chosen = self.options
        terms = replace(
            FOUR_TERMS,
            joker_anytime=bool(chosen["joker_anytime"]),
            secretary_call=bool(chosen["call_secretary"]),
            secretary_follows=bool(chosen["secretary_follows"]),
        )
        return HouseRules(
            terms,
            kitty=_KITTY,
            min_bid=int(chosen["min_bid"]),
            pass_is_final=bool(chosen["pass_is_final"]),
            trump_change=bool(chosen["allow_trump_change"]),
            court_penalty=bool(chosen["court_penalty"]),
            joker_secretary=bool(chosen["allow_joker_secretary"]),
        )
