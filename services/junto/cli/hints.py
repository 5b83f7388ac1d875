"""A decision shown to a person: what the search thinks of each choice, and what it believes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from junto.cli.board import Words
from junto.cli.faces import card_face
from junto.games.actions import Action, text
from junto.v1 import cards_pb2, strategies_pb2, views_pb2
from junto.wire.actions import read_action
from junto.wire.cards import read_card

MOST_CANDIDATES = 12
NARROW = 28
"""The least width of the column of choices."""


def explain(decision: strategies_pb2.Decision, words: Words, in_words: Callable[[Action], str] = text) -> Iterator[str]:
    """Yield the lines of a hint; `in_words` is how an action is put."""
    counts = [f"{decision.worlds:,} worlds"] if decision.HasField("worlds") else []
    counts += [f"{decision.playouts:,} playouts"] if decision.HasField("playouts") else []
    counts.append(f"{decision.elapsed.ToTimedelta().total_seconds():.2f} s")
    yield f"  it would {in_words(read_action(decision.action))}   ({', '.join(counts)})"
    best = decision.evaluations[:MOST_CANDIDATES]
    choices = [in_words(read_action(evaluation.action)) for evaluation in best]
    width = max([NARROW, *map(len, choices)])
    for evaluation, choice in zip(best, choices, strict=True):
        error = f" ± {evaluation.standard_error:.1f}" if evaluation.HasField("standard_error") else ""
        visits = f"   {evaluation.visits:,} tries" if evaluation.HasField("visits") else ""
        yield f"  {choice:{width}} {evaluation.mean:+8.1f}{error}{visits}"
    if len(decision.evaluations) > MOST_CANDIDATES:
        yield f"  and {len(decision.evaluations) - MOST_CANDIDATES} more"
    for belief in decision.beliefs:
        yield from _belief(belief, words)


def _belief(belief: strategies_pb2.Belief, words: Words) -> Iterator[str]:
    if belief.WhichOneof("about") == "role":
        chances = {chance.role: chance.probability for chance in belief.role.roles}
        partner = chances.get(views_pb2.ROLE_PARTNER)
        if partner is not None:
            title = words.titles.get(views_pb2.ROLE_PARTNER, "partner")
            yield f"  {words.names[belief.role.seat]} is the {title}: {partner:.0%}"
    elif belief.card.places:
        places = sorted(belief.card.places, key=lambda place: -place.probability)
        where = ", ".join(f"{_place(place.location, words)} {place.probability:.0%}" for place in places)
        yield f"  {card_face(read_card(belief.card.card))} is with {where}"


def _place(location: cards_pb2.Location, words: Words) -> str:
    if location.HasField("seat"):
        return words.names[location.seat]
    return str(cards_pb2.Zone.Name(location.zone)).removeprefix("ZONE_").lower().replace("_", " ")
