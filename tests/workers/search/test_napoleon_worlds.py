"""The worlds of a seat at a Napoleon table: all that agree with what it knows, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from junto.games.cards import cards_in, mask_of
from junto.games.jit import njit
from junto.games.napoleon import NapoleonDeal
from junto.games.napoleon_tw import NapoleonTw
from junto.games.tricks import kernel
from junto.games.tricks.kernel import COURT_CARDS, Vector
from junto.games.view import Phase, Role
from junto.search.streams import start_stream
from junto.search.tricks.knowledge import Knowledge, PlayedTrick, knowledge_of
from junto.search.worlds import SCRATCH, Weights, draw_world

from ...games.playing import first_deal, random_action, random_game  # noqa: TID252 (tests are no package)
from .enumeration import placements

Matrix = np.ndarray[tuple[int, int], np.dtype[np.int64]]


def decisions(rng: Random, game: NapoleonTw) -> Iterator[NapoleonDeal]:
    """Yield the deal at each decision of one random deal."""
    deal = first_deal(game, rng).deal
    while not deal.is_over:
        assert isinstance(deal, NapoleonDeal)
        yield deal
        deal = deal.apply(random_action(deal, rng)).deal


def true_world(deal: NapoleonDeal, known: Knowledge) -> list[int]:
    """Return the hidden cards as they really lie, by place."""
    hands = [0 if seat == known.place else hand for seat, hand in enumerate(deal.hands)]
    pile = mask_of(deal.kitty) if known.phase in {Phase.AUCTION, Phase.TRUMP} else mask_of(deal.put_back)
    return [*hands, pile & ~known.put_back]


def plays_of(known: Knowledge) -> Matrix:
    """Return the plays so far: rows of (seat, card, led suit or -1 for a lead, cards called)."""
    rows = [
        (seat, card, -1 if place == 0 else trick.led, trick.called)
        for trick in known.tricks
        for place, (seat, card) in enumerate(trick.cards)
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


@njit
def replays(rules: Vector, hands: Vector, plays: Matrix, forbidden: int) -> bool:
    """Tell whether the cards played were legal from these hands, and the pile holds nothing forbidden."""
    before = hands.copy()
    for play in range(plays.shape[0]):
        before[plays[play, 0]] |= 1 << plays[play, 1]
    for play in range(plays.shape[0]):
        seat, card, led, called = plays[play]
        if led >= 0 and not kernel.legal_cards(rules, before[seat], led, called) >> card & 1:
            return False
        before[seat] ^= 1 << card
    return bool(hands[-1] & forbidden == 0)


@njit
def impossible(
    plan: Vector, odds: Weights, rules: Vector, hands: Vector, plays: Matrix, forbidden: int, number: int
) -> int:
    """Return how many of so many drawn worlds are impossible."""
    found = 0
    stream, scratch = np.zeros(2, np.int64), np.zeros(SCRATCH, np.int64)
    for world in range(number):
        start_stream(stream, 1, world, 0)
        draw_world(plan, odds, hands, stream, scratch)
        if not replays(rules, hands, plays, forbidden):
            found += 1
    return found


def forbidden_in_pile(known: Knowledge) -> int:
    return COURT_CARDS | mask_of(known.secretaries)


def test_the_true_deal_is_always_among_the_worlds() -> None:
    """At every decision of random deals with random options, nothing is excluded that is really so."""
    rng = Random(3)
    for _ in range(40):
        game = random_game(NapoleonTw, rng)
        assert isinstance(game, NapoleonTw)
        for deal in decisions(rng, game):
            known = knowledge_of(deal.view(deal.to_act or 0))
            worlds, truth = known.worlds(), true_world(deal, known)
            assert worlds.count >= 1.0
            barred = [*known.barred_hands(), forbidden_in_pile(known) if known.phase is Phase.PLAY else 0]
            assert not any(hand & cards for hand, cards in zip(truth, barred, strict=True))
            sample = worlds.sample(1, 0)
            assert [hand.bit_count() for hand in truth] == [hand.bit_count() for hand in sample]
            assert mask_of(card for hand in truth for card in cards_in(hand)) == sum(sample)


def test_none_of_a_hundred_thousand_worlds_is_impossible() -> None:
    """Each drawn world, replayed through the rules, allows every card that was played; the pile stays clean."""
    rng = Random(5)
    checked = 0
    while checked < 100_000:
        game = random_game(NapoleonTw, rng)
        assert isinstance(game, NapoleonTw)
        for deal in decisions(rng, game):
            if deal.phase is not Phase.PLAY:
                continue
            known = knowledge_of(deal.view(deal.to_act or 0))
            worlds = known.worlds()
            hands = np.zeros(known.house.seats + 1, np.int64)
            hands[known.place] = known.hand
            forbidden, plays = forbidden_in_pile(known), plays_of(known)
            assert impossible(worlds.plan, worlds.odds, known.rules, hands, plays, forbidden, 200) == 0
            checked += 200


def consistent(known: Knowledge) -> list[tuple[int, ...]]:
    """Return all worlds by brute force: every placement that replays through the rules."""
    unseen = mask_of(known.house.pack) & ~(known.hand | known.played | known.put_back)
    sizes = [0 if seat == known.place else size for seat, size in enumerate(known.sizes)]
    sizes.append(known.kitty + known.hidden_put_back)
    found, plays, forbidden = [], plays_of(known), forbidden_in_pile(known)
    shown = [cards if seat != known.place else 0 for seat, cards in enumerate(known.seen)]
    for placement in placements(list(cards_in(unseen)), [0] * len(sizes), sizes):
        hands = np.array(placement, np.int64)
        hands[known.place] = known.hand
        lies_open = all(cards & ~hand == 0 for cards, hand in zip(shown, placement, strict=False))
        if lies_open and replays(known.rules, hands, plays, forbidden):
            found.append(placement)
    return found


def test_the_worlds_are_exactly_those_that_replay() -> None:
    """Late in random deals: as many worlds as brute force finds, each drawn equally often (chi-square)."""
    rng = Random(11)
    values: list[float] = []
    while len(values) < 40:
        game = random_game(NapoleonTw, rng)
        assert isinstance(game, NapoleonTw)
        for deal in decisions(rng, game):
            if deal.phase is not Phase.PLAY or sum(deal.hands).bit_count() > 8:
                continue
            known = knowledge_of(deal.view(deal.to_act or 0))
            if known.hidden_put_back > 3:
                continue
            found, worlds = consistent(known), known.worlds()
            assert len(found) == worlds.count
            drawn = Counter(tuple(worlds.sample(7, number)) for number in range(5 * len(found)))
            assert set(drawn) <= set(found)
            if 2 <= len(found) <= 500:
                values.append(chisquare([drawn[world] for world in found]).pvalue)
    assert min(values) > 1e-5


def test_the_cards_put_back_do_not_leak() -> None:
    """The cards that really were put back are drawn into the pile as often as counting says, and no oftener."""
    rng = Random(2)
    drawn, expected, decided = 0, 0.0, 0
    for _ in range(40):
        for deal in decisions(rng, NapoleonTw()):
            assert deal.to_act is not None
            if deal.phase is not Phase.PLAY or deal.shared.role_of(deal.to_act) is Role.DECLARER:
                continue
            known = knowledge_of(deal.view(deal.to_act))
            hidden, worlds = true_world(deal, known)[-1], known.worlds()
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
        house.terms, 3, 3, Phase.PLAY, hand, (10,) * 5, 0, house, declarer=0, bid=12, contract=12, trump=1,
        secretaries=(12,), own=hand, seen=(0,) * 5, leader=1,
    )  # fmt: skip
    assert 0.2 < known.worlds().chances(12)[1] < 0.3
    trick = PlayedTrick(0, 0, 1 << 12, ((0, 5), (1, played)))
    later = replace(known, tricks=(trick,), sizes=(9, 9, 10, 10, 10), hand=hand, own=hand)
    assert later.worlds().chances(12)[1] == 0.0
