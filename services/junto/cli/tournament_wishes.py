"""What is asked of `junto tournament run`, by flags or by a file, as a spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from junto.arena.entrants import Entrant, parse_entrant, split_entrants
from junto.arena.errors import SpecError
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.spec_files import Wish, absolute, ladder, read_spec, spec_of
from junto.cli.console import Failure
from junto.cli.wishes import BAD_WISH, check_options
from junto.games.catalog import GAMES

DEALS: Final = 100
"""How many deals are played where nobody says how many."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags as they were typed; None: not at all."""

    game: str | None
    option: Sequence[str] | None
    strategies: str | None
    deals: int | None
    seed: int | None
    format: str | None
    at_a_table: int | None
    budgets: str | None
    stop_difference: float | None
    alpha: float | None
    beta: float | None

    @property
    def any_given(self) -> bool:
        """Whether there is any."""
        return any(getattr(self, name) is not None for name in self.__slots__)


def wished(file: Path | None, flags: Flags) -> Spec:
    """Return what is to be played.

    Raises:
        Failure: it cannot be; the message says where that is written.
    """
    try:
        if file is None:
            return _by_flags(flags)
        if flags.any_given:
            raise Failure(f"say what is played by {file} or by flags, not by both", BAD_WISH)
        return read_spec(file)
    except SpecError as error:
        raise Failure(str(error), BAD_WISH) from None


def _by_flags(flags: Flags) -> Spec:
    if flags.game is None or flags.strategies is None:
        missing = "--game" if flags.game is None else "--strategies"
        raise Failure(
            f"{missing} is missing, or a file that says what is played (see `junto tournament run -h`)", BAD_WISH
        )
    if flags.game not in GAMES:
        raise SpecError("--game", f"there is no game {flags.game!r}; there are {', '.join(sorted(GAMES))}")
    is_ladder = flags.budgets is not None
    entrants = [
        _entrant(text, f"--strategies[{at}]", climbs=is_ladder and at == 1)
        for at, text in enumerate(split_entrants(flags.strategies))
    ]
    if is_ladder:
        entrants = _rungs(entrants, flags)
    return spec_of(
        Wish(
            game=flags.game,
            entrants=entrants,
            deals=DEALS if flags.deals is None else flags.deals,
            seed=flags.seed,
            format=flags.format,
            at_a_table=flags.at_a_table,
            options=check_options(GAMES[flags.game], flags.option or []),
            stop=_stop(flags),
        )
    )


def _stop(flags: Flags) -> StopRule | None:
    chances = {name: value for name in ("alpha", "beta") if (value := getattr(flags, name)) is not None}
    if flags.stop_difference is not None:
        return StopRule(flags.stop_difference, **chances)
    if chances:
        raise SpecError(f"--{min(chances)}", "it goes with --stop-difference")
    return None


def _entrant(text: str, place: str, *, climbs: bool) -> Entrant:
    found = parse_entrant(text, place, climbs=climbs)
    return Entrant(found.name, absolute(found.strategy, Path.cwd()), found.seconds, found.iterations, found.patience_s)


def _rungs(entrants: Sequence[Entrant], flags: Flags) -> list[Entrant]:
    if flags.format != Format.LADDER.value or len(entrants) != 2:
        raise SpecError("--budgets", "they are for --format ladder with two strategies: the field, and who climbs")
    assert flags.budgets is not None
    texts = (f"{entrants[1].strategy}:{budget.strip()}" for budget in flags.budgets.split(","))
    rungs = [parse_entrant(text, f"--budgets[{at}]") for at, text in enumerate(texts)]
    return list(ladder(entrants[0], entrants[1], rungs))
