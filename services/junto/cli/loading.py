"""A load test from its beginning to its end: a server, generators, cases, and what is told of them."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from junto.cli.console import Failure, console, say
from junto.cli.ephemeral import ephemeral
from junto.cli.load_target import OWN, Target, own, running
from junto.cli.waits import waiting
from junto.cli.wishes import BAD_WISH
from junto.load.fleet import Fleet, GeneratorFailed, Progress
from junto.load.judging import doubts, limit_of
from junto.load.measuring import Measured
from junto.load.profile import Goal, Profile, write_duration
from junto.load.ramp import keeps, search, so_far
from junto.load.report import report
from junto.load.results import Case, Ramp, Tried, write_json
from junto.load.scraping import told
from junto.load.telling import error_lines, figures_table, latency_table, ramp_line, ramp_table

SAY_EVERY_S: Final = 10.0
"""How often progress is told where lines cannot be rewritten."""
RAMP_WARMUP: Final = 0.2
"""Which part of a step is played before it is measured."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be done; `strategies` are the cases."""

    profile: Profile
    strategies: Sequence[str]
    server: str | None
    tls: bool
    metrics: Sequence[str]
    processes: int
    goal: Goal | None
    step_s: float
    out: Path | None
    as_json: bool = False


async def load(wish: Wish) -> int:
    """Do what is wished for and tell what came of it; return the exit code."""
    begun = datetime.now(UTC)
    if wish.out is not None:
        _make(wish.out)  # now: what was measured must not be lost for want of a folder
    with ExitStack() as stack:
        if wish.as_json:  # standard output is for the JSON alone
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        cases = await _cases(wish)
        measured = [case for case in cases if not case.is_empty]
        for case in measured:
            tell(case)
        if measured:
            console().print(figures_table(measured))
        about = {"begun": begun.isoformat(timespec="seconds"), "server": wish.server or "started for it"}
        text = write_json(cases, about)
        if wish.out is not None:
            _keep(wish.out, text, report(measured, about) if measured else None)
    if wish.as_json:
        sys.stdout.write(text)
    if not measured:
        raise Failure("nothing could be measured: no move was made in the measured time")
    return 0


def _make(folder: Path) -> None:
    """Make a folder.

    Raises:
        Failure: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"--out: cannot make the folder {folder}: {error.strerror}", BAD_WISH) from None


def _keep(folder: Path, text: str, page: str | None) -> None:
    """Write what was measured to a folder.

    Raises:
        Failure: it cannot be written.
    """
    try:
        (folder / "loadtest.json").write_text(text, encoding="utf-8")
        if page is not None:
            (folder / "loadtest.html").write_text(page, encoding="utf-8")
    except OSError as error:
        raise Failure(f"--out: cannot write to {folder}: {error.strerror}") from None
    say(f"It is all in {folder / 'loadtest.json'}" + ("." if page is None else f" and {folder / 'loadtest.html'}."))


def tell(case: Case) -> None:
    """Print the latencies of a case, what went wrong, and what to think of it."""
    if case.ramp is not None:
        console().print(ramp_table(case.ramp))
        say(ramp_line(case.ramp), style="bold")
    console().print(latency_table(case))
    for line in error_lines(case):
        say(f"  {line}")
    for sentence in doubts(case):
        say(f"Note: {sentence}.", style="yellow")


async def _cases(wish: Wish) -> list[Case]:
    cases: list[Case] = []
    async with AsyncExitStack() as stack:
        machine = None if wish.server is not None else await stack.enter_async_context(ephemeral(OWN))
        if machine is not None:
            target = own(machine)
        else:
            assert wish.server is not None
            target = await running(wish.server, wish.metrics, tls=wish.tls)
        stop = stack.enter_context(_stoppable())

        async def work() -> None:
            for strategy in wish.strategies:
                if stop.is_set():
                    return
                case = await _case(wish, wish.profile.with_strategy(strategy), target, stop)
                cases.append(case)

        await (machine.unless_it_fails(work()) if machine is not None else work())
        if stop.is_set():
            say("Stopped early; this is what was measured so far.")
    return cases


@contextmanager
def _stoppable() -> Iterator[asyncio.Event]:
    """Let a first Ctrl-C set the event, and a second one end everything."""
    loop, task, stop = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
    assert task is not None

    def interrupt() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        yield stop
    finally:
        loop.remove_signal_handler(signal.SIGINT)


async def _case(wish: Wish, profile: Profile, target: Target, stop: asyncio.Event) -> Case:
    """Play one case.

    Raises:
        Failure: the generators cannot work.
    """
    with _line(profile) as told_progress:
        fleet = Fleet(target.address, profile, told_progress, tls=wish.tls, processes=wish.processes)
        try:
            async with _opened(fleet, stop) as is_open:
                case = await _played(wish, profile, target, fleet, stop) if is_open else Case(profile, Measured())
        except GeneratorFailed as problem:
            raise Failure(str(problem)) from None
    return replace(case, accepted=fleet.accepted, elsewhere=fleet.elsewhere)


@asynccontextmanager
async def _opened(fleet: Fleet, stop: asyncio.Event) -> AsyncIterator[bool]:
    """Open the tables, unless it is stopped before they are open; provide whether they are."""
    opening, stopping = asyncio.create_task(fleet.__aenter__()), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({opening, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not opening.done():
            yield False
            return
        await opening
        try:
            yield True
        finally:
            await fleet.__aexit__(None, None, None)
    finally:
        for task in (opening, stopping):
            task.cancel()
        await asyncio.gather(opening, stopping, return_exceptions=True)


async def _played(wish: Wish, profile: Profile, target: Target, fleet: Fleet, stop: asyncio.Event) -> Case:
    before, resources, began_s = await target.scraped(), target.look(fleet), time.monotonic()
    ramp = None
    if wish.goal is None:
        measured = await fleet.play(profile.rate, profile.duration_s, profile.warmup_s, profile.seed, stop)
    else:
        ramp = await _ramped(wish.goal, wish.step_s, profile, target, fleet, stop)
        kept = [step for step in ramp.steps if step.rate == ramp.found.highest] or ramp.steps
        measured = kept[-1].measured if kept else Measured()
    use, after = target.used(resources, fleet), await target.scraped()
    span_s = time.monotonic() - began_s
    said = told(after.since(before), span_s) if before is not None and after is not None else None
    return Case(profile, measured, said, use, ramp=ramp)


async def _ramped(
    goal: Goal, step_s: float, profile: Profile, target: Target, fleet: Fleet, stop: asyncio.Event
) -> Ramp:
    """Search for the highest rate that keeps the goal."""
    assert profile.rate is not None
    steps: list[Tried] = []
    searching = search(profile.rate)
    rate = next(searching)
    while True:
        resources = target.look(fleet)
        measured = await fleet.play(rate, step_s, RAMP_WARMUP * step_s, profile.seed + len(steps), stop)
        if stop.is_set():
            return Ramp(goal, steps, so_far((one.rate, one.kept) for one in steps))
        steps.append(Tried(rate, keeps(goal, measured), measured, target.used(resources, fleet)))
        say(_step_line(steps[-1]))
        try:
            rate = searching.send(steps[-1].kept)
        except StopIteration as end:
            return Ramp(goal, steps, end.value)


def _step_line(step: Tried) -> str:
    seen = step.measured.times["seen_by_all"]
    p50, p99 = (write_duration(seen.quantile(share)) for share in (0.5, 0.99))
    kept = "kept" if step.kept else f"missed, by the {limit_of(step.measured, step.use)}"
    return f"  {step.rate:.1f} moves/s: p50 {p50}, p99 {p99}; {kept}"


@contextmanager
def _line(profile: Profile) -> Iterator[Callable[[Progress], None]]:
    """Show how far a case is, in one line that is rewritten, or now and then in a new one."""
    said_s, was_playing = -SAY_EVERY_S, False

    with waiting(f"opening {profile.tables} tables") as change:

        def show(progress: Progress) -> None:
            nonlocal said_s, was_playing
            now_s, is_playing = time.monotonic(), progress.at_s > 0
            if console().is_terminal or is_playing != was_playing or now_s >= said_s + SAY_EVERY_S:
                said_s, was_playing = now_s, is_playing
                opening = f"opening tables: {progress.opened} of {profile.tables}"
                change(progress_line(progress) if is_playing else opening)

        yield show


def progress_line(progress: Progress) -> str:
    """Return how far a case is, in words."""
    latest: Any = progress.latest
    everybody = sum(latest[who] for who in ("player", "bot", "stand_in", "clock"))
    waiting_words = f", {progress.waiting} moves wait for a turn" if progress.waiting else ""
    return (
        f"playing for {progress.at_s:.0f} s: {latest['done']} moves/s of people, {everybody} of all,"
        f" p99 {write_duration(progress.p99_s)}, {latest['errors']} errors{waiting_words}"
    )
