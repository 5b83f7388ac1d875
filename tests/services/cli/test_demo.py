"""`junto demo`, as on a fresh machine, and the proof of what it leaves behind."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

import pytest

from junto.cli.showing import Wish, show_at
from junto.client import Client
from junto.games.catalog import GAMES

from .command import junto
from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The replay of a demo that started everything for itself, and what it said."""
    file = tmp_path_factory.mktemp("demo") / "deal.json"
    with tempfile.TemporaryDirectory(prefix="jd", dir="/tmp") as temporary:
        done = junto(
            "demo", "--strategy", "greedy", "--think", "0.05", "--replay", file,
            within_s=280, extra={"TMPDIR": temporary},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout
        assert list(Path(temporary).iterdir()) == [], "it left something behind"
    return file, done.stdout


def test_the_demo_tells_a_whole_deal(replay: tuple[Path, str]) -> None:
    """The bids, trumps, the secretary card, ten tricks, the score, and the proof."""
    _, story = replay
    assert re.search(r"seat \d bids \d+", story)
    assert re.search(r"seat \d is Napoleon; the contract is \d+ court cards", story)
    assert re.search(r"seat \d names \w+ trumps", story)
    assert "who holds it is the secretary" in story
    assert story.count("\n  Trick ") == 10
    assert re.search(r"The contract is (made|lost): seat \d's side captured \d+ of \d+", story)
    scores = [int(score) for score in re.findall(r"^  seat \d .* ([+-]\d+)$", story, re.MULTILINE)]
    assert len(scores) == 5
    assert sum(scores) == 0
    committed = re.findall(r"\b[0-9a-f]{64}\b", story)
    assert committed[0] in committed[1:], "the proof is of the promise that was made"
    assert "everything is stopped" in story


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *((game, ()) for game in sorted(GAMES)),
        ("napoleon-tw", ("players=3",)),
        ("napoleon-tw", ("players=7", "allow_trump_change=true", "min_bid=9")),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_every_game_can_be_shown(
    live: Live, game: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A deal of each game, with bots, is told to its scores and proved; where tribute may follow, two."""

    async def shown() -> None:
        async with Client(live.grpc) as client:
            await show_at(client, Wish(game, options, "pimc", 0.02, 1, None))

    asyncio.run(shown())
    told = capsys.readouterr().out
    assert "\nDeal 1" in told
    assert re.search(r"^  seat 2 .*[+-]\d+$", told, re.MULTILINE)
    assert "is proved" in told
    if game == "baohuang":
        assert len(re.findall(r"^(?:Tribute of the next deal|No tribute is paid)", told, re.MULTILINE)) == 1
        assert ("\n  Tribute: " in told) == ("\nTribute of the next deal" in told), "it is paid if it is owed"


def test_a_replay_is_proved_offline(replay: tuple[Path, str]) -> None:
    """`junto verify` needs no server."""
    done = junto("verify", replay[0])

    assert done.returncode == 0
    assert "is proved" in done.stdout


def test_a_replay_that_was_changed_is_refused(replay: tuple[Path, str], tmp_path: Path) -> None:
    """Another secret, another card, another score: exit code 1, and what does not fit."""
    text = replay[0].read_text()
    secret = re.search(r'"seed": "([0-9a-f]{64})"', text)
    assert secret is not None
    forged = tmp_path / "forged.json"
    forged.write_text(text.replace(secret.group(1), secret.group(1)[::-1]))

    done = junto("verify", forged)

    assert done.returncode == 1
    assert "does not hold" in done.stderr
    assert "was promised" in done.stderr


@pytest.mark.parametrize("content", [None, b"", b"\x00\x01garbage", b"{}"])
def test_a_file_that_is_no_replay_is_told(content: bytes | None, tmp_path: Path) -> None:
    """It cannot be read, or holds none: exit code 2."""
    file = tmp_path / "deal.json"
    if content is not None:
        file.write_bytes(content)

    done = junto("verify", file)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
