"""Conformance cases of whist, each driven through a deal of the real rules.

Cases that begin in the middle get a deal that stands there: tricks that were played before have a winner and no
cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

from junto.games.actions import Play
from junto.games.cards import SUITS, cards_in, parse_card, suit_of
from junto.games.catalog import open_game
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.driving import (
    after,
    cards_of,
    course,
    first_trick_won,
    hands_at_trick,
    playable,
    plays_of,
    run,
    texts_of,
)
from junto.games.core import Deal
from junto.games.events import SeatsDrawn
from junto.games.shuffle import SECRET_BYTES, DealSeed
from junto.games.tricks.deal import TricksDeal
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import HandView, Own, Phase, Shared, Tally, Trick, TrickPlay
from junto.games.whist import PLAYERS, Whist

_SEATS: Final = range(PLAYERS)
_LAST: Final = 13

# The kinds of cases.


def trick(case: Case) -> Answer:
    """Say who wins a trick."""
    _, events = run(_standing(case, *hands_at_trick(case, PLAYERS)), plays_of(case))
    return {"winner": first_trick_won(events).winner}


def legal(case: Case) -> Answer:
    """Say which cards may be played."""
    deal = after(_standing(case, *hands_at_trick(case, PLAYERS)), *plays_of(case))
    return {"cards": texts_of(playable(deal))}


def draw(case: Case) -> Answer:
    """Say who plays with whom, after a deal for which the seats drew as the case says."""
    game, wanted = _game(case), [SUITS.index(suit) for suit in case.when["drawn"]]
    match = game.new_match().opened()
    for number in count():
        step = game.deal(match, DealSeed(number.to_bytes(SECRET_BYTES, "big"), (b"",) * PLAYERS))
        drawn = next(seen.event for seen in step.events if isinstance(seen.event, SeatsDrawn))
        if [draw.suit for draw in drawn.draws] == wanted:
            break
    return {"sides": [list(side) for side in game.sides(match, step.deal.shared)]}


def trump(case: Case) -> Answer:
    """Say what the card that is turned up means."""
    dealer, last = case.given["dealer"], parse_card(case.when["last_card"])
    others = iter([card for card in range(PLAYERS * _LAST) if card != last])
    hands = [[next(others) for _ in range(_LAST - (seat == dealer))] for seat in _SEATS]
    hands[dealer].append(last)
    deal = _game(case).deal_hands(1, hands, dealer, last).deal
    owner = next(hand.seat for hand in deal.shared.hands if last in hand.open)
    assert deal.shared.tricks is not None
    assert deal.shared.tricks.trump is not None
    return {"trump": SUITS[deal.shared.tricks.trump], "leader": deal.to_act, "owner": owner}


def score(case: Case) -> Answer:
    """Say what a deal is worth, by playing its last trick; the seat with most tricks wins it."""
    tricks = case.when["tricks_by_seat"]
    winner = max(_SEATS, key=lambda seat: tricks[seat])
    before = [taken - (seat == winner) for seat, taken in enumerate(tricks)]
    # The winner leads the only trump.
    cards = [1 << _LAST * ((seat - winner) % PLAYERS) for seat in _SEATS]
    deal: Deal = _standing(case, cards, winner, before, _LAST)
    while not deal.is_over:
        deal = deal.apply(deal.default_action()).deal
    assert deal.scores is not None
    points = max(deal.scores)
    return {"winners": [seat for seat in _SEATS if deal.scores[seat] == points], "points": points}


def replay(case: Case) -> Answer:
    """Say who wins the tricks of a whole play."""
    given = case.given
    hands = list(map(cards_of, given["hands"]))
    dealer = (given["leader"] - 1) % PLAYERS
    turned = next(card for card in hands[dealer] if suit_of(card) == SUITS.index(given["trump"]))
    deal = _game(case).deal_hands(1, hands, dealer, turned).deal
    assert isinstance(deal, TricksDeal)
    return course(after(deal, *[Play(card) for cards in case.when["plays"] for card in cards_of(cards)]))


ADAPTER: Final[Adapter] = {
    "trick": trick,
    "legal": legal,
    "draw": draw,
    "trump": trump,
    "score": score,
    "replay": replay,
}


def _game(case: Case) -> Whist:
    game = open_game("whist", case.options)
    assert isinstance(game, Whist)
    return game


def _standing(
    case: Case, hands: Sequence[int], leader: int, taken: Sequence[int] = (1, 0, 0, 0), number: int = 2
) -> TricksDeal:
    """Return a deal in which `leader` is to lead trick `number`; the seats have taken so many of those before."""
    game, trump = _game(case), SUITS.index(case.given.get("trump", "S"))
    shared = Shared(
        number=1,
        phase=Phase.PLAY,
        hands=tuple(HandView(seat, hand.bit_count()) for seat, hand in enumerate(hands)),
        dealer=(leader - 1) % PLAYERS,
        to_act=leader,
        tricks=TrickPlay(
            _LAST,
            trump,
            (Trick(leader, winner=leader),) * (number - 1),
            tuple(Tally(seat, tricks, tricks) for seat, tricks in enumerate(taken)),
        ),
        details=game.deal_hands(1, [[], [], [], [_LAST * trump]], 3, _LAST * trump).deal.shared.details,
    )
    owns = tuple(Own(seat, tuple(cards_in(hand))) for seat, hand in enumerate(hands))
    return TricksDeal(game, shared, owns, tuple(hands), rules_of_deal(game.terms, trump))
