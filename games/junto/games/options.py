"""Options of a rule set: what can be chosen, and the check of what was chosen.

A game lists its options as `Option`s; the catalogue shows them, and `chosen` turns what a client sent
into a full set of values or says what is wrong with it. A game can have *presets*: the words of its option
`preset` choose the defaults of the others, each of which can be set all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

OptionValue = bool | int | str
"""A flag, a whole number, or one of some words."""
PRESET: Final = "preset"
"""The option that chooses the defaults of others, in games that have it."""


class OptionError(ValueError):
    """An option that a game does not have, or a value that it cannot have; `option` is its name."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def check(self, value: OptionValue) -> bool:
        """Tell whether the value is a flag."""
        return isinstance(value, bool)

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`, in steps from `low` up."""

    low: int
    high: int
    step: int = 1

    def check(self, value: OptionValue) -> bool:
        """Tell whether the value is such a number."""
        return isinstance(value, int) and not isinstance(value, bool) and value in self.values

    @property
    def values(self) -> range:
        """All the numbers."""
        return range(self.low, self.high + 1, self.step)

    def __str__(self) -> str:
        steps = "" if self.step == 1 else f" in steps of {self.step}"
        return f"a whole number from {self.low} to {self.high}{steps}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]

    def check(self, value: OptionValue) -> bool:
        """Tell whether the value is one of the words."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return "one of " + ", ".join(self.words)


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its name, what it can be, what holds if it is not set, and what it means in a sentence.

    `presets`: what holds instead of the default where `preset` is one of these words.
    """

    name: str
    kind: Flag | Number | Choice
    default: OptionValue
    meaning: str
    presets: Mapping[str, OptionValue] = field(default_factory=dict)

    def default_with(self, preset: OptionValue | None) -> OptionValue:
        """Return what holds if it is not set, with this `preset` (None: the usual one)."""
        return self.presets.get(str(preset), self.default)

    @property
    def description(self) -> str:
        """What it means, with the presets in which another default holds."""
        others = ", ".join(f"with {preset}: {value_text(value)}" for preset, value in self.presets.items())
        return f"{self.meaning.removesuffix('.')} (default {others})." if others else self.meaning


def value_text(value: OptionValue) -> str:
    """Return an option's value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def chosen(options: tuple[Option, ...], values: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return the value of every option, the given ones checked and the others at the preset's defaults.

    Raises:
        OptionError: there is no such option, or it cannot have that value.
    """
    known = {option.name: option for option in options}
    for name, value in values.items():
        option = known.get(name)
        if option is None:
            raise OptionError(name, f"this game has no option {name!r}; it has {', '.join(known)}")
        if not option.kind.check(value):
            raise OptionError(name, f"{name} must be {option.kind}")
    preset = values.get(PRESET)
    return {option.name: values.get(option.name, option.default_with(preset)) for option in options}
