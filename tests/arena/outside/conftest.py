"""What the tests of outside strategies share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.arena.outside.houses import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house for outside strategies. When it is closed, nothing of them is left."""
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house
