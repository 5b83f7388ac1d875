"""What was played is kept at once, a record a sitting: in a folder's SQLite file, which survives a kill at any moment.

A folder holds one tournament: `spec.toml`, `journal.sqlite`, and what is made of them (`junto.arena.report`). Another
tournament's folder, or one of other versions of the rules or the strategies, is refused and left as it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final, Protocol

from junto.arena.errors import FolderInUse, ForeignFolder, JournalBroken, NoTournament, SpecError
from junto.arena.records import SittingRecord, from_bytes, to_bytes
from junto.arena.spec import MOST_DEALS, VERSION, Spec
from junto.arena.spec_files import read_spec, spec_text
from junto.arena.versions import Versions

JOURNAL: Final = "journal.sqlite"
SPEC: Final = "spec.toml"
_LOCK: Final = "lock"
_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS sittings (
        deal INTEGER, number INTEGER, record BLOB NOT NULL, PRIMARY KEY (deal, number)
    ) WITHOUT ROWID;
"""


class Journal(Protocol):
    """Where the records of a tournament are kept."""

    def finished(self) -> Iterator[SittingRecord]:
        """Yield all that was played, in the order of deals and sittings."""
        ...

    def add(self, records: Sequence[SittingRecord]) -> None:
        """Keep more; what is there already stays as it is."""
        ...


class FolderJournal:
    """A `Journal` in a folder; use `opened` or `read`. Its methods raise `JournalBroken` if its file cannot be used."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path

    def finished(self) -> Iterator[SittingRecord]:
        """See `Journal`."""
        return self._records("SELECT deal, number, record FROM sittings ORDER BY deal, number")

    def add(self, records: Sequence[SittingRecord]) -> None:
        """See `Journal`."""
        rows = [(record.sitting.deal, record.sitting.number, to_bytes(record)) for record in records]
        try:
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO sittings VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise JournalBroken(f"nothing more can be kept in {self._path}: {error}") from None

    def of_deal(self, deal: int) -> tuple[SittingRecord, ...]:
        """Return what was played of a deal, in order."""
        if not 0 <= deal < MOST_DEALS:
            return ()
        return tuple(
            self._records(
                "SELECT deal, number, record FROM sittings WHERE deal = ? ORDER BY number",
                (deal,),
            )
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing was played yet."""
        return self._database.execute("SELECT 1 FROM sittings LIMIT 1").fetchone() is None

    def _records(self, select: str, values: tuple[int, ...] = ()) -> Iterator[SittingRecord]:
        place = "its beginning"
        try:
            for deal, number, packed in self._database.execute(select, values):
                place = f"deal {deal}, sitting {number}"
                record = from_bytes(packed)
                if (record.sitting.deal, record.sitting.number) != (deal, number):
                    raise ValueError(f"it is of deal {record.sitting.deal}")  # noqa: TRY301  # told below
                yield record
        except (sqlite3.Error, ValueError) as error:
            raise JournalBroken(f"{self._path} is damaged at {place}: {error}") from None

    def about(self, name: str) -> str | None:
        """Return what is noted under a name."""
        found = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if found is None else found[0]

    def note(self, **values: str) -> None:
        """Note values under their names."""
        with self._database:
            self._database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", list(values.items()))

    @property
    def versions(self) -> Versions:
        """What the tournament is played with."""
        noted = self.about("versions")
        assert noted is not None, "a journal notes them when it is begun"
        return Versions(**json.loads(noted))


@contextmanager
def opened(folder: Path, spec: Spec, versions: Versions) -> Iterator[FolderJournal]:
    """Open the journal of a tournament in a folder, which is made if need be, for one process at a time.

    Raises:
        ForeignFolder: the folder holds something else.
        FolderInUse: another process is playing it.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _check_folder(folder, spec)
    lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        _take(lock, folder)
        _check_folder(folder, spec)  # again: another process may have begun one in between
        with closing(_connected(folder / JOURNAL)) as database:
            journal = FolderJournal(database, folder / JOURNAL)
            try:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                database.executescript(_SCHEMA)
                _claim(journal, folder, spec, versions)
            except sqlite3.Error as error:
                raise ForeignFolder(f"{folder / JOURNAL} cannot be used: {error}") from None
            if not (folder / SPEC).exists() or read_spec(folder / SPEC, needs_strategies=False) != spec:
                _write(folder / SPEC, spec_text(spec))
            yield journal
    finally:
        os.close(lock)


@contextmanager
def read(folder: Path) -> Iterator[tuple[Spec, FolderJournal]]:
    """Open the tournament of a folder to look at it; one that is being played can be looked at too.

    Raises:
        NoTournament: there is none.
        ForeignFolder: another version wrote it.
    """
    if not (folder / JOURNAL).is_file() or not (folder / SPEC).is_file():
        raise NoTournament(f"{folder} holds no tournament")
    try:
        spec = read_spec(folder / SPEC, needs_strategies=False)
    except SpecError as error:
        raise ForeignFolder(f"{folder} cannot be read: {error}") from None
    with closing(_connected(folder / JOURNAL)) as database:
        journal = FolderJournal(database, folder / JOURNAL)
        try:
            _check_version(journal, folder)
            _check_spec(journal, folder, spec)
        except sqlite3.Error as error:
            raise ForeignFolder(f"{folder / JOURNAL} cannot be read: {error}") from None
        yield spec, journal


def _connected(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=60.0)
    except sqlite3.Error as error:
        raise ForeignFolder(f"{path} cannot be used: {error}") from None


def _check_folder(folder: Path, spec: Spec) -> None:
    """Refuse a folder that holds anything but this tournament."""
    if (folder / SPEC).is_file():
        try:
            found = read_spec(folder / SPEC, needs_strategies=False)
        except SpecError as error:
            raise ForeignFolder(f"{folder} holds something else: {error}") from None
        if found != spec and not _is_unplayed(folder):
            raise ForeignFolder(
                f"{folder} holds another tournament ({_difference(found, spec)}); choose another folder"
            )
    elif not (folder / JOURNAL).exists() and any(entry.name != _LOCK for entry in folder.iterdir()):
        raise ForeignFolder(f"{folder} holds something else than a tournament; choose another folder")


def _is_unplayed(folder: Path) -> bool:
    """Tell whether the tournament of a folder was begun, and ended in order without a sitting; nothing is changed."""
    path = folder / JOURNAL
    if not path.is_file() or path.with_name(f"{JOURNAL}-wal").exists():
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            return FolderJournal(database, path).is_empty
    except sqlite3.Error:
        return False


def _difference(found: Spec, wanted: Spec) -> str:
    theirs, ours = ([entrant.text for entrant in spec.entrants] for spec in (found, wanted))
    if found.game == wanted.game and theirs != ours:
        return f"its entrants are {', '.join(theirs)}, not {', '.join(ours)}"
    for name in ("game", "options", "format", "deals", "seed", "at_a_table", "stop"):
        if getattr(found, name) != getattr(wanted, name):
            return f"{name}: {_shown(getattr(found, name))} there, {_shown(getattr(wanted, name))} here"
    return "its entrants think for another time"


def _shown(value: object) -> object:
    return getattr(value, "value", value)


def _take(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FolderInUse(f"another process is playing the tournament of {folder}") from None


def _claim(journal: FolderJournal, folder: Path, spec: Spec, versions: Versions) -> None:
    """Note what a new tournament is played with; refuse to go on with one that was begun with something else.

    What was begun without a single sitting is as new: a strategy that could not be loaded may be mended first, or
    another one be named.
    """
    if journal.about("version") is not None:
        _check_version(journal, folder)
    if journal.is_empty:
        journal.note(version=str(VERSION), versions=json.dumps(asdict(versions)), spec=spec_text(spec))
        return
    _check_spec(journal, folder, spec)
    begun = journal.versions
    if begun.rules != versions.rules:
        raise ForeignFolder(f"{folder} was begun with version {begun.rules} of the rules; this is {versions.rules}")
    for name, hashed in versions.strategies.items():
        if begun.strategies.get(name) != hashed:
            raise ForeignFolder(f"{folder} was begun with another state of {name!r}; what is played now goes elsewhere")


def _check_version(journal: FolderJournal, folder: Path) -> None:
    version = journal.about("version")
    if version != str(VERSION):
        raise ForeignFolder(f"{folder} was written by another version of Junto (form {version}, this is {VERSION})")


def _check_spec(journal: FolderJournal, folder: Path, spec: Spec) -> None:
    """Refuse a folder whose spec was changed, or is another one's, after it was begun."""
    begun = journal.about("spec")
    if begun not in {None, spec_text(spec)}:
        raise ForeignFolder(f"{folder / SPEC} is not what the tournament of {folder / JOURNAL} was begun with")


def _write(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")
    draft.write_text(text, encoding="utf-8")
    draft.rename(path)
