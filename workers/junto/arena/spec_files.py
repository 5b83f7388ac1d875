"""Specs as TOML files and from flags, checked; see `junto.arena.spec` for what one looks like."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import tomli_w

from junto.arena.entrants import Entrant, Kind, all_installed, entrant, installed, kind_of
from junto.arena.errors import SpecError, StrategyUnfit
from junto.arena.outside.loading import source_of
from junto.arena.outside.reading import check_readable
from junto.arena.plan import places_of, sittings_per_deal
from junto.arena.spec import (
    LEAST_CHANCE,
    MOST_DEALS,
    MOST_DIFFERENCE,
    MOST_ENTRANTS,
    MOST_SITTINGS,
    Format,
    Spec,
    StopRule,
)
from junto.games.catalog import GAMES
from junto.games.core import Game
from junto.games.options import OptionError, OptionValue
from junto.search.repertoire import plays

_KEYS: Final = ("game", "format", "deals", "seed", "at_a_table", "options", "entrants", "budgets", "stop")
_ENTRANT: Final = ("strategy", "name", "seconds", "iterations", "patience")
_BUDGET: Final = ("seconds", "iterations")
_STOP: Final = ("difference", "null", "alpha", "beta", "first")
_AT_ONE_TABLE: Final = 3
"""So many entrants meet in one line-up where nobody says how many; more of them meet in pairs."""
_FEWEST_LOOKED_AT: Final = 10
_SEED_BITS: Final = 63
"""Of a seed that nobody chose: as many as nobody can try out who sees one hand, or the seed of one decision."""
_MOST_BYTES: Final = 1 << 20
"""A longer file is no spec."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A tournament as it was asked for, before anything is checked or filled in."""

    game: str
    entrants: Sequence[Entrant]
    deals: int
    seed: int | None = None
    format: str | None = None
    at_a_table: int | None = None
    options: Mapping[str, OptionValue] | None = None
    stop: StopRule | None = None


def spec_of(wish: Wish, *, needs_strategies: bool = True) -> Spec:
    """Return the spec of a wish: everything checked, and what was left open filled in.

    What was played already `needs_strategies` no more: they need not be there.

    Raises:
        SpecError: it cannot be played; it says where that is written.
    """
    game = _game(wish)
    _check_entrants(wish.entrants)
    if needs_strategies:
        for number, one in enumerate(wish.entrants):
            _check_strategy(one, f"entrants[{number}].strategy", type(game))
    form = _format(wish)
    if not 1 <= wish.deals <= MOST_DEALS:
        raise SpecError("deals", f"there are 1 to {MOST_DEALS} deals, not {wish.deals}")
    seed = secrets.randbits(_SEED_BITS) if wish.seed is None else wish.seed
    if not 0 <= seed < 1 << 63:
        raise SpecError("seed", f"it is from 0 to 2^63 - 1, not {seed}")
    if form is Format.HEAD_TO_HEAD and len(wish.entrants) != 2:
        raise SpecError("entrants", f"head to head is for two, not {len(wish.entrants)}")
    if wish.stop is not None:
        _check_stop(wish.stop, wish.entrants, form)
    at_a_table = _at_a_table(wish, game, form)
    return Spec(game.id, tuple(wish.entrants), wish.deals, seed, form, at_a_table, dict(wish.options or {}), wish.stop)


def read_spec(path: Path, *, needs_strategies: bool = True) -> Spec:
    """Return the spec that a file holds; paths in it start from its folder.

    What was played already `needs_strategies` no more: they need not be there.

    Raises:
        SpecError: the file cannot be read, or what it asks for cannot be played; it says where that is written.
    """
    found = _read_toml(path)
    try:
        return spec_of(_wish(found, path.resolve().parent), needs_strategies=needs_strategies)
    except SpecError as error:
        raise SpecError(f"{path}: {error.place}" if error.place else str(path), error.sentence) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise SpecError(str(path), f"it is no spec: it has more than {_MOST_BYTES} bytes")
        return tomllib.loads(text.decode())
    except OSError as error:
        raise SpecError(str(path), f"it cannot be read: {error.strerror}") from None
    except RecursionError:
        raise SpecError(str(path), "it is no spec: its lists are nested too deep") from None
    except ValueError as error:  # no TOML, no UTF-8, or a number with thousands of digits
        raise SpecError(str(path), f"it is no TOML: {error}") from None


def spec_text(spec: Spec) -> str:
    """Return a spec as TOML; `read_spec` gives it back."""
    found: dict[str, Any] = {
        "game": spec.game,
        "format": spec.format.value,
        "deals": spec.deals,
        "seed": spec.seed,
    }
    if not spec.format.has_field:
        found["at_a_table"] = spec.at_a_table
    found["options"] = dict(spec.options)
    found["entrants"] = [
        _without_nones(
            strategy=one.strategy,
            name=one.name,
            seconds=one.seconds,
            iterations=one.iterations,
            patience=one.patience_s,
        )
        for one in spec.entrants
    ]
    if spec.stop is not None:
        rule = spec.stop
        found["stop"] = {
            "difference": rule.difference,
            "null": rule.null,
            "alpha": rule.alpha,
            "beta": rule.beta,
            "first": rule.first,
        }
    return tomli_w.dumps(found)


def absolute(strategy: str, folder: Path) -> str:
    """Return a strategy's text with the path of its file, if it is one, seen from nowhere in particular.

    A path that cannot be, as of the home of nobody, stays as it is: whoever looks for the file tells.
    """
    path, _, name = strategy.rpartition(":")
    if kind_of(strategy) is not Kind.FILE or not path.endswith(".py"):
        return strategy
    try:
        return f"{(folder / Path(path).expanduser()).resolve()}:{name}"
    except (OSError, RuntimeError, ValueError):
        return strategy


def ladder(first: Entrant, second: Entrant, budgets: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Return the entrants of a ladder: the field, and one strategy with each of several budgets."""
    return first, *(replace(second, name=one.name, seconds=one.seconds, iterations=one.iterations) for one in budgets)


def _without_nones(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


# --- what can be played


def _game(wish: Wish) -> Game:
    if wish.game not in GAMES:
        raise SpecError("game", f"there is no game {wish.game!r}; there are {', '.join(sorted(GAMES))}")
    try:
        return GAMES[wish.game](wish.options)
    except OptionError as error:
        raise SpecError(f"options.{error.option}", str(error)) from None


def _format(wish: Wish) -> Format:
    if wish.format is None:
        return Format.HEAD_TO_HEAD if len(wish.entrants) == 2 else Format.ROUND_ROBIN
    try:
        return Format(wish.format)
    except ValueError:
        names = ", ".join(form.value for form in Format)
        raise SpecError("format", f"there is no format {wish.format!r}; there are {names}") from None


def _check_entrants(entrants: Sequence[Entrant]) -> None:
    if not 2 <= len(entrants) <= MOST_ENTRANTS:
        raise SpecError("entrants", f"there are 2 to {MOST_ENTRANTS} of them, not {len(entrants)}")
    names: dict[str, int] = {}
    for number, one in enumerate(entrants):
        if one.name in names:
            raise SpecError(
                f"entrants[{number}].name",
                f"{one.name!r} is the name of entrants[{names[one.name]}] already: names tell them apart",
            )
        names[one.name] = number


def _check_strategy(one: Entrant, place: str, game: type[Game]) -> None:
    if one.kind is Kind.FILE:
        try:
            check_readable(source_of(one.strategy))
        except StrategyUnfit as problem:
            raise SpecError(place, str(problem)) from None
        except (OSError, RuntimeError):  # its name is too long, or of the home of nobody
            raise SpecError(place, f"there is no file {one.strategy.rpartition(':')[0]}") from None
        return
    if one.kind is Kind.SERVICE:
        return
    if installed(one.strategy) is None:
        names = ", ".join(sorted({entry.name for entry in all_installed()}))
        raise SpecError(
            place,
            f"there is no strategy {one.strategy!r}; there are {names}, files (./my_bot.py:Class) and services "
            "(grpc://host:port)",
        )
    if not plays(one.strategy, game):
        raise SpecError(place, f"{one.strategy} does not play {game.id}")


def _check_stop(rule: StopRule, entrants: Sequence[Entrant], form: Format) -> None:
    if len(entrants) != 2 or form.has_field:
        raise SpecError("stop", "a run is stopped early by the difference of two entrants who meet; it has others")
    for name, value in (("difference", rule.difference), ("null", rule.null)):
        if not abs(value) <= MOST_DIFFERENCE:
            raise SpecError(f"stop.{name}", f"it is from -{MOST_DIFFERENCE:g} to {MOST_DIFFERENCE:g}, not {value:g}")
    if rule.difference == rule.null:
        raise SpecError("stop.difference", f"it is another difference than the null one, not {rule.difference:g} too")
    for name, value in (("alpha", rule.alpha), ("beta", rule.beta)):
        if not LEAST_CHANCE <= value < 0.5:
            raise SpecError(f"stop.{name}", f"it is at least {LEAST_CHANCE:g} and less than 0.5, not {value:g}")
    if not _FEWEST_LOOKED_AT <= rule.first <= MOST_DEALS:
        raise SpecError("stop.first", f"{_FEWEST_LOOKED_AT} to {MOST_DEALS} deals are played first, not {rule.first}")


def _at_a_table(wish: Wish, game: Game, form: Format) -> int:
    places, entrants = len(places_of(game)), len(wish.entrants)
    most = min(places, entrants)
    if form.has_field:
        if wish.at_a_table is not None:
            raise SpecError("at_a_table", f"in a {form.value} each plays alone among the first entrant")
        return 2
    usual = most if entrants <= _AT_ONE_TABLE else 2
    chosen = min(usual, most) if wish.at_a_table is None else wish.at_a_table
    if not 2 <= chosen <= most:
        raise SpecError(
            "at_a_table", f"{entrants} entrants at a table with {places} places: 2 to {most} can meet, not {chosen}"
        )
    sittings = sittings_per_deal(form, entrants, places=places, at_a_table=chosen)
    if sittings > MOST_SITTINGS:
        raise SpecError(
            "at_a_table",
            f"each deal would be played {sittings} times for {chosen} of {entrants} entrants to meet in every way, and "
            f"{MOST_SITTINGS} times are the most: let fewer meet",
        )
    return chosen


# --- reading


def _wish(found: Mapping[str, Any], folder: Path) -> Wish:
    _check_keys(found, _KEYS, "")
    is_ladder = "budgets" in found
    entrants = [
        _entrant(one, f"entrants[{at}]", folder, climbs=is_ladder and at == 1)
        for at, one in enumerate(_list(found, "entrants"))
    ]
    if is_ladder:
        entrants = _rungs(found, entrants)
    return Wish(
        game=_text(found, "game"),
        entrants=entrants,
        deals=_whole(found, "deals", needed=True) or 0,
        seed=_whole(found, "seed"),
        format=_text(found, "format") if "format" in found else None,
        at_a_table=_whole(found, "at_a_table"),
        options=_options(found.get("options", {})),
        stop=_stop(found["stop"]) if "stop" in found else None,
    )


def _rungs(found: Mapping[str, Any], entrants: list[Entrant]) -> list[Entrant]:
    if found.get("format") != Format.LADDER.value or len(entrants) != 2:
        raise SpecError("budgets", "they are for the format 'ladder' with two entrants: the field, and who climbs")
    rungs = []
    for at, one in enumerate(_list(found, "budgets")):
        place = f"budgets[{at}]"
        if not isinstance(one, dict):
            raise SpecError(place, "it is a table, as {seconds = 0.01}")
        _check_keys(one, _BUDGET, place)
        rungs.append(_limits(one, place, entrants[1].strategy))
    return list(ladder(entrants[0], entrants[1], rungs))


def _limits(found: Mapping[str, Any], place: str, strategy: str) -> Entrant:
    return entrant(
        place,
        strategy,
        seconds=_real(found, "seconds", place),
        iterations=_whole(found, "iterations", place),
    )


def _entrant(found: object, place: str, folder: Path, *, climbs: bool) -> Entrant:
    if not isinstance(found, dict):
        raise SpecError(place, "it is a table with a 'strategy'")
    _check_keys(found, _ENTRANT, place)
    return entrant(
        place,
        absolute(_text(found, "strategy", place), folder),
        seconds=_real(found, "seconds", place),
        iterations=_whole(found, "iterations", place),
        patience_s=_real(found, "patience", place),
        name=_text(found, "name", place) if "name" in found else None,
        climbs=climbs,
    )


def _stop(found: object) -> StopRule:
    if not isinstance(found, dict):
        raise SpecError("stop", "it is a table with a 'difference'")
    _check_keys(found, _STOP, "stop")
    difference = _real(found, "difference", "stop")
    if difference is None:
        raise SpecError("stop.difference", "it is missing: the difference that is worth finding")
    usual = StopRule(difference)
    reals = {name: _real(found, name, "stop") for name in ("null", "alpha", "beta")}
    first = _whole(found, "first", "stop")
    changed = {name: value for name, value in reals.items() if value is not None}
    return replace(usual, **changed, first=usual.first if first is None else first)


def _options(found: object) -> dict[str, OptionValue]:
    if not isinstance(found, dict):
        raise SpecError("options", "it is a table")
    for name, value in found.items():
        if not isinstance(value, bool | int | str):
            raise SpecError(f"options.{name}", "it is true or false, a whole number or a word")
    return found


def _check_keys(found: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    unknown = sorted(set(found) - set(known))
    if unknown:
        at = f"{place}.{unknown[0]}" if place else unknown[0]
        raise SpecError(at, f"there is no such key; there are {', '.join(known)}")


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    value = found.get(key, [])
    if not isinstance(value, list):
        raise SpecError(key, f"it is a list of tables, each written as [[{key}]]")
    return value


def _at(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _text(found: Mapping[str, Any], key: str, place: str = "") -> str:
    value = found.get(key)
    if not isinstance(value, str):
        raise SpecError(_at(place, key), "it is missing" if value is None else f"it is a word, not {value!r}")
    return value


def _whole(found: Mapping[str, Any], key: str, place: str = "", *, needed: bool = False) -> int | None:
    value = found.get(key)
    if value is None and not needed:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        wrong = "it is missing" if value is None else f"it is a whole number, not {value!r}"
        raise SpecError(_at(place, key), wrong)
    return value


def _real(found: Mapping[str, Any], key: str, place: str) -> float | None:
    value = found.get(key)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise SpecError(_at(place, key), f"it is a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise SpecError(_at(place, key), "it is a number, and not one with hundreds of digits") from None
