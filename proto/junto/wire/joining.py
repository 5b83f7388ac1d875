"""Serialised messages put together as bytes: each part is serialised once and joined for each viewer.

A protobuf message is the concatenation of its fields, so the serialised forms of two partial messages
with different fields, one after the other, are the message with all of them. Every part here is made by
filling in an empty message and serialising it; no singular field is ever written twice, so that decoders
that replace where they ought to merge read the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from google.protobuf.message import Message

T = TypeVar("T")

_LENGTH_DELIMITED: Final = 2
_CAPACITY: Final = 8192


def tag(message: type[Message], field: str) -> bytes:
    """Return what stands before the length of a field that holds a message."""
    return _varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | _LENGTH_DELIMITED)


def nested(field_tag: bytes, payload: bytes) -> bytes:
    """Return a field that holds the message whose serialised form is `payload`."""
    return field_tag + _varint(len(payload)) + payload


def _varint(number: int) -> bytes:
    if number < 1 << 7:
        return _ONE_BYTE[number]
    if number < 1 << 14:
        return bytes((number & 0x7F | 0x80, number >> 7))
    return bytes((number & 0x7F | 0x80,)) + _varint(number >> 7)


_ONE_BYTE: Final = tuple(bytes((number,)) for number in range(1 << 7))


class Remembered(Generic[T]):
    """Serialised forms, each made once per object: immutable objects that stay from one state to the next.

    Found by identity, which costs a tenth of a microsecond whatever the object holds. The objects are
    held as long as their bytes, so an identity means one object; those that were not asked for during
    the last `capacity` new ones are forgotten.
    """

    def __init__(self, write: Callable[[T], bytes], capacity: int = _CAPACITY) -> None:
        self._write = write
        self._capacity = capacity
        self._recent: dict[int, tuple[T, bytes]] = {}
        self._older: dict[int, tuple[T, bytes]] = {}

    def __call__(self, value: T) -> bytes:
        """Return the serialised form of an object."""
        known = self._recent.get(id(value))
        if known is not None:
            return known[1]
        known = self._older.get(id(value)) or (value, self._write(value))
        if len(self._recent) >= self._capacity:
            self._older, self._recent = self._recent, {}
        self._recent[id(value)] = known
        return known[1]
