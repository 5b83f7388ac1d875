"""Players by text: `greedy`, `random`, `pimc:seconds=0.05`, `pimc:iterations=200,infers=off`, `seeing:seconds=0.05`.

Any installed strategy goes by its name. `pimc` and `seeing` know how long they think; `infers=off` takes all worlds
for equally likely, and `endings=0` ends no playout of a climbing game exactly, `endings=12` all with twelve cards left.
`seeing` searches like `pimc` and sees all cards: an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bench.strength.endings import with_endings
from bench.strength.errors import BadPlayer
from bench.strength.seeing import climbing_cards, tricks_cards

from junto.games.core import Deal
from junto.search.climbing.strategy import PimcClimbing
from junto.search.decisions import Budget, Strategy
from junto.search.strategies import ByFamily, UnknownStrategy, find_strategy
from junto.search.tricks.strategy import PimcTricks

SEARCHING: Final = frozenset({"pimc", "seeing"})
"""These think as long as they are told."""
SETTINGS: Final = ("seconds", "iterations", "infers", "endings")
ONCE: Final = Budget(iterations=1)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays: a strategy's name, how long it thinks, and whether it infers from what others do.

    `endings` are the cards that are left in all hands when its playouts of a climbing game are solved; None: as usual.
    """

    name: str
    budget: Budget = ONCE
    infers: bool = True
    endings: int | None = None

    @property
    def is_usual(self) -> bool:
        """Whether nothing but its time is another than at a table."""
        return self.infers and self.endings is None

    @property
    def text(self) -> str:
        """The player as it is written: equal players have equal texts."""
        parts = []
        if self.name in SEARCHING or self.budget != ONCE:
            if self.budget.time_s is not None:
                parts.append(f"seconds={self.budget.time_s:g}")
            if self.budget.iterations is not None:
                parts.append(f"iterations={self.budget.iterations}")
        if not self.infers:
            parts.append("infers=off")
        if self.endings is not None:
            parts.append(f"endings={self.endings}")
        return self.name + (":" + ",".join(parts) if parts else "")

    def strategy(self, deal: Deal) -> Strategy:
        """Return the bot that decides in this deal; only one that sees all cards looks at it."""
        if self.name == "seeing":
            return ByFamily(
                PimcTricks(infers=False, knowledge=partial(tricks_cards, deal)),
                PimcClimbing(infers=False, knowledge=partial(climbing_cards, deal)),
            )
        if self.endings is not None:
            return with_endings(replace(self, endings=None).strategy(deal), self.endings)
        if not self.infers:
            return ByFamily(PimcTricks(infers=False), PimcClimbing(infers=False))
        return find_strategy(self.name)


def player_of(text: str) -> Player:
    """Read a player's text.

    Raises:
        BadPlayer: it cannot be read, or nothing of that name is installed.
    """
    name, _, rest = text.partition(":")
    settings = dict(_setting(text, part) for part in rest.split(",") if part)
    unknown = settings.keys() - SETTINGS
    if unknown:
        raise BadPlayer(f"{text!r}: there is no setting {min(unknown)!r}; there are {', '.join(SETTINGS)}")
    if name != "seeing":
        try:
            find_strategy(name)
        except UnknownStrategy as error:
            raise BadPlayer(f"{text!r}: {error}, and 'seeing'") from None
    if name in SEARCHING and not settings.keys() & {"seconds", "iterations"}:
        raise BadPlayer(f"{text!r}: say how long it thinks, as in '{name}:seconds=0.05' or '{name}:iterations=200'")
    infers = settings.get("infers", "on")
    if infers not in {"on", "off"} or (infers == "off" and name != "pimc"):
        raise BadPlayer(f"{text!r}: 'infers' is on or off, and off for 'pimc' alone")
    endings = settings.get("endings")
    if endings is not None and (not endings.isdecimal() or name != "pimc"):
        raise BadPlayer(f"{text!r}: 'endings' is a number of cards, for 'pimc' alone")
    return Player(name, _budget(text, settings), infers == "on", None if endings is None else int(endings))


def _setting(text: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not value:
        raise BadPlayer(f"{text!r}: a setting is written 'name=value', not {part!r}")
    return key, value


def _budget(text: str, settings: dict[str, str]) -> Budget:
    if not settings.keys() & {"seconds", "iterations"}:
        return ONCE
    try:
        return Budget(
            float(settings["seconds"]) if "seconds" in settings else None,
            int(settings["iterations"]) if "iterations" in settings else None,
        )
    except ValueError as error:
        raise BadPlayer(f"{text!r}: {error}") from None
