"""`junto pbn`: boards checked and written, replays told as boards, and what goes wrong said in words."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.games.playing import random_action, random_seed

from junto.games.actions import text
from junto.games.bridge.pbn_play import play_board
from junto.games.bridge.pbn_reading import read_pbn
from junto.games.catalog import open_game
from junto.games.core import Game, Match
from junto.games.view import MatchView
from junto.v1.replays_pb2 import ActionRecord, CarriedValue, DealRecord, Replay
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.promises import Promise, write_promise, write_reveal
from junto.wire.replays import read_replay_file, write_replay_file
from junto.wire.results import write_match_view, write_result

from .command import junto

BOARD = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJ.AKQ.AKQ.AKQ T98.JT9.JT9.JT98 765.876.876.7654 432.5432.5432.32"]
[Declarer "N"]
[Contract "7S"]
[Result "13"]
[Auction "N"]
7S Pass Pass Pass
"""


def recorded(game: Game, match: Match, rng: Random) -> tuple[Match, DealRecord]:
    """Play a random deal; return the match after it, and its record."""
    seed, moment = random_seed(game.seats, rng), Timestamp(seconds=1_700_000_000)
    deal, actions = game.deal(match.opened(), seed).deal, []
    while deal.to_act is not None:
        action = random_action(deal, rng)
        actions.append(ActionRecord(seat=deal.to_act, action=write_action(action), text=text(action), time=moment))
        deal = deal.apply(action).deal
    assert deal.shared.result is not None
    record = DealRecord(
        number=deal.shared.number,
        commitment=write_promise(Promise(seed.commitment)),
        reveal=write_reveal(seed),
        before=write_match_view(MatchView(match.deals_done, None, match.scores, match.last_deal)),
        carried=[CarriedValue(name=name, values=values) for name, values in match.carried],
        actions=actions,
        result=write_result(deal.shared.result, seed),
    )
    return game.after(match.opened(), deal), record


def replay_of(game: Game, path: Path, deals: int = 4) -> Match:
    """Write the replay of a random match; return how it ended."""
    match, rng, records = game.new_match(), Random(7), []
    for _ in range(deals):
        match, record = recorded(game, match, rng)
        records.append(record)
    replay = Replay(
        table_id="blue-table",
        rules=write_rules(game),
        rules_version=game.rules_version,
        seat_names=["Ada", "Bea", "Cem", "greedy"][: game.seats],
        deals=records,
        match=write_match_view(MatchView(match.deals_done, None, match.scores, match.last_deal)),
    )
    write_replay_file(replay, path)
    return match


def test_boards_are_checked_and_told(tmp_path: Path) -> None:
    """One line for each board: contract, declarer, tricks and score."""
    file = tmp_path / "one.pbn"
    file.write_text(BOARD)

    done = junto("pbn", file)

    assert done.returncode == 0, done.stderr
    assert "board 1: 7S by N, 13 tricks, 13 of them claimed: +1510 for NS" in done.stdout


def test_a_broken_board_is_refused_and_the_others_are_taken(tmp_path: Path) -> None:
    """The message has the line and the reason; the exit code says that something does not hold."""
    file, out = tmp_path / "two.pbn", tmp_path / "out.pbn"
    file.write_text(BOARD.replace("7S Pass Pass", "7S 6S Pass") + "\n" + BOARD)

    done = junto("pbn", file, "--output", out)

    assert done.returncode == 1
    assert "line 9: the bid must be higher than 7S" in done.stdout
    assert len(read_pbn(out.read_text())) == 1


@pytest.mark.parametrize("content", [None, "no tag"])
def test_a_file_that_cannot_be_read_is_told(content: str | None, tmp_path: Path) -> None:
    """Exit code 2 and a sentence."""
    file = tmp_path / "none.pbn"
    if content is not None:
        file.write_text(content)

    done = junto("pbn", file)

    assert done.returncode == 2
    assert str(file) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("suffix", [".json", ".binpb"])
def test_a_replay_is_told_as_boards(suffix: str, tmp_path: Path) -> None:
    """Names, date, cards, calls, plays and scores; on standard output nothing but the file."""
    replay = tmp_path / f"match{suffix}"
    match = replay_of(open_game("bridge", {"first_caller": "dealer"}), replay)

    done = junto("pbn", replay, "-o", "-")
    boards = read_pbn(done.stdout)

    assert done.returncode == 0, done.stderr
    assert [board.number for board in boards] == [1, 2, 3, 4]
    assert {(board.tag("North"), board.tag("West"), board.tag("Date")) for board in boards} == {
        ("Ada", "greedy", "2023.11.14")
    }
    scores = [play_board(board).deal.scores for board in boards]
    assert match.scores == tuple(map(sum, zip(*(score for score in scores if score), strict=True)))
    assert "board 4: " in done.stderr


def test_a_replay_of_another_game_is_refused(tmp_path: Path) -> None:
    """Boards are of bridge for four."""
    replay = tmp_path / "three.json"
    replay_of(open_game("bridge-3p"), replay, deals=1)

    done = junto("pbn", replay)

    assert done.returncode == 2
    assert "is a replay of bridge-3p, not of bridge" in done.stderr


def test_a_replay_that_was_changed_is_refused(tmp_path: Path) -> None:
    """It is proved before it is told."""
    file = tmp_path / "match.json"
    replay_of(open_game("bridge"), file, deals=1)
    replay = read_replay_file(file)
    replay.deals[0].result.seats[0].score += 10
    write_replay_file(replay, file)

    done = junto("pbn", file)

    assert done.returncode == 1
    assert "does not hold" in done.stderr
