"""What the rules of a trick-taking game leave open: constants that its kernels read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.tricks import kernel, scoring

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """The constants of one game with chosen options; the defaults are those of a plain game of four.

    The pack: `jokers` is the set of those in it. What is captured, in the game's unit: a trick counts
    `trick_points`, a card of the set `counting` counts `unit`, one of `counting_twice` that much again; the
    points of cards put back may belong to somebody (`buried`, the kernel's `BURIED_TO_...`).

    Jokers: they have no power in the last `smothered_tricks` tricks, except that a *led* one then has the power
    `led_joker`. They may be played instead of following (`joker_anytime`), belong to the trump suit
    (`joker_is_trump`), or may be played when void only. A led joker names the suit to follow
    (`joker_names_suit`) or asks for trumps. The lead of the trump three or two may call a joker in the first
    `joker_call_tricks`; the lead of `forcing_card` always does.

    Ranks: the two may be above the ace (`two_high`). `almighty`: the ace of spades is the highest card; `jacks`:
    then the jacks of trumps and of the other suit of its colour; `same_two`: the power of the two of the led suit
    in a trick that is all of that suit, from trick `same_two_from` on, and if `same_two_pure` spoilt by a joker;
    `yoromeki`: the queen of hearts beats the ace of spades.

    A called card (the *secretary* card, by whatever name) may have power and be free of following
    (`secretary_power`), and then follow all the same, name a suit when led, and be called out by the declarer.
    The declarer leads to the first trick (`declarer_leads`), or the seat after him.

    Scores (`scoring`, see `junto.games.tricks.scoring`). By the card, for captured = contract + k: each ally loses
    `ally_made + k * ally_over`, each secretary card earns `secretary_made + k * secretary_over`; k short, they get
    `+/- k * ..._down`; `solo_...` are the allies' against a declarer alone, and he gets the balance; a contract
    that cannot be made costs the solo loss of `contract - hopeless_from`. By stakes: what each seat gets.
    """

    seats: int = 4
    tricks: int = 13
    jokers: int = 0
    counting: int = 0
    counting_twice: int = 0
    unit: int = 1
    trick_points: int = 0
    smothered_tricks: int = 0
    joker_anytime: bool = False
    joker_names_suit: bool = False
    joker_is_trump: bool = False
    led_joker: int = 0
    joker_call_tricks: int = 0
    forcing_card: int = kernel.NO_CARD
    two_high: bool = False
    almighty: bool = False
    jacks: bool = False
    same_two: int = 0
    same_two_from: int = 0
    same_two_pure: bool = False
    yoromeki: bool = False
    secretary_power: bool = False
    secretary_follows: bool = False
    secretary_names_suit: bool = False
    secretary_call: bool = False
    declarer_leads: bool = False
    buried: int = kernel.BURIED_TO_NOBODY
    scoring: int = scoring.BY_MARGIN
    ally_made: int = 0
    ally_over: int = 0
    ally_down: int = 0
    secretary_made: int = 0
    secretary_over: int = 0
    secretary_down: int = 0
    solo_made: int = 0
    solo_over: int = 0
    solo_down: int = 0
    declarer_made: int = 0
    declarer_down: int = 0
    declarer_solo_made: int = 0
    declarer_solo_down: int = 0
    hopeless_from: int = 0
    score_options: int = 0

    @cached_property
    def vector(self) -> Vector:
        """The constants as the kernels read them; nobody writes to it."""
        vector = np.zeros(kernel.TERMS, np.int64)
        for name, place in _PLACES.items():
            vector[place] = getattr(self, name)
        return vector


def _place(name: str) -> int:
    """Return where a term stands in the vector: the kernel's constant of its name, but for the jokers' own."""
    return int(getattr(kernel, "JOKERS_IN_PACK" if name == "jokers" else name.upper()))


_NO_TRUMPS: Final = 4
_PLACES: Final = {field.name: _place(field.name) for field in fields(Terms)}


@lru_cache(maxsize=512)
def rules_of_deal(
    terms: Terms, trump: int, secretary: int = kernel.NO_CARD, second_secretary: int = kernel.NO_CARD
) -> Vector:
    """Return the rules vector of a deal: its terms, trumps (4: none) and called cards; nobody writes to it.

    Before trumps are known (-1) there are none. The kernel checks no places: it would write beside the vector.

    Raises:
        ValueError: there are no such trumps.
    """
    if trump not in range(-1, 5):
        raise ValueError(f"trumps are a suit, 0 to 3, or none, 4, not {trump}")
    rules = np.zeros(kernel.RULES, np.int64)
    kernel.write_rules(rules, terms.vector, _NO_TRUMPS if trump < 0 else trump, secretary, second_secretary)
    return rules
