"""Tournaments as the API tells of them."""

from __future__ import annotations

from junto.table.seats import PlayerId
from junto.tournaments.store import Tournament
from junto.v1 import tournaments_pb2
from junto.wire.times import write_span, write_time

MOST_LEADERS = 10
"""How many lines of the standings a stream tells."""


def write_tournament(tournament: Tournament, now_ms: int, viewer: PlayerId) -> tournaments_pb2.Tournament:
    """Return a tournament as a viewer may see it: the seed of a running one is for its creator alone."""
    record, progress = tournament.record, tournament.progress
    running = tournament.is_running
    message = tournaments_pb2.Tournament(
        id=record.tournament_id,
        spec=record.spec,
        status=tournament.status,
        deals_played=progress.deals_played,
        deals_total=record.deals_total,
        whole_deals=progress.whole_deals,
        failed_decisions=progress.failed_decisions,
        create_time=write_time(record.create_ms),
        end_time=None if running else write_time(tournament.end_ms),
        creator_player_id=record.creator.id,
        waiting=tournament.is_waiting(now_ms),
        verdict=progress.verdict,
        problem=tournament.problem,
        repeatable=not any(entrant.budget.HasField("time") for entrant in record.spec.entrants),
    )
    if running and not message.waiting:
        if progress.HasField("deals_per_second"):
            message.deals_per_second = progress.deals_per_second
        if progress.HasField("left_ms"):
            message.time_left.CopyFrom(write_span(progress.left_ms))
    if running and viewer != record.creator.id:
        message.spec.ClearField("seed")
    return message


def write_watch(tournament: Tournament, now_ms: int, viewer: PlayerId) -> tournaments_pb2.WatchTournamentResponse:
    """Return a message of a stream: the tournament, and who leads."""
    return tournaments_pb2.WatchTournamentResponse(
        tournament=write_tournament(tournament, now_ms, viewer),
        leaders=tournament.progress.standings[:MOST_LEADERS],
    )
