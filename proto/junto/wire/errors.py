"""What goes wrong between messages and the domain's objects.

WireError
├── UnknownGame        a rule set names a game that there is not
├── OptionRefused      a rule set has an option that its game has not, or not with that value
└── ReplayUnreadable   a file holds no replay
"""

from __future__ import annotations


class WireError(ValueError):
    """A message that the domain cannot express; the text says which part, in words for a client's author."""


class UnknownGame(WireError):
    """A rule set names a game that there is not."""


class OptionRefused(WireError):
    """A rule set has an option that its game has not, twice, or with a value that it cannot have.

    `option` is the option's name; `field` the path of what is wrong inside the `RuleSet`, for a field
    violation: `options[2].value`.
    """

    def __init__(self, option: str, field: str, message: str) -> None:
        super().__init__(message)
        self.option = option
        self.field = field


class ReplayUnreadable(WireError):
    """A file holds no replay."""
