"""How much a caller may ask for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.client import NO_RETRIES, CallError
from junto.front.addresses import Proxies, grpc_address, neighbourhood
from junto.front.faults import Fault, RateLimited
from junto.front.limits import Buckets, Slots
from junto.v1 import errors_pb2, tables_pb2

GET = tables_pb2.GetTableRequest(table_id="t1")
SLOW = tables_pb2.GetTableRequest(table_id="slow")
HANG = tables_pb2.WatchTableRequest(table_id="hang")


async def outcome(call: Awaitable[Any]) -> CallError | None:
    """Return how a call ended: None if well."""
    try:
        await call
    except CallError as error:
        return error
    return None


async def test_a_thousand_calls_a_second_are_held_back(stage: Any, transport: str) -> None:
    """A player who calls without end gets what is theirs; the rest is told when to come back, and may."""
    front = await stage.front(rate_per_player=5, burst_per_player=40, max_calls_per_player=1000)
    client = await stage.client(front, transport, retries=NO_RETRIES)
    other = await stage.client(front, transport, name="Bea")

    began = time.monotonic()
    errors = await asyncio.gather(*(outcome(client.tables.get_table(GET, timeout_s=60)) for _ in range(300)))
    gained = 5 * (time.monotonic() - began)
    refused = [error for error in errors if error is not None]

    assert 40 <= 300 - len(refused) <= 41 + gained
    assert {(e.code, e.reason) for e in refused} == {
        (grpc.StatusCode.RESOURCE_EXHAUSTED, errors_pb2.ERROR_REASON_RATE_LIMITED)
    }
    assert all(0 < error.retry_delay_s <= 0.2 for error in refused)
    assert (await other.tables.get_table(GET)).view.table.id == "t1"
    await asyncio.sleep(max(error.retry_delay_s for error in refused))
    assert (await client.tables.get_table(GET)).view.table.id == "t1"


async def test_calls_at_a_time_are_limited(stage: Any, transport: str, wait_until: Any) -> None:
    """A player has so many calls in work at a time, and the next one is told the limit."""
    front = await stage.front(max_calls_per_player=2)
    client = await stage.client(front, transport)
    slow = [asyncio.create_task(client.tables.get_table(SLOW)) for _ in range(2)]
    await wait_until(lambda: stage.toy.opened == 2)

    error = await outcome(client.tables.get_table(GET))
    stage.toy.go.set()
    await asyncio.gather(*slow)

    assert error is not None
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, errors_pb2.ERROR_REASON_TOO_MANY)
    assert error.metadata == {"limit": "2"}
    assert await outcome(client.tables.get_table(GET)) is None


async def test_streams_at_a_time_are_limited(stage: Any, transport: str) -> None:
    """A player has so many streams open, and gets a place back with each that ends."""
    front = await stage.front(max_streams_per_player=1)
    client = await stage.client(front, transport)

    async with aclosing(client.tables.watch_table(HANG)) as first:
        await anext(first)
        error = await outcome(anext(client.tables.watch_table(HANG)))
        assert await outcome(client.tables.get_table(GET)) is None
    await front.gate.wait_idle()

    assert error is not None
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, errors_pb2.ERROR_REASON_TOO_MANY)
    async with aclosing(client.tables.watch_table(HANG)) as again:
        assert (await anext(again)).heartbeat.version == 1


async def test_a_full_server_says_when_to_come_back(stage: Any, transport: str, wait_until: Any) -> None:
    """A server with as much work as it takes refuses more with a delay, whoever asks."""
    front = await stage.front(max_calls=1)
    client = await stage.client(front, transport)
    slow = asyncio.create_task(client.tables.get_table(SLOW))
    await wait_until(lambda: stage.toy.opened == 1)

    error = await outcome(client.tables.get_table(GET))
    stage.toy.go.set()
    await slow

    assert error is not None
    assert (error.reason, error.retry_delay_s) == (errors_pb2.ERROR_REASON_RATE_LIMITED, 1.0)


async def test_calls_without_a_token_are_limited_by_address(stage: Any, transport: str) -> None:
    """What needs no token cannot be asked for without end either."""
    front = await stage.front(rate_per_address=0.1, burst_per_address=2)
    client = await stage.client(front, transport)

    error = await outcome(client.sign_in_as_guest("Ada")) or await outcome(client.sign_in_as_guest("Ada"))

    assert error is not None
    assert error.reason == errors_pb2.ERROR_REASON_RATE_LIMITED


@given(
    rate=st.floats(0.1, 1000),
    burst=st.integers(1, 50),
    pauses=st.lists(st.floats(0, 2), min_size=1, max_size=200),
)
def test_a_bucket_keeps_to_its_rate(rate: float, burst: int, pauses: list[float]) -> None:
    """In any span a bucket gives at most its burst and what it gained; the wait it names is enough, and needed."""
    now = 100.0
    buckets = Buckets(rate, burst, lambda: now)
    granted = []
    for pause in pauses:
        now += pause
        wait = buckets.take("a")
        assert wait >= 0
        if not wait:
            granted.append(now)
        else:
            assert buckets.wait("a") == wait
            now += wait * 1.000001 + 1e-9
            assert buckets.wait("a") == pytest.approx(0, abs=1e-6)
    for first in range(0, len(granted), 7):
        for last in range(first, len(granted), 5):
            gained = (granted[last] - granted[first]) * rate
            assert last - first + 1 <= burst + gained + 1e-6


def test_a_rested_bucket_gives_its_burst() -> None:
    """Whoever has rested may call as often at once as the burst says."""
    buckets = Buckets(1.0, 5, lambda: 7.0)

    assert [bool(buckets.take("a")) for _ in range(7)] == [False] * 5 + [True] * 2
    assert not buckets.take("b")


def test_buckets_are_bounded() -> None:
    """However many callers there are, memory is bounded, and the latest are still held back."""
    buckets = Buckets(1.0, 1, lambda: 7.0, max_keys=100)

    for n in range(10_000):
        assert not buckets.take(str(n))

    assert len(buckets) <= 100
    assert buckets.take("9999")


def test_slots_come_back() -> None:
    """Slots that are given back leave nothing behind."""
    slots = Slots(2, 3, "calls")
    slots.enter("a")
    slots.enter("a")
    with pytest.raises(Fault, match="you have 2 calls already"):
        slots.enter("a")
    slots.enter(None)
    with pytest.raises(RateLimited):
        slots.enter("b")
    for key in ("a", "a", None):
        slots.leave(key)

    assert slots.taken == 0
    assert not slots._taken


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:50000", "192.0.2.1"),
        ("ipv6:%5B2001:db8::1%5D:50000", "2001:db8::1"),
        ("ipv6:[fe80::1%eth0]:50000", "fe80::1"),
        ("unix:/tmp/socket", "127.0.0.1"),
        ("", "unknown"),
    ],
)
def test_a_peer_has_an_address(peer: str, address: str) -> None:
    """What gRPC calls a peer is read in all its forms."""
    assert grpc_address(peer) == address


@pytest.mark.parametrize(
    ("address", "one"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_a_neighbourhood_counts_as_one(address: str, one: str) -> None:
    """An IPv6 host cannot get new limits by roaming in its own network."""
    assert neighbourhood(address) == one


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (None, "10.0.0.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("6.6.6.6, 192.0.2.1", "192.0.2.1"),
        ("192.0.2.1, 10.0.0.7", "192.0.2.1"),
        ("10.0.0.9", "10.0.0.1"),
        ("192.0.2.1, nonsense", "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_a_forwarded_address_is_read_from_the_right(forwarded: str | None, client: str) -> None:
    """Only what trusted proxies wrote is believed."""
    assert Proxies(["10.0.0.0/8"]).client("10.0.0.1", forwarded) == client
    assert Proxies([]).client("10.0.0.1", forwarded) == "10.0.0.1"
