"""The methods of the API as both fronts see them, read from the services' descriptors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from junto.front.call import Call
from junto.front.faults import Unimplemented

PUBLIC: Final = frozenset(
    {
        "/junto.v1.CatalogService/ListGames",
        "/junto.v1.CatalogService/ListStrategies",
        "/junto.v1.CatalogService/ExplainAuction",
        "/junto.v1.PlayerService/SignInAsGuest",
        "/junto.v1.PlayerService/RefreshToken",
        "/grpc.health.v1.Health/Check",
        "/grpc.health.v1.Health/List",
        "/grpc.health.v1.Health/Watch",
    }
)
"""The methods that need no token."""

VITAL: Final = frozenset(path for path in PUBLIC if path.startswith("/grpc.health."))
"""The methods that answer also while the server drains, and that no rate limit holds back."""

_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Method:
    """One method, with the servicer's function that answers it.

    `path` is `/junto.v1.TableService/Act`, `label` is `TableService/Act`. `safe` methods change nothing;
    `streams` tells those that answer with a stream.
    """

    path: str
    label: str
    request: type[Message]
    reply: type[Message]
    streams: bool
    safe: bool
    public: bool
    vital: bool
    function: Callable[[Any, Call], Any]


@dataclass(frozen=True, slots=True)
class Service:
    """A service's descriptor and the servicer that answers it."""

    descriptor: ServiceDescriptor
    servicer: object

    @property
    def name(self) -> str:
        """The full name, for instance `junto.v1.TableService`."""
        return str(self.descriptor.full_name)

    def methods(self) -> Iterator[Method]:
        """Yield the methods. One that the servicer does not have is answered with UNIMPLEMENTED.

        Raises:
            TypeError: a method takes a stream of requests, which no method of Junto does.
        """
        for method in self.descriptor.methods:
            if method.client_streaming:
                raise TypeError(f"{method.full_name} takes a stream of requests")
            yield _method(method, self.descriptor, self.servicer)


def all_methods(services: Iterable[Service]) -> list[Method]:
    """Return the methods of several services."""
    return [method for service in services for method in service.methods()]


def _method(method: MethodDescriptor, service: ServiceDescriptor, servicer: object) -> Method:
    path = f"/{service.full_name}/{method.name}"
    function = getattr(servicer, _WORD.sub("_", method.name).lower(), None)
    return Method(
        path=path,
        label=f"{service.name}/{method.name}",
        request=GetMessageClass(method.input_type),
        reply=GetMessageClass(method.output_type),
        streams=method.server_streaming,
        safe=method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS,
        public=path in PUBLIC,
        vital=path in VITAL,
        function=function or _absent(path, streams=method.server_streaming),
    )


def _absent(path: str, *, streams: bool) -> Callable[[Any, Call], Any]:
    async def unary(_: Any, __: Call) -> Any:
        raise Unimplemented(f"this server has no {path}")

    async def stream(request: Any, call: Call) -> Any:
        yield await unary(request, call)

    return stream if streams else unary
