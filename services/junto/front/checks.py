"""The constraints of the `.proto` files, checked with protovalidate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import protovalidate
from google.protobuf.message import Message

from junto.front.faults import FieldViolation, InvalidField

_MOST: Final = 16
_LONGEST: Final = 200


_VALIDATOR: Final = protovalidate.Validator()
"""Keeps what it compiled for a message type, which takes milliseconds."""


class Checker:
    """Checks requests."""

    def prepare(self, kinds: Iterable[type[Message]]) -> None:
        """Compile the constraints of these messages now rather than at the first call."""
        for kind in kinds:
            _VALIDATOR.collect_violations(kind())

    def check(self, request: Message) -> None:
        """Pass a request that keeps its constraints.

        Raises:
            InvalidField: it breaks some; at most 16 are told.
        """
        if found := _VALIDATOR.collect_violations(request):
            raise InvalidField(_violation(violation.proto) for violation in found[:_MOST])


def _violation(violation: Any) -> FieldViolation:
    path = _path(violation.field.elements) if violation.field is not None else ""
    return FieldViolation(path[:_LONGEST] or "(the request)", (violation.message or violation.rule_id)[:_LONGEST])


def _path(elements: Any) -> str:
    """Write a field path as `action.discard.cards[2]`."""
    return ".".join(element.field_name + _subscript(element.subscript) for element in elements)


def _subscript(subscript: Any) -> str:
    return "" if subscript is None else f"[{subscript.value}]"
