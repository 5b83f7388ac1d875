"""From bytes to messages and back: protobuf for both fronts, JSON for Connect."""

from __future__ import annotations

from typing import Final, Protocol

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from junto.front.call import Raw
from junto.front.faults import Fault
from junto.v1 import errors_pb2

_LONGEST: Final = 300


class Codec(Protocol):
    """One way to write messages."""

    @property
    def name(self) -> str:
        """As in a content type: `proto`, `json`."""

    def parse(self, data: bytes, kind: type[Message]) -> Message:
        """Read a message.

        Raises:
            Fault: INVALID_FIELD, if these bytes are no such message.
        """

    def render(self, reply: Message | Raw, kind: type[Message]) -> bytes:
        """Write a reply.

        Raises:
            TypeError: a servicer answered with something else than its method's reply.
        """


def _unreadable(kind: type[Message], error: Exception) -> Fault:
    said = f"the request is no {kind.DESCRIPTOR.name}: {error}"
    return Fault(errors_pb2.ERROR_REASON_INVALID_FIELD, said[:_LONGEST])


def _check(reply: object, kind: type[Message]) -> None:
    if not isinstance(reply, kind):
        raise TypeError(f"a reply must be a {kind.DESCRIPTOR.full_name} or Raw, not a {type(reply).__name__}")


class _Proto:
    name = "proto"

    def parse(self, data: bytes, kind: type[Message]) -> Message:
        try:
            return kind.FromString(data)
        except DecodeError as error:
            raise _unreadable(kind, error) from None

    def render(self, reply: Message | Raw, kind: type[Message]) -> bytes:
        if isinstance(reply, Raw):
            return reply.data
        _check(reply, kind)
        return reply.SerializeToString()


class _Json:
    name = "json"

    def parse(self, data: bytes, kind: type[Message]) -> Message:
        message = kind()
        try:
            # As Connect demands, fields that are not known are skipped: they may be a newer client's.
            json_format.Parse(data or b"{}", message, ignore_unknown_fields=True)
        except (json_format.ParseError, ValueError, TypeError, RecursionError, AttributeError) as error:
            raise _unreadable(kind, error) from None
        return message

    def render(self, reply: Message | Raw, kind: type[Message]) -> bytes:
        if isinstance(reply, Raw):
            reply = kind.FromString(reply.data)
        _check(reply, kind)
        return json_format.MessageToJson(reply, indent=None, ensure_ascii=False).encode()


PROTO: Final[Codec] = _Proto()
JSON: Final[Codec] = _Json()
