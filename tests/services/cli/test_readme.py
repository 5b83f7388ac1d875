"""What the README shows is run as it stands there, against a running server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from .command import ROOT
from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")


def block(language: str, has: str) -> str:
    """Return the README's code block of a language that has some words in it."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return next(text for text in blocks if has in text)


def addressed(text: str, live: Live) -> str:
    """Return a block with the addresses of `junto up` replaced by those of the running server."""
    found = text.replace("127.0.0.1:8080", live.http).replace("127.0.0.1:50051", live.grpc)
    assert found != text
    return found


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_a_table_is_opened_and_a_card_played_with_curl(live: Live) -> None:
    """The shell commands end with a card that was accepted."""
    script = addressed(block("sh", "api="), live)

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=120, check=False
    )

    assert done.returncode == 0, done.stderr
    assert '"actor": "ACTOR_PLAYER", "text": "play ' in done.stdout


def test_a_match_is_watched_from_python(live: Live) -> None:
    """The Python lines print every action of a deal."""
    program = addressed(block("python", "Client"), live)

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": play ") == 50
    assert re.search(r"seat \d: call [SHDC]", done.stdout)


def test_links_lead_somewhere() -> None:
    """Every relative link of the README, and every command that it names, exists."""
    text = (ROOT / "README.md").read_text()
    links = re.findall(r"\]\((?!http)([^)#]+)\)", text)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
