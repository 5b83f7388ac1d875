"""Combinations: what cards are, and what beats what, against the pages in plain Python and the published cases."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from junto.games.cards import parse_card
from junto.games.climbing import kernel, moves
from junto.games.climbing.combination import Combination, Kind
from junto.games.climbing.kernel import NO_PLAY
from junto.games.climbing.ranks import RANKS, counts_of, parse_ranks, rank_of_card, ranks_text
from junto.games.climbing.terms import BAOHUANG, BAOHUANG_STREET, DOU_DIZHU, SHUANGKOU, Terms

from .by_the_page import Counts, Reading
from .hands import PAGES, RULES, counts_of_play, random_hand

EVERY_RULE = pytest.mark.parametrize("rule", RULES)
VECTORS = Path(__file__).parents[2] / "vectors"
CASES = [
    (game, case)
    for game in ("dou_dizhu", "shuangkou", "baohuang")
    for case in json.loads((VECTORS / f"{game}.json").read_text(encoding="utf-8"))
]


def cases(operation: str) -> pytest.MarkDecorator:
    chosen = [(game, case) for game, case in CASES if case["when"] == operation]
    return pytest.mark.parametrize(("game", "case"), chosen, ids=[f"{game}: {case['name']}" for game, case in chosen])


def terms_of(game: str, given: dict[str, Any]) -> Terms:
    """Return the terms that a case's preset and options ask for."""
    options = given.get("options", {})
    match game:
        case "dou_dizhu":
            distinct = options.get("kicker_rule") == "distinct"
            return replace(
                DOU_DIZHU, distinct_kickers=distinct, rocket_as_kickers=options.get("rocket_as_kickers", False)
            )
        case "shuangkou":
            return replace(SHUANGKOU, joker_pairs=options.get("joker_pairs", False))
    preset = BAOHUANG_STREET if given.get("preset") == "shandong_street" else BAOHUANG
    return replace(preset, jokers_last=options.get("pure_jokers") == "last_only")


def page_of(rule: str) -> str:
    return rule.split(maxsplit=1)[0].replace("_", "-")


def reading_of(rule: str, play: int) -> Reading:
    """Return what the pages report of a play."""
    said = Combination(play)
    if said.kind is Kind.SET:
        return said.key, said.size, said.small, said.big
    names = {
        ("dou-dizhu", Kind.JOKER_BOMB): "rocket",
        ("shuangkou", Kind.JOKER_BOMB): "king_bomb",
    }
    return names.get((page_of(rule), said.kind), said.kind.name.lower()), said.key, said.length


@cases("classify")
def test_cards_are_what_the_published_cases_say(game: str, case: dict[str, Any]) -> None:
    """The combination, its key and its length; or none."""
    then = case["then"]
    play = kernel.classify(terms_of(game, case["given"]).vector, parse_ranks(case["given"]["cards"]))
    assert (play != NO_PLAY) == then["valid"]
    if then["valid"]:
        reading = reading_of(game, play)
        names = ("base", "size", "small", "big") if game == "baohuang" else ("type", "key", "len")
        said = dict(zip(names, reading, strict=True))
        for name in {"base", "key"} & said.keys():
            said[name] = RANKS[said[name]]
        assert {"valid": True, **said} == then


@cases("beats")
def test_plays_beat_what_the_published_cases_say(game: str, case: dict[str, Any]) -> None:
    """Whether one play may be laid on another."""
    terms = terms_of(game, case["given"]).vector
    top, play = (kernel.classify(terms, parse_ranks(case["given"][name])) for name in ("top", "play"))
    assert kernel.beats(terms, top, play) == case["then"]["beats"]


@cases("legal")
def test_hands_have_the_plays_of_the_published_cases(game: str, case: dict[str, Any]) -> None:
    """The number of actions, with a pass and the request to take the lead where they are allowed, and the plays."""
    given, terms = case["given"], terms_of(game, case["given"]).vector
    top = NO_PLAY if given["top"] is None else kernel.classify(terms, parse_ranks(given["top"]))
    plays = moves.plays_of(terms, parse_ranks(given["hand"]), top)
    asks = given.get("top_player_out", False) and not given.get("application_pending", False)
    asks = asks and given.get("options", {}).get("jiefeng", "apply") == "apply"
    assert len(plays) + (top != NO_PLAY) + asks == case["then"]["count"]
    if "plays" in case["then"]:
        said = {"".join(sorted(ranks_text(counts_of_play(play)))) for play in plays.tolist()}
        assert said == {"".join(sorted(text)) for text in case["then"]["plays"]}


@cases("legal_named")
def test_named_cards_tell_plays_apart_as_published(game: str, case: dict[str, Any]) -> None:
    """The number of actions when plays with different numbers of named cards are different."""
    given, terms = case["given"], terms_of(game, case["given"]).vector
    cards, named = [parse_card(card) for card in given["hand_cards"]], parse_card(given["named"])
    top = NO_PLAY if given["top"] is None else kernel.classify(terms, parse_ranks(given["top"]))
    plays = moves.named_plays_of(terms, counts_of(cards), rank_of_card(named), cards.count(named), top)
    assert len(plays) + (top != NO_PLAY) == case["then"]["count"]


def check_parts(rule: str, number: int, largest: int) -> None:
    """Classify all parts of random hands, by the kernel and by the page."""
    terms, (readings, _) = RULES[rule], PAGES[page_of(rule)]
    random = np.random.default_rng(list(rule.encode()))
    seen: set[Counts] = set()
    for place in range(number):
        hand = random_hand(terms, place % largest + 1, random)
        for counts in itertools.product(*(range(count + 1) for count in hand.tolist())):
            if counts in seen or not any(counts):
                continue
            seen.add(counts)
            by_page = list(readings(counts, terms))
            play = kernel.classify(terms.vector, np.array(counts, np.int64))
            assert by_page == ([reading_of(rule, play)] if play != NO_PLAY else []), counts
            if play != NO_PLAY:
                assert counts_of_play(play) == counts


@EVERY_RULE
def test_cards_are_what_the_page_says(rule: str) -> None:
    """Every part of random hands is read as the page's table reads it, and never in two ways."""
    check_parts(rule, 40, 10)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@EVERY_RULE
def test_cards_of_many_hands_are_what_the_page_says(rule: str) -> None:
    """The same for more hands and for larger ones."""
    check_parts(rule, 2_000, 14)


@EVERY_RULE
def test_plays_beat_what_the_page_says(rule: str) -> None:
    """Random plays of the pack, those of one kind and size and bombs among them, compared both ways."""
    terms, (_, beats) = RULES[rule], PAGES[page_of(rule)]
    random = np.random.default_rng(7)
    plays = moves.plays_of(terms.vector, terms.pack)
    groups = [plays, plays[np.isin(plays & 15, [kernel.BOMB, kernel.JOKER_BOMB, kernel.SINGLE])]]
    groups += [plays[(plays >> 24) & 63 == size] for size in (2, 4, 5, 6)]
    for group in groups:
        for top, play in random.choice(group if len(group) else plays, (300, 2)).tolist():
            by_page = beats(reading_of(rule, top), reading_of(rule, play), terms)
            assert kernel.beats(terms.vector, top, play) == by_page


@EVERY_RULE
def test_cards_are_taken_out_of_a_hand_that_has_them(rule: str) -> None:
    """A hand holds its plays, no others, and loses just their cards."""
    terms, random = RULES[rule], np.random.default_rng(3)
    for _ in range(20):
        hand = random_hand(terms, 12, random)
        for play in random.choice(moves.plays_of(terms.vector, terms.pack), 30).tolist():
            counts = np.array(counts_of_play(play))
            assert kernel.holds(hand, play) == bool(np.all(counts <= hand))
        for play in random.choice(moves.plays_of(terms.vector, hand), 5).tolist():
            assert kernel.holds(hand, play)
            rest = hand.copy()
            kernel.take(rest, play)
            assert (hand - rest).tolist() == list(counts_of_play(play))
