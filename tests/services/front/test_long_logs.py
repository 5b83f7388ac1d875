"""Logs as long as restless players make them: what is asked of them stays cheap."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from junto.client import Client
from junto.front.call import PlayerId
from junto.table import history, lobby, service
from junto.table.aggregate import Change
from junto.table.commands import Join, Presence
from junto.table.history import changes_after
from junto.table.replays import finished_deals, write_replay
from junto.table.seats import Player, TableId
from junto.v1 import errors_pb2 as errors
from junto.v1 import tables_pb2

from .house import House, house, refused

__all__ = ["house"]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few entries be many."""
    monkeypatch.setattr(history, "CHECKPOINT_EVERY", 8)
    monkeypatch.setattr(service, "CHECKPOINT_EVERY", 8)
    monkeypatch.setattr(history, "PORTION", 5)


async def restless(house: House, ada: Client, table_id: str, times: int) -> list[Change]:
    """Let a player take their own seat again and again."""
    assert ada.player is not None
    player = Player(PlayerId(ada.player.id), ada.player.display_name)
    changes = [await house.tables.submit(TableId(table_id), lambda _: Join(player), player.id) for _ in range(times)]
    return [change for change in changes if change is not None]


async def test_what_was_missed_is_read_from_the_last_checkpoint_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that resumes costs what it missed, not what its table ever went through; the answer is the same."""
    ada = await house.player("grpc")
    table_id = await house.table(ada, humans=1, start=False)
    made = {change.table.version: change for change in await restless(house, ada, table_id, 45)}
    read: list[int] = []
    read_log = house.store.read_log

    async def counted(*args: Any, **named: Any) -> Any:
        found = await read_log(*args, **named)
        read.append(len(found))
        return found

    monkeypatch.setattr(house.store, "read_log", counted)
    table = await house.now(table_id)
    for version in range(table.version):
        read.clear()
        found = await changes_after(house.store, table, version)
        assert [change.table.version for change in found] == list(range(version + 1, table.version + 1))
        assert all(made[change.table.version].table == change.table for change in found if change.table.version in made)
        assert sum(read) <= table.version - version + 8
        assert max(read) <= 5


async def test_a_replay_ends_with_its_deal(house: House) -> None:
    """Who comes and goes after a deal does not make its replay longer to read; it is what it was before."""
    ada = await house.player("grpc")
    table_id = await house.table(ada, humans=1, deals=1)
    over = await house.play_match(table_id, ada)
    before = await write_replay(house.store, over, finished_deals(over))

    await restless(house, ada, table_id, 12)
    for connected in (True, False):
        await house.tables.submit(TableId(table_id), lambda _, here=connected: Presence(0, here))

    table = await house.now(table_id)
    assert table.version > over.version
    assert await write_replay(house.store, table, finished_deals(table)) == before


async def test_too_much_coming_and_going_in_a_deal_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal's log has a bound for all but the play itself; the deal goes on."""
    monkeypatch.setattr(lobby, "MOST_IN_A_DEAL", 10)
    ada = await house.player("grpc")
    table_id = await house.table(ada, humans=1)
    join = tables_pb2.JoinTableRequest(table_id=table_id)
    while (await house.let_bots_act(table_id)).log.version + 10 > (await house.now(table_id)).version:
        await ada.tables.join_table(join)

    await refused(ada.tables.join_table(join), errors.ERROR_REASON_NOT_NOW, grpc.StatusCode.FAILED_PRECONDITION)
    await refused(
        ada.tables.leave_table(tables_pb2.LeaveTableRequest(table_id=table_id)),
        errors.ERROR_REASON_NOT_NOW,
        grpc.StatusCode.FAILED_PRECONDITION,
    )
    assert (await house.play_deal(table_id, ada)).deal is not None
