"""Twin deals: what a seat sees may not depend on cards that it cannot see.

A *pair* is one deal played to some decision, and its twin: the same deal but for cards that one seat, the
*watcher*, could not know at that decision. Both are played by the same actions; only the cards that Napoleon
puts back unseen are the twin's own. Whatever the watcher is shown, in any form, must be the same in both up
to that decision. A pair ends early where an action is legal in one twin only, or where the rules themselves
show all a difference (a court card put back).

What "is shown" means is for the caller to say: `Sees` takes the step of a deal and a seat. The tests of the
rules compare events, views, prompts and refusals; others can compare the bytes of a stream, by bringing the
twins' hands, kitty and first bidder to a table (`Twin`) and sending it the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from junto.games.actions import Action, Discard
from junto.games.cards import Card
from junto.games.core import Deal, RuleError, Step
from junto.games.napoleon import NapoleonDeal, NapoleonGame
from junto.games.view import Phase

Sees = Callable[[Step, int], object]
"""What a seat is shown by a step: anything that can be compared."""
Choose = Callable[[Deal, Random], Action]
"""Picks a legal action."""
_TRIES = 30
"""So many twins of a deal are tried: most would have to follow a suit that they were seen not to follow."""
_MIXED = 0.3


@dataclass(frozen=True, slots=True)
class Twin:
    """One of two deals: the cards as dealt, and what is done, in order."""

    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two deals between which the watcher cannot tell before their last action.

    `phase` is where they stand after it; `other_partner`: a called card has another holder in the twin.
    """

    game: NapoleonGame
    first_bidder: int
    watcher: int
    phase: Phase
    first: Twin
    second: Twin
    other_partner: bool


class Interference(AssertionError):
    """A seat was shown something that depends on cards that it cannot see."""


def dealt(pair: Pair, twin: Twin) -> Step:
    """Return the deal of a twin before its first action."""
    return pair.game.deal_hands(1, twin.hands, twin.kitty, pair.first_bidder)


def steps_of(pair: Pair, twin: Twin) -> list[Step]:
    """Return every step of a twin, the dealing first."""
    steps = [dealt(pair, twin)]
    for action in twin.actions:
        steps.append(steps[-1].deal.apply(action))
    return steps


def compare(pair: Pair, sees: Sees) -> None:
    """Play both twins and compare what the watcher sees, step by step.

    Raises:
        Interference: it is not the same.
    """
    for number, (one, other) in enumerate(zip(steps_of(pair, pair.first), steps_of(pair, pair.second), strict=True)):
        seen, seen_too = sees(one, pair.watcher), sees(other, pair.watcher)
        if seen != seen_too:
            done = pair.first.actions[number - 1] if number else "the cards were dealt"
            raise Interference(f"seat {pair.watcher} can tell after {done}:\n{seen}\n{seen_too}")


def pairs(
    games: Callable[[Random], NapoleonGame], choose: Choose, phase: Phase, count: int, rng: Random
) -> Iterator[Pair]:
    """Yield pairs that stand in a phase after their last action, each from another deal."""
    while count:
        game = games(rng)
        start, actions, end = _played(game, choose, phase, rng)
        if end is None:
            continue
        watcher = rng.randrange(game.seats)
        for _ in range(_TRIES):
            pair = _twinned(start, actions, end, watcher, rng)
            if pair is not None:
                yield pair
                count -= 1
                break


def _played(
    game: NapoleonGame, choose: Choose, phase: Phase, rng: Random
) -> tuple[NapoleonDeal, list[Action], NapoleonDeal | None]:
    """Play a random deal; return its start, and some stand in a phase with the actions up to there, if there is one."""
    pack = rng.sample(game.house.pack, len(game.house.pack))
    size, seats = game.house.tricks, game.seats
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(seats)]
    deals = [game.deal_hands(1, hands, pack[seats * size :], rng.randrange(seats)).deal]
    actions: list[Action] = []
    while not deals[-1].is_over:
        actions.append(choose(deals[-1], rng))
        deals.append(deals[-1].apply(actions[-1]).deal)
    stands = [number for number, deal in enumerate(deals) if deal.phase is phase]
    last = rng.choice(stands) if stands else 0
    start, end = deals[0], deals[last] if stands else None
    assert isinstance(start, NapoleonDeal)
    assert end is None or isinstance(end, NapoleonDeal)
    return start, actions[:last], end


def _twinned(
    start: NapoleonDeal, actions: Sequence[Action], end: NapoleonDeal, watcher: int, rng: Random
) -> Pair | None:
    """Return a pair of a deal that was played to `end` and a twin of it; None if the chosen cards make none."""
    first_bidder = start.to_act
    assert first_bidder is not None
    hands = [own.hand for own in start.owns]
    renamed = _renaming(_hidden_from(watcher, end), {called.card for called in end.shared.called}, rng)
    other_hands = [_renamed(hand, renamed) for hand in hands]
    other_kitty = _renamed(start.kitty, renamed)
    _mix_with_kitty(other_hands, other_kitty, end, watcher, rng)
    other_actions = [Discard(tuple(_renamed(a.cards, renamed))) if isinstance(a, Discard) else a for a in actions]
    pair = Pair(
        start.game,
        first_bidder,
        watcher,
        end.phase,
        Twin(tuple(hands), start.kitty, tuple(actions)),
        Twin(tuple(tuple(sorted(hand)) for hand in other_hands), tuple(sorted(other_kitty)), tuple(other_actions)),
        other_partner=False,
    )
    if (pair.first.hands, pair.first.kitty) == (pair.second.hands, pair.second.kitty):
        return None
    if _courts_put_back(start, actions) != _courts_put_back(start, other_actions):
        return None
    try:
        other = steps_of(pair, pair.second)[-1].deal
    except RuleError:
        return None
    assert isinstance(other, NapoleonDeal)
    return replace(pair, other_partner=other.holders != end.holders)


def _hidden_from(watcher: int, deal: NapoleonDeal) -> set[Card]:
    """Return the cards of which the watcher does not know at all where they lie."""
    shared, own = deal.shared, deal.owns[watcher]
    assert shared.tricks is not None
    known = {*own.hand, *own.kitty, *own.put_back, *shared.put_back, *shared.kitty}
    known.update(card for hand in shared.hands for card in hand.open)
    known.update(played.card for trick in shared.tricks.tricks for played in trick.cards)
    return set(deal.house.pack) - known


def _renaming(hidden: set[Card], called: set[Card], rng: Random) -> dict[Card, Card]:
    """Return a permutation of some of the hidden cards, a called one among them; few are likelier to be playable."""
    others = rng.sample(sorted(hidden - called), min(len(hidden - called), rng.choice((2, 2, 3, 4, 6, 54))))
    moved = [*sorted(hidden & called), *others]
    return dict(zip(moved, [*moved[1:], *moved[:1]], strict=True))


def _renamed(cards: Sequence[Card], renamed: dict[Card, Card]) -> list[Card]:
    return [renamed.get(card, card) for card in cards]


def _mix_with_kitty(hands: list[list[Card]], kitty: list[Card], end: NapoleonDeal, watcher: int, rng: Random) -> None:
    """Let some of the cards that Napoleon took out of the kitty have been in his hand, and the other way round."""
    contract = end.shared.contract
    if contract is None or contract.declarer == watcher or end.kitty:
        return
    hand = hands[contract.declarer]
    for place in range(len(kitty)):
        other = rng.randrange(len(hand))
        if rng.random() < _MIXED:
            kitty[place], hand[other] = hand[other], kitty[place]


def _courts_put_back(deal: NapoleonDeal, actions: Sequence[Action]) -> tuple[Card, ...]:
    return deal.house.courts_among(card for action in actions if isinstance(action, Discard) for card in action.cards)
