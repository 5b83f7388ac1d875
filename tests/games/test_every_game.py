"""What holds for every registered game: one suite, run on each of them with random options."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from junto.games import actions
from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
)
from junto.games.catalog import GAMES, UnknownGame, open_game
from junto.games.core import Game, Step
from junto.games.events import ALL, Seen
from junto.games.options import OptionError
from junto.games.view import BaohuangDetails

from .laws import (
    check_cards,
    check_decision,
    check_end,
    check_knowledge,
    check_log,
    check_phases,
    check_refusal,
    check_same_again,
)
from .playing import first_deal, play_out, random_action, random_game, random_seed, values

every_game = pytest.mark.parametrize("game_type", GAMES.values(), ids=GAMES)
CARDS = st.integers(-1, 64)
ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(
        (
            Pass(),
            DoubleBid(),
            RedoubleBid(),
            AcceptOffer(),
            DeclineOffer(),
            ApplyForLead(),
            AgreeToClaim(),
            RefuseClaim(),
        )
    ),
    st.builds(Claim, st.integers(-1, 14)),
    st.builds(Bid, st.integers(-1, 99), st.none() | st.integers(0, 4)),
    st.builds(ChooseTrump, st.integers(-1, 5)),
    st.builds(CallCard, CARDS),
    st.builds(Discard, st.lists(CARDS, max_size=6).map(tuple)),
    st.builds(Play, CARDS, st.none() | st.integers(-1, 4), st.lists(CARDS, max_size=3).map(tuple)),
    st.builds(PlayCards, st.lists(CARDS, max_size=3).map(tuple)),
    st.builds(ShowCards, CARDS, st.integers(0, 5)),
)
DEALS, SOAK_DEALS, BATCHES = 200, 10_000, 4


def pack_size(step: Step) -> int:
    """Return how many cards were dealt, and laid aside."""
    shared = step.deal.shared
    pot = shared.details.pot if isinstance(shared.details, BaohuangDetails) else ()
    return sum(hand.size for hand in shared.hands) + shared.kitty_size + len(pot)


class WholeDeals(RuleBasedStateMachine):
    """Deals of a match in which seats do what is legal, what is not, and nothing until their time is up."""

    game_type: type[Game]

    @initialize(number=st.integers(0, 2**32))
    def open_match(self, number: int) -> None:
        self.rng = Random(number)
        self.game = random_game(self.game_type, self.rng)
        self.match = self.game.new_match()
        self._open_deal()

    def _open_deal(self) -> None:
        self.match = self.match.opened()
        self.seed = random_seed(self.game.seats, self.rng)
        self.steps = [self.game.deal(self.match, self.seed)]
        self.done: list[Action] = []
        self.pack = pack_size(self.steps[0])

    @property
    def on(self) -> bool:
        return not self.steps[-1].deal.is_over

    def _apply(self, action: Action) -> None:
        self.done.append(action)
        self.steps.append(self.steps[-1].deal.apply(action))

    @precondition(lambda self: self.on)
    @rule(count=st.integers(1, 20))
    def do_what_is_legal(self, count: int) -> None:
        while count and self.on:
            self._apply(random_action(self.steps[-1].deal, self.rng))
            count -= 1

    @precondition(lambda self: self.on)
    @rule()
    def let_the_time_run_out(self) -> None:
        self._apply(self.steps[-1].deal.default_action())

    @precondition(lambda self: self.on)
    @rule(action=ANY_ACTION)
    def do_what_is_not_legal(self, action: Action) -> None:
        check_refusal(self.steps[-1].deal, action)

    @precondition(lambda self: not self.on)
    @rule()
    def deal_again(self) -> None:
        check_end(self.steps, self.pack)
        check_phases(self.steps)
        check_same_again(self.steps, self.done, self.game.deal(self.match, self.seed))
        before, self.match = self.match, self.game.after(self.match, self.steps[-1].deal)
        scores = self.steps[-1].deal.scores or (0,) * self.game.seats
        assert self.match.scores == tuple(map(sum, zip(before.scores, scores, strict=True)))
        self._open_deal()

    @invariant()
    def keeps_the_laws(self) -> None:
        if not hasattr(self, "steps"):
            return
        check_cards(self.steps[-1].deal, self.pack)
        check_knowledge(self.steps)
        if self.on:
            check_decision(self.steps[-1].deal, self.rng)


@every_game
def test_whole_deals_keep_the_laws(game_type: type[Game]) -> None:
    """Cards are conserved, prompts tell what is legal, refusals change nothing, views follow from the events."""
    machine = type(f"WholeDealsOf{game_type.__name__}", (WholeDeals,), {"game_type": game_type})
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    chosen = settings(max_examples=30, stateful_step_count=15, deadline=None, suppress_health_check=checks)
    machine.TestCase.settings = chosen  # type: ignore[attr-defined]
    case = machine.TestCase()  # type: ignore[attr-defined]
    case.runTest()


def play_deals(game_type: type[Game], numbers: range) -> None:
    for number in numbers:
        rng = Random(number)
        game = random_game(game_type, rng)
        match, seed = game.new_match().opened(), random_seed(game.seats, rng)
        step = game.deal(match, seed)
        pack = pack_size(step)
        steps, done = play_out(step, rng)
        check_end(steps, pack)
        check_cards(steps[-1].deal, pack)
        check_log(game.deal(match, seed), map(actions.text, done), steps[-1].deal)
        if number % 5 == 0:
            check_knowledge(steps)


@pytest.mark.parametrize("batch", range(BATCHES))
@every_game
def test_every_deal_ends(game_type: type[Game], batch: int) -> None:
    """Random deals with random options end, with all cards shown and scored, and their logs lead there again."""
    size = DEALS // BATCHES
    play_deals(game_type, range(batch * size, (batch + 1) * size))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("batch", range(BATCHES))
@every_game
def test_every_one_of_many_deals_ends(game_type: type[Game], batch: int) -> None:
    """10,000 more of each game."""
    size = SOAK_DEALS // BATCHES
    play_deals(game_type, range(DEALS + batch * size, DEALS + (batch + 1) * size))


@every_game
def test_every_decision_has_a_default_that_leads_to_the_end(game_type: type[Game]) -> None:
    """A table at which nobody ever decides finishes its deals; every default on the way is legal."""
    for number in range(30):
        rng = Random(number)
        game = random_game(game_type, rng)
        deal = first_deal(game, rng).deal
        # Somebody bids, or all would pass.
        deal = deal.apply(random_action(deal, Random(1))).deal
        while not deal.is_over:
            deal = deal.apply(deal.default_action()).deal


@every_game
def test_a_prompt_says_exactly_what_is_legal(game_type: type[Game]) -> None:
    """At every decision of random deals the prompt, spelled out, is the list of legal actions."""
    for number in range(40):
        rng = Random(number)
        steps, _ = play_out(first_deal(random_game(game_type, rng), rng), rng)
        for step in steps[:-1]:
            check_decision(step.deal, rng)


@every_game
def test_nobody_sees_an_event_twice_or_a_card_that_was_hidden_from_him(game_type: type[Game]) -> None:
    """An event for some is the same kind of event for the others, with less in it."""
    for number in range(40):
        rng = Random(number)
        for step in play_out(first_deal(random_game(game_type, rng), rng), rng)[0]:
            for seen in step.events:
                assert isinstance(seen, Seen)
                assert seen.otherwise is None or type(seen.otherwise) is type(seen.event)
                assert seen.to != ALL or seen.otherwise is None


@every_game
def test_the_same_seed_deals_the_same_cards(game_type: type[Game]) -> None:
    """A deal follows from the match and the seed, and another seed gives another deal."""
    game = game_type()
    seeds = [random_seed(game.seats, Random(number)) for number in range(20)]
    deals = [game.deal(game.new_match().opened(), seed) for seed in seeds]
    assert deals == [game.deal(game.new_match().opened(), seed) for seed in seeds]
    assert all(one.deal.owns != other.deal.owns for one, other in pairwise(deals))


@every_game
def test_every_value_of_every_option_can_be_played(game_type: type[Game]) -> None:
    """No value of an option makes a game that cannot be dealt and played."""
    for option in game_type.options_schema:
        for value in values(option):
            rng = Random(repr((option.name, value)))
            game = game_type({option.name: value})
            steps, _ = play_out(first_deal(game, rng), rng)
            assert steps[-1].deal.is_over


@every_game
def test_a_wrong_option_is_named(game_type: type[Game]) -> None:
    """An unknown option, a wrong type and a number out of range are refused, and the error says which option."""
    with pytest.raises(OptionError, match="has no option 'nonsense'") as refused:
        game_type({"nonsense": 1})
    assert refused.value.option == "nonsense"
    for option in game_type.options_schema:
        for value in ("nonsense", -1, 10**9, None, 1.5):
            with pytest.raises(OptionError, match=f"{option.name} must be") as refused:
                game_type({option.name: value})  # type: ignore[dict-item]
            assert refused.value.option == option.name


@every_game
def test_equal_options_make_equal_games(game_type: type[Game]) -> None:
    """A game is a value: it equals itself with its defaults spelled out, and hashes alike."""
    spelled = game_type({option.name: option.default for option in game_type.options_schema})
    assert game_type() == spelled
    assert hash(game_type()) == hash(spelled)
    assert game_type() == open_game(game_type.id, {})


def test_an_unknown_game_is_named() -> None:
    """Asking for a game that there is not tells which there are."""
    with pytest.raises(UnknownGame, match=r"there is no game 'snap'; there are .*napoleon-tw"):
        open_game("snap")
