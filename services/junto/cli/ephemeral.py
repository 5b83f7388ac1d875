"""A Junto that leaves nothing behind: a folder of its own, ports that are free, gone with its body."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from junto.cli.console import Failure, say
from junto.cli.flags import load_settings
from junto.cli.machine import Machine
from junto.cli.supervisor import PartFailed
from junto.cli.waits import waiting
from junto.cli.wishes import BAD_WISH
from junto.client import CallError

ALONE: Final[Mapping[str, str]] = {
    "JUNTO_HOST": "127.0.0.1",
    "JUNTO_GRPC_PORT": "0",
    "JUNTO_HTTP_PORT": "0",
    "JUNTO_METRICS": "false",
    "JUNTO_LOG_FORMAT": "json",
}
"""What it is told, whatever the environment says. Of that it uses a Ray that is given by address."""
NOT_FOR_IT: Final = ("JUNTO_REDIS_URL", "JUNTO_TLS_CERT_FILE", "JUNTO_TLS_KEY_FILE", "JUNTO_TOKEN_KEY_FILE")


@asynccontextmanager
async def ephemeral(told: Mapping[str, str] | None = None) -> AsyncIterator[Machine]:
    """Provide a machine that serves from a new folder, once its bots can play; `told` are settings of its own.

    The folder is removed, unless something broke: then its logs are kept, and it is said where.
    """
    root = Path(tempfile.mkdtemp(prefix="junto-"))
    for name in NOT_FOR_IT:
        os.environ.pop(name, None)
    os.environ.update({**ALONE, "JUNTO_DATA_DIR": str(root), **(told or {})})
    broken = False
    try:
        async with _started() as machine:
            yield machine
    except (PartFailed, CallError):
        broken = True
        raise
    except Failure as failure:
        broken = failure.code != BAD_WISH
        raise
    finally:
        if broken:
            say(f"The logs are kept in {root / 'logs'}")
        else:
            shutil.rmtree(root, ignore_errors=True)


@asynccontextmanager
async def _started() -> AsyncIterator[Machine]:
    began = time.monotonic()
    async with AsyncExitStack() as stack:
        with waiting("starting Redis and the table service") as change:
            machine = await stack.enter_async_context(Machine(load_settings(), say))
            await machine.unless_it_fails(machine.bots(change))
        say(f"Redis, Ray and the table service run (gRPC on {machine.grpc}), after {time.monotonic() - began:.0f} s.")
        yield machine
