"""`junto beliefs`, and what tables tell of suspicion after a deal."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from google.protobuf.descriptor import Descriptor

from junto.cli.beliefs import beliefs
from junto.cli.console import Failure
from junto.cli.showing import Wish, show_at
from junto.cli.suspicion import seat_names, tell
from junto.cli.suspicion_words import in_short
from junto.cli.tables import bot, open_table, seat_bots
from junto.cli.watching import follow
from junto.client import CallError, Client
from junto.games.actions import Action, Pass, text
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.options import OptionValue
from junto.games.shuffle import VERSION, DealSeed
from junto.games.view import MatchView, Phase, Role
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.suspicion import NoSuspicion
from junto.v1 import catalog_pb2, events_pb2, replays_pb2, tables_pb2, views_pb2
from junto.wire.actions import write_action
from junto.wire.catalog import write_rules
from junto.wire.decisions import write_decision
from junto.wire.promises import write_reveal
from junto.wire.replays import write_replay_file
from junto.wire.results import write_match_view, write_result

from .conftest import Live

pytestmark = pytest.mark.xdist_group("cli")

FEW = 32
"""Worlds of a quick look."""
Choose = Callable[[Deal], Action]


def by_thumb(deal: Deal) -> Action:
    """Return what the rules of thumb do."""
    assert deal.to_act is not None
    return greedy_strategy.decide(deal.view(deal.to_act), Budget(iterations=1, seed=1)).action


def all_pass(deal: Deal) -> Action:
    """Pass."""
    assert deal.phase is Phase.AUCTION
    return Pass()


def replay_of(name: str, *chosen: Choose, options: Mapping[str, OptionValue] | None = None) -> replays_pb2.Replay:
    """Return the replay of a match of so many deals; seat 0 was played by Ada, the others by bots."""
    game = open_game(name, options or {})
    match, records = game.new_match(), []
    for number, choose in enumerate(chosen, 1):
        seed = DealSeed(hashlib.sha256(f"{name} {number}".encode()).digest(), (b"",) * game.seats)
        before, match = match, match.opened()
        deal, actions = game.deal(match, seed).deal, []
        while not deal.is_over:
            action, seat = choose(deal), deal.to_act
            assert seat is not None
            actor = events_pb2.ACTOR_BOT if seat else events_pb2.ACTOR_PLAYER
            actions.append(
                replays_pb2.ActionRecord(seat=seat, actor=actor, action=write_action(action), text=text(action))
            )
            deal = deal.apply(action).deal
        assert deal.shared.result is not None
        view = MatchView(before.deals_done, None, before.scores, before.last_deal)
        records.append(
            replays_pb2.DealRecord(
                number=number,
                commitment=views_pb2.Commitment(seed_sha256=seed.commitment, shuffle_version=VERSION),
                reveal=write_reveal(seed),
                before=write_match_view(view),
                carried=[replays_pb2.CarriedValue(name=key, values=values) for key, values in before.carried],
                actions=actions,
                result=write_result(deal.shared.result, seed),
            )
        )
        match = game.after(match, deal)
    return replays_pb2.Replay(
        table_id="t",
        rules=write_rules(game),
        rules_version=game.rules_version,
        seat_names=["Ada", *["greedy"] * (game.seats - 1)],
        deals=records,
    )


@cache
def napoleon() -> replays_pb2.Replay:
    """Two deals of Taiwanese Napoleon, a void one between them."""
    return replay_of("napoleon-tw", by_thumb, all_pass, by_thumb)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of these deals."""
    write_replay_file(napoleon(), tmp_path / "match.json")
    return tmp_path / "match.json"


def printed(capsys: pytest.CaptureFixture[str], file: Path, **wish: Any) -> str:
    """Return what the command prints."""
    given = {"deal": None, "observer": None, "every": False, "as_json": False, "worlds": FEW, "seed": 0, **wish}
    beliefs(replay=file, **given)
    return capsys.readouterr().out


def test_each_deal_is_told_with_the_move_that_made_it_certain(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who called which card, a table of suspicion, and how it came out; a void deal in one line."""
    out = printed(capsys, file)

    assert (
        len(re.findall(r"^Deal \d of Taiwanese Napoleon: .* was Napoleon and called \S+ for ", out, re.MULTILINE)) == 2
    )
    assert len(re.findall(r"^ trick +move ", out, re.MULTILINE)) == 2
    assert len(re.findall(r"^(?:Certain for all|Hidden to the end)", out, re.MULTILINE)) == 2
    assert len(re.findall(r"^(?:Given away in trick \d+, when|No move gave it away)", out, re.MULTILINE)) == 2
    assert "Deal 2: it ended before a partner was called." in out
    assert "Ada" in out
    assert "greedy" not in out


def test_the_same_seed_gives_the_same_output(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing in it depends on the time or the machine; another seed draws other worlds."""
    first = printed(capsys, file, as_json=True, seed=4)

    assert printed(capsys, file, as_json=True, seed=4) == first
    assert printed(capsys, file, as_json=True, seed=5) != first


def test_json_has_an_object_for_each_move(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One a line, as the docs say, and the deals' moves from the last one before the play on."""
    objects = [json.loads(line) for line in printed(capsys, file, as_json=True).splitlines()]

    assert {one["deal"] for one in objects} == {1, 3}
    first = [one for one in objects if one["deal"] == 1]
    assert [one["move"] for one in first] == list(range(first[0]["move"], len(napoleon().deals[0].actions) + 1))
    assert [one["trick"] for one in first] == sorted(one["trick"] for one in first)
    assert sum(one["certain"] for one in first) == 1
    assert sum(one["gave_away"] for one in first) <= 1
    for one in first:
        assert one["action"] == napoleon().deals[0].actions[one["move"] - 1].text
        for observer in one["observers"]:
            assert sum(observer["partner"]) + observer["alone"] == pytest.approx(1.0, abs=1e-3)
    documented = (Path(__file__).parents[3] / "docs" / "beliefs.md").read_text()
    assert [name for name in first[0] if f"`{name}`" not in documented] == []


def test_one_observer_can_be_looked_at(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--observer` has the others as that seat alone suspects them, `--deal` one deal, `--all` every move."""
    out = printed(capsys, file, deal=1, observer=0, every=True)

    heading = next(line for line in out.splitlines() if line.startswith(" trick"))
    assert "Ada" not in heading
    assert "What Ada believed" in out
    assert len(re.findall(r" plays \S+ ", out)) >= 50
    assert "Deal 2" not in out


def test_what_bots_reported_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded decision of a seat that has to guess stands in its row as it was reported."""
    replay = replays_pb2.Replay()
    replay.CopyFrom(napoleon())
    told = tell(replay, replay.deals[0], seat_names(replay)).timeline
    record = replay.deals[0]
    number = next(
        n for n, done in enumerate(record.actions) if done.seat in told.guessing and n >= told.moments[0].number
    )
    seat = record.actions[number].seat
    roles = {other: {Role.PARTNER: 0.125, Role.OPPONENT: 0.875} for other in range(5) if other != seat}
    record.actions[number].decision.CopyFrom(write_decision(Pass(), roles=roles))
    write_replay_file(replay, tmp_path / "told.binpb")
    objects = [json.loads(line) for line in printed(capsys, tmp_path / "told.binpb", as_json=True, deal=1).splitlines()]

    row = next(one for one in objects if one["move"] == number)["observers"][seat]
    assert row["recorded"]
    assert sorted(row["partner"]) == [0.0, 0.0, 0.125, 0.125, 0.125]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("whist", {}, "in whist no partner is hidden"),
        ("napoleon-tw", {"players": 3}, "the declarer always plays alone"),
    ],
)
def test_a_game_without_a_hidden_partner_is_told(
    name: str, options: dict[str, OptionValue], said: str, tmp_path: Path
) -> None:
    """One line, exit code 1."""
    write_replay_file(replay_of(name, by_thumb, options=options), tmp_path / "one.json")
    with pytest.raises(Failure) as failure:
        beliefs(replay=tmp_path / "one.json", worlds=FEW)

    assert failure.value.code == 1
    assert said in str(failure.value).lower() or said in str(failure.value)


def test_void_deals_alone_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has a line; exit code 1, as nothing could be shown."""
    write_replay_file(replay_of("napoleon-tw", all_pass), tmp_path / "void.json")
    with pytest.raises(typer.Exit) as end:
        beliefs(replay=tmp_path / "void.json", worlds=FEW)

    assert end.value.exit_code == 1
    assert capsys.readouterr().out == "Deal 1: it ended before a partner was called.\n"


def test_what_is_not_there_is_told(file: Path, tmp_path: Path) -> None:
    """No such deal, no such seat, no replay: exit code 2; another secret: exit code 1."""
    no_replay = tmp_path / "no.json"
    no_replay.write_text("{}")
    forged = tmp_path / "forged.json"
    forged.write_text(file.read_text().replace('"seed": "', '"seed": "00', 1))
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"replay": file, "deal": 9}, 2, "there is no deal 9 in it; there are 1, 2, 3"),
        ({"replay": file, "observer": 5, "worlds": FEW}, 2, "there is no seat 5; there are 0 to 4"),
        ({"replay": no_replay}, 2, "is no replay"),
        ({"replay": tmp_path / "nowhere.json"}, 2, "cannot be read"),
        ({"replay": forged}, 1, "does not hold"),
    ]
    for wish, code, said in cases:
        with pytest.raises(Failure, match=re.escape(said)) as failure:
            beliefs(**wish)
        assert failure.value.code == code


@pytest.mark.parametrize("name", ["napoleon-tw", "baohuang"])
def test_in_short_a_deal_says_when_the_partner_was_known(name: str) -> None:
    """Bots that report nothing leave that alone to tell."""
    replay = replay_of(name, by_thumb)
    (line,) = in_short(tell(replay, replay.deals[0], seat_names(replay)))

    assert re.fullmatch(
        r"(?:(?:Ada|seat \d), the \w+, was|That (?:Ada|seat \d) had no \w+ was) (?:not )?known "
        r"(?:in (?:trick|round) \d+|before the end)\.",
        line,
    )


def reachable(message: Descriptor, seen: set[str]) -> Iterator[str]:
    """Yield the names of all messages that can be within one."""
    if message.full_name not in seen:
        seen.add(message.full_name)
        yield message.full_name
        for field in message.fields:
            if field.message_type is not None:
                yield from reachable(field.message_type, seen)


def test_what_a_table_sends_during_a_deal_has_no_place_for_beliefs() -> None:
    """Streams, views and answers to actions cannot hold a decision; a replay can."""
    for sent in (tables_pb2.WatchTableResponse, tables_pb2.GetTableResponse, tables_pb2.ActResponse):
        names = set(reachable(sent.DESCRIPTOR, set()))
        assert "junto.v1.SharedView" in names or sent is tables_pb2.ActResponse
        assert not {name for name in names if name.endswith((".Decision", ".Belief"))}
    assert "junto.v1.Belief" in set(reachable(tables_pb2.GetReplayResponse.DESCRIPTOR, set()))


@pytest.mark.parametrize("name", ["napoleon-tw", "baohuang"])
def test_bots_beliefs_are_in_the_replay_once_the_deal_is_over(live: Live, name: str) -> None:
    """A deal of bots that search: before its end no replay is given, then it has the beliefs of all who guessed."""

    async def watched() -> tuple[replays_pb2.Replay, int]:
        async with Client(live.grpc) as client:
            await client.sign_in_as_guest("Watcher")
            table = await open_table(client, catalog_pb2.RuleSet(game_id=name), 1)
            await seat_bots(client, table.id, bot("pimc", 0.02, 1))
            request, refused = tables_pb2.GetReplayRequest(table_id=table.id), 0
            async with aclosing(follow(client, table.id)) as stream:
                await anext(stream)
                await client.tables.start_match(tables_pb2.StartMatchRequest(table_id=table.id))
                async for message in stream:
                    over = message.update.table.status == tables_pb2.TABLE_STATUS_FINISHED
                    if message.update.HasField("deal") and not over and not refused:
                        with pytest.raises(CallError):
                            await client.tables.get_replay(request)
                        refused += 1
            return (await client.tables.get_replay(request)).replay, refused

    for _ in range(5):  # now and then all know from the start that nobody is the partner
        replay, refused = asyncio.run(watched())
        assert refused
        record = replay.deals[-1]
        try:
            line = tell(replay, record, seat_names(replay)).timeline
            break
        except NoSuspicion:
            continue
    else:
        raise AssertionError("five declarers in a row played alone before all eyes")
    last = len(record.actions) if line.certain is None else line.moments[line.certain].number
    guessed = [
        done.decision
        for number, done in enumerate(record.actions)
        if line.moments[0].number <= number < last and done.seat in line.guessing
    ]
    reported = [decision for decision in guessed if any(belief.HasField("role") for belief in decision.beliefs)]
    assert reported
    if name == "napoleon-tw":
        assert len(reported) == len(guessed)


def test_a_demo_says_after_the_deal_when_the_partner_was_known(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    """The short form stands after the scores, each deal once."""

    async def shown() -> None:
        async with Client(live.grpc) as client:
            await show_at(client, Wish("napoleon-tw", (), "pimc", 0.02, 1, None, 2))

    asyncio.run(shown())
    told = capsys.readouterr().out
    about = re.findall(
        r"^(?:seat \d, the secretary, was|That seat \d had no secretary was) .*known", told, re.MULTILINE
    )
    assert len(about) == 2


@pytest.mark.parametrize("names", [[], ["Ada"], ["Ada"] * 9])
def test_another_number_of_names_than_seats_is_refused(tmp_path: Path, names: list[str]) -> None:
    """Names are not proved with the deals: what is told would be of nobody."""
    spoilt = replays_pb2.Replay()
    spoilt.CopyFrom(napoleon())
    spoilt.seat_names[:] = names
    write_replay_file(spoilt, tmp_path / "spoilt.bin")
    with pytest.raises(Failure, match=f"it names {len(names)} players at a table of 5"):
        beliefs(
            replay=tmp_path / "spoilt.bin", deal=None, observer=None, every=False, as_json=False, worlds=FEW, seed=0
        )
