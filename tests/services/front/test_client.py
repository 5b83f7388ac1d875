"""The Python client: what it does by itself, and what it never does."""

from __future__ import annotations

import asyncio
import random
import re
import typing
import uuid
from contextlib import aclosing
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from hypothesis import given
from hypothesis import strategies as st

import junto.client
from junto.client import NO_RETRIES, CallError, Catalog, Players, Retries, Stream, Tables, Tournaments, Unary
from junto.client import services as client_services
from junto.client.errors import Details, read_details
from junto.front.faults import CODES, Fault
from junto.v1 import actions_pb2, cards_pb2, errors_pb2, players_pb2, tables_pb2
from junto.v1.errors_pb2 import ErrorReason

ACT = tables_pb2.ActRequest(
    table_id="t1",
    expected_version=1,
    action=actions_pb2.Action(play_card=actions_pb2.PlayCard(card=cards_pb2.CARD_HEART_TEN)),
)
SUGGEST = tables_pb2.SuggestActionRequest(table_id="t1", expected_version=1)
ME = players_pb2.GetMeRequest()
QUICK = Retries(base_s=0.001, cap_s=0.002)


async def refusal(call: Any) -> CallError:
    """Return how a call was refused."""
    with pytest.raises(CallError) as caught:
        await call
    return caught.value


@pytest.mark.parametrize("service", [Tables, Catalog, Players, Tournaments])
def test_the_methods_are_those_of_the_definitions(service: type[client_services.ServiceClient]) -> None:
    """Every method of a service is there with its own messages, and no other is."""
    hints = typing.get_type_hints(service, vars(client_services))
    found = {name: hint for name, hint in hints.items() if typing.get_origin(hint) in (Unary, Stream)}

    wanted = {}
    for method in service.DESCRIPTOR.methods:
        kind = Stream if method.server_streaming else Unary
        name = client_services._WORD.sub("_", method.name).lower()
        wanted[name] = kind[GetMessageClass(method.input_type), GetMessageClass(method.output_type)]
    assert found == wanted


def test_the_public_names_are_listed() -> None:
    """What the package offers is listed, sorted, and there."""
    assert sorted(junto.client.__all__, key=lambda name: (not name.isupper(), name)) == junto.client.__all__
    assert all(hasattr(junto.client, name) for name in junto.client.__all__)


async def test_a_call_is_repeated_with_the_same_request_id(stage: Any, transport: str) -> None:
    """A call that was not answered is repeated until it is, as one intent; the caller's request stays as it was."""
    client = await stage.client(await stage.front(), transport, retries=QUICK)
    stage.toy.failures = 3

    reply = await client.tables.act(ACT)

    assert reply.update.version == 2
    ids = [request.request_id for request in stage.toy.requests]
    assert len(ids) == 4
    assert len(set(ids)) == 1
    assert uuid.UUID(ids[0])
    assert not ACT.request_id


async def test_a_request_id_of_the_callers_is_kept(stage: Any, transport: str) -> None:
    """Whoever names an intent keeps its name; two calls without one are two intents."""
    client = await stage.client(await stage.front(), transport)
    named = tables_pb2.ActRequest()
    named.CopyFrom(ACT)
    named.request_id = str(uuid.uuid4())

    for request in (named, ACT, ACT):
        await client.tables.act(request)

    ids = [request.request_id for request in stage.toy.requests]
    assert ids[0] == named.request_id
    assert len(set(ids)) == 3


async def test_patience_ends(stage: Any, transport: str) -> None:
    """After so many attempts, or with no time left, the last error is told."""
    client = await stage.client(await stage.front(), transport, retries=QUICK)
    stage.toy.failures = 100

    error = await refusal(client.tables.act(ACT))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, errors_pb2.ERROR_REASON_STORE_UNAVAILABLE)
    assert len(stage.toy.requests) == QUICK.attempts

    slow = await stage.client(await stage.front(), transport, retries=Retries(base_s=60, cap_s=60, draw=Slowest()))
    assert (await refusal(slow.tables.act(ACT, timeout_s=5))).code is grpc.StatusCode.UNAVAILABLE


class Slowest(random.Random):
    """Draws the longest wait."""

    def uniform(self, a: float, b: float) -> float:
        return b


async def test_what_may_not_be_repeated_is_not(stage: Any, transport: str) -> None:
    """A call without a request id that may change something is made once."""
    client = await stage.client(await stage.front(), transport, retries=QUICK)

    error = await refusal(client.tables.suggest_action(SUGGEST))

    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, errors_pb2.ERROR_REASON_POOL_BUSY)
    assert len(stage.toy.requests) == 1


async def test_a_refusal_is_not_repeated(stage: Any, transport: str) -> None:
    """What the server refuses for good is not asked again."""
    client = await stage.client(await stage.front(), transport, retries=QUICK)

    await refusal(client.tables.get_table(tables_pb2.GetTableRequest(table_id="stale")))

    assert len(stage.toy.calls) == 1


async def test_a_token_is_refreshed_before_it_ends(stage: Any, transport: str) -> None:
    """A client whose access token is about to end gets a new one first, and once however many calls wait."""
    front = await stage.front(access_token_seconds=5)
    client = await stage.client(front, transport)
    first = client.tokens.access_token
    client.tokens.access_expire_time.seconds = 1
    served: list[str] = []
    issue = front.issuer.issue

    def counted(player: Any) -> Any:
        served.append(player.id)
        pair = issue(player)
        return type(pair)(pair.access, pair.access_expires + 3600, pair.refresh, pair.refresh_expires)

    front.issuer.issue = counted
    found = await asyncio.gather(*(client.players.get_me(ME) for _ in range(10)))

    assert {reply.player.id for reply in found} == {client.player.id}
    assert client.tokens.access_token != first
    assert served == [client.player.id]


async def test_a_token_that_ended_is_refreshed(stage: Any, transport: str) -> None:
    """A client whose clock is behind learns from the server that its token ended, and goes on."""
    ahead = [0.0]
    front = await stage.front(clock=lambda: 1_900_000_000 + ahead[0], access_token_seconds=100)
    client = await stage.client(front, transport)
    ahead[0] = 101

    assert (await client.players.get_me(ME)).player == client.player


async def test_a_given_token_is_all_there_is(stage: Any, transport: str) -> None:
    """A client that was given a token uses it, and does not try to refresh what it cannot."""
    front = await stage.front()
    token = (await stage.client(front, transport)).tokens.access_token
    client = await stage.client(front, transport, name=None, token=token)
    forged = await stage.client(front, transport, name=None, token=token + "x")

    assert (await client.players.get_me(ME)).player.display_name == "Ada"
    assert (await refusal(forged.players.get_me(ME))).reason == errors_pb2.ERROR_REASON_TOKEN_INVALID


async def test_nobody_there_is_unavailable(stage: Any, transport: str) -> None:
    """A server that cannot be reached is UNAVAILABLE, for calls and for streams."""
    front = await stage.front()
    client = await stage.client(front, transport, retries=NO_RETRIES)
    await front.stop()

    assert (await refusal(client.players.get_me(ME))).code is grpc.StatusCode.UNAVAILABLE
    watch = client.tables.watch_table(tables_pb2.WatchTableRequest(table_id="t1"))
    assert (await refusal(anext(watch))).code is grpc.StatusCode.UNAVAILABLE


async def test_a_server_that_comes_back_is_found(stage: Any, transport: str) -> None:
    """While a server restarts a call waits and is carried out."""
    front = await stage.front()
    port = front.grpc_port if transport == "grpc" else front.http_port
    client = await stage.client(front, transport, timeout_s=20, retries=Retries(attempts=100, base_s=0.02, cap_s=0.1))
    await front.stop()

    call = asyncio.create_task(client.players.get_me(ME))
    await asyncio.sleep(0)
    await stage.front(**{"grpc_port" if transport == "grpc" else "http_port": port})

    assert (await call).player == client.player


async def test_cancelling_a_stream_is_a_cancellation(stage: Any, transport: str, wait_until: Any) -> None:
    """A task that watches can be cancelled like any other."""
    client = await stage.client(await stage.front(), transport)

    async def watch() -> None:
        async with aclosing(client.tables.watch_table(tables_pb2.WatchTableRequest(table_id="hang"))) as replies:
            async for _ in replies:
                pass

    task = asyncio.create_task(watch())
    await wait_until(lambda: stage.toy.opened == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await wait_until(lambda: stage.toy.closed == 1)


@given(
    attempt=st.integers(1, 50),
    attempts=st.integers(1, 20),
    delay=st.none() | st.floats(0, 5),
    unavailable=st.booleans(),
)
def test_waits_are_bounded(attempt: int, attempts: int, delay: float | None, unavailable: bool) -> None:
    """A wait is never shorter than asked for, never longer than that or the cap, and ends with the attempts."""
    retries = Retries(attempts=attempts, base_s=0.1, cap_s=2.0)
    code = grpc.StatusCode.UNAVAILABLE if unavailable else grpc.StatusCode.FAILED_PRECONDITION
    wait = retries.wait_s(attempt, CallError(code, "no", Details(retry_delay_s=delay)))

    if attempt >= attempts or not unavailable:
        assert wait is None
    else:
        assert wait is not None
        assert (delay or 0) <= wait <= max(2.0, delay or 0)


@pytest.mark.parametrize(
    ("domain", "reason"), [("junto.v1", "NEW_IN_2030"), ("else", "STALE_VERSION"), ("junto.v1", "")]
)
def test_an_unknown_reason_is_unspecified(domain: str, reason: str) -> None:
    """A newer server's reason, or somebody else's, is none that this client knows; the code still tells."""
    info = error_details_pb2.ErrorInfo(domain=domain, reason=reason, metadata={"a": "b"})

    details = read_details([("google.rpc.ErrorInfo", info.SerializeToString()), ("else.Unknown", b"\xff")])

    assert details.reason == errors_pb2.ERROR_REASON_UNSPECIFIED
    assert str(CallError(grpc.StatusCode.ABORTED, "gone", details)) == "ABORTED: gone"


def test_every_reason_has_the_code_of_its_comment() -> None:
    """The status code of each reason is the first word of its comment in errors.proto, and it travels."""
    text = (Path(__file__).parents[3] / "proto/junto/v1/errors.proto").read_text(encoding="utf-8")
    said = {reason: code for code, reason in re.findall(r"// ([A-Z_]+)\. [^=]*?\n  ERROR_REASON_(\w+) = \d+;", text)}

    assert said == {ErrorReason.Name(r).removeprefix("ERROR_REASON_"): code.name for r, code in CODES.items()}
    for reason in CODES:
        packed = [(detail.type_url.rpartition("/")[2], detail.value) for detail in Fault(reason, "x").details()]
        assert read_details(packed).reason == reason
