"""When two entrants need not play on: a sequential test of the mean of one number a deal, whose spread is not known.

The two hypotheses are that the mean difference of the first entrant's score from the second's is `null`, or
`difference`. After n deals with numbers x the log likelihood ratio is

    (n / 2) log( sum (x - null)^2 / sum (x - difference)^2 )

which is that of normal numbers with the likeliest spread under each hypothesis (the generalised sequential probability
ratio test: Li, Liu and Ying, Sequential Analysis 33, 2014), and also the one with the spread integrated out over
ds / s (Jeffreys). It is held against Wald's bounds log((1 - beta) / alpha) and log(beta / (1 - alpha)) (Wald, Annals of
Mathematical Statistics 16, 1945) after each deal, from the `first` one that the rule names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from junto.arena.spec import StopRule


class Hypothesis(Enum):
    """What a test can find."""

    NULL = "null"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found after how many deals: the log likelihood ratio then, and the bounds that it was held against.

    Estimates made after an early stop are a little biased: away from the other hypothesis.
    """

    found: Hypothesis
    deals: int
    log_ratio: float
    lower: float
    upper: float


class Sprt:
    """The test, deal by deal. Once it is decided it stays so."""

    def __init__(self, rule: StopRule) -> None:
        self.rule = rule
        self.deals = 0
        self.verdict: Verdict | None = None
        self.upper = math.log((1.0 - rule.beta) / rule.alpha)
        self.lower = math.log(rule.beta / (1.0 - rule.alpha))
        self._from_null = 0.0
        self._from_difference = 0.0
        self._unequal = 0

    def add(self, value: float) -> None:
        """Count one more deal, and look."""
        if self.verdict is not None:
            return
        self.deals += 1
        self._from_null += (value - self.rule.null) ** 2
        self._from_difference += (value - self.rule.difference) ** 2
        if self.deals >= self.rule.first:
            self._look()

    @property
    def log_ratio(self) -> float:
        """The log likelihood ratio so far: the greater it is, the more speaks for the difference."""
        if self._from_null == self._from_difference:
            return 0.0
        if self._from_null == 0.0 or self._from_difference == 0.0:
            return math.inf if self._from_difference == 0.0 else -math.inf
        return self.deals / 2.0 * math.log(self._from_null / self._from_difference)

    def _look(self) -> None:
        ratio = self.log_ratio
        if not self.lower < ratio < self.upper:
            found = Hypothesis.DIFFERENCE if ratio > 0.0 else Hypothesis.NULL
            self.verdict = Verdict(found, self.deals, ratio, self.lower, self.upper)
