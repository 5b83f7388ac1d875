"""What a tournament was played with: versions and content hashes, so that results tell what they are results of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from junto.arena.code import CODE
from junto.arena.entrants import Entrant, Kind
from junto.arena.outside.fingerprints import fingerprint as outside_fingerprint
from junto.arena.spec import Spec
from junto.games.catalog import GAMES


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of Junto and of the game's rules, and a content hash for each entrant's strategy, by name."""

    junto: str
    rules: int
    strategies: Mapping[str, str] = field(hash=False)


def versions_of(spec: Spec) -> Versions:
    """Return what a tournament would be played with now.

    Raises:
        StrategyUnfit: a strategy cannot be found.
    """
    return Versions(
        junto=version("junto"),
        rules=GAMES[spec.game].rules_version,
        strategies={entrant.name: fingerprint(entrant) for entrant in spec.entrants},
    )


def fingerprint(entrant: Entrant) -> str:
    """Return a short text that changes when a strategy does.

    Raises:
        StrategyUnfit: it cannot be found.
    """
    return CODE if entrant.kind is Kind.BUILT_IN else outside_fingerprint(entrant)
