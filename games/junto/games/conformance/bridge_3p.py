"""Conformance cases of bridge for three, each driven through a deal of the real rules; see `bridge`."""

from __future__ import annotations

from typing import Final

from junto.games.bridge.game import HAND, BridgeDeal
from junto.games.bridge.three import PILE, BridgeThree
from junto.games.cards import card_text, parse_card
from junto.games.catalog import open_game
from junto.games.conformance.bridge import any_hands, called, legal_cards, scored, trick_winner
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.view import BridgeDetails, Pile

_PLAYED_PILE: Final = 2
"""The pile's place where a case of the play does not say it: opposite place 0, the declarer's."""


def score(case: Case) -> Answer:
    """Say what declarer and each defender get."""
    vulnerability = "all" if case.given["vulnerable"] else "none"
    scores = scored(_game(case, vulnerability=vulnerability), case, _order(_PLAYED_PILE)).scores
    assert scores is not None
    declarer, *defenders = scores
    return {"declarer": declarer, "each_defender": defenders[0] if len(set(defenders)) == 1 else defenders}


def auction(case: Case) -> Answer:
    """Say how an auction stands after some calls, and who sits where after it."""
    order = _order(case.given["pile"])

    def moved(deal: BridgeDeal) -> Answer:
        now = [hand.seat for hand in deal.shared.hands]
        assert deal.to_act is not None
        return {
            "new_seats": {str(place): now.index(hand) for place, hand in enumerate(order) if hand != PILE},
            "leader_seat": now.index(deal.to_act),
        }

    answer = dict(called(_dealt(_game(case), order), case, moved))
    return answer | {name: order.index(answer[name]) for name in ("to_act", "declarer") if name in answer}


def trick(case: Case) -> Answer:
    """Say who wins a trick."""
    return {"winner": trick_winner(_game(case), case, _order(_PLAYED_PILE))}


def legal(case: Case) -> Answer:
    """Say which cards may be played."""
    return {"cards": legal_cards(_game(case), case, _order(_PLAYED_PILE))}


def points(case: Case) -> Answer:
    """Say what is announced of four cards of the pile."""
    cards = list(map(parse_card, case.when["cards"]))
    rest = [card for card in range(52) if card not in cards]
    # The pile's first card is turned up, the next four are player 0's.
    pile = _pile(_with_pile(case, [rest[0], *cards, *rest[1:9]]))
    return {"points": pile.reports[0].points}


def layout(case: Case) -> Answer:
    """Say how the pile is laid down: what the three players and everybody see of it together."""
    deal = _with_pile(case, list(map(parse_card, case.when["pile"])))
    rows = [_pile(deal).row, *(own.pile_row for own in deal.owns)]
    slots = [next(card for card in slot if card is not None) for slot in zip(*rows, strict=True)]
    return {"slots": list(map(card_text, slots))}


ADAPTER: Final[Adapter] = {
    "score": score,
    "auction": auction,
    "trick": trick,
    "legal": legal,
    "points": points,
    "layout": layout,
}


def _game(case: Case, **usual: str) -> BridgeThree:
    game = open_game("bridge-3p", {**usual, **case.options})
    assert isinstance(game, BridgeThree)
    return game


def _order(pile: int) -> tuple[int, ...]:
    """Return the hands by place: the pile at its place, the players in order at the others."""
    players = iter(range(PILE))
    return tuple(PILE if place == pile else next(players) for place in range(PILE + 1))


def _dealt(game: BridgeThree, order: tuple[int, ...]) -> BridgeDeal:
    deal = game.deal_hands(1, any_hands(), places=order).deal
    assert isinstance(deal, BridgeDeal)
    return deal


def _with_pile(case: Case, pile: list[int]) -> BridgeDeal:
    others = [card for card in range(len(any_hands()) * HAND) if card not in pile]
    hands = [others[hand * HAND : (hand + 1) * HAND] for hand in range(PILE)]
    deal = _game(case).deal_hands(1, [*hands, pile]).deal
    assert isinstance(deal, BridgeDeal)
    return deal


def _pile(deal: BridgeDeal) -> Pile:
    assert isinstance(deal.shared.details, BridgeDetails)
    assert deal.shared.details.pile is not None
    return deal.shared.details.pile
