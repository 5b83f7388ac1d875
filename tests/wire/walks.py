"""Walks through messages and domain values, for tests of what is in them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

CARD_FIELDS = {
    "card",
    "open",
    "hand",
    "kitty",
    "put_back",
    "cards",
    "costly",
    "callable",
    "leads",
    "called",
    "row",
    "pile_row",
    "turned",
    "pot",
    "gives",
}
# A play's `naming` is a suit, a choice's a list of cards; a call in an auction is no card, one in a trick is.
LISTED = {"naming": "card", "calls": "card"}


def wire_cards(message: Message, *, skip: frozenset[str] = frozenset()) -> Counter[int]:
    """Return the domain numbers of all cards in a message, fields named in `skip` left out."""
    found: Counter[int] = Counter()
    for field, value in message.ListFields():
        if field.name in skip:
            continue
        items = value if field.is_repeated else [value]
        for item in items:
            if field.enum_type is not None and field.enum_type.full_name == "junto.v1.Card":
                found += Counter([item - 1] if item else ())
            elif field.type == FieldDescriptor.TYPE_MESSAGE:
                found += wire_cards(item, skip=skip)
    return found


def domain_cards(value: Any, name: str = "") -> Counter[int]:
    """Return all cards in a domain value, found by the names of the fields."""
    if dataclasses.is_dataclass(value):
        found: Counter[int] = Counter()
        for field in dataclasses.fields(value):
            found += domain_cards(getattr(value, field.name), field.name)
        return found
    if isinstance(value, tuple):
        return sum((domain_cards(one, LISTED.get(name, name)) for one in value), Counter())
    return Counter([value]) if name in CARD_FIELDS and type(value) is int else Counter()


def repeated_singulars(payload: bytes, descriptor: Descriptor, path: str = "") -> Iterator[str]:
    """Yield the paths of singular fields that stand twice in a serialised message, at any depth."""
    seen: Counter[int] = Counter()
    for number, value in _fields(payload):
        field = descriptor.fields_by_number[number]
        seen[number] += 1
        here = f"{path}.{field.name}"
        if not field.is_repeated and seen[number] == 2:
            yield here
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            assert isinstance(value, bytes)
            assert field.message_type is not None
            yield from repeated_singulars(value, field.message_type, here)


def _fields(payload: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(payload):
        key, at = _varint(payload, at)
        match key & 7:
            case 0:
                value, at = _varint(payload, at)
                yield key >> 3, value
            case 1:
                yield key >> 3, payload[at : at + 8]
                at += 8
            case 2:
                size, at = _varint(payload, at)
                yield key >> 3, payload[at : at + size]
                at += size
            case wire_type:
                raise AssertionError(f"wire type {wire_type} is in no message of ours")
    assert at == len(payload)


def _varint(payload: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = payload[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
