"""The `greedy` and `pimc` strategies for the trick-taking games."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import (
    Action,
    AgreeToClaim,
    Bid,
    CallCard,
    ChooseTrump,
    Discard,
    Pass,
    Play,
    RefuseClaim,
)
from junto.games.bridge.game import BridgeGame
from junto.games.cards import cards_in, mask_of
from junto.games.core import View
from junto.games.events import Location, Zone
from junto.games.napoleon import HouseRules
from junto.games.tricks import kernel
from junto.games.view import BridgeDetails, Choices, Phase, PlayChoice, Role
from junto.search.bridge_bidding.seats import call_for
from junto.search.decisions import Budget, Cards, Decision, Roles, UnplayableGame
from junto.search.racing import Trial, race
from junto.search.tricks import setup
from junto.search.tricks.candidates import call_candidates, discard_candidates, number_of, play_candidates
from junto.search.tricks.endings import new_memory
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import Knowledge, knowledge_of
from junto.search.tricks.policy import choose_follow, choose_lead
from junto.search.tricks.position import auction_so_far, own_put_back, play_position
from junto.search.tricks.solving import claim_holds, is_solvable, race_solved
from junto.search.tricks.state import COUNT, TRICK
from junto.search.tricks.trials import desk_for_deals, desk_for_plays, try_deals, try_plays

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_CAUTION: Final = 1.0
"""What the rule of thumb does is done unless another candidate is ahead by so many standard errors: a handful of
worlds, which is all that a millisecond is enough for, would else decide worse than the rule."""
_BIDS_TRIED: Final = 4
_CLAIM_WORLDS: Final = 10
_CLAIM_CARDS: Final = 10
"""A claim is checked in so many worlds, or as many as there is time for, with so many cards left in a hand at most."""
_THUMB_WORLDS: Final = 64
"""So many worlds are played on by rules of thumb before worlds are solved."""
_SOLVED_CARDS: Final = 3
"""With so many cards in a hand at most, and all called cards shown, the rest of each world is solved: more cards take
many times as long as rules of thumb do and gain nothing measurable, and who does not know his side yet would play
as if he did."""


def greedy_action(known: Knowledge, choices: Choices) -> Action:
    """Return what the rules of thumb do in a game of called partners, or in any play."""
    if known.phase is Phase.PLAY:
        return _greedy_play(known)
    house = _house(known)
    vector, features = setup.house_vector(house), np.zeros(setup.FEATURES, np.int64)
    hand, trump = known.hand, known.trump
    match known.phase:
        case Phase.AUCTION:
            limit = int(setup.bid_limit(vector, features, hand))
            height = int(setup.next_bid(vector, auction_so_far(known), limit))
            return house.bid_of(height) if height and choices.bids else Pass()
        case Phase.TRUMP:
            return ChooseTrump(int(setup.best_trump(vector, features, hand)))
        case Phase.EXCHANGE:
            change = int(setup.choose_change(vector, features, hand, trump)) if choices.trumps else -1
            if change in choices.trumps:
                return ChooseTrump(change)
            return Discard(tuple(cards_in(int(setup.choose_put_back(vector, hand, trump, house.kitty)))))
        case Phase.CALL:
            excluded = known.put_back | mask_of(known.secretaries)
            return CallCard(int(setup.choose_call(vector, hand, trump, excluded)))
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {known.phase.name}")


def _house(known: Knowledge) -> HouseRules:
    if known.house is None:
        raise UnplayableGame(f"there is no rule of thumb for phase {known.phase.name} in this game")
    return known.house


def _greedy_play(known: Knowledge) -> Play:
    position = play_position(known)
    rules, state, hidden = position.rules, position.state, _known_elsewhere(known)
    if state[COUNT] > 0:
        return Play(int(choose_follow(rules, position.above, state, known.turn, known.hand, hidden)))
    card, naming = choose_lead(rules, state, known.turn, known.hand, hidden)
    return Play(int(card), int(naming) if naming >= 0 else None)


def _known_elsewhere(known: Knowledge) -> int:
    """Return cards that the seat knows not to be in others' hands: put back, and in its own and dummy's hand."""
    return own_put_back(known) | (known.own | known.seen[known.dummy] if known.dummy >= 0 else 0)


class GreedyTricks:
    """Decide by rules of thumb, without search; only a claim is checked in a few worlds."""

    def decide(self, view: View, budget: Budget) -> Decision:  # noqa: ARG002  # it takes next to no time
        """Decide; the budget does not matter."""
        began = time.monotonic()
        action = bridge_action(view, _CLAIM_WORLDS, None)
        if action is None:
            action = greedy_action(knowledge_of(view), view.prompt.choices)
        return Decision(action, elapsed_s=time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class PimcTricks:
    """Try every candidate in sampled worlds and take the best on average.

    What the rule of thumb does is preferred to what is hardly better. Worlds are played on by such rules, or solved
    where that is possible in the time. The calls of bridge are those of the bidding system. Worlds weigh alike unless
    it `infers`; `knowledge` is what it takes from a view.
    """

    infers: bool = True
    knowledge: Callable[[View], Knowledge] = knowledge_of

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide within the budget; with iterations as its only limit and a seed, always alike."""
        began = time.monotonic()
        action = bridge_action(view, 2 * _CLAIM_WORLDS, budget.time_s)
        if action is not None:
            return Decision(action, elapsed_s=time.monotonic() - began)
        deadline, seed = budget.trials_end(began), budget.seed_or_new()
        known = self.knowledge(view)
        pool = Pool(known, known.worlds(), seed, infers=self.infers)
        if deadline is not None:
            pool.rows(0, 1)  # before the race, which goes by how long playouts take
        actions, trial = _contest(known, view.prompt.choices, pool, seed)
        favourite = number_of(greedy_action(known, view.prompt.choices), actions)
        race_of = partial(
            race, trial, len(actions), deadline=deadline, independent=pool.independent,
            caution=None if favourite is None else _CAUTION, favourite=favourite or 0,
        )  # fmt: skip
        if known.phase is Phase.PLAY and is_solvable(known, budget.time_s):
            plays = [action for action in actions if isinstance(action, Play)]
            thumb = race_of(iterations=min(_THUMB_WORLDS, budget.iterations or _THUMB_WORLDS))
            outcome = race_solved(known, plays, pool, thumb, budget.iterations, deadline)
        else:
            outcome = race_of(iterations=budget.iterations)
        evaluations = outcome.evaluations(actions)
        cards, roles = partner_beliefs(known, pool)
        return Decision(
            evaluations[0].action,
            evaluations,
            roles=roles,
            cards=cards,
            worlds=outcome.worlds,
            playouts=outcome.playouts,
            elapsed_s=time.monotonic() - began,
        )


def bridge_action(view: View, worlds: int, time_s: float | None) -> Action | None:
    """Return what a bot does in a game of bridge beside playing cards: it calls by the system, and answers claims.

    None: it has a card to play, or this is another game. A claim is agreed to if it holds in so many worlds, however
    the defenders play; one that would take too long to check is not.
    """
    began, choices = time.monotonic(), view.prompt.choices
    if not isinstance(view.game, BridgeGame):
        return None
    if view.shared.phase is Phase.AUCTION:
        return call_for(view.game, view.shared, view.own)
    if not choices.answering_claim:
        return None
    details = view.shared.details
    assert isinstance(details, BridgeDetails)
    assert details.claim is not None
    known = knowledge_of(view)
    if details.claim.tricks == 0:
        return AgreeToClaim()
    if max(known.sizes) > _CLAIM_CARDS:
        return RefuseClaim()
    pool = Pool(known, known.worlds(), seed=0)
    deadline = None if time_s is None else began + time_s / 2
    return AgreeToClaim() if claim_holds(known, details.claim.tricks, pool, worlds, deadline) else RefuseClaim()


def partner_beliefs(known: Knowledge, pool: Pool) -> tuple[Cards, Roles]:
    """Return where the hidden called cards may lie, and what the seats may be, as far as that is open.

    Of two hidden called cards a seat is taken to have one as likely whether it has the other or not.
    """
    if known.phase is not Phase.PLAY:
        return {}, {}
    hidden = known.hidden_secretaries
    chances = {card: pool.chances(card) for card in hidden}
    cards = {
        card: {
            Location(Zone.HAND, seat) if seat < known.terms.seats else Location(Zone.PUT_BACK): chance
            for seat, chance in enumerate(by_place)
            if chance > 0.0
        }
        for card, by_place in chances.items()
    }
    roles: dict[int, Mapping[Role, float]] = {}
    shown = {seat for trick in known.tricks for seat, card in trick.cards if card in known.secretaries}
    for seat in range(known.terms.seats):
        if hidden and seat not in {known.declarer, known.place} | shown:
            other = 1.0
            for by_place in chances.values():
                other *= 1.0 - by_place[seat]
            roles[seat] = {Role.PARTNER: 1.0 - other, Role.OPPONENT: other}
    return cards, roles


def _contest(known: Knowledge, choices: Choices, pool: Pool, seed: int) -> tuple[Sequence[Action], Trial]:
    """Return the candidates of a decision and the trial that plays them."""
    match known.phase:
        case Phase.AUCTION:
            return _bid_contest(known, choices, pool, seed)
        case Phase.TRUMP | Phase.EXCHANGE | Phase.CALL:
            return _setup_contest(known, choices, pool, seed)
        case Phase.PLAY:
            return _play_contest(known, choices, pool, seed)
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {known.phase.name}")


def _bid_contest(known: Knowledge, choices: Choices, pool: Pool, seed: int) -> tuple[Sequence[Action], Trial]:
    house = _house(known)
    bids = choices.bids[:_BIDS_TRIED]
    rows = [(0, -1, -1, -1, -1, 1), *((house.height_of(bid), -1, -1, -1, -1, 1) for bid in bids)]
    return [Pass(), *bids], _deal_trial(known, pool, seed, auction_so_far(known), rows)


def _deal_trial(known: Knowledge, pool: Pool, seed: int, auction: Vector, rows: Sequence[tuple[int, ...]]) -> Trial:
    house, desk = setup.house_vector(_house(known)), desk_for_deals(known.terms.seats)
    candidates = np.array(rows, np.int64)

    def trial(active: Vector, first: int, results: Matrix) -> None:
        rows = pool.rows(first, results.shape[1])
        try_deals(house, pool.matrix, rows, known.place, auction, candidates, active, seed, first, results, *desk)

    return trial


def _setup_contest(known: Knowledge, choices: Choices, pool: Pool, seed: int) -> tuple[Sequence[Action], Trial]:
    actions, rows = _setup_candidates(known, choices)
    return actions, _deal_trial(known, pool, seed, np.zeros(0, np.int64), rows)


def _setup_candidates(known: Knowledge, choices: Choices) -> tuple[Sequence[Action], Sequence[tuple[int, ...]]]:
    house, called = _house(known), (*known.secretaries, -1, -1)[:2]
    bid = known.contract - (known.shown.bit_count() if house.court_penalty else 0)
    match known.phase:
        case Phase.TRUMP:
            suits = choices.trumps
            return list(map(ChooseTrump, suits)), [(bid, suit, -1, -1, -1, 1) for suit in suits]
        case Phase.EXCHANGE:
            changes = choices.trumps
            discards = discard_candidates(known, house)
            return (
                [*map(ChooseTrump, changes), *(Discard(tuple(cards_in(cards))) for cards in discards)],
                [(bid + 1, suit, -1, *called, 0) for suit in changes]
                + [(bid, known.trump, cards, *called, 0) for cards in discards],
            )
        case _:
            calls = call_candidates(known, house, choices)
            put_back = -1 if house.call_first else known.put_back
            return list(map(CallCard, calls)), [
                (bid, known.trump, put_back, *(*known.secretaries, card, -1)[:2], 0) for card in calls
            ]


def _play_contest(known: Knowledge, choices: Choices, pool: Pool, seed: int) -> tuple[Sequence[Action], Trial]:
    assert choices.play is not None
    position = pool.position or play_position(known)
    actions = play_candidates(known, choices.play)
    candidates = np.array(
        [(play.card, -1 if play.naming is None else play.naming, mask_of(play.calls)) for play in actions], np.int64
    )
    desk = desk_for_plays(known.terms.seats)
    tricks, trick = int(position.rules[kernel.TRICKS]), int(position.state[TRICK])
    is_solved = len(actions) > 1 and tricks - trick <= _SOLVED_CARDS and not mask_of(known.secretaries) & ~known.played
    until, memory = (trick, new_memory()) if is_solved else (tricks, new_memory(1))

    def trial(active: Vector, first: int, results: Matrix) -> None:
        rows = pool.rows(first, results.shape[1])
        try_plays(
            pool.matrix, rows, position.rules, position.above, position.state, position.points,
            position.holders, known.turn, known.place, until, memory, candidates, active, seed, first, results, *desk,
        )  # fmt: skip

    return actions, trial


def warm_up() -> None:
    """Compile all kernels of both strategies, with the types they are called with."""
    from junto.games.napoleon_tw import NapoleonTw  # noqa: PLC0415  # only here

    house = NapoleonTw().house
    hand = 0b1111111111
    sizes = (10,) * 5
    active = np.arange(1)
    seen = (0,) * 5
    for known in (
        Knowledge(house.terms, 0, 0, Phase.AUCTION, hand, sizes, 4, house, own=hand, seen=seen),
        Knowledge(
            house.terms, 0, 0, Phase.PLAY, hand, sizes, 0, house, declarer=4, contract=12, trump=0,
            secretaries=(12,), own=hand, seen=seen, leader=0,
        ),
    ):  # fmt: skip
        play = PlayChoice(0, tuple(cards_in(hand)))
        _, trial = _contest(known, Choices(passing=True, bids=(Bid(12),), play=play), Pool(known, known.worlds(), 1), 1)
        trial(active, 0, np.zeros((16, 1), np.int64))
        greedy_action(known, Choices(passing=True, bids=(Bid(12),)))
