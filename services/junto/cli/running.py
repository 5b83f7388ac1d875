"""Run a command's coroutine: Ctrl-C and SIGTERM end it in order, failures come out in words."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import typer

from junto.cli.console import Failure
from junto.cli.supervisor import PartFailed
from junto.client import CallError

Result = TypeVar("Result")

INTERRUPTED: Final = 130
TERMINATED: Final = 143


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end and return its result.

    SIGINT and SIGTERM cancel it, so that what it started is stopped in order; the exit codes are the usual ones.

    Raises:
        Failure: something that runs for it failed, or a call to the server.
    """
    try:
        return asyncio.run(_cancellable(work))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except asyncio.CancelledError:
        raise typer.Exit(TERMINATED) from None
    except PartFailed as failure:
        raise Failure(str(failure)) from None
    except CallError as error:
        raise Failure(f"the server refused, or did not answer: {error}") from None


async def _cancellable(work: Coroutine[Any, Any, Result]) -> Result:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work
