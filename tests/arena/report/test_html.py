"""The report: one page that needs nothing else, and in which nobody's name does anything."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.arena.simulated import plan_of, played, tallied

from junto.arena.entrants import Entrant
from junto.arena.plan import Plan
from junto.arena.report.html import report
from junto.arena.spec import Format, Spec, StopRule
from junto.arena.versions import Versions

HOSTILE = "</title><script>alert(1)</script>"
HOSTILE_TOO = "\" onload='x' {{ 7 * 7 }} &amp;"
VERSIONS = Versions("0.1.0", 3, {HOSTILE: "</code>hash"})
FOLDER = Path("/results/o'clock & <b>")
VOID = {"meta", "line", "circle", "polyline", "polygon", "br", "link", "img"}


class Page(HTMLParser):
    """Reads a page, and notes its elements, its attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(plan: Plan, deals: int = 12, edge: float = 5.0) -> tuple[str, Page]:
    found = report(plan, tallied(plan, played(plan, deals, edge=edge)).standings(), VERSIONS, FOLDER)
    return found, Page(found)


def test_names_strategies_and_reasons_are_text() -> None:
    """Whatever they are made of: no element and no attribute comes from them, and they can be read as they are."""
    entrants = (Entrant(HOSTILE, f"/x/{HOSTILE}.py:B"), Entrant(HOSTILE_TOO, "greedy"), Entrant("plain", "greedy"))
    _, page = page_of(Plan(Spec("napoleon-tw", entrants, 20, 7)))

    assert "script" not in page.elements
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    for text in (HOSTILE, HOSTILE_TOO, f"/x/{HOSTILE}.py:B", "</code>hash", "<script>alert('reason')</script>"):
        assert text in page.text


def test_a_page_needs_nothing_else() -> None:
    """It fetches nothing, runs nothing, and forbids both."""
    text, page = page_of(plan_of())

    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert not [value for name, value in page.attributes if name in {"src", "href", "xlink:href"}]
    assert not re.search(r"https?:|url\(|@import", text)


def test_a_fault_can_be_looked_at_again() -> None:
    """The command names the folder, however it is called, the deal and the sitting."""
    plan = plan_of()
    standings = tallied(plan, played(plan)).standings()
    example = next(fault.examples[0] for entry in standings.entries for fault in entry.faults)

    text = Page(report(plan, standings, VERSIONS, FOLDER)).text

    quoted = "'/results/o'\"'\"'clock & <b>'"
    assert f"junto replay {quoted} --deal {example.deal} --sitting {example.sitting}" in text


@pytest.mark.parametrize("how", [*Format])
@pytest.mark.parametrize("deals", [0, 1, 12])
def test_every_format_has_a_report_after_any_number_of_deals(how: Format, deals: int) -> None:
    """Also when nothing was played yet."""
    names = ("a", "b") if how is Format.HEAD_TO_HEAD else ("a", "b", "c")
    _, page = page_of(plan_of(*names, how=how), deals)

    assert ("Strength against time" in page.text) == (how is Format.LADDER and deals > 3)
    assert ("How it came about" in page.text) == (deals > 5)


@pytest.mark.parametrize("game", ["shuangkou", "bridge", "whist", "dou-dizhu", "baohuang"])
def test_every_kind_of_game_has_a_report(game: str) -> None:
    """Those of fixed partnerships, and those with other roles or none."""
    plan = plan_of("a", "b", game=game)

    assert plan.game.title in page_of(plan)[1].text


def test_many_entrants_have_a_report() -> None:
    """More than there are colours for."""
    _, page = page_of(plan_of(*(f"player {number}" for number in range(17))), deals=6)

    assert "The best 8 are drawn." in page.text
    assert "Only the best 16 are shown." in page.text


def test_a_clear_winner_is_told_from_a_lucky_one() -> None:
    """The first sentence says whether the difference is more than luck."""
    plan = plan_of("a", "b", deals=40)

    clear, luck, few = page_of(plan, 40, edge=9.0), page_of(plan, 40, edge=0.0), page_of(plan, 3, edge=9.0)

    assert "b is ahead of a by" in clear[1].text
    assert "more than luck." in clear[1].text
    assert "40 deals do not tell the two apart." in luck[1].text
    assert "so few deals tell nothing." in few[1].text


def test_an_early_stop_is_told() -> None:
    """What was found, after how many deals, and that figures lean towards it."""
    plan = plan_of("a", "b", how=Format.HEAD_TO_HEAD, deals=40, stop=StopRule(difference=-9.0, first=20))
    tally = tallied(plan, played(plan, edge=9.0))
    assert tally.verdict is not None

    text = Page(report(plan, tally.standings(), VERSIONS, FOLDER)).text

    assert f"Stopped early, after {tally.verdict.deals} deals" in text
    assert "It found −9" in text
    assert "lean a little towards what was found" in text


def test_the_same_play_gives_the_same_page() -> None:
    """Nothing in it hangs on when or where it was made."""
    plan = plan_of()
    standings = tallied(plan, played(plan)).standings()

    assert report(plan, standings, VERSIONS, FOLDER) == report(plan, replace(standings), VERSIONS, FOLDER)
