"""The laws that every game's deals keep, checked at a step or over a whole deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, groupby, islice
from random import Random

import pytest

from junto.games import actions
from junto.games.actions import Action, Play, PlayCards
from junto.games.cards import Card, cards_in
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import Deal, DealIsOver, RuleError, Step
from junto.games.events import DealEnded, Seen, seen_by
from junto.games.knowledge import Sheet, learn_own, learn_shared
from junto.games.view import BaohuangDetails, Outcome, Phase, Shared

from .playing import described, parsed

MANY = 300
"""Of an action that is one of thousands, so many are looked at."""


def state(deal: Deal) -> tuple[object, ...]:
    """Return all that a deal is, for comparing; whatever was computed from it is left out."""
    hidden = {name: value for name, value in vars(deal).items() if name not in {"prompt", "rules", "counts"}}
    rules = vars(deal).get("rules")
    return (*hidden.items(), None if rules is None else rules.tobytes())


def check_decision(deal: Deal, rng: Random) -> None:
    """The seat to act gets a prompt that says exactly what is legal, and a default that is."""
    prompt = deal.prompt
    assert prompt is not None
    assert (deal.to_act, deal.phase) == (prompt.seat, prompt.phase)
    deal.check(deal.default_action())
    legal = list(islice(deal.legal_actions(), MANY))
    assert legal
    assert len(set(legal)) == len(legal)
    hand = deal.owns[prompt.seat].hand
    told = [action for action in islice(described(prompt.choices, hand), MANY) if _is_legal_as_told(deal, action)]
    if len(legal) < MANY:
        assert set(map(_as_told, told)) == set(map(_as_told, legal))
    for action in (deal.default_action(), *rng.sample(legal, min(len(legal), 12))):
        assert parsed(deal, actions.text(action)) == action
        deal.check(action)
    for action in told[:12]:
        deal.check(action)


def _is_legal_as_told(deal: Deal, action: Action) -> bool:
    """Tell whether what a prompt describes is legal: everything is, but perhaps a lead with two calls."""
    return not (isinstance(action, Play) and len(action.calls) == 2) or refusal(deal, action) is None


def _as_told(action: Action) -> object:
    """Return what a prompt tells of an action: of a combination the ranks, whatever the suits."""
    return tuple(sorted(map(rank_of_card, action.cards))) if isinstance(action, PlayCards) else action


def check_refusal(deal: Deal, action: Action) -> bool:
    """Tell whether an action is refused; if so, both ways in the same words, and the deal stays as it was."""
    before = state(deal)
    reason = refusal(deal, action)
    if reason is None:
        return False
    with pytest.raises(RuleError) as again:
        deal.apply(action)
    assert str(again.value) == reason != ""
    assert state(deal) == before
    return True


def refusal(deal: Deal, action: Action) -> str | None:
    """Return why an action is refused; None if it is not."""
    try:
        deal.check(action)
    except RuleError as error:
        return str(error)
    return None


def check_cards(deal: Deal, pack: int) -> None:
    """Every card of the pack is in one place, and the numbers that all see agree."""
    shared, hands = deal.shared, _hands(deal)
    put_back = {card for own in deal.owns for card in own.put_back}
    known = Counter([*chain(*hands), *_played(shared), *_pot(shared), *put_back])
    assert known.total() == pack - shared.kitty_size
    assert known <= Counter(deal.game.pack)  # type: ignore[attr-defined]  # all have it
    views = sorted(shared.hands, key=lambda view: view.seat)
    assert [len(hand) for hand in hands] == [view.size for view in views]
    assert all(Counter(view.open) <= Counter(hand) for view, hand in zip(views, hands, strict=True))
    assert set(shared.put_back) <= put_back
    assert not shared.kitty_size or not set(shared.kitty) & known.keys()


def _played(shared: Shared) -> list[Card]:
    """Return the cards that were played, in tricks or in rounds."""
    tricks = shared.tricks.tricks if shared.tricks else ()
    done = chain.from_iterable(played.actions for played in shared.climbing.rounds) if shared.climbing else ()
    laid = chain.from_iterable(one.action.cards for one in done if isinstance(one.action, PlayCards))
    return [*(played.card for trick in tricks for played in trick.cards), *laid]


def _pot(shared: Shared) -> tuple[Card, ...]:
    return shared.details.pot if isinstance(shared.details, BaohuangDetails) else ()


def _hands(deal: Deal) -> list[tuple[int, ...]]:
    """Return the hands by number: the seats' own, and those that nobody owns."""
    owned = [own.hand for own in deal.owns]
    masks = vars(deal)["hands"] if len(deal.shared.hands) > len(owned) else ()
    return [*owned, *(tuple(cards_in(mask)) for mask in masks[len(owned) :])]


def check_knowledge(steps: list[Step]) -> None:
    """What everybody and each seat knows follows from the events that they saw, from the first one on."""
    first, last = steps[0].deal, steps[-1].deal
    game, number = first.game, first.shared.number
    shared, owns = game.blank(number)
    events = [event for step in steps for event in step.events]

    def begin(sheet: Sheet) -> None:
        """Who begins is told with the deal; from then on it follows."""
        game.settle(sheet)
        sheet.to_act = first.to_act

    begun = learn_shared(shared, seen_by(steps[0].events, None), begin)
    told = learn_shared(begun, seen_by(events[len(steps[0].events) :], None), game.settle)
    if len(steps) > 1:
        assert told == last.shared
    for own in owns:
        assert learn_own(own, seen_by(events, own.seat)) == last.owns[own.seat]


def check_end(steps: list[Step], pack: int) -> None:
    """A deal that is over is scored, to a zero sum where the game says so, or void; all its cards are open, and
    nothing more is legal.
    """
    deal = steps[-1].deal
    shared, result = deal.shared, deal.shared.result
    assert deal.is_over
    assert result is not None
    assert (deal.to_act, deal.prompt, list(deal.legal_actions())) == (None, None, [])
    for ask in (deal.default_action, lambda: deal.check(actions.Pass()), lambda: deal.apply(actions.Pass())):
        with pytest.raises(DealIsOver):
            ask()
    assert steps[-1].events[-1] == Seen(DealEnded(result))
    assert (result.outcome is Outcome.VOID) == (deal.scores is None)
    assert sum(deal.scores or ()) == 0 or not deal.game.zero_sum
    kitty = shared.kitty if shared.kitty_size else ()
    hands = chain.from_iterable(hand.open for hand in shared.hands)
    shown = Counter([*_played(shared), *_pot(shared), *shared.put_back, *kitty, *hands])
    assert shown.total() == pack
    assert shown <= Counter(deal.game.pack)  # type: ignore[attr-defined]  # all have it


def check_same_again(steps: list[Step], done: list[Action], again: Step) -> None:
    """The same seed and actions give the same events and scores."""
    assert again == steps[0]
    for action, step in zip(done, steps[1:], strict=True):
        again = again.deal.apply(action)
        assert again.events == step.events
    assert (again.deal.shared, again.deal.owns) == (steps[-1].deal.shared, steps[-1].deal.owns)


def check_log(dealt: Step, log: Iterable[str], end: Deal) -> None:
    """The actions as texts lead from the dealing to the same end and the same scores."""
    deal = dealt.deal
    for line in log:
        deal = deal.apply(parsed(deal, line)).deal
    assert (deal.shared, deal.owns, deal.scores) == (end.shared, end.owns, end.scores)


def check_phases(steps: list[Step]) -> None:
    """Phases follow each other and never come back."""
    phases = [phase for phase, _ in groupby(step.deal.phase for step in steps)]
    assert len(phases) == len(set(phases))
    assert phases[-1] is Phase.OVER
