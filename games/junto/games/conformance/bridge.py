"""Conformance cases of bridge, each driven through a deal of the real rules.

Cases give *places*, the seats of bridge for four; with three players the pile has a place too (`bridge_3p`). Cases
that begin in the middle get a deal that stands there: tricks that were played before have a winner and no cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, Play, RedoubleBid
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import HAND, BridgeDeal, BridgeGame
from junto.games.cards import NO_TRUMP, STRAINS, cards_in, parse_cards
from junto.games.catalog import open_game
from junto.games.conformance.case import Adapter, Answer, Case
from junto.games.conformance.driving import (
    after,
    cards_of,
    course,
    first_trick_won,
    hands_at_trick,
    is_legal,
    playable,
    plays_of,
    run,
    texts_of,
)
from junto.games.core import RuleError
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import (
    BridgeDetails,
    Contract,
    Doubling,
    HandView,
    Own,
    Phase,
    Shared,
    Tally,
    Trick,
    TrickPlay,
    Vulnerability,
)

_PLACES: Final = range(4)
_CALLS: Final[Mapping[str, Action]] = {"P": Pass(), "X": DoubleBid(), "XX": RedoubleBid()}
_VULNERABLE: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NORTH_SOUTH: "NS",
    Vulnerability.EAST_WEST: "EW",
    Vulnerability.BOTH: "both",
}

# The kinds of cases.


def score(case: Case) -> Answer:
    """Say what declarer's side gets."""
    vulnerability = "both" if case.given["vulnerable"] else "none"
    scores = scored(_game(case, vulnerability=vulnerability), case, list(_PLACES)).scores
    assert scores is not None
    return {"declarer_side": scores[0]}


def auction(case: Case) -> Answer:
    """Say how an auction stands after some calls."""
    deal = _dealt(_game(case), case.given["dealer"] + 1)
    return called(deal, case, lambda ended: {"dummy": ended.dummy, "leader": ended.to_act})


def trick(case: Case) -> Answer:
    """Say who wins a trick."""
    return {"winner": trick_winner(_game(case), case, list(_PLACES))}


def legal(case: Case) -> Answer:
    """Say which cards may be played."""
    return {"cards": legal_cards(_game(case), case, list(_PLACES))}


def vulnerability(case: Case) -> Answer:
    """Say who is vulnerable on a board."""
    details = _dealt(_game(case), case.given["board"]).shared.details
    assert isinstance(details, BridgeDetails)
    return {"vulnerable": _VULNERABLE[details.vulnerability]}


def replay(case: Case) -> Answer:
    """Say who wins the tricks of a whole play, after an auction that leads to it."""
    given = case.given
    game = _game(case, first_caller="dealer")
    assert isinstance(game, Bridge)
    declarer = (given["leader"] - 1) % 4
    deal = game.deal_hands(declarer + 1, list(map(cards_of, given["hands"]))).deal
    assert isinstance(deal, BridgeDeal)
    cards = [Play(card) for cards in case.when["plays"] for card in cards_of(cards)]
    return course(after(deal, Bid(1, STRAINS.index(given["trump"])), Pass(), Pass(), Pass(), *cards))


ADAPTER: Final[Adapter] = {
    "score": score,
    "auction": auction,
    "trick": trick,
    "legal": legal,
    "vulnerability": vulnerability,
    "replay": replay,
}


def _game(case: Case, **usual: str) -> Bridge:
    game = open_game("bridge", {**usual, **case.options})
    assert isinstance(game, Bridge)
    return game


def _dealt(game: Bridge, board: int) -> BridgeDeal:
    deal = game.deal_hands(board, any_hands()).deal
    assert isinstance(deal, BridgeDeal)
    return deal


# What both games ask of a deal. `order` is the hand at each place.


def any_hands() -> list[Sequence[int]]:
    """Return four hands of any cards."""
    return [range(HAND * hand, HAND * (hand + 1)) for hand in _PLACES]


def call_of(text: str) -> Action:
    """Return the call that a case writes."""
    return _CALLS[text] if text in _CALLS else Bid(int(text[0]), STRAINS.index(text[1:]))


def called(deal: BridgeDeal, case: Case, more: Callable[[BridgeDeal], Answer]) -> Answer:
    """Say how an auction stands after some calls; `more` says what else is told of a contract."""
    for index, text in enumerate(case.when["calls"]):
        try:
            deal = after(deal, call_of(text))
        except RuleError:
            return {"result": "illegal", "index": index}
    if deal.is_over:
        return {"result": "passed_out"}
    if deal.phase is Phase.AUCTION:
        told = {
            name: [text for text in case.then.get(name, ()) if is_legal(deal, call_of(text)) is wanted]
            for name, wanted in (("legal_includes", True), ("legal_excludes", False))
        }
        return {"result": "open", "to_act": deal.to_act, **told}
    contract = deal.contract
    assert contract.bid.strain is not None
    assert contract.doubling is not None
    return {
        "result": "contract",
        "level": contract.bid.amount,
        "strain": STRAINS[contract.bid.strain],
        "doubled": contract.doubling - Doubling.NONE,
        "declarer": contract.declarer,
        **more(deal),
    }


def trick_winner(game: BridgeGame, case: Case, order: Sequence[int]) -> int:
    """Return the place that wins a case's trick."""
    _, events = run(_at_play(game, case, order), plays_of(case))
    return order.index(first_trick_won(events).winner)


def legal_cards(game: BridgeGame, case: Case, order: Sequence[int]) -> list[str]:
    """Return the cards that may be played to a case's trick."""
    return texts_of(playable(after(_at_play(game, case, order), *plays_of(case))))


def scored(game: BridgeGame, case: Case, order: Sequence[int]) -> BridgeDeal:
    """Return the deal after its last trick, of which place 0, the declarer, has taken as many as the case says."""
    given, tricks = case.given, case.when["tricks"]
    strain = STRAINS.index(given["strain"])
    declarer = order[0]
    contract = Contract(
        declarer, Bid(given["level"], strain), given["level"] + 6, Doubling(Doubling.NONE + given["doubled"])
    )
    # The last trick is the declarer's, unless he has none.
    cards = parse_cards("SA SK SQ SJ" if tricks else "SJ SA SK SQ")
    hands = [1 << card for card in cards]
    deal = _standing(game, hands, order, 0, contract, strain, HAND, max(0, tricks - 1))
    return after(deal, *map(Play, cards))


def _at_play(game: BridgeGame, case: Case, order: Sequence[int]) -> BridgeDeal:
    """Return a deal in which the case's trick, the second one, is to be led."""
    hands, leader = hands_at_trick(case, len(order))
    trump = STRAINS.index(case.given.get("trump", STRAINS[NO_TRUMP]))
    contract = Contract(order[0], Bid(1, trump), 7, Doubling.NONE)
    return _standing(game, hands, order, leader, contract, trump, 2, 0)


def _standing(
    game: BridgeGame,
    hands: Sequence[int],
    order: Sequence[int],
    leader: int,
    contract: Contract,
    trump: int,
    number: int,
    taken: int,
) -> BridgeDeal:
    """Return a deal in which a place is to lead to trick `number`; declarer has taken so many tricks."""
    by_number = [hands[order.index(hand)] for hand in _PLACES]
    blank, _ = game.blank(1)
    tallies = [Tally(hand) for hand in _PLACES]
    tallies[contract.declarer] = Tally(contract.declarer, taken, taken)
    shared = Shared(
        number=1,
        phase=Phase.PLAY,
        hands=tuple(HandView(hand, by_number[hand].bit_count()) for hand in order),
        contract=contract,
        tricks=TrickPlay(HAND, trump, (Trick(order[leader], winner=order[leader]),) * (number - 1), tuple(tallies)),
        details=blank.details,
    )
    to_act = game.player_of(shared, order[leader])
    owns = tuple(Own(seat, tuple(cards_in(by_number[seat]))) for seat in range(game.seats))
    return BridgeDeal(game, replace(shared, to_act=to_act), owns, tuple(by_number), rules_of_deal(game.terms, trump))
