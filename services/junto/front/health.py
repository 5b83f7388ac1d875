"""Health: whether this front should get calls, for probes, load balancers and clients.

A front is ready while the store takes a write: after a failover a store can look alive and refuse every
commit. It stops being ready when it drains.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Final

import grpc
import structlog
from grpc_health.v1 import health_pb2

from junto.front.call import Call
from junto.front.faults import Fault, draining
from junto.v1 import errors_pb2

Status = health_pb2.HealthCheckResponse
_DRAINING: Final = "draining"
_NOT_PROBED: Final = "not probed yet"
_LONGEST: Final = 200


class Readiness:
    """Follows a write probe.

    Args:
        probe: writes to the store and returns, or raises.
        interval_s: how long between two probes.
        timeout_s: when a probe that has not returned counts as failed.
    """

    def __init__(
        self, probe: Callable[[], Awaitable[None]], *, interval_s: float = 2.0, timeout_s: float = 2.0
    ) -> None:
        self._probe = probe
        self._interval_s = interval_s
        self._timeout_s = timeout_s
        self._log = structlog.get_logger()
        self._changed = asyncio.Event()
        self.reason: str | None = _NOT_PROBED

    @property
    def ready(self) -> bool:
        """Whether calls are welcome."""
        return self.reason is None

    async def follow(self) -> None:
        """Probe for ever."""
        while True:
            await self.probe()
            await asyncio.sleep(self._interval_s)

    async def probe(self) -> None:
        """Probe once."""
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._probe()
        except TimeoutError:
            self._set(f"the store did not take a write within {self._timeout_s:g} s")
        except Exception as error:  # noqa: BLE001  # whatever is wrong with the store, it is not ready
            self._set(f"the store takes no writes: {type(error).__name__}: {error}"[:_LONGEST])
        else:
            self._set(None)

    def drain(self) -> None:
        """Be ready no more."""
        self._set(_DRAINING)

    @property
    def changed(self) -> asyncio.Event:
        """An event that is set at the next change from now."""
        return self._changed

    def _set(self, reason: str | None) -> None:
        if self.reason in (reason, _DRAINING):
            return
        was_ready, self.reason = self.ready, reason
        if was_ready != self.ready:
            self._log.info("ready" if self.ready else "not ready", reason=reason or "")
            self._changed.set()
            self._changed = asyncio.Event()

    @property
    def is_draining(self) -> bool:
        """Whether the front is going down."""
        return self.reason == _DRAINING


class HealthService:
    """Answers `grpc.health.v1.Health`; every service is as ready as the front.

    Args:
        readiness: what to tell.
        services: the full names that can be asked for; the empty name stands for all.
    """

    def __init__(self, readiness: Readiness, services: Iterable[str]) -> None:
        self._readiness = readiness
        self._services = frozenset(("", *services))

    async def check(self, request: health_pb2.HealthCheckRequest, _: Call) -> health_pb2.HealthCheckResponse:
        """Tell how a service is."""
        if request.service not in self._services:
            raise Fault(
                errors_pb2.ERROR_REASON_UNSPECIFIED,
                f"there is no service {request.service[:_LONGEST]!r}",
                code=grpc.StatusCode.NOT_FOUND,
            )
        return Status(status=self._status())

    async def list(self, _: health_pb2.HealthListRequest, __: Call) -> health_pb2.HealthListResponse:
        """Tell how all services are."""
        return health_pb2.HealthListResponse(statuses={name: Status(status=self._status()) for name in self._services})

    async def watch(
        self, request: health_pb2.HealthCheckRequest, _: Call
    ) -> AsyncGenerator[health_pb2.HealthCheckResponse, None]:
        """Tell how a service is, and every change of it."""
        while True:
            changed = self._readiness.changed
            known = request.service in self._services
            yield Status(status=self._status() if known else Status.SERVICE_UNKNOWN)
            if self._readiness.is_draining:
                raise draining()
            await changed.wait()

    def _status(self) -> health_pb2.HealthCheckResponse.ServingStatus:
        return Status.SERVING if self._readiness.ready else Status.NOT_SERVING
