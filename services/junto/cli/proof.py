"""The proof of a replay, in words."""

from __future__ import annotations

from collections.abc import Iterator

from junto.games.verify import NotVerified
from junto.v1 import replays_pb2, views_pb2
from junto.wire.errors import WireError
from junto.wire.replays import verify

Unproved = (NotVerified, WireError)
"""What is raised for a replay that does not hold."""


def prove(replay: replays_pb2.Replay) -> Iterator[str]:
    """Yield what is proved of a replay, after all of it was.

    Raises:
        NotVerified: something in it does not hold.
        WireError: it says something that cannot be, or is of rules that this version does not have.
    """
    verify(replay)
    if not replay.deals:
        yield "There is no finished deal in it, so there was nothing to prove."
        return
    for deal in replay.deals:
        yield from _proved(deal)


def _proved(deal: replays_pb2.DealRecord) -> Iterator[str]:
    added = sum(1 for entropy in deal.reveal.entropy if entropy)
    entropy = f", with what {added} players added," if added else ""
    yield f"Deal {deal.number} is proved:"
    yield "  - The secret that is revealed now is the one that was promised before the deal: its SHA-256 is"
    yield f"    {deal.commitment.seed_sha256}"
    yield f"  - That secret{entropy} deals these very cards and draws whatever else was drawn."
    yield f"  - All {len(deal.actions)} actions are legal, each by the seat whose turn it was."
    yield f"  - They lead to this result: {_result(deal.result)}."


def _result(result: views_pb2.DealResult) -> str:
    if result.outcome == views_pb2.OUTCOME_VOID:
        return "the deal is void, no score"
    return ", ".join(f"seat {share.seat} {share.score:+}" for share in result.seats)
