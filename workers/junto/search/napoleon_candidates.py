"""What a search of a Napoleon decision tries: enough to find the best, few enough to try each often."""

from __future__ import annotations

import itertools
from typing import Final

from junto.games.actions import Play
from junto.games.cards import Card, cards_in, mask_of
from junto.games.tricks import kernel
from junto.games.tricks.kernel import COURT_CARDS, JOKERS, WHOLE_SUIT
from junto.games.view import Choices, PlayChoice
from junto.search import napoleon_setup as setup
from junto.search.napoleon_knowledge import NapoleonKnowledge

_SPARE_DISCARDS: Final = 2
_CARDS_CALLED: Final = 10


def discard_candidates(known: NapoleonKnowledge) -> list[int]:
    """Return sets of cards to put back: what the rule of thumb does, and its neighbours."""
    number = known.house.kitty
    order: list[int] = []
    chosen = 0
    for count in range(1, min(number + _SPARE_DISCARDS, known.hand.bit_count()) + 1):
        more = int(setup.choose_put_back(known.hand, known.trump, count))
        order.extend(cards_in(more & ~chosen))
        chosen |= more
    return [mask_of(cards) for cards in itertools.combinations(order, number)]


def call_candidates(known: NapoleonKnowledge, choices: Choices) -> list[Card]:
    """Return cards to call: high ones that Napoleon lacks, trumps first, and two ways to play alone."""
    legal = mask_of(choices.callable)
    trumps = WHOLE_SUIT << (13 * known.trump)

    def order(card: Card) -> tuple[bool, bool, int]:
        return not JOKERS >> card & 1, not trumps >> card & 1, -(card % 13)

    others = sorted(cards_in(legal & ~known.hand), key=order)
    own = sorted(cards_in(legal & known.hand), key=order)
    if not others:
        return own
    alone = [own[0], next((card for card in reversed(own) if not COURT_CARDS >> card & 1), own[-1])] if own else []
    high = [card for card in others if trumps >> card & 1][: _CARDS_CALLED // 2]
    plain = [card for card in others if card not in high]
    return list(dict.fromkeys([*high, *plain[: _CARDS_CALLED - len(high)], *alone]))


def play_candidates(known: NapoleonKnowledge, play: PlayChoice) -> list[Play]:
    """Return the plays to try: of cards that are worth the same one only, each suit that it may name, each call."""
    unseen = mask_of(known.house.pack) & ~(known.hand | known.played | known.put_back)
    candidates: list[Play] = []
    for card in play.cards:
        calls = [call.called for call in play.calls if card in call.leads]
        if not calls and _like_the_next(card, mask_of(play.cards), unseen | mask_of(known.secretaries)):
            continue
        for naming in range(4) if card in play.naming else (None,):
            candidates.append(Play(card, naming))
            candidates.extend(Play(card, naming, (called,)) for called in calls)
    return candidates


def _like_the_next(card: Card, own: int, different: int) -> bool:
    """Tell whether a card does what the seat's next higher card of the suit does: nothing lies between them."""
    for higher in range(card + 1, 13 * (card // 13) + 13 if card < kernel.SMALL_JOKER else 0):
        if different >> higher & 1 or different >> card & 1:
            return False
        if own >> higher & 1:
            return (COURT_CARDS >> card & 1) == (COURT_CARDS >> higher & 1)
    return False
