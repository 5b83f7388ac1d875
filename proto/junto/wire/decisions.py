"""Decisions of bots as messages, made of plain values: what a search's result holds is its own business."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from junto.games.actions import Action
from junto.games.cards import Card
from junto.games.events import Location
from junto.games.view import Role
from junto.v1 import strategies_pb2
from junto.wire.actions import write_action
from junto.wire.cards import CARDS, read_card
from junto.wire.errors import WireError
from junto.wire.events import read_location, write_location
from junto.wire.results import known, write_role
from junto.wire.times import read_span, write_span

MAX_EVALUATIONS: Final = 100
"""The most candidates that a decision tells about: the API's limit."""
_ROUNDING: Final = 1e-6


class Candidate(NamedTuple):
    """What one candidate promised: the seat's expected score, its standard error, how often it was tried."""

    action: Action
    mean: float
    standard_error: float | None = None
    visits: int | None = None


class Limits(NamedTuple):
    """How long a bot may think; what is None does not limit it."""

    time_ms: int | None = None
    iterations: int | None = None
    seed: int | None = None


def write_decision(
    action: Action,
    candidates: Iterable[Candidate] = (),
    *,
    roles: Mapping[int, Mapping[Role, float]] | None = None,
    cards: Mapping[Card, Mapping[Location, float]] | None = None,
    worlds: int | None = None,
    playouts: int | None = None,
    elapsed_ms: int | None = None,
) -> strategies_pb2.Decision:
    """Return the message of a decision.

    `candidates` come best first; those beyond the hundredth are left out. `roles` are chances by seat,
    `cards` chances of where a card is.
    """
    beliefs = [_role_belief(seat, chances) for seat, chances in (roles or {}).items()]
    beliefs += [_card_belief(card, chances) for card, chances in (cards or {}).items()]
    return strategies_pb2.Decision(
        action=write_action(action),
        evaluations=[_evaluation(candidate) for candidate in list(candidates)[:MAX_EVALUATIONS]],
        beliefs=beliefs,
        worlds=worlds,
        playouts=playouts,
        elapsed=None if elapsed_ms is None else write_span(elapsed_ms),
    )


def read_beliefs(
    message: strategies_pb2.Decision,
) -> tuple[dict[int, dict[Role, float]], dict[Card, dict[Location, float]]]:
    """Return what a decision tells of roles, by seat, and of where cards are.

    Raises:
        WireError: a role, a card or a zone is none of this game server's, or a probability is none.
    """
    roles: dict[int, dict[Role, float]] = {}
    cards: dict[Card, dict[Location, float]] = {}
    for belief in message.beliefs:
        if belief.HasField("role"):
            roles[belief.role.seat] = {
                known(Role, chance.role): _read_probability(chance.probability) for chance in belief.role.roles
            }
        elif belief.HasField("card"):
            cards[read_card(belief.card.card)] = {
                read_location(place.location): _read_probability(place.probability) for place in belief.card.places
            }
    return roles, cards


def write_budget(limits: Limits) -> strategies_pb2.Budget:
    """Return the message of how long a bot may think."""
    time = None if limits.time_ms is None else write_span(limits.time_ms)
    return strategies_pb2.Budget(time=time, iterations=limits.iterations, seed=limits.seed)


def read_budget(message: strategies_pb2.Budget) -> Limits:
    """Return how long a bot may think."""
    return Limits(
        time_ms=read_span(message.time) if message.HasField("time") else None,
        iterations=message.iterations if message.HasField("iterations") else None,
        seed=message.seed if message.HasField("seed") else None,
    )


def _evaluation(candidate: Candidate) -> strategies_pb2.Evaluation:
    return strategies_pb2.Evaluation(
        action=write_action(candidate.action),
        mean=candidate.mean,
        standard_error=candidate.standard_error,
        visits=candidate.visits,
    )


def _role_belief(seat: int, chances: Mapping[Role, float]) -> strategies_pb2.Belief:
    roles = [
        strategies_pb2.RoleChance(role=write_role(role), probability=_probability(chance))
        for role, chance in chances.items()
    ]
    return strategies_pb2.Belief(role=strategies_pb2.RoleBelief(seat=seat, roles=roles))


def _card_belief(card: Card, chances: Mapping[Location, float]) -> strategies_pb2.Belief:
    places = [
        strategies_pb2.LocationChance(location=write_location(place), probability=_probability(chance))
        for place, chance in chances.items()
    ]
    return strategies_pb2.Belief(card=strategies_pb2.CardBelief(card=CARDS[card], places=places))


def _read_probability(number: float) -> float:
    if not -_ROUNDING <= number <= 1.0 + _ROUNDING:  # nor is it a number at all
        raise WireError(f"a probability lies between 0 and 1, and {number} does not")
    return _probability(number)


def _probability(number: float) -> float:
    """Return a probability that was summed up as one: sums of many parts come out a hair beside it."""
    return min(max(number, 0.0), 1.0)
