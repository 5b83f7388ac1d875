"""The connection: its refusals in words, and that no caller ever gets another's answer."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis import Redis

from junto.table.connection import Patience, open_connection
from junto.table.keys import Keyspace
from junto.table.redis_server import EmbeddedRedis
from junto.table.seats import TableId
from junto.table.store import Committed, Duplicate, Stale, Store, open_store
from junto.table.store_errors import ShardsDiffer, StoreError, StoreUnavailable, StoreUnwritable

Commits = Any
QUICK = Patience(retry_s=0.2, first_pause_s=0.005, longest_pause_s=0.05)


async def opened(url: str) -> Store:
    """Open a store as a service does when it starts."""
    async with AsyncExitStack() as stack:
        connection = await stack.enter_async_context(await open_connection(url, patience=QUICK))
        store = await open_store(connection, Keyspace())
        stack.pop_all()
        return store


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://127.0.0.1:1", "cannot connect to Redis at redis://127.0.0.1:1: .*Connect call failed"),
        ("unix:///nowhere/redis.sock", "cannot connect to Redis at unix:///nowhere/redis.sock: .*No such file"),
        ("redis://u:secret@127.0.0.1:1", r"at redis://\*\*\*@127.0.0.1:1"),
        ("redis+cluster://127.0.0.1:1,127.0.0.1:2", "no node of the Redis Cluster .* answers"),
        ("redis+sentinel://127.0.0.1:1/main", "No master found for 'main'"),
    ],
)
async def test_an_unreachable_redis_is_named(url: str, words: str) -> None:
    """A service that cannot reach its Redis says which one and why."""
    with pytest.raises(StoreUnavailable, match=words):
        await opened(url)


async def test_a_read_only_redis_is_refused(own_server: EmbeddedRedis) -> None:
    """A replica answers and takes no writes: the service says so and what to do."""
    with closing(Redis.from_url(own_server.url)) as client:
        client.replicaof("127.0.0.1", "1")

    with pytest.raises(StoreUnwritable, match="is a read-only replica; give the URL of its primary"):
        await opened(own_server.url)


async def test_a_full_redis_is_refused(own_server: EmbeddedRedis) -> None:
    """A Redis at its memory limit takes no writes, and that is what is said."""
    with closing(Redis.from_url(own_server.url)) as client:
        client.config_set("maxmemory", "1")

    with pytest.raises(StoreUnwritable, match="is out of memory"):
        await opened(own_server.url)


async def test_a_user_without_rights_is_refused(own_server: EmbeddedRedis) -> None:
    """A user who may not write is told apart from a server that cannot be reached."""
    with closing(Redis.from_url(own_server.url)) as client:
        client.execute_command(
            *("ACL", "SETUSER", "reader", "on", ">pw", "~*", "&*", "+@read", "+@connection", "+@scripting")
        )

    with pytest.raises(StoreUnwritable, match="forbids this user"):
        await opened(own_server.url.replace("unix://", "unix://reader:pw@"))


async def test_a_wrong_password_is_refused(own_server: EmbeddedRedis) -> None:
    """A login that Redis does not take is what the message says."""
    with pytest.raises(StoreUnavailable, match="invalid username-password pair"):
        await opened(own_server.url.replace("unix://", "unix://ann:wrong@"))


async def test_a_single_server_is_no_cluster(own_server: EmbeddedRedis) -> None:
    """A URL that promises a Cluster where there is none is refused."""
    async with relay(own_server, None) as port:
        with pytest.raises(StoreUnavailable, match="cluster support disabled"):
            await opened(f"redis+cluster://127.0.0.1:{port}")


async def test_another_number_of_shards_is_refused(redis_url: str) -> None:
    """Processes with different numbers of shards would not find each other's tables."""
    await (await opened(redis_url)).connection.aclose()

    async with await open_connection(redis_url) as connection:
        with pytest.raises(ShardsDiffer, match="holds tables in 256 shards, and 8 are configured"):
            await open_store(connection, Keyspace(8))


async def test_an_error_of_redis_is_an_error_of_the_store(redis_url: str, commit: Commits) -> None:
    """A key of a strange type is reported, and the connection goes on."""
    store = await opened(redis_url)
    keys = store.keyspace.table(commit.table_id)
    await store.connection.write(0, "SET", keys.table, "strange")

    with pytest.raises(StoreError, match="refuses what Junto asked: WRONGTYPE"):
        await store.load(commit.table_id)
    assert await store.load(TableId("another")) is None
    await store.connection.aclose()


async def test_cancelled_calls_never_shift_answers(store: Store, commit: Commits) -> None:
    """While callers are cancelled at every moment, each other caller gets its own answer and no other's."""
    ids = [TableId(f"{commit.table_id}-{n}") for n in range(20)]
    for table_id in ids:
        await store.commit(commit(0, table_id=table_id, snapshot=table_id.encode()))
    moments = random.Random(3)

    async def ask(table_id: TableId) -> None:
        loaded = await store.load(table_id)
        assert loaded
        assert loaded.snapshot == table_id.encode()

    for _ in range(40):
        tasks = [asyncio.create_task(ask(moments.choice(ids))) for _ in range(30)]
        for task in moments.sample(tasks, 15):
            for _ in range(moments.randrange(3)):
                await asyncio.sleep(0)
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            assert outcome is None or isinstance(outcome, asyncio.CancelledError)


async def test_a_cancelled_commit_is_carried_out_once(store: Store, commit: Commits) -> None:
    """A caller that is cancelled after it sent its commit finds it stored when it repeats it."""
    await store.commit(commit(0))
    second = commit(1, request=commit.request("r1"))
    task = asyncio.create_task(store.commit(second))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert await store.commit(second) == Duplicate(2, b"result")


async def test_a_lost_answer_is_not_asked_for_again(own_server: EmbeddedRedis, commit: Commits) -> None:
    """A commit whose answer is lost is reported as unknown; repeated with its request id it happens once."""
    mine = commit(0, request=commit.request("r1"))
    async with await open_connection(own_server.url, patience=Patience(silence_s=0.5)) as connection:
        store = await open_store(connection, Keyspace())
        os.kill(own_server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable, match="broke before it answered: Redis has not answered for"):
                await store.commit(mine)
        finally:
            os.kill(own_server.pid, signal.SIGCONT)

        assert await store.commit(mine) in {Committed(1), Duplicate(1, b"result")}
        assert len(await store.read_log(commit.table_id, 0)) == 1


async def test_reads_survive_a_restart(own_server: EmbeddedRedis, own_store: Store, commit: Commits) -> None:
    """A read whose connection broke is made again; a Redis that is back is found without being told."""
    await own_store.commit(commit(0))
    own_server.stop()
    own_server.start()

    loaded, *_ = await asyncio.gather(*(own_store.load(commit.table_id) for _ in range(5)))

    assert loaded
    assert await own_store.commit(commit(1)) == Committed(2)


async def test_a_redis_that_is_away_is_given_up_in_time(own_server: EmbeddedRedis, commit: Commits) -> None:
    """Callers of a stopped Redis are told so after a while, all of them together, not one after another."""
    store = await opened(own_server.url)
    own_server.stop()
    began = asyncio.get_running_loop().time()

    outcomes = await asyncio.gather(
        *(store.load(commit.table_id) for _ in range(50)),
        *(store.commit(commit(0)) for _ in range(50)),
        return_exceptions=True,
    )

    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    assert asyncio.get_running_loop().time() - began < 5
    await store.connection.aclose()


async def test_nothing_acknowledged_is_lost_when_redis_is_killed(
    own_server: EmbeddedRedis, own_store: Store, commit: Commits
) -> None:
    """With fsync on every commit, SIGKILL at any moment keeps every acknowledged commit, whole."""
    for round_number in range(4):
        acknowledged: dict[TableId, int] = {}

        async def play(table_id: TableId, acknowledged: dict[TableId, int] = acknowledged) -> None:
            version = 0
            while True:
                outcome = await own_store.commit(commit(version, table_id=table_id))
                assert outcome == Committed(version + 1)
                acknowledged[table_id] = version = version + 1

        players = [asyncio.create_task(play(TableId(f"{commit.table_id}-{round_number}-{n}"))) for n in range(8)]
        while sum(acknowledged.values()) < 100 + 50 * round_number and not any(one.done() for one in players):
            await asyncio.sleep(0)
        os.kill(own_server.pid, signal.SIGKILL)
        outcomes = await asyncio.gather(*players, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
        own_server.start()

        for table_id, version in acknowledged.items():
            stored = await own_store.load(table_id)
            assert stored
            assert version <= stored.version <= version + 1
            entries = await own_store.read_log(table_id, 0)
            assert [entry.version for entry in entries] == list(range(1, stored.version + 1))
            assert await own_store.commit(commit(0, table_id=table_id)) == Stale(stored.version)


async def test_what_is_asked_together_goes_out_together(own_server: EmbeddedRedis, own_store: Store) -> None:
    """Two hundred loads at once reach Redis in a few reads, not in two hundred."""
    ids = [TableId(f"t{n}") for n in range(200)]
    await own_store.load_many(ids)

    with closing(Redis.from_url(own_server.url)) as client:
        before = client.info("stats")["total_reads_processed"]
        await asyncio.gather(*(own_store.load(one) for one in ids))
        assert client.info("stats")["total_reads_processed"] - before < 20


async def test_too_many_waiting_calls_are_refused(own_server: EmbeddedRedis) -> None:
    """A Redis that stalls does not make the process grow without end."""
    connection = await open_connection(own_server.url, patience=QUICK, most_waiting=10)
    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        calls = [asyncio.create_task(connection.write(0, "GET", "x")) for _ in range(11)]
        done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        with pytest.raises(StoreUnavailable, match="is too slow: 10 answers of Redis are awaited"):
            done.pop().result()
    finally:
        os.kill(own_server.pid, signal.SIGCONT)
        await asyncio.gather(*calls, return_exceptions=True)
        await connection.aclose()


async def test_a_redis_behind_tls_is_verified(own_server: EmbeddedRedis, tmp_path: Path) -> None:
    """`rediss` trusts the authority that the URL names, and nobody else."""
    certificate, key = make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    async with relay(own_server, context) as port:
        store = await opened(f"rediss://localhost:{port}?ssl_ca_certs={certificate}")
        assert await store.probe()
        await store.connection.aclose()
        with pytest.raises(StoreUnavailable, match="certificate verify failed"):
            await opened(f"rediss://localhost:{port}")


@asynccontextmanager
async def relay(server: EmbeddedRedis, tls: ssl.SSLContext | None) -> AsyncIterator[int]:
    """Listen on a TCP port, over TLS if so told, for a Redis that has a Unix socket only."""
    path = server.url.removeprefix("unix://")

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                target.write(data)
        except OSError:
            pass
        finally:
            target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward_reader, onward_writer = await asyncio.open_unix_connection(path)
        await asyncio.gather(copy(reader, onward_writer), copy(onward_reader, writer))

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for localhost that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"
