"""The compiled rules of play against the published cases of Taiwanese Napoleon."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from junto.games.cards import card_text, cards_in, mask_of, parse_card
from junto.games.napoleon_tw import NAPOLEON_TERMS
from junto.games.tricks import kernel, scoring
from junto.games.tricks.kernel import BIG_JOKER, LEADING, NO_CARD, NOBODY
from junto.games.tricks.terms import Vector, rules_of_deal

CASES = json.loads((Path(__file__).parents[2] / "vectors" / "napoleon_tw.json").read_text(encoding="utf-8"))


def cases(kind: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] == kind]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[case["name"] for case in chosen])


def rules(given: dict[str, Any]) -> Vector:
    named = [parse_card(card) for card in given["secretary"]] + [NO_CARD, NO_CARD]
    terms = replace(
        NAPOLEON_TERMS,
        seats=5,
        tricks=given.get("total_tricks", 10),
        secretary_follows=given.get("options", {}).get("secretary_follows", False),
    )
    return rules_of_deal(terms, "SHDC".index(given["trump"]), named[0], named[1])


def led(rules: Vector, plays: list[dict[str, Any]]) -> int:
    if not plays:
        return LEADING
    naming = plays[0].get("names")
    return kernel.led_suit(rules, parse_card(plays[0]["card"]), -1 if naming is None else "SHDC".index(naming))


@cases("trick")
def test_a_trick_goes_to_the_highest_card(case: dict[str, Any]) -> None:
    """The winner and the court cards of a trick are those of the rule page."""
    deal, plays = rules(case["given"]), case["when"]["plays"]
    cards = [parse_card(play["card"]) for play in plays]
    trick = 0
    for place, card in enumerate(cards):
        trick = kernel.packed(trick, place, card)
    winner = kernel.winning_place(deal, case["given"]["trick_no"] - 1, led(deal, plays), trick, len(cards))
    assert case["then"]["winner"] == plays[winner]["seat"]
    assert case["then"]["points"] == kernel.count_points(deal, mask_of(cards))


@cases("legal")
def test_only_the_cards_of_the_rule_page_are_legal(case: dict[str, Any]) -> None:
    """Following, the free cards and answers to calls allow exactly the listed cards."""
    given = case["given"]
    deal = rules(given)
    called = mask_of(parse_card(card) for card in given.get("calls", {}).values())
    legal = kernel.legal_cards(deal, mask_of(map(parse_card, given["hand"])), led(deal, given["plays"]), called)
    assert sorted(case["then"]["cards"]) == sorted(map(card_text, cards_in(int(legal))))


@cases("lead_call")
def test_a_lead_may_call_what_the_rule_page_allows(case: dict[str, Any]) -> None:
    """Who may call which card, with which lead and in which trick."""
    given, call = case["given"], case["when"]["call"]
    deal = rules(given)
    secretary = parse_card(given["secretary"][0])
    allowed = kernel.callable_cards(
        deal,
        given["trick_no"] - 1,
        parse_card(given["card"]),
        given["leader_is_napoleon"],
        1 << secretary if given["secretary_played"] else 0,
    )
    wanted = secretary if call == "secretary" else parse_card(call)
    assert case["then"]["allowed"] == bool(int(allowed) >> wanted & 1)


@cases("score")
def test_a_deal_scores_as_the_rule_page_says(case: dict[str, Any]) -> None:
    """Made, over, down, solo, hopeless contracts, three to seven seats."""
    given, when = case["given"], case["when"]
    seats = given["players"]
    terms = replace(NAPOLEON_TERMS, seats=seats, tricks=10).vector
    scores = np.zeros(seats, np.int64)
    if when.get("immediate_loss"):
        scoring.write_hopeless_scores(scores, terms, given["napoleon"], given["contract"])
    else:
        holders = [*given["secretaries"], NOBODY, NOBODY]
        scoring.write_scores(
            scores, terms, given["napoleon"], holders[0], holders[1], given["contract"], when["captured"],
            16 - when["captured"],
        )  # fmt: skip
    assert case["then"]["scores"] == scores.tolist()


def test_a_called_joker_may_be_answered_by_a_second_secretary_and_a_called_secretary_may_not() -> None:
    """With two secretary cards a secretary call names one of them; a joker call is met by either."""
    deal = rules_of_deal(replace(NAPOLEON_TERMS, seats=7, tricks=7), 0, parse_card("HA"), parse_card("DA"))
    hand = mask_of(map(parse_card, ["HA", "DA", "RJ", "C2"]))
    by_secretary = kernel.legal_cards(deal, hand, 3, 1 << parse_card("HA"))
    by_joker = kernel.legal_cards(deal, hand, 3, 1 << BIG_JOKER)
    both = kernel.legal_cards(deal, hand, 3, 1 << BIG_JOKER | 1 << parse_card("HA"))
    assert list(map(card_text, cards_in(int(by_secretary)))) == ["HA", "RJ"]
    assert list(map(card_text, cards_in(int(by_joker)))) == ["HA", "DA", "RJ"]
    assert list(map(card_text, cards_in(int(both)))) == ["HA", "RJ"]


def test_a_joker_that_is_not_free_waits_for_a_void() -> None:
    """At four players' tables the joker follows no suit and is no way out of following."""
    deal = rules_of_deal(
        replace(NAPOLEON_TERMS, seats=4, tricks=12, jokers=1 << BIG_JOKER, joker_anytime=False), 0, parse_card("HA")
    )
    hand = mask_of(map(parse_card, ["H3", "RJ", "C2"]))
    assert list(map(card_text, cards_in(int(kernel.legal_cards(deal, hand, 1, 0))))) == ["H3"]
    assert hand == kernel.legal_cards(deal, hand, 2, 0)


def test_two_secretary_cards_in_one_hand_earn_two_shares() -> None:
    """Napoleon gets the balance, also where one ally holds both secretary cards."""
    scores = np.zeros(7, np.int64)
    scoring.write_scores(scores, replace(NAPOLEON_TERMS, seats=7, tricks=7).vector, 0, 3, 3, 12, 13, 3)
    assert scores.tolist() == [180, -60, -60, 120, -60, -60, -60]
