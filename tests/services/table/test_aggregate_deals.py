"""Deals and matches: promised, dealt, played, scored, and kept as bytes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from junto.games.actions import Bid, Pass, Play
from junto.games.napoleon import NapoleonDeal
from junto.games.shuffle import DealSeed, commitment
from junto.games.view import Phase
from junto.internal.v1 import store_pb2
from junto.table.commands import Act, AddEntropy, Credit, DealCards, Leave, OpenDeal, Presence, StartMatch
from junto.table.duties import Keep, Task, duty
from junto.table.entries import ForeignEntry, pack_entry, read_entry, read_log_message
from junto.table.errors import IllegalAction, MatchNotStarted, NotNow, NotSeated, NotYourTurn, Over, StaleVersion
from junto.table.handling import BrokenLog, fold
from junto.table.scenes import scene, update, write_table
from junto.table.seats import SERVER, Actor, Status, TableSettings
from junto.table.snapshot import NewerSchema, SnapshotError, pack, unpack
from junto.table.summary import summary
from junto.v1 import tables_pb2

from .playtable import Playtable, any_action, secret
from .test_aggregate_seats import refuse

KEEP = Keep(over_ms=60_000, idle_ms=600_000)


def entropy_table(humans: int = 2) -> Playtable:
    """Return a table whose first deal is promised and not dealt."""
    return Playtable.started(humans, TableSettings(deals=1, entropy_ms=3_000))


def test_without_time_for_entropy_the_cards_are_dealt_at_once() -> None:
    """The first deal is on the table as soon as the match starts; so it is where only bots could add entropy."""
    assert Playtable.started(2).table.to_act is not None
    assert entropy_table(humans=0).table.to_act is not None


def test_the_seed_is_promised_before_entropy_is_added() -> None:
    """While entropy may be added the promise and its deadline are public and no card is dealt."""
    play = entropy_table()
    view = tables_pb2.TableView.FromString(scene(play.table).view(0))

    assert play.table.to_act is None
    assert commitment(secret(0)) == view.deal.shared.commitment.seed_sha256
    assert play.now_ms + 3_000 == view.deal.shared.commitment.entropy_deadline.ToMilliseconds()
    assert not view.deal.shared.hands
    assert (Task.DEAL_CARDS, play.now_ms + 3_000) == (duty(play.table, KEEP).task, duty(play.table, KEEP).at_ms)


def test_the_cards_are_dealt_when_everybody_has_added_entropy() -> None:
    """All players' entropy is in the seed, and the last one's makes the deal; its promise loses the deadline."""
    play = entropy_table()
    play.do(AddEntropy(1, b"one"), "p0")
    assert play.table.to_act is None
    refuse(play, DealCards(), SERVER, NotNow)

    change = play.do(AddEntropy(1, b"two"), "p1")

    assert change is not None
    assert change.table.deal is not None
    assert DealSeed(secret(0), (b"one", b"two", b"")) == change.table.deal.seed
    assert change.table.to_act is not None
    view = tables_pb2.TableView.FromString(scene(play.table).view(None))
    assert not view.deal.shared.commitment.HasField("entropy_deadline")


def test_the_cards_are_dealt_when_the_time_is_over() -> None:
    """Absent entropy is empty, and what comes late is refused."""
    play = entropy_table()
    play.do(AddEntropy(1, b"one"), "p0")
    play.now_ms += 3_000
    refuse(play, AddEntropy(1, b"late"), "p1", NotNow)

    play.do(DealCards())

    assert play.table.deal is not None
    assert play.table.deal.entropy == (b"one", b"", b"")
    refuse(play, AddEntropy(1, b"late"), "p1", NotNow)


def test_entropy_is_a_seated_players_and_for_the_deal_that_is_open() -> None:
    """A stranger's, a second one and one for another deal are refused; nobody waits for who has left."""
    play = entropy_table()
    refuse(play, AddEntropy(1, b"x"), "eve", NotSeated)
    refuse(play, AddEntropy(2, b"x"), "p0", NotNow)
    play.do(AddEntropy(1, b"one"), "p0")
    refuse(play, AddEntropy(1, b"two"), "p0", NotNow)
    play.do(Leave(), "p1")

    assert Task.DEAL_CARDS is duty(play.table, KEEP).task
    assert play.now_ms == duty(play.table, KEEP).at_ms
    play.do(DealCards())
    assert play.table.to_act is not None


def test_a_decision_is_for_the_seat_to_act_and_by_the_rules() -> None:
    """Another's turn, another's seat and an illegal action are refused, the last with the rule in words."""
    play = Playtable.started(3)
    number = play.table.to_act
    assert number is not None
    other = (number + 1) % 3

    error = refuse(play, Act(other, Actor.PLAYER, Pass()), f"p{other}", NotYourTurn)
    assert {"to_act": str(number)} == error.metadata
    refuse(play, Act(number, Actor.PLAYER, Pass()), f"p{other}", NotSeated)
    refuse(play, Act(number, Actor.PLAYER, Pass()), "eve", NotSeated)
    error = refuse(play, Act(number, Actor.PLAYER, Play(3)), f"p{number}", IllegalAction)
    assert len(error.message.split()) > 2
    refuse(play, Act(number, Actor.BOT, Pass()), SERVER, NotNow)


def test_nobody_decides_before_the_match_and_after_it() -> None:
    """The refusal says which of the two it is."""
    play = Playtable.opened()
    refuse(play, Act(0, Actor.CLOCK, Pass()), SERVER, MatchNotStarted)
    play = Playtable.started(1)
    play.play_deal()
    assert Status.FINISHED is play.table.status
    refuse(play, Act(0, Actor.PLAYER, Pass()), "p0", Over)


def test_a_prompt_stands_while_other_things_happen() -> None:
    """A decision made at the prompt's version or a later one is good until the prompt is answered."""
    play = Playtable.started(3)
    since = play.table.version
    play.do(Presence(0, connected=True))
    play.do(Presence(1, connected=True))

    for version in range(since, play.table.version + 1):
        play.table.require_prompt(version)
    for version in (since - 1, play.table.version + 1):
        with pytest.raises(StaleVersion):
            play.table.require_prompt(version)
    play.act()
    with pytest.raises(StaleVersion):
        play.table.require_prompt(play.table.version - 1)


def test_a_void_deal_is_dealt_again_at_once() -> None:
    """When all pass nothing is scored and the next deal is due now, whatever the pause; its number counts on."""
    play = Playtable.started(2, TableSettings(deals=1, pause_ms=60_000))
    while play.table.to_act is not None:
        play.act(Pass())

    assert play.table.status is Status.PLAYING
    assert play.table.standing is not None
    assert play.table.standing.deals_done == 0
    found = duty(play.table, KEEP)
    assert (Task.OPEN_DEAL, play.now_ms) == (found.task, found.at_ms)
    play.do(OpenDeal(secret(2)))
    assert play.table.deal is not None
    assert play.table.deal.number == 2
    refuse(play, OpenDeal(secret(3)), SERVER, NotNow)


def test_a_match_ends_with_its_last_deal_and_can_be_played_again() -> None:
    """The result stays on the table, scores add up, and a rematch begins at zero with deal 1 in a log of its own."""
    play = Playtable.started(2, TableSettings(deals=2, bank_ms=500, turn_ms=1000))
    play.play_match(random.Random(3))
    table = play.table

    assert Status.FINISHED is table.status
    assert table.deal is not None
    assert table.deal.is_over
    assert table.standing is not None
    assert (table.standing.deals_done, sum(table.standing.scores)) == (2, 0)
    assert Task.REMOVE is duty(table, KEEP).task
    logs = len(table.logs)
    play.do(StartMatch(secret(9)), "host")
    assert play.table.standing.scores == (0, 0, 0)  # type: ignore[union-attr]
    assert (logs, 1) == (play.table.log.log, play.table.log.deal_number)
    assert play.table.starts_log


def test_credit_moves_the_clock() -> None:
    """Time that an outage took is given back to the seat to act."""
    play = Playtable.started(3, TableSettings(deals=1, turn_ms=10_000))
    before = play.table.clock
    assert before is not None
    play.do(Credit(700))

    assert play.table.clock == replace(
        before, turn_end_ms=before.turn_end_ms + 700, deadline_ms=before.deadline_ms + 700
    )
    assert play.do(Credit(0)) is None


def test_the_secret_is_shown_after_the_deal_and_never_before() -> None:
    """No view, update or summary holds the secret while the deal is on; afterwards all of them do."""
    play = Playtable.started(2)
    hidden = secret(0).hex().encode()
    while play.table.to_act is not None:
        shown = b"".join(
            scene(play.table).view(viewer) + update(play.changes[-1]).for_viewer(viewer) for viewer in (None, 0, 1, 2)
        )
        assert hidden not in shown
        play.act()

    assert hidden in scene(play.table).view(None)
    assert hidden in update(play.changes[-1]).for_viewer(None)


def test_a_summary_is_the_tables_message() -> None:
    """A table in a list looks as it does anywhere else, at any time of a match."""
    play = Playtable.started(2, TableSettings(deals=2, turn_ms=1000))
    chance = random.Random(5)
    while play.table.status is Status.PLAYING:
        assert write_table(play.table) == summary(pack(play.table).data)
        if play.table.to_act is None:
            play.do(OpenDeal(chance.randbytes(32)))
        else:
            play.act(any_action(play.table.playable, chance))
    assert write_table(play.table) == summary(pack(play.table).data)


def test_a_move_writes_little() -> None:
    """All but a few dozen bytes of a snapshot are taken over from the one before."""
    play = Playtable.started(0, players=5)
    packed = pack(play.table)
    play.act(Bid(11))
    after = pack(play.table, packed)

    assert after.header is packed.header
    assert after.seats is packed.seats
    assert after.deal is packed.deal
    assert len(after.moves) + len(after.now) < 80


@pytest.mark.parametrize("field", ["schema", "rules_version"])
def test_a_table_of_a_newer_process_is_left_alone(field: str) -> None:
    """A later schema, later rules or an unknown game are refused as such, not misread."""
    message = store_pb2.Snapshot.FromString(pack(Playtable.started().table).data)
    setattr(message, field, 99)
    with pytest.raises(NewerSchema):
        unpack(message.SerializeToString())
    message = store_pb2.Snapshot.FromString(pack(Playtable.started().table).data)
    message.rules.game_id = "mah-jongg"
    with pytest.raises(NewerSchema):
        unpack(message.SerializeToString())


def test_what_is_no_snapshot_is_no_table() -> None:
    """A snapshot without a schema, or with a deal without a match, makes no sense."""
    with pytest.raises(SnapshotError):
        unpack(
            store_pb2.Snapshot(
                rules=store_pb2.Snapshot.FromString(pack(Playtable.opened().table).data).rules
            ).SerializeToString()
        )
    message = store_pb2.Snapshot.FromString(pack(Playtable.started().table).data)
    message.ClearField("match")
    with pytest.raises(SnapshotError):
        unpack(message.SerializeToString())


def test_a_known_table_of_a_lost_branch_is_not_built_upon() -> None:
    """If the store forgot moves that this process knew, the table is read from its seed, not from memory."""
    play = Playtable.started(3)
    base = play.table
    play.act(Bid(11))
    lost = play.table
    play.table = base
    play.act(Bid(12))
    play.act(Pass())

    assert play.table == unpack(pack(play.table).data, lost)


def test_the_text_of_a_table_tells_nothing_hidden() -> None:
    """What is printed of a table, or of its seed, is the same whatever is hidden in it: it may end up in a log."""
    play = Playtable.started(1)
    while play.table.deal is not None and play.table.deal.shared.phase is not Phase.CALL:
        play.act()
    deal = play.table.deal
    assert deal is not None
    assert isinstance(deal.state, NapoleonDeal)

    state = replace(deal.state, owns=(), hands=(), put_back=())
    other = replace(play.table, deal=replace(deal, secret=secret(1), entropy=(), moves=(), state=state))

    assert repr(play.table) == repr(other)
    assert repr(DealSeed(secret(0), ())) == repr(DealSeed(secret(1), ()))


def test_a_log_with_a_gap_or_a_refused_command_is_broken() -> None:
    """Folding never goes on beyond what it cannot explain."""
    play = Playtable.started(1)
    first, second = play.changes[0].entry, play.changes[1].entry

    with pytest.raises(BrokenLog):
        fold(None, second)
    with pytest.raises(BrokenLog):
        fold(None, replace(second, version=1))
    with pytest.raises(BrokenLog):
        fold(play.table, replace(first, version=play.table.version + 1))
    with pytest.raises(BrokenLog):
        fold(fold(None, first).table, replace(second, version=3))
    with pytest.raises(BrokenLog):
        fold(play.table, replace(second, version=play.table.version + 1, command=OpenDeal(secret(1)), by=SERVER))


def test_an_entry_of_a_newer_process_is_foreign() -> None:
    """A command that this process does not know is not taken for nothing."""
    message = read_log_message(pack_entry(Playtable.opened().changes[0].entry))
    message.command.ClearField("create")
    with pytest.raises(ForeignEntry):
        read_entry(message)


def test_a_bots_thoughts_are_kept_in_the_log_alone() -> None:
    """The decision comes back from the entry, and is in no snapshot."""
    play = Playtable.started(0)
    thought = b"\x20\x07"  # worlds: 7
    number = play.table.to_act
    assert number is not None
    change = play.do(Act(number, Actor.BOT, Bid(11), thought))
    assert change is not None
    entry = read_entry(read_log_message(pack_entry(change.entry, pack(change.table).data)))

    assert entry == change.entry
    assert isinstance(entry.command, Act)
    assert thought == entry.command.decision
    assert thought not in pack(change.table).data
