"""A tournament played from the command line: its progress on the screen, its results in a folder."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from junto.arena import running
from junto.arena.connecting import connected
from junto.arena.crew import Crew, OwnCrew
from junto.arena.errors import ArenaError, JournalBroken, TournamentFailed
from junto.arena.journal import FolderJournal, opened
from junto.arena.plan import Plan
from junto.arena.report.folder import write_results
from junto.arena.running import End, Ran, counted, run
from junto.arena.spec import Spec
from junto.arena.versions import versions_of
from junto.cli.console import Failure, console, say
from junto.cli.tournament_words import remarks, standings_table
from junto.cli.waits import waiting
from junto.pool.addresses import ClusterLost, check_address
from junto.pool.errors import BadAddress, LocalRayFailed

PLAYED, FAILED, BAD_WISH, INTERRUPTED = 0, 1, 2, 130
"""Exit codes."""
LOOK_S: Final = 5.0
"""How often it is looked whether the cluster is still there."""
MOST_FAILED: Final = 2
_RAY_ADDRESS: Final = "RAY_ADDRESS"
_REMIND_S: Final = 10.0
"""How often progress is told where lines cannot be rewritten."""


def default_folder(spec: Spec) -> Path:
    """Return where results go that nobody named a folder for."""
    return Path(f"tournament-{spec.game}-{spec.seed}")


def play(spec: Spec, folder: Path, workers: int | None) -> int:
    """Play a tournament to its end, or go on with it; return the exit code.

    Raises:
        Failure: it cannot be played, or not in this folder.
    """
    began = time.monotonic()
    try:
        with ExitStack() as stack:
            plan = Plan(spec)
            journal = stack.enter_context(opened(folder, spec, versions_of(spec)))
            stopped = stack.enter_context(_asked_to_stop())
            say(_opening(plan, folder))
            ran = _played(plan, journal, workers, stopped)
            with waiting("writing the report"):
                write_results(folder, plan, ran.tally, counted(journal, ran.tally))
    except (TournamentFailed, JournalBroken) as problem:
        raise Failure(str(problem), FAILED) from None
    except ArenaError as problem:
        raise Failure(str(problem), BAD_WISH) from None
    except (BadAddress, ClusterLost, LocalRayFailed) as problem:
        raise Failure(str(problem)) from None
    except OSError as problem:
        raise Failure(f"{folder}: {problem.strerror}") from None
    standings = ran.tally.standings()
    console().print(standings_table(plan, standings))
    for line in remarks(folder, plan, standings):
        say(line)
    say(_ending(ran.end, folder, time.monotonic() - began))
    return INTERRUPTED if ran.end is End.STOPPED else PLAYED


def _played(plan: Plan, journal: FolderJournal, workers: int | None, stopped: list[bool]) -> Ran:
    with ExitStack() as stack:
        screen = stack.enter_context(_Screen(plan))
        crew = stack.enter_context(_crew(plan, workers, screen))
        return run(plan, journal, crew, told=screen.show, should_stop=lambda: bool(stopped))


@contextmanager
def _crew(plan: Plan, workers: int | None, screen: _Screen) -> Iterator[Crew]:
    with ExitStack() as stack:
        if workers == 0:
            crew: Crew = OwnCrew(plan)
        else:
            address = os.environ.get(_RAY_ADDRESS) or None
            if address is not None:
                check_address(address)
            screen.note("starting Ray" if address is None else f"connecting to Ray at {address}")
            address = stack.enter_context(connected(address, workers))
            from junto.pool import cluster  # noqa: PLC0415  # see `junto.arena.connecting`

            stack.enter_context(watched(partial(cluster.check, address)))
            from junto.arena.ray_crew import RayCrew  # noqa: PLC0415  # see `junto.arena.connecting`

            crew = RayCrew(plan, workers)
            screen.note("starting the workers")
        stack.callback(crew.close)
        yield crew


@contextmanager
def watched(check: Callable[[], None], every_s: float = LOOK_S) -> Iterator[None]:
    """Check now and then that the cluster is there; end this process if it is not, twice in a row.

    Whatever waits for Ray then waits for ever. What was played is kept.
    """
    done = threading.Event()

    def watch() -> None:
        failed = 0
        while not done.wait(every_s):
            try:
                check()
                failed = 0
            except ClusterLost as problem:
                failed += 1
                if failed == MOST_FAILED:
                    console().show_cursor()
                    print(f"junto: {problem}; what was played is kept", file=sys.stderr, flush=True)
                    os._exit(FAILED)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


@contextmanager
def _asked_to_stop() -> Iterator[list[bool]]:
    """Let the first Ctrl-C or SIGTERM end the run in order; a second Ctrl-C does not wait."""
    asked: list[bool] = []
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(_number: int, _frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(True)

    for number in usual:
        signal.signal(number, stop)
    try:
        yield asked
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


class _Screen:
    """A bar with deals per second and the time left over a table of the standings; elsewhere a line now and then."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("deals"), console=console()
        )
        self._task: TaskID = self._bar.add_task("starting", total=plan.spec.deals)
        self._live = Live(self._bar, console=console(), refresh_per_second=4, transient=True)
        self._said_at = 0.0

    def __enter__(self) -> Self:
        if console().is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if console().is_terminal:
            self._live.stop()

    def note(self, what: str) -> None:
        """Show what is awaited."""
        if console().is_terminal:
            self._bar.update(self._task, description=what)
        else:
            say(f"{what} ...")

    def show(self, progress: running.Progress) -> None:
        """Show how far it is."""
        if console().is_terminal:
            self._bar.update(self._task, completed=progress.deals, description=_speed(progress))
            if progress.deals:
                self._live.update(Group(self._bar, standings_table(self._plan, progress.standings)))
        elif progress.deals < progress.deals_total and time.monotonic() - self._said_at >= _REMIND_S:
            self._said_at = time.monotonic()
            say(f"{progress.deals} of {progress.deals_total} deals, {_speed(progress)}")


def _speed(progress: running.Progress) -> str:
    speed = f"{progress.deals_per_s:.1f} deals/s"
    if progress.seconds_left is None or progress.deals == progress.deals_total:
        return speed
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    return f"{speed}, {minutes}:{seconds:02} left"


def _opening(plan: Plan, folder: Path) -> str:
    spec = plan.spec
    names = ", ".join(entrant.name for entrant in spec.entrants)
    return (
        f"{spec.game}: {names}; {spec.deals} deals, each played {plan.sittings_per_deal} times "
        f"({spec.format.value.replace('_', ' ')}, seed {spec.seed}), into {folder}"
    )


def _ending(end: End, folder: Path, seconds: float) -> str:
    how = {
        End.FINISHED: "All deals are played",
        End.DECIDED: "The difference is decided",
        End.STOPPED: f"Interrupted; `junto tournament resume {folder}` goes on",
    }[end]
    return f"{how}, after {seconds:.0f} s. {folder / 'report.html'} has the report."
