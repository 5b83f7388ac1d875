"""After the strong two clubs: the waiting two diamonds, positive answers, the opener's natural rebids."""

from __future__ import annotations

from typing import Final

from junto.games.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES
from junto.search.bridge_bidding.calls import bid, read_call
from junto.search.bridge_bidding.holding import Holding
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
        rule(position.cheapest(suit), "long suit, forcing to game", points=(22, 37), has={suit: 5}, forcing=game,
             when=longest_is(suit))
        for suit, _ in _SUITS
    ]  # fmt: skip
    if position.ago(2) != read_call("2D"):
        no_trumps = position.cheapest(NO_TRUMP)
        flat = rule(no_trumps, "balanced, forcing to game", hcp=(20, 37), most=dict.fromkeys(range(4), 5), forcing=game,
                    when=_balanced_or_three_suited)  # fmt: skip
        return [flat, *suits]
    return [
        *(
            rule(call, name, hcp=hcp, most=dict.fromkeys(range(4), 5), when=_balanced_or_three_suited)
            for call, name, hcp in (
                ("2NT", "strong balanced rebid", (22, 24)),
                ("3NT", "strong balanced rebid", (25, 27)),
                ("6NT", "small slam", (28, 37)),
            )
        ),
        *suits,
    ]


def _balanced_or_three_suited(held: Holding) -> bool:
    return held.balanced or max(held.lengths) == 4


def _good_longest(suit: int) -> Condition:
    return lambda held: held.tops[suit] >= 2 and held.longest() == suit
