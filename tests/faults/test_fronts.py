"""What a front's death leaves behind, and clients that are there and do not read."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path

import psutil
import pytest

from junto.client import Client
from junto.v1 import tables_pb2

from .house import Front, House
from .laws import check_ledgers, history
from .matches import SEATS, bot, duration, open_table, settings
from .players import Guest, Seen, Tally
from .processes import PATIENCE_S, environment, eventually

pytestmark = pytest.mark.xdist_group("faults")

MANY_DEALS = 500
LEAST_UPDATES = 600
"""So much happens at the table while nobody reads: several times what a watcher's queue holds."""
SILENT = 40
SLEEPERS = 20
HALF_A_HEAD = b"POST /junto.v1.TableService/GetTable HTTP/1.1\r\nhost: junto\r\n"
MEBIBYTE = 1 << 20
MOST_GROWTH = 40 * MEBIBYTE
"""Sixty watchers who are owed 600 updates of some 3 kB each would need more than twice as much."""


async def seat_bots(host: Guest, table_id: str, count: int) -> None:
    """Let bots take the last seats."""
    for seat in range(SEATS - count, SEATS):
        request = tables_pb2.SeatBotRequest(table_id=table_id, seat=seat, bot=bot("random"))
        await host.ask("seat_bot", request)


@asynccontextmanager
async def watched(guest: Guest, table_id: str) -> AsyncIterator[Seen]:
    """Let a guest watch in the background, until the table is closed."""
    seen = Seen()
    watching = asyncio.create_task(guest.watch(table_id, seen))
    try:
        yield seen
        await guest.ask("close_table", tables_pb2.CloseTableRequest(table_id=table_id))
        await watching
    finally:
        watching.cancel()


@pytest.mark.timeout(600)
async def test_a_player_whose_front_dies_does_not_hold_the_table_up(house: House) -> None:
    """A front that is killed marks nobody as gone: the clock runs all the same, a stand-in plays, and gives the
    seat back when the player is back. No action of either is lost or doubled.
    """
    await house.mend()
    tally, (first, second) = Tally(), house.fronts
    how = settings(deals=MANY_DEALS, turn_time=duration(1), stand_in=bot("random"))
    async with (
        Guest("Ada", [first.addresses[0]], random.Random(1), tally, is_slow=True) as ada,
        Guest("Bea", [second.addresses[1]], random.Random(2), tally) as bea,
        house.store() as store,
    ):
        table_id = await open_table(bea, 0, how)
        await ada.ask("join_table", tables_pb2.JoinTableRequest(table_id=table_id, seat=0))
        await seat_bots(bea, table_id, SEATS - 1)

        async def adas_seat(*, stand_in: bool) -> tables_pb2.Seat:
            """Wait until a stand-in has taken Ada's seat, or has given it back."""
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    reply = await bea.ask("get_table", tables_pb2.GetTableRequest(table_id=table_id))
                    seat: tables_pb2.Seat = reply.view.table.seats[0]
                    if seat.stand_in == stand_in:
                        return seat
                    await asyncio.sleep(0.02)

        async with watched(bea, table_id) as seen:
            playing = asyncio.create_task(ada.play(table_id, Seen()))
            await bea.ask("start_match", tables_pb2.StartMatchRequest(table_id=table_id))
            await tally.until_acknowledged(2)

            first.send(signal.SIGKILL)
            await first.until_killed()
            assert (await adas_seat(stand_in=True)).connected
            was = seen.version or 0
            await eventually(lambda: (seen.version or 0) > was + 20, "the deals go on without her")

            await house.mend()
            await tally.until_acknowledged(2)
            await adas_seat(stand_in=False)
        await playing
        check_ledgers([ada], await history(store, table_id))


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_clients_that_do_not_read_hold_no_memory(house: House) -> None:
    """Watchers that went silent, whose machines are frozen, or who never finish a request are cut off; those who read
    miss nothing; and the front does not grow meanwhile.
    """
    await house.mend()
    front, tally = house.fronts[0], Tally()
    async with Guest("Ada", [front.addresses[0]], random.Random(3), tally) as ada:
        table_id = await open_table(ada, 0, settings(deals=MANY_DEALS))
        await seat_bots(ada, table_id, SEATS)
        with ExitStack() as stack:
            async with watched(ada, table_id) as seen:
                await eventually(lambda: seen.version is not None, "the stream is open")
                streams = front.measure("junto_streams_open")
                for _ in range(SILENT):
                    stack.enter_context(silent_watcher(front, table_id, await fresh_token(front)))
                stack.enter_context(frozen_watchers(front, table_id))
                unfinished = [stack.enter_context(half_a_request(front)) for _ in range(SILENT)]
                assert front.measure("junto_streams_open") == streams + SILENT + SLEEPERS
                memory = psutil.Process(front.pid).memory_info
                before, began = memory().rss, seen.version or 0

                await ada.ask("start_match", tables_pb2.StartMatchRequest(table_id=table_id))
                await eventually(lambda: (seen.version or 0) >= began + LEAST_UPDATES, "much happens")
                await eventually(lambda: front.measure("junto_streams_open") == streams, "all others are cut off")
                assert memory().rss < before + MOST_GROWTH
                for waiting in unfinished:
                    assert await asyncio.to_thread(hung_up, waiting)


async def fresh_token(front: Front) -> str:
    """Return the token of a new guest."""
    async with Client(front.addresses[0].place) as client:
        await client.sign_in_as_guest("Guest")
        return client.tokens.access_token


@contextmanager
def connected(front: Front) -> Iterator[socket.socket]:
    """Connect to a front's HTTP port, with little room for what comes back."""
    host, _, port = front.addresses[1].place.rpartition(":")
    with closing(socket.socket()) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(60)
        line.connect((host, int(port)))
        yield line


@contextmanager
def silent_watcher(front: Front, table_id: str, token: str) -> Iterator[None]:
    """Open a stream over Connect, and read no more than the beginning of its answer."""
    message = tables_pb2.WatchTableRequest(table_id=table_id).SerializeToString()
    body = struct.pack(">BI", 0, len(message)) + message
    head = (
        "POST /junto.v1.TableService/WatchTable HTTP/1.1",
        "host: junto",
        "connect-protocol-version: 1",
        "content-type: application/connect+proto",
        f"authorization: Bearer {token}",
        f"content-length: {len(body)}",
        "\r\n",
    )
    with connected(front) as line:
        line.sendall("\r\n".join(head).encode() + body)
        assert line.recv(12) == b"HTTP/1.1 200"
        yield


@contextmanager
def half_a_request(front: Front) -> Iterator[socket.socket]:
    """Begin a request and never end it."""
    with connected(front) as line:
        line.sendall(HALF_A_HEAD)
        yield line


def hung_up(line: socket.socket) -> bool:
    """Return whether the other side hangs up."""
    try:
        while line.recv(4096):
            pass
    except ConnectionError:
        return True
    return True


@contextmanager
def frozen_watchers(front: Front, table_id: str) -> Iterator[None]:
    """Let another process open streams over gRPC, and freeze it."""
    program = Path(__file__).with_name("sleeper.py")
    command = [sys.executable, str(program), front.addresses[0].place, table_id, str(SLEEPERS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as sleeper:
        try:
            assert sleeper.stdout is not None
            assert sleeper.stdout.readline() == "open\n"
            sleeper.send_signal(signal.SIGSTOP)
            yield
        finally:
            sleeper.kill()
