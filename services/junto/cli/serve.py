"""`junto serve`: one front."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer

from junto.cli.console import Failure
from junto.cli.flags import BAD_SETTING, load_settings, with_settings
from junto.cli.readiness import say_ready
from junto.cli.roles import run_role, storing, until_asked_to_end
from junto.cli.strategies import installed
from junto.front.catalog import CatalogService
from junto.front.keys import KeyFileError
from junto.front.methods import Service
from junto.front.server import Front, FrontError
from junto.front.serving import serving
from junto.front.spent import SpentInRedis
from junto.front.tables import Offers
from junto.front.tournaments import organised, terms_of
from junto.games import jit
from junto.table.logs import configure_logs
from junto.table.settings import ExposureError, Settings
from junto.v1 import catalog_pb2, tables_pb2, tournaments_pb2

TABLES: Final = tables_pb2.DESCRIPTOR.services_by_name["TableService"]
TOURNAMENTS: Final = tournaments_pb2.DESCRIPTOR.services_by_name["TournamentService"]
CATALOG: Final = catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"]


@with_settings
def serve(
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Written once calls are taken.")] = None,
) -> None:
    """Run a front: the API over gRPC and over Connect, for the tables in the Redis that JUNTO_REDIS_URL names.

    Any number of fronts may serve the same tables. Bots play once a steward runs (`junto steward`). SIGTERM drains:
    no new calls, streams are told to go elsewhere, and the process ends.
    """
    settings = load_settings()
    configure_logs(settings, "front")
    try:
        run_role(_serve(settings, ready_file))
    except ExposureError as problem:
        raise Failure(str(problem), BAD_SETTING) from None
    except (FrontError, KeyFileError) as problem:
        raise Failure(str(problem)) from None


async def _serve(settings: Settings, ready_file: Path | None) -> None:
    settings.check_exposure()
    catalog = CatalogService(installed())
    async with storing(settings) as stored:
        # Before calls are taken: the first deal must not wait for a compiler.
        await asyncio.to_thread(jit.warmup, layer="games")
        store = stored.store

        async def probe() -> None:
            await store.probe()

        offers = Offers(catalog.plays, most_tables=settings.max_tables_per_player)
        now_ms = stored.clock.now_ms
        async with (
            serving(store, settings, now_ms, offers) as tables,
            organised(store, now_ms, terms_of(settings, catalog.plays)) as tournaments,
        ):
            services = [
                Service(TABLES, tables.service),
                Service(TOURNAMENTS, tournaments.service),
                Service(CATALOG, catalog),
            ]
            front = Front(settings, services, probe=probe, spent=SpentInRedis(store.connection))
            front.on_drain(tables.hub.drain)
            front.on_drain(tournaments.watch.drain)
            async with front:
                say_ready(ready_file)
                await until_asked_to_end()
                await front.drain()
