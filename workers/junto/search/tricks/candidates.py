"""What a search of a decision in a trick-taking game tries: enough to find the best, few enough to try each often."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from junto.games.actions import Action, Play
from junto.games.cards import Card, cards_in, mask_of
from junto.games.napoleon import HouseRules
from junto.games.tricks import kernel
from junto.games.tricks.kernel import SAME_TWO, SPECIAL, TRUMPS
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.games.view import Choices, PlayChoice
from junto.search.tricks import setup
from junto.search.tricks.knowledge import Knowledge

_SPARE_DISCARDS: Final = 2
_SMALL_KITTY: Final = 4
_CARDS_CALLED: Final = 10


def discard_candidates(known: Knowledge, house: HouseRules) -> list[int]:
    """Return sets of cards to put back: what the rule of thumb does, and its neighbours."""
    number, vector = house.kitty, setup.house_vector(house)
    spare = _SPARE_DISCARDS if number <= _SMALL_KITTY else 1
    order: list[int] = []
    chosen = 0
    for count in range(1, min(number + spare, known.hand.bit_count()) + 1):
        more = int(setup.choose_put_back(vector, known.hand, known.trump, count))
        order.extend(cards_in(more & ~chosen))
        chosen |= more
    return [mask_of(cards) for cards in itertools.combinations(order, number)]


def call_candidates(known: Knowledge, house: HouseRules, choices: Choices) -> list[Card]:
    """Return cards to call: high ones that the declarer lacks, trumps first, and two ways to play alone."""
    legal, counting = mask_of(choices.callable), house.terms.counting
    rules = rules_of_deal(house.terms, known.trump)
    trumps, special = int(rules[TRUMPS]), int(rules[SPECIAL])

    def order(card: Card) -> tuple[bool, bool, int]:
        return not special >> card & 1, not trumps >> card & 1, -(card % 13)

    others = sorted(cards_in(legal & ~known.hand), key=order)
    own = sorted(cards_in(legal & known.hand), key=order)
    if not others:
        return own
    alone = [own[0], next((card for card in reversed(own) if not counting >> card & 1), own[-1])] if own else []
    high = [card for card in others if (trumps | special) >> card & 1][: _CARDS_CALLED // 2]
    plain = [card for card in others if card not in high]
    return list(dict.fromkeys([*high, *plain[: _CARDS_CALLED - len(high)], *alone]))


def play_candidates(known: Knowledge, play: PlayChoice) -> list[Play]:
    """Return the plays to try: of cards that are worth the same one only, each suit that it may name, each call."""
    rules = known.rules
    different = known.pack & ~(known.hand | known.played | known.put_back)
    different |= mask_of(known.secretaries) | int(rules[SPECIAL]) | int(rules[SAME_TWO] and kernel.TWOS)
    candidates: list[Play] = []
    for card in play.cards:
        calls = [call.called for call in play.calls if card in call.leads]
        if not calls and _like_the_next(card, mask_of(play.cards), different, known.terms):
            continue
        for naming in range(4) if card in play.naming else (None,):
            candidates.append(Play(card, naming))
            candidates.extend(Play(card, naming, (called,)) for called in calls)
    return candidates


def number_of(thumb: Action, actions: Sequence[Action]) -> int | None:
    """Return which of the actions does what the rule of thumb does; None: none of them.

    Of cards that are worth the same only the highest is among the plays to try.
    """
    if thumb in actions:
        return actions.index(thumb)
    if not isinstance(thumb, Play):
        return None
    higher = [
        (action.card, number)
        for number, action in enumerate(actions)
        if isinstance(action, Play) and action.card // 13 == thumb.card // 13 and action.card > thumb.card
    ]
    return min(higher, default=(0, None))[1]


def _like_the_next(card: Card, own: int, different: int, terms: Terms) -> bool:
    """Tell whether a card does what the seat's next higher card of the suit does: nothing lies between them."""
    worth = _worth(terms, card)
    for higher in range(card + 1, 13 * (card // 13) + 13 if card < kernel.SMALL_JOKER else 0):
        if different >> higher & 1 or different >> card & 1:
            return False
        if own >> higher & 1:
            return worth == _worth(terms, higher)
    return False


def _worth(terms: Terms, card: Card) -> int:
    return (terms.counting >> card & 1) + (terms.counting_twice >> card & 1)
