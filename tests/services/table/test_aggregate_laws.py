"""Laws of the table under random commands and whole deals: what must hold whatever happens in whatever order."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from junto.games import actions
from junto.internal.v1 import store_pb2
from junto.table.aggregate import Entry, Table
from junto.table.commands import (
    Act,
    AddEntropy,
    Close,
    Command,
    Credit,
    DealCards,
    Join,
    Leave,
    OpenDeal,
    Presence,
    SeatBot,
    StandIn,
    StartMatch,
)
from junto.table.duties import Keep, Task, duty
from junto.table.entries import pack_entry, read_entry, read_log_message
from junto.table.errors import TableError
from junto.table.handling import fold, fold_all
from junto.table.seats import SERVER, Actor, Bot, Status, TableSettings
from junto.table.snapshot import Packed, pack, unpack

from .playtable import BOT, Playtable, any_action, player, secret

KEEP = Keep(over_ms=60_000, idle_ms=600_000)
NAMES = ("host", "ada", "bob", "cleo", "")
SEATS = st.none() | st.integers(-1, 3)
NUMBERS = st.integers(0, 1_000_000)
SOME_ACTIONS = st.sampled_from(
    [
        actions.Pass(),
        actions.Bid(12),
        actions.Bid(16),
        actions.ChooseTrump(1),
        actions.Discard((0, 1, 2)),
        actions.CallCard(12),
        actions.Play(5),
        actions.Play(53, naming=2),
        actions.AcceptOffer(),
    ]
)
SETTINGS = st.builds(
    TableSettings,
    deals=st.integers(1, 2),
    turn_ms=st.sampled_from([None, 1000, 30_000]),
    bank_ms=st.sampled_from([0, 5_000]),
    stand_in=st.sampled_from([None, Bot("greedy")]),
    entropy_ms=st.sampled_from([0, 3_000]),
    pause_ms=st.sampled_from([None, 0, 1000]),
)


class TableMachine(RuleBasedStateMachine):
    """Throws commands at a table, sensible ones and others, and plays whole deals."""

    def __init__(self) -> None:
        super().__init__()
        self.play: Playtable
        self.packed: Packed | None = None
        self.folded: Table | None = None
        self.read: Table | None = None
        self.entries: list[Entry] = []
        self.noted = 0

    @initialize(
        settings=SETTINGS, begin=st.sampled_from(["empty", "full", "on", "on", "on", "on"]), humans=st.integers(1, 3)
    )
    def open(self, settings: TableSettings, begin: str, humans: int) -> None:
        self.play = Playtable.opened(settings)
        if begin != "empty":
            for seat, name in enumerate(NAMES[1 : 1 + humans]):
                self.play.do(Join(player(name), seat), name)
            if humans < 3:
                self.play.do(SeatBot(BOT), "host")
        if begin == "on":
            self.play.do(StartMatch(secret(humans)), "host")
        self.note()

    # --- what is thrown at it

    def attempt(self, command: Command, by: str, after_ms: int = 10) -> bool:
        """Let a command happen or be refused; a refused one must leave everything as it was."""
        before, data = self.play.table, pack(self.play.table).data
        try:
            changed = self.play.do(command, by, after_ms) is not None
        except TableError:
            changed = False
        assert data == pack(before).data
        assert before.version + changed == self.play.table.version
        assert changed or self.play.table is before
        self.note()
        return changed

    def note(self) -> None:
        """Log what happened since the last time, as a store would."""
        for change in self.play.changes[self.noted :]:
            packed_entry = pack_entry(change.entry)
            self.entries.append(read_entry(read_log_message(packed_entry)))
            self.folded = fold(self.folded, self.entries[-1]).table
            self.packed = pack(change.table, self.packed)
        self.noted = len(self.play.changes)

    @rule(name=st.sampled_from(NAMES[:4]), seat=SEATS)
    def join(self, name: str, seat: int | None) -> None:
        self.attempt(Join(player(name), seat), name)

    @rule(name=st.sampled_from(NAMES), seat=st.none() | st.integers(-1, 3))
    def leave(self, name: str, seat: int | None) -> None:
        self.attempt(Leave(seat), name)

    @rule(name=st.sampled_from(("host", "host", "ada")), seat=SEATS)
    def seat_bot(self, name: str, seat: int | None) -> None:
        self.attempt(SeatBot(BOT, seat), name)

    @rule(name=st.sampled_from(("host", "host", "host", "bob")), number=NUMBERS)
    def start(self, name: str, number: int) -> None:
        self.attempt(StartMatch(secret(number)), name)

    @rule(number=NUMBERS, name=st.sampled_from(("", "", "ada")))
    def open_deal(self, number: int, name: str) -> None:
        self.attempt(OpenDeal(secret(number)), name)

    @rule(name=st.sampled_from(NAMES), number=st.integers(1, 3), entropy=st.binary(min_size=1, max_size=32))
    def add_entropy(self, name: str, number: int, entropy: bytes) -> None:
        self.attempt(AddEntropy(number, entropy), name)

    @rule(after_ms=st.sampled_from([0, 4_000]))
    def deal_cards(self, after_ms: int) -> None:
        self.attempt(DealCards(), SERVER, after_ms)

    @rule(seat=st.integers(-1, 3), actor=st.sampled_from(Actor), action=SOME_ACTIONS, name=st.sampled_from(NAMES))
    def act_somehow(self, seat: int, actor: Actor, action: actions.Action, name: str) -> None:
        self.attempt(Act(seat, actor, action), name)

    @rule(seat=st.integers(-1, 3), connected=st.booleans())
    def presence(self, seat: int, connected: bool) -> None:
        self.attempt(Presence(seat, connected), SERVER)

    @rule(seat=st.integers(-1, 3), after_ms=st.sampled_from([0, 40_000]))
    def stand_in(self, seat: int, after_ms: int) -> None:
        self.attempt(StandIn(seat), SERVER, after_ms)

    @rule(ms=st.integers(-5, 5_000))
    def credit(self, ms: int) -> None:
        self.attempt(Credit(ms), SERVER)

    @rule(name=st.sampled_from(NAMES), really=st.integers(0, 9))
    def close(self, name: str, really: int) -> None:
        if really == 0:
            self.attempt(Close(), name)

    @rule(moves=st.integers(1, 60), seed=NUMBERS, after_ms=st.sampled_from([10, 2_000]))
    def play_on(self, moves: int, seed: int, after_ms: int) -> None:
        """Play legally for a while."""
        chance = random.Random(seed)
        for _ in range(moves):
            if self.play.table.to_act is None:
                break
            self.play.act(any_action(self.play.table.playable, chance), after_ms)
            self.note()

    @rule(seed=NUMBERS)
    def do_the_next_duty_too(self, seed: int) -> None:
        self.do_duty(seed)

    @rule(seed=NUMBERS)
    def do_duty(self, seed: int) -> None:
        """Do what a steward would do next, when it is due."""
        found = duty(self.play.table, KEEP)
        wait_ms = max(10, found.at_ms - self.play.now_ms)
        command = self.command_of(found.task, found.seat, random.Random(seed))
        if command is not None:
            assert self.attempt(command, SERVER, wait_ms), f"a duty is never refused: {found}"

    def command_of(self, task: Task, seat: int | None, chance: random.Random) -> Command | None:
        match task:
            case Task.BOT_TURN | Task.STAND_IN_TURN:
                assert seat is not None
                actor = Actor.BOT if task is Task.BOT_TURN else Actor.STAND_IN
                return Act(seat, actor, any_action(self.play.table.playable, chance))
            case Task.STAND_IN:
                assert seat is not None
                return StandIn(seat)
            case Task.DEFAULT_ACTION:
                assert seat is not None
                return Act(seat, Actor.CLOCK, self.play.table.playable.default_action())
            case Task.DEAL_CARDS:
                return DealCards()
            case Task.OPEN_DEAL:
                return OpenDeal(chance.randbytes(32))
            case Task.CLOSE | Task.REMOVE:
                return None

    # --- what must hold

    @invariant()
    def the_snapshot_equals_the_fold_of_the_log(self) -> None:
        """Log entries, written and read again, give the same table; so does the snapshot, made in parts or whole."""
        table = self.play.table
        assert self.folded == table
        assert self.packed is not None
        data = self.packed.data
        assert store_pb2.Snapshot.FromString(data) == store_pb2.Snapshot.FromString(pack(table).data)
        self.read = unpack(data, self.read)
        assert self.read == table, "a table that is known already takes over what it knows"

    @invariant()
    def every_decision_has_a_default_action(self) -> None:
        """Whoever has to decide, the default action is legal."""
        table = self.play.table
        if table.to_act is not None:
            table.playable.check(table.playable.default_action())

    @invariant()
    def some_duty_is_always_left(self) -> None:
        """No table is kept for ever, and nobody is waited for for ever."""
        assert duty(self.play.table, KEEP).at_ms <= self.play.table.touched_ms + KEEP.idle_ms

    @invariant()
    def seats_are_whose_they_are(self) -> None:
        """No player has two seats; a stand-in plays for players alone; while a match is on no seat is free."""
        table = self.play.table
        players = [seat.player.id for seat in table.seats if seat.player]
        assert len(players) == len(set(players))
        assert all(seat.player for seat in table.seats if seat.stand_in or seat.left or seat.connected)
        if table.status is Status.PLAYING:
            assert not any(seat.is_free for seat in table.seats)
        else:
            assert table.status is Status.CLOSED or not any(seat.left or seat.stand_in for seat in table.seats)

    @invariant()
    def a_clock_runs_for_a_player_alone(self) -> None:
        """The clock is that of a player who has the seat in hand and has to decide."""
        table = self.play.table
        if table.clock is not None:
            assert table.to_act is not None
            assert table.seats[table.to_act].is_manned
            assert not table.seats[table.to_act].stand_in

    def teardown(self) -> None:
        if self.entries:
            assert fold_all(None, self.entries) == self.play.table
            assert unpack(pack(self.play.table).data) == self.play.table


TableMachine.TestCase.settings = settings(
    max_examples=30, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLaws: Any = TableMachine.TestCase
