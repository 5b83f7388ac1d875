"""What a match carries from deal to deal as the store keeps it, and back."""

from __future__ import annotations

from junto.games.core import Match
from junto.internal.v1 import store_pb2
from junto.wire.results import read_last_deal, write_last_deal


def write_match(match: Match) -> store_pb2.MatchState:
    """Return the message of a match."""
    return store_pb2.MatchState(
        deals_done=match.deals_done,
        deals_opened=match.deals_opened,
        scores=match.scores,
        carried=[store_pb2.CarriedValue(name=name, values=values) for name, values in match.carried],
        last_deal=None if match.last_deal is None else write_last_deal(match.last_deal),
    )


def read_match(message: store_pb2.MatchState) -> Match:
    """Return the match of a message.

    Raises:
        WireError: an outcome or a role of the last deal is none of this game server's.
    """
    return Match(
        scores=tuple(message.scores),
        deals_done=message.deals_done,
        deals_opened=message.deals_opened,
        carried=tuple((value.name, tuple(value.values)) for value in message.carried),
        last_deal=read_last_deal(message.last_deal) if message.HasField("last_deal") else None,
    )
