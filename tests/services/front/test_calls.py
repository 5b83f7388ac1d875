"""What every call gets, whichever front it came through."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing
from typing import Any

import grpc
import pytest
import structlog

from junto.client import NO_RETRIES, CallError
from junto.client.transports import MethodRef
from junto.v1 import actions_pb2, errors_pb2, tables_pb2


def get(table_id: str) -> tables_pb2.GetTableRequest:
    return tables_pb2.GetTableRequest(table_id=table_id)


def watch(table_id: str) -> tables_pb2.WatchTableRequest:
    return tables_pb2.WatchTableRequest(table_id=table_id)


async def refused(call: Any) -> CallError:
    """Return the error that a call must end with."""
    with pytest.raises(CallError) as caught:
        await call
    return caught.value


async def read(stream: Any) -> list[Any]:
    async with aclosing(stream) as replies:
        return [reply async for reply in replies]


async def test_a_reply_comes_back(stage: Any, transport: str) -> None:
    """A servicer's reply reaches the client, and the servicer knows who called."""
    client = await stage.client(await stage.front(), transport)

    reply = await client.tables.get_table(get("t1"))

    assert reply.view.table.id == "t1"
    assert ("Ada", client.player.id) == (stage.toy.calls[0].player.name, stage.toy.calls[0].player.id)
    assert stage.toy.addresses == ["127.0.0.1"]


async def test_a_serialised_reply_comes_back(stage: Any, transport: str) -> None:
    """A servicer may answer with bytes that are serialised already."""
    client = await stage.client(await stage.front(), transport)

    reply = await client.tables.get_table(get("raw"))
    replies = await read(client.tables.watch_table(watch("raw")))

    assert reply.view.table.id == "raw"
    assert [found.heartbeat.version for found in replies] == [1, 2, 3, 4]


async def test_a_fault_brings_all_its_details(stage: Any, transport: str) -> None:
    """Code, message, reason, metadata, violations and delay of a fault reach the client."""
    client = await stage.client(await stage.front(), transport)

    error = await refused(client.tables.get_table(get("stale")))

    assert error.code is grpc.StatusCode.ABORTED
    assert error.message == "the table has moved on — 已變"
    assert error.reason == errors_pb2.ERROR_REASON_STALE_VERSION
    assert error.metadata == {"version": "17"}
    assert [(v.field, v.description) for v in error.violations] == [("expected_version", "is too old")]
    assert error.retry_delay_s == 1.5


@pytest.mark.parametrize("table_id", ["bug", "wrong", "lost", "timeout"])
async def test_a_servers_bug_shows_an_incident_and_nothing_else(stage: Any, transport: str, table_id: str) -> None:
    """What a servicer did not foresee is INTERNAL with an incident's id; the exception stays in the log."""
    client = await stage.client(await stage.front(), transport)

    with structlog.testing.capture_logs() as logs:
        error = await refused(client.tables.get_table(get(table_id)))

    assert error.code is grpc.StatusCode.INTERNAL
    assert error.reason == errors_pb2.ERROR_REASON_INTERNAL
    assert error.metadata["incident"] in error.message
    assert not {"Traceback", "Error", "kitty"} & set(error.message.replace(".", " ").split())
    incident = next(entry for entry in logs if entry["event"] == "incident")
    assert error.metadata["incident"] == incident["incident"]
    assert isinstance(incident["exc_info"], BaseException)


async def test_a_bug_in_a_stream_shows_an_incident(stage: Any, transport: str) -> None:
    """A stream that breaks in the server ends with INTERNAL after what it had sent."""
    client = await stage.client(await stage.front(), transport)

    async with aclosing(client.tables.watch_table(watch("bug"))) as replies:
        got = [(await anext(replies)).heartbeat.version for _ in range(3)]
        error = await refused(anext(replies))

    assert got == [1, 2, 3]
    assert error.code is grpc.StatusCode.INTERNAL
    assert "kitty" not in error.message


async def test_a_fault_in_a_stream_brings_its_reason(stage: Any, transport: str) -> None:
    """A stream can end with a reason."""
    client = await stage.client(await stage.front(), transport)

    error = await refused(read(client.tables.watch_table(watch("stale"))))

    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, errors_pb2.ERROR_REASON_TOO_SLOW)


@pytest.mark.parametrize(
    ("service", "method"),
    [("junto.v1.TableService", "Cheat"), ("junto.v1.CheatService", "Cheat"), ("junto.v1.TableService", "GetReplay")],
)
async def test_an_unknown_method_is_unimplemented(stage: Any, transport: str, service: str, method: str) -> None:
    """A method that there is not, or that this server does not have, is UNIMPLEMENTED."""
    client = await stage.client(await stage.front(), transport)
    reference = MethodRef(service, method, tables_pb2.GetReplayRequest, tables_pb2.GetReplayResponse)
    request = tables_pb2.GetReplayRequest(table_id="t1")

    error = await refused(client.call(reference, request, repeatable=False, timeout_s=5, metadata=None))

    assert error.code is grpc.StatusCode.UNIMPLEMENTED


class Bytes:
    """Stands where a request should, and serialises to any bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def SerializeToString(self) -> bytes:  # noqa: N802  # protobuf's name
        return self.data


GET_BYTES: Any = MethodRef("junto.v1.TableService", "GetTable", Bytes, tables_pb2.GetTableResponse)  # type: ignore[arg-type]
WATCH_BYTES: Any = MethodRef("junto.v1.TableService", "WatchTable", Bytes, tables_pb2.WatchTableResponse)  # type: ignore[arg-type]


async def send(client: Any, data: bytes) -> Any:
    """Send any bytes as a request."""
    sent = {"authorization": f"Bearer {client.tokens.access_token}"}
    return await client._transport.unary(GET_BYTES, Bytes(data), sent, 5.0)


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05abc", b"\x0a\x02\xff\xfe", b"{}"])
async def test_a_malformed_message_is_refused(stage: Any, transport: str, data: bytes) -> None:
    """Bytes that are no request are INVALID_ARGUMENT, in a call and in a stream."""
    client = await stage.client(await stage.front(), transport)
    sent = {"authorization": f"Bearer {client.tokens.access_token}"}

    error = await refused(send(client, data))
    streamed = await refused(read(client._transport.stream(WATCH_BYTES, Bytes(data), sent, 5.0)))

    for found in (error, streamed):
        assert found.code is grpc.StatusCode.INVALID_ARGUMENT
        assert found.reason == errors_pb2.ERROR_REASON_INVALID_FIELD
    assert not stage.toy.calls


@pytest.mark.parametrize("size", [65537, 200_000])
async def test_an_oversized_message_is_refused(stage: Any, transport: str, size: int) -> None:
    """A message above the limit is RESOURCE_EXHAUSTED and tells the limit."""
    client = await stage.client(await stage.front(max_request_bytes=65536), transport)

    error = await refused(send(client, bytes(size)))

    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert error.reason == errors_pb2.ERROR_REASON_TOO_LARGE
    assert error.metadata == {"limit": "65536"}


async def test_a_huge_message_is_refused(stage: Any, transport: str) -> None:
    """A message of many megabytes is RESOURCE_EXHAUSTED, and the connection or its successor goes on working."""
    client = await stage.client(await stage.front(), transport)

    error = await refused(send(client, bytes(8 << 20)))

    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await client.tables.get_table(get("t1"))).view.table.id == "t1"


async def test_a_message_of_the_largest_size_is_read(stage: Any, transport: str) -> None:
    """The limit itself is allowed; what is wrong with the message is then said."""
    client = await stage.client(await stage.front(max_request_bytes=65536), transport)
    request = get("x" * 65532)
    assert request.ByteSize() == 65536

    error = await refused(client.tables.get_table(request))

    assert [violation.field for violation in error.violations] == ["table_id"]


async def test_broken_constraints_name_the_fields(stage: Any, transport: str) -> None:
    """A request that breaks the constraints of the .proto files gets a violation for each, with its path."""
    client = await stage.client(await stage.front(), transport)
    request = tables_pb2.ActRequest(
        request_id="no uuid", table_id="t1", action=actions_pb2.Action(bid=actions_pb2.Bid(amount=-1))
    )

    error = await refused(client.tables.act(request))

    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.reason == errors_pb2.ERROR_REASON_INVALID_FIELD
    assert {"request_id", "expected_version", "action.bid.amount"} == {v.field for v in error.violations}
    assert all(violation.description for violation in error.violations)
    assert not stage.toy.requests


async def test_many_violations_still_fit(stage: Any, transport: str) -> None:
    """A request with hundreds of faults gets an answer that clients can take."""
    client = await stage.client(await stage.front(), transport)
    request = tables_pb2.CreateTableRequest(request_id=str(uuid.uuid4()))
    request.rules.game_id = "NOT AN ID"
    for _ in range(50):
        request.rules.options.add(name="n" * 500)

    error = await refused(client.tables.create_table(request))

    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert len(error.violations) == 16


async def test_the_clients_deadline_frees_the_servicer(stage: Any, transport: str, wait_until: Any) -> None:
    """Past its deadline a call ends for the client and for the servicer."""
    client = await stage.client(await stage.front(), transport)

    error = await refused(client.tables.get_table(get("slow"), timeout_s=0.1))
    await wait_until(lambda: stage.toy.closed == 1)

    assert error.code is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_the_servers_own_time_limit_holds(stage: Any, transport: str) -> None:
    """A call without a near deadline ends at the server's limit, with the reason."""
    client = await stage.client(await stage.front(call_timeout_seconds=0.1), transport, retries=NO_RETRIES)

    error = await refused(client.tables.get_table(get("slow"), timeout_s=30))

    assert (error.code, error.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, errors_pb2.ERROR_REASON_DEADLINE)
    assert stage.toy.closed == 1


async def test_a_cancelled_call_stays_cancelled(stage: Any, transport: str, wait_until: Any) -> None:
    """A caller that gives up is cancelled, not told an error, and the servicer is freed."""
    client = await stage.client(await stage.front(), transport)
    call = asyncio.ensure_future(client.tables.get_table(get("slow")))
    await wait_until(lambda: stage.toy.opened == 1)

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    await wait_until(lambda: stage.toy.closed == 1)


@pytest.mark.parametrize("table_id", ["hang", "flood"])
async def test_leaving_a_stream_frees_its_servicer(stage: Any, transport: str, table_id: str, wait_until: Any) -> None:
    """A client that leaves a stream frees the servicer, both while it waits and while it sends without pause."""
    front = await stage.front()
    client = await stage.client(front, transport)

    async with aclosing(client.tables.watch_table(watch(table_id))) as replies:
        assert (await anext(replies)).heartbeat.version == 1

    await wait_until(lambda: stage.toy.closed == stage.toy.opened == 1)
    await front.gate.wait_idle()


async def test_a_call_carries_its_metadata(stage: Any, transport: str) -> None:
    """The servicer reads headers, the request id for the logs among them, and the time that is left."""
    client = await stage.client(await stage.front(), transport)

    await client.tables.get_table(get("t1"), metadata={"x-request-id": "abc-1", "x-who": "me"}, timeout_s=5)

    call = stage.toy.calls[0]
    assert (call.header("x-who"), call.id, call.header("x-not-there")) == ("me", "abc-1", None)


async def test_a_call_that_is_over_can_still_be_asked(stage: Any, transport: str) -> None:
    """Whoever keeps a call beyond its end gets an answer from it, and the process lives."""
    client = await stage.client(await stage.front(), transport)
    await client.tables.get_table(get("t1"), timeout_s=5)
    call = stage.toy.calls[0]

    assert call.address in ("127.0.0.1", "unknown")
    assert call.remaining is None or call.remaining <= 5
    call.cut()


async def test_a_strange_request_id_is_replaced(stage: Any, transport: str) -> None:
    """A request id that could confuse a log's reader is not taken over."""
    client = await stage.client(await stage.front(), transport)

    await client.tables.get_table(get("t1"), metadata={"x-request-id": "a b" * 100})

    assert " " not in stage.toy.calls[0].id
