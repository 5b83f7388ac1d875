"""What the server's processes use, where they run on this machine: CPU time and memory, by what they are."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import psutil

_KINDS: Final = (
    ("Ray's driver", ("junto.pool.driver",)),
    ("Ray worker", ("ray::SearchWorker",)),
    ("Redis", ("redis-server", "valkey-server")),
    ("Ray itself", ("junto.pool.ray_node", "raylet", "gcs_server", "ray::", "--disable-metrics-collection")),
)
"""What a process is that is none of Junto's commands, by what its command line has."""
_JUNTO: Final = "junto.cli.main"
_ROLES: Final = {"serve": "front", "steward": "steward"}


@dataclass(frozen=True, slots=True)
class Part:
    """What the processes of a kind used: how many they are, cores of CPU on average, those of the busiest one, and
    memory now, in bytes.
    """

    processes: int
    cores: float
    busiest: float
    memory: int


@dataclass(frozen=True, slots=True)
class Use:
    """What a server used: its `parts` by what they are, and how busy (0 to 1) the `machine` of so many `cores` was with
    all that runs on it.
    """

    parts: Mapping[str, Part]
    machine: float
    cores: int

    @property
    def busiest(self) -> tuple[str, float] | None:
        """The busiest process and how much of a core it used; None if none is known."""
        found = max(self.parts.items(), key=lambda part: part[1].busiest, default=None)
        return None if found is None else (found[0], found[1].busiest)


class Resources:
    """The processes of a server on this machine, from a first look on."""

    def __init__(self, processes: Iterable[psutil.Process]) -> None:
        self._began_s = time.monotonic()
        self._machine = _machine_s()
        self._cpu_s = {process.pid: used for process in processes if (used := _cpu_s(process)) is not None}

    def used(self, processes: Iterable[psutil.Process]) -> Use:
        """Return what was used since the first look. What died meanwhile is not counted."""
        took_s = max(1e-9, time.monotonic() - self._began_s)
        found: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
        for process in processes:
            try:
                kind, memory, used_s = kind_of(process.cmdline()), process.memory_info().rss, _cpu_s(process)
            except psutil.Error:
                continue
            if used_s is not None:
                cores = max(0.0, used_s - self._cpu_s.get(process.pid, 0.0)) / took_s
                found[kind].append((cores, memory))
        parts = {
            kind: Part(
                len(uses),
                sum(cores for cores, _ in uses),
                max(cores for cores, _ in uses),
                sum(memory for _, memory in uses),
            )
            for kind, uses in sorted(found.items())
        }
        busy_s, all_s = (now - then for now, then in zip(_machine_s(), self._machine, strict=True))
        return Use(parts, busy_s / max(all_s, 1e-9), psutil.cpu_count() or 1)


def offspring(pid: int, but: Iterable[int] = ()) -> list[psutil.Process]:
    """Return the processes that a process has started, and those that these have started, without some."""
    left_out = set(but)
    try:
        found = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []
    return [process for process in found if process.pid not in left_out]


def servers_at(port: int) -> list[psutil.Process]:
    """Return the processes of the Junto that listens on a port of this machine; none if that cannot be seen."""
    for process in psutil.process_iter():
        try:
            if _listens(process, port):
                return _family(process)
        except psutil.Error:
            continue
    return []


def kind_of(command: list[str]) -> str:
    """Return what a process is, by its command line."""
    line = " ".join(command)
    if _JUNTO in line:
        after = line.partition(_JUNTO)[2].split()
        return _ROLES.get(after[0] if after else "", "junto")
    return next((kind for kind, words in _KINDS if any(word in line for word in words)), "other")


def _listens(process: psutil.Process, port: int) -> bool:
    return any(one.status == "LISTEN" and one.laddr.port == port for one in process.net_connections("tcp"))


def _family(process: psutil.Process) -> list[psutil.Process]:
    """Return a front with all that its supervisor has started; a front alone if it has none."""
    parent = process.parent()
    if parent is None or "up" not in parent.cmdline():
        return [process]
    return offspring(parent.pid)


def _cpu_s(process: psutil.Process) -> float | None:
    try:
        times = process.cpu_times()
    except psutil.Error:
        return None
    return float(times.user + times.system)


def _machine_s() -> tuple[float, float]:
    """Return for how many seconds this machine's cores were busy, and for how many they were there."""
    times = psutil.cpu_times()
    guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)  # they are in the other ones, too
    idle = times.idle + getattr(times, "iowait", 0.0)
    whole = sum(times) - guests
    return whole - idle, whole
