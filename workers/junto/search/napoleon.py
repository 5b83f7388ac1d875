"""The `greedy` and `pimc` strategies for the Napoleon games."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action, Bid, CallCard, ChooseTrump, Discard, Pass, Play
from junto.games.cards import Card, cards_in, mask_of
from junto.games.core import View
from junto.games.events import Location, Zone
from junto.games.tricks import kernel
from junto.games.tricks.kernel import COURT_CARDS, JOKERS, NO_CARD, NOBODY, WHOLE_SUIT
from junto.games.view import Choices, Phase, PlayChoice, Role
from junto.search import napoleon_setup as setup
from junto.search.decisions import Budget, Decision, Evaluation, UnplayableGame
from junto.search.napoleon_knowledge import NapoleonKnowledge, knowledge_of
from junto.search.napoleon_pimc import Desk, try_deals, try_plays
from junto.search.napoleon_policy import choose_follow, choose_lead
from junto.search.napoleon_state import ABOVE, COUNT, STATE, begin_play, replay, write_above
from junto.search.racing import Trial, race
from junto.search.worlds import Worlds

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

_BIDS_TRIED: Final = 4
_SPARE_DISCARDS: Final = 2
_CARDS_CALLED: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class PlayPosition:
    """A position in the play, for kernels: rules, stronger cards, state, points by seat, who showed secretaries."""

    rules: Vector
    above: Vector
    state: Vector
    points: Vector
    holders: Vector


def play_position(known: NapoleonKnowledge) -> PlayPosition:
    """Return the position that a seat's knowledge describes."""
    rules = known.rules
    above, state, points = np.zeros(ABOVE, np.int64), np.zeros(STATE, np.int64), np.zeros(7, np.int64)
    write_above(above, rules)
    seats = known.house.seats
    leader = known.napoleon if known.house.napoleon_leads else (known.napoleon + 1) % seats
    begin_play(state, known.napoleon, known.target, leader, known.shown)
    plays = [(seat, card, trick.led, trick.called) for trick in known.tricks for seat, card in trick.cards]
    replay(rules, state, points, np.array(plays, np.int64).reshape(-1, 4))
    played_by = {card: seat for seat, card, _, _ in plays}
    holders = np.array([played_by.get(card, NOBODY) for card in (*known.secretaries, NO_CARD, NO_CARD)[:2]], np.int64)
    return PlayPosition(rules, above, state, points, holders)


def own_put_back(known: NapoleonKnowledge) -> int:
    """Return the cards that the seat knows to be put back and the others do not."""
    return known.put_back & ~known.shown


def greedy_action(known: NapoleonKnowledge, choices: Choices) -> Action:
    """Return what the rules of thumb do."""
    house, features = setup.house_vector(known.house), np.zeros(setup.FEATURES, np.int64)
    hand, trump = known.hand, known.trump
    match known.phase:
        case Phase.AUCTION:
            bid = choices.bids[0] if choices.bids else None
            return bid if bid is not None and setup.bid_limit(features, hand) >= bid.amount else Pass()
        case Phase.TRUMP:
            return ChooseTrump(int(setup.best_trump(features, hand)))
        case Phase.EXCHANGE:
            change = int(setup.choose_change(features, hand, trump)) if choices.trumps else -1
            if change in choices.trumps:
                return ChooseTrump(change)
            return Discard(tuple(cards_in(int(setup.choose_put_back(hand, trump, known.house.kitty)))))
        case Phase.CALL:
            excluded = known.put_back | mask_of(known.secretaries)
            return CallCard(int(setup.choose_secretary(house, hand, trump, excluded)))
        case Phase.PLAY:
            return _greedy_play(known)
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {known.phase.name}")


def _greedy_play(known: NapoleonKnowledge) -> Play:
    position = play_position(known)
    rules, state, hidden = position.rules, position.state, own_put_back(known)
    if state[COUNT] > 0:
        return Play(int(choose_follow(rules, position.above, state, known.seat, known.hand, hidden)))
    card, naming, called = choose_lead(rules, state, known.seat, known.hand, hidden)
    return Play(int(card), int(naming) if naming >= 0 else None, tuple(cards_in(int(called))))


class GreedyNapoleon:
    """Decide by rules of thumb, without search."""

    def decide(self, view: View, budget: Budget) -> Decision:  # noqa: ARG002  # it takes microseconds
        """Decide; the budget does not matter."""
        began = time.monotonic()
        action = greedy_action(knowledge_of(view), view.prompt.choices)
        return Decision(action, elapsed_s=time.monotonic() - began)


class PimcNapoleon:
    """Try every candidate in sampled worlds, played on by the rules of thumb, and take the best on average."""

    def decide(self, view: View, budget: Budget) -> Decision:
        """Decide within the budget; with iterations as its only limit and a seed, always alike."""
        began = time.monotonic()
        deadline = None if budget.time_s is None else began + budget.time_s
        seed = secrets.randbits(63) if budget.seed is None else budget.seed & (1 << 63) - 1
        known = knowledge_of(view)
        worlds = known.worlds()
        actions, trial = _contest(known, view.prompt.choices, worlds, seed)
        outcome = race(trial, len(actions), budget.iterations, deadline)
        evaluations = tuple(
            Evaluation(actions[standing.candidate], standing.mean, standing.standard_error, standing.worlds)
            for standing in outcome.standings
        )
        cards, roles = secretary_beliefs(known, worlds)
        return Decision(
            evaluations[0].action,
            evaluations,
            roles=roles,
            cards=cards,
            worlds=outcome.worlds,
            playouts=outcome.playouts,
            elapsed_s=time.monotonic() - began,
        )


def secretary_beliefs(
    known: NapoleonKnowledge, worlds: Worlds
) -> tuple[Mapping[Card, Mapping[Location, float]], Mapping[int, Mapping[Role, float]]]:
    """Return where the hidden secretary cards may lie, and what the seats may be, as far as that is open."""
    if known.phase is not Phase.PLAY:
        return {}, {}
    hidden = [card for card in known.secretaries if not (known.played | known.hand) >> card & 1]
    chances = {card: worlds.chances(card) for card in hidden}
    cards = {
        card: {Location(Zone.HAND, seat): chance for seat, chance in enumerate(by_place[:-1]) if chance > 0.0}
        for card, by_place in chances.items()
    }
    roles: dict[int, Mapping[Role, float]] = {}
    shown = {seat for trick in known.tricks for seat, card in trick.cards if card in known.secretaries}
    for seat in range(known.house.seats):
        if hidden and seat not in {known.napoleon, known.seat} | shown:
            other = 1.0
            for by_place in chances.values():
                other *= 1.0 - by_place[seat]
            roles[seat] = {Role.PARTNER: 1.0 - other, Role.OPPONENT: other}
    return cards, roles


def _base_hands(known: NapoleonKnowledge) -> Vector:
    base = np.zeros(known.house.seats + 1, np.int64)
    base[known.seat] = known.hand
    base[-1] = own_put_back(known) if known.phase is Phase.PLAY else 0
    return base


def _contest(known: NapoleonKnowledge, choices: Choices, worlds: Worlds, seed: int) -> tuple[Sequence[Action], Trial]:
    """Return the candidates of a decision and the trial that plays them."""
    match known.phase:
        case Phase.AUCTION:
            return _bid_contest(known, choices, worlds, seed)
        case Phase.TRUMP | Phase.EXCHANGE | Phase.CALL:
            return _setup_contest(known, choices, worlds, seed)
        case Phase.PLAY:
            return _play_contest(known, choices, worlds, seed)
        case _:
            raise UnplayableGame(f"there is nothing to decide in phase {known.phase.name}")


def _bid_contest(
    known: NapoleonKnowledge, choices: Choices, worlds: Worlds, seed: int
) -> tuple[Sequence[Action], Trial]:
    actions: list[Action] = [Pass(), *choices.bids[:_BIDS_TRIED]]
    rows = [(action.amount if isinstance(action, Bid) else 0, -1, -1, -1, -1) for action in actions]
    return actions, _deal_trial(known, worlds, seed, (1, *_auction_so_far(known)), rows)


def _deal_trial(
    known: NapoleonKnowledge, worlds: Worlds, seed: int, auction: tuple[int, ...], rows: Sequence[tuple[int, ...]]
) -> Trial:
    house, desk = setup.house_vector(known.house), Desk.for_hands(_base_hands(known)).for_deals
    state, candidates = np.array(auction, np.int64), np.array(rows, np.int64)

    def trial(active: Vector, first: int, results: Matrix) -> None:
        try_deals(
            house, worlds.plan, worlds.odds, known.seat, state, candidates, active, seed, first, results, *desk
        )  # fmt: skip

    return trial


def _auction_so_far(known: NapoleonKnowledge) -> tuple[int, int, int, int]:
    """Return the last bidder, his bid, the passes since, and the seats that have passed for good."""
    bidder, bid, passes, out = NOBODY, 0, 0, 0
    for seat, amount in known.calls:
        if amount:
            bidder, bid, passes = seat, amount, 0
        else:
            passes += 1
            out |= 1 << seat
    if not known.house.pass_is_final:
        return bidder, bid, passes, 0
    return bidder, bid, out.bit_count(), out


def _setup_contest(
    known: NapoleonKnowledge, choices: Choices, worlds: Worlds, seed: int
) -> tuple[Sequence[Action], Trial]:
    actions, rows = _setup_candidates(known, choices)
    return actions, _deal_trial(known, worlds, seed, (0, 0, 0, 0, 0), rows)


def _setup_candidates(known: NapoleonKnowledge, choices: Choices) -> tuple[Sequence[Action], Sequence[tuple[int, ...]]]:
    bid = known.target - known.shown.bit_count()
    match known.phase:
        case Phase.TRUMP:
            suits = choices.trumps
            return list(map(ChooseTrump, suits)), [(bid, suit, -1, -1, -1) for suit in suits]
        case Phase.EXCHANGE:
            changes = choices.trumps
            discards = discard_candidates(known)
            return (
                [*map(ChooseTrump, changes), *(Discard(tuple(cards_in(cards))) for cards in discards)],
                [(bid + 1, suit, -1, -1, -1) for suit in changes]
                + [(bid, known.trump, cards, -1, -1) for cards in discards],
            )
        case _:
            calls = call_candidates(known, choices)
            named = known.secretaries
            return list(map(CallCard, calls)), [
                (bid, known.trump, known.put_back, *(*named, card, -1)[:2]) for card in calls
            ]


def discard_candidates(known: NapoleonKnowledge) -> list[int]:
    """Return sets of cards to put back: what the rule of thumb does, and its neighbours."""
    number = known.house.kitty
    order: list[int] = []
    chosen = 0
    for count in range(1, min(number + _SPARE_DISCARDS, known.hand.bit_count()) + 1):
        more = int(setup.choose_put_back(known.hand, known.trump, count))
        order.extend(cards_in(more & ~chosen))
        chosen |= more
    return [mask_of(cards) for cards in itertools.combinations(order, number)]


def call_candidates(known: NapoleonKnowledge, choices: Choices) -> list[Card]:
    """Return cards to call: high ones that Napoleon lacks, trumps first, and two ways to play alone."""
    legal = mask_of(choices.callable)
    trumps = WHOLE_SUIT << (13 * known.trump)

    def order(card: Card) -> tuple[bool, bool, int]:
        return not JOKERS >> card & 1, not trumps >> card & 1, -(card % 13)

    others = sorted(cards_in(legal & ~known.hand), key=order)
    own = sorted(cards_in(legal & known.hand), key=order)
    if not others:
        return own
    alone = [own[0], next((card for card in reversed(own) if not COURT_CARDS >> card & 1), own[-1])] if own else []
    high = [card for card in others if trumps >> card & 1][: _CARDS_CALLED // 2]
    plain = [card for card in others if card not in high]
    return list(dict.fromkeys([*high, *plain[: _CARDS_CALLED - len(high)], *alone]))


def _play_contest(
    known: NapoleonKnowledge, choices: Choices, worlds: Worlds, seed: int
) -> tuple[Sequence[Action], Trial]:
    assert choices.play is not None
    position = play_position(known)
    actions = play_candidates(known, choices.play)
    candidates = np.array(
        [(play.card, -1 if play.naming is None else play.naming, mask_of(play.calls)) for play in actions], np.int64
    )
    desk = Desk.for_hands(_base_hands(known)).for_plays

    def trial(active: Vector, first: int, results: Matrix) -> None:
        try_plays(
            worlds.plan, worlds.odds, position.rules, position.above, position.state, position.points,
            position.holders, known.seat, candidates, active, seed, first, results, *desk,
        )  # fmt: skip

    return actions, trial


def play_candidates(known: NapoleonKnowledge, play: PlayChoice) -> list[Play]:
    """Return the plays to try: of cards that are worth the same one only, each suit that it may name, each call."""
    unseen = mask_of(known.house.pack) & ~(known.hand | known.played | known.put_back)
    candidates: list[Play] = []
    for card in play.cards:
        calls = [call.called for call in play.calls if card in call.leads]
        if not calls and _like_the_next(card, mask_of(play.cards), unseen | mask_of(known.secretaries)):
            continue
        for naming in range(4) if card in play.naming else (None,):
            candidates.append(Play(card, naming))
            candidates.extend(Play(card, naming, (called,)) for called in calls)
    return candidates


def _like_the_next(card: Card, own: int, different: int) -> bool:
    """Tell whether a card does what the seat's next higher card of the suit does: nothing lies between them."""
    for higher in range(card + 1, 13 * (card // 13) + 13 if card < kernel.SMALL_JOKER else 0):
        if different >> higher & 1 or different >> card & 1:
            return False
        if own >> higher & 1:
            return (COURT_CARDS >> card & 1) == (COURT_CARDS >> higher & 1)
    return False


def warm_up() -> None:
    """Compile all kernels of both strategies, with the types they are called with."""
    from junto.games.napoleon_tw import NapoleonTw  # noqa: PLC0415  # only here

    house = NapoleonTw().house
    hand = 0b1111111111
    sizes = (10,) * 5
    active = np.arange(1)
    for known in (
        NapoleonKnowledge(house, 0, Phase.AUCTION, hand, sizes, kitty=4),
        NapoleonKnowledge(house, 0, Phase.PLAY, hand, sizes, 0, (), 4, 12, 12, 0, (12,), open_to_all=(0,) * 5),
    ):
        worlds = known.worlds()
        play = PlayChoice(0, tuple(cards_in(hand)))
        _, trial = _contest(known, Choices(passing=True, bids=(Bid(12),), play=play), worlds, 1)
        trial(active, 0, np.zeros((16, 1), np.int64))
        greedy_action(known, Choices(passing=True, bids=(Bid(12),)))
