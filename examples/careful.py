"""A strategy in twenty lines: it bids as Junto's rules of thumb do, and wins a trick as cheaply as it can.

junto tournament run --game napoleon-tw --strategies random,examples/careful.py:Careful --deals 200 --seed 7 --out DIR
"""

from __future__ import annotations

from junto.strategy import Action, Budget, Card, Play, View, greedy, playable, rank_of, suit_of, trick


class Careful:
    """Win a trick with the lowest card that wins it as it lies, or else play the lowest of all; lead the highest."""

    games = ("napoleon-tw",)

    def decide(self, view: View, budget: Budget) -> Action:  # noqa: ARG002  # it takes no time
        """Decide: bids, trumps, the kitty, the call and jokers are left to the rules of thumb."""
        cards = sorted(playable(view), key=lambda card: worth(view, card))
        if not cards or suit_of(cards[-1]) > 3:
            return greedy(view)
        best = max((worth(view, played.card) for played in trick(view).cards), default=None)
        if best is None:
            return Play(cards[-1])
        return Play(next((card for card in cards if worth(view, card) > best), cards[0]))


def worth(view: View, card: Card) -> tuple[bool, bool, int]:
    """Return what a card can do in the trick on the table: jokers and trumps, then the suit led, then by rank."""
    suit, trump = suit_of(card), view.shared.tricks.trump if view.shared.tricks else None
    return suit > 3 or suit == trump, suit == trick(view).led_suit, rank_of(card)
