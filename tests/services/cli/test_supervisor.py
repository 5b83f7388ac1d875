"""The supervisor: real processes that start, die, refuse to die and leave children behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from junto.cli.processes import Process, Program
from junto.cli.supervisor import GivenUp, NeverReady, Patience, Supervisor

HASTY = Patience(first_s=0.01, longest_s=0.02, deaths=3, within_s=60)


class Told(list[str]):
    """What the supervisor said."""

    def has(self, words: str) -> bool:
        return any(words in line for line in self)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def supervisor(told: Told) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(told.append, HASTY)
    yield supervisor
    await supervisor.stop()


def part(folder: Path, name: str, program: str, **settings: float) -> Process:
    """Return a part that runs a Python program; it is ready when it wrote its process id to a file."""
    ready_file = folder / f"{name}.ready"

    async def ready(pid: int) -> bool:
        return ready_file.exists() and ready_file.read_text() == str(pid)

    start = f"""
        import os, pathlib, signal, subprocess, sys, time
        def ready():
            pathlib.Path({str(ready_file)!r}).write_text(str(os.getpid()))
    """
    source = textwrap.dedent(start) + textwrap.dedent(program)
    command = (sys.executable, "-u", "-c", source)
    return Process(Program(name, command, folder / f"{name}.log", ready, **settings))  # type: ignore[arg-type]


SERVES = "ready(); signal.pause()"


async def until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(within_s):
        while not condition():  # what is awaited happens in another process
            await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    """Tell whether a process runs: neither gone nor waiting to be reaped."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_a_part_that_is_killed_is_started_again(tmp_path: Path, told: Told, supervisor: Supervisor) -> None:
    """What dies is started again, and both is told."""
    front = part(tmp_path, "front", SERVES)
    await supervisor.start(front)
    first = front.pid

    os.kill(first, signal.SIGKILL)
    await until(lambda: told.has("front is back"))

    assert told.has("front was ended by SIGKILL; it is started again")
    assert front.pid != first


async def test_a_part_that_dies_again_and_again_is_given_up(tmp_path: Path, told: Told, supervisor: Supervisor) -> None:
    """A restart loop ends, with the count, the last exit code and the log's last lines."""
    await supervisor.start(part(tmp_path, "front", "ready(); time.sleep(0.3); print('no room'); sys.exit(7)"))

    with pytest.raises(GivenUp, match=r"front died 3 times .* exit code 7\n  \| no room[\s\S]*front\.log"):
        await asyncio.wait_for(asyncio.shield(supervisor.failed), 20)


async def test_a_part_that_ends_before_it_is_ready_fails_at_once(tmp_path: Path, supervisor: Supervisor) -> None:
    """A first start that fails is not tried again: the reason is in the log, which is quoted."""
    with pytest.raises(NeverReady, match=r"redis ended with exit code 3 before it was ready\n  \| bad config"):
        await supervisor.start(part(tmp_path, "redis", "print('bad config'); sys.exit(3)"))


async def test_a_part_that_is_not_ready_in_time_is_ended(tmp_path: Path, supervisor: Supervisor) -> None:
    """A start that hangs is ended after its time, and said so."""
    hangs = part(tmp_path, "ray", "signal.pause()", ready_within_s=0.3)

    with pytest.raises(NeverReady, match="ray was not ready after"):
        await supervisor.start(hangs)

    assert not alive(hangs.pid)


async def test_parts_are_stopped_in_the_reverse_order(tmp_path: Path, told: Told) -> None:
    """The part that was started last is stopped first, and it has ended before the next is asked to."""
    journal = tmp_path / "journal"
    program = f"""
        def end(*_):
            with open({str(journal)!r}, "a") as file: file.write(NAME + " ")
            sys.exit(0)
        signal.signal(signal.SIGTERM, end)
        ready(); signal.pause()
    """
    supervisor = Supervisor(told.append, HASTY)
    for name in ("redis", "ray", "steward"):
        await supervisor.start(part(tmp_path, name, f"NAME = {name!r}\n" + textwrap.dedent(program)))

    await supervisor.stop()

    assert journal.read_text().split() == ["steward", "ray", "redis"]
    assert told == []


async def test_a_part_that_does_not_want_to_end_is_killed_with_its_children(tmp_path: Path, told: Told) -> None:
    """A process that ignores SIGTERM is killed after its time, with whatever it started."""
    child = tmp_path / "child"
    stubborn = f"""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleeper = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
        pathlib.Path({str(child)!r}).write_text(str(sleeper.pid))
        ready(); signal.pause(); time.sleep(60)
    """
    supervisor = Supervisor(told.append, HASTY)
    ray = part(tmp_path, "ray", stubborn, stop_within_s=0.3)
    await supervisor.start(ray)
    sleeper = int(child.read_text())

    await supervisor.stop()
    await until(lambda: not alive(ray.pid) and not alive(sleeper))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent is gone")
async def test_parts_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    """A supervisor that is killed leaves nothing running."""
    pid_file = tmp_path / "pid"
    program = f"""
        import asyncio, pathlib, signal, sys
        from junto.cli.processes import Process, Program
        from junto.cli.supervisor import Supervisor
        async def ready(pid):
            return True
        async def main():
            supervisor = Supervisor(print)
            sleeper = (sys.executable, "-c", "import signal; signal.pause()")
            front = Process(Program("front", sleeper, pathlib.Path({str(tmp_path / "log")!r}), ready))
            await supervisor.start(front)
            pathlib.Path({str(pid_file)!r}).write_text(str(front.pid))
            await asyncio.Event().wait()
        asyncio.run(main())
    """
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", textwrap.dedent(program))
    try:
        await until(lambda: pid_file.exists() and pid_file.read_text() != "")
        child = int(pid_file.read_text())
        assert alive(child)
    finally:
        process.kill()
        await process.wait()

    await until(lambda: not alive(child))
