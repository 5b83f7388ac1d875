"""What a table tells after each deal with a hidden partner: who was suspected when, from the deal's replay.

It goes by what the bots reported, as any client can: nothing is searched here. `junto beliefs` knows more.
"""

from __future__ import annotations

from collections.abc import Sequence

from junto.cli.suspicion import tell
from junto.cli.suspicion_words import in_short
from junto.client import CallError, Client
from junto.games.verify import NotVerified
from junto.search.suspicion import NoSuspicion, check_hidden
from junto.v1 import tables_pb2
from junto.v1.replays_pb2 import Replay
from junto.wire.catalog import read_rules
from junto.wire.errors import WireError


class Hindsight:
    """Looks back at a table's deals, each when it is over.

    Args:
        client: anybody who may see the table's replay.
        table: the table.
        names: what its seats are called.
    """

    def __init__(self, client: Client, table: tables_pb2.Table, names: Sequence[str]) -> None:
        self._client = client
        self._table_id = table.id
        self._names = names[: len(table.seats)]
        self._is_wanted = _has_hidden_partner(table)
        self._page = ""

    async def after(self, update: tables_pb2.TableUpdate) -> list[str]:
        """Return what there is to say after an update: nothing, unless it ends a deal in which a partner was hidden."""
        if not self._is_wanted or not any(event.HasField("deal_ended") for event in update.events):
            return []
        try:
            replay = await self._last_deal()
            lines = list(in_short(tell(replay, replay.deals[-1], self._names)))
        except NoSuspicion:
            return []
        except CallError as error:  # what was played stands all the same
            return [f"Who was suspected cannot be told: {error.message}"]
        except (NotVerified, WireError) as problem:
            return [f"The deal is not what was promised: {problem}"]
        return ["", *lines]

    async def _last_deal(self) -> Replay:
        """Fetch the last finished deal: from the page on that held it the last time, one by one."""
        while True:
            request = tables_pb2.GetReplayRequest(table_id=self._table_id, page_size=1, page_token=self._page)
            reply = await self._client.tables.get_replay(request)
            if not reply.next_page_token:
                return reply.replay
            self._page = reply.next_page_token


def _has_hidden_partner(table: tables_pb2.Table) -> bool:
    try:
        check_hidden(read_rules(table.rules))
    except (NoSuspicion, WireError):  # no partner is hidden, or the server plays what this client does not know
        return False
    return True
