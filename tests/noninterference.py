"""Twin deals: what a seat sees may not depend on cards that it cannot see.

A *pair* is one deal played to some decision, and its twin: the same deal but for cards that one seat, the
*watcher*, could not know at that decision. Both are played by the same actions; only the cards that a declarer
puts back unseen are the twin's own. Whatever the watcher is shown, in any form, must be the same in both up
to that decision. A pair ends early where an action is legal in one twin only, or where the rules themselves
tell something of hidden cards (`told_by_the_rules`): a court card put back, what the pile's cards count, whose best
card is paid as tribute.

What "is shown" means is for the caller to say: `Sees` takes the step of a deal and a seat. The tests of the
rules compare events, views, prompts and refusals; others can compare the bytes of a stream, by dealing the
twins' cards at a table (`dealt`) and sending it the actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from random import Random
from typing import Any

from tests.games.playing import random_seed

from junto.games.actions import Action, Discard
from junto.games.baohuang.carried import with_owed
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.game import Baohuang
from junto.games.baohuang.naming import SHOWN
from junto.games.baohuang.tribute import Owed
from junto.games.bridge.three import PILE, BridgeThree
from junto.games.cards import Card, suit_of
from junto.games.climbing.deal import ClimbingDeal, ClimbingGame
from junto.games.core import Deal, Game, Match, RuleError, Step
from junto.games.napoleon import NapoleonDeal, NapoleonGame
from junto.games.phases import PhasedDeal
from junto.games.tricks.deal import TricksDeal, TricksGame
from junto.games.view import Alliance, BaohuangDetails, BridgeDetails, Phase, Shared

Sees = Callable[[Step, int], object]
"""What a seat is shown by a step: anything that can be compared."""
Choose = Callable[[Deal, Random], Action]
"""Picks a legal action."""
_TRIES = 30
"""So many twins of a deal are tried: most would have to follow a suit that they were seen not to follow."""
_DEALS = 300
"""So many deals are played for a pair before it is said that there is none."""
_MIXED = 0.3
_TELLING = 0.5
"""How often a card is among those that change places that makes an emperor or a guard."""
_OWED = 0.5
PhasedGame = TricksGame | ClimbingGame


@dataclass(frozen=True, slots=True)
class Dealing:
    """Cards as they are dealt: by hand number and, where there is one, the kitty; `rest` is what all know."""

    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    rest: tuple[tuple[str, Any], ...]

    @property
    def known(self) -> dict[str, Any]:
        """What all know of the dealing, by the names that the game has for it."""
        return dict(self.rest)


@dataclass(frozen=True, slots=True)
class Twin:
    """One of two deals: the cards as dealt, and what is done, in order."""

    dealing: Dealing
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two deals between which the watcher cannot tell before their last action.

    `phase` is where they stand after it; `other_partner`: a called card, or the guard's, has another holder in the
    twin.
    """

    game: PhasedGame
    watcher: int
    phase: Phase
    first: Twin
    second: Twin
    other_partner: bool


class Interference(AssertionError):
    """A seat was shown something that depends on cards that it cannot see."""


def phases_of(game_type: type[Game]) -> tuple[Phase, ...]:
    """Return the phases of a game in which something is hidden from somebody.

    When it is over there is, only if it can be unknown what lay in a kitty and what in a hand.
    """
    game = game_type()
    assert isinstance(game, PhasedGame)
    return (*game.house.phases, Phase.OVER) if isinstance(game, NapoleonGame) else tuple(game.phases)


def dealt(game: PhasedGame, dealing: Dealing) -> Step:
    """Return the deal of these cards before its first action."""
    kitty = {"kitty": dealing.kitty} if dealing.kitty else {}
    step = game.deal_hands(hands=dealing.hands, **kitty, **dealing.known)  # type: ignore[union-attr]  # all have it
    assert isinstance(step, Step)
    return step


def steps_of(pair: Pair, twin: Twin) -> list[Step]:
    """Return every step of a twin, the dealing first."""
    steps = [dealt(pair.game, twin.dealing)]
    for action in twin.actions:
        steps.append(steps[-1].deal.apply(action))
    return steps


def compare(pair: Pair, sees: Sees) -> None:
    """Play both twins and compare what the watcher sees, step by step.

    Raises:
        Interference: it is not the same.
    """
    for number, (one, other) in enumerate(zip(steps_of(pair, pair.first), steps_of(pair, pair.second), strict=True)):
        seen, seen_too = sees(one, pair.watcher), sees(other, pair.watcher)
        if seen != seen_too:
            done = pair.first.actions[number - 1] if number else "the cards were dealt"
            raise Interference(f"seat {pair.watcher} can tell after {done}:\n{seen}\n{seen_too}")


def pairs(
    games: Callable[[Random], Game],
    choose: Choose,
    phase: Phase,
    count: int,
    rng: Random,
    deals: int = 1,
    *,
    at_its_start: bool = False,
) -> Iterator[Pair]:
    """Yield pairs that stand in a phase after their last action, each from another one of a match's first deals.

    They stand at any decision of the phase, or at its first one (`at_its_start`).

    Raises:
        AssertionError: there are none.
    """
    for _ in range(_DEALS * count):
        if not count:
            return
        game = games(rng)
        assert isinstance(game, PhasedGame)
        dealing = _dealing(game, _match(game, rng.randint(1, deals), rng), rng)
        actions, end = _played(game, dealing, choose, phase, rng, at_its_start=at_its_start)
        if end is None:
            continue
        watcher = rng.randrange(game.seats)
        found = (_twinned(dealing, actions, end, watcher, rng) for _ in range(_TRIES))
        pair = next((pair for pair in found if pair is not None), None)
        if pair is not None:
            yield pair
            count -= 1
    raise AssertionError(f"no deal has a twin in the phase {phase.name}")


def _match(game: PhasedGame, deals_opened: int, rng: Random) -> Match:
    """Return a match in which so many deals were opened; in Baohuang tribute may be owed."""
    match = Match((0,) * game.seats, deals_opened=deals_opened)
    if not isinstance(game, Baohuang) or rng.random() > _OWED:
        return match
    emperor, guard = rng.sample(range(game.seats), 2)
    alliance = rng.choice(list(Alliance))
    order = tuple(rng.sample(range(game.seats), game.seats))
    return with_owed(
        match, Owed(emperor, guard if alliance is Alliance.PARTNER else None, alliance, order, rng.choice((-1, 1)))
    )


def _dealing(game: PhasedGame, match: Match, rng: Random) -> Dealing:
    """Return what a game deals from a random seed: what it gives to its own `deal_hands`."""
    honest = game.deal_hands  # type: ignore[union-attr]  # all have it
    taken: dict[str, Any] = {}

    def noting(*args: Any, **named: Any) -> Step:
        taken.update(signature(honest).bind(*args, **named).arguments)
        step = honest(*args, **named)
        assert isinstance(step, Step)
        return step

    game.deal_hands = noting  # type: ignore[union-attr]
    try:
        game.deal(match, random_seed(game.seats, rng))
    finally:
        del game.deal_hands  # type: ignore[union-attr]
    return Dealing(_in_order(taken.pop("hands"), game), tuple(sorted(taken.pop("kitty", ()))), tuple(taken.items()))


def _in_order(hands: Sequence[Sequence[Card]], game: PhasedGame) -> tuple[tuple[Card, ...], ...]:
    """Return hands in the order in which players hold them; a pile lies as it was dealt."""
    return tuple(tuple(sorted(hand) if number < game.seats else hand) for number, hand in enumerate(hands))


def _played(
    game: PhasedGame, dealing: Dealing, choose: Choose, phase: Phase, rng: Random, *, at_its_start: bool
) -> tuple[list[Action], PhasedDeal | None]:
    """Play a random deal; return some stand in a phase with the actions up to there, if there is one."""
    deals, actions = [dealt(game, dealing).deal], list[Action]()
    while not deals[-1].is_over:
        actions.append(choose(deals[-1], rng))
        deals.append(deals[-1].apply(actions[-1]).deal)
        if deals[-2].phase is phase and deals[-1].phase is not phase:
            break  # phases never come back
    stands = [number for number, deal in enumerate(deals) if deal.phase is phase]
    if not stands:
        return [], None
    last = stands[0] if at_its_start else rng.choice(stands)
    end = deals[last]
    assert isinstance(end, PhasedDeal)
    return actions[:last], end


def _twinned(dealing: Dealing, actions: Sequence[Action], end: PhasedDeal, watcher: int, rng: Random) -> Pair | None:
    """Return a pair of a deal that was played to `end` and a twin of it; None if the chosen cards make none."""
    game, first = end.game, Twin(dealing, tuple(actions))
    if isinstance(end, ClimbingDeal):
        second = replace(first, dealing=_with_cards_swapped(dealing, end, watcher, rng))
    else:
        assert isinstance(end, TricksDeal)
        second = _with_cards_renamed(first, end, watcher, rng)
    if first.dealing == second.dealing:
        return None
    if isinstance(game, TricksGame) and told_by_the_rules(game, first, watcher) != told_by_the_rules(
        game, second, watcher
    ):
        return None
    pair = Pair(game, watcher, end.phase, first, second, other_partner=False)
    try:
        other = steps_of(pair, second)[-1].deal
    except RuleError:
        return None
    if other.phase is not end.phase or _told_of_hands(other.shared) != _told_of_hands(end.shared):
        return None
    return replace(pair, other_partner=_holders(other) != _holders(end))


def _with_cards_renamed(twin: Twin, end: TricksDeal, watcher: int, rng: Random) -> Twin:
    """Return a twin in which hidden cards have changed their names; a declarer puts back what they are called then."""
    dealing = twin.dealing
    renamed = _renaming(hidden_from(watcher, end), {called.card for called in end.shared.called}, rng)
    hands = [_renamed(hand, renamed) for hand in dealing.hands]
    kitty = _renamed(dealing.kitty, renamed)
    _mix_with_kitty(hands, kitty, end, watcher, rng)
    actions = (Discard(tuple(_renamed(a.cards, renamed))) if isinstance(a, Discard) else a for a in twin.actions)
    return Twin(replace(dealing, hands=_in_order(hands, end.game), kitty=tuple(sorted(kitty))), tuple(actions))


def _with_cards_swapped(dealing: Dealing, end: ClimbingDeal, watcher: int, rng: Random) -> Dealing:
    """Return the dealing with a few cards swapped that others still hold, or that lie in the kitty, and nobody saw.

    Equal cards are many: what changes is how many of them lie where.
    """
    kitty = len(dealing.hands)
    places = [list(hand) for hand in (*dealing.hands, dealing.kitty)]
    hidden = [
        (seat, card)
        for seat, hand in enumerate(end.hands)
        if seat != watcher
        for card in (Counter(hand) - Counter(end.shared.hands[seat].open)).elements()
    ]
    hidden += [(kitty, card) for card in dealing.kitty] if end.shared.kitty_size else []
    moved = rng.sample(hidden, min(len(hidden), rng.choice((2, 2, 4, 8))))
    telling = [one for one in hidden if _is_telling(end, *one)]
    if telling and rng.random() < _TELLING:
        moved[0] = rng.choice(telling)
    for (place, card), (other_place, other_card) in zip(moved[::2], moved[1::2], strict=False):
        if card in places[place] and other_card in places[other_place]:
            places[place].remove(card)
            places[other_place].remove(other_card)
            places[place].append(other_card)
            places[other_place].append(card)
    return replace(dealing, hands=_in_order(places[:kitty], end.game), kitty=tuple(sorted(places[kitty])))


def _is_telling(deal: ClimbingDeal, place: int, card: Card) -> bool:
    """Tell whether a card makes a guard of its holder, or one who can be emperor."""
    if deal.named is not None or place == len(deal.hands):
        return card == deal.named
    return deal.hands[place].count(card) >= SHOWN


def _told_of_hands(shared: Shared) -> object:
    """Return what the rules of Baohuang tell all of hidden cards: a best card, a lowest two, nothing but threes."""
    details = shared.details
    return (details.tributes, details.payments, details.clearings) if isinstance(details, BaohuangDetails) else None


def _holders(deal: Deal) -> tuple[int | None, ...]:
    """Return who held the called cards, or the guard's."""
    match deal:
        case NapoleonDeal():
            return deal.holders
        case BaohuangDeal():
            return (deal.guard,)
        case _:
            return ()


def hidden_from(watcher: int, deal: TricksDeal) -> set[Card]:
    """Return the cards of which the watcher does not know at all where they lie."""
    shared, own = deal.shared, deal.owns[watcher]
    assert shared.tricks is not None
    known = {*own.hand, *own.kitty, *own.put_back, *own.pile_row, *shared.put_back, *shared.kitty}
    known.update(card for hand in shared.hands for card in hand.open)
    known.update(played.card for trick in shared.tricks.tricks for played in trick.cards)
    if isinstance(shared.details, BridgeDetails) and shared.details.pile is not None:
        known.update(shared.details.pile.row)
    return set(deal.game.pack) - known


def told_by_the_rules(game: TricksGame, twin: Twin, watcher: int) -> object:
    """Return what the rules tell the watcher of cards that he may not see: so much may not differ between twins."""
    match game:
        case NapoleonGame() if game.house.court_penalty:
            discards = (action for action in twin.actions if isinstance(action, Discard))
            return game.house.counting_among(card for discard in discards for card in discard.cards)
        case BridgeThree():
            return _told_of_pile(twin.dealing, watcher)
        case _:
            return None


def _told_of_pile(dealing: Dealing, watcher: int) -> object:
    """Return what each player's four cards count, and where the cards that the watcher sees lie among the suits."""
    pile, opened, looked_at = dealing.hands[PILE], dealing.known["opened"], dealing.known["looked_at"]
    counts = [sum(max(0, pile[place] % 13 - 8) for place in places) for places in looked_at]
    row = sorted(range(len(pile)), key=lambda place: suit_of(pile[place]))
    seen = {opened, *looked_at[watcher]}
    return counts, [pile[place] if place in seen else None for place in row]


def _renaming(hidden: set[Card], called: set[Card], rng: Random) -> dict[Card, Card]:
    """Return a permutation of some of the hidden cards, a called one among them; few are likelier to be playable."""
    pool = sorted(hidden - called)
    if rng.random() < 0.5:
        suit = rng.randrange(4)
        pool = [card for card in pool if suit_of(card) == suit]
    others = rng.sample(pool, min(len(pool), rng.choice((2, 2, 3, 4, 6, 54))))
    moved = [*sorted(hidden & called), *others]
    return dict(zip(moved, [*moved[1:], *moved[:1]], strict=True))


def _renamed(cards: Sequence[Card], renamed: dict[Card, Card]) -> list[Card]:
    return [renamed.get(card, card) for card in cards]


def _mix_with_kitty(hands: list[list[Card]], kitty: list[Card], end: TricksDeal, watcher: int, rng: Random) -> None:
    """Let some of the cards that a declarer took out of the kitty have been in his hand, and the other way round."""
    contract = end.shared.contract
    if contract is None or contract.declarer == watcher or end.shared.kitty_size:
        return
    hand = hands[contract.declarer]
    for place in range(len(kitty)):
        other = rng.randrange(len(hand))
        if rng.random() < _MIXED:
            kitty[place], hand[other] = hand[other], kitty[place]
