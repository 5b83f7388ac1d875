"""What `junto loadtest` refuses. `tests/services/cli/test_loadtest.py` runs the real thing."""

from __future__ import annotations

import re

import pytest
import typer

from junto.cli.console import Failure
from junto.cli.load_target import OWN
from junto.cli.main import application
from junto.table.settings import Settings

NINES = "9" * 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--think", "fast"], "--think: 'fast' is no duration"),
        (["--duration", "60"], "--duration: '60' is no duration"),
        (["--bot-time", "0ms"], "--bot-time: '0ms' is no time at all"),
        (["--clients", "human:1,bot:3"], "--clients: napoleon-tw seats 5: human:1,bot:3 makes 4"),
        (["--clients", "human:1,bot:4", "--option", "players=4"], "--clients: napoleon-tw seats 4"),
        (["--clients", "bot:5"], "--clients: 'bot:5' has no human"),
        (["--game", "napoleon"], "did you mean napoleon-tw"),
        (["--option", "player=4"], "has no option 'player'; did you mean players"),
        (["--bot", "gredy"], "there is no strategy 'gredy' for napoleon-tw; did you mean greedy"),
        (["--compare", "greedy,pimk"], "there is no strategy 'pimk'"),
        (["--compare", "greedy"], "--compare: name two bots or more"),
        (["--ramp"], "--ramp: say with --rate where to begin"),
        (["--ramp", "--rate", "5", "--goal", "fast"], "--goal: 'fast' is no goal"),
        (["--server", "nowhere"], "--server: 'nowhere' is no HOST:PORT"),
        (["--metrics", "http://127.0.0.1:1/"], "--metrics: goes with --server alone"),
        (["--duration", "99999999999h"], "--duration: '99999999999h' is too long; 24h is the most"),
        (["--duration", NINES + "h"], "--duration: '99999"),
        (["--duration", "nan"], "--duration: 'nan' is no duration"),
        (["--warmup", "1441m"], "--warmup: '1441m' is too long"),
        (["--step", "infs"], "--step: 'infs' is no duration"),
        (["--think", "1ms..25h"], "--think: '25h' is too long"),
        (["--bot-time", "61s"], "--bot-time: '61s' is too long; 60s is the most"),
        (["--bot-time", "0.1us"], "--bot-time: '0.1us' is no time at all"),
        (["--ramp", "--rate", "5", "--goal", "p99=99h"], "--goal: '99h' is too long"),
        (["--clients", f"human:{NINES},bot:4"], "--clients: 'human:99999"),
        (["--clients", "human:99999999999,bot:4"], "--clients: 'human:99999999999' is not understood"),
        (["--server", f"127.0.0.1:{NINES}"], "--server: '127.0.0.1:99999"),
        (["--option", f"players={NINES}"], "players must be a whole number from 3 to 7"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments: list[str], message: str) -> None:
    """Before anything is started, with the flag or the nearest name; exit code 2."""
    with pytest.raises(Failure, match=re.escape(message)) as refusal:
        application("loadtest")(["loadtest", *arguments], prog_name="junto")

    assert refusal.value.code == 2
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("flag", "values"),
    [
        ("--rate", ["nan", "inf", "-1", "0", "1e999", NINES]),
        ("--tables", ["-1", "0", "100001", "nan", NINES]),
        ("--deals", ["0", "1001"]),
        ("--processes", ["0", "65", "1e9"]),
        ("--spectators", ["-1", "100001"]),
        ("--seed", ["-1", str(1 << 63), NINES]),
    ],
)
def test_numbers_have_bounds(flag: str, values: list[str]) -> None:
    """None is too small, too large, or no number."""
    for value in values:
        with pytest.raises(typer.BadParameter) as refusal:
            application("loadtest")(["loadtest", f"{flag}={value}"], prog_name="junto", standalone_mode=False)
        assert flag in refusal.value.format_message()


def test_a_server_that_is_not_there_is_told() -> None:
    """In one line; exit code 1."""
    with pytest.raises(Failure, match=r"--server: no Junto answers at 127\.0\.0\.1:1: .*UNAVAILABLE") as refusal:
        application("loadtest")(["loadtest", "--server", "127.0.0.1:1"], prog_name="junto")

    assert refusal.value.code == 1


def test_a_server_of_our_own_is_told_settings_that_there_are() -> None:
    """Its limits are out of the way, and its metrics are on."""
    settings = Settings(**{name.removeprefix("JUNTO_").lower(): value for name, value in OWN.items()})

    assert settings.metrics
    assert settings.sign_in_burst == settings.rate_per_player == settings.max_streams == 1_000_000
    assert {name.removeprefix("JUNTO_").lower() for name in OWN} <= set(Settings.model_fields)
