"""`junto up`: everything on this machine, until it is stopped."""

from __future__ import annotations

import typer

from junto.cli.console import say
from junto.cli.flags import load_settings, with_settings
from junto.cli.machine import Machine
from junto.cli.running import INTERRUPTED, TERMINATED, run
from junto.cli.waits import waiting
from junto.table.masked import masked
from junto.table.settings import Settings


@with_settings
def up() -> None:
    """Serve from this machine until stopped: an embedded Redis, a local Ray, a front and a steward.

    What is given by URL (JUNTO_REDIS_URL, RAY_ADDRESS) is used and not started. What dies is started again. Tables are
    kept in the data folder and are there again the next time. Ctrl-C or SIGTERM stops everything in order.
    """
    settings = load_settings()
    try:
        run(_up(settings))
    except typer.Exit as end:
        if end.exit_code not in {INTERRUPTED, TERMINATED}:
            raise
        say("Stopped.")


async def _up(settings: Settings) -> None:
    async with Machine(settings, say) as machine:
        for line in described(machine):
            say(line)
        say("Bots come in a few seconds; tables can be opened meanwhile.")
        with waiting("starting Ray") as change:
            await machine.unless_it_fails(machine.bots(change))
        say("Bots play, and hints are given. Ctrl-C stops everything.")
        await machine.for_ever()


def described(machine: Machine) -> list[str]:
    """Return what a user has to know of a machine whose front answers."""
    settings = machine.settings
    tls = " (TLS)" if settings.tls else ""
    redis = masked(settings.redis_url) if settings.redis_url else f"embedded, in {machine.folder.redis}"
    lines = [
        f"Junto answers{tls}:",
        f"  gRPC     {machine.grpc}",
        f"  Connect  {'https' if settings.tls else 'http'}://{machine.http}  (browsers, curl)",
    ]
    if settings.metrics:
        lines.append(f"  metrics  http://{machine.metrics}/metrics")
    lines += [
        f"  Redis    {redis}" + (" (it ran already and was taken over)" if machine.redis_was_taken_over else ""),
        f"  Ray      {settings.ray_address or 'local, for this machine alone'}",
        f"  logs     {machine.folder.logs}",
        f"Play: junto play --server {machine.grpc}",
    ]
    return lines
