"""What must hold at a table, whatever died: nothing lost, nothing doubled, everything seen once."""

from __future__ import annotations

from collections.abc import Sequence

from junto.games.actions import text
from junto.table.aggregate import Change
from junto.table.clock import Clock
from junto.table.commands import Act
from junto.table.duties import Keep
from junto.table.history import changes_after
from junto.table.scenes import update
from junto.table.seats import Actor, Status, TableId
from junto.table.service import Tables
from junto.table.store import Store
from junto.v1 import tables_pb2, views_pb2
from junto.v1.replays_pb2 import Replay
from junto.wire.replays import verify

from .players import Guest, Seen


async def history(store: Store, table_id: str) -> Sequence[Change]:
    """Return everything that happened at a table, checked: versions without a gap, and the table is their fold."""
    table = await Tables(store, Keep(1, 1), Clock().now_ms).get(TableId(table_id))
    changes = await changes_after(store, table, 0)

    assert [change.entry.version for change in changes] == list(range(1, table.version + 1))
    assert changes[-1].table == table, "the snapshot is not the fold of the log"
    return changes


def actions(changes: Sequence[Change]) -> list[tuple[int, int, int, str]]:
    """Return the decisions that were made: the version after each, the seat, who decided, and the action's text."""
    return [
        (change.entry.version, command.seat, int(command.actor), text(command.action))
        for change in changes
        if isinstance(command := change.entry.command, Act)
    ]


def check_ledgers(players: Sequence[Guest], changes: Sequence[Change]) -> None:
    """Check that the actions of players, by seat, are those that they were told of: none lost, none doubled."""
    logged = actions(changes)
    for seat, player in enumerate(players):
        acknowledged = [(one.version, seat, int(Actor.PLAYER), one.text) for one in player.ledger]
        assert acknowledged == [one for one in logged if one[1:3] == (seat, Actor.PLAYER)], (
            f"the ledger of seat {seat} is not what the log says"
        )
    assert {seat for _, seat, actor, _ in logged if actor == Actor.PLAYER} <= set(range(len(players)))


def check_replay(replay: Replay, deals: int, changes: Sequence[Change]) -> None:
    """Check that a match was played to its end by the rules, with the cards that were promised, as the log has it."""
    replayed = [(one.version, one.seat, int(one.actor), one.text) for deal in replay.deals for one in deal.actions]
    assert replayed == actions(changes), "the replay is not what the log says"
    scored = [deal for deal in replay.deals if deal.result.outcome != views_pb2.OUTCOME_VOID]

    assert len(scored) == deals
    verify(replay)


def check_seen(seen: Seen, seat: int | None, changes: Sequence[Change]) -> None:
    """Check that a watcher saw everything once and in order, from the full view that it began with to the end."""
    assert seen.begins is not None
    assert seen.version is not None
    assert seen.resets == 0, "a watcher was told to forget what it had seen"
    due: list[bytes] = []
    for change in changes:
        if seen.begins < change.entry.version <= seen.version:
            message = tables_pb2.TableUpdate.FromString(update(change).for_viewer(seat, views=False))
            due += [event.SerializeToString(deterministic=True) for event in message.events]
    assert seen.events == due
    over = next(change.entry.version for change in changes if change.table.status is Status.FINISHED)
    assert seen.version >= over
