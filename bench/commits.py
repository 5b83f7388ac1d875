"""Accepted moves through the API, with durable commits and four watchers a table, against a bare server.

One front process, an embedded Redis with `appendfsync always`, 64 tables of four players with one move in
flight each, every seat watching. The yardstick (`bench/_floor.py`) is a bare grpc.aio server that does one
pipelined commit and pushes to four streams per call: no protobuf, no game. Yardstick and ours run in turn, with
fresh servers, load from this process. What counts is moves per second of the server's CPU time; moves per
second of the clock depend on what else the machine does.

    python bench/commits.py --seconds 4 --rounds 3
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
import psutil
import uvloop
from prometheus_client import CollectorRegistry

from _numbers import time_s, whole_number
from junto.client import Client
from junto.pool.errors import PoolUnavailable
from junto.steward.metrics import StewardMetrics
from junto.steward.steward import Steward
from junto.table.clock import Clock, Pulse
from junto.table.connection import open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.settings import Settings
from junto.table.store import open_store
from junto.v1 import actions_pb2, cards_pb2, catalog_pb2, tables_pb2

TABLES: Final = 64
SEATS: Final = 4
CHANNELS: Final = 16
SHARDS: Final = 16
BENCH: Final = Path(__file__).resolve().parent


@dataclass(slots=True)
class Burst:
    """One burst of load on one server: latencies in seconds, the span, CPU seconds of server and Redis."""

    latencies: list[float]
    span_s: float
    server_s: float
    redis_s: float

    @property
    def per_cpu_s(self) -> float:
        """Moves per second of the server's CPU time."""
        return len(self.latencies) / self.server_s

    @property
    def per_s(self) -> float:
        """Moves per second."""
        return len(self.latencies) / self.span_s


@dataclass(slots=True)
class Run:
    """What is measured, while it runs."""

    server: psutil.Process
    redis: psutil.Process
    latencies: list[float] = field(default_factory=list)
    over: bool = False

    async def measure(self, work: list[Awaitable[None]], warm_s: float, seconds: float) -> Burst:
        """Let the work run, and count what happens after the warm-up."""
        tasks = [asyncio.ensure_future(one) for one in work]
        await asyncio.sleep(warm_s)
        self.latencies.clear()
        started, before = time.perf_counter(), (cpu_s(self.server), cpu_s(self.redis))
        await asyncio.sleep(seconds)
        span, after = time.perf_counter() - started, (cpu_s(self.server), cpu_s(self.redis))
        burst = Burst(self.latencies[:], span, after[0] - before[0], after[1] - before[1])
        self.over = True
        await asyncio.gather(*tasks)
        return burst

    async def timed(self, call: Awaitable[object]) -> None:
        """Await a move and note how long it took."""
        started = time.perf_counter()
        await call
        self.latencies.append(time.perf_counter() - started)


def cpu_s(process: psutil.Process) -> float:
    """Return the CPU seconds that a process has used."""
    times = process.cpu_times()
    return float(times.user + times.system)


def free_port() -> int:
    """Return a loopback port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def process(*command: str, ready: Callable[[], bool], env: dict[str, str]) -> AsyncIterator[psutil.Process]:
    """Run a server as a process, from when it is ready."""
    child = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **env}, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(120):
            while not ready():
                assert child.returncode is None, f"{command} ended with {child.returncode}"
                await asyncio.sleep(0.05)
        yield psutil.Process(child.pid)
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


def listens(port: int) -> Callable[[], bool]:
    """Return a test of whether something listens on a loopback port."""

    def ready() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    return ready


# --- the yardstick


async def floor(redis: EmbeddedRedis, seconds: float, warm_s: float, *, on_uvloop: bool) -> Burst:
    """Measure the bare server."""
    port = free_port()
    path = redis.url.removeprefix("unix://").partition("?")[0]
    command = (sys.executable, str(BENCH / "_floor.py"), str(port), path, *(["--uvloop"] if on_uvloop else []))
    async with process(*command, ready=listens(port), env={}) as server:
        options = [("grpc.use_local_subchannel_pool", 1)]
        channels = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) for _ in range(CHANNELS)]
        run = Run(server, psutil.Process(redis_pid(redis)))
        requests = [os.urandom(100) for _ in range(TABLES)]
        watching = [
            asyncio.create_task(read_all(channels[table % CHANNELS], requests[table]))
            for table in range(TABLES)
            for _ in range(SEATS)
        ]
        moves = [channel.unary_unary("/floor.Floor/Move") for channel in channels]

        async def play(table: int) -> None:
            while not run.over:
                await run.timed(moves[table % CHANNELS](requests[table]))

        await asyncio.sleep(0.5)
        burst = await run.measure([play(table) for table in range(TABLES)], warm_s, seconds)
        for task in watching:
            task.cancel()
        seen = sum(count for count in await asyncio.gather(*watching, return_exceptions=True) if isinstance(count, int))
        assert seen >= 0
        for channel in channels:
            await channel.close()
        return burst


async def read_all(channel: grpc.aio.Channel, request: bytes) -> None:
    """Read a stream until it is cancelled."""
    async for _ in channel.unary_stream("/floor.Floor/Watch")(request):
        pass


# --- ours


class NobodyThinks:
    """Where a pool would be: there are no bots here."""

    ready = True

    async def decide(self, strategy_id: str, request: bytes, timeout_s: float) -> bytes:
        """Refuse."""
        raise PoolUnavailable(f"no {strategy_id} for {len(request)} bytes within {timeout_s} s", 1.0)


@contextlib.asynccontextmanager
async def dealing(redis: EmbeddedRedis) -> AsyncIterator[None]:
    """Run a steward in this process, which opens the next deal where one is over."""
    settings = Settings(shards=SHARDS, sweep_seconds=5)
    async with await open_connection(redis.url) as connection:
        store, clock = await open_store(connection, Keyspace(SHARDS)), Clock()
        async with (
            Pulse(store, clock),
            Steward(
                store,
                now_ms=clock.now_ms,
                pool=NobodyThinks(),
                rule_of_thumb=lambda *_: b"",
                settings=settings,
                metrics=StewardMetrics(CollectorRegistry()),
                name="bench",
            ),
        ):
            yield


class BenchTable:
    """A table of four players who play the first legal thing, each watching over a stream of their own."""

    def __init__(self, players: list[Client], run: Run) -> None:
        self._players = players
        self._run = run
        self._table_id = ""
        self._prompts: asyncio.Queue[tuple[int, actions_pb2.Prompt]] = asyncio.Queue()
        self._watching: list[asyncio.Task[None]] = []
        self.updates = 0

    async def open(self) -> None:
        """Open the table, seat everybody, watch, start."""
        host = self._players[0]
        option = catalog_pb2.OptionSetting(name="players", value=catalog_pb2.OptionValue(number=SEATS))
        rules = catalog_pb2.RuleSet(game_id="napoleon-tw", options=[option])
        settings = tables_pb2.TableSettings(deals=1000)
        settings.deal_pause.SetInParent()
        made = await host.tables.create_table(tables_pb2.CreateTableRequest(rules=rules, settings=settings))
        self._table_id = made.table.id
        for player in self._players:
            await player.tables.join_table(tables_pb2.JoinTableRequest(table_id=self._table_id))
        self._watching = [asyncio.create_task(self._watch(seat)) for seat in range(SEATS)]
        await host.tables.start_match(tables_pb2.StartMatchRequest(table_id=self._table_id))

    async def _watch(self, seat: int) -> None:
        replies = self._players[seat].tables.watch_table(
            tables_pb2.WatchTableRequest(table_id=self._table_id), timeout_s=3600
        )
        async for reply in replies:
            self.updates += 1
            told = reply.update if reply.WhichOneof("kind") == "update" else reply.full
            if told.HasField("prompt"):
                self._prompts.put_nowait((seat, told.prompt))

    async def play(self) -> None:
        """Play until the run is over."""
        version = 0
        while not self._run.over:
            try:
                async with asyncio.timeout(0.5):
                    seat, prompt = await self._prompts.get()
            except TimeoutError:
                continue
            if prompt.version <= version:
                continue
            version = prompt.version
            request = tables_pb2.ActRequest(
                table_id=self._table_id, expected_version=version, action=first_choice(prompt.choices)
            )
            await self._run.timed(self._players[seat].tables.act(request))

    def close(self) -> None:
        """Stop watching."""
        for task in self._watching:
            task.cancel()


def first_choice(choices: actions_pb2.Choices) -> actions_pb2.Action:
    """Return a legal action: the lowest bid after which the others pass, then the first of everything."""
    if choices.HasField("bid"):
        if choices.bid.bids[0].amount == 11:
            return actions_pb2.Action(bid=choices.bid.bids[0])
        return actions_pb2.Action(**{"pass": actions_pb2.Pass()})
    if choices.HasField("discard"):
        put_back = [card for card in choices.discard.cards if card not in choices.discard.costly]
        return actions_pb2.Action(discard=actions_pb2.Discard(cards=put_back[: choices.discard.count]))
    if choices.HasField("choose_trump"):
        return actions_pb2.Action(choose_trump=actions_pb2.ChooseTrump(suit=choices.choose_trump.suits[0]))
    if choices.HasField("call_card"):
        return actions_pb2.Action(call_card=actions_pb2.CallCard(card=choices.call_card.cards[0]))
    card = choices.play_card.cards[0]
    naming = cards_pb2.SUIT_SPADES if card in choices.play_card.naming else None
    return actions_pb2.Action(play_card=actions_pb2.PlayCard(card=card, named_suit=naming))


async def ours(redis: EmbeddedRedis, seconds: float, warm_s: float, transport: str) -> Burst:
    """Measure our front over one transport."""
    ports = {"JUNTO_GRPC_PORT": free_port(), "JUNTO_HTTP_PORT": free_port(), "JUNTO_METRICS_PORT": free_port()}
    ample = ("RATE_PER_PLAYER", "BURST_PER_PLAYER", "RATE_PER_ADDRESS", "BURST_PER_ADDRESS", "SIGN_IN_RATE",
             "SIGN_IN_BURST", "MAX_STREAMS_PER_PLAYER", "MAX_CALLS_PER_PLAYER")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **{name: str(port) for name, port in ports.items()},
            **{f"JUNTO_{name}": "1000000" for name in ample},
            "JUNTO_REDIS_URL": redis.url,
            "JUNTO_SHARDS": str(SHARDS),
            "JUNTO_DATA_DIR": folder,
            "JUNTO_LOG_LEVEL": "warning",
        }
        ready = Path(folder) / "ready"
        command = (sys.executable, "-m", "junto.cli.main", "serve", "--ready-file", str(ready))
        port = ports["JUNTO_GRPC_PORT" if transport == "grpc" else "JUNTO_HTTP_PORT"]
        async with (
            process(*command, ready=ready.exists, env=env) as server,
            dealing(redis),
            contextlib.AsyncExitStack() as stack,
        ):
            players = [
                await stack.enter_async_context(Client(f"127.0.0.1:{port}", transport))  # type: ignore[arg-type]
                for _ in range(CHANNELS)
            ]
            for number, player in enumerate(players):
                await player.sign_in_as_guest(f"Player {number}")
            run = Run(server, psutil.Process(redis_pid(redis)))
            tables = [BenchTable([players[(n + seat) % CHANNELS] for seat in range(SEATS)], run) for n in range(TABLES)]
            for table in tables:
                await table.open()
            before = sum(table.updates for table in tables)
            burst = await run.measure([table.play() for table in tables], warm_s, seconds)
            seen = sum(table.updates for table in tables) - before
            assert seen > len(burst.latencies), f"{seen} updates for {len(burst.latencies)} moves"
            for table in tables:
                table.close()
            return burst


def redis_pid(redis: EmbeddedRedis) -> int:
    """Return the embedded server's process id."""
    assert redis.pid is not None
    return redis.pid


# --- the report


def figure(case: str, bursts: list[Burst], yardstick: list[Burst]) -> dict[str, object]:
    """Return the medians of a case, and its ratio to the yardstick, round by round."""
    cuts = [statistics.quantiles(burst.latencies, n=100) for burst in bursts]
    ratios = [ours.per_cpu_s / floor.per_cpu_s for ours, floor in zip(bursts, yardstick, strict=True)]
    return {
        "bench": "commits",
        "game": "napoleon-tw",
        "case": case,
        "value": round(statistics.median(burst.per_cpu_s for burst in bursts), 1),
        "unit": "moves per server CPU second",
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "moves_per_s": round(statistics.median(burst.per_s for burst in bursts), 1),
        "p50_ms": round(statistics.median(cut[49] for cut in cuts) * 1e3, 2),
        "p99_ms": round(statistics.median(cut[98] for cut in cuts) * 1e3, 2),
        "server_cores": round(statistics.median(burst.server_s / burst.span_s for burst in bursts), 2),
        "redis_cores": round(statistics.median(burst.redis_s / burst.span_s for burst in bursts), 2),
    }


async def measure(seconds: float, warm_s: float, rounds: int) -> None:
    """Run everything in turn and print a JSON object for each case."""
    bursts: dict[str, list[Burst]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            redis = EmbeddedRedis(Path(folder) / "redis")
            redis.start()
            try:
                for case, burst in (
                    ("yardstick", floor(redis, seconds, warm_s, on_uvloop=False)),
                    ("yardstick on uvloop", floor(redis, seconds, warm_s, on_uvloop=True)),
                    ("grpc", ours(redis, seconds, warm_s, "grpc")),
                    ("connect", ours(redis, seconds, warm_s, "connect")),
                ):
                    bursts.setdefault(case, []).append(await burst)
            finally:
                redis.stop()
    for case, of_case in bursts.items():
        print(json.dumps(figure(case, of_case, bursts["yardstick"])), flush=True)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=time_s(86_400.0), default=4.0)
    parser.add_argument("--warm", type=time_s(86_400.0), default=1.5)
    parser.add_argument("--rounds", type=whole_number(1, 10_000), default=3)
    arguments = parser.parse_args()
    uvloop.run(measure(arguments.seconds, arguments.warm, arguments.rounds))


if __name__ == "__main__":
    main()
