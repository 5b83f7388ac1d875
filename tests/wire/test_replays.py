"""Replays: proved as they are, refused when anything in them was changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import protovalidate
import pytest
from google.protobuf import json_format

from junto.games.actions import Pass, text
from junto.games.catalog import open_game
from junto.games.core import Game, Match
from junto.games.verify import NotVerified
from junto.games.view import MatchView, Outcome, SeatAction
from junto.v1 import replays_pb2, tables_pb2, views_pb2
from junto.v1.replays_pb2 import Replay
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.errors import ReplayUnreadable, UnknownGame, WireError
from junto.wire.promises import Promise, write_promise, write_reveal
from junto.wire.replays import read_replay_file, verify, write_replay_file
from junto.wire.results import write_match_view, write_result

from .deals import choose, seed_of


def played(game: Game, match: Match, number: int, *, passed_out: bool) -> tuple[Match, replays_pb2.DealRecord]:
    """Play one deal, all passing or at random, and return the match after it and its record."""
    seed, random = seed_of(number), Random(number)
    deal = game.deal(match.opened(), seed).deal
    done: list[SeatAction] = []
    while deal.to_act is not None:
        action = Pass() if passed_out else choose(deal, random)
        done.append(SeatAction(deal.to_act, action))
        deal = deal.apply(action).deal
    assert deal.shared.result is not None
    record = replays_pb2.DealRecord(
        number=deal.shared.number,
        commitment=write_promise(Promise(seed.commitment)),
        reveal=write_reveal(seed),
        before=write_match_view(MatchView(match.deals_done, None, match.scores, match.last_deal)),
        carried=[replays_pb2.CarriedValue(name=name, values=values) for name, values in match.carried],
        actions=[
            replays_pb2.ActionRecord(seat=one.seat, action=write_action(one.action), text=text(one.action))
            for one in done
        ],
        result=write_result(deal.shared.result, seed),
    )
    return game.after(match.opened(), deal), record


@pytest.fixture(scope="module")
def whole() -> Replay:
    """A match of three deals; the second was passed out."""
    game = open_game("napoleon-tw", {"first_bidder": "previous_secretary"})
    match, records = game.new_match(), []
    for number in range(1, 4):
        match, record = played(game, match, number, passed_out=number == 2)
        records.append(record)
    return Replay(
        table_id="t",
        rules=write_rules(game),
        rules_version=game.rules_version,
        seat_names=["Ada", "Bea", "Cem", "greedy", "random"],
        deals=records,
        match=write_match_view(MatchView(match.deals_done, 2, match.scores, match.last_deal)),
    )


@pytest.fixture
def replay(whole: Replay) -> Replay:
    """A copy of that match to change."""
    copy = Replay()
    copy.CopyFrom(whole)
    return copy


def test_an_honest_match_is_proved(replay: Replay) -> None:
    """A match as it was played holds, a void deal included, and gives the scores that it claims."""
    protovalidate.validate(replay)
    assert replay.deals[1].result.outcome == views_pb2.OUTCOME_VOID
    after = verify(replay)
    assert after is not None
    assert after.deals_done == 2
    assert list(after.scores) == [score.score for score in replay.match.scores]
    assert after.last_deal is not None
    assert after.last_deal.result.outcome in {Outcome.MADE, Outcome.DOWN}


def test_a_page_of_a_match_is_proved(replay: Replay) -> None:
    """Deals from the middle, or without the last, hold by themselves; so does a match without deals."""
    last = Replay()
    last.CopyFrom(replay)
    del last.deals[:2]
    assert verify(last) == verify(replay)
    first = Replay()
    first.CopyFrom(replay)
    del first.deals[1:]
    after = verify(first)
    assert after is not None
    assert after.deals_done == 1
    del first.deals[:]
    assert verify(first) is None


def _other_action(replay: Replay) -> None:
    replay.deals[0].actions[0].action.bid.amount += 1


def _other_action_and_text(replay: Replay) -> None:
    done = replay.deals[0].actions[0]
    done.action.bid.amount = 17
    done.text = "bid 17"


def _other_secret(replay: Replay) -> None:
    replay.deals[2].reveal.seed = "00" * 32
    replay.deals[2].result.ClearField("reveal")


def _other_entropy(replay: Replay) -> None:
    replay.deals[0].reveal.entropy[1] = "08"
    replay.deals[0].result.ClearField("reveal")


def _two_secrets(replay: Replay) -> None:
    replay.deals[0].result.reveal.seed = "00" * 32


def _other_score(replay: Replay) -> None:
    replay.deals[0].result.seats[0].score += 1


def _other_match(replay: Replay) -> None:
    replay.match.scores[0].score += 1


def _fewer_deals(replay: Replay) -> None:
    replay.match.deals_done = 1


def _missing_action(replay: Replay) -> None:
    del replay.deals[2].actions[-1]


def _other_seat(replay: Replay) -> None:
    replay.deals[0].actions[0].seat = (replay.deals[0].actions[0].seat + 1) % 5


def _missing_deal(replay: Replay) -> None:
    del replay.deals[1]


def _other_carried(replay: Replay) -> None:
    replay.deals[2].carried.add(name="first_bidder", values=[0])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (_other_action, "is told as"),
        (_other_action_and_text, "action 1"),
        (_other_secret, "was promised"),
        (_other_entropy, "deal 1"),
        (_two_secrets, "two different seeds"),
        (_other_score, "scores"),
        (_other_match, "scores at the end"),
        (_fewer_deals, "2 deals were scored"),
        (_missing_action, "has yet to decide"),
        (_other_seat, "turn"),
        (_missing_deal, "number of deals"),
        (_other_carried, "carried"),
    ],
)
def test_a_changed_replay_is_refused(replay: Replay, change: Callable[[Replay], None], complaint: str) -> None:
    """Whatever is changed in a replay, the proof fails and says where."""
    change(replay)
    with pytest.raises((NotVerified, WireError), match=complaint):
        verify(replay)


def test_other_versions_are_not_judged(replay: Replay) -> None:
    """A replay of other rules or another shuffle is refused as such, not as forged."""
    replay.rules_version += 1
    with pytest.raises(WireError, match="version 2 of the rules"):
        verify(replay)
    replay.rules_version -= 1
    replay.deals[0].commitment.shuffle_version = 9
    with pytest.raises(WireError, match="version 9 of the shuffle"):
        verify(replay)
    replay.rules.game_id = "snap"
    with pytest.raises(UnknownGame):
        verify(replay)


@pytest.mark.parametrize("name", ["match.binpb", "match.json"])
def test_a_file_comes_back(replay: Replay, tmp_path: Path, name: str) -> None:
    """A replay survives both forms of file; people can read the JSON."""
    path = tmp_path / name
    write_replay_file(replay, path)
    assert read_replay_file(path) == replay
    assert (b'"text": "bid 1' in path.read_bytes()) or name.endswith(".binpb")


def test_what_the_server_answers_is_a_replay_file(replay: Replay, tmp_path: Path) -> None:
    """The JSON that `GetReplay` answers with is read as it came."""
    path = tmp_path / "answer.json"
    path.write_text(json_format.MessageToJson(tables_pb2.GetReplayResponse(replay=replay)))
    assert read_replay_file(path) == replay


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xff\xff",
        b"{",
        b'{"deals": 7}',
        b'{"cards": []}',
        b'{"replay": 7}',
        b"\x0a\x01t",
        b"{\xff",
        b'{"replay":' * 100_000,
    ],
)
def test_a_file_that_is_no_replay_is_refused(tmp_path: Path, content: bytes) -> None:
    """Whatever the file holds, the error says in words that it is no replay."""
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(ReplayUnreadable, match="is no replay"):
        read_replay_file(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A missing file and a folder are told apart from a bad one."""
    with pytest.raises(ReplayUnreadable, match="cannot be read"):
        read_replay_file(tmp_path / "none")
    with pytest.raises(ReplayUnreadable, match="cannot be read"):
        read_replay_file(tmp_path)
