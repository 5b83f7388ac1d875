"""How well the bridge bots bid: random deals bid out, and each contract taken for what it makes double dummy.

    python bench/bridge_bidding.py --deals 2000

One JSON object. `makeable` are games and slams that a side makes double dummy against best defence, in no-trumps or
with seven trumps or more, whatever the points (and though the other side might outbid it); `bid` the share of them
that it played. `made` are the shares of contracts that were made, by kind. With `--par` (twice as slow)
`imps_from_par` is the mean distance from the score of perfect bidding. `points` is the mean score of North-South by
the bots' system against opponents who bid by it too, who always pass, and who call anything that is legal.
"""

from __future__ import annotations

import argparse
import json
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from _numbers import whole_number
from junto.games.actions import Action
from junto.games.bridge.auction import FOUR, Auction
from junto.games.bridge.scoring import board_vulnerability, is_vulnerable, score
from junto.games.cards import NO_TRUMP
from junto.search.bridge_bidding import propose
from junto.search.bridge_bidding.calls import ACTIONS, CALLS, FIRST_BID, bid, encode, is_game, level_of, strain_of
from junto.search.double_dummy import most_tricks

IMPS = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500,
        3000, 3500, 4000)  # fmt: skip
"""Points from which a difference is worth one more IMP (Laws, Law 78B)."""
BIDS = range(FIRST_BID, CALLS)
Bidder = Callable[[int, Sequence[Action], Auction, tuple[bool, bool]], Action]


class Contract(NamedTuple):
    """What is played: the bid, doubled 0 to 2, and by which seat."""

    bid: int
    doubled: int
    declarer: int


class Board:
    """A random deal with its vulnerability and its double-dummy tricks, solved when they are asked for."""

    def __init__(self, number: int) -> None:
        pack = list(range(52))
        random.Random(number).shuffle(pack)
        self.number = number
        self.hands = [sum(1 << card for card in pack[13 * seat : 13 * seat + 13]) for seat in range(4)]
        vulnerability = board_vulnerability(number)
        self.vulnerable = tuple(is_vulnerable(vulnerability, side) for side in range(2))
        self._tricks: dict[tuple[int, int], int] = {}

    def tricks(self, strain: int, declarer: int) -> int:
        """Return the tricks of a declarer."""
        if (strain, declarer) not in self._tricks:
            defence = most_tricks(self.hands, strain, (declarer + 1) % 4)
            self._tricks[strain, declarer] = 13 - defence
        return self._tricks[strain, declarer]

    def worth(self, contract: Contract | None) -> int:
        """Return the score of a contract for North-South."""
        if contract is None:
            return 0
        level, strain = level_of(contract.bid), strain_of(contract.bid)
        side = contract.declarer % 2
        tricks = self.tricks(strain, contract.declarer)
        points = score(level, strain, contract.doubled, int(self.vulnerable[side]), tricks, 0)
        return int(points) if side == 0 else -int(points)

    def trumps(self, strain: int, side: int) -> int:
        """Return how many cards of a suit a side has; thirteen without trumps."""
        both = self.hands[side] | self.hands[side + 2]
        return 13 if strain == NO_TRUMP else (both >> 13 * strain & (1 << 13) - 1).bit_count()

    def makes(self, side: int, call: int) -> bool:
        """Tell whether a side makes a contract, the first of its two seats declaring."""
        return self.tricks(strain_of(call), side) >= level_of(call) + 6

    def par(self) -> int:
        """Return North-South's score if both sides bid perfectly, seeing all cards, and double what goes down."""
        standing: list[int | None] = [None, None]
        for call in reversed(BIDS):
            values = [self._last_word(call, side, standing[1 - side]) for side in range(2)]
            for side, better in enumerate((max, min)):
                found = standing[side]
                standing[side] = values[side] if found is None else better(found, values[side])
        first, second = standing
        if first is not None and first > 0:
            return first
        return second if second is not None and second < 0 else 0

    def _last_word(self, call: int, side: int, over: int | None) -> int:
        doubled = int(not self.makes(side, call))
        value = self.worth(Contract(call, doubled, side))
        if over is None:
            return value
        return max(value, over) if side == 1 else min(value, over)


def system(hand: int, calls: Sequence[Action], _: Auction, vulnerable: tuple[bool, bool]) -> Action:
    """Bid by the bots' system."""
    return propose(hand, calls, vulnerable=vulnerable[0], they_vulnerable=vulnerable[1]).call


def always_pass(_: int, __: Sequence[Action], ___: Auction, ____: tuple[bool, bool]) -> Action:
    """Pass."""
    return ACTIONS[0]


def anything(source: random.Random) -> Bidder:
    """Return a bidder who makes any legal call, each as often."""
    return lambda _, __, auction, ___: source.choice(list(auction.legal()))


def bid_out(board: Board, bidders: Sequence[Bidder]) -> Contract | None:
    """Return the contract of a board; the bidders are by side."""
    auction, calls = Auction(FOUR, board.number % 4), list[Action]()
    while not auction.is_over:
        seat = auction.to_call
        sides = (board.vulnerable[seat % 2], board.vulnerable[1 - seat % 2])
        call = bidders[seat % 2](board.hands[seat], calls, auction, sides)
        calls.append(call)
        auction = auction.after(call)
    if auction.bid is None:
        return None
    return Contract(encode([auction.bid])[0], auction.doubling - 1, auction.declarer)


def imps(points: int) -> int:
    """Return a difference of points in international match points."""
    return bisect_right(IMPS, abs(points))


def kind_of(contract: Contract) -> str:
    """Return part-score, game or slam."""
    if level_of(contract.bid) >= 6:
        return "slams"
    return "games" if is_game(contract.bid) else "part-scores"


def count(board: Board, contract: Contract | None, counted: Counter[str]) -> None:
    """Count what could have been made, what was bid and what was made."""
    games = [call for call in BIDS if is_game(call) and level_of(call) < 6]
    slams = [bid(6, strain) for strain in range(5)]
    for side in range(2):
        played = None if contract is None or contract.declarer % 2 != side else contract
        for kind, calls in (("games", games), ("slams", slams)):
            if any(board.trumps(strain_of(call), side) >= 7 and board.makes(side, call) for call in calls):
                counted[f"makeable {kind}"] += 1
                reached = played is not None and (kind_of(played) == "slams" or kind_of(played) == kind)
                counted[f"makeable {kind} bid"] += reached
    if contract is None:
        counted["passed out"] += 1
        return
    made = board.tricks(strain_of(contract.bid), contract.declarer) >= level_of(contract.bid) + 6
    counted[kind_of(contract)] += 1
    counted[f"{kind_of(contract)} made"] += made
    counted["doubled"] += contract.doubled > 0
    counted["doubled made"] += made and contract.doubled > 0


def main() -> None:
    """Bid, solve, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=2000)
    parser.add_argument("--seed", type=whole_number(0, 1 << 62), default=1)
    parser.add_argument("--par", action="store_true")
    options = parser.parse_args()
    counted: Counter[str] = Counter()
    far, points = 0, Counter[str]()
    for number in range(options.seed, options.seed + options.deals):
        board = Board(number)
        contract = bid_out(board, (system, system))
        count(board, contract, counted)
        far += imps(board.worth(contract) - board.par()) if options.par else 0
        points["against the same system"] += board.worth(contract)
        points["against always pass"] += board.worth(bid_out(board, (system, always_pass)))
        points["against anything legal"] += board.worth(bid_out(board, (system, anything(random.Random(number)))))
    kinds = ("part-scores", "games", "slams", "doubled")
    result = {
        "deals": options.deals,
        "makeable": {kind: counted[f"makeable {kind}"] for kind in ("games", "slams")},
        "bid": {
            kind: round(counted[f"makeable {kind} bid"] / max(counted[f"makeable {kind}"], 1), 3)
            for kind in ("games", "slams")
        },
        "played": {kind: counted[kind] for kind in (*kinds, "passed out")},
        "made": {kind: round(counted[f"{kind} made"] / max(counted[kind], 1), 3) for kind in kinds},
        "imps_from_par": round(far / options.deals, 2) if options.par else None,
        "points": {who: round(total / options.deals, 1) for who, total in points.items()},
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
