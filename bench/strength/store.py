"""Results on disk: a file for each player measured in a game, one JSON object a line, one line a deal.

The first line says what is measured. A run that is started again goes on behind the last whole line.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from bench.strength.errors import BadResults, OtherSpec

from junto.games.options import OptionValue

FORMAT: Final = 1
SUFFIX: Final = ".jsonl"
Record = Mapping[str, Any]
"""What one deal came to: its number under `deal`, the state of the code under `code`, and what was measured."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a file measures: a `kind` of measurement of a player in a game, among others who play like `baseline`."""

    kind: str
    game: str
    player: str
    baseline: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def digest(self) -> str:
        """A short name of all of it; each line of results carries it."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @property
    def file_name(self) -> str:
        """Where its results are kept in a folder."""
        parts = [self.game, self.kind, self.player]
        if self.baseline != self.player:
            parts += ["among", self.baseline]
        return "_".join(part.translate(str.maketrans(":,=", "---")) for part in parts) + SUFFIX

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"{self.kind} of {self.player} among {self.baseline} in {self.game}{options}"


class Results:
    """The results of one spec so far, by deal; new ones are written at once.

    Raises:
        OtherSpec: the file holds another spec's.
        BadResults: it holds no results, or another run is writing it.
    """

    def __init__(self, spec: Spec, file: IO[str]) -> None:
        """Read what the file has, which is open for reading and writing, and locked."""
        self.spec = spec
        self.by_deal: dict[int, Record] = {}
        self._file = file
        whole = _whole_lines(file)
        if whole:
            found, records = _read(Path(file.name), whole)
            if found != spec:
                raise OtherSpec(f"{file.name} holds results of another spec ({found}), not of this one ({spec})")
            self.by_deal = records
        else:
            self._write({"spec": asdict(spec), "digest": spec.digest})

    def add(self, record: Record) -> None:
        """Keep a deal's result."""
        self.by_deal[record["deal"]] = record
        self._write({"digest": self.spec.digest, **record})

    def forget(self, unwanted: Callable[[Record], bool]) -> None:
        """Leave out results that were read; their lines stay, and later ones of the same deals take their place."""
        for deal in [deal for deal, record in self.by_deal.items() if unwanted(record)]:
            del self.by_deal[deal]

    def _write(self, value: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(value, separators=(",", ":")) + "\n")
        self._file.flush()


@contextmanager
def opened(folder: Path, spec: Spec) -> Iterator[Results]:
    """Open the results of a spec in a folder, which is made; see `Results` for errors."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / spec.file_name).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadResults(f"another run is writing {file.name}") from None
        yield Results(spec, file)


def read_results(path: Path) -> tuple[Spec, dict[int, Record]]:
    """Return what a file measures, and its results by deal; a half-written last line is left out.

    Raises:
        BadResults: it holds no results.
    """
    with path.open(encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    if not lines:
        raise BadResults(f"{path} holds no results")
    return _read(path, lines)


def _whole_lines(file: IO[str]) -> list[str]:
    """Return a file's lines, and cut off a last one that was not written to its end."""
    file.seek(0)
    lines = file.readlines()
    if lines and not lines[-1].endswith("\n"):
        lines.pop()
        file.truncate(sum(len(line.encode()) for line in lines))
    file.seek(0, 2)
    return lines


def _read(path: Path, lines: Sequence[str]) -> tuple[Spec, dict[int, Record]]:
    try:
        spec = Spec(**json.loads(lines[0])["spec"])
        records = {}
        for line in lines[1:]:
            record = json.loads(line)
            if record.pop("digest") != spec.digest:
                raise OtherSpec(f"{path} holds results of several specs")
            records[record["deal"]] = record
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadResults(f"{path} is no file of results: {error!r}") from None
    return spec, records
