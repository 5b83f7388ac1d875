"""What can go wrong with a measurement: one tree, each with a sentence for the person at the terminal."""

from __future__ import annotations


class MeasurementError(Exception):
    """A measurement cannot be made; the message says why, in one line."""


class NothingPlayed(MeasurementError):
    """No deal is finished yet."""


class BadPlayer(MeasurementError):
    """A player's text says nothing that can play."""


class OtherSpec(MeasurementError):
    """A file holds the results of another comparison."""


class OtherCode(MeasurementError):
    """A process of a run has loaded another state of the code than the one that began it."""


class BadResults(MeasurementError):
    """A file holds something else than results, or another run is writing it."""
