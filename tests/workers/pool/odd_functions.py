"""Functions that decide, as strangers write them: quick, slow, crashing, hanging, lying. Run in the workers.

`gate` does as it is told: it says where it runs (`started`), then waits for `go`; both are named pipes in the
folder that the request names.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any


def decide(strategy_id: str, request: bytes, time_left_s: float) -> Any:
    """Decide as the strategy's name says."""
    match strategy_id:
        case "echo":
            return request
        case "pid":
            return str(os.getpid()).encode()
        case "time-left":
            return str(time_left_s).encode()
        case "gate":
            return _gate(Path(os.fsdecode(request)))
        case "touch":
            Path(os.fsdecode(request)).touch()
            return b""
        case "hang":
            time.sleep(3600)
        case "die":
            os._exit(7)
        case "raise":
            raise LookupError("there is no strategy of this name")
        case "lie":
            return "text"
        case "babble":
            return bytes(int(request))
    return None


def crash() -> None:
    """Warm up badly."""
    os._exit(7)


def refuse() -> None:
    """Do not warm up at all."""
    raise RuntimeError("the kernels do not compile")


def _gate(folder: Path) -> bytes:
    pid = str(os.getpid())
    (folder / "started").write_text(f"{pid}\n")
    with (folder / "go").open("rb", buffering=0) as go:
        go.read(1)
    return pid.encode()
