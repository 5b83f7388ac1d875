"""One front process: both ports, the services, health, metrics, and an orderly end.

    front = Front(settings, [Service(TABLES, table_service)], probe=store.probe)
    front.on_drain(hub.drain)
    async with front:
        await asked_to_end.wait()
        await front.drain()

It knows no Redis: what reaches the store is passed in.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

import grpc.aio
import structlog
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry, start_http_server

from junto.front import connect_front, grpc_front
from junto.front.addresses import Proxies
from junto.front.gate import Gate, Limits
from junto.front.health import HealthService, Readiness
from junto.front.http import HttpApplication, HttpServer, Origins, listen
from junto.front.keys import Keyring, load_key, own_key
from junto.front.limits import Buckets, Slots
from junto.front.methods import Method, Service, all_methods
from junto.front.metrics import FrontMetrics
from junto.front.players import PlayerService
from junto.front.tokens import OutsideIssuer, SpentInMemory, SpentTokens, TokenIssuer, Verifier
from junto.table.settings import Settings
from junto.v1 import players_pb2

PLAYERS: Final = players_pb2.DESCRIPTOR.services_by_name["PlayerService"]
HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"]
_SWEEP_S: Final = 2.0
_LAST_WORDS_S: Final = 1.0


class FrontError(Exception):
    """The front cannot start: an address is taken, a certificate cannot be read."""


class Front:
    """See the module. It starts once.

    Args:
        settings: see there.
        services: what it serves besides players and health.
        probe: writes to the store and returns, or raises; the front is ready while it returns.
        spent: remembers refresh tokens that were used; shared by all fronts in production.
        registry: where the metrics go; by default one of the front's own.
        clock: seconds since 1970, for the tokens.
    """

    def __init__(
        self,
        settings: Settings,
        services: Sequence[Service],
        *,
        probe: Callable[[], Awaitable[None]],
        spent: SpentTokens | None = None,
        registry: CollectorRegistry | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        settings.check_exposure()
        self._settings = settings
        self._log = structlog.get_logger()
        self.metrics = FrontMetrics(registry or CollectorRegistry())
        self.readiness = Readiness(probe)
        self.metrics.ready.set_function(lambda: float(self.readiness.ready))
        self.issuer = token_issuer(settings, clock, spent or SpentInMemory())
        self.gate = Gate(
            Verifier(self.issuer, outside_issuer(settings, clock), clock),
            _limits(settings),
            self.metrics,
            log_sample=settings.log_sample,
        )
        self._services = [*services, self._players(), Service(HEALTH, self._health(services))]
        self._hooks: list[Callable[[], Awaitable[None] | None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._grpc: grpc.aio.Server | None = None
        self._http: HttpServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._scraped: Any = None
        self.grpc_port = 0
        self.http_port = 0
        self.metrics_port = 0

    def on_drain(self, hook: Callable[[], Awaitable[None] | None]) -> None:
        """Call a function, which may be async, when draining begins: it ends the streams that it feeds."""
        self._hooks.append(hook)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Take calls on both ports.

        Raises:
            FrontError: an address cannot be had, or a certificate not be read.
        """
        methods = all_methods(self._services)
        self.gate.prepare(methods)
        proxies = Proxies(self._settings.trusted_proxies)
        try:
            await self._start_grpc(methods, proxies)
            await self._start_http(methods, proxies)
            self._start_metrics()
        except BaseException:
            await self.stop()
            raise
        self._tasks = [asyncio.create_task(self.readiness.follow()), asyncio.create_task(self._sweep_for_ever())]
        self._log.info(
            "serving",
            host=self._settings.host,
            grpc=self.grpc_port,
            http=self.http_port,
            metrics=self.metrics_port,
            tls=self._settings.tls,
        )

    async def drain(self, grace_s: float | None = None) -> None:
        """Take no new calls, tell the streams, and let the calls in work end for so many seconds."""
        grace_s = self._settings.drain_seconds if grace_s is None else grace_s
        self._log.info("draining", grace_s=grace_s)
        self.readiness.drain()
        self.gate.draining = True
        refusing = self._refuse(grace_s + _LAST_WORDS_S)
        for hook in self._hooks:
            if (told := hook()) is not None:
                await told
        if not await self._idle_within(grace_s):
            self.gate.expel()
            await self._idle_within(_LAST_WORDS_S)
        if refusing is not None:
            await self._grpc_stop(_LAST_WORDS_S / 4)
            await refusing
        self._log.info("drained")

    async def stop(self) -> None:
        """End at once whatever is still going on. Harmless to repeat."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await self._grpc_stop(None)
        if self._http is not None and self._serving is not None:
            self._http.leave(None)
            await self._serving
            self._serving = None
        if self._scraped is not None:
            server, self._scraped = self._scraped, None
            await asyncio.to_thread(server.shutdown)
            server.server_close()

    # --- parts

    def _players(self) -> Service:
        sign_ins = Buckets(self._settings.sign_in_rate, self._settings.sign_in_burst, time.monotonic)
        return Service(PLAYERS, PlayerService(self.issuer, sign_ins, guests=self._settings.guests))

    def _health(self, services: Sequence[Service]) -> HealthService:
        return HealthService(self.readiness, [service.name for service in services] + [str(PLAYERS.full_name)])

    async def _start_grpc(self, methods: Sequence[Method], proxies: Proxies) -> None:
        settings = self._settings
        self._grpc = grpc.aio.server(options=grpc_front.options(settings.max_request_bytes))
        self._grpc.add_generic_rpc_handlers([grpc_front.handler(methods, self.gate, proxies)])
        if settings.reflection:
            names = [*(service.name for service in self._services), reflection.SERVICE_NAME]
            reflection.enable_server_reflection(names, self._grpc)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"{host}:{settings.grpc_port}"
        try:
            if settings.tls_cert_file is not None and settings.tls_key_file is not None:
                identity = grpc_front.credentials(settings.tls_cert_file, settings.tls_key_file)
                self.grpc_port = self._grpc.add_secure_port(address, identity)
            else:
                self.grpc_port = self._grpc.add_insecure_port(address)
        except OSError as error:
            raise FrontError(f"cannot read the certificate or its key: {error}") from error
        except RuntimeError as error:
            raise FrontError(f"cannot listen on {address} for gRPC: is it taken, or the certificate wrong?") from error
        await self._grpc.start()

    async def _start_http(self, methods: Sequence[Method], proxies: Proxies) -> None:
        settings = self._settings
        connect = connect_front.application(methods, self.gate, proxies, settings.max_request_bytes)
        application = HttpApplication(
            connect,
            [method.path for method in methods],
            Origins(settings.cors_origins),
            lambda: self.readiness.reason,
        )
        tls = None
        if settings.tls_cert_file is not None and settings.tls_key_file is not None:
            tls = settings.tls_cert_file, settings.tls_key_file
        try:
            self._http = HttpServer(
                application,
                tls=tls,
                max_connections=settings.max_connections,
                read_timeout_s=settings.read_timeout_seconds,
            )
        except OSError as error:
            raise FrontError(f"cannot use the certificate or its key: {error}") from error
        try:
            listening = listen(settings.host, settings.http_port)
        except OSError as error:
            raise FrontError(
                f"cannot listen on {settings.host}:{settings.http_port} for HTTP: {error.strerror}"
            ) from error
        self.http_port = listening.getsockname()[1]
        self._serving = asyncio.create_task(self._http.serve([listening]))
        await self._http.listening.wait()

    def _start_metrics(self) -> None:
        if not self._settings.metrics:
            return
        host, port = self._settings.metrics_host, self._settings.metrics_port
        try:
            self._scraped, _ = start_http_server(port, host, self.metrics.registry)
        except OSError as error:
            raise FrontError(f"cannot listen on {host}:{port} for metrics: {error.strerror}") from error
        self.metrics_port = self._scraped.server_port

    def sweep(self) -> None:
        """Cut off the clients that have neither read nor written for too long; done every two seconds."""
        self.gate.cut_stalled()
        if self._http is not None:
            self._http.cut_slow(asyncio.get_running_loop().time())

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_S)
            self.sweep()

    def _refuse(self, grace_s: float) -> asyncio.Task[None] | None:
        """Stop listening; what is in work may go on."""
        if self._http is not None:
            self._http.leave(grace_s)
        return asyncio.create_task(self._grpc_stop(grace_s)) if self._grpc is not None else None

    async def _grpc_stop(self, grace_s: float | None) -> None:
        if self._grpc is not None:
            await self._grpc.stop(grace_s)

    async def _idle_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.gate.wait_idle()
                return True
        return False


def keyring(settings: Settings) -> Keyring:
    """Return the keys that tokens are signed with.

    Raises:
        KeyFileError: a key cannot be read, or made.
    """
    signing = load_key(settings.token_key_file) if settings.token_key_file is not None else own_key(settings.data_dir)
    return Keyring.of(signing, [load_key(path) for path in settings.token_old_key_files])


def token_issuer(settings: Settings, clock: Callable[[], float], spent: SpentTokens) -> TokenIssuer:
    """Return what signs Junto's own tokens."""
    return TokenIssuer(
        keyring(settings),
        clock,
        access_s=settings.access_token_seconds,
        refresh_s=settings.refresh_token_seconds,
        grace_s=settings.refresh_grace_seconds,
        spent=spent,
    )


def outside_issuer(settings: Settings, clock: Callable[[], float]) -> OutsideIssuer | None:
    """Return what reads the tokens of the operator's own issuer, if there is one."""
    if settings.jwks_url is None or settings.jwks_issuer is None:
        return None
    return OutsideIssuer(settings.jwks_url, settings.jwks_issuer, settings.jwks_audience, clock)


def _limits(settings: Settings) -> Limits:
    clock = time.monotonic
    return Limits(
        players=Buckets(settings.rate_per_player, settings.burst_per_player, clock),
        addresses=Buckets(settings.rate_per_address, settings.burst_per_address, clock),
        calls=Slots(settings.max_calls_per_player, settings.max_calls, "calls in work"),
        streams=Slots(settings.max_streams_per_player, settings.max_streams, "streams"),
        max_request_bytes=settings.max_request_bytes,
        call_timeout_s=settings.call_timeout_seconds,
        write_timeout_s=settings.write_timeout_seconds,
    )
