"""Worlds that cannot be: drawn ones are replayed through the rules, which know nothing of how they were drawn.

In the trick-taking games the hands of a world and the cards played so far must be all cards that are not seen, as many
at each place as there are, and every card played must have been legal by the rules' kernel for the hand that its
player then had. In the climbing games the deal is dealt anew, with the world in place of what the seat does not see;
every action must be legal again, and the seat must come to see the same, tribute and all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from junto.games.actions import Action
from junto.games.cards import Card, mask_of
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import Deal, Game, IllegalAction, Match, View
from junto.games.dou_dizhu import DouDizhu
from junto.games.jit import njit
from junto.games.napoleon import NapoleonDeal, NapoleonGame
from junto.games.shuffle import DealSeed
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksDeal
from junto.games.view import MatchView, Phase
from junto.search.climbing import knowledge as climbing
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy
from junto.search.tricks import knowledge as tricks

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]
Hands = Sequence[Sequence[Card]]
A_DECISION = 20
"""So many worlds of a decision are checked."""
ONCE = Budget(iterations=1)


@dataclass(frozen=True, slots=True)
class Position:
    """A decision whose worlds are drawn: the deal, the view of who decides, and how the deal came there.

    `dealt` are the arguments of a climbing game's `deal_hands`.
    """

    deal: Deal
    view: View
    dealt: tuple[Any, ...]
    actions: tuple[Action, ...]


def positions(game: Game, deals: int) -> Iterator[Position]:
    """Yield the decisions of a match by the rules of thumb whose worlds are drawn."""
    match = game.new_match()
    for number in range(deals):
        match = match.opened()
        seed = DealSeed(number.to_bytes(32, "big"), (b"",) * game.seats)
        deal, dealt = _noted(game, match, seed) if isinstance(game, ClimbingGame) else (game.deal(match, seed).deal, ())
        actions: list[Action] = []
        while not deal.is_over:
            assert deal.to_act is not None
            view = deal.view(deal.to_act, MatchView(match.deals_done, None, match.scores, match.last_deal))
            if deal.phase is Phase.PLAY or isinstance(game, NapoleonGame | ClimbingGame):
                yield Position(deal, view, dealt, tuple(actions))
            actions.append(greedy_strategy.decide(view, ONCE).action)
            deal = deal.apply(actions[-1]).deal
        match = game.after(match, deal)


def _noted(game: Any, match: Match, seed: DealSeed) -> tuple[Deal, tuple[Any, ...]]:
    """Deal, and return with what arguments of `deal_hands` that was."""
    calls: list[tuple[Any, ...]] = []
    deal_hands = type(game).deal_hands

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return deal_hands(game, *arguments)

    vars(game)["deal_hands"] = noted
    try:
        deal: Deal = game.deal(match, seed).deal
    finally:
        del vars(game)["deal_hands"]
    return deal, calls[0]


def check(game: Game, wanted: int) -> tuple[int, int]:
    """Return how many worlds of a game were checked, about as many as are wanted, and how many of them cannot be."""
    checked = impossible = 0
    for position in positions(game, wanted):
        for possible in _replayed(position) if isinstance(game, ClimbingGame) else _played(position):
            checked += 1
            impossible += not possible
        if checked >= wanted:
            break
    return checked, impossible


def _played(position: Position) -> Iterator[bool]:
    """Yield of some worlds of a decision with tricks whether they can be."""
    deal, known = position.deal, tricks.knowledge_of(position.view)
    assert isinstance(deal, TricksDeal)
    worlds = known.worlds() if known.pile is None else None
    if worlds is None:
        return
    truth = true_hands(deal, known)
    hidden, sizes = sum(truth), [hand.bit_count() for hand in truth]
    shown = [mask_of(hand.open) if place != known.place else 0 for place, hand in enumerate(deal.shared.hands)]
    for number in range(A_DECISION):
        hands = worlds.sample(number + 1, number)
        yield (
            sum(hands) == hidden
            and [hand.bit_count() for hand in hands] == sizes
            and all(there & ~hand == 0 for there, hand in zip(shown, hands, strict=False))
            and (known.phase is not Phase.PLAY or _plays_are_legal(known, hands))
        )


def _plays_are_legal(known: tricks.Knowledge, hidden: Sequence[int]) -> bool:
    """Tell whether all cards played were legal from these hands and the seat's own, and nothing wrong is put back."""
    hands = np.array(hidden, np.int64)
    hands[known.place] = known.own
    return bool(is_legal(known.rules, hands, plays_of(known), forbidden_in_pile(known)))


def true_hands(deal: TricksDeal, known: tricks.Knowledge) -> list[int]:
    """Return the hidden cards as they really lie, by place, then in the kitty or put back."""
    order = [hand.seat for hand in deal.shared.hands]
    hands = [0 if place == known.place else deal.hands[number] for place, number in enumerate(order)]
    pile = mask_of((*deal.kitty, *deal.put_back)) if isinstance(deal, NapoleonDeal) else 0
    return [*hands, pile & ~known.put_back]


def plays_of(known: tricks.Knowledge) -> Matrix:
    """Return the cards played: rows of (place, card, led suit or -1 for a lead, cards called)."""
    rows = [
        (place, card, trick.led if number else -1, trick.called)
        for trick in known.tricks
        for number, (place, card) in enumerate(trick.cards)
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


def forbidden_in_pile(known: tricks.Knowledge) -> int:
    """Return what cannot have been put back unseen, by the rules of the game."""
    house = known.house
    if house is None or known.phase is not Phase.PLAY:
        return 0
    courts = house.terms.counting if house.court_penalty else 0
    return courts if house.call_first else courts | mask_of(known.secretaries)


@njit
def is_legal(rules: Vector, hands: Vector, plays: Matrix, forbidden: int) -> bool:
    """Tell whether the cards played were legal from these hands, and nothing forbidden is put back."""
    before = hands.copy()
    for play in range(plays.shape[0]):
        before[plays[play, 0]] |= 1 << plays[play, 1]
    for play in range(plays.shape[0]):
        place, card, led, called = plays[play]
        if led >= 0 and not kernel.legal_cards(rules, before[place], led, called) >> card & 1:
            return False
        before[place] ^= 1 << card
    return bool(hands[-1] & forbidden == 0)


def _replayed(position: Position) -> Iterator[bool]:
    """Yield the same of a climbing game."""
    deal, known = position.deal, climbing.knowledge_of(position.view)
    assert isinstance(deal, ClimbingDeal)
    game, worlds, hidden = deal.game, known.worlds(), _hidden(position)
    kitty = 2 if isinstance(game, DouDizhu) else None
    places = [*position.dealt[1], () if kitty is None else position.dealt[kitty]]
    rest = [Counter(cards) - Counter(lies) for cards, lies in zip(places, hidden, strict=True)]
    tributes = getattr(position.view.shared.details, "tributes", ())
    gave = {rank_of_card(tribute.card): tribute.from_seat for tribute in tributes}
    seen: dict[tuple[tuple[Card, ...], ...], bool] = {}
    for number in range(A_DECISION):
        world = _cards(known, *worlds.sample(number + 1, number), hidden, gave)
        if world is None:
            yield False
            continue
        if world not in seen:
            fresh = [[*cards.elements(), *others] for cards, others in zip(rest, world, strict=True)]
            arguments = list(position.dealt)
            arguments[1] = fresh[:-1]
            if kitty is not None:
                arguments[kitty] = fresh[-1]
            seen[world] = _looks_the_same(position, game.deal_hands(*arguments).deal)
        yield seen[world]


def _hidden(position: Position) -> list[list[Card]]:
    """Return the cards that the seat does not see, as they lie: at the seats, in the kitty."""
    deal, seat = position.deal, position.view.seat
    assert isinstance(deal, ClimbingDeal)
    hands = [
        list((Counter(hand) - Counter(hand if view.seat == seat else view.open)).elements())
        for hand, view in zip(deal.hands, deal.shared.hands, strict=True)
    ]
    is_kitty_hidden = isinstance(deal.game, DouDizhu) and deal.shared.kitty_size
    return [*hands, list(position.dealt[2]) if is_kitty_hidden else []]


def _cards(
    known: climbing.Knowledge, counts: Matrix, copies: Vector, hidden: Hands, gave: Mapping[int, int]
) -> tuple[tuple[Card, ...], ...] | None:
    """Return the cards of a world by place; None: they are not those that are hidden.

    A world is one of ranks: its suits are any that agree with what was seen. Who gave a card of a rank as tribute
    (`gave`, by rank) gave the one of the highest suit that he had, so of that rank he has the lowest suits.
    """
    left: dict[tuple[int, bool], list[Card]] = {}
    for card in sorted(card for place in hidden for card in place):
        left.setdefault((rank_of_card(card), card == known.named), []).append(card)
    named_rank = -1 if known.named is None else rank_of_card(known.named)
    world: list[list[Card]] = [[] for _ in hidden]
    for rank in range(counts.shape[1]):
        first = [gave[rank]] if rank in gave else []
        for place in dict.fromkeys([*first, *range(len(hidden))]):
            count = int(counts[place][rank])
            named = int(copies[place]) if rank == named_rank else 0
            for is_named, number in ((True, named), (False, count - named)):
                there = left.get((rank, is_named), [])
                if not 0 <= number <= len(there):
                    return None
                world[place] += there[:number]
                del there[:number]
    if any(left.values()) or any(len(cards) != len(lies) for cards, lies in zip(world, hidden, strict=True)):
        return None
    return tuple(tuple(sorted(cards)) for cards in world)


def _looks_the_same(position: Position, deal: Deal) -> bool:
    """Tell whether a deal comes by the same actions to where it looks the same to the seat."""
    seat = position.view.seat
    try:
        for action in position.actions:
            deal = deal.apply(action).deal
    except IllegalAction:
        return False
    same = deal.view(seat)
    return (same.shared, same.own) == (position.view.shared, position.view.own)
