"""The example of the client's page is run as it stands."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from junto.arena.crew import OwnCrew
from junto.organiser.organiser import Organiser

from .conftest import Hall

PAGE = Path(__file__).parents[3] / "docs" / "client.md"


async def test_the_example_creates_watches_and_reads(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints how the tournament comes on, and each entrant's line with its interval."""
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    definitions, run, _ = example.partition("asyncio.run(")
    assert run
    loaded: dict[str, Any] = {}
    exec(definitions, loaded)  # our own page
    organiser = Organiser(hall.work(), OwnCrew, hall.clock.now_ms, turn_s=60.0)

    async def organise() -> None:
        while not await organiser.work_off():
            await asyncio.sleep(0.05)

    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        group.create_task(organise())
        group.create_task(loaded["compare"](f"127.0.0.1:{hall.front.grpc_port}"))

    said = capsys.readouterr().out
    assert "40 of 40 seatings" in said
    assert re.search(r"rule of thumb: [+-]\d\.\d\d \([+-]\d\.\d\d to [+-]\d\.\d\d\) in 40 seatings", said)
    assert "chance: " in said
