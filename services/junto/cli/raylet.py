"""The local Ray as a part that a supervisor keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from junto.cli.ports import free_ports
from junto.cli.processes import Process, Program
from junto.pool.local_ray import LocalRay

READY_WITHIN_S: Final = 120.0
STOP_WITHIN_S: Final = 20.0


class RayPart:
    """A `junto.cli.supervisor.Part`: a Ray for this machine alone, started again where it was."""

    name: Final = "Ray"

    def __init__(self, log: Path) -> None:
        self._ray = LocalRay(port=free_ports("127.0.0.1", 1)[0])
        program = Program(
            self.name,
            self._ray.command,
            log,
            self._is_ready,
            self._ray.env,
            ready_within_s=READY_WITHIN_S,
            stop_within_s=STOP_WITHIN_S,
        )
        self._process = Process(program)

    @property
    def log(self) -> Path:
        """See `Part`."""
        return self._process.log

    @property
    def pid(self) -> int:
        """The id of the process that runs it."""
        return self._process.pid

    def environment(self) -> dict[str, str]:
        """Return what a steward needs in its environment to use it, once it was started."""
        return {**self._ray.driver_env, "JUNTO_RAY_ADDRESS": self._ray.address or ""}

    async def start(self) -> None:
        """See `Part`."""
        (self._ray.folder / "address").unlink(missing_ok=True)  # of one that was killed
        await self._process.start()

    async def over(self) -> str:
        """See `Part`."""
        return await self._process.over()

    async def end(self) -> None:
        """See `Part`."""
        await self._process.end()
        self._ray.close()

    async def _is_ready(self, _: int) -> bool:
        return self._ray.address is not None
