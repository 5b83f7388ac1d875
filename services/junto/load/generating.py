"""One generator: a process that plays its share of the tables and tells what it measured (`python -m` this module).

See `junto.load.orders` for what it hears on standard input and says on standard output. It ends in order when its
input does, and so with whoever started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections.abc import Coroutine, Mapping
from typing import Any, Final

from junto.client import CallError
from junto.load.conducting import Arrivals, Conducting, Paces
from junto.load.orders import Order, Phase, line, rule_set
from junto.load.recording import Recorder
from junto.load.slots import Slot
from junto.load.tables import Plan

LIMIT: Final = 1 << 26
"""The longest line, in bytes."""
AT_ONCE: Final = 8
"""How many tables are opened at a time in the beginning."""
FIRST_TURNS_S: Final = 20.0
"""How long it is waited for the first turns."""
SETTLE_S: Final = 10.0
"""How long after a phase its last moves are awaited."""
HURRY_S: Final = 2.0
"""The same after a phase that was ended early."""
LOOK_S: Final = 0.02
TELL_S: Final = 1.0
LEAVE_WITHIN_S: Final = 15.0


class Generator:
    """See the module."""

    def __init__(self, order: Order, say: asyncio.StreamWriter) -> None:
        profile = order.profile
        self._order = order
        self._say = say
        self._recorder = Recorder()
        self._conducting: Conducting = (
            Paces(self._recorder)
            if profile.rate is None
            else Arrivals(profile.think, self._recorder, random.Random(f"{profile.seed} think {order.first_table}"))
        )
        plan = Plan(
            rule_set(profile.game, profile.options),
            profile.bots.strategy,
            profile.bots.time_s,
            profile.seed,
            profile.deals,
        )
        door = asyncio.Lock()
        self._slots = [
            Slot(order.first_table + number, profile, plan, self._recorder, self._conducting, door)
            for number in range(profile.tables)
        ]
        self._living: list[asyncio.Task[None]] = []
        self._stopped = asyncio.Event()

    async def run(self, orders: asyncio.StreamReader) -> None:
        """Open the tables, play the phases that are asked for, close the tables.

        Raises:
            CallError: nobody can sign in.
        """
        phases: asyncio.Queue[Phase | None] = asyncio.Queue()
        listening = asyncio.create_task(self._listen(orders, phases))
        try:
            if await self._before_the_end(self._open()):
                await self._first_turns()
                await self._tell({"kind": "ready"})
                while (phase := await phases.get()) is not None:
                    await self._play(phase)
        finally:
            listening.cancel()
            await self._leave()
        await self._tell(
            {"kind": "over", "accepted": self._recorder.accepted, "errors": dict(self._recorder.elsewhere)}
        )

    async def _listen(self, orders: asyncio.StreamReader, phases: asyncio.Queue[Phase | None]) -> None:
        while written := await orders.readline():
            message = json.loads(written)
            if message["kind"] == "phase":
                self._stopped.clear()
                phases.put_nowait(Phase.from_json(message))
            else:
                self._stopped.set()
        self._stopped.set()
        phases.put_nowait(None)

    async def _before_the_end(self, work: Coroutine[Any, Any, None]) -> bool:
        """Do something unless the end comes first; tell whether it was done."""
        task, stop = asyncio.create_task(work), asyncio.create_task(self._stopped.wait())
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if task.done():
            await task
            return True
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return False

    # --- opening and leaving

    async def _open(self) -> None:
        places = asyncio.Semaphore(AT_ONCE)

        async def open_one(slot: Slot) -> None:
            async with places:
                await slot.enter(self._order.address, tls=self._order.tls)
                self._living.append(asyncio.create_task(slot.live()))
                await slot.opened.wait()

        async with asyncio.TaskGroup() as group:
            opening = [group.create_task(open_one(slot)) for slot in self._slots]
            while not all(task.done() for task in opening):
                await asyncio.wait(opening, timeout=TELL_S, return_when=asyncio.FIRST_EXCEPTION)
                await self._tell(
                    {
                        "kind": "opening",
                        "opened": sum(slot.opened.is_set() for slot in self._slots),
                        "errors": dict(self._recorder.elsewhere),
                    }
                )

    async def _first_turns(self) -> None:
        """Wait until the bots of all tables have brought the first turn to a person.

        That all tables begin at once is the generator's doing, and no load that anybody asked for.
        """
        until_s = self._recorder.clock() + FIRST_TURNS_S
        while self._conducting.turns < len(self._slots) and self._recorder.clock() < until_s:
            if self._stopped.is_set():
                return
            await asyncio.sleep(LOOK_S)

    async def _leave(self) -> None:
        for task in self._living:
            task.cancel()
        await asyncio.gather(*self._living, return_exceptions=True)
        await self._conducting.moves.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_WITHIN_S):
                await asyncio.gather(*(slot.leave() for slot in self._slots))

    # --- a phase

    async def _play(self, phase: Phase) -> None:
        recorder, draw = self._recorder, random.Random(f"{phase.seed} arrivals {self._order.first_table}")
        begin_s = recorder.clock()
        end_s = begin_s + phase.warmup_s + phase.duration_s
        recorder.begin(begin_s + phase.warmup_s, end_s)
        recorder.latest.clear()
        playing = asyncio.create_task(self._conducting.play(begin_s, end_s, phase.rate or 0.0, draw))
        telling = asyncio.create_task(self._tell_progress(begin_s))
        counting = asyncio.create_task(self._count_cpu(phase.warmup_s))
        stop = asyncio.create_task(self._stopped.wait())
        await asyncio.wait({playing, stop}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            playing.cancel()
            end_s = recorder.clock()
            recorder.cut(end_s)
        recorder.cpu_counted()
        await self._settle(HURRY_S if stop.done() else SETTLE_S)
        for task in (playing, telling, counting, stop):
            task.cancel()
        await asyncio.gather(playing, telling, counting, stop, return_exceptions=True)
        unseen = [at for slot in self._slots for table in slot.tables for at in table.sightings.unseen()]
        measured = recorder.close(self._conducting.close(end_s), unseen)
        await self._tell({"kind": "measured", "measured": measured.to_json()})

    async def _settle(self, within_s: float) -> None:
        """Wait for the last moves, and for those whose turn has not come yet."""
        until_s = self._recorder.clock() + within_s
        while self._recorder.clock() < until_s and not self._is_settled:  # noqa: ASYNC110  # many things end it
            await asyncio.sleep(LOOK_S)

    @property
    def _is_settled(self) -> bool:
        return self._recorder.is_settled and self._conducting.is_done

    async def _count_cpu(self, after_s: float) -> None:
        self._recorder.count_cpu()
        await asyncio.sleep(after_s)
        self._recorder.count_cpu()

    async def _tell_progress(self, begin_s: float) -> None:
        while True:
            await asyncio.sleep(TELL_S)
            latest = dict(self._recorder.latest)
            self._recorder.latest.clear()
            replied = self._recorder.measured.times["replied"]
            await self._tell(
                {
                    "kind": "progress",
                    "at_s": self._recorder.clock() - begin_s,
                    "latest": latest,
                    "p99_s": replied.quantile(0.99),
                    "waiting": self._conducting.waiting,
                }
            )

    async def _tell(self, message: Mapping[str, Any]) -> None:
        self._say.write(line(message))
        await self._say.drain()


async def main() -> int:
    """Be a generator; return the exit code."""
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader(limit=LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    say = asyncio.StreamWriter(transport, protocol, None, loop)
    first = await orders.readline()
    if not first:
        return 0
    try:
        await Generator(Order.from_json(json.loads(first)), say).run(orders)
    except* CallError as refused:
        say.write(line({"kind": "refused", "message": str(first_of(refused))}))
        await say.drain()
    return 0


def first_of(group: BaseExceptionGroup[CallError]) -> BaseException:
    """Return the first failure of a group of them."""
    first: BaseException = group.exceptions[0]
    return first_of(first) if isinstance(first, BaseExceptionGroup) else first


if __name__ == "__main__":
    import uvloop

    sys.exit(uvloop.run(main()))
