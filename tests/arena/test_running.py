"""Runs: every deal is played once, whatever happens, and the tables depend on the deals alone."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from junto.arena.crew import Batch, OwnCrew, Played
from junto.arena.entrants import Entrant
from junto.arena.errors import FolderInUse, ForeignFolder, JournalBroken, NoTournament
from junto.arena.journal import opened, read
from junto.arena.plan import Plan
from junto.arena.records import SittingRecord, from_bytes, to_bytes
from junto.arena.replays import replay_of, steps_of
from junto.arena.running import End, Progress, counted, run
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.statistics.standings_json import standings_json, without_times
from junto.arena.versions import Versions, versions_of
from junto.v1.replays_pb2 import Replay
from junto.wire.replays import verify

SPEC = Spec("whist", (Entrant("a", "random"), Entrant("b", "random")), deals=12, seed=5)
VERSIONS = Versions("1", 1, {"a": "x", "b": "x"})


class Shuffling:
    """A crew that gives batches back in another order than it was given them, and stops after some."""

    def __init__(self, plan: Plan, seed: int, batches: int = 10**9) -> None:
        self._crew = OwnCrew(plan)
        self._draw = random.Random(seed)
        self._left = batches
        self._given: list[Batch] = []

    @property
    def room(self) -> int:
        return 5 - len(self._given)

    @property
    def busy(self) -> bool:
        return bool(self._given)

    def give(self, batch: Batch) -> None:
        self._given.append(batch)

    def take(self, within_s: float) -> Sequence[Played]:
        if self._left == 0:
            raise KeyboardInterrupt
        self._left -= 1
        self._crew.give(self._given.pop(self._draw.randrange(len(self._given))))
        return [replace(played, seconds=0.4 * len(played.records)) for played in self._crew.take(within_s)]

    def close(self) -> None:
        self._crew.close()


class Memory:
    """A journal that lives as long as the test."""

    def __init__(self) -> None:
        self.records: dict[tuple[int, int], bytes] = {}
        self.twice: list[tuple[int, int]] = []

    def finished(self) -> Iterator[SittingRecord]:
        yield from (from_bytes(self.records[at]) for at in sorted(self.records))

    def add(self, records: Sequence[SittingRecord]) -> None:
        for record in records:
            at = record.sitting.deal, record.sitting.number
            self.twice += [at] if at in self.records else []
            self.records.setdefault(at, to_bytes(record))


def never() -> bool:
    return False


def quietly(_: Progress) -> None:
    """Watch nothing."""


def tables(spec: Spec, journal: Memory) -> object:
    """Return the tables of a finished run without what a clock measured."""
    plan = Plan(spec)
    with closing(OwnCrew(plan)) as crew:
        ran = run(plan, journal, crew, told=quietly, should_stop=never)
    assert ran.end is not End.STOPPED
    return without_times(standings_json(ran.tally.standings())), [
        (record.sitting, record.actions, [seat.score for seat in record.seats])
        for record in counted(journal, ran.tally)
    ]


@pytest.mark.parametrize("stop", [None, StopRule(1.0, alpha=0.4, beta=0.4, first=10)])
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_tables(stop: StopRule | None) -> None:
    """Batches come back in any order, the run dies ten times between them: same records, same tables, none twice."""
    spec = replace(SPEC, stop=stop, format=Format.HEAD_TO_HEAD, deals=12 if stop is None else 40)
    unbroken = Memory()
    expected = tables(spec, unbroken)
    broken = Memory()
    for life in range(10):
        with closing(Shuffling(Plan(spec), life, batches=3)) as crew:
            try:
                run(Plan(spec), broken, crew, told=quietly, should_stop=never)
            except KeyboardInterrupt:
                continue

    assert tables(spec, broken) == expected
    assert not broken.twice


def test_another_seed_is_another_tournament() -> None:
    """The tables depend on the seed."""
    short = replace(SPEC, deals=2)

    assert tables(short, Memory()) != tables(replace(short, seed=6), Memory())


def test_progress_ends_with_all_deals_told() -> None:
    """The last thing that is told is the whole tournament."""
    told: list[Progress] = []
    plan = Plan(SPEC)
    with closing(OwnCrew(plan)) as crew:
        run(plan, Memory(), crew, told=told.append, should_stop=never)

    assert (told[-1].deals, told[-1].sittings) == (12, 24)
    assert [progress.deals for progress in told] == sorted(progress.deals for progress in told)


def test_a_run_that_is_asked_to_stop_says_so_and_can_be_gone_on_with() -> None:
    """What was played by then is kept."""
    journal, plan = Memory(), Plan(SPEC)
    with closing(Shuffling(plan, 1)) as crew:  # its batches stay small, however fast the machine is
        ran = run(plan, journal, crew, told=quietly, should_stop=lambda: len(journal.records) > 5)

    assert ran.end is End.STOPPED
    assert 5 < len(journal.records) < 24
    assert tables(SPEC, journal) == tables(SPEC, Memory())


@pytest.mark.parametrize("game", ["napoleon-tw", "bridge", "dou-dizhu"])
def test_a_record_plays_through_again(game: str) -> None:
    """The actions that are kept are the whole deal: they are legal, and they end in the scores that are kept."""
    plan, journal = Plan(replace(SPEC, game=game, deals=2)), Memory()
    with closing(OwnCrew(plan)) as crew:
        run(plan, journal, crew, told=quietly, should_stop=never)

    for record in journal.finished():
        deal = [step.deal for _, step in steps_of(plan, record)][-1]
        assert deal.scores == tuple(seat.score for seat in record.seats)
        assert record.void_steps >= 0
        after = verify(Replay.FromString(replay_of(plan, record).SerializeToString()))
        assert after is not None
        assert after.scores == deal.scores


# --- folders


def some_records() -> list[SittingRecord]:
    """Return the sittings of the first deal, played."""
    plan = Plan(SPEC)
    with closing(OwnCrew(plan)) as crew:
        crew.give(plan.of_deal(0))
        (played,) = crew.take(0.0)
    return [replace(record, cpu_s=0.0) for record in played.records]


def noise() -> str:
    """Return a text that cannot be packed."""
    return random.Random(1).randbytes(100_000).hex()


def test_a_folder_keeps_what_was_played(tmp_path: Path) -> None:
    """What was added is there when the folder is opened again; adding it again changes nothing."""
    plan, memory = Plan(SPEC), Memory()
    with closing(OwnCrew(plan)) as crew:
        run(plan, memory, crew, told=quietly, should_stop=never)
    records = list(memory.finished())
    with opened(tmp_path / "new", SPEC, VERSIONS) as journal:
        journal.add(records[:10])
    with opened(tmp_path / "new", SPEC, VERSIONS) as journal:
        journal.add(records[5:])

    with read(tmp_path / "new") as (spec, journal):
        assert spec == SPEC
        assert list(journal.finished()) == records
        assert journal.of_deal(3) == tuple(records[6:8])
        assert journal.of_deal(99) == ()
        assert journal.versions == VERSIONS


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (replace(SPEC, seed=6), "seed: 5 there, 6 here"),
        (replace(SPEC, game="bridge"), "game: .* there, bridge here"),
        (replace(SPEC, deals=13), "deals: .* there, 13 here"),
        (replace(SPEC, entrants=SPEC.entrants[::-1]), "its entrants are"),
    ],
)
def test_the_folder_of_another_tournament_is_left_as_it_is(tmp_path: Path, other: Spec, told: str) -> None:
    """It is refused in words, and no byte of it changes."""
    with opened(tmp_path, SPEC, VERSIONS) as journal:
        journal.add(some_records())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    with pytest.raises(ForeignFolder, match=told), opened(tmp_path, other, VERSIONS):
        pass

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_of_other_versions_is_refused(tmp_path: Path) -> None:
    """Results of two states of a strategy, or of two versions of the rules, are not mixed."""
    with opened(tmp_path, SPEC, VERSIONS) as journal:
        journal.add(some_records())

    with (
        pytest.raises(ForeignFolder, match="another state of 'a'"),
        opened(tmp_path, SPEC, replace(VERSIONS, strategies={"a": "y", "b": "x"})),
    ):
        pass
    with (
        pytest.raises(ForeignFolder, match="version 1 of the rules"),
        opened(tmp_path, SPEC, replace(VERSIONS, rules=2)),
    ):
        pass


def test_a_folder_in_which_nothing_was_played_takes_a_mended_strategy(tmp_path: Path) -> None:
    """Who mends a strategy that could not be loaded need not choose another folder."""
    mended = replace(VERSIONS, strategies={"a": "y", "b": "x"})
    with opened(tmp_path, SPEC, VERSIONS):
        pass

    with opened(tmp_path, SPEC, mended) as journal:
        assert journal.versions == mended


def test_a_folder_in_which_nothing_was_played_takes_another_tournament(tmp_path: Path) -> None:
    """Who named a class that is not there need not choose another folder for the right one, unless somebody plays."""
    other = replace(SPEC, seed=6)
    with (
        opened(tmp_path, SPEC, VERSIONS),
        pytest.raises(ForeignFolder, match="seed: 5 there, 6 here"),
        opened(tmp_path, other, VERSIONS),
    ):
        pass

    with opened(tmp_path, other, VERSIONS) as journal:
        journal.add(some_records())

    with read(tmp_path) as (spec, journal):
        assert spec == other
        assert not journal.is_empty


@pytest.mark.parametrize("change", ["edited", "removed"])
def test_a_spec_that_was_changed_by_hand_is_not_gone_on_with(tmp_path: Path, change: str) -> None:
    """Deals of two seeds are never counted as one tournament, not even if somebody edits or removes the spec."""
    with opened(tmp_path, SPEC, VERSIONS) as journal:
        journal.add(some_records())
    path = tmp_path / "spec.toml"
    if change == "edited":
        path.write_text(path.read_text().replace("seed = 5", "seed = 6"))
        with pytest.raises(ForeignFolder, match="begun with"), read(tmp_path):
            pass
    else:
        path.unlink()

    with pytest.raises(ForeignFolder, match="begun with"), opened(tmp_path, replace(SPEC, seed=6), VERSIONS):
        pass

    assert path.exists() == (change == "edited")


def test_damage_in_the_middle_of_a_journal_is_told_in_one_line(tmp_path: Path) -> None:
    """It is told where, instead of counting what was not played."""
    with opened(tmp_path, SPEC, VERSIONS) as journal:
        journal.add(some_records())
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE sittings SET record = x'789c00' WHERE deal = 0 AND number = 1")

    with opened(tmp_path, SPEC, VERSIONS) as journal, pytest.raises(JournalBroken, match="deal 0, sitting 1"):
        list(journal.finished())
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database, database:
        database.execute("UPDATE sittings SET record = (SELECT record FROM sittings WHERE number = 0)")
    with read(tmp_path) as (_, journal), pytest.raises(JournalBroken, match="deal 0, sitting 1"):
        journal.of_deal(0)


def test_a_disk_that_is_full_is_told_and_what_was_kept_stays(tmp_path: Path) -> None:
    """A run that cannot keep what it plays ends with a sentence."""
    with opened(tmp_path, SPEC, VERSIONS) as journal:
        first, second = some_records()
        journal.add([first])
        journal._database.execute("PRAGMA max_page_count = 1")  # as if the disk had no more room
        with pytest.raises(JournalBroken, match="full"):
            journal.add([replace(second, actions=(noise(),))])

        assert list(journal.finished()) == [first]


def test_a_journal_that_is_a_folder_is_told(tmp_path: Path) -> None:
    """So is whatever else SQLite cannot open."""
    (tmp_path / "journal.sqlite").mkdir()

    with pytest.raises(ForeignFolder, match=r"journal.sqlite"), opened(tmp_path, SPEC, VERSIONS):
        pass


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    """Somebody's photographs are not overwritten."""
    (tmp_path / "photo.jpg").write_bytes(b"x")

    with pytest.raises(ForeignFolder, match="something else"), opened(tmp_path, SPEC, VERSIONS):
        pass

    assert [path.name for path in tmp_path.iterdir()] == ["photo.jpg"]
    with pytest.raises(NoTournament), read(tmp_path):
        pass


def test_two_do_not_play_into_one_folder(tmp_path: Path) -> None:
    """The second is told that somebody plays there; somebody may look all the same."""
    with opened(tmp_path, SPEC, VERSIONS):
        with pytest.raises(FolderInUse), opened(tmp_path, SPEC, VERSIONS):
            pass
        with read(tmp_path) as (spec, _):
            assert spec == SPEC


def test_a_journal_that_is_none_is_refused(tmp_path: Path) -> None:
    """A broken file is told, not overwritten."""
    with opened(tmp_path, SPEC, VERSIONS):
        pass
    (tmp_path / "journal.sqlite").write_bytes(b"rubbish" * 1000)
    for side in ("journal.sqlite-wal", "journal.sqlite-shm"):
        (tmp_path / side).unlink(missing_ok=True)

    with pytest.raises(ForeignFolder, match="cannot be used"), opened(tmp_path, SPEC, VERSIONS):
        pass
    with pytest.raises(ForeignFolder, match="cannot be read"), read(tmp_path):
        pass


def test_built_in_strategies_are_versioned_by_their_code() -> None:
    """All built-in strategies of one state of the code have its digest."""
    versions = versions_of(SPEC)

    assert versions.strategies["a"] == versions.strategies["b"] != ""
