"""A person who plays anything that is legal, told by the prompt alone: cheap, and good enough for a load.

Between kinds of moves (pass, bid, play ...) and among the moves of a kind each is equally likely. Claims are made
only if there is nothing else to do: they would end deals early, and with them the load.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from junto.v1 import actions_pb2, cards_pb2

_RANKS: Final[Mapping[int, int]] = {
    card: cards_pb2.Rank.Value("RANK_" + (name if "JOKER" in name else name.rpartition("_")[2]))
    for name, card in ((name.removeprefix("CARD_"), value) for name, value in cards_pb2.Card.items() if value)
}
"""The rank of each card."""
_SUITS: Final = (cards_pb2.SUIT_SPADES, cards_pb2.SUIT_HEARTS, cards_pb2.SUIT_DIAMONDS, cards_pb2.SUIT_CLUBS)
_ALONE: Final = (
    "pass", "double_bid", "redouble_bid", "accept_offer", "apply_for_lead", "agree_to_claim", "refuse_claim",
)  # fmt: skip
"""What there is nothing to choose about."""
_AVOIDED: Final = frozenset({"claim"})

Hand = Sequence[int]
"""The cards of a seat, as numbers of `junto.v1.Card`."""


def choose(prompt: actions_pb2.Prompt, hand: Hand, draw: random.Random) -> actions_pb2.Action:
    """Return a legal action for a prompt, drawn at random; the default action for a choice of an unknown kind."""
    offered = [descriptor.name for descriptor, _ in prompt.choices.ListFields()]
    kinds = [kind for kind in offered if kind not in _AVOIDED] or offered
    if not kinds:
        return prompt.default_action
    kind = draw.choice(kinds)
    chosen = _CHOOSERS.get(kind)
    found = None if chosen is None else chosen(getattr(prompt.choices, kind), hand, draw)
    return prompt.default_action if found is None else actions_pb2.Action(**{kind: found})


def _same(choice: Any, _: Hand, __: random.Random) -> Any:
    """Return the choice itself: it has nothing to choose."""
    return choice


def _bid(choice: actions_pb2.BidChoice, _: Hand, draw: random.Random) -> actions_pb2.Bid:
    return draw.choice(choice.bids)


def _trump(choice: actions_pb2.ChooseTrumpChoice, _: Hand, draw: random.Random) -> actions_pb2.ChooseTrump:
    return actions_pb2.ChooseTrump(suit=draw.choice(choice.suits))


def _discard(choice: actions_pb2.DiscardChoice, _: Hand, draw: random.Random) -> actions_pb2.Discard:
    return actions_pb2.Discard(cards=draw.sample(choice.cards, choice.count))


def _call(choice: actions_pb2.CallCardChoice, _: Hand, draw: random.Random) -> actions_pb2.CallCard:
    return actions_pb2.CallCard(card=draw.choice(choice.cards))


def _card(choice: actions_pb2.PlayCardChoice, _: Hand, draw: random.Random) -> actions_pb2.PlayCard:
    card = draw.choice(choice.cards)
    named = draw.choice(_SUITS) if card in choice.naming else None
    return actions_pb2.PlayCard(card=card, named_suit=named)


def _combination(
    choice: actions_pb2.PlayCombinationChoice, hand: Hand, draw: random.Random
) -> actions_pb2.PlayCombination | None:
    """Return cards of the hand that make one of the combinations; None if the hand is not known."""
    by_rank: defaultdict[int, list[int]] = defaultdict(list)
    for card in hand:
        by_rank[_RANKS[card]].append(card)
    if not choice.plays:
        return None
    ranks = draw.choice(choice.plays).ranks
    if any(len(by_rank[rank]) < list(ranks).count(rank) for rank in set(ranks)):
        return None
    return actions_pb2.PlayCombination(cards=[by_rank[rank].pop() for rank in ranks])  # type: ignore[misc]


def _decline(_: Any, __: Hand, ___: random.Random) -> actions_pb2.DeclineOffer:
    return actions_pb2.DeclineOffer()


def _show(choice: actions_pb2.ShowCardsChoice, _: Hand, draw: random.Random) -> actions_pb2.ShowCards:
    return draw.choice(choice.ways)


def _claim(choice: actions_pb2.ClaimChoice, _: Hand, draw: random.Random) -> actions_pb2.Claim:
    return actions_pb2.Claim(tricks=draw.randint(0, choice.tricks_left))


_CHOOSERS: Final[dict[str, Callable[[Any, Hand, random.Random], Any]]] = {
    **dict.fromkeys(_ALONE, _same),
    "bid": _bid,
    "choose_trump": _trump,
    "discard": _discard,
    "call_card": _call,
    "play_card": _card,
    "play_combination": _combination,
    "decline_offer": _decline,
    "show_cards": _show,
    "claim": _claim,
}
