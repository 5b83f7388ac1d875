"""`junto play`: a whole deal, typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from junto.games.catalog import GAMES

from .command import Talk
from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")

SIGNS = str.maketrans("♠♥♦♣", "SHDC")
LOW_FIRST = "23456789TJQKA"
MOST_TRIES = 5
"""So often at most a prompt is answered before the answer is taken."""


class Typist:
    """Plays a seat by reading what the screen says: takes what is offered, buries low cards, plays what is first."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.hand: list[str] = []
        self.phases: set[str] = set()

    def play(self) -> None:
        """Answer prompts until the process ends."""
        names_suit, asked, tries = False, "", 0
        while (line := self.talk.next()) is not None:
            if line.startswith("  your hand: "):
                self.hand = line.translate(SIGNS).partition(": ")[2].split()
                asked, tries = "", 0
            elif line.startswith("  say which suit"):
                names_suit = True
            elif line.startswith("> you may "):
                asked, tries = line, tries + 1 if line == asked else 1
                assert tries <= MOST_TRIES, "it is asked again and again:\n" + "\n".join(self.talk.heard[-40:])
                answer = self.answer(line.removeprefix("> you may "))
                self.talk.type(f"{answer} naming S" if names_suit else answer)
                names_suit = False

    def answer(self, prompt: str) -> str:
        """Return what to type at a prompt. A joker that is led has a suit named when that is asked for."""
        kinds = ("bid", "name", "put back", "call", "accept", "decline", "show", "play", "apply", "agree", "pass")
        kind = next(word for word in kinds if word in prompt)
        self.phases.add(kind)
        match kind:
            case "bid":
                highest = re.findall(r"bid (?:\S+ to )?([^ ,]+)", prompt)[0]
                return f"bid {highest}"
            case "name":
                return "trump hearts"
            case "put back":
                count = int(re.findall(r"put back (\d+)", prompt)[0])
                low = sorted((card for card in self.hand if card[1] in LOW_FIRST), key=lambda c: LOW_FIRST.index(c[1]))
                return f"discard {' '.join(low[:count])}"
            case "call" if "call one of" in prompt:
                return f"call {prompt.translate(SIGNS).partition('call one of ')[2].split()[0]}"
            case "call":
                return next(f"call {suit}A" for suit in "SHDC" if f"{suit}A" not in self.hand)
            case "play" if "#1 " in prompt:
                return re.findall(r"#1 (\S+)", prompt)[0]
            case "play" | "show":
                return "1"
        return kind


@pytest.mark.parametrize("wish", [*((game,) for game in sorted(GAMES)), ("napoleon-tw", "--seats", "3")], ids=" ".join)
def test_every_game_can_be_typed(live: Live, wish: tuple[str, ...]) -> None:
    """A deal of each game by hand, from the highest bid to the score."""
    with seat(live, "--game", *wish, strategy="random") as talk:
        Typist(talk).play()
        code = talk.process.wait(30)

    screen = "\n".join(talk.heard)
    assert code == 0, screen
    assert "refused" not in screen
    assert re.search(r"^  Ada .*[+-]\d+$", screen, re.MULTILINE)


def test_a_whole_deal_can_be_typed(live: Live) -> None:
    """Bid, trumps, exchange, call and ten cards by hand: the deal ends with a score."""
    with seat(live) as talk:
        typist = Typist(talk)
        typist.play()
        code = talk.process.wait(30)

    screen = "\n".join(talk.heard)
    assert code == 0, screen
    assert {"bid", "name", "put back", "call", "play"} <= typist.phases
    assert "Ada is Napoleon; the contract is 16 court cards" in screen
    assert screen.count("\n  Trick ") == 10
    assert re.search(r"^  Ada +Napoleon +[+-]\d+$", screen, re.MULTILINE)
    known = r"^(?:seat \d, the secretary, was|That Ada had no secretary was) .*known (?:in trick \d+|before the end)\.$"
    assert len(re.findall(known, screen, re.MULTILINE)) == 1


def test_a_player_is_helped_and_told_what_is_wrong(live: Live) -> None:
    """`help`, `hint`, a line that means nothing, a bid that is not legal, and leaving: all in words."""
    with seat(live) as talk:
        talk.until("> you may")
        talk.type("help")
        assert any("put cards back" in line for line in talk.until("help, quit"))
        talk.type("juggle")
        talk.until("'juggle' is not understood; you may")
        talk.type("bid 17")
        talk.until("refused: ")
        talk.type("hint")
        talk.until("it would ")
        talk.type("quit")

        assert any("You leave the table." in line for line in talk.rest())
        assert talk.process.wait(30) == 0


@contextmanager
def passed_at_bridge(live: Live) -> Iterator[Talk]:
    """Provide a table where Ada has passed and is asked again: she is not if her pass makes her partner declarer."""
    while True:
        with seat(live, "--game", "bridge", strategy="random") as talk:
            talk.until("> you may")
            talk.type("pass")
            while (line := talk.next()) is not None:
                if line.startswith("> you may"):
                    yield talk
                    return


def test_the_calls_of_bridge_are_explained(live: Live) -> None:
    """`explain` says what each call so far means; in another game it says that there is nothing to explain."""
    with passed_at_bridge(live) as talk:
        talk.type("explain")
        assert any(re.match(r"  Ada passes: \w.*\.", line) for line in talk.until("Ada passes: "))
        talk.type("quit")
        talk.rest()
    with seat(live) as talk:
        talk.until("> you may")
        talk.type("explain")
        talk.until("nothing is explained: ")


def test_the_end_of_the_input_is_the_end_of_the_game(live: Live) -> None:
    """A player whose input ends has left."""
    with seat(live) as talk:
        talk.until("> you may")
        assert talk.process.stdin is not None
        talk.process.stdin.close()

        assert any("You leave the table." in line for line in talk.rest())
        assert talk.process.wait(30) == 0


def test_a_server_that_is_not_there_is_told() -> None:
    """No traceback: the address and what is wrong."""
    with Talk("play", "--server", "127.0.0.1:1") as talk:
        lines = "\n".join(talk.rest())
        code = talk.process.wait(30)

    assert code == 1
    assert "the server refused, or did not answer" in lines
    assert "Traceback" not in lines


def seat(live: Live, *arguments: str, strategy: str = "greedy") -> Talk:
    """Sit down at a table of the running server, against bots that decide at once."""
    return Talk("play", "--server", live.grpc, "--strategy", strategy, "--think", "0.05", "--name", "Ada", *arguments)
