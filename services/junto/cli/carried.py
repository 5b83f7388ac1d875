"""What a deal of a climbing game leaves for the next one, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from junto.cli.climbing_words import listed, number_word
from junto.games.baohuang.tribute import Owed, payers_of, takers_of
from junto.games.view import Alliance, Clearing
from junto.v1 import views_pb2

_WON: Final = {views_pb2.OUTCOME_MADE: 1, views_pb2.OUTCOME_DOWN: -1, views_pb2.OUTCOME_DRAWN: 0}


def carry_lines(
    shared: views_pb2.SharedView, result: views_pb2.DealResult, options: Mapping[str, str], names: Sequence[str]
) -> Iterator[str]:
    """Yield what the next deal begins with: tribute, or who leads; `options` are the rules' choices."""
    if shared.HasField("baohuang"):
        yield from _tribute(_owed(shared.baohuang, result), names)
    elif options.get("next_leader") == "first_out":
        first = next(share.seat for share in result.seats if share.place == 1)
        yield f"{names[first]} was out first, and leads the next deal."


def _owed(court: views_pb2.BaohuangDetails, result: views_pb2.DealResult) -> Owed:
    """Return what everybody knows at the end to be owed."""
    by_role = {share.role: share.seat for share in result.seats}
    order = tuple(share.seat for share in sorted(result.seats, key=lambda share: share.place))
    return Owed(
        by_role[views_pb2.ROLE_DECLARER],
        by_role.get(views_pb2.ROLE_PARTNER),
        Alliance(court.alliance),
        order,
        _WON[result.outcome],
        tuple(Clearing(clearing.seat, clearing.by_seat) for clearing in court.clearings),
    )


def _tribute(owed: Owed, names: Sequence[str]) -> Iterator[str]:
    payers = payers_of(owed)
    if not payers:
        yield "No tribute is paid in the next deal."
    else:
        groups = groupby(payers, lambda payer: payer[1])
        paid = listed([_paid([names[seat] for seat, _ in group], count) for count, group in groups])
        takers = takers_of(owed)[: sum(count for _, count in payers)]
        where = f"all to {names[takers[0]]}" if len(set(takers)) == 1 else _in_turn(takers, names)
        yield f"Tribute of the next deal, out of the fresh hands: {paid}; {where}."
    for clearing in owed.cleared:
        yield f"{names[clearing.seat]}, who was cleared, pays the best card to {names[clearing.by_seat]} besides."


def _paid(payers: Sequence[str], count: int) -> str:
    """Return that each of these pays so many cards."""
    best = "the best card" if count == 1 else f"the {number_word(count)} best cards"
    return f"{payers[0]} pays {best}" if len(payers) == 1 else f"{listed(payers)} pay {best} each"


def _in_turn(takers: Sequence[int], names: Sequence[str]) -> str:
    return f"from the highest down they go to {listed([names[seat] for seat in takers])}"
