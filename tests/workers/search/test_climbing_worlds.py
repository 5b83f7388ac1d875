"""The worlds of a seat in the climbing games: all deals that would look to it as this one does, and no others."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from junto.games.actions import Action
from junto.games.baohuang.game import STREET, Baohuang
from junto.games.baohuang.tribute import Owed
from junto.games.cards import BIG_JOKER, SMALL_JOKER, Card, mask_of, parse_card, parse_cards
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.ranks import counts_of
from junto.games.core import IllegalAction
from junto.games.dou_dizhu import DouDizhu
from junto.games.shuangkou import Shuangkou
from junto.games.view import Alliance, Clearing, DealResult, LastDeal, MatchView, Outcome, Role, SeatResult
from junto.search.climbing.disclosed import details_of
from junto.search.climbing.knowledge import Knowledge, knowledge_of

from ...games.playing import random_action, random_game, random_seed  # noqa: TID252 (tests are no package)
from .enumeration import holders

MOST_WAYS = 300
Hands = Sequence[Sequence[Card]]
JOKERS = (SMALL_JOKER, BIG_JOKER)


@dataclass(frozen=True)
class Start:
    """A small deal of a small pack: the fresh cards by place, the seats and then the kitty, and how they are dealt."""

    fresh: Hands
    begin: Callable[[Hands], ClimbingDeal]
    match: MatchView = MatchView()  # noqa: RUF009  # it is frozen

    def replayed(self, fresh: Hands, actions: Sequence[Action]) -> ClimbingDeal | None:
        """Return the deal of other fresh cards after the same actions; None if one of them is illegal."""
        deal = self.begin(fresh)
        for action in actions:
            try:
                step = deal.apply(action).deal
            except IllegalAction:
                return None
            assert isinstance(step, ClimbingDeal)
            deal = step
        return deal


def small(game: ClimbingGame, fresh: Hands, *laid_out: Card) -> ClimbingGame:
    """Return a game whose pack is no more than these cards."""
    vars(game)["pack"] = tuple(sorted([*laid_out, *(card for cards in fresh for card in cards)]))
    return game


def dealt(rng: Random, cards: Sequence[Card], sizes: Sequence[int]) -> list[list[Card]]:
    """Return random cards of these for places of these sizes."""
    left = rng.sample(cards, sum(sizes))
    return [[left.pop() for _ in range(size)] for size in sizes]


def dou_dizhu(rng: Random) -> Start:
    fresh = dealt(rng, range(54), (3, 2, 2, 2))
    game = small(DouDizhu(), fresh)
    assert isinstance(game, DouDizhu)
    dealer = rng.randrange(3)

    def begin(hands: Hands) -> ClimbingDeal:
        deal = game.deal_hands(1, hands[:3], hands[3], dealer).deal
        assert isinstance(deal, ClimbingDeal)
        return deal

    return Start(fresh, begin)


def shuangkou(rng: Random) -> Start:
    fresh = dealt(rng, [*rng.sample(range(54), 6)] * 2, (3, 3, 3, 3))
    game = small(Shuangkou(), [*fresh, ()])
    assert isinstance(game, Shuangkou)
    leader = rng.randrange(4)

    def begin(hands: Hands) -> ClimbingDeal:
        deal = game.deal_hands(1, hands[:4], leader).deal
        assert isinstance(deal, ClimbingDeal)
        return deal

    return Start([*fresh, []], begin)


TWOS = parse_cards("S2 H2 D2 C2")
THREES = parse_cards("S3 H3 D3 C3")
BAOHUANG_CARDS = (*TWOS, *TWOS, *parse_cards("S3 H3 D3 C3 S3 H3 S8 H9 D9 D9 SA CA"), *JOKERS, *JOKERS)


def baohuang(rng: Random, **options: str) -> Start:
    """Deal a small pack; one seat can become emperor, and tribute may be owed."""
    shown = parse_card(rng.choice(("S9", "HK", "D4")))
    able = rng.randrange(5)
    sizes = [rng.choice((2, 2, 3)) for _ in range(5)]
    sizes[able] = rng.choice((0, 1, 2))
    game = Baohuang({**options, "pure_jokers": rng.choice(("always", "last_only"))})
    cards = [*BAOHUANG_CARDS, shown, *(THREES if game.street else ())]
    fresh = dealt(rng, cards, sizes)
    fresh[able] += [shown] * 3
    small(game, [*fresh, ()], *(() if game.street else (BIG_JOKER,)))
    owed = random_owed(rng) if rng.random() < 0.7 else None
    first = owed.emperor if game.street and owed is not None else rng.randrange(5)

    def begin(hands: Hands) -> ClimbingDeal:
        deal = game.deal_hands(1, hands[:5], first, owed).deal
        assert isinstance(deal, ClimbingDeal)
        return deal

    return Start([*fresh, []], begin, MatchView() if owed is None else after_deal_of(owed.emperor))


def street(rng: Random) -> Start:
    return baohuang(rng, preset=STREET)


def random_owed(rng: Random) -> Owed:
    emperor, guard, *rebels = rng.sample(range(5), 5)
    order = tuple(rng.sample(range(5), 5))
    cleared = (Clearing(rebels[0], rebels[1]),) if rng.random() < 0.3 else ()
    has_guard = rng.random() < 0.6
    alliance = Alliance.PARTNER if has_guard else Alliance.HIDDEN_SOLO
    return Owed(emperor, guard if has_guard else None, alliance, order, rng.choice((-2, 0, 2)), cleared)


def after_deal_of(emperor: int) -> MatchView:
    result = DealResult(Outcome.MADE, (SeatResult(emperor, 0, Role.DECLARER),))
    return MatchView(deals_done=1, last_deal=LastDeal(1, result))


@dataclass(frozen=True)
class Decision:
    """A decision: how the deal began and went on, where it stands, and what the seat knows."""

    start: Start
    actions: tuple[Action, ...]
    deal: ClimbingDeal
    known: Knowledge

    @property
    def hidden(self) -> list[list[Card]]:
        """The cards that the seat does not know, by place."""
        shared, seat = self.deal.shared, self.known.seat
        places = [
            list((Counter(hand) - Counter(hand if view.seat == seat else view.open)).elements())
            for hand, view in zip(self.deal.hands, shared.hands, strict=True)
        ]
        return [*places, list(self.start.fresh[-1]) if shared.kitty_size else []]

    @property
    def hidden_cards(self) -> list[Card]:
        """The same cards, place by place."""
        return [card for place in self.hidden for card in place]

    @property
    def ways(self) -> int:
        """In how many ways the hidden cards can be laid out, whatever is known."""
        sizes = [len(cards) for cards in self.hidden]
        return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))

    def agreeing(self) -> Iterator[tuple[int, ...]]:
        """Yield the place of each hidden card, in all deals that would look the same to the seat by now.

        Each is dealt and played from its beginning.
        """
        hidden, cards = self.hidden, self.hidden_cards
        same: dict[tuple[tuple[Card, ...], ...], bool] = {}
        for found in holders(cards, [0] * len(hidden), [len(place) for place in hidden]):
            other = tuple(
                tuple(sorted(card for card, at in zip(cards, found, strict=True) if at == place))
                for place in range(len(hidden))
            )
            if other not in same:
                same[other] = self._looks_the_same(other)
            if same[other]:
                yield found

    def _looks_the_same(self, hidden: Hands) -> bool:
        fresh = [
            [*(Counter(cards) - Counter(true)).elements(), *others]
            for cards, true, others in zip(self.start.fresh, self.hidden, hidden, strict=True)
        ]
        deal, seat = self.start.replayed(fresh, self.actions), self.known.seat
        return deal is not None and (deal.shared, deal.owns[seat]) == (self.deal.shared, self.deal.owns[seat])


def decisions(rng: Random, start: Start) -> Iterator[Decision]:
    """Play a deal by random actions, and yield its decisions."""
    deal = start.begin(start.fresh)
    actions: list[Action] = []
    while not deal.is_over:
        known = knowledge_of(deal.view(deal.seat, start.match))
        yield Decision(start, tuple(actions), deal, known)
        actions.append(rng.choice(list(deal.legal_actions())))
        step = deal.apply(actions[-1]).deal
        assert isinstance(step, ClimbingDeal)
        deal = step


def worth(decision: Decision) -> float:
    """Return how often a decision of Baohuang is gone through: more often, where something rare is known.

    Of forty-three cards threes are never the best.
    """
    if any(tribute.card in THREES for tribute in details_of(decision.deal.shared).tributes):
        return 0.0
    if decision.known.limit is not None or details_of(decision.deal.shared).clearings:
        return 0.3
    return 0.12 if any(decision.known.barred) else 0.01


@functools.cache
def gone_through(make: Callable[[Random], Start]) -> list[tuple[Decision, list[tuple[int, ...]]]]:
    """Return decisions, with all deals that look the same; in Baohuang mostly such where something is known."""
    rng = Random(3)
    chosen: list[Decision] = []
    tells = make in (baohuang, street)
    while len(chosen) < (32 if tells else 12):
        chosen += [
            decision
            for decision in decisions(rng, make(rng))
            if 2 <= decision.ways <= MOST_WAYS and rng.random() < (worth(decision) if tells else 0.2)
        ]
    return [(decision, list(decision.agreeing())) for decision in chosen]


every_game = pytest.mark.parametrize("make", [dou_dizhu, shuangkou, baohuang, street])


@every_game
def test_the_worlds_are_the_deals_that_look_the_same(make: Callable[[Random], Start]) -> None:
    """Their number, and how likely each card lies in each place, are those of going through all deals."""
    for decision, found in gone_through(make):
        known, cards = decision.known, decision.hidden_cards
        worlds = known.worlds()
        assert worlds.count == len(found)
        assert sorted(known.hidden) == sorted(cards)
        shares = np.array([np.bincount(places, minlength=len(known.sizes)) for places in zip(*found, strict=True)])
        for card, share in zip(cards, shares / len(found), strict=True):
            assert worlds.chances(card) == pytest.approx(share.tolist(), abs=1e-9)


@pytest.mark.parametrize("make", [baohuang, street])
def test_the_deals_that_are_gone_through_are_fewer_than_all(make: Callable[[Random], Start]) -> None:
    """Tribute, what was paid into the pot, and threes do tell something in the deals of these tests."""
    told: Counter[str] = Counter()
    for decision, found in gone_through(make):
        if len(found) < decision.ways:
            details = details_of(decision.deal.shared)
            payments = [payment for payment in details.payments if payment.card is None or payment.card in TWOS]
            told.update(
                tribute=bool(details.tributes),
                payments=bool(payments),
                cleared=bool(details.clearings),
                limited=decision.known.limit is not None,
            )
    assert told["tribute"] > 5
    assert told["payments"] > 5
    assert make is baohuang or (told["cleared"] and told["limited"] > 2)


@every_game
def test_every_drawn_world_is_one_of_them(make: Callable[[Random], Start]) -> None:
    """A draw, added to what is seen, is the hands of a deal that looks the same; in time all are drawn."""
    for decision, found in gone_through(make)[:8]:
        known, cards = decision.known, decision.hidden_cards
        possible = set()
        for places in found:
            hands = [
                [*seen, *(card for card, at in zip(cards, places, strict=True) if at == place)]
                for place, seen in enumerate(known.seen)
            ]
            copies = (0 if known.named is None else hand.count(known.named) for hand in hands)
            possible.add((tuple(tuple(counts_of(hand).tolist()) for hand in hands), tuple(copies)))
        drawn, worlds = set(), known.worlds()
        for number in range(30 * len(possible) + 100):
            counts, named = worlds.sample(1, number)
            counts, named = counts + known.counts, named + known.copies
            drawn.add((tuple(map(tuple, counts.tolist())), tuple(named.tolist())))
        assert drawn == possible


@pytest.mark.parametrize("game_type", [DouDizhu, Shuangkou, Baohuang])
def test_the_true_deal_is_always_among_the_worlds(game_type: type[ClimbingGame]) -> None:
    """In matches with random options each hand has what is seen of it, and hidden cards that it can have."""
    rng, checked = Random(8), 0
    while checked < 150:
        game = random_game(game_type, rng)
        match = game.new_match()
        for _ in range(2):
            match = match.opened()
            deal = game.deal(match, random_seed(game.seats, rng)).deal
            while not deal.is_over:
                assert isinstance(deal, ClimbingDeal)
                if rng.random() < 0.2:
                    checked += 1
                    seen_from_outside = MatchView(match.deals_done, None, match.scores, match.last_deal)
                    check_truth(deal, knowledge_of(deal.view(deal.seat, seen_from_outside)))
                deal = deal.apply(random_action(deal, rng)).deal
            match = game.after(match, deal)


def check_truth(deal: ClimbingDeal, known: Knowledge) -> None:
    """Check what a seat knows against the hands, and a drawn world against both."""
    for place, hand in enumerate(deal.hands):
        hidden = Counter(hand) - Counter(known.seen[place])
        assert hidden.total() == known.sizes[place]
        assert not mask_of(hidden) & known.barred[place]
        if known.limit is not None:
            assert sum(hidden[card] for card in THREES) <= known.limit.most[place]
    counts, copies = known.worlds().sample(4, 0)
    assert counts.sum(axis=1).tolist() == list(known.sizes)
    assert counts.sum(axis=0).tolist() == counts_of(known.hidden).tolist()
    if known.named is not None:
        assert copies.sum() == known.hidden.count(known.named)
