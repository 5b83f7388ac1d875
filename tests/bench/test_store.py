"""Results on disk: whole lines are kept, half ones are not, and no file holds two measurements."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.strength.errors import BadResults, OtherSpec
from bench.strength.store import Spec, opened, read_results

SPEC = Spec("strength", "whist", "pimc:iterations=4", "greedy")


def write(folder: Path, *deals: int) -> Path:
    """Keep a line for each deal."""
    with opened(folder, SPEC) as results:
        for deal in deals:
            results.add({"deal": deal, "scores": [deal, 0]})
    return folder / SPEC.file_name


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    """Another run of the same spec begins with the results of the first, and adds to them."""
    path = write(tmp_path, 0, 1)
    with opened(tmp_path, SPEC) as results:
        assert sorted(results.by_deal) == [0, 1]
        results.add({"deal": 2, "scores": [2, 0]})

    assert read_results(path) == (SPEC, {deal: {"deal": deal, "scores": [deal, 0]} for deal in range(3)})


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_half_written_last_line_is_dropped(tmp_path: Path, cut: int) -> None:
    """A run that was killed while it wrote loses that deal alone; the next line begins where it began."""
    path = write(tmp_path, 0, 1)
    path.write_bytes(path.read_bytes()[:-cut])

    assert sorted(read_results(path)[1]) == [0]
    write(tmp_path, 7)
    assert sorted(read_results(path)[1]) == [0, 7]


def test_a_half_written_first_line_is_dropped(tmp_path: Path) -> None:
    """A run that was killed at once leaves an empty file."""
    path = write(tmp_path)
    path.write_bytes(path.read_bytes()[:10])

    assert sorted(read_results(write(tmp_path, 3))[1]) == [3]


def test_results_of_another_spec_are_refused_in_one_line(tmp_path: Path) -> None:
    """The same player with another option of the game would have the same file: the message names both."""
    write(tmp_path, 0)
    other = Spec(SPEC.kind, SPEC.game, SPEC.player, SPEC.baseline, {"rubber": True})
    with (
        pytest.raises(OtherSpec, match=r"another spec \(.*whist\), not of this one \(.*whist, rubber=True\)") as caught,
        opened(tmp_path, other),
    ):
        pass

    assert "\n" not in str(caught.value)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    """Nothing is written over what is no results."""
    path = tmp_path / SPEC.file_name
    path.write_text("dear diary\n")
    with pytest.raises(BadResults, match="no file of results"), opened(tmp_path, SPEC):
        pass

    assert path.read_text() == "dear diary\n"


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    """The second is told that there is another one."""
    with opened(tmp_path, SPEC), pytest.raises(BadResults, match="another run is writing"), opened(tmp_path, SPEC):
        pass


def test_equal_specs_have_one_digest_and_others_have_another() -> None:
    """It hangs on what is measured alone, not on the process."""
    assert SPEC.digest == "ad0d89180674"
    assert SPEC.digest != Spec("strength", "whist", "pimc:iterations=5", "greedy").digest
