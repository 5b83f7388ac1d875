"""The client's page speaks of nothing that the API does not have."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.descriptor import Descriptor

DOCS = Path(__file__).resolve().parents[2] / "docs"
MODULES = ["actions", "cards", "catalog", "errors", "events", "players", "replays", "strategies", "tables",
           "tournaments", "views"]  # fmt: skip
# What the JSON of an error has besides.
STATUS_KEYS = {"code", "details", "type", "debug", "domain", "metadata", "reason", "message", "value"}


@pytest.fixture(scope="module")
def api() -> list[ModuleType]:
    """All modules of the API."""
    return [importlib.import_module(f"junto.v1.{name}_pb2") for name in MODULES]


def blocks(page: str, language: str) -> Iterator[str]:
    """Yield the page's blocks of a language."""
    yield from re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def json_names(message: Descriptor) -> set[str]:
    """Return the names of a message's fields as JSON has them."""
    nested = [name for inner in message.nested_types for name in json_names(inner)]
    return {field.json_name for field in message.fields} | set(nested)


def test_every_key_is_a_field(api: list[ModuleType]) -> None:
    """Each key of the page's JSON is the name of some field."""
    known = {name for module in api for message in module.DESCRIPTOR.message_types_by_name.values()
             for name in json_names(message)}  # fmt: skip
    used = {key for language in ("json", "sh") for text in blocks("client.md", language)
            for key in re.findall(r'"([A-Za-z_]+)":', text)}  # fmt: skip
    assert used - known - STATUS_KEYS == set()
    assert len(used) > 80


def test_every_value_is_one_of_an_enum(api: list[ModuleType]) -> None:
    """Each value in capitals is one that an enum has."""
    known = {value.name for module in api for enum in module.DESCRIPTOR.enum_types_by_name.values()
             for value in enum.values}  # fmt: skip
    pattern = r'"((?:CARD|SUIT|STRAIN|ZONE|PHASE|ROLE|ACTOR|OUTCOME|VISIBILITY|TABLE_STATUS)_[A-Z_]+)"'
    used = {value for text in blocks("client.md", "json") for value in re.findall(pattern, text)}
    assert used - known == set()
    assert len(used) > 40
    reasons = {name.removeprefix("ERROR_REASON_") for name in known if name.startswith("ERROR_REASON_")}
    assert {"TOKEN_EXPIRED", "STALE_VERSION", "ILLEGAL_ACTION"} <= reasons


def test_every_method_is_there(api: list[ModuleType]) -> None:
    """Each method that the page calls is one of its service."""
    known = {f"{service.name}/{method.name}" for module in api
             for service in module.DESCRIPTOR.services_by_name.values() for method in service.methods}  # fmt: skip
    text = (DOCS / "client.md").read_text(encoding="utf-8")
    used = set(re.findall(r"\b([A-Z]\w+Service/\w+)", text))
    assert used - known == set()
    assert len(used) >= 10
    mentioned = {name.replace(".", "/") for name in re.findall(r"`([A-Z]\w+Service\.\w+)`", text)}
    assert mentioned - known == set()
