"""Napoleon by the rules of Taiwan (拿破崙): 3 to 7 players, 54 cards, a secretary whom only he himself knows.

The rules for players are in `docs/games/napoleon-tw.md`. How a deal goes stands in `junto.games.napoleon`;
this module has the options, the numbers, and who bids first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from junto.games.core import Deal, Match
from junto.games.napoleon import HouseRules, NapoleonDeal, NapoleonGame
from junto.games.options import Choice, Flag, Number, Option, OptionValue
from junto.games.shuffle import DealSeed
from junto.games.tricks import kernel, scoring
from junto.games.tricks.terms import Terms
from junto.games.view import Outcome, Role

NAPOLEON_TERMS: Final = Terms(
    jokers=kernel.JOKERS,
    counting=kernel.COURT_CARDS,
    smothered_tricks=3,
    joker_anytime=True,
    joker_names_suit=True,
    led_joker=kernel.BELOW_LED_SUIT,
    joker_call_tricks=3,
    secretary_power=True,
    secretary_call=True,
    scoring=scoring.BY_THE_CARD,
    ally_made=50,
    ally_over=10,
    ally_down=20,
    secretary_made=50,
    secretary_over=10,
    secretary_down=20,
    solo_made=100,
    solo_over=10,
    solo_down=10,
)
"""The play and the scores of the game for five."""
_PACK = 54
_SMALLEST_KITTY = 3
_FIRST_BIDDER = "first_bidder"


class NapoleonTw(NapoleonGame):
    """Taiwanese Napoleon with chosen options."""

    id = "napoleon-tw"
    rules_version = 1
    title = "Taiwanese Napoleon"
    unit = "court cards"
    role_names = {Role.DECLARER: "Napoleon", Role.PARTNER: "secretary", Role.OPPONENT: "ally"}  # noqa: RUF012
    player_range = (3, 7)
    options_schema = (
        Option("players", Number(3, 7), 5, "How many play: with 3 Napoleon is alone, with 7 he has two secretaries."),
        Option("min_bid", Number(9, 16), 11, "The lowest bid."),
        Option(
            "first_bidder",
            Choice(("random", "previous_secretary")),
            "random",
            "Who bids first: anybody, or the last deal's secretary (Napoleon, if he had none).",
        ),
        Option("forced_solo", Flag(), default=False, meaning="Napoleon must call an own card; with 3 players always."),
        Option(
            "allow_trump_change",
            Flag(),
            default=False,
            meaning="Having seen the kitty, Napoleon may change trumps for one more in the contract.",
        ),
        Option("allow_joker_secretary", Flag(), default=False, meaning="A joker may be the secretary card."),
        Option("pass_is_final", Flag(), default=False, meaning="Who has passed may not bid again."),
        Option("secretary_follows", Flag(), default=False, meaning="The secretary card must follow suit too."),
        Option("secretary_lead_names_suit", Flag(), default=False, meaning="A led secretary card names a suit."),
        Option(
            "over_contract_loss",
            Choice(("captured_zero", "captured_sixteen")),
            "captured_zero",
            "What a contract of 17 or more costs: all of it, or what it has above 16.",
        ),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Choose options, see `Game`; with three players a solo is always forced."""
        super().__init__(options)
        if self.options["players"] == 3:
            self.options = {**self.options, "forced_solo": True}

    @cached_property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        chosen = self.options
        players = int(chosen["players"])
        hand = (_PACK - _SMALLEST_KITTY) // players
        terms = replace(
            NAPOLEON_TERMS,
            seats=players,
            tricks=hand,
            secretary_follows=bool(chosen["secretary_follows"]),
            secretary_names_suit=bool(chosen["secretary_lead_names_suit"]),
            hopeless_from=16 if chosen["over_contract_loss"] == "captured_sixteen" else 0,
        )
        return HouseRules(
            terms,
            kitty=_PACK - players * hand,
            min_bid=int(chosen["min_bid"]),
            pass_is_final=bool(chosen["pass_is_final"]),
            trump_change=bool(chosen["allow_trump_change"]),
            joker_secretary=bool(chosen["allow_joker_secretary"]),
            forced_solo=bool(chosen["forced_solo"]),
            secretaries=2 if players == 7 else 1,
        )

    def first_bidder(self, match: Match, seed: DealSeed) -> int:
        """Return the carried first bidder; if there is none, a random one."""
        carried = match.carried_value(_FIRST_BIDDER)
        return carried[0] if carried else seed.stream("first-bidder").below(self.seats)

    def carry(self, match: Match, deal: Deal) -> Match:
        """Carry the next first bidder on, where it is not a random one.

        After a void deal it is the next seat counter-clockwise. With `previous_secretary` it is the holder of
        the first secretary card that Napoleon did not hold himself, or Napoleon.
        """
        assert isinstance(deal, NapoleonDeal)
        assert deal.shared.result is not None
        if deal.shared.result.outcome is Outcome.VOID:
            return match.carrying(**{_FIRST_BIDDER: ((deal.shared.calls[0].seat - 1) % self.seats,)})
        if self.options["first_bidder"] == "random":
            return replace(match, carried=())
        assert deal.shared.contract is not None
        napoleon = deal.shared.contract.declarer
        secretary = next((holder for holder in deal.holders if holder != napoleon), napoleon)
        return match.carrying(**{_FIRST_BIDDER: (secretary,)})
