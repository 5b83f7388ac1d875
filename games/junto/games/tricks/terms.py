"""What the rules of a trick-taking game leave open: constants that its kernel reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from junto.games.tricks import kernel

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Terms:
    """The constants of one game with chosen options; the defaults are Taiwanese Napoleon's.

    `jokers` and `counting` are sets of cards. Jokers have no power in the last `smothered_tricks` tricks;
    the lead of the trump three or two may call a joker in the first `joker_call_tricks`. Scores for
    captured = contract + k: each ally loses `ally_made + k * ally_over`, each secretary card earns
    `secretary_made + k * secretary_over`; k short, they get `+/- k * ..._down`. `solo_...` are the allies'
    against Napoleon alone. Napoleon gets the balance. A contract that cannot be made costs the solo loss
    of `contract - hopeless_from`. Napoleon leads to the first trick, or the seat after him.
    """

    seats: int
    tricks: int
    jokers: int = kernel.JOKERS
    counting: int = kernel.COURT_CARDS
    smothered_tricks: int = 3
    joker_anytime: bool = True
    joker_call_tricks: int = 3
    secretary_follows: bool = False
    secretary_names_suit: bool = False
    secretary_call: bool = True
    ally_made: int = 50
    ally_over: int = 10
    ally_down: int = 20
    secretary_made: int = 50
    secretary_over: int = 10
    secretary_down: int = 20
    solo_made: int = 100
    solo_over: int = 10
    solo_down: int = 10
    hopeless_from: int = 0
    napoleon_leads: bool = False

    @cached_property
    def vector(self) -> Vector:
        """The constants as the kernel reads them; nobody writes to it."""
        vector = np.zeros(kernel.TERMS, np.int64)
        for place, name in enumerate(kernel.TERM_NAMES):
            vector[place] = getattr(self, name)
        return vector


@lru_cache(maxsize=512)
def rules_of_deal(terms: Terms, trump: int, secretary: int, second_secretary: int = kernel.NO_CARD) -> Vector:
    """Return the rules vector of a deal: its terms, trumps and secretary cards; nobody writes to it."""
    rules = np.zeros(kernel.RULES, np.int64)
    kernel.write_rules(rules, terms.vector, trump, secretary, second_secretary)
    return rules
