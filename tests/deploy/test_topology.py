"""The compose file's topology as plain processes on loopback: Redis, Ray, two fronts, two stewards."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from junto.cli.readiness import said
from junto.cli.tables import bot, duration, seat_bots
from junto.cli.watching import follow, is_last
from junto.client import Client
from junto.table.redis_server import find_server
from junto.v1 import actions_pb2, catalog_pb2, events_pb2, tables_pb2

from ..conftest import free_ports, wait_for  # noqa: TID252  # tests are no package
from ..ray_fixture import SharedRay, shared_ray  # noqa: TID252

__all__ = ["SharedRay", "shared_ray"]

pytestmark = pytest.mark.xdist_group("cli")

JUNTO = (sys.executable, "-m", "junto.cli.main")


@dataclass(frozen=True)
class Topology:
    """What runs: the fronts' gRPC addresses, and the stewards' processes."""

    fronts: tuple[str, str]
    stewards: list[subprocess.Popen[bytes]]


class Processes:
    """Processes of one test, ended with it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack

    def start(self, name: str, command: tuple[str, ...], **environment: str) -> subprocess.Popen[bytes]:
        """Start a process whose output goes to a log."""
        log = self._stack.enter_context((self.folder / f"{name}.log").open("wb"))
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("JUNTO_", "RAY_"))}
        if "JUNTO_CACHE_DIR" in os.environ:
            inherited["JUNTO_CACHE_DIR"] = os.environ["JUNTO_CACHE_DIR"]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**inherited, **environment}
        )
        self._stack.callback(self._end, process)
        return process

    def role(self, name: str, command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a role and wait until it is ready."""
        ready = self.folder / f"{name}.ready"
        process = self.start(name, (*JUNTO, command, "--ready-file", str(ready)), **environment)

        def is_ready() -> bool:
            assert process.poll() is None, (self.folder / f"{name}.log").read_text()
            return said(ready, process.pid)

        wait_for(is_ready, 240)
        return process

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGTERM)
        try:
            assert process.wait(40) in {0, -signal.SIGTERM, -signal.SIGKILL}
        finally:
            process.kill()


@pytest.fixture
def topology(tmp_path: Path, shared_ray: SharedRay) -> Iterator[Topology]:
    """Start everything as `deploy/compose.yaml` does."""
    redis, *ports = free_ports(7)
    key = tmp_path / "token_key"
    key.write_bytes(os.urandom(32).hex().encode())
    common = {"JUNTO_REDIS_URL": f"redis://127.0.0.1:{redis}/0", "JUNTO_LOG_FORMAT": "json"}
    with ExitStack() as stack:
        processes = Processes(tmp_path, stack)
        processes.start(
            "redis",
            (find_server().path, *f"--port {redis} --bind 127.0.0.1 --appendonly yes --appendfsync always".split(),
             "--save", "", "--dir", str(tmp_path)),
        )  # fmt: skip
        wait_for(lambda: _answers(redis))
        for number in (1, 2):
            processes.role(
                f"front-{number}",
                "serve",
                JUNTO_GRPC_PORT=str(ports[number]),
                JUNTO_HTTP_PORT="0",
                JUNTO_METRICS="false",
                JUNTO_TOKEN_KEY_FILE=str(key),
                JUNTO_DATA_DIR=str(tmp_path / f"data-{number}"),
                **common,
            )
        stewards = [
            processes.role(
                f"steward-{number}",
                "steward",
                JUNTO_METRICS_PORT=str(ports[3 + number]),
                JUNTO_WORKERS="1",
                RAY_ADDRESS=shared_ray.address,
                **shared_ray.driver_env,
                **common,
            )
            for number in (1, 2)
        ]
        yield Topology((f"127.0.0.1:{ports[1]}", f"127.0.0.1:{ports[2]}"), stewards)


def _answers(port: int) -> bool:
    with Redis(port=port) as client:
        try:
            return bool(client.ping())
        except RedisError:
            return False


async def play(client: Client, table_id: str) -> list[events_pb2.Event]:
    """Play a seat by taking each prompt's default; return what the seat was shown of the deal."""
    seen: list[events_pb2.Event] = []
    answered = 0
    async for message in follow(client, table_id):
        seen += message.update.events
        view = message.update if message.HasField("update") else message.full
        if view.HasField("prompt") and view.prompt.version > answered:
            answered = view.prompt.version
            await client.tables.act(
                tables_pb2.ActRequest(table_id=table_id, expected_version=answered, action=choose(view.prompt))
            )
        if is_last(message):
            return seen
    raise AssertionError("the stream ended before the match")


def choose(prompt: actions_pb2.Prompt) -> actions_pb2.Action:
    """Return something to do: bid what can be bid, else what would be done when time is up."""
    if prompt.choices.bid.bids:
        return actions_pb2.Action(bid=prompt.choices.bid.bids[0])
    return prompt.default_action


async def test_a_deal_is_played_through_both_fronts(topology: Topology) -> None:
    """Two players on two fronts, three bots, two stewards of which one is killed in mid-deal: all see the same."""
    async with Client(topology.fronts[0], timeout_s=30) as ada, Client(topology.fronts[1], timeout_s=30) as bob:
        await ada.sign_in_as_guest("Ada")
        await bob.sign_in_as_guest("Bob")
        settings = tables_pb2.TableSettings(deals=1, turn_time=duration(60), deal_pause=duration(0.5))
        rules = catalog_pb2.RuleSet(game_id="napoleon-tw")
        created = await ada.tables.create_table(tables_pb2.CreateTableRequest(rules=rules, settings=settings))
        table_id = created.table.id
        for client in (ada, bob):
            await client.tables.join_table(tables_pb2.JoinTableRequest(table_id=table_id))
        await seat_bots(ada, table_id, bot("greedy", 0.05))
        await ada.tables.start_match(tables_pb2.StartMatchRequest(table_id=table_id))
        playing = [asyncio.create_task(play(client, table_id)) for client in (ada, bob)]

        topology.stewards[0].kill()
        async with asyncio.timeout(120):
            seen_by_ada, seen_by_bob = await asyncio.gather(*playing)

        results = [
            event.deal_ended.result
            for events in (seen_by_ada, seen_by_bob)
            for event in events
            if event.HasField("deal_ended")
        ]
        assert results
        assert results[: len(results) // 2] == results[len(results) // 2 :]
        replays = [
            (await client.tables.get_replay(tables_pb2.GetReplayRequest(table_id=table_id))).replay
            for client in (ada, bob)
        ]
        assert replays[0] == replays[1]
