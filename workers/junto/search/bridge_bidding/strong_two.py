"""After the strong two clubs: the waiting two diamonds, positive answers, the opener's natural rebids."""

from __future__ import annotations

from typing import Final

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import bid, read_call
from junto.search.bridge_bidding.meaning import Forcing
from junto.search.bridge_bidding.openings import STRONG_TWO
from junto.search.bridge_bidding.position import Position
from junto.search.bridge_bidding.rules import Condition, Rules, longest_is, rule

_SUITS: Final = ((SPADES, 2), (HEARTS, 2), (CLUBS, 3), (DIAMONDS, 3))


def strong_two(position: Position) -> Rules:
    """Return the rules for the first two calls after a strong two clubs that nobody has contested."""
    if position.opening != read_call("2C") or position.meanings[position.first_bid_index].name != STRONG_TWO:
        return []
    if not position.uncontested or position.opener % 2 != position.me % 2:
        return []
    match len(position.calls) - position.first_bid_index:
        case 2:
            return _answers()
        case 4:
            return _rebids(position)
        case _:
            return []


def _answers() -> Rules:
    game = Forcing.GAME
    return [
        *(
            rule(bid(level, suit), "positive answer", hcp=(8, 37), has={suit: 5}, forcing=game,
                 when=_good_longest(suit))
            for suit, level in _SUITS
        ),
        rule("2NT", "positive balanced answer", hcp=(8, 37), balanced=True, forcing=game),
        rule("2D", "waiting", artificial=True, forcing=Forcing.ROUND, note="any hand without a good suit"),
    ]  # fmt: skip


def _rebids(position: Position) -> Rules:
    game = Forcing.GAME
    suits = [
        rule(position.cheapest(suit), "long suit, forcing to game", points=(22, 37), has={suit: 4}, forcing=game,
             when=longest_is(suit))
        for suit, _ in _SUITS
    ]  # fmt: skip
    if position.ago(2) != read_call("2D"):
        no_trumps = position.cheapest(NO_TRUMP)
        return [rule(no_trumps, "balanced, forcing to game", hcp=(22, 37), balanced=True, forcing=game), *suits]
    return [
        rule("2NT", "strong balanced rebid", hcp=(22, 24), balanced=True),
        rule("3NT", "strong balanced rebid", hcp=(25, 27), balanced=True),
        rule("6NT", "small slam", hcp=(28, 37), balanced=True),
        *suits,
    ]


def _good_longest(suit: int) -> Condition:
    return lambda held: held.tops[suit] >= 2 and held.longest() == suit
