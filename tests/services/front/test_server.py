"""A front's life: where it listens, how it is found healthy, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import io
import ipaddress
import json
import logging
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, Literal

import grpc
import pytest
import structlog
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from junto.client import NO_RETRIES, CallError, Client
from junto.front.server import HEALTH, FrontError
from junto.table.logs import QUIET, configure_logs
from junto.table.settings import ExposureError, Settings
from junto.v1 import errors_pb2, players_pb2, tables_pb2

GET = tables_pb2.GetTableRequest(table_id="t1")
SLOW = tables_pb2.GetTableRequest(table_id="slow")
HANG = tables_pb2.WatchTableRequest(table_id="hang")
FLOOD = tables_pb2.WatchTableRequest(table_id="flood")
TRANSPORTS = ("grpc", "connect", "grpc-web")
Status = health_pb2.HealthCheckResponse


async def refusal(call: Any) -> CallError:
    """Return how a call was refused."""
    with pytest.raises(CallError) as caught:
        await call
    return caught.value


# --- the end


async def test_draining_lets_calls_end(stage: Any, transport: str, wait_until: Any) -> None:
    """While a front drains, what is in work is answered, the streams' feeder is told, and no new call is taken."""
    front = await stage.front()
    front.on_drain(lambda: told.append("feeder"))
    told: list[str] = []
    client = await stage.client(front, transport, retries=NO_RETRIES)
    slow = asyncio.create_task(client.tables.get_table(SLOW))
    await wait_until(lambda: stage.toy.opened == 1)

    draining = asyncio.create_task(front.drain(grace_s=30))
    await wait_until(lambda: told == ["feeder"])
    late = await refusal(client.tables.get_table(GET))
    assert not draining.done()
    stage.toy.go.set()

    assert (await slow).view.table.id == "slow"
    await draining
    assert late.code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}  # the second: it crossed a GOAWAY
    assert front.readiness.reason == "draining"


async def test_an_async_feeder_is_waited_for(stage: Any) -> None:
    """The function that tells the streams may be async."""
    front = await stage.front()
    told: list[str] = []

    async def tell() -> None:
        await asyncio.sleep(0)
        told.append("feeder")

    front.on_drain(tell)
    await front.drain(grace_s=1)

    assert told == ["feeder"]


async def test_streams_that_stay_are_ended_with_a_reason(stage: Any, transport: str) -> None:
    """A stream that nobody ended within the grace ends with DRAINING, so that its client goes elsewhere."""
    front = await stage.front()
    client = await stage.client(front, transport)

    async with aclosing(client.tables.watch_table(HANG)) as replies:
        for _ in range(3):
            await anext(replies)
        draining = asyncio.create_task(front.drain(grace_s=0.05))
        error = await refusal(anext(replies))
        await draining

    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, errors_pb2.ERROR_REASON_DRAINING)
    assert stage.toy.closed == 1


async def test_a_stopped_front_leaves_nothing_behind(stage: Any, transport: str) -> None:
    """Stopping at once frees the servicers and the ports, and can be repeated."""
    front = await stage.front()
    client = await stage.client(front, transport, retries=NO_RETRIES)
    replies = client.tables.watch_table(HANG)
    await anext(replies)
    ports = {"grpc_port": front.grpc_port, "http_port": front.http_port}

    await front.stop()
    await front.stop()

    assert stage.toy.closed == stage.toy.opened
    await refusal(drained(replies))
    again = await stage.front(**ports)
    assert (again.grpc_port, again.http_port) == (front.grpc_port, front.http_port)


PROGRAM = """
import asyncio, sys
from junto.cli.roles import run_role, until_asked_to_end
from junto.client import Tables
from junto.front.methods import Service
from junto.front.server import Front
from junto.table.settings import Settings
from junto.v1 import tables_pb2

class Slow:
    def __init__(self): self.go = asyncio.Event()
    async def get_table(self, request, call):
        print("asked", flush=True)
        await self.go.wait()
        return tables_pb2.GetTableResponse()

async def probe(): pass

async def main():
    slow = Slow()
    settings = Settings(grpc_port=0, http_port=0, metrics=False, data_dir=sys.argv[1], log_level="error")
    front = Front(settings, [Service(Tables.DESCRIPTOR, slow)], probe=probe)
    front.on_drain(lambda: asyncio.get_running_loop().call_later(0.1, slow.go.set) and None)
    async with front:
        print("ports", front.grpc_port, front.http_port, front.http_port, flush=True)
        await until_asked_to_end()
        await front.drain()

run_role(main())
"""


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Provide a front in a process. Not started by asyncio: uvloop forks, and that breaks this process's gRPC."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as found:
        yield found
        found.kill()


async def test_sigterm_ends_a_front_in_order(process: subprocess.Popen[str]) -> None:
    """On SIGTERM a front answers on both ports what it has begun, and exits with 0."""

    async def heard(what: str) -> str:
        while what not in (line := await asyncio.to_thread(process.stdout.readline)):  # type: ignore[union-attr]
            assert process.poll() is None
        return str(line)

    ports = dict(zip(TRANSPORTS, (await heard("ports")).split()[1:], strict=True))
    async with contextlib.AsyncExitStack() as stack:
        calls = []
        for transport, port in ports.items():
            client = await stack.enter_async_context(Client(f"127.0.0.1:{port}", transport))  # type: ignore[arg-type]
            await client.sign_in_as_guest("Ada")
            calls.append(asyncio.create_task(client.tables.get_table(GET)))
            await heard("asked")
        process.send_signal(signal.SIGTERM)
        assert len(await asyncio.gather(*calls)) == 3
    _, errors = await asyncio.to_thread(process.communicate, timeout=20)

    assert process.returncode == 0, errors
    assert "Traceback" not in errors


async def test_a_client_that_reads_nothing_is_cut_off(stage: Any, transport: str, wait_until: Any) -> None:
    """A stream whose client stops reading does not hold its servicer for ever, and other clients notice nothing."""
    front = await stage.front(write_timeout_seconds=0.05)
    idle, other = await stage.client(front, transport), await stage.client(front, transport, name="Bea")

    replies = idle.tables.watch_table(FLOOD)
    await anext(replies)
    await other.tables.get_table(GET)

    def cut() -> bool:
        front.sweep()
        return bool(stage.toy.closed == 1)

    await wait_until(cut, within_s=20)
    await front.gate.wait_idle()
    assert (await other.tables.get_table(GET)).view.table.id == "t1"
    error = await refusal(drained(replies))
    if transport == "grpc":
        assert error.reason == errors_pb2.ERROR_REASON_TOO_SLOW


async def drained(replies: Any) -> None:
    """Read a stream to its end."""
    async for _ in replies:
        pass


# --- where it listens


@pytest.mark.parametrize("taken", ["grpc_port", "http_port"])
async def test_a_taken_port_is_named(stage: Any, taken: str) -> None:
    """A second front on a port is refused in words, and leaves nothing open."""
    first = await stage.front()

    with pytest.raises(FrontError, match=str(getattr(first, taken))):
        await stage.front(**{taken: getattr(first, taken)})


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"host": "0.0.0.0"}, "a key .* and TLS"),
        ({"host": "::"}, "a key .* and TLS"),
        ({"host": "192.0.2.1", "token_key_file": "k"}, "without TLS"),
        ({"host": "junto.example", "tls_cert_file": "c", "tls_key_file": "k"}, "without a key"),
        ({"tls_cert_file": "c"}, "both"),
        ({"jwks_url": "https://id.example"}, "JWKS_ISSUER"),
    ],
)
async def test_a_server_does_not_expose_itself(stage: Any, settings: dict[str, str], missing: str) -> None:
    """Beyond loopback a front listens only with a configured key and TLS."""
    with pytest.raises(ExposureError, match=missing):
        await stage.front(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"host": "127.0.0.1"},
        {"host": "localhost"},
        {"host": "::1"},
        {"host": "0.0.0.0", "insecure": True},
        {"host": "0.0.0.0", "token_key_file": "k", "tls_cert_file": "c", "tls_key_file": "k"},
        {
            "host": "::",
            "jwks_url": "https://id.example",
            "jwks_issuer": "id",
            "tls_cert_file": "c",
            "tls_key_file": "k",
        },
    ],
)
def test_a_protected_server_may_listen(settings: dict[str, Any]) -> None:
    """Loopback, full protection, or the operator's word for it are enough."""
    Settings(**settings).check_exposure()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, bytes]:
    """Provide the files of a certificate for 127.0.0.1 and its key, and who signed it, all PEM."""
    folder = tmp_path_factory.mktemp("tls")
    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = signed("authority", root.public_key(), root, x509.BasicConstraints(ca=True, path_length=None))
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(signed("server", leaf.public_key(), root, here))
    key_file.write_bytes(
        leaf.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert_file, key_file, authority


def signed(name: str, key: Any, by: Any, extension: x509.ExtensionType) -> bytes:
    """Return a certificate that is good for two days."""
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")]))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(extension, critical=False)
        .sign(by, hashes.SHA256())
    )
    return bytes(made.public_bytes(serialization.Encoding.PEM))


async def test_both_fronts_speak_tls(stage: Any, transport: str, certificate: tuple[Path, Path, bytes]) -> None:
    """With a certificate both ports speak TLS and nothing else, streams included."""
    cert, key, authority = certificate
    front = await stage.front(tls_cert_file=cert, tls_key_file=key)
    client = await stage.client(front, transport, root_certificates=authority)
    plain = await stage.client(front, transport, name=None, retries=NO_RETRIES)

    assert (await client.tables.get_table(GET)).view.table.id == "t1"
    assert (await anext(client.tables.watch_table(HANG))).heartbeat.version == 1
    assert (await refusal(plain.sign_in_as_guest("Bea"))).code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("wrong", ["missing", "garbage"])
async def test_a_bad_certificate_stops_the_start(stage: Any, tmp_path: Path, wrong: str) -> None:
    """A certificate that cannot be used is named at the start, not at the first call."""
    path = tmp_path / "cert.pem"
    if wrong == "garbage":
        path.write_text("no certificate")

    with pytest.raises(FrontError, match="certificate"):
        await stage.front(tls_cert_file=path, tls_key_file=path)


# --- health, reflection, metrics


async def test_health_follows_the_store(stage: Any, transport: str, wait_until: Any) -> None:
    """The health service tells whether the store takes writes, needs no token, and streams each change."""
    front = await stage.front()
    await wait_until(lambda: front.readiness.ready)
    health = (await stage.client(front, transport, name=None)).service(HEALTH)
    ask = health_pb2.HealthCheckRequest(service="junto.v1.TableService")

    async with aclosing(health.watch(ask)) as changes:
        assert (await anext(changes)).status == Status.SERVING
        assert (await health.check(health_pb2.HealthCheckRequest())).status == Status.SERVING
        stage.healthy = False
        await front.readiness.probe()
        assert (await anext(changes)).status == Status.NOT_SERVING
        assert (await health.check(ask)).status == Status.NOT_SERVING
        stage.healthy = True
        await front.readiness.probe()
        assert (await anext(changes)).status == Status.SERVING
        draining = asyncio.create_task(front.drain(grace_s=5))
        assert (await anext(changes)).status == Status.NOT_SERVING
        assert (await refusal(anext(changes))).reason == errors_pb2.ERROR_REASON_DRAINING
        await draining


async def test_health_knows_its_services(stage: Any, transport: str) -> None:
    """An unknown service is NOT_FOUND for a check and unknown for a watcher; the list names all."""
    health = (await stage.client(await stage.front(), transport, name=None)).service(HEALTH)
    ask = health_pb2.HealthCheckRequest(service="cheat")

    assert (await refusal(health.check(ask))).code is grpc.StatusCode.NOT_FOUND
    assert (await anext(health.watch(ask))).status == Status.SERVICE_UNKNOWN
    listed = await health.list(health_pb2.HealthListRequest())
    assert set(listed.statuses) == {"", "junto.v1.TableService", "junto.v1.PlayerService"}


async def test_a_probe_that_hangs_is_no_good(stage: Any) -> None:
    """A store that does not answer in time is as bad as one that refuses."""
    front = await stage.front()
    front.readiness._timeout_s = 0.01
    front.readiness._probe = asyncio.Event().wait

    await front.readiness.probe()

    assert "did not take a write" in front.readiness.reason


async def test_reflection_tells_the_services(stage: Any) -> None:
    """A tool that knows nothing finds the services, and the definitions with all that they import."""
    front = await stage.front()
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="junto.v1.TableService"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="buf/validate/validate.proto"),
    ]

    async with grpc.aio.insecure_channel(f"127.0.0.1:{front.grpc_port}") as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        services, tables, constraints = [reply async for reply in stub.ServerReflectionInfo(iter(asked))]

    names = {service.name for service in services.list_services_response.service}
    assert {"junto.v1.TableService", "junto.v1.PlayerService", "grpc.health.v1.Health"} <= names
    found = descriptor_pb2.FileDescriptorProto.FromString(tables.file_descriptor_response.file_descriptor_proto[0])
    assert "TableService" in {service.name for service in found.service}
    assert constraints.HasField("file_descriptor_response")


async def test_metrics_count_calls_and_name_nobody(stage: Any) -> None:
    """Prometheus finds calls by front, method and code, streams and readiness, and no player or table."""
    front = await stage.front(metrics=True, metrics_port=0)
    clients = [await stage.client(front, transport) for transport in ("grpc", "connect")]
    for client in clients:
        await client.tables.get_table(GET)
        await refusal(client.tables.get_table(tables_pb2.GetTableRequest(table_id="bug")))
        await anext(client.tables.watch_table(HANG))
    url = f"http://127.0.0.1:{front.metrics_port}/metrics"

    page = await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=5).read().decode())

    for name in ("grpc", "connect"):
        assert f'junto_calls_total{{code="OK",front="{name}",method="TableService/GetTable"}} 1.0' in page
        assert f'junto_calls_total{{code="INTERNAL",front="{name}",method="TableService/GetTable"}} 1.0' in page
        assert f'junto_call_seconds_count{{front="{name}",method="TableService/GetTable"}} 2.0' in page
    assert "junto_incidents_total 2.0" in page
    assert "junto_ready 1.0" in page
    assert not [client.player.id for client in clients if client.player.id in page]
    assert "t1" not in page


@pytest.fixture
def own_logging() -> Iterator[None]:
    """Let a test configure the logs, and undo it."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers, root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    yield
    structlog.configure(**before)
    root.handlers = handlers
    root.setLevel(level)
    for name, was in levels.items():
        logging.getLogger(name).setLevel(was)


def test_logs_are_json_and_name_the_role(own_logging: None) -> None:
    """Each event is one JSON object a line with time, level and role; the libraries' events, too."""
    stream = io.StringIO()
    configure_logs(Settings(log_format="json", log_level="info"), "front", stream)

    structlog.get_logger().debug("too small")
    structlog.get_logger().info("serving", port=1)
    logging.getLogger("uvicorn.error").info("chatter")
    logging.getLogger("some.library").warning("careful: %s", "hot")
    structlog.get_logger().error("incident", exc_info=ValueError("broken"))

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["serving", "careful: hot", "incident"]
    assert {line["role"] for line in lines} == {"front"}
    assert [line["level"] for line in lines] == ["info", "warning", "error"]
    assert all(line["timestamp"].endswith("Z") for line in lines)
    assert "ValueError: broken" in lines[2]["exception"]


def test_logs_for_people_are_no_json(own_logging: None) -> None:
    """A terminal's reader gets text."""
    stream = io.StringIO()
    configure_logs(Settings(log_format="console"), "front", stream)

    structlog.get_logger().info("serving", port=1)

    assert "serving" in stream.getvalue()
    assert "{" not in stream.getvalue()


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_in_the_logs_has_no_values(log_format: Literal["json", "console"], own_logging: None) -> None:
    """An exception is logged with its stack, and without the local variables there: they hold cards and tokens."""
    stream = io.StringIO()
    configure_logs(Settings(log_format=log_format), "front", stream)

    def stumble() -> None:
        hand = "the ace of " + "spades"
        raise ValueError(len(hand))

    try:
        stumble()
    except ValueError:
        structlog.get_logger().exception("incident")

    assert "stumble" in stream.getvalue()
    assert "the ace of spades" not in stream.getvalue()


async def test_an_access_log_tells_no_secret(stage: Any) -> None:
    """A logged call has its method, code, player, address and time, and neither token nor request."""
    with structlog.testing.capture_logs() as logs:
        client = await stage.client(await stage.front(log_sample=1), "grpc")
        await client.tables.get_table(GET)
        me = await client.players.get_me(players_pb2.GetMeRequest())

    calls = {entry["method"]: entry for entry in logs if entry["event"] == "call"}
    assert set(calls) == {"PlayerService/SignInAsGuest", "TableService/GetTable", "PlayerService/GetMe"}
    seen = calls["TableService/GetTable"]
    assert (seen["code"], seen["player"], seen["address"]) == ("OK", me.player.id, "127.0.0.1")
    assert client.tokens.access_token not in str(logs)
    assert client.tokens.refresh_token not in str(logs)
