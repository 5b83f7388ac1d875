"""`junto tournament show` and `compare`: what a folder's results look like in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from junto.arena.crew import OwnCrew
from junto.arena.entrants import Entrant
from junto.arena.journal import opened, read
from junto.arena.plan import Plan
from junto.arena.report.folder import DEALS, REPORT, STANDINGS, write_results
from junto.arena.running import counted, run
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.statistics.standings_json import without_times
from junto.arena.versions import versions_of
from junto.cli.console import Failure, console
from junto.cli.replay import replay
from junto.cli.tournament_show import compare_folders, show_folder
from junto.cli.tournament_wishes import Flags, wished


@pytest.fixture(autouse=True)
def fresh_console() -> None:
    """Let the console of this test be the one that is captured."""
    console.cache_clear()


def played(folder: Path, deals: int = 6, seed: int = 5, game: str = "whist", stop: StopRule | None = None) -> Path:
    """Play a small tournament into a folder."""
    entrants = (Entrant("careful", "greedy"), Entrant("wild [red]", "random"))
    spec = Spec(game, entrants, deals, seed, Format.HEAD_TO_HEAD, stop=stop)
    plan = Plan(spec)
    with opened(folder, spec, versions_of(spec)) as journal:
        ran = run(plan, journal, OwnCrew(plan), told=lambda _: None, should_stop=lambda: False)
        write_results(folder, plan, ran.tally, counted(journal, ran.tally))
    return folder


def test_a_folder_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who is best and by how much, with names as they are written."""
    show_folder(played(tmp_path / "one"), as_json=False)

    out = capsys.readouterr().out
    assert "whist, head to head: 6 deals, each played 2 times (seed 5)." in out
    assert "careful" in out
    assert "wild [red]" in out
    assert "better than" in out


def test_a_tournament_that_is_not_over_is_shown_as_far_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From its journal, to the same figures."""
    folder = played(tmp_path / "one")
    show_folder(folder, as_json=True)
    over = json.loads(capsys.readouterr().out)
    for name in (DEALS, REPORT, STANDINGS):
        (folder / name).unlink()

    show_folder(folder, as_json=True)

    assert without_times(json.loads(capsys.readouterr().out)) == without_times(over)


def test_what_was_decided_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the figures that decided it."""
    show_folder(played(tmp_path / "one", deals=240, stop=StopRule(difference=4.0, first=20)), as_json=False)

    out = capsys.readouterr().out
    assert "careful scores 0 a deal more than wild [red] rather than 4 (log likelihood ratio" in " ".join(out.split())


def test_two_folders_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Deal by deal: the same strategies on the same deals did the same."""
    compare_folders(played(tmp_path / "one"), played(tmp_path / "two"), as_json=False)

    out = capsys.readouterr().out
    assert "better, paired" in out
    assert "+0.00 ±0.00" in out
    assert "changed" not in out


def test_other_deals_are_compared_unpaired_and_other_games_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And both are said in a line."""
    one, other = played(tmp_path / "one"), played(tmp_path / "other", seed=6)
    game = played(tmp_path / "game", deals=1, game="dou-dizhu")

    compare_folders(one, other, as_json=False)
    assert "The deals are not the same (seeds 5 and 6)" in capsys.readouterr().out

    with pytest.raises(Failure, match=r"played whist, .* dou-dizhu"):
        compare_folders(one, game, as_json=False)


def test_a_folder_without_a_tournament_is_refused_in_words(tmp_path: Path) -> None:
    """For both commands."""
    with pytest.raises(Failure, match="holds no results of a tournament"):
        show_folder(tmp_path, as_json=False)
    with pytest.raises(Failure, match="holds no results of a tournament"):
        compare_folders(tmp_path, tmp_path, as_json=False)


def test_a_narrow_terminal_folds_figures_and_cuts_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has few columns reads the same figures on more lines."""
    monkeypatch.setenv("COLUMNS", "50")

    show_folder(played(tmp_path / "one", game="dou-dizhu"), as_json=False)

    out = capsys.readouterr().out
    assert "\u2026" not in out
    assert all(len(line) <= 50 for line in out.splitlines()[1:])


def test_a_ladder_of_flags_needs_no_budget_beside_its_budgets() -> None:
    """Who climbs is told by --budgets alone how long to think."""
    flags = Flags(
        game="whist",
        option=None,
        strategies="greedy,pimc",
        deals=5,
        seed=1,
        format="ladder",
        at_a_table=None,
        budgets="iterations=1,iterations=20",
        stop_difference=None,
        alpha=None,
        beta=None,
    )

    assert [one.name for one in wished(None, flags).entrants] == ["greedy", "pimc 1 it", "pimc 20 it"]


def test_a_replay_says_which_deal_it_is_and_what_came_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its number in the tournament and by that at the table; and that void deals came before it."""
    folder = played(tmp_path / "one", game="dou-dizhu")
    with read(folder) as (_, journal):
        record = next(found for found in journal.finished() if not found.attempt)

    replay(folder=folder, deal=record.sitting.deal, sitting=record.sitting.number)

    out = capsys.readouterr().out
    at = record.sitting.deal
    assert (
        f"Deal {at}, sitting {record.sitting.number} of 2; dou-dizhu, seed 5. At the table it is deal {at + 1}:" in out
    )
    assert "everybody passed" not in out
