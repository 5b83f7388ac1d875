"""The results in a folder: all of them, or what was there before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from tests.arena.simulated import plan_of, played, tallied

from junto.arena.entrants import Entrant
from junto.arena.errors import NoTournament
from junto.arena.plan import Plan
from junto.arena.records import SittingRecord
from junto.arena.report.folder import DEALS, REPORT, STANDINGS, load_results, write_results
from junto.arena.spec_files import spec_text
from junto.arena.versions import Versions

VERSIONS = Versions("0.1.0", 1, {"weak": "a", "fair": "b", "strong": "c"})


def written(folder: Path, plan: Plan, deals: list[list[SittingRecord]], versions: Versions = VERSIONS) -> Path:
    """Write the results of some deals into a new folder."""
    folder.mkdir(exist_ok=True)
    (folder / "spec.toml").write_text(spec_text(plan.spec), encoding="utf-8")
    write_results(folder, plan, tallied(plan, deals), chain.from_iterable(deals), versions)
    return folder


def test_results_come_back(tmp_path: Path) -> None:
    """Standings, versions, and every deal."""
    plan = plan_of(deals=6)
    deals = played(plan)

    found = load_results(written(tmp_path, plan, deals))

    assert found.plan.spec == plan.spec
    assert found.standings == tallied(plan, deals).standings()
    assert found.versions == VERSIONS
    assert [len(deal) for deal in found.deals()] == [plan.sittings_per_deal] * 6
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([DEALS, REPORT, STANDINGS, "spec.toml"])


def test_what_fails_to_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    """Each file is written aside first; of one that was not finished nothing is left."""
    plan = plan_of(deals=6)
    deals = played(plan)
    written(tmp_path, plan, deals)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def torn() -> Iterator[SittingRecord]:
        yield deals[0][0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_results(tmp_path, plan, tallied(plan, deals[:3]), torn(), VERSIONS)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 9}', "{"])
def test_what_are_no_results_is_refused_in_words(tmp_path: Path, text: str) -> None:
    """An empty folder, and files that hold something else."""
    with pytest.raises(NoTournament, match="holds no results of a tournament"):
        load_results(tmp_path)

    (tmp_path / STANDINGS).write_text(text)
    with pytest.raises(NoTournament, match="cannot be read"):
        load_results(tmp_path)


def test_standings_of_no_known_tournament_are_refused_in_words(tmp_path: Path) -> None:
    """The spec says what was played."""
    plan = plan_of(deals=2)
    written(tmp_path, plan, played(plan))
    (tmp_path / "spec.toml").write_text("game = 'chess'")

    with pytest.raises(NoTournament, match=r"spec\.toml"):
        load_results(tmp_path)


def test_results_outlive_their_strategies(tmp_path: Path) -> None:
    """A folder can be looked at where its strategies are not installed, and the file of one is gone."""
    plan = plan_of(deals=2)
    gone = (Entrant("gone", "/nowhere/bot.py:Bot"), Entrant("unknown", "acme-oracle"))
    plan = Plan(replace(plan.spec, entrants=gone))

    assert load_results(written(tmp_path, plan, played(plan))).plan.spec == plan.spec
