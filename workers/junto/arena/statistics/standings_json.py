"""Standings as plain values for JSON, and back.

What hangs on the clock and on the machine stands under keys named `times`: without these, runs that played the same
have the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from junto.arena.records import Failing
from junto.arena.spec import Format
from junto.arena.statistics.estimates import Estimate
from junto.arena.statistics.sprt import Hypothesis, Verdict
from junto.arena.statistics.standings import (
    Example,
    FaultCount,
    Pairing,
    Rating,
    RoleStanding,
    Standing,
    Standings,
    Waypoint,
)
from junto.arena.statistics.timing import Times
from junto.games.view import Outcome, Role

VERSION: Final = 1
Json = dict[str, Any]


def standings_json(standings: Standings) -> Json:
    """Return standings as values that JSON can hold."""
    return {
        "version": VERSION,
        "game": standings.game,
        "format": standings.format.value,
        "deals": standings.deals,
        "planned": standings.planned,
        "sittings": standings.sittings,
        "outcomes": {outcome.name.lower(): count for outcome, count in standings.outcomes.items()},
        "voids": standings.voids,
        "stopped_early": standings.stopped_early,
        "verdict": _verdict(standings.verdict),
        "standings": [_standing(entry, standings.names) for entry in standings.entries],
        "course": [asdict(point) for point in standings.course],
        "times": {"cpu_s": standings.cpu_s},
    }


def _verdict(verdict: Verdict | None) -> Json | None:
    return None if verdict is None else {**asdict(verdict), "found": verdict.found.value}


def _standing(entry: Standing, names: Mapping[int, str]) -> Json:
    return {
        "entrant": entry.entrant,
        "name": entry.name,
        "deals": entry.deals,
        "sittings": entry.sittings,
        "seats": entry.seats,
        "mean": asdict(entry.mean),
        "rating": asdict(entry.rating),
        "roles": [
            {**asdict(role), "role": role.role.name.lower() if role.role is not None else None} for role in entry.roles
        ],
        "pairings": [{"name": names[pairing.opponent], **asdict(pairing)} for pairing in entry.pairings],
        "decisions": entry.decisions,
        "worlds": entry.worlds,
        "playouts": entry.playouts,
        "worlds_per_decision": entry.worlds_per_decision,
        "late": entry.late,
        "faults": [{**asdict(fault), "failing": fault.failing.value} for fault in entry.faults],
        "times": asdict(entry.times),
    }


def without_times(values: Any) -> Any:
    """Return values of JSON without what hangs on the clock and on the machine."""
    match values:
        case dict():
            return {name: without_times(value) for name, value in values.items() if name != "times"}
        case list():
            return [without_times(value) for value in values]
        case _:
            return values


def read_standings(values: Json) -> Standings:
    """Read standings back.

    Raises:
        ValueError: these are no standings of this version.
    """
    try:
        if values["version"] != VERSION:
            raise ValueError(f"these standings are of version {values['version']!r}, not {VERSION}")
        return _read(values)
    except (KeyError, TypeError, AttributeError) as problem:
        raise ValueError(f"these are no standings: {problem!r}") from None


def _read(values: Json) -> Standings:
    verdict = values["verdict"]
    return Standings(
        game=values["game"],
        format=Format(values["format"]),
        deals=values["deals"],
        planned=values["planned"],
        sittings=values["sittings"],
        entries=tuple(_read_standing(entry) for entry in values["standings"]),
        outcomes={Outcome[name.upper()]: count for name, count in values["outcomes"].items()},
        voids=values["voids"],
        verdict=verdict and Verdict(**{**verdict, "found": Hypothesis(verdict["found"])}),
        course=tuple(
            Waypoint(point["deals"], tuple(point["means"]), tuple(point["halves"])) for point in values["course"]
        ),
        cpu_s=values["times"]["cpu_s"],
    )


def _read_standing(values: Json) -> Standing:
    return Standing(
        **{name: values[name] for name in ("entrant", "name", "deals", "sittings", "seats")},
        **{name: values[name] for name in ("decisions", "worlds", "playouts")},
        mean=Estimate(**values["mean"]),
        rating=Rating(**values["rating"]),
        roles=tuple(_read_role(role) for role in values["roles"]),
        pairings=tuple(_read_pairing(pairing) for pairing in values["pairings"]),
        faults=tuple(_read_fault(fault) for fault in values["faults"]),
        times=Times(**values["times"]),
    )


def _read_role(values: Json) -> RoleStanding:
    role = Role[values["role"].upper()] if values["role"] is not None else None
    return RoleStanding(role, values["seats"], Estimate(**values["won"]), Estimate(**values["mean"]))


def _read_pairing(values: Json) -> Pairing:
    counts = {name: values[name] for name in ("opponent", "wins", "draws", "losses")}
    return Pairing(difference=Estimate(**values["difference"]), **counts)


def _read_fault(values: Json) -> FaultCount:
    examples = tuple(Example(**example) for example in values["examples"])
    return FaultCount(Failing(values["failing"]), values["count"], examples)
