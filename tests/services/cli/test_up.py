"""`junto up`: one machine's processes, kept and stopped in order."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from junto.client import Client
from junto.v1 import catalog_pb2, tables_pb2

from .command import Talk, junto
from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")


def role(live: Live, name: str) -> psutil.Process:
    """Return the process of a role that a supervisor runs now."""
    for child in psutil.Process(live.talk.process.pid).children():
        if name in child.cmdline():
            return child
    raise AssertionError(f"there is no {name}")


async def test_it_says_where_it_answers(live: Live) -> None:
    """The addresses that are told are those of the API, and the health check finds it ready."""
    async with Client(live.grpc) as over_grpc, Client(live.http, "connect") as over_connect:
        for client in (over_grpc, over_connect):
            games = await client.catalog.list_games(catalog_pb2.ListGamesRequest())
            assert "napoleon-tw" in {game.id for game in games.games}

    host, _, port = live.grpc.rpartition(":")
    check = junto("healthcheck", extra={"JUNTO_HOST": host, "JUNTO_GRPC_PORT": port})
    assert (check.returncode, check.stdout) == (0, "SERVING\n")


def test_a_second_one_on_the_same_folder_is_refused(live: Live) -> None:
    """Two supervisors of one data folder would be two owners of one Redis: the second says who has it."""
    done = junto("up", "--data-dir", live.folder, "--grpc-port", "0", "--http-port", "0", "--metrics-port", "0")

    assert done.returncode == 1
    assert f"another junto (process {live.talk.process.pid}) is using {live.folder}" in done.stderr


def test_a_port_that_is_taken_is_named(live: Live, tmp_path: Path) -> None:
    """The port, and what to do about it."""
    port = live.grpc.rpartition(":")[2]
    done = junto("up", "--data-dir", tmp_path, "--grpc-port", port, "--http-port", "0", "--metrics-port", "0")

    assert done.returncode == 1
    assert f"port {port} of 127.0.0.1 cannot be had" in done.stderr
    assert "--grpc-port" in done.stderr


async def test_a_front_that_is_killed_comes_back_where_it_was(live: Live) -> None:
    """A client that calls again finds the same tables at the same address."""
    async with Client(live.grpc, timeout_s=60) as client:
        await client.sign_in_as_guest("Ada")
        rules = catalog_pb2.RuleSet(game_id="napoleon-tw")
        table = (await client.tables.create_table(tables_pb2.CreateTableRequest(rules=rules))).table
        front = role(live, "serve")

        front.send_signal(signal.SIGKILL)
        live.talk.until("front was ended by SIGKILL; it is started again")
        live.talk.until("front is back")
        again = await client.tables.get_table(tables_pb2.GetTableRequest(table_id=table.id))

    assert again.view.table.id == table.id


def test_redis_that_is_killed_comes_back_with_its_tables(live: Live) -> None:
    """The embedded Redis is started again on its file, and the front becomes ready again by itself."""
    redis = next(
        process
        for process in psutil.process_iter(["cmdline"])
        if str(live.folder / "redis" / "redis.sock") in " ".join(process.info["cmdline"] or [])
    )
    redis.send_signal(signal.SIGKILL)
    live.talk.until("Redis is back")

    host, _, port = live.grpc.rpartition(":")
    end = time.monotonic() + 120
    while junto("healthcheck", extra={"JUNTO_HOST": host, "JUNTO_GRPC_PORT": port}).returncode:
        assert time.monotonic() < end, "it did not become ready again"


def test_ctrl_c_stops_everything_also_half_started(tmp_path: Path) -> None:
    """An interrupt while Ray is still starting ends in order, exit code 0, and leaves no process behind."""
    ports = ("--grpc-port", "0", "--http-port", "0", "--metrics-port", "0")
    with Talk("up", "--data-dir", tmp_path, *ports, alone=True) as talk:
        talk.until("Junto answers")
        left = psutil.Process(talk.process.pid).children(recursive=True)

        os.killpg(talk.process.pid, signal.SIGINT)
        rest = talk.rest()

        assert talk.process.wait(60) == 0, rest
        assert rest[-1] == "Stopped."
    _, alive = psutil.wait_procs(left, timeout=60)
    assert alive == []


def test_a_role_that_cannot_start_says_why(tmp_path: Path) -> None:
    """What the role's log says at last is quoted: here that its key is none."""
    key = tmp_path / "key"
    key.write_text("short")
    ports = ("--grpc-port", "0", "--http-port", "0", "--metrics-port", "0")

    done = junto("up", "--data-dir", tmp_path / "data", "--token-key-file", key, "--ray-address", "127.0.0.1:1", *ports)

    assert done.returncode == 1
    assert "front ended with exit code 1 before it was ready" in done.stderr
    assert "bytes of secret" in done.stderr
    assert "front.log" in done.stderr
