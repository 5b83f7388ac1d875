"""One house for all tests of faults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .house import House


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The house. A test mends what it needs before it begins, and may kill everything."""
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house
