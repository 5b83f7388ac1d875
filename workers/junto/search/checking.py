"""Whether a view is one that a seat has who has to decide. Requests to a worker can say anything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from junto.games.actions import Bid
from junto.games.core import View
from junto.games.napoleon import NapoleonGame
from junto.games.view import Choices, Phase, Shared
from junto.search.decisions import StrategyError
from junto.search.worlds.outline import MOST_CARDS


class ImpossibleView(StrategyError):
    """No seat that has to decide has this view; the message says why."""


def check_view(view: View) -> None:
    """Check what the search relies on: whose turn it is, seats, sizes of hands, rising bids, that there is a choice.

    Whether what happened could happen by the rules is not looked into.

    Raises:
        ImpossibleView: no seat that has to decide has this view.
    """
    shared, own, prompt = view.shared, view.own, view.prompt
    if shared.phase is Phase.OVER or shared.to_act is None:
        raise ImpossibleView("there is nothing to decide: the deal is over")
    if not prompt.seat == own.seat == shared.to_act or prompt.phase is not shared.phase:
        raise ImpossibleView(
            f"seat {prompt.seat} is asked in phase {prompt.phase.name} with the view of seat {own.seat}, "
            f"while seat {shared.to_act} is to act in phase {shared.phase.name}"
        )
    _check_hands(view)
    if not set(_seats_told_of(shared)) <= {hand.seat for hand in shared.hands}:
        raise ImpossibleView("it tells of a seat that is not at the table")
    if isinstance(view.game, NapoleonGame):
        bids = [view.game.house.height_of(call.action) for call in shared.calls if isinstance(call.action, Bid)]
        if any(first >= second for first, second in pairwise([0, *bids])):
            raise ImpossibleView("the bids do not rise")
    if not _has_choice(prompt.choices):
        raise ImpossibleView("there is nothing that the seat may do")


def _check_hands(view: View) -> None:
    hands = {hand.seat: hand for hand in view.shared.hands}
    if len(hands) != len(view.shared.hands) or set(hands) != set(range(len(hands))) or len(hands) < view.game.seats:
        raise ImpossibleView("the hands are not those of the seats")
    for seat, hand in hands.items():
        if not len(hand.open) <= hand.size <= MOST_CARDS:
            raise ImpossibleView(f"seat {seat} cannot have {hand.size} cards, {len(hand.open)} of them open")
    if hands[view.own.seat].size != len(view.own.hand):
        raise ImpossibleView("the seat holds another number of cards than all see")


def _seats_told_of(shared: Shared) -> Iterator[int]:
    yield from (call.seat for call in shared.calls)
    yield from (known.seat for known in shared.roles)
    if shared.tricks is not None:
        for trick in shared.tricks.tricks:
            yield trick.leader
            yield from (played.seat for played in trick.cards)
    if shared.climbing is not None:
        yield from shared.climbing.finished
        for past in shared.climbing.rounds:
            yield from (done.seat for done in past.actions)


def _has_choice(choices: Choices) -> bool:
    return any(
        (
            choices.passing, choices.bids, choices.trumps, choices.callable, choices.showing, choices.discard,
            choices.play, choices.combination, choices.answering_claim, choices.accepting, choices.applying,
            choices.declining is not None, choices.claim_up_to is not None,
        )
    )  # fmt: skip
