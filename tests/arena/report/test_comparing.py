"""Two tournaments side by side."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.arena.report.test_folder import VERSIONS, written
from tests.arena.simulated import plan_of, played

from junto.arena.errors import Incomparable
from junto.arena.plan import Plan
from junto.arena.report.comparing import Comparison, compare, comparison_json
from junto.arena.report.folder import load_results
from junto.arena.spec import Format
from junto.arena.versions import Versions


def compared(
    folder: Path, first: Plan, second: Plan, edges: tuple[float, float] = (3.0, 6.0), versions: Versions = VERSIONS
) -> Comparison:
    """Return the comparison of two simulated tournaments; these have the same luck."""
    one = written(folder / "first", first, played(first, edge=edges[0]))
    other = written(folder / "second", second, played(second, edge=edges[1]), versions)
    return compare(load_results(one), load_results(other))


def test_nothing_changed_where_nothing_changed(tmp_path: Path) -> None:
    """The same tournament twice: no difference, and nothing to remark."""
    plan = plan_of()

    found = compared(tmp_path, plan, plan, (3.0, 3.0))

    assert found.is_paired
    assert found.notes == ()
    assert [change.name for change in found.changes] == ["weak", "fair", "strong"]
    assert all(change.difference.value == 0.0 and not change.is_another for change in found.changes)


def test_the_same_deals_are_compared_one_by_one(tmp_path: Path) -> None:
    """Then the luck of the cards is taken away, and less is left of the interval than of independent means."""
    plan = plan_of(deals=30)

    paired = compared(tmp_path, plan, plan)
    unpaired = compared(tmp_path, plan, plan_of(deals=30, seed=8))

    assert paired.is_paired
    assert not unpaired.is_paired
    for one, other in zip(paired.changes, unpaired.changes, strict=True):
        assert one.difference.value == pytest.approx(one.second.mean.value - one.first.mean.value)
        assert one.difference.interval
        assert other.difference.interval
        assert width(one.difference.interval) < width(other.difference.interval)
    assert "The deals are not the same (seeds 7 and 8): the means are compared unpaired." in unpaired.notes


def width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


def test_a_longer_tournament_is_compared_as_far_as_both_go(tmp_path: Path) -> None:
    """Over the deals that both have played."""
    found = compared(tmp_path, plan_of(deals=20), plan_of(deals=12), (3.0, 3.0))

    assert found.notes == ("20 and 12 deals were played: the first 12 are compared.",)
    assert {change.difference.deals for change in found.changes} == {12}
    assert {change.difference.value for change in found.changes} == {0.0}


def test_another_state_of_a_strategy_is_told(tmp_path: Path) -> None:
    """Its hash differs, and that of the others does not."""
    changed = replace(VERSIONS, strategies={**VERSIONS.strategies, "fair": "other"})

    found = compared(tmp_path, plan_of(), plan_of(), versions=changed)

    assert {change.name: change.is_another for change in found.changes} == {
        "weak": False,
        "fair": True,
        "strong": False,
    }
    assert found.notes == ()


def test_other_company_is_told(tmp_path: Path) -> None:
    """And who played in one of the two only."""
    found = compared(tmp_path, plan_of("weak", "fair", "strong"), plan_of("weak", "fair", "newcomer"))

    assert found.only_first == ("strong",)
    assert found.only_second == ("newcomer",)
    assert found.notes == ("They did not play in the same company: a change may be that of the others.",)


def test_the_field_is_no_entrant_that_changes(tmp_path: Path) -> None:
    """Others are measured by it."""
    plan = plan_of(how=Format.GAUNTLET)

    assert [change.name for change in compared(tmp_path, plan, plan).changes] == ["fair", "strong"]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (plan_of(game="hundred"), "napoleon-tw"),
        (plan_of(how=Format.LADDER), "a gain on the field"),
        (Plan(replace(plan_of().spec, options={"min_bid": 13})), "min_bid is"),
    ],
)
def test_what_has_nothing_in_common_is_refused_in_words(tmp_path: Path, other: Plan, why: str) -> None:
    """Other games, other options, another way of counting: one line says which."""
    with pytest.raises(Incomparable, match=why) as refused:
        compared(tmp_path, plan_of(), other)

    assert "\n" not in str(refused.value)


def test_a_comparison_can_be_told_as_json(tmp_path: Path) -> None:
    """With all its figures."""
    found = comparison_json(compared(tmp_path, plan_of(), plan_of()))

    assert json.loads(json.dumps(found))["changes"][2]["name"] == "strong"
