"""The pages for players say what the rules do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from junto.games.catalog import GAMES
from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Game
from junto.games.options import Choice

from .playthrough import GOLDEN

CARD = re.compile(r"\b(?:[SHDC][2-9TJQKA]|[RB]J)\b")
PAGES = Path(__file__).parents[2] / "docs" / "games"


@pytest.mark.parametrize("game_type", GAMES.values(), ids=GAMES)
def test_a_page_names_every_option_with_its_default(game_type: type[Game]) -> None:
    """An option that is added, renamed or changed has to be explained."""
    rows = re.findall(
        r"^\| `([a-z]\w*)` \| (\S+) \| (.+) \|$", (PAGES / f"{game_type.id}.md").read_text(), re.MULTILINE
    )
    page = {name: (default.strip("`"), meaning) for name, default, meaning in rows}
    assert page.keys() == {option.name for option in game_type.options_schema}
    for option in game_type.options_schema:
        default, meaning = page[option.name]
        shown = ("on" if option.default else "off") if isinstance(option.default, bool) else str(option.default)
        assert default == shown
        if isinstance(option.kind, Choice):
            assert all(f"`{word}`" in meaning for word in option.kind.words if word != option.default)


@pytest.mark.parametrize("game_type", GAMES.values(), ids=GAMES)
def test_the_example_deal_is_the_golden_one(game_type: type[Game]) -> None:
    """The tricks or rounds on the page are those of the playthrough, which the rules are tested against."""
    page = (PAGES / f"{game_type.id}.md").read_text().replace("**", "")
    told, played = (rounds_of if issubclass(game_type, ClimbingGame) else tricks_of)(game_type.id, page)
    assert told == played != []


def rounds_of(name: str, page: str) -> tuple[list[Any], list[Any]]:
    """Return the rounds of a climbing game on the page and in the playthrough: who did what, but for passes."""
    rows = re.findall(r"^\| (\d+) \| (\d) \| (.+) \|$", page, re.MULTILINE)
    golden = (GOLDEN / f"{name}.txt").read_text()
    last = dict(re.findall(r"round (\d+): (\d [^;\n]+)", golden))
    done = [[one for one in actions.split(", ") if not one.endswith(" pass")] for actions in last.values()]
    played = [(number, first[0][0], ", ".join(first)) for number, first in zip(last, done, strict=True)]
    return [(number, led, plays.replace("`", "")) for number, led, plays in rows], played


def tricks_of(name: str, page: str) -> tuple[list[Any], list[Any]]:
    """Return the tricks on the page and in the playthrough: who leads, the cards, who wins, and what it is worth."""
    rows = re.findall(r"^\| \d+ \| (\d) \| (.+) \| (\d) \| (\d+) \|$", page, re.MULTILINE)
    told = [(led, " ".join(CARD.findall(cards)), winner, points) for led, cards, winner, points in rows]
    golden = (GOLDEN / f"{name}.txt").read_text()
    # Between tricks something may be said (a claim): then the last one is written down again.
    tricks = dict(re.findall(r"trick (\d+) of \d+: (.+, won by \d with \d+);", golden)).values()
    told_of = [re.fullmatch(r"(.+), won by (\d) with (\d+)", trick) for trick in tricks]
    played = [
        (cards[0], " ".join(re.findall(r":(\w\w)", cards)), winner, points)
        for cards, winner, points in (trick.groups() for trick in told_of if trick)
    ]
    return told, played
