"""What events add to the course of a climbing game."""

from __future__ import annotations

from dataclasses import replace

from junto.games.actions import ApplyForLead, PlayCards
from junto.games.events import ActionTaken
from junto.games.knowledge.sheet import Sheet
from junto.games.view import ClimbingPlay, Round, SeatAction


def begin_round(sheet: Sheet, leader: int) -> None:
    """Write down that a round began."""
    play = _play_of(sheet)
    sheet.climbing = replace(play, rounds=(*play.rounds, Round(leader)), applicant=None)


def finish_seat(sheet: Sheet, seat: int) -> None:
    """Write down that a seat has gone out."""
    play = _play_of(sheet)
    sheet.climbing = replace(play, finished=(*play.finished, seat))


def note_in_round(sheet: Sheet, event: ActionTaken) -> None:
    """Write down a play, a pass or a request for the lead, which a play ends."""
    play = _play_of(sheet)
    last, applicant = play.rounds[-1], play.applicant
    if isinstance(event.action, PlayCards):
        applicant = None
    elif isinstance(event.action, ApplyForLead):
        applicant = event.seat
    done = SeatAction(event.seat, event.action, event.combination)
    rounds = (*play.rounds[:-1], Round(last.leader, (*last.actions, done)))
    sheet.climbing = ClimbingPlay(rounds, play.finished, applicant)


def _play_of(sheet: Sheet) -> ClimbingPlay:
    assert sheet.climbing is not None, "a climbing game begins with an empty ClimbingPlay"
    return sheet.climbing
