"""How a role tells the supervisor that it is ready: a small file with its process id and where it listens."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ready:
    """A role that is ready: its process and its ports (0: it does not listen there)."""

    pid: int
    grpc: int = 0
    http: int = 0
    metrics: int = 0


def tell(path: Path | None, *, grpc: int = 0, http: int = 0, metrics: int = 0) -> None:
    """Say that this process is ready; None: nobody wants to know."""
    if path is None:
        return
    scratch = path.with_suffix(f".{os.getpid()}")
    scratch.write_text(json.dumps(asdict(Ready(os.getpid(), grpc, http, metrics))), encoding="utf-8")
    scratch.replace(path)


def read(path: Path, pid: int) -> Ready | None:
    """Return what the process `pid` said; None: nothing yet."""
    try:
        ready = Ready(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return ready if ready.pid == pid else None
