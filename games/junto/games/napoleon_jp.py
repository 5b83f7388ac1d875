"""Napoleon by the rules of Japan (ナポレオン): 4 or 5 players, bids of number and suit, an adjutant (副官).

The rules for players are in `docs/games/napoleon-jp.md`. How a deal goes stands in `junto.games.napoleon`;
this module has the options with their presets, and the numbers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from junto.games.cards import parse_card
from junto.games.napoleon import DealtInTurn, HouseRules
from junto.games.options import PRESET, Choice, Flag, Number, Option
from junto.games.tricks import kernel, scoring
from junto.games.tricks.terms import Terms
from junto.games.view import Role

_POINT_CARDS: Final = sum(0b11111 << 13 * suit + 8 for suit in range(4))
"""Ace, king, queen, jack and ten of every suit."""
_SUIT_CARDS: Final = 52
_HANDS: Final = {4: 12, 5: 10}
"""How many cards a hand has, by the number of players; the rest is the kitty."""
_JOKERS: Final = (0, 1 << kernel.BIG_JOKER, kernel.JOKERS)
_CLUB_THREE: Final = parse_card("C3")
_LED_JOKER: Final = {
    "low_trump": kernel.BELOW_TRUMPS,
    "high_trump": kernel.ABOVE_TRUMPS,
    "second": kernel.BELOW_ALMIGHTY,
}
_WINNERS_ONLY: Final = Terms(
    scoring=scoring.BY_STAKES,
    declarer_made=9,
    secretary_made=6,
    ally_down=5,
    declarer_solo_made=16,
    solo_down=4,
)
"""The scores with which only the winners get something."""
_TOTAL_WIN_OF_ALLIES: Final = {"all20": scoring.ALLIES_WIN_BY_ALL, "lt8": scoring.ALLIES_WIN_BELOW_EIGHT}


class NapoleonJp(DealtInTurn):
    """Japanese Napoleon with chosen options."""

    id = "napoleon-jp"
    rules_version = 1
    title = "Japanese Napoleon"
    unit = "point cards"
    role_names = {Role.DECLARER: "Napoleon", Role.PARTNER: "adjutant", Role.OPPONENT: "ally"}  # noqa: RUF012
    player_range = (4, 5)
    first_bidder_after_dealer = 1
    options_schema = (
        Option(
            PRESET,
            Choice(("trump_stadium", "sdin", "mobile")),
            "trump_stadium",
            "Whose rules are played, where the other options say nothing else.",
        ),
        Option("players", Number(4, 5), 5, "How many play."),
        Option("jokers", Number(0, 2), 1, "How many jokers are in the pack; the kitty grows with them."),
        Option("min_bid", Number(1, 20), 13, "The lowest bid.", {"sdin": 12}),
        Option("pass_is_final", Flag(), default=False, meaning="Who has passed may not bid again."),
        Option(
            "same_two",
            Flag(),
            default=True,
            meaning="Where every card of a trick is of the led suit, its two is high.",
        ),
        Option(
            "same_two_first_trick",
            Flag(),
            default=True,
            meaning="The same-two holds in the first trick, too.",
            presets={"sdin": False},
        ),
        Option(
            "same_two_beats_left_jack",
            Flag(),
            default=True,
            meaning="The same-two is above the left jack, not below it.",
            presets={"sdin": False, "mobile": False},
        ),
        Option(
            "followed_joker_voids_same_two",
            Flag(),
            default=False,
            meaning="A joker that is not led spoils the same-two.",
            presets={"sdin": True},
        ),
        Option(
            "led_joker",
            Choice(("low_trump", "high_trump", "second")),
            "low_trump",
            "How high a led joker is: below the two of trumps, above their ace, or second to the almighty only.",
            {"sdin": "high_trump", "mobile": "second"},
        ),
        Option("yoromeki", Flag(), default=False, meaning="The queen of hearts beats the almighty in its trick."),
        Option("joker_call", Flag(), default=False, meaning="The lead of the three of clubs calls the jokers out."),
        Option(
            "scoring",
            Choice(("ts", "sdin")),
            "ts",
            "What a deal is worth: 2, 1 and -1 for either side, or 9, 6 and 5 for the winners alone.",
            {"sdin": "sdin"},
        ),
        Option(
            "twenty_loses",
            Flag(),
            default=False,
            meaning="Capturing all twenty point cards without having bid twenty is a loss.",
            presets={"sdin": True},
        ),
        Option("total_win_double", Flag(), default=True, meaning="A total win doubles the scores."),
        Option(
            "allied_total_win",
            Choice(("all20", "lt8")),
            "all20",
            "What a total win of the allies is: all twenty point cards, or fewer than eight for Napoleon's side.",
            {"mobile": "lt8"},
        ),
    )

    @property
    def zero_sum(self) -> bool:
        """No: only the winners score, or four players' stakes do not balance."""
        return False

    @cached_property
    def house(self) -> HouseRules:
        """The rules with the chosen options."""
        chosen = self.options
        players, jokers = int(chosen["players"]), int(chosen["jokers"])
        return HouseRules(
            self._terms(players, jokers),
            kitty=_SUIT_CARDS + jokers - players * _HANDS[players],
            min_bid=int(chosen["min_bid"]),
            bids_name_suits=True,
            clockwise=True,
            pass_is_final=bool(chosen["pass_is_final"]),
            court_penalty=False,
            call_first=True,
            joker_secretary=True,
        )

    def _terms(self, players: int, jokers: int) -> Terms:
        """Return the play and the scores; jokers have no power in any trick, but for one that is led."""
        chosen = self.options
        tricks = _HANDS[players]
        same_two = kernel.ABOVE_LEFT_JACK if chosen["same_two_beats_left_jack"] else kernel.BELOW_LEFT_JACK
        return replace(
            _WINNERS_ONLY if chosen["scoring"] == "sdin" else _both_sides(players - 1),
            seats=players,
            tricks=tricks,
            jokers=_JOKERS[jokers],
            counting=_POINT_CARDS,
            smothered_tricks=tricks,
            joker_anytime=True,
            led_joker=_LED_JOKER[str(chosen["led_joker"])],
            forcing_card=_CLUB_THREE if chosen["joker_call"] else kernel.NO_CARD,
            almighty=True,
            jacks=True,
            same_two=same_two if chosen["same_two"] else 0,
            same_two_from=0 if chosen["same_two_first_trick"] else 1,
            same_two_pure=bool(chosen["followed_joker_voids_same_two"]),
            yoromeki=bool(chosen["yoromeki"]),
            declarer_leads=True,
            score_options=self._score_options(),
        )

    def _score_options(self) -> int:
        chosen = self.options
        options = _TOTAL_WIN_OF_ALLIES[str(chosen["allied_total_win"])]
        if chosen["twenty_loses"]:
            options |= scoring.TWENTY_LOSES
        if chosen["total_win_double"]:
            options |= scoring.TOTAL_WIN_DOUBLES
        return options


def _both_sides(allies: int) -> Terms:
    """Return the scores with which the losers pay the winners; a declarer alone is paid by all `allies`, or pays."""
    return Terms(
        scoring=scoring.BY_STAKES,
        declarer_made=2,
        declarer_down=-2,
        secretary_made=1,
        secretary_down=-1,
        ally_made=-1,
        ally_down=1,
        declarer_solo_made=allies,
        declarer_solo_down=-allies,
        solo_made=-1,
        solo_down=1,
    )
