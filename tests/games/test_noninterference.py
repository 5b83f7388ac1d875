"""A seat's events, views, prompts and refusals do not depend on cards that it cannot see, in any game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.noninterference import Interference, Pair, Sees, compare, pairs, phases_of, steps_of

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
    ShowCards,
)
from junto.games.baohuang import asking, showing
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.naming import is_qualified
from junto.games.bridge import three
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.three import BridgeThree
from junto.games.cards import Card, cards_in
from junto.games.catalog import GAMES
from junto.games.core import Game, Step
from junto.games.events import (
    CardsMoved,
    CardsShown,
    ContractChanged,
    PhaseChanged,
    PileLaid,
    PointsReported,
    RoleRevealed,
    Seen,
    seen_by,
)
from junto.games.napoleon import NapoleonDeal, NapoleonGame, call, exchange
from junto.games.phases import HANDS, KITTY
from junto.games.tricks import play
from junto.games.view import NapoleonDetails, Phase, PointReport, Role
from junto.games.whist import Whist

from .laws import refusal
from .playing import random_action, random_game

PAIRS, SOAK_PAIRS = 20, 300
DEALS = 16
"""The numbers of the deals: in bridge who deals and who is vulnerable follows from it."""
GAMES_AND_PHASES = [(name, phase) for name, game_type in GAMES.items() for phase in phases_of(game_type)]
every_phase = pytest.mark.parametrize(
    ("name", "phase"), GAMES_AND_PHASES, ids=[f"{name}-{phase.name.lower()}" for name, phase in GAMES_AND_PHASES]
)
PROBES: tuple[Action, ...] = (
    Pass(),
    Bid(8),
    Bid(17),
    Bid(1, 4),
    Bid(7, 0),
    DoubleBid(),
    RedoubleBid(),
    Claim(0),
    Claim(13),
    AgreeToClaim(),
    ChooseTrump(0),
    ChooseTrump(9),
    Discard(()),
    Discard(tuple(range(5))),
    *(CallCard(card) for card in range(0, 54, 7)),
    *(Play(card) for card in range(54)),
    *(Play(card, calls=(53,)) for card in (1, 14, 27, 40)),
    Play(53, 1, (12,)),
    AcceptOffer(),
    DeclineOffer(),
    ApplyForLead(),
    *(ShowCards(card, count) for card in range(0, 54, 5) for count in (3, 4)),
    *(PlayCards((card,) * count) for card in range(0, 54, 3) for count in (1, 2, 3)),
)
"""Actions that are legal only here and there: asking for them may tell no secret either."""


def sees(step: Step, seat: int) -> object:
    """What the rules let a seat see of a step, and what a log would show of the deal."""
    deal = step.deal
    decision = None
    if deal.to_act == seat:
        decision = (deal.prompt, deal.default_action(), [refusal(deal, action) for action in PROBES])
    return seen_by(step.events, seat), deal.shared, deal.owns[seat], deal.scores, decision, repr(deal)


def pairs_in(name: str, phase: Phase, count: int = PAIRS, *, at_its_start: bool = False) -> list[Pair]:
    def game(rng: Random) -> Game:
        return random_game(GAMES[name], rng)

    rng = Random(f"{name} {phase.name}")
    return list(pairs(game, random_action, phase, count, rng, DEALS, at_its_start=at_its_start))


@every_phase
def test_a_seat_sees_the_same_in_both_twins(name: str, phase: Phase) -> None:
    """In pairs in every phase, watched by any seat, the watcher can never tell which twin it is in."""
    found = pairs_in(name, phase)
    assert all(pair.first != pair.second for pair in found)
    compare_all(found, sees)


@pytest.mark.soak
@every_phase
def test_a_seat_sees_the_same_in_many_twins(name: str, phase: Phase) -> None:
    """The same with many more pairs."""
    compare_all(pairs_in(name, phase, SOAK_PAIRS), sees)


def test_twins_differ_in_what_matters() -> None:
    """Among the pairs are some with another secretary, and Napoleon watches as well as the others."""
    found = pairs_in("napoleon-tw", Phase.PLAY, 60)
    assert sum(pair.other_partner for pair in found) >= 5
    assert {declarer(pair) == pair.watcher for pair in found} == {True, False}


def declarer(pair: Pair) -> int:
    contract = steps_of(pair, pair.first)[-1].deal.shared.contract
    assert contract is not None
    return contract.declarer


def test_a_leaked_kitty_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kitty were shown when the cards are dealt, the harness would notice."""
    honest = NapoleonGame.deal_hands

    def leak(game: NapoleonGame, *dealt: Any, **named: Any) -> Step:
        step = honest(game, *dealt, **named)
        assert isinstance(step.deal, NapoleonDeal)
        return Step(step.deal, (*step.events, Seen(CardsShown(KITTY, step.deal.kitty))))

    for name in ("napoleon-tw", "napoleon-4p", "hundred"):
        with monkeypatch.context() as planted:
            assert_found(planted, name, Phase.AUCTION, NapoleonGame, "deal_hands", leak)


def test_leaked_put_back_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody saw what a declarer puts back, the harness would notice."""

    def leak(_: NapoleonDeal, moved: CardsMoved) -> Seen:
        return Seen(moved)

    for name in ("napoleon-tw", "napoleon-jp"):
        with monkeypatch.context() as planted:
            assert_found(planted, name, Phase.PLAY, exchange, "_for_declarer", leak)


def test_a_leaked_role_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody were told what a seat alone is told of its role, the harness would notice."""

    def leak(_: int, event: Any) -> Seen:
        return Seen(event)

    assert_found(monkeypatch, "napoleon-tw", Phase.PLAY, call, "only", leak)


def test_an_adjutant_in_the_kitty_that_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody learned that Napoleon found the card that he had called in the kitty, the harness would notice."""
    honest = call._told

    def leak(role: RoleRevealed) -> Seen:
        return Seen(role) if role.role is Role.DECLARER else honest(role)

    # With many cards in the kitty and few pairs that differ in the called card, more pairs are needed.
    assert_found(monkeypatch, "napoleon-jp", Phase.EXCHANGE, call, "_told", leak, 60)


def test_details_made_from_hidden_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the shared details counted court cards that lie hidden, the harness would notice."""
    honest = NapoleonDeal.after

    def leak(deal: NapoleonDeal, *events: Any, **hidden: Any) -> Step:
        step = honest(deal, *events, **hidden)
        assert isinstance(step.deal, NapoleonDeal)
        courts = len(deal.house.counting_among(step.deal.owns[0].hand))
        shared = replace(step.deal.shared, details=NapoleonDetails(courts, jokers_strong=True))
        return Step(replace(step.deal, shared=shared), step.events)

    assert_found(monkeypatch, "napoleon-tw", Phase.AUCTION, NapoleonDeal, "after", leak)


def test_a_refusal_that_tells_of_other_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the reason for a refusal depended on another seat's cards, the harness would notice."""

    def leak(deal: Any, _: object) -> str:
        return f"seat 0 has {deal.hands[0].bit_count() and deal.owns[0].hand}"

    for name in ("napoleon-tw", "bridge", "whist"):
        with monkeypatch.context() as planted:
            assert_found(planted, name, Phase.PLAY, play, "_why_not", leak)


def test_a_dummy_shown_before_the_lead_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If dummy were laid open when the auction ends, before the opening lead, the harness would notice."""
    honest = BridgeDeal.after

    def leak(deal: BridgeDeal, events: Sequence[Seen], **hidden: Any) -> Step:
        made = [seen.event.contract for seen in events if isinstance(seen.event, ContractChanged)]
        dummies = [deal.game.dummy_of(contract.declarer) for contract in made]
        shown = [Seen(CardsShown(HANDS[dummy], tuple(cards_in(deal.hands[dummy])))) for dummy in dummies]
        return honest(deal, [*events, *shown], **hidden)

    for name in ("bridge", "bridge-3p"):
        with monkeypatch.context() as planted:
            assert_found(planted, name, Phase.PLAY, BridgeDeal, "after", leak, at_its_start=True)


def test_a_pile_that_all_see_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the row of the pile were told to all with its cards, the harness would notice."""
    honest = three.laid_open

    def leak(pile: Sequence[Card], opened: Card, shown: Sequence[Sequence[Card]]) -> list[Seen]:
        return [Seen(PileLaid(three.row_of(pile))), *honest(pile, opened, shown)[1:]]

    assert_found(monkeypatch, "bridge-3p", Phase.AUCTION, three, "laid_open", leak)


def test_a_count_of_cards_that_nobody_looked_at_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what was announced counted hands, not the pile's cards, the harness would notice."""
    honest = BridgeThree.deal_hands

    def leak(game: BridgeThree, number: int, hands: Sequence[Sequence[Card]], *dealt: Any, **named: Any) -> Step:
        step = honest(game, number, hands, *dealt, **named)
        reports = tuple(PointReport(seat, three.points_of(hand)) for seat, hand in enumerate(hands[:3]))
        return Step(step.deal, (*step.events, Seen(PointsReported(reports))))

    assert_found(monkeypatch, "bridge-3p", Phase.AUCTION, BridgeThree, "deal_hands", leak, 30)


def test_a_second_card_turned_up_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If whist's dealer showed more than the card that is turned up, the harness would notice."""
    honest = Whist.deal_hands

    def leak(game: Whist, number: int, hands: Sequence[Sequence[Card]], dealer: int, *dealt: Any, **named: Any) -> Step:
        step = honest(game, number, hands, dealer, *dealt, **named)
        return Step(step.deal, (*step.events, Seen(CardsShown(HANDS[dealer], tuple(hands[dealer][:2])))))

    assert_found(monkeypatch, "whist", Phase.PLAY, Whist, "deal_hands", leak, 30)


def test_twins_differ_in_guards_and_in_who_could_be_emperor() -> None:
    """Among Baohuang's pairs are some with another guard, and some in which who declined could have accepted."""
    assert sum(pair.other_partner for pair in pairs_in("baohuang", Phase.PLAY, 60)) >= 2
    ends = [
        [steps_of(pair, twin)[0].deal for twin in (pair.first, pair.second)]
        for pair in pairs_in("baohuang", Phase.OFFER, 60)
    ]
    assert any(
        [is_qualified(own.hand) for own in one.owns] != [is_qualified(own.hand) for own in other.owns]
        for one, other in ends
    )


def test_a_guard_whom_all_are_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If everybody were told what Baohuang tells the guard alone, the harness would notice."""

    def leak(_: int, event: Any) -> Seen:
        return Seen(event)

    assert_found(monkeypatch, "baohuang", Phase.PLAY, showing, "only", leak, 30, at_its_start=True)


def test_a_decline_that_shows_its_reason_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If who cannot be emperor were seen to decline otherwise than who does not want to, the harness would notice."""
    honest = asking.Asking.apply

    def leak(rule: asking.Asking, deal: BaohuangDeal, action: Action) -> Step:
        step = honest(rule, deal, action)
        reason = [] if is_qualified(deal.hand) else [Seen(PhaseChanged(Phase.OFFER))]
        return Step(step.deal, (*step.events, *reason))

    assert_found(monkeypatch, "baohuang", Phase.OFFER, asking.Asking, "apply", leak, 60)


def test_the_prompt_of_another_seat_is_found() -> None:
    """If a seat were given the prompt of the seat to act, the harness would notice."""
    with pytest.raises(Interference, match="can tell"):
        compare_all(pairs_in("napoleon-tw", Phase.PLAY), lambda step, _: step.deal.prompt)


def assert_found(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    phase: Phase,
    owner: object,
    attribute: str,
    leak: Callable[..., object],
    count: int = PAIRS,
    *,
    at_its_start: bool = False,
) -> None:
    """Plant a leak in the rules, and see the comparison fail that passes without it."""
    found = pairs_in(name, phase, count, at_its_start=at_its_start)
    compare_all(found, sees)
    monkeypatch.setattr(owner, attribute, leak)
    with pytest.raises(Interference, match="can tell"):
        compare_all(found, sees)


def compare_all(found: list[Pair], sees: Sees) -> None:
    for pair in found:
        compare(pair, sees)
