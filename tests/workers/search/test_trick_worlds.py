"""The worlds of a seat in the trick-taking games: all that agree with what it knows, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from bench._impossible import forbidden_in_pile, is_legal, plays_of, true_hands
from scipy.stats import chisquare

from junto.games.bridge.three import BridgeThree
from junto.games.cards import cards_in, mask_of, parse_card, parse_cards
from junto.games.catalog import GAMES
from junto.games.core import Game
from junto.games.napoleon import NapoleonDeal
from junto.games.napoleon_4p import NapoleonFour
from junto.games.napoleon_tw import NapoleonTw
from junto.games.tricks.deal import TricksDeal, TricksGame
from junto.games.view import Phase, Role
from junto.search.mixed_worlds import MixedWorlds
from junto.search.tricks.knowledge import Knowledge, PlayedTrick, knowledge_of
from junto.search.worlds.sets import Worlds

from ...games.playing import first_deal, random_action, random_game  # noqa: TID252 (tests are no package)
from .enumeration import placements

TRICK_GAMES = {name: game for name, game in GAMES.items() if issubclass(game, TricksGame)}
every_trick_game = pytest.mark.parametrize("game_type", TRICK_GAMES.values(), ids=TRICK_GAMES)


def decisions(rng: Random, game: Game) -> Iterator[tuple[TricksDeal, Knowledge]]:
    """Yield the deal at each decision of one random deal whose worlds are counted, and what the seat knows.

    The calls of bridge need no worlds, and the opening lead with the pile face down has worlds of its own.
    """
    deal = first_deal(game, rng).deal
    while not deal.is_over:
        assert isinstance(deal, TricksDeal)
        played = deal.shared.tricks is not None and deal.shared.tricks.tricks
        if isinstance(deal, NapoleonDeal) or (
            deal.phase is Phase.PLAY and (played or not isinstance(game, BridgeThree))
        ):
            assert deal.to_act is not None
            yield deal, knowledge_of(deal.view(deal.to_act))
        deal = deal.apply(random_action(deal, rng)).deal


@every_trick_game
def test_the_true_deal_is_always_among_the_worlds(game_type: type[Game]) -> None:
    """At every decision of random deals with random options, nothing is excluded that is really so."""
    rng = Random(3)
    for _ in range(8):
        for deal, known in decisions(rng, random_game(game_type, rng)):
            worlds, truth = known.worlds(), true_hands(deal, known)
            assert worlds.count >= 1.0
            barred = [*known.barred_hands(), forbidden_in_pile(known)]
            assert not any(hand & cards for hand, cards in zip(truth, barred, strict=True))
            sample = worlds.sample(1, 0)
            assert [hand.bit_count() for hand in truth] == [hand.bit_count() for hand in sample]
            assert mask_of(card for hand in truth for card in cards_in(hand)) == sum(sample)


@every_trick_game
def test_no_world_is_impossible(game_type: type[Game]) -> None:
    """Each of thousands of drawn worlds, replayed through the rules, allows every card that was played."""
    rng = Random(5)
    checked = 0
    while checked < 1_500:
        for _, known in decisions(rng, random_game(game_type, rng)):
            if known.phase is not Phase.PLAY:
                continue
            worlds, forbidden, plays = known.worlds(), forbidden_in_pile(known), plays_of(known)
            for number in range(10):
                hands = np.array(worlds.sample(1, number), np.int64)
                hands[known.place] = known.own
                assert is_legal(known.rules, hands, plays, forbidden)
                checked += 1


def consistent(known: Knowledge) -> list[tuple[int, ...]]:
    """Return all worlds by brute force: every placement that replays through the rules."""
    unseen = known.pack & ~(known.own | known.played | known.put_back)
    sizes = [0 if place == known.place else size for place, size in enumerate(known.sizes)]
    sizes.append(known.kitty + known.hidden_put_back)
    found, plays, forbidden = [], plays_of(known), forbidden_in_pile(known)
    shown = [cards if place != known.place else 0 for place, cards in enumerate(known.seen)]
    for placement in placements(list(cards_in(unseen)), [0] * len(sizes), sizes):
        hands = np.array(placement, np.int64)
        hands[known.place] = known.own
        lies_open = all(cards & ~hand == 0 for cards, hand in zip(shown, placement, strict=False))
        if lies_open and is_legal(known.rules, hands, plays, forbidden):
            found.append(placement)
    return found


def check_worlds(known: Knowledge) -> float | None:
    """Compare the worlds with those found by brute force; return the chance of draws as uneven as they are."""
    found, worlds = consistent(known), known.worlds()
    assert len(found) == worlds.count
    drawn = Counter(tuple(worlds.sample(7, number)) for number in range(5 * len(found)))
    assert set(drawn) <= set(found)
    return float(chisquare([drawn[world] for world in found]).pvalue) if 2 <= len(found) <= 500 else None


def can_be_listed(known: Knowledge) -> bool:
    """Tell whether few enough cards are hidden to list all worlds."""
    hidden = (known.pack & ~(known.own | known.played | known.put_back)).bit_count()
    return known.phase is Phase.PLAY and hidden <= 8 and known.hidden_put_back <= 6


@every_trick_game
def test_the_worlds_are_exactly_those_that_replay(game_type: type[Game]) -> None:
    """Late in random deals: as many worlds as brute force finds, each drawn equally often (chi-square)."""
    rng = Random(11)
    values: list[float] = []
    while len(values) < 8:
        for _, known in decisions(rng, random_game(game_type, rng)):
            if can_be_listed(known):
                value = check_worlds(known)
                values += [] if value is None else [value]
    assert min(values) > 1e-5


@pytest.mark.parametrize("later", [(), ("HA", 3), ("HA", 1)], ids=str)
def test_a_joker_that_answers_a_call_may_show_a_void_or_the_card_called(later: tuple[()] | tuple[str, int]) -> None:
    """Where the joker is not free, worlds of either kind are drawn, each exactly as often as it should be."""
    terms = NapoleonFour({"call_secretary": True}).terms
    own, hidden = mask_of(parse_cards("S9 C2 D2")), mask_of(parse_cards("C3 H4 HA D3 S7 C9 D9"))
    lead, joker = mask_of(parse_cards("S5")), mask_of(parse_cards("RJ"))
    known = Knowledge(
        terms, 2, 2, Phase.PLAY, own, (2, 2, 3, 3), declarer=0, trump=1, secretaries=parse_cards("HA"), own=own,
        put_back=(1 << 52) - 1 & ~(own | hidden | lead) & ~joker, seen=(0,) * 4, leader=0,
        tricks=(PlayedTrick(0, 0, 1 << 25, ((0, parse_card("S5")), (1, parse_card("RJ")))),),
    )  # fmt: skip
    assert isinstance(known.worlds(), MixedWorlds)
    if later:
        # The card called was seen with somebody since.
        seen = tuple(1 << 25 if place == later[1] else 0 for place in range(4))
        known = replace(known, seen=seen)
        assert isinstance(known.worlds(), Worlds)
    value = check_worlds(known)
    assert value is not None
    assert value > 1e-5


def test_the_cards_put_back_do_not_leak() -> None:
    """The cards that really were put back are drawn into the pile as often as counting says, and no oftener."""
    rng = Random(2)
    drawn, expected, decided = 0, 0.0, 0
    for _ in range(40):
        for deal, known in decisions(rng, NapoleonTw()):
            assert deal.to_act is not None
            if deal.phase is not Phase.PLAY or deal.shared.role_of(deal.to_act) is Role.DECLARER:
                continue
            hidden, worlds = true_hands(deal, known)[-1], known.worlds()
            expected += 20 * sum(worlds.chances(card)[-1] for card in cards_in(hidden))
            drawn += sum((worlds.sample(decided, number)[-1] & hidden).bit_count() for number in range(20))
            decided += 1
            break
    assert expected < 0.5 * 20 * 4 * decided
    assert abs(drawn - expected) < 5 * expected**0.5


@pytest.mark.parametrize("played", [0, 3])
def test_an_unanswered_call_shows_that_the_card_is_elsewhere(played: int) -> None:
    """Who plays neither the called secretary card nor a joker to a call does not hold that card."""
    house = NapoleonTw().house
    hand = mask_of(range(26, 36))
    known = Knowledge(
        house.terms, 3, 3, Phase.PLAY, hand, (10,) * 5, 0, house, declarer=0, contract=12, trump=1,
        secretaries=(12,), own=hand, seen=(0,) * 5, leader=1,
    )  # fmt: skip
    assert 0.2 < known.worlds().chances(12)[1] < 0.3
    trick = PlayedTrick(0, 0, 1 << 12, ((0, 5), (1, played)))
    later = replace(known, tricks=(trick,), sizes=(9, 9, 10, 10, 10), hand=hand, own=hand)
    assert later.worlds().chances(12)[1] == 0.0
