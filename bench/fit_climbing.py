"""Fit the numbers of the rules of thumb of a climbing game (`junto.search.climbing.habits`, `before_play`) by play.

    python bench/fit_climbing.py --game shuangkou --seconds 300

Habits: a few of them are changed a little; a seat that has the new ones among seats that have the old ones plays the
same deals as with the old ones, in every seat in turn. What gains, and again on fresh deals, is kept. One JSON object:
the habits, and what they gain over those it began with on deals that it has not seen, with a 95 % interval.

With `--rules --deals 1000`: what each rule of thumb is worth, one JSON object a rule: a seat that has it not among
seats that have it plays the same deals, and what it loses is the rule's worth.

With `--before`: what a hand is worth to a landlord or an emperor, fitted to what declarers with random hands score.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator
from random import Random

import numpy as np
import numpy.typing as npt

from _numbers import time_s, whole_number
from junto.games.actions import AcceptOffer, Action, Bid, DeclineOffer, Pass
from junto.games.catalog import open_game
from junto.games.climbing import scoring
from junto.games.climbing.deal import ClimbingGame
from junto.games.climbing.ranks import counts_of
from junto.games.core import Deal
from junto.games.view import Choices
from junto.search.climbing import before_play
from junto.search.climbing.habits import BAOHUANG, DOU_DIZHU, SHUANGKOU, Habits, habits_of, habits_vector
from junto.search.climbing.openings import by_rule_of_thumb, deals_to_play, tables
from junto.search.climbing.playouts import play_deals
from junto.search.climbing.state import MOST_SEATS
from junto.search.climbing.trials import new_desk

Vector = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int64]

BEGUN_WITH = {"dou-dizhu": DOU_DIZHU, "shuangkou": SHUANGKOU, "baohuang": BAOHUANG}
SURE, SURE_AGAIN = 1.3, 0.5
"""How many standard errors a change must gain, and once more on other deals."""
TRIED_ON_THE_SAME = 16
RULES = {
    "leave a friend the lead": ("friend", "friend_near", "friend_holds", "friend_blocks"),
    "leave a friend's play the more alone the surer it holds": ("friend_holds",),
    "beat a friend whom a foe follows": ("friend_blocks",),
    "leave a stranger, who may be a friend, the lead": ("probable",),
    "beat a foe who is near the end": ("foe_near", "foe_last"),
    "lead nothing that a foe could go out on": ("danger",),
    "lead what a friend could go out on": ("help",),
    "want the lead the more the nearer the end": ("lead_last", "lead_two"),
    "keep bombs": ("bomb", "bomb_rise", "bomb_step", "joker_bomb"),
    "keep twos and jokers": ("two", "small", "big"),
    "go out when sure": ("closing",),
    "hide the named card": ("reveal",),
}
"""The habits that each rule of thumb is: without the rule they are nothing."""
NO_HABIT = "ending"
"""What begins so says how a playout ends, not how a seat plays."""
LEAST_STEP = {"rise": 4, "size": 4}


def main() -> None:
    """Read the arguments, fit, print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", required=True, choices=BEGUN_WITH)
    parser.add_argument("--seconds", type=time_s(86_400.0), default=300.0)
    parser.add_argument("--deals", type=whole_number(1, 10_000_000), default=600)
    parser.add_argument("--seed", type=whole_number(0, 1 << 62), default=1)
    parser.add_argument("--before", action="store_true")
    parser.add_argument("--rules", action="store_true")
    options = parser.parse_args()
    game = open_game(options.game)
    assert isinstance(game, ClimbingGame)
    if options.rules:
        for figure in worth_of_rules(game, options):
            print(json.dumps({"bench": "fit_climbing", "game": game.id, **figure}), flush=True)
        return
    figure = fit_before(game, options) if options.before else fit(game, options)
    print(json.dumps({"bench": "fit_climbing", "game": game.id, **figure}), flush=True)


class Table:
    """Some deals, and what seats with habits score in them."""

    def __init__(self, game: ClimbingGame, deals: int, first: int) -> None:
        """Deal."""
        self.game = game
        self.begun, self.dealt = tables(deals_to_play(game, deals, first))
        self._work = (np.zeros_like(self.begun[0]), np.zeros_like(self.dealt[0]), new_desk())

    def scores(self, mine: Vector, theirs: Vector, places: int) -> Matrix:
        """Return the scores by deal and seat; in a game of two teams what each is ahead of the other."""
        scores = np.zeros((len(self.begun), MOST_SEATS), np.int64)
        terms = self.game.terms.vector
        play_deals(terms, mine, theirs, places, self.begun, self.dealt, *self._work, scores)
        seats = self.game.seats
        if self.game.terms.scoring == scoring.TEAMS:
            return scores[:, :seats] - scores[:, [1, 0, 3, 2]]
        return scores[:, :seats]

    def gain(self, mine: Vector, theirs: Vector) -> tuple[float, float]:
        """Return what one seat gains by other habits than the rest, in the mean over seats, and its standard error."""
        alone, seats = self.scores(theirs, theirs, 0), self.game.seats
        each = [self.scores(mine, theirs, 1 << seat)[:, seat] - alone[:, seat] for seat in range(seats)]
        gains = np.mean(each, axis=0)
        return float(gains.mean()), float(gains.std()) / len(gains) ** 0.5


def fit(game: ClimbingGame, options: argparse.Namespace) -> dict[str, object]:
    """Change habits for so long and return the figure."""
    random, terms = Random(options.seed), game.terms
    begun_with = BEGUN_WITH[game.id]
    habits, ends = dict(begun_with), time.monotonic() + options.seconds
    tried = kept = 0
    first = options.seed * 10_000_000
    last: dict[str, int] = {}
    while time.monotonic() < ends:
        first += options.deals
        table = Table(game, options.deals, first)
        for _ in range(TRIED_ON_THE_SAME):
            change = last or changed(habits, random)
            new, last = {**habits, **{name: habits[name] + step for name, step in change.items()}}, {}
            vectors = habits_vector(terms, new), habits_vector(terms, habits)
            gain, error = table.gain(*vectors)
            tried += 1
            if gain > SURE * error:
                first += options.deals
                again, error = Table(game, options.deals, first).gain(*vectors)
                if again > SURE_AGAIN * error:
                    habits, last, kept = new, change, kept + 1
    gain, error = Table(game, 4 * options.deals, 0).gain(habits_vector(terms, habits), habits_vector(terms, begun_with))
    return {
        "case": "habits",
        "value": round(gain, 3),
        "unit": "points a deal gained",
        "interval_95": [round(gain - 1.96 * error, 3), round(gain + 1.96 * error, 3)],
        "tried": tried,
        "kept": kept,
        "habits": habits,
    }


def worth_of_rules(game: ClimbingGame, options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield what a seat loses that does without one of the rules."""
    habits, table = BEGUN_WITH[game.id], Table(game, options.deals, options.seed * 10_000_000)
    vector = habits_vector(game.terms, habits)
    for rule, names in RULES.items():
        if any(habits.get(name) for name in names):
            without = habits_vector(game.terms, {**habits, **{name: 0 for name in names if name in habits}})
            gain, error = table.gain(without, vector)
            yield {
                "case": rule,
                "value": round(-gain, 3),
                "unit": "points a deal that the rule is worth to a seat",
                "interval_95": [round(-gain - 1.96 * error, 3), round(-gain + 1.96 * error, 3)],
                "deals": options.deals,
            }


def changed(habits: Habits, random: Random) -> dict[str, int]:
    """Return steps by which one to three habits are changed."""
    steps = {}
    for name in random.sample(
        [name for name in sorted(habits) if not name.startswith(NO_HABIT)], random.choice((1, 1, 2, 3))
    ):
        scale = max(abs(habits[name]), LEAST_STEP.get(name.rpartition("_")[2], 30))
        steps[name] = round(random.uniform(0.1, 0.6) * scale) * random.choice((-1, 1))
    return steps


def fit_before(game: ClimbingGame, options: argparse.Namespace) -> dict[str, object]:
    """Fit what declarers with random hands score to what they hold before they know more."""
    deals = deals_to_play(game, options.deals, options.seed * 10_000_000, take_it)
    begun, dealt = tables(deals)
    habits, desk, terms = habits_of(game.terms), new_desk(), game.terms.vector
    scores = np.zeros((len(deals), MOST_SEATS), np.int64)
    play_deals(terms, habits, habits, 0, begun, dealt, begun[0].copy(), dealt[0].copy(), desk, scores)
    seats = [deal.seat for deal in deals]
    won = scores[np.arange(len(deals)), seats]
    features = []
    for deal, seat in zip(deals, seats, strict=True):
        hand = list(deal.hands[seat])
        for card in deal.shared.kitty:
            hand.remove(card)
        features.append(before_play.features_of(terms, habits, counts_of(hand), desk).tolist())
    rows = np.array(features)
    weights, *_ = np.linalg.lstsq(rows.astype(float), won.astype(float), rcond=None)
    worth = rows @ np.round(100 * weights)
    edges = np.quantile(worth, np.linspace(0, 1, 11))
    return {
        "case": "before the play",
        "value": round(float((won - rows @ weights).std()), 3),
        "unit": "points left unexplained",
        "weights": np.round(100 * weights).astype(int).tolist(),
        "won_by_worth": {
            f"{low:.0f}": round(float(won[(worth >= low) & (worth <= high)].mean()), 2)
            for low, high in itertools.pairwise(edges)
        },
    }


def take_it(deal: Deal) -> Action:
    """Return a bid of one by the first to be asked, an emperor's acceptance; what is shown by the rule of thumb."""
    assert deal.prompt is not None
    match deal.prompt.choices:
        case Choices(accepting=True):
            return AcceptOffer()
        case Choices(declining=declining) if declining is not None:
            return DeclineOffer()
        case Choices(bids=bids) if bids:
            return bids[0] if bids[0] == Bid(1) else Pass()
        case _:
            return by_rule_of_thumb(deal)


if __name__ == "__main__":
    main()
