"""The Ray of one machine: who can reach it, how it ends, how it comes back."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import grpc
import psutil
import pytest

from junto.pool import LocalRay, LocalRayFailed, Pool, PoolSettings, PoolUnavailable, local_ray
from junto.pool.local_ray import clear_abandoned

from ...ray_fixture import FUNCTIONS, SharedRay  # noqa: TID252 (tests are no package)
from .conftest import Gate, eventually, runs

pytestmark = pytest.mark.xdist_group("pool")

IS_ALIVE = "/ray.rpc.NodeInfoGcsService/CheckAlive"


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it started."""
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


@pytest.mark.asyncio(loop_scope="session")
async def test_only_this_machine_can_reach_it(pool: Pool, shared_ray: SharedRay) -> None:
    """None of its processes, workers and a driver included, listens anywhere but on loopback."""
    assert pool.driver_pid
    processes = [*family(shared_ray.pid), psutil.Process(pool.driver_pid)]
    names = {process.name() for process in processes}
    listening = [
        connection.laddr.ip
        for process in processes
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    ]

    assert {"gcs_server", "raylet"} <= names
    assert len(listening) >= 5
    assert [address for address in listening if not _is_loopback(address)] == []


def test_it_asks_for_a_token(shared_ray: SharedRay) -> None:
    """A call without its token, or with another one, is refused; with it, it is taken. The token is ours alone."""
    token = Path(shared_ray.driver_env["RAY_AUTH_TOKEN_PATH"])

    def call(*metadata: tuple[str, str]) -> grpc.StatusCode:
        with grpc.insecure_channel(shared_ray.address) as channel:
            try:
                channel.unary_unary(IS_ALIVE)(b"", timeout=10, metadata=metadata)  # type: ignore[arg-type]
            except grpc.RpcError as refusal:
                return refusal.code()
        return grpc.StatusCode.OK

    assert call() is grpc.StatusCode.UNAUTHENTICATED
    assert call(("authorization", "Bearer " + "0" * 64)) is grpc.StatusCode.UNAUTHENTICATED
    assert call(("authorization", "Bearer " + token.read_text())) is grpc.StatusCode.OK
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700


async def test_a_pool_outlives_its_ray() -> None:
    """Ray is killed: decisions are refused in words; it is started again: the pool finds it by itself.

    The second Ray has the address and the token of the first. When it is stopped, none of its processes is left.
    """
    ray = LocalRay(cpus=1, env={"PYTHONPATH": str(FUNCTIONS)})
    try:
        address = await asyncio.to_thread(ray.start)
        settings = PoolSettings("odd_functions:decide", workers=1, longest_pause_s=1.0)
        async with await Pool.connect(address, settings, ray.driver_env, within_s=120) as pool:
            first = family(ray.pid)
            os.kill(ray.pid, signal.SIGKILL)
            await eventually(lambda: not pool.ready)
            with pytest.raises(PoolUnavailable):
                await pool.decide("echo", b"", 30)
            await asyncio.to_thread(ray.stop)
            await eventually(lambda: not any(runs(process.pid) for process in first))

            assert await asyncio.to_thread(ray.start) == address
            await pool.warm(within_s=180)
            assert await pool.decide("echo", b"again", 30) == b"again"
            second = family(ray.pid)
        await asyncio.to_thread(ray.stop)
        assert not [process for process in second if runs(process.pid)]
        assert ray.address is None
    finally:
        ray.close()
    assert not ray.folder.exists()


async def test_a_ray_that_was_started_again_is_another_one(new_gate: Callable[[], Gate]) -> None:
    """Ray is killed and comes back before the driver looks: the pool does not take it for the one that it knew.

    What was asked for fails in words, and the same decision is made once the pool has connected anew.
    """
    ray = LocalRay(cpus=1, env={"PYTHONPATH": str(FUNCTIONS)})
    try:
        address = await asyncio.to_thread(ray.start)
        settings = PoolSettings("odd_functions:decide", workers=1, longest_pause_s=1.0)
        async with await Pool.connect(address, settings, ray.driver_env, within_s=120) as pool:
            gate, driver = new_gate(), pool.driver_pid
            assert driver
            asked = asyncio.create_task(pool.decide("gate", gate.request, 240))
            await gate.started()
            os.kill(driver, signal.SIGSTOP)
            os.kill(ray.pid, signal.SIGKILL)
            await asyncio.to_thread(ray.stop)
            assert await asyncio.to_thread(ray.start) == address
            os.kill(driver, signal.SIGCONT)
            with pytest.raises(PoolUnavailable, match="was started again"):
                await asked

            await pool.warm(within_s=120)
            gate.open()
            assert await pool.decide("gate", gate.request, 60)
    finally:
        ray.close()


def test_it_ends_with_whoever_started_it() -> None:
    """The process that started it is killed: it ends by itself, and its folder is cleared away later."""
    program = """
        import sys
        from junto.pool import LocalRay
        ray = LocalRay(cpus=1)
        print(ray.folder, ray.pid if ray.start() else "", flush=True)
        sys.stdin.read()
    """
    supervisor = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with supervisor:
        assert supervisor.stdout is not None
        folder, pid = supervisor.stdout.readline().split()
        processes = family(int(pid))
        supervisor.kill()
    _, left = psutil.wait_procs(processes, 30)
    assert not [process for process in left if runs(process.pid)]

    clear_abandoned(Path(folder).parent, older_than_s=0)
    assert not Path(folder).exists()


def test_a_folder_in_use_is_left_alone(shared_ray: SharedRay) -> None:
    """Clearing away takes nothing from a Ray that runs."""
    token = Path(shared_ray.driver_env["RAY_AUTH_TOKEN_PATH"])
    clear_abandoned(token.parent.parent, older_than_s=0)

    assert token.exists()


def test_a_start_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ray that cannot start is tried twice, then its log is quoted; it leaves nothing running."""
    monkeypatch.setattr(local_ray, "STORE_BYTES", 1)
    ray = LocalRay(cpus=1)
    with pytest.raises(LocalRayFailed, match=r"ended while it started(.|\n)*trying again(.|\n)*minimum allowed is"):
        ray.start()
    ray.close()

    assert ray.address is None


def _is_loopback(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback
