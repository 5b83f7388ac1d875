"""The HTTP port as browsers, curl and probes meet it, without a client library."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import socket
import uuid
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junto.front.codecs import JSON
from junto.front.faults import Fault
from junto.front.http import listen
from junto.v1 import tables_pb2

TABLES = "/junto.v1.TableService/"
PLAYERS = "/junto.v1.PlayerService/"
ORIGIN = "https://play.example"
JSON_LIKE = st.text(alphabet='{}[]":,.eE+-0123456789truefalsnl\\ud8', max_size=80)


@dataclass
class Answer:
    """An HTTP answer: its status, headers by lower-case name, and body without chunks."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def ask(port: int, path: str, body: bytes | None = b"{}", method: str = "POST", **headers: str) -> Answer:
    """Send one request on a connection of its own, and read the answer to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent = {"host": "127.0.0.1", "connection": "close", "content-type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        sent["content-length"] = str(len(body))
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b""))
    async with asyncio.timeout(10):
        raw = await reader.read()
    writer.close()
    return parse(raw)


def parse(raw: bytes) -> Answer:
    """Read an answer."""
    head, _, body = raw.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = joined(body)
    return Answer(int(status.split()[1]), headers, body)


def joined(body: bytes) -> bytes:
    """Join the chunks of a body."""
    found = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        found += rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]
    return found


async def sign_in(port: int) -> str:
    """Sign in with plain JSON and return the header to send."""
    body = {"requestId": str(uuid.uuid4()), "displayName": "Ada"}
    answer = await ask(port, PLAYERS + "SignInAsGuest", json.dumps(body).encode())
    return f"Bearer {answer.json['tokens']['accessToken']}"


async def test_plain_json_is_enough(stage: Any) -> None:
    """A player signs in, asks and acts with nothing but HTTP and JSON."""
    port = (await stage.front()).http_port
    bearer = await sign_in(port)

    me = await ask(port, PLAYERS + "GetMe", b"", authorization=bearer)
    table = await ask(port, TABLES + "GetTable", b'{"tableId":"raw"}', authorization=bearer)
    act = {
        "requestId": str(uuid.uuid4()),
        "tableId": "t1",
        "expectedVersion": "7",
        "action": {"playCard": {"card": "CARD_HEART_TEN"}},
    }
    acted = await ask(port, TABLES + "Act", json.dumps(act).encode(), authorization=bearer)

    assert (me.status, me.json["player"]["displayName"]) == (200, "Ada")
    assert table.json == {"view": {"table": {"id": "raw"}}}
    assert acted.json == {"update": {"version": "8"}}
    assert acted.headers["content-type"] == "application/json"


async def test_an_error_can_be_read_by_people(stage: Any) -> None:
    """A refused call says in plain JSON what was wrong: code, message, reason, fields, delay."""
    port = (await stage.front()).http_port
    bearer = await sign_in(port)

    stale = await ask(port, TABLES + "GetTable", b'{"tableId":"stale"}', authorization=bearer)

    assert stale.status == 409
    assert (stale.json["code"], stale.json["message"]) == ("aborted", "the table has moved on — 已變")
    info, bad, retry = (detail["debug"] for detail in stale.json["details"])
    assert info == {"reason": "STALE_VERSION", "domain": "junto.v1", "metadata": {"version": "17"}}
    assert bad == {"fieldViolations": [{"field": "expected_version", "description": "is too old"}]}
    assert retry == {"retryDelay": "1.500s"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"tableId":5}', None),
        (b'{"tableId":"\\ud800"}', None),
        (b"[]", None),
        (b"null", None),
        (b"{", None),
        (b"\xff\xfe", None),
        (b"[" * 60_000, None),
        (b'{"tableId":' + b"9" * 60_000 + b"}", None),
        (b'{"tableId":""}', "table_id"),
        (b"", "table_id"),
    ],
)
async def test_bad_json_is_refused(stage: Any, body: bytes, field: str | None) -> None:
    """Whatever is no request is INVALID_ARGUMENT, however odd."""
    port = (await stage.front()).http_port
    bearer = await sign_in(port)

    answer = await ask(port, TABLES + "GetTable", body, authorization=bearer)

    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    details = [detail["debug"] for detail in answer.json["details"]]
    assert details[0]["reason"] == "INVALID_FIELD"
    assert field is None or details[1]["fieldViolations"][0]["field"] == field


async def test_unknown_json_fields_are_skipped(stage: Any) -> None:
    """A newer client's fields do not break the call."""
    port = (await stage.front()).http_port

    answer = await ask(
        port, TABLES + "GetTable", b'{"tableId":"t1","newIn2030":[1]}', authorization=await sign_in(port)
    )

    assert answer.status == 200


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.binary(max_size=200), st.text(alphabet='{}[]":,.eE+-0123456789truefalsnl\\ud8', max_size=80).map(str.encode)
    )
)
def test_any_bytes_are_read_or_refused_as_json(data: bytes) -> None:
    """Reading JSON ends with a message or with a fault, never with anything else."""
    try:
        JSON.parse(data, tables_pb2.ActRequest)
    except Fault as fault:
        assert fault.reason_name == "INVALID_FIELD"  # noqa: PT017  # both outcomes are right


async def test_a_safe_method_can_be_got(stage: Any) -> None:
    """What changes nothing answers GET, so that browsers need not ask first; what does something does not."""
    port = (await stage.front()).http_port
    bearer = await sign_in(port)
    message = quote(json.dumps({"tableId": "t1"}))

    got = await ask(port, f"{TABLES}GetTable?encoding=json&message={message}", None, "GET", authorization=bearer)
    act = await ask(port, f"{TABLES}Act?encoding=json&message={message}", None, "GET", authorization=bearer)

    assert got.json == {"view": {"table": {"id": "t1"}}}
    assert act.status == 405


async def test_a_stream_of_json_can_be_read(stage: Any) -> None:
    """A stream comes as JSON in Connect's envelopes, serialised replies too, and ends with its status."""
    port = (await stage.front()).http_port
    data = b'{"tableId":"raw"}'

    answer = await ask(
        port,
        TABLES + "WatchTable",
        bytes([0, *len(data).to_bytes(4, "big")]) + data,
        authorization=await sign_in(port),
        content_type="application/connect+json",
    )

    found, rest = [], answer.body
    while rest:
        size = int.from_bytes(rest[1:5], "big")
        found.append((rest[0], json.loads(rest[5 : 5 + size])))
        rest = rest[5 + size :]
    assert found[0] == (0, {"heartbeat": {"version": "1"}})
    assert found[3] == (0, {"heartbeat": {"version": "4"}})
    assert found[4] == (2, {})


@pytest.mark.parametrize(
    ("path", "method"), [("/", "GET"), ("/junto.v1.TableService/Cheat", "POST"), ("/etc/passwd", "GET"), ("//", "POST")]
)
async def test_an_unknown_path_is_unimplemented(stage: Any, path: str, method: str) -> None:
    """Nothing but the API is here, and the answer says so in Connect's words."""
    answer = await ask((await stage.front()).http_port, path, method=method)

    assert (answer.status, answer.json["code"]) == (404, "unimplemented")


async def test_another_content_type_is_refused(stage: Any) -> None:
    """A form or a page cannot call by accident."""
    answer = await ask((await stage.front()).http_port, TABLES + "GetTable", content_type="text/html")

    assert answer.status == 415


# --- browsers


async def test_a_pages_origin_is_allowed_by_name(stage: Any) -> None:
    """A browser is told that pages of the configured origin may call, before the call and with its reply."""
    port = (await stage.front(cors_origins=f"{ORIGIN},https://other.example")).http_port
    asked = {"origin": ORIGIN, "access_control_request_method": "POST"}

    before = await ask(port, TABLES + "Act", None, "OPTIONS", **asked)
    reply = await ask(port, PLAYERS + "GetMe", origin=ORIGIN)

    assert before.status == 204
    assert "authorization" in before.headers["access-control-allow-headers"]
    assert "POST" in before.headers["access-control-allow-methods"]
    for answer in (before, reply):
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        assert answer.headers["vary"] == "Origin"
    assert "grpc-status" in reply.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in reply.headers


@pytest.mark.parametrize("origins", ["", "https://other.example"])
async def test_other_origins_are_told_nothing(stage: Any, origins: str) -> None:
    """Pages of other origins cannot read a reply: the browser finds no permission."""
    port = (await stage.front(cors_origins=origins)).http_port

    for answer in (
        await ask(port, TABLES + "Act", None, "OPTIONS", origin=ORIGIN, access_control_request_method="POST"),
        await ask(port, PLAYERS + "GetMe", origin=ORIGIN),
        await ask(port, "/nowhere", origin=ORIGIN),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_all_origins_can_be_allowed(stage: Any) -> None:
    """An open API can be called from any page."""
    answer = await ask((await stage.front(cors_origins="*")).http_port, PLAYERS + "GetMe", origin=ORIGIN)

    assert answer.headers["access-control-allow-origin"] == "*"


# --- compression


async def test_a_compressed_request_is_read(stage: Any) -> None:
    """A client may compress what it sends; replies are not compressed, even if it asks."""
    port = (await stage.front()).http_port

    answer = await ask(
        port,
        TABLES + "GetTable",
        gzip.compress(b'{"tableId":"t1"}'),
        authorization=await sign_in(port),
        content_encoding="gzip",
        accept_encoding="gzip, br",
    )

    assert answer.json == {"view": {"table": {"id": "t1"}}}
    assert answer.headers.get("content-encoding", "identity") == "identity"


async def test_a_bomb_does_not_go_off(stage: Any) -> None:
    """A small body that would unpack to much is refused as too large."""
    port = (await stage.front()).http_port

    answer = await ask(
        port,
        TABLES + "GetTable",
        gzip.compress(bytes(50 << 20)),
        authorization=await sign_in(port),
        content_encoding="gzip",
    )

    assert (answer.status, answer.json["code"]) == (429, "resource_exhausted")
    assert answer.json["details"][0]["debug"]["reason"] == "TOO_LARGE"


@pytest.mark.parametrize("encoding", ["gzip", "br", "nonsense"])
async def test_a_wrong_encoding_is_refused(stage: Any, encoding: str) -> None:
    """A body that is not encoded as it says is refused, not guessed at."""
    port = (await stage.front()).http_port

    answer = await ask(port, TABLES + "GetTable", b"{}", authorization=await sign_in(port), content_encoding=encoding)

    assert answer.json["code"] == ("invalid_argument" if encoding == "gzip" else "unimplemented")


# --- bounds


async def test_an_endless_head_is_cut_off(stage: Any) -> None:
    """A client that sends headers without end is answered 400 and sent away."""
    port = (await stage.front()).http_port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nx-long: " + b"a" * 33_000)

    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()

    assert answer.startswith(b"HTTP/1.1 400")


async def test_a_long_head_within_bounds_is_read(stage: Any) -> None:
    """Ordinary long headers, and a body in the same packet, are no attack."""
    port = (await stage.front()).http_port

    answer = await ask(port, PLAYERS + "GetMe", bytes(60_000), authorization="Bearer " + "x" * 3000, x_more="y" * 8000)

    assert answer.status == 401


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /x HT",
        b"POST /junto.v1.PlayerService/GetMe HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ],
)
async def test_a_client_that_dawdles_is_cut_off(stage: Any, sent: bytes) -> None:
    """A connection on which no request gets finished is closed after a while."""
    front = await stage.front(read_timeout_seconds=0.01)
    reader, writer = await asyncio.open_connection("127.0.0.1", front.http_port)
    with closing(writer):
        writer.write(sent)
        closed = asyncio.ensure_future(reader.read())
        async with asyncio.timeout(10):
            while not closed.done():
                front.sweep()
                await asyncio.wait([closed], timeout=0.01)

        assert isinstance(closed.exception(), ConnectionResetError) or closed.result() == b""


async def test_garbage_is_answered_and_closed(stage: Any) -> None:
    """What is no HTTP at all, gRPC to the wrong port for instance, is answered 400."""
    reader, writer = await asyncio.open_connection("127.0.0.1", (await stage.front()).http_port)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    async with asyncio.timeout(10):
        answer = await reader.read()
    writer.close()

    assert answer.startswith(b"HTTP/1.1 400")


# --- health over HTTP


async def test_probes_are_answered(stage: Any, wait_until: Any) -> None:
    """A live process says so; a ready one, too; one whose store takes no writes gives the reason."""
    front = await stage.front()
    await wait_until(lambda: front.readiness.ready)

    alive, ready = (
        await ask(front.http_port, "/healthz", None, "GET"),
        await ask(front.http_port, "/readyz", None, "GET"),
    )
    stage.healthy = False
    await front.readiness.probe()
    not_ready, still_alive = (
        await ask(front.http_port, "/readyz", None, "GET"),
        await ask(front.http_port, "/healthz", None, "GET"),
    )

    assert (alive.status, alive.json) == (200, {"status": "alive"})
    assert (ready.status, ready.json) == (200, {"status": "ready"})
    assert (not_ready.status, not_ready.json["status"]) == (503, "not ready")
    assert "no store here" in not_ready.json["reason"]
    assert still_alive.status == 200


def test_base64_is_how_details_travel() -> None:
    """The details' bytes beside the readable ones are those of the google.rpc messages."""
    fault = Fault(1, "wrong")

    assert base64.b64encode(fault.details()[0].value) == b"Cg1JTlZBTElEX0ZJRUxEEghqdW50by52MQ=="


async def send_raw(port: int, head: bytes) -> Answer:
    """Send the head of a request whose body is `{}`, byte for byte, and read the answer to its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with closing(writer):
        writer.write(head + b"host: here\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}")
        async with asyncio.timeout(10):
            return parse(await reader.read())


@pytest.mark.parametrize("line", [b"authorization: Bearer \xe9", b"content-type: application/json\xff"])
async def test_what_is_not_ascii_is_a_bad_request(stage: Any, line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Headers of stray bytes are refused as such: no `unknown`, and no traceback at a stranger's asking."""
    port = (await stage.front()).http_port

    answer = await send_raw(port, b"POST /junto.v1.PlayerService/GetMe HTTP/1.1\r\n" + line + b"\r\n")

    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    assert "Traceback" not in caplog.text


def test_the_system_holds_little_for_a_client_that_does_not_read() -> None:
    """Each connection has a send buffer of some 100 kB, so that a client that went silent is noticed soon."""
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        listening.settimeout(10)
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 << 17


async def test_grpc_on_this_port_is_told_the_other_one(stage: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Plain gRPC over HTTP/1.1 is refused in words, and is no fault of the server's."""
    port = (await stage.front()).http_port

    for kind in ("application/grpc", "application/grpc+proto"):
        answer = await ask(port, TABLES + "GetTable", b"\0" * 5, content_type=kind)
        assert (answer.status, answer.json["code"]) == (415, "unimplemented")
    assert "Traceback" not in caplog.text
