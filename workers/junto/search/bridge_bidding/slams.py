"""Slam conventions: Roman keycards in the 1430 order, the trump queen, kings, and the placing of the contract."""

from __future__ import annotations

from typing import Final

from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding.calls import PASS, bid, read_call, strain_of
from junto.search.bridge_bidding.holding import Holding
from junto.search.bridge_bidding.meaning import Forcing
from junto.search.bridge_bidding.position import KEYCARDS_ASKED, Position
from junto.search.bridge_bidding.rules import Condition, Rule, Rules, rule

KINGS_ASKED: Final = "king ask"
_ANSWER: Final = "keycard answer"
_KINGS: Final = "king answer"
_PLACED: Final = ("sign-off after keycards", "small slam after keycards", "grand slam after keycards")
_FIVE_CLUBS: Final = read_call("5C")
_SIX_CLUBS: Final = read_call("6C")
ALL_KEYCARDS: Final = 5
_STRONG: Final = 12
_VERY_STRONG: Final = 18


def slam_calls(position: Position) -> Rules:
    """Return the rules for answering an ask of the partner's, or for placing the contract after his answer."""
    if len(position.calls) < 2 or position.ago(1) > PASS:
        return []
    last = position.meanings[-2]
    if last.name == KEYCARDS_ASKED and last.trump is not None:
        return _answers(last.trump)
    if last.name == KINGS_ASKED and last.trump is not None:
        return _king_answers(last.trump)
    if last.name in _PLACED:
        return _after_placing(position)
    if len(position.calls) < 4:
        return []
    if last.name == _ANSWER and last.trump is not None:
        return _place(position, last.trump)
    if last.name == _KINGS and last.trump is not None:
        return _place_after_kings(position, last.trump)
    return []


def keycard_ask(trump: int, points: tuple[int, int], has: int, when: Condition | None = None) -> Rule:
    """Return the rule of four no-trumps that asks for the keycards of a suit."""
    return rule("4NT", KEYCARDS_ASKED, points=points, trump=trump, has={trump: has}, artificial=True,
                forcing=Forcing.ROUND, note="how many of the four aces and the king of trumps", when=when)  # fmt: skip


def _answers(trump: int) -> Rules:
    return [
        rule(_FIVE_CLUBS, _ANSWER, trump=trump, keycards=(1, 4), artificial=True, forcing=Forcing.ROUND),
        rule(_FIVE_CLUBS + 1, _ANSWER, trump=trump, keycards=(0, 3), artificial=True, forcing=Forcing.ROUND),
        rule(_FIVE_CLUBS + 2, _ANSWER, trump=trump, keycards=(2, 5), queen=False, artificial=True,
             forcing=Forcing.ROUND),
        rule(_FIVE_CLUBS + 3, _ANSWER, trump=trump, keycards=(2, 5), queen=True, artificial=True,
             forcing=Forcing.ROUND),
    ]  # fmt: skip


def _count(position: Position, answer: tuple[int, ...], held: Holding, trump: int) -> int:
    """Return how many keycards both hands have, reading the answer by what the partner has shown."""
    own = held.keycards(trump)
    possible = [number for number in answer if own + number <= ALL_KEYCARDS]
    if not possible:
        return own
    strong = position.his.hcp[0] >= (_STRONG if max(answer) == 3 else _VERY_STRONG)
    return own + (max(possible) if strong or len(possible) == 1 else min(possible))


def _place(position: Position, trump: int) -> Rules:
    answer = position.meanings[-2].keycards
    shown_queen = position.meanings[-2].queen

    def missing(held: Holding) -> int:
        return ALL_KEYCARDS - _count(position, answer, held, trump)

    def grand(held: Holding) -> bool:
        queen = bool(shown_queen) or held.has_queen(trump) or held.lengths[trump] >= 6
        return missing(held) == 0 and queen and held.points >= _grand_points(position)

    current = position.last_bid
    six, five = bid(6, trump), bid(5, trump)
    found = [
        rule("5NT", KINGS_ASKED, trump=trump, artificial=True, forcing=Forcing.ROUND,
             note="all keycards are there; how many kings outside trumps", when=grand),
        rule(six, _PLACED[1], trump=trump, when=lambda held: missing(held) <= 1 or current > five),
    ]  # fmt: skip
    if current == five:
        return [*found, rule(PASS, _PLACED[0])]
    return [*found, *([rule(five, _PLACED[0])] if current < five else [])]


def _grand_points(position: Position) -> int:
    return 36 - position.his.likely


def _king_answers(trump: int) -> Rules:
    return [
        rule(_SIX_CLUBS + kings, _KINGS, trump=trump, kings=kings, artificial=True, forcing=Forcing.ROUND)
        for kings in range(4)
    ]


def _place_after_kings(position: Position, trump: int) -> Rules:
    kings = position.meanings[-2].kings or 0
    six, seven = bid(6, trump), bid(7, trump)
    found = [rule(seven, _PLACED[2], trump=trump,
                  when=lambda held: kings + held.kings(trump) >= 3 or position.last_bid > six)]  # fmt: skip
    if position.last_bid == six:
        return [*found, rule(PASS, _PLACED[1])]
    return [*found, *([rule(six, _PLACED[1])] if position.last_bid < six else [])]


def _after_placing(position: Position) -> Rules:
    """Return the rules after the asker has placed the contract: the higher of two counts goes on to six."""
    found: Rules = []
    placed = position.last_bid
    if len(position.calls) >= 4 and position.meanings[-2].name == _PLACED[0] and strain_of(placed) != NO_TRUMP:
        answer = position.meanings[-4]
        if answer.name == _ANSWER and answer.trump is not None and max(answer.keycards) < ALL_KEYCARDS:
            trump, more = answer.trump, max(answer.keycards)
            found.append(rule(bid(6, trump), "small slam with the higher count", trump=trump, keycards=(more,)))
    return [*found, rule(PASS, "content with the contract")]
