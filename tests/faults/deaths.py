"""Who is killed at which moment, and the hand that does it: SIGKILL, then the process is started again."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from junto.table.faultpoints import Point

from .players import Tally
from .processes import Role

FRONT: Final = "serve"
STEWARD: Final = "steward"


@dataclass(frozen=True, slots=True)
class Death:
    """The death of one process: at a point that it reaches for the `times`-th time.

    Without a point it is killed from outside, when so many more actions were acknowledged.
    """

    command: str
    point: Point | None
    times: int

    @property
    def fault(self) -> str | None:
        """What the process is told; None: it will be killed from outside."""
        return None if self.point is None else f"{self.point}:{self.times}"

    def __str__(self) -> str:
        return f"{self.command} {self.point or 'killed from outside'}"


AFTER_COMMIT: Final = (
    (FRONT, Point.COMMITTED),
    (STEWARD, Point.COMMITTED),
    (FRONT, Point.TOLD),
    (STEWARD, Point.DONE),
)
"""Between commit and reply: Redis has it, and whoever waits for it has not heard."""
ELSEWHERE: Final = (
    (FRONT, Point.ACCEPTED),
    (STEWARD, Point.DECIDED),
    (FRONT, Point.NOTICED),
    (STEWARD, None),
    (FRONT, None),
    (STEWARD, Point.ACCEPTED),
)
"""Before the commit, before others' commits are read, and at any moment at all."""


def plan(count: int, chance: random.Random) -> list[Death]:
    """Return so many deaths in a random order, half of them between commit and reply. From 12 on they cover all."""
    half = count // 2
    kinds = [*islice(cycle(AFTER_COMMIT), half), *islice(cycle(ELSEWHERE), count - half)]
    chance.shuffle(kinds)
    return [Death(command, point, chance.randint(1, 12)) for command, point in kinds]


class Reaper:
    """Kills the processes of a house as planned, each when its turn comes, and starts them again.

    Fronts die independently of stewards and of each other: all may be away at the same time.

    Args:
        roles: the processes.
        deaths: what is planned.
        tally: tells how many actions were acknowledged.
        chance: when processes are killed from outside.
    """

    def __init__(self, roles: Sequence[Role], deaths: Iterable[Death], tally: Tally, chance: random.Random) -> None:
        self._roles = roles
        self._tally = tally
        self._chance = chance
        self._planned = {FRONT: deque[Death](), STEWARD: deque[Death]()}
        for death in deaths:
            self._planned[death.command].append(death)
        self.done: list[Death] = []

    async def reap(self) -> None:
        """Go on until all that is planned is done, and all processes run again."""
        async with asyncio.TaskGroup() as group:
            for role in self._roles:
                group.create_task(self._visit(role))

    async def _visit(self, role: Role) -> None:
        planned = self._planned[role.command]
        while planned:
            death = planned.popleft()
            if death.point is not None or not role.is_ready:
                role.end()
                role.start(death.fault)
            if death.point is None:
                await role.until_ready()
                await self._tally.until_acknowledged(death.times)
                await asyncio.sleep(self._chance.uniform(0, 0.02))  # anywhere within what it does
                role.send(signal.SIGKILL)
            await role.until_killed()
            self.done.append(death)
        role.start()
        await role.until_ready()
