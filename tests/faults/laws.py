"""What must hold at a table, whatever died: nothing lost, nothing doubled, everything seen once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def check_ledgers(players: Mapping[int, Guest], replay: Replay, changes: Sequence[Change]) -> None:
    """Check that the actions of players are those that were acknowledged to them: none lost, none doubled.

    Args:
        players: by seat.
        replay: of the whole match.
        changes: everything that happened at the table.
    """
    logged = [
        (change.entry.version, command.seat, int(command.actor), text(command.action))
        for change in changes
        if isinstance(command := change.entry.command, Act)
    ]
    replayed = [(one.version, one.seat, int(one.actor), one.text) for deal in replay.deals for one in deal.actions]
    assert replayed == logged, "the replay is not what the log says"

    for seat, player in players.items():
        acknowledged = [(one.version, seat, int(Actor.PLAYER), one.text) for one in player.ledger]
        assert acknowledged == [one for one in logged if one[1:3] == (seat, Actor.PLAYER)], (
            f"the ledger of seat {seat} is not what the log says"
        )
    assert {seat for _, seat, actor, _ in logged if actor == Actor.PLAYER} <= set(players)


def check_replay(replay: Replay, deals: int) -> None:
    """Check that a match was played to its end by the rules, with the cards that were promised."""
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
