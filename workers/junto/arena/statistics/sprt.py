"""When two entrants need not play on: a sequential test of the mean of one number a deal, whose law nobody knows.

The two hypotheses are that the mean difference of the first entrant's score from the second's is `null`, or
`difference`. After each deal the log ratio of the likelihoods of both is held against Wald's bounds
log((1 - beta) / alpha) and log(beta / (1 - alpha)) (Wald, Annals of Mathematical Statistics 16, 1945).

Scores are far from normal: many deals end alike for both, a few are worth ten times the others, mostly to one side. So
a likelihood is the greatest that any law with that mean gives to the deals that were played (the empirical likelihood:
Owen, Biometrika 75, 1988), with one number added on the other side of the mean, which makes it exist for any mean and
corrects it for few deals (Chen, Variyath and Abraham, J. Comput. Graph. Stat. 17, 2008). That the ratio of the greatest
likelihoods may be used as if the laws were known is the generalised sequential probability ratio test (Li, Liu and
Ying, Sequential Analysis 33, 2014). With normal numbers it is close to a sequential t-test.

That holds for many deals. For few of them the log ratio is made smaller, as if scores varied more than they seem to: it
is divided by one plus the relative standard error of their variance, the root of (kurtosis - 1) / deals. And nothing is
looked at before `first` deals were played and a number of them made a difference. Of swings so rare that none of these
saw one it knows nothing: then `first` has to be larger.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from junto.arena.spec import StopRule
from junto.arena.statistics.estimates import Vector

FEWEST_UNEQUAL: Final = 30
"""So many deals must have ended differently for the two, before the first look."""
_DIGITS: Final = 6
_CLOSE: Final = 1e-10
_MOST_STEPS: Final = 60


class Hypothesis(Enum):
    """What a test can find."""

    NULL = "null"
    DIFFERENCE = "difference"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found after how many deals: the log likelihood ratio then, and the bounds that it was held against.

    Estimates made after an early stop are a little biased: away from the hypothesis that was not found.
    """

    found: Hypothesis
    deals: int
    log_ratio: float
    lower: float
    upper: float


class Sprt:
    """The test, deal by deal. Once it is decided it stays so. It keeps how often each number came."""

    def __init__(self, rule: StopRule) -> None:
        self.rule = rule
        self.deals = 0
        self.verdict: Verdict | None = None
        self.upper = math.log((1.0 - rule.beta) / rule.alpha)
        self.lower = math.log(rule.beta / (1.0 - rule.alpha))
        self._often: Counter[float] = Counter()

    def add(self, value: float) -> None:
        """Count one more deal, and look."""
        if self.verdict is not None:
            return
        self.deals += 1
        self._often[value] += 1
        if self.deals >= self.rule.first and self.deals - self._often[0.0] >= FEWEST_UNEQUAL:
            self._look()

    def log_ratio(self) -> float:
        """Return the log likelihood ratio so far: the greater it is, the more speaks for the difference."""
        numbers = np.fromiter(self._often.keys(), np.float64, len(self._often))
        often = np.fromiter(self._often.values(), np.float64, len(self._often))
        likely, null = (log_likelihood(numbers, often, mean) for mean in (self.rule.difference, self.rule.null))
        return (likely - null) / (1.0 + error_of_variance(numbers, often))

    def _look(self) -> None:
        ratio = self.log_ratio()
        if not self.lower < ratio < self.upper:
            found = Hypothesis.DIFFERENCE if ratio > 0.0 else Hypothesis.NULL
            self.verdict = Verdict(found, self.deals, round(ratio, _DIGITS), self.lower, self.upper)


def error_of_variance(numbers: Vector, often: Vector) -> float:
    """Return the standard error of the numbers' variance, relative to it."""
    count = float(often.sum())
    off = numbers - float(numbers @ often) / count
    squares = off * off
    variance = float(squares @ often) / count
    if variance == 0.0:
        return 0.0
    kurtosis = float((squares * squares) @ often) / count / (variance * variance)
    return math.sqrt(max(kurtosis - 1.0, 0.0) / count)


def log_likelihood(numbers: Vector, often: Vector, mean: float) -> float:
    """Return the adjusted empirical log likelihood of a mean, relative to the best: 0 for the numbers' own mean."""
    count = float(often.sum())
    off = numbers - mean
    unit = float(np.abs(off).max())
    if unit == 0.0:
        return 0.0
    off = off / unit  # the likelihood has no unit, and squares of tiny numbers are nothing
    centre = float(off @ often) / count
    if abs(centre) <= _CLOSE:
        return 0.0
    off = np.append(off, -max(1.0, math.log(count) / 2.0) * centre)
    weights = np.append(often, 1.0)
    return -float(weights @ np.log1p(_multiplier(off, weights) * off))


def _multiplier(off: Vector, weights: Vector) -> float:
    """Return where sum w z / (1 + m z) is zero, which falls in m: by Newton's steps, halving where these lead astray.

    No number's share of the likelihood exceeds 1, so m lies between the ends that make it so.
    """
    most = 1.0 - 1.0 / float(weights.sum())
    low, high = -most / float(off.max()), -most / float(off.min())
    at = 0.0
    for _ in range(_MOST_STEPS):
        pulls = off / (1.0 + at * off)
        slope = float(weights @ pulls)
        low, high = (at, high) if slope > 0.0 else (low, at)
        step = slope / float(weights @ (pulls * pulls))
        if abs(step) <= _CLOSE * (high - low + abs(at)):
            break
        at = at + step if low < at + step < high else (low + high) / 2.0
    return at
