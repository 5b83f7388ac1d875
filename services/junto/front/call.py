"""What a servicer may know of the call that it answers, whichever front it came through.

A servicer is a class of async methods `(request, call)`, named as in the service's definition in snake
case. It returns the reply, or yields the replies of a stream; a `Raw` stands for a reply that is
serialised already. It ends a call by raising a `Fault`.
"""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from junto.front.faults import Fault
from junto.table.seats import Player, PlayerId
from junto.v1 import errors_pb2

__all__ = ["Call", "Identity", "Player", "PlayerId", "Raw"]

_NAMES: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_RUN: Final = secrets.token_hex(4)
_NUMBERS: Final = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a token proves: who calls, and until when, in seconds since 1970."""

    player: Player
    expires: float


@dataclass(frozen=True, slots=True)
class Raw:
    """A reply that is serialised already: the protobuf bytes of the method's reply message.

    An update that goes to several watchers is serialised once this way.
    """

    data: bytes


class Call:
    """One call. The fronts have a subclass each; this one is for tests and for calls from within."""

    front = "local"

    __slots__ = ("_address", "_headers", "_id", "_remaining", "identity", "method")

    def __init__(
        self,
        identity: Identity | None = None,
        *,
        method: str = "",
        headers: Mapping[str, str] | None = None,
        address: str = "127.0.0.1",
        remaining: float | None = None,
    ) -> None:
        self.identity = identity
        self.method = method
        self._headers = headers or {}
        self._address = address
        self._remaining = remaining
        self._id: str | None = None

    @property
    def player(self) -> Player:
        """Who calls.

        Raises:
            Fault: TOKEN_MISSING, for a method that anybody may call, called without a token.
        """
        if self.identity is None:
            raise Fault(errors_pb2.ERROR_REASON_TOKEN_MISSING, "sign in first: this call needs a token")
        return self.identity.player

    @property
    def token_expires(self) -> float:
        """When the caller's token ends, in seconds since 1970: a stream must not outlive it."""
        return self.identity.expires if self.identity is not None else float("inf")

    @property
    def id(self) -> str:
        """The call's name in the logs: the client's `x-request-id` if it sent a sensible one."""
        if self._id is None:
            given = self.header("x-request-id")
            self._id = given if given and _NAMES.fullmatch(given) else f"{_RUN}-{next(_NUMBERS)}"
        return self._id

    @property
    def log(self) -> Any:
        """A logger whose events carry the call's id, method and player."""
        player = self.identity.player.id if self.identity is not None else None
        return structlog.get_logger().bind(call=self.id, method=self.method, player=player)

    def header(self, name: str) -> str | None:
        """Return the call's metadata of a (lower-case) name, or None."""
        return self._headers.get(name)

    @property
    def address(self) -> str:
        """The client's IP address, without port; a trusted proxy's word is taken for it.

        It can be asked for while the call is answered; after that it is `unknown` if nobody asked before.
        """
        return self._address

    @property
    def remaining(self) -> float | None:
        """Seconds until the client's deadline, 0 if it is past; None without a deadline."""
        return self._remaining

    def close(self) -> None:
        """Forget what is only there while the call is answered."""

    @property
    def cut(self) -> Callable[[], None]:
        """What ends the call although its client reads nothing."""
        return lambda: None
