"""Specs: read, checked, written, and what is said of a wrong one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.arena.entrants import Entrant, parse_entrant, split_entrants
from junto.arena.errors import SpecError, StrategyUnfit
from junto.arena.plan import Plan
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.spec_files import read_spec, spec_text

WHOLE = """
game = "napoleon-tw"
format = "round_robin"
deals = 20
seed = 7
at_a_table = 3
[options]
min_bid = 13
[[entrants]]
strategy = "greedy"
[[entrants]]
strategy = "pimc"
iterations = 100
name = "search"
[[entrants]]
strategy = "bots/mine.py:Mine"
patience = 2
"""


TWO = """
game = "whist"
deals = 20
[[entrants]]
strategy = "greedy"
[[entrants]]
strategy = "random"
"""


def written(folder: Path, text: str) -> Path:
    (folder / "bots").mkdir(exist_ok=True)
    (folder / "bots/mine.py").write_text("class Mine: ...\n")
    path = folder / "spec.toml"
    path.write_text(text)
    return path


def test_a_spec_is_read_and_written_again(tmp_path: Path) -> None:
    """What a file says is what is played, paths start from its folder, and writing it loses nothing."""
    spec = read_spec(written(tmp_path, WHOLE))

    mine = str(tmp_path.resolve() / "bots/mine.py") + ":Mine"
    assert spec == Spec(
        "napoleon-tw",
        (
            Entrant("greedy", "greedy"),
            Entrant("search", "pimc", iterations=100),
            Entrant("Mine", mine, patience_s=2.0),
        ),
        deals=20,
        seed=7,
        at_a_table=3,
        options={"min_bid": 13},
    )
    (tmp_path / "again.toml").write_text(spec_text(spec))
    assert read_spec(tmp_path / "again.toml") == spec


def test_a_stop_rule_is_read_and_written_again(tmp_path: Path) -> None:
    """Two entrants meet head to head, and stop when it is decided."""
    text = (
        'game="whist"\ndeals=9\n[[entrants]]\nstrategy="greedy"\n[[entrants]]\nstrategy="random"\n[stop]\ndifference=2'
    )

    spec = read_spec(written(tmp_path, text))

    assert spec.format is Format.HEAD_TO_HEAD
    assert spec.stop == StopRule(2.0)
    (tmp_path / "again.toml").write_text(spec_text(spec))
    assert read_spec(tmp_path / "again.toml") == spec


def test_a_ladder_is_climbed_with_each_budget(tmp_path: Path) -> None:
    """One strategy is as many entrants as it has budgets, among the first one; it needs no other budget."""
    text = 'game="whist"\nformat="ladder"\ndeals=9\n[[entrants]]\nstrategy="greedy"\n'
    text += '[[entrants]]\nstrategy="pimc"\n'
    text += "[[budgets]]\niterations=10\n[[budgets]]\nseconds=0.5\n"

    spec = read_spec(written(tmp_path, text))

    assert [(one.name, one.iterations, one.seconds) for one in spec.entrants] == [
        ("greedy", None, None),
        ("pimc 10 it", 10, None),
        ("pimc 0.5 s", None, 0.5),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('game = "napoleon-tw"', 'game = "napoleon"', "game: there is no game 'napoleon'"),
        ('game = "napoleon-tw"', "", "game: it is missing"),
        ("deals = 20", "deals = 0", "deals: there are 1 to 10000000 deals, not 0"),
        ("deals = 20", 'deals = "20"', "deals: it is a whole number, not '20'"),
        ("deals = 20", "deals = true", "deals: it is a whole number, not True"),
        ("seed = 7", "seed = -7", "seed: it is from 0"),
        ("min_bid = 13", "min_bid = 99", "options.min_bid: min_bid must be"),
        ("min_bid = 13", "minbid = 13", "options.minbid: this game has no option 'minbid'"),
        ("min_bid = 13", "min_bid = 1.5", "options.min_bid: it is true or false"),
        ('strategy = "greedy"', 'strategy = "gredy"', "entrants[0].strategy: there is no strategy 'gredy'"),
        ('strategy = "greedy"', 'strategies = "greedy"', "entrants[0].strategies: there is no such key"),
        ("iterations = 100", "iterations = 0", "entrants[1].iterations: it is from 1"),
        ("iterations = 100", "seconds = nan", "entrants[1].seconds: it is more than 0"),
        ("iterations = 100", "", "entrants[1]: say how long pimc thinks"),
        ('name = "search"', 'name = "greedy"', "entrants[1].name: 'greedy' is the name of entrants[0] already"),
        ('name = "search"', 'name = "a\\u0007b"', "entrants[1].name: a name has 1 to 40 characters"),
        ("bots/mine.py", "bots/yours.py", "entrants[2].strategy: there is no file"),
        ("patience = 2", "patience = 0", "entrants[2].patience: it is more than 0"),
        ("at_a_table = 3", "at_a_table = 9", "at_a_table: 3 entrants at a table with 5 places"),
        ('"round_robin"', '"swiss"', "format: there is no format 'swiss'"),
        ('"round_robin"', '"head_to_head"', "entrants: head to head is for two, not 3"),
        ("seed = 7", "seed = 7\nspeed = 8", "speed: there is no such key"),
        ("[options]", "[stop]\ndifference = 1\n[options]", "stop: a run is stopped early by the difference of two"),
        ("seed = 7", "seed = ", "it is no TOML"),
        ("seed = 7", "seed = " + "9" * 5000, "it is no TOML"),
        ("seed = 7", "seed = 7\nodd = " + "[" * 5000 + "]" * 5000, "nested too deep"),
        ("seed = 7", 'seed = {a = "' + "x" * 100_000 + '"}', "seed: it is a whole number"),
        ("seed = 7", 'seed = 7\nodd = "' + "x" * 1_100_000 + '"', "it has more than 1048576 bytes"),
        ("seed = 7", 'seed = 7\n"\\u001b[31m\\n" = 1', r"\x1b[31m\n: there is no such key"),
        ("iterations = 100", "seconds = " + "9" * 400, "entrants[1].seconds: it is a number, and not one with"),
        ("bots/mine.py", "bots\\u0000/mine.py", "entrants[2].strategy: it has up to 1000 characters"),
        ("bots/mine.py", "x" * 300 + ".py", "entrants[2].strategy: there is no file"),
        ("bots/mine.py", "~nobody-of-that-name/mine.py", "entrants[2].strategy: there is no file"),
        ("bots/mine.py:Mine", ":Mine", "entrants[2].strategy: a file's is written 'my_bot.py:Class'"),
    ],
)  # fmt: skip
def test_a_wrong_spec_is_refused_in_one_line_that_says_where(tmp_path: Path, old: str, new: str, told: str) -> None:
    """The line names the file and the place in it."""
    assert old in WHOLE
    path = written(tmp_path, WHOLE.replace(old, new, 1))

    with pytest.raises(SpecError) as refused:
        read_spec(path)

    assert told in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 1000


def test_a_seed_that_nobody_chose_cannot_be_tried_out(tmp_path: Path) -> None:
    """It has 63 random bits: with 32 of them a strategy could find it from what it is told, and with it all hands."""
    path = tmp_path / "spec.toml"
    path.write_text(TWO)

    assert any(read_spec(path).seed >= 1 << 50 for _ in range(10))


def test_what_others_write_is_told_in_one_line() -> None:
    """A service that calls itself by a book, in colours, is told of in a line that can be printed."""
    told = str(StrategyUnfit("it plays \x1b[31mwhist\n" + "and more " * 1000))

    assert told.startswith(r"it plays \x1b[31mwhist and more")
    assert told.isprintable()
    assert len(told) < 1500


def test_a_service_is_called_by_its_address() -> None:
    """The part that tells services apart is not cut off where there is little room."""
    assert parse_entrant("grpc://127.0.0.1:7000", "here").name == "127.0.0.1:7000"


def test_a_deal_is_not_played_a_million_times(tmp_path: Path) -> None:
    """Line-ups that nobody could play through are refused before they fill the memory; two at a table can be played."""
    many = "".join(f'[[entrants]]\nstrategy = "random"\nname = "{number}"\n' for number in range(64))
    path = tmp_path / "spec.toml"
    path.write_text('game = "napoleon-tw"\ndeals = 1\n' + many)
    assert Plan(read_spec(path)).sittings_per_deal == 64 * 63
    path.write_text('game = "napoleon-tw"\ndeals = 1\nat_a_table = 5\n' + many)

    with pytest.raises(SpecError, match="at_a_table: each deal would be played 38122560 times"):
        read_spec(path)


@pytest.mark.parametrize("odd", ["difference = 1e308", "alpha = 1e-320", "first = 99999999999999999999", "null = nan"])
def test_a_stop_rule_that_no_number_can_meet_is_refused(tmp_path: Path, odd: str) -> None:
    """What would overflow in the middle of a run is told before it."""
    usual = {"difference": "difference = 1.0"} if not odd.startswith("difference") else {}
    path = tmp_path / "spec.toml"
    path.write_text(TWO + "\n".join(("[stop]", *usual.values(), odd)))

    with pytest.raises(SpecError, match=f"stop.{odd.partition(' ')[0]}"):
        read_spec(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """No traceback for a misspelt path."""
    with pytest.raises(SpecError, match=r"none\.toml: it cannot be read: No such file"):
        read_spec(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "text",
    [
        "greedy",
        "pimc:iterations=100",
        "pimc:iterations=1234567",
        "pimc:seconds=0.05,iterations=100,name=fast one",
        "/bots/my.py:Careful",
        "/bots/my.py:Careful:seconds=0.5,patience=2",
        "my.bots:Careful:name=x",
        "grpc://127.0.0.1:7000",
        "grpc://127.0.0.1:7000:patience=2",
    ],
)
def test_an_entrant_is_written_as_it_is_read(text: str) -> None:
    """The text form has everything."""
    entrant = parse_entrant(text, "here")

    assert parse_entrant(entrant.text, "here") == entrant
    assert parse_entrant(text, "here").text == text


@pytest.mark.parametrize("text", ["pimc:speed=3", "pimc:seconds=", "pimc:seconds=x", "", ":seconds=1", "pimc"])
def test_a_wrong_entrant_is_refused(text: str) -> None:
    """Whatever cannot be read is told with its place."""
    with pytest.raises(SpecError, match=r"^here"):
        parse_entrant(text, "here")


@given(
    st.lists(st.sampled_from(["greedy", "pimc:seconds=0.1,iterations=3", "./a.py:B", "pimc:iterations=2"]), min_size=1)
)
def test_a_list_is_split_between_entrants_and_not_within_them(texts: list[str]) -> None:
    """Commas separate both entrants and their settings."""
    assert split_entrants(",".join(texts)) == texts


def test_the_specs_of_the_page_can_be_played(tmp_path: Path) -> None:
    """Every TOML block of docs/arena.md is a tournament."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)

    specs = [read_spec(written(tmp_path, block)) for block in blocks]

    assert [spec.format for spec in specs] == [Format.ROUND_ROBIN, Format.LADDER, Format.HEAD_TO_HEAD]
