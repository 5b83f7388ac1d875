r"""OpenSpiel's `ISMCTSBot` as a strategy for bridge: it plays the cards, our rules of thumb bid.

    uv pip install --group peers
    junto tournament run --game bridge \
        --strategies greedy,examples/openspiel_bot/ismcts.py:Ismcts:iterations=200 --deals 50 --seed 7 --out DIR

The bot asks for a state with all four hands and forgets the hidden ones: it draws its worlds from what its seat has
seen. So it is given a state of OpenSpiel's in which the hidden cards lie as they may lie. Its simulations are the
budget's iterations. OpenSpiel: https://github.com/google-deepmind/open_spiel
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

import pyspiel  # type: ignore[import-not-found]  # only where it is installed

from junto.games.bridge.scoring import is_vulnerable
from junto.strategy import (
    Action,
    Bid,
    Budget,
    Card,
    DoubleBid,
    Pass,
    Play,
    StrategyError,
    View,
    greedy,
    playable,
    suit_of,
)

UCT_C: Final = 200.0
"""OpenSpiel's returns are scores of hundreds of points."""
STRAINS: Final = ("♠", "♥", "♦", "♣", "NT")
TRIES: Final = 1000


class Ismcts:
    """One random rollout a simulation; the card that was visited most."""

    games: ClassVar = ("bridge",)

    def decide(self, view: View, budget: Budget) -> Action:
        """Play a card of this hand, or of dummy's; anything else is done by the rules of thumb."""
        cards = playable(view)
        if len(cards) < 2:
            return greedy(view)
        seed = (budget.seed or 0) & 0x7FFFFFFF
        bot = peer_bot(budget.iterations or 200, seed)
        return Play(own_card(bot.step(peer_state(view, Random(seed)))))


def peer_bot(simulations: int, seed: int) -> Any:
    """Return a new bot of OpenSpiel's: one random rollout a simulation, worlds drawn by the game itself.

    Its seed does not settle what it plays: the same bot asked twice plays now this card, now that one.
    """
    return pyspiel.ISMCTSBot(
        seed=seed,
        evaluator=pyspiel.RandomRolloutEvaluator(1, seed),
        uct_c=UCT_C,
        max_simulations=simulations,
        final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )


def peer_state(view: View, draw: Random) -> Any:
    """Return OpenSpiel's state of a deal as a seat has seen it, the hidden cards drawn so that they may lie so.

    Raises:
        StrategyError: no such cards were found.
    """
    shared = view.shared
    assert shared.tricks is not None
    first = shared.calls[0].seat
    ours, theirs = (is_vulnerable(shared.details.vulnerability, (first + step) % 4) for step in (0, 1))  # type: ignore[union-attr]
    state = pyspiel.load_game(
        f"bridge(use_double_dummy_result=false,dealer={first},dealer_vul={_word(ours)},non_dealer_vul={_word(theirs)})"
    ).new_initial_state()
    hands = hidden_hands(view, draw)
    for place in range(52):
        state.apply_action(peer_card(hands[place % 4][place // 4]))
    for call in shared.calls:
        state.apply_action(peer_call(state, call.action))
    for trick in shared.tricks.tricks:
        for played in trick.cards:
            state.apply_action(peer_card(played.card))
    return state


def hidden_hands(view: View, draw: Random) -> list[list[Card]]:
    """Return the four hands that were dealt, as they may have been: nobody has cards of a suit that he did not follow.

    Raises:
        StrategyError: none were found.
    """
    assert view.shared.tricks is not None
    known: list[list[Card]] = [list(hand.open) for hand in view.shared.hands]
    known[view.seat] = list(view.own.hand)
    lacks: list[set[int]] = [set() for _ in range(4)]
    for trick in view.shared.tricks.tricks:
        for played in trick.cards:
            known[played.seat].append(played.card)
            if trick.led_suit is not None and suit_of(played.card) != trick.led_suit:
                lacks[played.seat].add(trick.led_suit)
    hidden = sorted(set(range(52)) - {card for hand in known for card in hand})
    for _ in range(TRIES):
        hands = _dealt(known, lacks, hidden, draw)
        if hands is not None:
            return hands
    raise StrategyError("the hidden cards cannot lie in any way that was tried")


def _dealt(
    known: Sequence[Sequence[Card]], lacks: Sequence[set[int]], hidden: Sequence[Card], draw: Random
) -> list[list[Card]] | None:
    """Deal the hidden cards, those first that the fewest may have; None: somebody must take one that he cannot have."""
    hands = [list(hand) for hand in known]
    order = draw.sample(hidden, len(hidden))
    for card in sorted(order, key=lambda card: sum(suit_of(card) not in lack for lack in lacks)):
        takers = [seat for seat in range(4) if len(hands[seat]) < 13 and suit_of(card) not in lacks[seat]]
        if not takers:
            return None
        hands[draw.choices(takers, [13 - len(hands[seat]) for seat in takers])[0]].append(card)
    return hands


def peer_call(state: Any, call: Action) -> int:
    """Return OpenSpiel's number of a call."""
    match call:
        case Pass():
            word = "Pass"
        case Bid(amount, strain) if strain is not None:
            word = f"{amount}{STRAINS[strain]}"
        case _:
            word = "Dbl" if isinstance(call, DoubleBid) else "RDbl"
    numbers: dict[str, int] = {state.action_to_string(action): action for action in state.legal_actions()}
    return numbers[word]


def peer_card(card: Card) -> int:
    """Return OpenSpiel's number of a card: by rank, then clubs to spades."""
    return card % 13 * 4 + 3 - card // 13


def own_card(number: int) -> Card:
    """Return our card of OpenSpiel's number."""
    return (3 - number % 4) * 13 + number // 4


def _word(is_so: bool) -> str:  # a word for a parameter of OpenSpiel's
    return "true" if is_so else "false"
