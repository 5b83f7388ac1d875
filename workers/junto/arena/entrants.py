"""Who plays in a tournament: a strategy, how long it thinks, and its name in the standings.

An entrant is written `STRATEGY[:SETTING=VALUE,...]`: `greedy`, `pimc:iterations=100`, `./my_bot.py:Careful`,
`my_package.bots:Careful:seconds=0.05,name=careful`, `grpc://127.0.0.1:7000:patience=2`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import EntryPoint, entry_points
from typing import Final, TypeVar

from junto.arena.errors import SpecError
from junto.search.decisions import Budget

N = TypeVar("N", int, float)

GROUP: Final = "junto.strategies"
LONGEST_NAME: Final = 40
LONGEST_STRATEGY: Final = 1000
MOST_SECONDS: Final = 60.0
MOST_ITERATIONS: Final = 10_000_000
THINKING: Final = frozenset({"pimc"})
"""The built-in strategies that think as long as they are told: they have to be told."""
ONCE: Final = Budget(iterations=1)
"""What a strategy is given that was not told how long to think, and does not ask."""
LEAST_PATIENCE_S: Final = 5.0
_SERVICE: Final = ("grpc://", "grpcs://")
_SETTINGS: Final = ("seconds", "iterations", "patience", "name")
_SETTING: Final = re.compile(r"[a-z_]+=")


class Kind(Enum):
    """Where a strategy runs."""

    BUILT_IN = "built-in"
    """In the worker itself: it came with Junto."""
    INSTALLED = "installed"
    """In a process of its own: another distribution's entry point of group `junto.strategies`."""
    FILE = "file"
    """In a process of its own: a class in a file or a module, `bots/careful.py:Careful`, `my_bots:Careful`."""
    SERVICE = "service"
    """Elsewhere: a `StrategyService`, `grpc://host:port`, `grpcs://host:port`."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who plays.

    `seconds` and `iterations` limit each of its decisions. After `patience_s` seconds an outside strategy that has not
    answered is not waited for any longer.
    """

    name: str
    strategy: str
    seconds: float | None = None
    iterations: int | None = None
    patience_s: float | None = None

    @property
    def kind(self) -> Kind:
        """Where its strategy runs."""
        return kind_of(self.strategy)

    @property
    def budget(self) -> Budget:
        """How long it thinks about a decision; without a seed."""
        if self.seconds is None and self.iterations is None:
            return ONCE
        return Budget(self.seconds, self.iterations)

    @property
    def waited_s(self) -> float:
        """How long an answer is waited for, in seconds."""
        return self.patience_s or max(LEAST_PATIENCE_S, 2.0 * (self.seconds or 0.0))

    @property
    def is_repeatable(self) -> bool:
        """Whether nothing but the clock's patience can make it decide otherwise another time."""
        return self.seconds is None and self.kind is not Kind.SERVICE

    @property
    def text(self) -> str:
        """The entrant as it is written."""
        settings = {"seconds": self.seconds, "iterations": self.iterations, "patience": self.patience_s}
        parts = [f"{name}={str(value).removesuffix('.0')}" for name, value in settings.items() if value is not None]
        if self.name != default_name(self.strategy, self.seconds, self.iterations):
            parts.append(f"name={self.name}")
        return self.strategy + (":" + ",".join(parts) if parts else "")


def kind_of(strategy: str) -> Kind:
    """Return where a strategy runs; of one that does not exist, where it would."""
    if strategy.startswith(_SERVICE):
        return Kind.SERVICE
    if ":" in strategy:
        return Kind.FILE
    entry = installed(strategy)
    return Kind.BUILT_IN if entry is None or is_ours(entry) else Kind.INSTALLED


def installed(name: str) -> EntryPoint | None:
    """Return the entry point of an installed strategy; None: there is none of that name."""
    return next(iter(entry_points(group=GROUP, name=name)), None)


def all_installed() -> Sequence[EntryPoint]:
    """Return the entry points of all installed strategies."""
    return tuple(entry_points(group=GROUP))


def is_ours(entry: EntryPoint) -> bool:
    """Tell whether a strategy came with Junto."""
    return entry.dist is not None and entry.dist.name == "junto"


def default_name(strategy: str, seconds: float | None, iterations: int | None) -> str:
    """Return what an entrant is called that was given no name: `pimc 0.05 s`, `Careful`, `127.0.0.1:7000`."""
    base = (strategy.partition("://")[2] or strategy) if strategy.startswith(_SERVICE) else strategy.rpartition(":")[2]
    limits = [f"{seconds:g} s"] if seconds is not None else []
    limits += [f"{iterations} it"] if iterations is not None else []
    return " ".join([base, *limits])[:LONGEST_NAME]


def entrant(
    place: str,
    strategy: str,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    patience_s: float | None = None,
    name: str | None = None,
    climbs: bool = False,
) -> Entrant:
    """Return an entrant whose values are checked; whether its strategy can be loaded is not.

    One who `climbs` a ladder is told later how long to think, by the ladder's budgets.

    Raises:
        SpecError: a value cannot be; `place` says where it is written.
    """
    if not strategy:
        raise SpecError(f"{place}.strategy", "a strategy is missing")
    if not strategy.isprintable() or len(strategy) > LONGEST_STRATEGY:
        raise SpecError(
            f"{place}.strategy", f"it has up to {LONGEST_STRATEGY} characters that can be printed, not {strategy!r}"
        )
    if kind_of(strategy) is Kind.FILE and not all(strategy.rpartition(":")[::2]):
        raise SpecError(f"{place}.strategy", f"a file's is written 'my_bot.py:Class', not {strategy!r}")
    for key, number in (("seconds", seconds), ("patience", patience_s)):
        if number is not None and not (math.isfinite(number) and 0.0 < number <= MOST_SECONDS):
            raise SpecError(f"{place}.{key}", f"it is more than 0 and at most {MOST_SECONDS:g} seconds, not {number:g}")
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        raise SpecError(f"{place}.iterations", f"it is from 1 to {MOST_ITERATIONS}, not {iterations}")
    if strategy in THINKING and seconds is None and iterations is None and not climbs:
        raise SpecError(
            place, f"say how long {strategy} thinks: '{strategy}:iterations=100' or '{strategy}:seconds=0.05'"
        )
    called = name if name is not None else default_name(strategy, seconds, iterations)
    if not called.strip() or len(called) > LONGEST_NAME or not called.isprintable():
        raise SpecError(
            f"{place}.name", f"a name has 1 to {LONGEST_NAME} characters that can be printed, not {called!r}"
        )
    return Entrant(called, strategy, seconds, iterations, patience_s)


def parse_entrant(text: str, place: str, *, climbs: bool = False) -> Entrant:
    """Read an entrant as it is written on the command line; see `entrant`.

    Raises:
        SpecError: it cannot be read.
    """
    strategy, settings = _split(text.strip(), place)
    unknown = settings.keys() - set(_SETTINGS)
    if unknown:
        raise SpecError(place, f"{text!r}: there is no setting {min(unknown)!r}; there are {', '.join(_SETTINGS)}")
    return entrant(
        place,
        strategy,
        seconds=_number(settings, "seconds", float, place),
        iterations=_number(settings, "iterations", int, place),
        patience_s=_number(settings, "patience", float, place),
        name=settings.get("name"),
        climbs=climbs,
    )


def split_entrants(text: str) -> list[str]:
    """Split a list at its commas, but not between two settings of one entrant."""
    found: list[str] = []
    for part in text.split(","):
        if found and _SETTING.match(part.strip()):
            found[-1] += "," + part.strip()
        else:
            found.append(part.strip())
    return found


def _split(text: str, place: str) -> tuple[str, Mapping[str, str]]:
    head, colon, tail = text.rpartition(":")
    if not colon or not _SETTING.match(tail):
        return text, {}
    return head, dict(_pairs(text, tail, place))


def _pairs(text: str, tail: str, place: str) -> Iterator[tuple[str, str]]:
    for part in tail.split(","):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise SpecError(place, f"{text!r}: a setting is written 'name=value', not {part!r}")
        yield key.strip(), value.strip()


def _number(settings: Mapping[str, str], key: str, kind: Callable[[str], N], place: str) -> N | None:
    if key not in settings:
        return None
    try:
        return kind(settings[key])
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise SpecError(f"{place}.{key}", f"it is {what}, not {settings[key]!r}") from None
