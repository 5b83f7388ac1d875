"""Who may sit where, who plays for whom, and when a seat comes back to its player."""

from __future__ import annotations

from contextlib import suppress

import pytest

from junto.table.commands import Act, Close, Join, Leave, Presence, SeatBot, StandIn, StartMatch
from junto.table.duties import PAUSE_MS, Keep, Task, duty
from junto.table.errors import (
    MatchStarted,
    NotAllowed,
    NotHost,
    NotNow,
    NotSeated,
    NotYourTurn,
    Over,
    SeatNotFound,
    SeatsFree,
    SeatTaken,
    TableError,
)
from junto.table.seats import SERVER, Actor, Bot, Seat, Status, TableSettings
from junto.table.turns import ABSENT_MS

from .playtable import BOT, Playtable, player, secret

KEEP = Keep(over_ms=60_000, idle_ms=600_000)
CLOCKED = TableSettings(deals=1, turn_ms=10_000, bank_ms=4_000)
STOOD_IN = TableSettings(deals=1, turn_ms=10_000, bank_ms=4_000, stand_in=Bot("pimc"))


def on_turn(settings: TableSettings, **options: int | bool | str) -> tuple[Playtable, int, str]:
    """Return a table of three players, the seat to act and its player's id."""
    play = Playtable.started(3, settings, **options)
    number = play.table.to_act
    assert number is not None
    return play, number, f"p{number}"


def task(play: Playtable) -> tuple[Task, int]:
    """Return the next duty and in how many ms it is due."""
    found = duty(play.table, KEEP)
    return found.task, found.at_ms - play.now_ms


def refuse(play: Playtable, command: object, by: str, error: type[TableError]) -> TableError:
    """Return the refusal of a command, which must leave the table as it is."""
    before = play.table
    with pytest.raises(error) as caught:
        play.do(command, by)  # type: ignore[arg-type]
    assert play.table is before
    return caught.value


def test_the_first_free_seat_is_taken_unless_one_is_named() -> None:
    """Join takes the named seat, or the first that is free, and a full table has none."""
    play = Playtable.opened()
    play.do(Join(player("ada"), 1), "ada")
    play.do(Join(player("bob")), "bob")
    play.do(Join(player("cleo")), "cleo")

    assert [seat.player.id for seat in play.table.seats if seat.player] == ["bob", "ada", "cleo"]
    refuse(play, Join(player("dan")), "dan", SeatTaken)


def test_a_player_has_one_seat() -> None:
    """Joining again changes nothing; another seat than one's own is refused."""
    play = Playtable.opened()
    play.do(Join(player("ada"), 1), "ada")

    play.do(Join(player("ada")), "ada")
    play.do(Join(player("ada"), 1), "ada")

    assert [seat.player is not None for seat in play.table.seats] == [False, True, False]
    refuse(play, Join(player("ada"), 2), "ada", SeatTaken)
    refuse(play, Join(player("bob"), 1), "bob", SeatTaken)
    refuse(play, Join(player("bob"), 3), "bob", SeatNotFound)


def test_bots_are_for_the_host_and_for_free_seats() -> None:
    """Only the host seats bots and frees their seats, and only between matches."""
    play = Playtable.opened()
    play.do(Join(player("ada"), 0), "ada")
    refuse(play, SeatBot(BOT), "ada", NotHost)
    refuse(play, SeatBot(BOT, 0), "host", SeatTaken)
    play.do(SeatBot(BOT, 1), "host")
    refuse(play, StartMatch(secret(1)), "host", SeatsFree)
    play.do(SeatBot(BOT), "host")
    refuse(play, SeatBot(BOT), "host", SeatTaken)
    refuse(play, Leave(2), "ada", NotHost)
    refuse(play, Leave(0), "host", NotSeated)
    refuse(play, StartMatch(secret(1)), "ada", NotHost)
    play.do(Leave(2), "host")
    assert play.table.seats[2].is_free
    play.do(SeatBot(BOT), "host")
    play.do(StartMatch(secret(1)), "host")

    refuse(play, Leave(2), "host", MatchStarted)
    refuse(play, SeatBot(BOT), "host", MatchStarted)
    refuse(play, StartMatch(secret(1)), "host", MatchStarted)


def test_a_seat_is_given_up_before_the_match_for_anybody() -> None:
    """A seat left in the lobby is free again, and leaving without a seat is refused."""
    play = Playtable.opened()
    play.do(Join(player("ada"), 0), "ada")
    play.do(Leave(), "ada")

    assert Seat() == play.table.seats[0]
    refuse(play, Leave(), "ada", NotSeated)


def test_the_servers_commands_are_not_for_players() -> None:
    """A player can neither mark others as absent nor let a stand-in play."""
    play, number, name = on_turn(STOOD_IN)

    refuse(play, Presence(number, connected=False), name, NotAllowed)
    refuse(play, StandIn(number), name, NotAllowed)


def test_a_leavers_seat_stays_theirs() -> None:
    """In a running match a leaver's seat is played by the stand-in at once, closed to strangers, and theirs again."""
    play, number, name = on_turn(STOOD_IN)

    play.do(Leave(), name)

    assert task(play) == (Task.STAND_IN_TURN, 0)
    assert play.table.clock is None
    refuse(play, Join(player("eve")), "eve", SeatTaken)
    refuse(play, Join(player("eve"), number), "eve", SeatTaken)
    refuse(play, Act(number, Actor.PLAYER, play.table.playable.default_action()), name, NotSeated)
    refuse(play, Leave(), name, NotSeated)
    play.do(Join(player(name)), name)
    assert not play.table.seats[number].left
    assert not play.table.seats[number].stand_in
    assert task(play) == (Task.STAND_IN, 14_000), "with a fresh clock"


def test_without_a_stand_in_default_actions_are_taken_for_a_leaver() -> None:
    """Nobody is waited for who has left: the default action is due at once."""
    play, number, name = on_turn(TableSettings(deals=1))
    play.do(Leave(), name)

    assert task(play) == (Task.DEFAULT_ACTION, 0)
    play.do(Act(number, Actor.CLOCK, play.table.playable.default_action()))

    assert Actor.CLOCK is play.changes[-1].actor


def test_leavers_seats_are_free_when_the_match_is_over() -> None:
    """After the last deal those who left have no seat any more, and strangers may sit down for the next match."""
    play, number, name = on_turn(STOOD_IN)
    play.do(Leave(), name)
    play.play_deal()

    assert play.table.status is Status.FINISHED
    assert play.table.seats[number].is_free
    play.do(Join(player("eve"), number), "eve")
    change = play.do(StartMatch(secret(5)), "host")
    assert change is not None
    assert change.table.status is Status.PLAYING


def test_the_bank_is_used_when_the_turns_time_is_up() -> None:
    """A decision within the turn's time costs nothing; beyond it the bank pays, and what is left counts next time."""
    play, number, _ = on_turn(CLOCKED, players=3)
    play.act(after_ms=9_000)
    assert play.table.seats[number].bank_ms == 4_000

    number = play.table.to_act or 0
    play.act(after_ms=11_500)

    assert play.table.seats[number].bank_ms == 2_500


def test_at_the_deadline_the_default_action_is_taken() -> None:
    """Not before turn and bank are used up; then the clock decides, and the bank is empty."""
    play, number, _ = on_turn(CLOCKED)
    default = play.table.playable.default_action()
    assert task(play) == (Task.DEFAULT_ACTION, 14_000)
    refuse(play, Act(number, Actor.CLOCK, default), SERVER, NotNow)

    play.do(Act(number, Actor.CLOCK, default), after_ms=14_000)

    assert play.table.seats[number].bank_ms == 0
    assert play.table.to_act != number


def test_at_the_deadline_the_stand_in_takes_one_turn_of_a_player_who_is_there() -> None:
    """Who watches and is slow loses that turn to the stand-in, and has the seat back after it."""
    play, number, name = on_turn(STOOD_IN)
    play.do(Presence(number, connected=True), after_ms=0)
    refuse(play, StandIn(number), SERVER, NotNow)
    refuse(play, StandIn((number + 1) % 3), SERVER, NotYourTurn)
    play.do(StandIn(number), after_ms=14_000)
    assert task(play) == (Task.STAND_IN_TURN, 0)
    assert play.table.seats[number].stand_in

    play.do(Act(number, Actor.STAND_IN, play.table.playable.default_action()))

    assert not play.table.seats[number].stand_in
    assert name == play.table.seats[number].player.id  # type: ignore[union-attr]


@pytest.mark.parametrize("way_back", ["join", "act", "watch"])
def test_an_absent_player_gets_the_seat_back(way_back: str) -> None:
    """A stand-in plays on for who is gone, until they join, act or watch."""
    play, number, name = on_turn(STOOD_IN)
    play.do(Presence(number, connected=True))
    play.do(Presence(number, connected=False))
    play.do(StandIn(number), after_ms=14_000)
    match way_back:
        case "join":
            play.do(Join(player(name)), name)
        case "act":
            play.do(Act(number, Actor.PLAYER, play.table.playable.default_action()), name)
            assert play.table.to_act != number
        case _:
            play.do(Presence(number, connected=True))

    seat = play.table.seats[number]
    assert (seat.stand_in, seat.gone_ms) == (False, 0)
    if way_back != "act":
        assert play.table.clock is not None, "the turn begins anew"


@pytest.mark.parametrize(
    ("settings", "way"),
    [(STOOD_IN, "leave, join"), (CLOCKED, "leave, join"), (STOOD_IN, "time out, join"), (STOOD_IN, "time out, watch")],
)
def test_nobody_holds_a_table_up_by_coming_and_going(settings: TableSettings, way: str) -> None:
    """Each return to a turn starts its clock anew, but only a few times: then others decide, and the game goes on."""
    play, number, name = on_turn(settings)
    play.do(Presence(number, connected=True))

    def come_and_go() -> bool:
        play.do(*((Leave(), name) if way == "leave, join" else (StandIn(number), SERVER, 14_000)))
        if way == "time out, watch":
            play.do(Presence(number, connected=False))
            play.do(Presence(number, connected=True))
        else:
            play.do(Join(player(name)), name)
        return not play.table.seats[number].stand_in

    with suppress(NotNow):
        assert not all(come_and_go() for _ in range(20)), "the turn never ends"

    assert task(play)[1] <= 0, "it is decided now"
    play.act()
    assert play.table.to_act != number
    play.do(Join(player(name)), name)
    assert (play.table.seats[number].stand_in, play.table.seats[number].left) == (False, False)


def test_the_stand_in_plays_on_for_who_is_gone() -> None:
    """While a player is away the stand-in decides every turn without waiting for the clock."""
    play, number, _ = on_turn(STOOD_IN)
    play.do(StandIn(number), after_ms=14_000)
    play.act()
    while play.table.to_act != number:
        play.act()

    assert task(play) == (Task.STAND_IN_TURN, 0)


def test_without_a_clock_a_present_player_is_waited_for_and_a_lost_one_is_not() -> None:
    """No clock means no hurry; but who was watching and is gone has a minute."""
    play, number, _ = on_turn(TableSettings(deals=1))
    assert Task.CLOSE is task(play)[0]
    play.do(Presence(number, connected=True))
    play.do(Presence(number, connected=False))

    assert task(play) == (Task.DEFAULT_ACTION, ABSENT_MS)


def test_presence_that_changes_nothing_is_no_command() -> None:
    """Saying again that somebody is there makes no new version."""
    play, number, _ = on_turn(CLOCKED)
    play.do(Presence(number, connected=True))

    assert play.do(Presence(number, connected=True)) is None
    assert play.do(Presence((number + 1) % 3, connected=False)) is None


def test_a_closed_table_takes_nothing_any_more() -> None:
    """After the host closed it, every command is refused, and it is removed after a while."""
    play, number, name = on_turn(CLOCKED)
    refuse(play, Close(), name, NotHost)
    play.do(Close(), "host")

    assert task(play) == (Task.REMOVE, 60_000)
    for command, by in (
        (Join(player("eve")), "eve"),
        (Leave(), name),
        (SeatBot(BOT), "host"),
        (StartMatch(secret(1)), "host"),
        (Act(number, Actor.PLAYER, play.table.deal.state.default_action()), name),  # type: ignore[union-attr]
        (Close(), "host"),
    ):
        refuse(play, command, by, Over)


def test_an_idle_table_goes_away() -> None:
    """An open table without any life is removed; one in play on which nothing happens is closed first."""
    play = Playtable.opened()
    assert task(play) == (Task.REMOVE, 600_000)
    play, _, _ = on_turn(TableSettings(deals=1))
    assert task(play) == (Task.CLOSE, 600_000)


def test_a_result_stays_for_players_to_see() -> None:
    """The next deal waits five seconds where a player is seated, not at all among bots, and as long as it was set."""
    for humans, pause_ms, expected in ((1, None, PAUSE_MS), (0, None, 0), (0, 700, 700), (2, 0, 0)):
        play = Playtable.started(humans, TableSettings(deals=3, pause_ms=pause_ms))
        play.play_deal()
        is_void = play.table.deal is not None and play.table.deal.is_void
        assert (Task.OPEN_DEAL, 0 if is_void else expected) == task(play)
