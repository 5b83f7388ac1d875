"""One machine's Ray, run by a process of its own: started for loopback alone, watched, and swept away.

    python -m junto.pool.ray_node FOLDER [--cpus N] [--store-bytes N] [--port N] [--until-eof]

The folder holds `token` (who may connect) and, once Ray runs, `address`. This process is what a supervisor
starts and stops: it ends on SIGTERM (or, with `--until-eof`, when its standard input closes), and when a part
of Ray dies, and takes every process with it that Ray started. Killed with SIGKILL it takes Ray's two main
processes with it, the kernel sees to that, and the others follow.

It speaks to Ray's `Node`, which `ray start` is a shell around, and leaves out what we have no use for: the
dashboard, its agent and the server for remote clients. That halves the time until Ray is up. More important,
Ray gives up on a busy machine when that agent takes more than 15 seconds to load its libraries.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import psutil
from ray._private import services
from ray._private.node import Node
from ray._private.parameter import RayParams
from ray._raylet import (  # type: ignore[attr-defined]  # it is compiled
    DASHBOARD_AGENT_LISTEN_PORT_NAME,
    METRICS_AGENT_PORT_NAME,
    METRICS_EXPORT_PORT_NAME,
    RUNTIME_ENV_AGENT_PORT_NAME,
    persist_port,
)

from junto.pool.local_ray import hold

LOOPBACK: Final = "127.0.0.1"
PR_SET_CHILD_SUBREAPER: Final = 36
NOWHERE: Final = -1
"""Ray's word for a port that nobody listens on."""
AGENT: Final = "--dashboard_agent_command="
SWEEP_S: Final = 1.0
"""How long what Ray leaves behind may take to end before it is killed."""


class Died(Exception):
    """A part of Ray ended that should not have."""


class StartFailed(Exception):
    """Ray did not start."""


class LeanNode(Node):
    """Ray's node without its dashboard."""

    def start_api_server(self, **_options: object) -> None:
        """Start no dashboard."""

    def start_raylet(self, *arguments: Any, **options: Any) -> None:
        """Start the local scheduler without an agent of the dashboard, and without waiting for the other one."""
        for name in (METRICS_AGENT_PORT_NAME, METRICS_EXPORT_PORT_NAME, DASHBOARD_AGENT_LISTEN_PORT_NAME):
            persist_port(self._session_dir, self._node_id, name, NOWHERE)
        self._ray_params.runtime_env_agent_port = port = _free_port(0)
        persist_port(self._session_dir, self._node_id, RUNTIME_ENV_AGENT_PORT_NAME, port)
        with _start_processes(_without_dashboard_agent):
            super().start_raylet(*arguments, **options)


def _without_dashboard_agent(command: list[str]) -> list[str]:
    """Put a process in the agent's place that does nothing until Ray closes its standard input."""
    nothing = subprocess.list2cmdline([sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"])
    return [f"{AGENT}{nothing}" if part.startswith(AGENT) else part for part in command]


@contextlib.contextmanager
def _start_processes(change: Callable[[list[str]], list[str]]) -> Iterator[None]:
    """Let Ray start processes by other command lines than it would."""
    start = services.start_ray_process
    services.start_ray_process = lambda command, *rest, **options: start(change(command), *rest, **options)
    try:
        yield
    finally:
        services.start_ray_process = start


def main() -> None:
    """Run Ray until told to stop; see the module."""
    options = _options()
    hold(options.folder)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # so that what Ray's processes leave behind becomes ours to end
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if options.until_eof:
        threading.Thread(target=_stop_at_eof, daemon=True).start()
    try:
        node = _start(options)
        _tell(options.folder / "address", node.address)
        print(node.address, flush=True)  # noqa: T201  # for the one who started us
        _watch({info.process.pid: kind for kind, infos in node.all_processes.items() for info in infos})
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        (options.folder / "address").unlink(missing_ok=True)
        sweep(psutil.Process().children(recursive=True))
        shutil.rmtree(options.folder / "r", ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m junto.pool.ray_node")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cpus", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--store-bytes", type=int, default=80_000_000)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--until-eof", action="store_true")
    return parser.parse_args()


def _start(options: argparse.Namespace) -> Node:
    """Start Ray; a second time if the first one fails."""
    try:
        return _attempt(options)
    except StartFailed as failure:
        print(f"{failure}; trying again", file=sys.stderr, flush=True)  # noqa: T201
        sweep(psutil.Process().children(recursive=True))
    try:
        return _attempt(options)
    except StartFailed as failure:
        sys.exit(str(failure))


def _attempt(options: argparse.Namespace) -> Node:
    try:
        return _node(options)
    except Exception as problem:  # Ray does not say what it raises
        raise StartFailed(f"starting Ray failed: {problem!r}") from problem


def _free_port(wanted: int) -> int:
    """Return the wanted port if it is free, else another one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # it may be left over from our predecessor
        try:
            probe.bind((LOOPBACK, wanted))
        except OSError:
            return _free_port(0)
        return int(probe.getsockname()[1])


def _node(options: argparse.Namespace) -> Node:
    parameters = cast("Any", RayParams)(
        node_ip_address=LOOPBACK,
        gcs_server_port=_free_port(options.port),
        num_cpus=options.cpus,
        num_gpus=0,
        object_store_memory=options.store_bytes,
        temp_dir=str(options.folder / "r"),
        include_dashboard=False,
        include_log_monitor=False,
        no_monitor=True,
        dashboard_agent_listen_port=0,
    )
    return LeanNode(parameters, head=True, shutdown_at_exit=False, spawn_reaper=True)


def _tell(file: Path, text: str) -> None:
    """Write a file that is either whole or not there."""
    draft = file.with_suffix(".new")
    draft.write_text(text)
    draft.rename(file)


def _watch(parts: dict[int, str]) -> NoReturn:
    """Wait until one of Ray's parts ends; clear away other children that end.

    Raises:
        Died: it ended.
    """
    while True:
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
        if ended is not None and ended.si_pid in parts:
            raise Died(f"Ray's {parts[ended.si_pid]} ended")
        if ended is not None:
            os.waitpid(ended.si_pid, 0)


def _stop(_number: int, _frame: object) -> None:
    sys.exit(0)


def _stop_at_eof() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        continue
    os.kill(os.getpid(), signal.SIGTERM)


def sweep(processes: list[Any]) -> None:
    """End processes, the kind way first, and wait until they are gone."""
    for kill in (psutil.Process.terminate, psutil.Process.kill):
        for process in processes:
            with contextlib.suppress(psutil.Error):
                kill(process)
        _, processes = psutil.wait_procs(processes, SWEEP_S)


if __name__ == "__main__":
    main()
