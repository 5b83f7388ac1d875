"""The report: the page's tables and plots come from result files alone, and are the same for the same files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from bench.strength.collection import Collection
from bench.strength.comparing import DECIDED
from bench.strength.errors import NothingPlayed
from bench.strength.marks import NOTES, NOTHING
from bench.strength.printed import PRINTED
from bench.strength.report import NoPlace, filled, write_report
from bench.strength.store import Spec, opened
from bench.strength.tables import ALL, gains
from bench.strength.times import Times

PAGE = Path(__file__).resolve().parents[2] / "docs" / "strength.md"
GAME, DEALS = "napoleon-tw", 20


def keep(folder: Path, player: str, worth: float, *, codes: str = "0", baseline: str = "greedy") -> None:
    """Keep made-up results of a player that is worth so many points a deal, of several states of the code by turns."""
    rng, times = Random(player), Times()
    times.note(0.04, 0.05)
    with opened(folder, Spec("strength", GAME, player, baseline)) as results:
        for deal in range(DEALS):
            luck = Random(deal).gauss(0.0, 5.0)
            scores = [round(worth + luck + rng.gauss(0.0, 2.0)) for _ in range(5)]
            results.add(
                {
                    "deal": deal, "code": codes[deal % len(codes)], "scores": scores, "baseline": [0] * 5,
                    "times": times.as_json(), "worlds": 100, "searched": 1, "cpu_s": 0.1,
                }
            )  # fmt: skip


def keep_beliefs(folder: Path) -> None:
    """Keep made-up beliefs that get better from trick to trick."""
    with opened(folder, Spec("beliefs", GAME, "greedy", "greedy")) as results:
        for deal in range(DEALS):
            rng = Random(deal)
            losses = {str(n): [4, 4 * (1.2 - n / 10 + rng.random() / 20), 4 * 1.3, 4 * 1.386] for n in range(1, 11)}
            ratios = {str(n): [5, 5 * (0.1 * n + rng.random() / 10)] for n in range(1, 11)}
            results.add({"deal": deal, "code": "0", "losses": losses, "ratios": ratios, "cpu_s": 0.1})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of made-up results."""
    for text, worth in (
        ("pimc:seconds=0.05", 12.0),
        ("pimc:seconds=0.05,infers=off", 8.0),
        ("seeing:seconds=0.05", 20.0),
        ("pimc:seconds=0.01", 7.0),
    ):
        keep(tmp_path / "results", text, worth)
    keep_beliefs(tmp_path / "results")
    print_figures(tmp_path / "results")
    return tmp_path / "results"


def print_figures(folder: Path) -> None:
    """Keep made-up figures as other benchmarks print them."""
    cpu = {"junto": {"decision_ms": 2.0}, "ismcts": {"decision_ms": 1.5}}
    gains = {
        f"{measure}, {role} against {other}": {"mean": 0.5, "low": 0.1, "high": 0.9}
        for measure in ("tricks", "score")
        for role in ("declarer", "defence")
        for other in ("ismcts", "junto")
    }
    beyond = {"p50_ms": -1.0, "p99_ms": 0.5, "p99.9_ms": 2.0, "max_ms": 11.0}
    figures: list[dict[str, object]] = [
        {
            "bench": "peers/playouts", "game": "bridge", "playouts_per_s": 900_000, "ns_per_ply": 20,
            "peer_per_s": 9_000, "peer_ns_per_ply": 2_000, "ratio": 100.0, "ratio_by_ply": 99.0,
        },
        {"bench": "peers/playouts", "game": "whist", "playouts_per_s": 1, "ns_per_ply": 20},
        {
            "bench": "worlds", "game": "whist", "case": "drawn", "value": 2_000_000, "slowest_ns": 900, "ratio": 3.0,
            "count_us_median": 30, "count_us_p99": 90,
        },
        {"bench": "worlds", "game": "whist", "case": "checked", "checked": 100_000, "value": 0},
        {
            "bench": "peers/bridge_ismcts", "game": "bridge", "limit": "2.5 times", "deals": 100, "codes": 2,
            "cpu": cpu, "3NT": gains, "suit game": gains, "both": gains,
        },
        {
            "bench": "peers/rlcard_doudizhu", "game": "dou-dizhu", "case": "pimc as landlord, rule as peasants",
            "landlord_by": "random", "budget": "100 worlds", "unit": "share of deals won by the landlord", "value": 0.7,
            "interval_95": [0.6, 0.8], "points_a_deal_at_bid_1": 0.9, "deals": 200, "codes": 1,
        },
        {
            "bench": "deadlines", "game": "all 10", "case": "10 ms", "value": 0.9995, "at_least": 0.998, "cpu": 1.0,
            "late": 1, "decisions": 2_000, **beyond,
        },
        {"bench": "start", "case": "warm", "value": 9.0, "cpu_s": 9.0, "load": 2.0},
        {"bench": "start", "case": "warm", "value": 1.1, "cpu_s": 1.0, "load": 0.1},
        {
            "bench": "profile_decisions", "game": "whist", "case": "50 ms", "value": 150,
            "shares": {"playouts": 0.75, "rest": 0.25},
        },
    ]  # fmt: skip
    (folder / "printed.jsonl").write_text("".join(json.dumps(figure) + "\n" for figure in figures) + '{"bench"')
    (folder / "not-yet.jsonl").touch()


def test_the_page_has_a_place_for_every_table() -> None:
    """What the repository's page lacks could not be reported."""
    text = PAGE.read_text(encoding="utf-8")

    for name in (*ALL, *PRINTED):
        filled(text, name, "")


def test_the_report_is_made_of_the_results_alone(folder: Path, tmp_path: Path) -> None:
    """Every table has a row of the game, and every plot is drawn; twice the same comes out, byte for byte."""
    pytest.importorskip("matplotlib")
    written = []
    for name in ("one", "two"):
        docs = tmp_path / name
        docs.with_suffix(".md").write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
        written.append({path.name.replace(name, ""): path.read_bytes() for path in write_report([folder], docs)})
    page = written[0][".md"].decode()

    assert written[0] == written[1]
    assert sorted(written[0]) == [".md", "beliefs.svg", "curve.svg", "gap.svg"]
    assert NOTHING not in page
    assert re.search(r"^\| Taiwanese Napoleon \| `greedy` \| \d\.\d\d \[.*\] \| 1,025 \| 20 \|$", page, re.MULTILINE)
    assert "| 1.1 | 1.0 | 0.1 |" in page, "of two figures of the same the later one counts"
    assert "| 9.0 | 9.0 |" not in page
    assert "| Whist | 50 ms | 75 % | 25 % |" in page
    assert re.search(r"^\| Whist \| 2,000,000 .* \| 100,000 \| 0 \|$", page, re.MULTILINE)
    assert re.search(r"^\| Taiwanese Napoleon .*\| 50 ms \| \d\d % \[\d\d %, \d\d %\] \|", page, re.MULTILINE)


def test_a_gap_is_told_with_its_difference(folder: Path) -> None:
    """With and without inference on the same deals: the difference is that of the two shares."""
    (gap,) = Collection.of([folder]).gaps

    assert gap.difference.value == pytest.approx(gap.inferring.value - gap.plain.value)
    assert gap.difference.interval is not None
    assert gap.difference.interval[0] > 0.0


def test_beliefs_are_told_by_trick(folder: Path) -> None:
    """The mean loss of each trick, and how much less it is than a uniform guess's in all."""
    (belief,) = Collection.of([folder]).beliefs

    assert [round(row[2], 3) for row in belief.by_number.values()] == [1.386] * 10
    assert belief.gained.value == pytest.approx(belief.uniform.value - belief.believed.value)
    assert belief.by_number[10][0] < belief.by_number[1][0]


def test_results_of_several_states_of_the_code_are_marked(folder: Path) -> None:
    """A row says of how many its lines are, and a line below says what the mark means; other rows have none."""
    keep(folder, "pimc:seconds=1", 12.0, codes="0123")
    with opened(folder, Spec("strength", GAME, "pimc:seconds=0.01", "greedy")) as results:
        results.add({**results.by_deal[DEALS - 1], DECIDED: True})
    table = gains(Collection.of([folder]))

    assert len(re.findall(r"\| 20 †4 \|$", table, re.MULTILINE)) == 1
    assert len(re.findall(r"\| 20 ‡ \|$", table, re.MULTILINE)) == 1
    assert len(re.findall(r"\| 20 \|$", table, re.MULTILINE)) == 3
    assert table.endswith(f"†: {NOTES['†']}.\n\n‡: {NOTES['‡']}.")


def test_curves_and_gaps_are_of_gains_over_the_rules_of_thumb_alone(folder: Path) -> None:
    """What the same players gain among others is another figure."""
    before = Collection.of([folder])
    for budget in ("seconds=0.2", "seconds=0.05"):
        for player in (f"pimc:{budget}", f"pimc:{budget},infers=off", f"seeing:{budget}"):
            keep(folder, player, 1.0, baseline="random")
    after = Collection.of([folder])

    assert (after.curves, after.gaps) == (before.curves, before.gaps)
    assert len(after.measured("strength")) == len(before.measured("strength")) + 6


def test_a_report_of_nothing_is_refused(tmp_path: Path) -> None:
    """Nor is a page written that has no place for it."""
    with pytest.raises(NothingPlayed, match="no results"):
        Collection.of([tmp_path])
    with pytest.raises(NoPlace, match="no place for its table of gap"):
        filled("# A page", "gap", "| a |")
