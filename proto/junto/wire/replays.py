"""Replays: what their deals claim, whether it holds, and files of them.

A replay file is a `junto.v1.Replay`, serialised (`.binpb`) or as JSON (`.json`), which people can read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from junto.games.actions import text
from junto.games.core import Match
from junto.games.shuffle import VERSION, DealSeed
from junto.games.verify import DealClaim, OtherOutcome, verify_match
from junto.games.view import MatchView, SeatAction, Shared
from junto.v1.replays_pb2 import ActionRecord, CarriedValue, DealRecord, Replay
from junto.wire.actions import read_action
from junto.wire.catalog import read_rules
from junto.wire.errors import ReplayUnreadable, WireError
from junto.wire.promises import Promise, read_promise, read_reveal, write_promise, write_reveal
from junto.wire.results import read_match_view, read_result, write_match_view, write_result

_JSON: Final = ".json"


def verify(replay: Replay) -> Match | None:
    """Prove that the deals of a replay were the promised ones and went as the rules say; return the match after them.

    None: the replay has no deal. A page that begins in mid-match proves its deals from what the match is
    claimed to have been before them; the match's end is checked if its last deal is in the replay.

    Raises:
        NotVerified: something in it does not hold (`junto.games.verify`).
        WireError: it says something that cannot be, or is of rules that this version does not have.
    """
    game = read_rules(replay.rules)
    if replay.rules_version != game.rules_version:
        raise WireError(
            f"the replay is of version {replay.rules_version} of the rules of {game.id}; this is {game.rules_version}"
        )
    after = verify_match(game, [read_claim(record) for record in replay.deals])
    if after is not None and replay.HasField("match"):
        _check_end(after, read_match_view(replay.match))
    return after


def read_claim(record: DealRecord) -> DealClaim:
    """Return what a record claims of its deal.

    Raises:
        WireError: an action, the seed, the result or the match before it says something that cannot be.
    """
    seed = read_reveal(record.reveal)
    promise = read_promise(record.commitment)
    if promise.shuffle_version != VERSION:
        raise WireError(
            f"deal {record.number} was dealt by version {promise.shuffle_version} of the shuffle; this is {VERSION}"
        )
    if record.result.HasField("reveal") and record.result.reveal != record.reveal:
        raise WireError(f"deal {record.number} reveals two different seeds")
    return DealClaim(
        number=record.number,
        before=_read_before(record),
        commitment=promise.sha256,
        secret=seed.secret,
        entropy=seed.entropy,
        actions=tuple(_read_done(record.number, done) for done in record.actions),
        result=read_result(record.result),
    )


def write_deal(
    shared: Shared, seed: DealSeed, promise: Promise, match: Match, before: MatchView, actions: Iterable[ActionRecord]
) -> DealRecord:
    """Return the record of a finished deal; `match` and its view `before` are the match before it."""
    assert shared.result is not None, "a replay holds finished deals only"
    return DealRecord(
        number=shared.number,
        commitment=write_promise(promise),
        reveal=write_reveal(seed),
        before=write_match_view(before),
        carried=[CarriedValue(name=name, values=values) for name, values in match.carried],
        actions=actions,
        result=write_result(shared.result, seed),
    )


def write_replay_file(replay: Replay, path: Path) -> None:
    """Write a replay to a file, as JSON if its name ends with `.json`.

    Raises:
        OSError: the file cannot be written.
    """
    if path.suffix == _JSON:
        path.write_text(json_format.MessageToJson(replay, preserving_proto_field_name=True) + "\n", encoding="utf-8")
    else:
        path.write_bytes(replay.SerializeToString())


def read_replay_file(path: Path) -> Replay:
    """Return the replay of a file, JSON if it begins like JSON: a `Replay`, or what `GetReplay` answers with one.

    Raises:
        ReplayUnreadable: the file cannot be read, or is no replay.
    """
    try:
        content = path.read_bytes()
        is_json = content.lstrip()[:1] == b"{"
        replay = _read_json(content) if is_json else Replay.FromString(content)
    except RecursionError:
        raise ReplayUnreadable(f"{path} is no replay: it is nested too deeply") from None
    except OSError as error:
        raise ReplayUnreadable(f"{path} cannot be read: {error.strerror}") from error
    except (DecodeError, json_format.ParseError, ValueError) as error:
        raise ReplayUnreadable(f"{path} is no replay: {error}") from error
    if not replay.HasField("rules"):
        raise ReplayUnreadable(f"{path} is no replay: it names no rules")
    return replay


def _read_json(content: bytes) -> Replay:
    """Return the replay of a JSON text: as it is, or in the answer of `GetReplay`."""
    found = json.loads(content)
    if "replay" in found:
        found = found["replay"]
    if not isinstance(found, dict):
        raise json_format.ParseError("it is not an object")
    return json_format.ParseDict(found, Replay())


def _read_before(record: DealRecord) -> Match:
    view = read_match_view(record.before)
    return Match(
        scores=view.scores,
        deals_done=view.deals_done,
        deals_opened=record.number - 1,
        carried=tuple((value.name, tuple(value.values)) for value in record.carried),
        last_deal=view.last_deal,
    )


def _read_done(number: int, done: ActionRecord) -> SeatAction:
    action = read_action(done.action)
    if done.text != text(action):
        raise WireError(f"deal {number}: the action {text(action)!r} is told as {done.text!r}")
    return SeatAction(done.seat, action)


def _check_end(after: Match, claimed: MatchView) -> None:
    if claimed.deals_done < after.deals_done:
        raise OtherOutcome(f"{after.deals_done} deals were scored, but {claimed.deals_done} are claimed")
    if claimed.deals_done == after.deals_done and claimed.scores != after.scores:
        raise OtherOutcome(f"the scores at the end: claimed {claimed.scores}, but they come out as {after.scores}")
