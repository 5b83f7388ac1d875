"""The small commands, and what all of them hold to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from junto.cli.console import Failure
from junto.cli.main import COMMANDS
from junto.cli.wishes import check_wish

from .command import ROOT, VECTORS, junto


def imported_by(module: str) -> set[str]:
    """Return the top-level packages that importing a module loads, in a process of its own."""
    program = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_help_lists_every_command_and_loads_none() -> None:
    """`junto --help` is quick: it loads neither Redis nor gRPC nor Numba."""
    done = junto("--help")

    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    assert not imported_by("junto.cli.main") & {"grpc", "redis", "numba", "numpy", "ray", "pydantic", "rich"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    """Each command has a help of its own."""
    done = junto(name, "--help")

    assert done.returncode == 0, done.stderr
    assert f"junto {name}" in done.stdout


@pytest.mark.parametrize("name", ["serve", "up", "demo", "showing", "play", "sitting", "steward"])
def test_no_process_of_ours_but_the_rays_own_imports_ray(name: str) -> None:
    """A Ray driver in a process that serves gRPC is a known source of hangs."""
    assert "ray" not in imported_by(f"junto.cli.{name}")


def test_an_unknown_command_is_refused() -> None:
    """Exit code 2, and the name that is not known."""
    done = junto("nonsense")

    assert done.returncode == 2
    assert "nonsense" in done.stderr


def test_the_games_are_listed_with_their_options() -> None:
    """`junto games` names the games, `junto games GAME` every option with its default."""
    listed, options, unknown = junto("games"), junto("games", "napoleon-tw"), junto("games", "chess")

    assert "napoleon-tw" in listed.stdout
    assert "3 to 7" in listed.stdout
    assert all(word in options.stdout for word in ("min_bid", "11", "9 to 16", "over_contract_loss", "captured_zero"))
    assert unknown.returncode == 2
    assert "there is no game 'chess'; there are baohuang, bridge, " in unknown.stderr


def test_every_setting_is_listed_and_secrets_are_not_shown() -> None:
    """`junto config` has each variable, its flag and its value now; a password shows as asterisks."""
    secrets = {"JUNTO_REDIS_PASSWORD": "hunter2", "JUNTO_REDIS_URL": "redis://me:hunter2@redis.example"}
    done = junto("config", extra={"JUNTO_GRPC_PORT": "7777", **secrets})

    assert "JUNTO_GRPC_PORT  --grpc-port  = 7777   (default: 50051)" in done.stdout
    assert "JUNTO_METRICS  --metrics/--no-metrics  = true" in done.stdout
    assert "JUNTO_REDIS_PASSWORD  = ***" in done.stdout
    assert "--redis-password" not in done.stdout
    assert "hunter2" not in done.stdout


@pytest.mark.parametrize("command", ["demo", "play"])
def test_a_wish_that_cannot_be_is_refused_before_anything_starts(command: str, tmp_path: Path) -> None:
    """A misspelt game: one line with what comes nearest, exit code 2, nothing begun."""
    done = junto(command, "--game", "baohung", extra={"TMPDIR": str(tmp_path)})

    assert done.returncode == 2
    assert done.stderr == "junto: there is no game 'baohung'; did you mean baohuang?\n"
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == [], "a folder was made for processes"


@pytest.mark.parametrize(
    ("game", "option", "strategy", "said"),
    [
        ("chess", None, "pimc", "there is no game 'chess'; there are baohuang, bridge, "),
        ("napoleon-tw", "minbid=12", "pimc", "napoleon-tw has no option 'minbid'; did you mean min_bid?"),
        ("napoleon-tw", "min_bid=many", "pimc", "min_bid must be a whole number from 9 to 16, not 'many'"),
        ("napoleon-tw", "min_bid=99", "pimc", "napoleon-tw: min_bid must be a whole number from 9 to 16"),
        ("napoleon-tw", "forced_solo", "pimc", "forced_solo must be true or false, not ''"),
        ("napoleon-jp", "preset=sdim", "pimc", "preset cannot be 'sdim'; did you mean sdin?"),
        ("whist", None, "gredy", "there is no strategy 'gredy' for whist; did you mean greedy?"),
        ("whist", None, "chance", "there is no strategy 'chance' for whist; there are greedy, pimc, random"),
    ],
)
def test_what_is_wrong_with_a_wish_is_told(game: str, option: str | None, strategy: str, said: str) -> None:
    """Game, option, value and strategy are checked by the rules of this Junto."""
    with pytest.raises(Failure) as refused:
        check_wish(game, [option] if option else [], strategy)

    assert refused.value.code == 2
    assert str(refused.value).startswith(said)


def test_a_wish_is_checked_before_what_serves_it_is_loaded() -> None:
    """The check needs the rules and no more: neither Redis nor gRPC, which take seconds."""
    for name in ("demo", "play"):
        assert not imported_by(f"junto.cli.{name}") & {"grpc", "redis", "connectrpc", "pydantic", "ray"}


def test_a_wrong_setting_is_named() -> None:
    """A value that cannot be is refused with the variable's name, and the value is not repeated."""
    done = junto("config", extra={"JUNTO_GRPC_PORT": "many"})

    assert done.returncode == 2
    assert "JUNTO_GRPC_PORT: " in done.stderr
    assert "Traceback" not in done.stderr


def test_conformance_passes() -> None:
    """All cases pass; the last line counts them."""
    done = junto("conformance", VECTORS)

    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"{len(json.loads(VECTORS.read_text()))} passed, 0 failed"


def test_conformance_names_a_case_that_fails(tmp_path: Path) -> None:
    """A failing case is named with what was expected and what came: exit code 1."""
    cases = [case for case in json.loads(VECTORS.read_text()) if case["kind"] == "trick"][:2]
    cases[0]["then"]["winner"] = 4 if cases[0]["then"]["winner"] != 4 else 3
    file = tmp_path / "napoleon_tw.json"
    file.write_text(json.dumps(cases))

    done = junto("conformance", file)

    assert done.returncode == 1
    assert cases[0]["name"] in done.stdout
    assert "expected" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("content", ["no json", '[{"name": "x", "kind": "juggle", "then": {}}]'])
def test_conformance_tells_a_file_that_it_cannot_run(tmp_path: Path, content: str) -> None:
    """A file that is none, or a kind of case that is unknown: exit code 2."""
    file = tmp_path / "napoleon_tw.json"
    file.write_text(content)

    done = junto("conformance", file)

    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == "0 passed, 0 failed"


def test_warm_kernels_are_not_compiled_again() -> None:
    """`junto warmup` says so when there was nothing to compile."""
    assert junto("warmup", within_s=280).returncode == 0

    done = junto("warmup")

    assert done.returncode == 0
    assert "the kernels are warm" in done.stdout


def test_benchmarks_are_those_of_the_checkout() -> None:
    """`junto bench` lists what is in `bench/`; a name that is not there is refused."""
    listed, unknown = junto("bench"), junto("bench", "nonsense")

    programs = {path.stem for path in (ROOT / "bench").glob("*.py") if path.stem[0] != "_"} | {"strength"}
    assert set(listed.stdout.split()) == programs
    assert unknown.returncode == 2
    assert "there is no benchmark 'nonsense'" in unknown.stderr


@pytest.mark.parametrize("role", ["serve", "steward"])
def test_a_role_asks_for_its_redis(role: str) -> None:
    """Without a URL a role says what it needs, and what has it."""
    done = junto(role)

    assert done.returncode == 2
    assert "say where Redis is" in done.stderr


@pytest.mark.parametrize("role", ["serve", "steward"])
def test_a_role_says_that_its_redis_is_not_there(role: str) -> None:
    """A Redis that nobody runs is named; there is no traceback."""
    done = junto(role, "--redis-url", "redis://127.0.0.1:1")

    assert done.returncode == 1
    assert "127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_front_looks_for_its_redis_before_it_compiles(tmp_path: Path) -> None:
    """Who mistyped the URL is told at once: no kernel is compiled before."""
    done = junto("serve", "--redis-url", "redis://127.0.0.1:1", extra={"JUNTO_CACHE_DIR": str(tmp_path)})

    assert done.returncode == 1
    assert not list(tmp_path.rglob("*.nb*"))


def test_a_steward_says_that_its_ray_address_is_none() -> None:
    """An address for another kind of client is refused with the variable's name; there is no traceback."""
    done = junto("steward", "--redis-url", "redis://127.0.0.1:1", extra={"RAY_ADDRESS": "ray://head:10001"})

    assert done.returncode == 2
    assert "RAY_ADDRESS: 'ray://head:10001' is not the address of a Ray cluster" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_front_is_not_served_to_the_world_without_protection() -> None:
    """Beyond loopback a front wants a key and TLS, or to be told that something else does it."""
    done = junto("serve", "--host", "0.0.0.0", "--redis-url", "redis://127.0.0.1:1")

    assert done.returncode == 2
    assert "--insecure" in done.stderr


def test_a_health_check_of_nobody_fails() -> None:
    """Nobody answers: exit code 1, in words."""
    done = junto("healthcheck", extra={"JUNTO_GRPC_PORT": "1"})

    assert done.returncode == 1
    assert "does not answer" in done.stderr


@pytest.mark.parametrize("flags", [("--rate", "inf"), ("--tables", "99999999"), ("--deals", "99999999999")])
def test_a_load_that_no_machine_can_make_is_refused(flags: tuple[str, str]) -> None:
    """It is told before any server is asked."""
    refused = junto("loadtest", *flags, "--server", "127.0.0.1:1")

    assert refused.returncode == 2
    assert flags[0] in refused.stderr
