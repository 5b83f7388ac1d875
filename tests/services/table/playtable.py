"""Tables for tests: opened, seated and started, with a clock and secrets of the test's own."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from junto.games.actions import Action, Bid
from junto.games.catalog import open_game
from junto.games.core import Deal
from junto.games.options import OptionValue
from junto.table.aggregate import Change, Table
from junto.table.commands import Act, Command, CreateTable, Join, OpenDeal, SeatBot, StartMatch
from junto.table.handling import create, handle
from junto.table.seats import SERVER, Actor, Bot, Player, PlayerId, TableId, TableSettings

START_MS = 1_700_000_000_000
HOST = Player(PlayerId("host"), "Hana")
BOT = Bot("greedy")


def player(name: str) -> Player:
    """A player of that name."""
    return Player(PlayerId(name), name.title())


def secret(number: int) -> bytes:
    """The secret of that number."""
    return random.Random(number).randbytes(32)


def any_action(deal: Deal, chance: random.Random, most: int = 40) -> Action:
    """One of the first legal actions; passes are rare, so that most deals are played."""
    options = list(islice(deal.legal_actions(), most))
    return chance.choice(options)


def plain_action(deal: Deal) -> Action:
    """Return the lowest bid if nobody has bid yet, otherwise the default action."""
    bids = deal.prompt.choices.bids if deal.prompt else ()
    is_first = not any(isinstance(call.action, Bid) for call in deal.shared.calls)
    return bids[0] if bids and is_first else deal.default_action()


@dataclass
class Playtable:
    """A table with its log, driven command by command."""

    table: Table
    changes: list[Change] = field(default_factory=list)
    now_ms: int = START_MS

    @classmethod
    def opened(
        cls, settings: TableSettings | None = None, game_id: str = "napoleon-tw", **options: OptionValue
    ) -> Playtable:
        """A new table of a game (Taiwanese Napoleon for three, unless said otherwise) with host `host`."""
        usual: dict[str, OptionValue] = {"players": 3} if game_id == "napoleon-tw" else {}
        game = open_game(game_id, {**usual, **options})
        command = CreateTable(TableId("t1"), game, settings or TableSettings(deals=1), HOST)
        change = create(command, HOST.id, START_MS)
        return cls(change.table, [change])

    @classmethod
    def started(
        cls,
        humans: int = 1,
        settings: TableSettings | None = None,
        game_id: str = "napoleon-tw",
        **options: OptionValue,
    ) -> Playtable:
        """A table with players `p0`, `p1`, … on the first seats, bots on the others, and its first deal dealt."""
        play = cls.opened(settings, game_id, **options)
        for number in range(humans):
            play.do(Join(player(f"p{number}"), number), by=f"p{number}")
        if humans < len(play.table.seats):
            play.do(SeatBot(BOT), by="host")
        play.do(StartMatch(secret(0)), by="host")
        return play

    def do(self, command: Command, by: str = SERVER, after_ms: int = 10) -> Change | None:
        """Let a command happen, some time after the last one."""
        self.now_ms += after_ms
        change = handle(self.table, command, PlayerId(by), self.now_ms)
        if change is not None:
            self.table = change.table
            self.changes.append(change)
        return change

    def actor_of(self, number: int) -> tuple[Actor, str]:
        """Who decides for a seat, and in whose name."""
        seat = self.table.seats[number]
        if seat.stand_in:
            return Actor.STAND_IN, SERVER
        if seat.player is not None and not seat.left:
            return Actor.PLAYER, seat.player.id
        return (Actor.BOT, SERVER) if seat.bot else (Actor.CLOCK, SERVER)

    def act(self, action: Action | None = None, after_ms: int = 10) -> Change:
        """Let the seat to act make a decision: this one, or a plain one with which the deal is played out."""
        number = self.table.to_act
        assert number is not None
        assert self.table.deal is not None
        assert self.table.deal.state is not None
        actor, by = self.actor_of(number)
        change = self.do(Act(number, actor, action or plain_action(self.table.deal.state)), by, after_ms)
        assert change is not None
        return change

    def play_deal(self, choose: Callable[[Deal], Action] | None = None) -> None:
        """Play until the deal is over."""
        while self.table.to_act is not None:
            assert self.table.deal is not None
            assert self.table.deal.state is not None
            self.act(choose(self.table.deal.state) if choose else None)

    def play_match(self, chance: random.Random) -> None:
        """Play until the match is over, opening deals as they are due."""
        while True:
            self.play_deal(lambda deal: any_action(deal, chance))
            if self.table.status != 2:
                return
            self.do(OpenDeal(chance.randbytes(32)))
