"""Hands, calls and auctions as players write them, and deals bid out by four bots."""

from __future__ import annotations

import random
from collections.abc import Sequence

from junto.games.actions import Action
from junto.games.cards import RANKS
from junto.search.bridge_bidding import Proposal, propose
from junto.search.bridge_bidding.calls import ACTIONS, call_name, encode, has_ended, read_call


def read_hand(text: str) -> int:
    """Return a hand from its suits, spades first: `AK32.QT9.-.J98765`."""
    hand = 0
    for suit, ranks in enumerate(text.split(".")):
        for rank in ranks.replace("-", ""):
            hand |= 1 << (13 * suit + RANKS.index(rank))
    assert hand.bit_count() == 13, text
    return hand


def read_auction(text: str) -> list[Action]:
    """Return the calls of an auction: `1NT P 2C`."""
    return [ACTIONS[read_call(word)] for word in text.split()]


def write_auction(calls: Sequence[Action]) -> str:
    """Return the inverse of `read_auction`."""
    return " ".join(call_name(call) for call in encode(calls))


def random_hands(source: random.Random) -> list[int]:
    """Deal four hands."""
    pack = list(range(52))
    source.shuffle(pack)
    return [sum(1 << card for card in pack[13 * seat : 13 * seat + 13]) for seat in range(4)]


def bid_out(hands: Sequence[int], vulnerable: tuple[bool, bool] = (False, False)) -> list[Proposal]:
    """Return the calls of four bots; the first hand calls first, vulnerability is by side."""
    made: list[Proposal] = []
    while not has_ended(encode([one.call for one in made])):
        side = len(made) % 2
        made.append(
            propose(
                hands[len(made) % 4],
                [one.call for one in made],
                vulnerable=vulnerable[side],
                they_vulnerable=vulnerable[1 - side],
            )
        )
    return made
