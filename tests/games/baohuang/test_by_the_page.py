"""Random matches of Baohuang, judged at each step by the page read anew in plain Python."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.playing import random_options, random_seed

from junto.games.actions import AcceptOffer, Action, ApplyForLead, DeclineOffer, Pass, PlayCards, ShowCards
from junto.games.baohuang.deal import BaohuangDeal
from junto.games.baohuang.game import Baohuang
from junto.games.cards import Card
from junto.games.core import Match, Step
from junto.games.events import CardsMoved, Zone
from junto.games.view import Alliance, Outcome, Phase, Role

from .reading import Table, best_first, offer_order, payment, rank, shows, transfers

MATCHES, DEALS = 8, 4
PRESETS = ("classic", "shandong_street")
LOOKED_AT = 0.08
"""How many of the decisions of a deal's play are compared with all that the page allows."""


@pytest.mark.parametrize("number", range(MATCHES))
def test_random_matches_go_as_the_page_says(number: int) -> None:
    """Tribute, offer, naming, every play, who is known to be what, the order and the score."""
    rng = Random(number)
    game = Baohuang({**random_options(Baohuang, rng), "preset": PRESETS[number % 2]})
    match, last = game.new_match(), None
    for _ in range(DEALS):
        match = match.opened()
        step = game.deal(match, random_seed(game.seats, rng))
        check_tribute(step, match, last)
        deal = offered(step, last, match, rng)
        if not deal.is_over:
            deal = played(shown(deal, rng), rng)
            last = deal
        match = game.after(match, deal)


def check_tribute(step: Step, match: Match, last: BaohuangDeal | None) -> None:
    """The cards that change hands are those of the page, from the hands as they were dealt."""
    deal = step.deal
    assert isinstance(deal, BaohuangDeal)
    told = [(paid.from_seat, paid.to_seat, paid.card) for paid in deal.details.tributes]
    if last is None:
        assert told == []
        return
    moves = [seen.event for seen in step.events if isinstance(seen.event, CardsMoved)]
    fresh = [list(move.cards) for move in moves if move.target.zone is Zone.HAND and move.source.zone is Zone.DECK]
    assert last.shared.result is not None
    places = [share.place or 0 for share in last.shared.result.seats]
    roles = [share.role for share in last.shared.result.seats]
    assert told == transfers(
        fresh,
        roles.index(Role.DECLARER),
        roles.index(Role.PARTNER) if Role.PARTNER in roles else None,
        {Outcome.MADE: 1, Outcome.DOWN: -1}.get(last.shared.result.outcome, 0),
        sorted(range(5), key=lambda seat: places[seat]),
        is_open=last.alliance is Alliance.OPEN_SOLO,
        cleared=[(clearing.seat, clearing.by_seat) for clearing in last.details.clearings],
    )


def offered(step: Step, last: BaohuangDeal | None, match: Match, rng: Random) -> BaohuangDeal:
    """Answer the offer at random; who is asked and what he pays is as the page says."""
    deal = step.deal
    assert isinstance(deal, BaohuangDeal)
    assert deal.to_act is not None
    street = deal.game.options["preset"] == "shandong_street"
    previous = None if last is None else last.emperor
    if street and previous is not None:
        assert deal.to_act == previous
    forced = (match.carried_value("voids") or (0,))[0] >= int(deal.game.options["max_consecutive_voids"])
    pot = [] if street else [53]
    for place, seat in enumerate(offer_order(deal.to_act)):
        hand = list(deal.owns[seat].hand)
        assert deal.to_act == seat
        qualified = bool(shows(hand))
        allowed: list[Action] = [AcceptOffer()] if qualified else []
        allowed += [DeclineOffer()] if not (qualified and forced) else []
        assert list(deal.legal_actions()) == allowed
        assert list(deal.details.pot) == pot
        action = rng.choice([*allowed, *allowed[-1:] * 3])
        paid = payment(hand, place, street=street, was_emperor=seat == previous)
        deal = next_deal(deal, action)
        if isinstance(action, AcceptOffer):
            assert sorted(deal.owns[seat].hand) == sorted([*hand, *pot])
            return deal
        if paid is not None:
            pot.append(paid)
            hand.remove(paid)
        assert sorted(deal.owns[seat].hand) == sorted(hand)
    assert deal.shared.result is not None
    assert deal.shared.result.outcome is Outcome.VOID
    return deal


def shown(deal: BaohuangDeal, rng: Random) -> BaohuangDeal:
    """Show something at random; the roles are as the page says, and nobody but their owners knows them."""
    emperor = deal.emperor
    hands = [list(own.hand) for own in deal.owns]
    legal = list(deal.legal_actions())
    shown_as = {(show.count, show.card) for show in legal if isinstance(show, ShowCards)}
    assert shown_as == shows(hands[emperor])
    show = max(legal, key=lambda one: one.count) if rng.random() < 0.7 else rng.choice(legal)  # type: ignore[union-attr]
    assert isinstance(show, ShowCards)
    deal = next_deal(deal, show)
    holders = {seat for seat in range(5) if show.card in hands[seat]} - {emperor}
    for own in deal.owns:
        expected = Role.DECLARER if own.seat == emperor else Role.PARTNER if own.seat in holders else Role.OPPONENT
        assert own.role is expected
        assert own.alone == (own.seat == emperor and not holders)
    assert sorted(deal.shared.hands[emperor].open).count(show.card) >= show.count
    public = {known.seat for known in deal.shared.roles}
    assert public == (set(range(5)) if show.count == 4 else {emperor})
    return deal


def played(deal: BaohuangDeal, rng: Random) -> BaohuangDeal:
    """Play at random to the end, beside the page."""
    assert deal.details.named is not None
    table = Table(
        deal.game.options, [list(own.hand) for own in deal.owns], deal.details.named.card, deal.emperor, deal.emperor
    )
    is_open = deal.details.named.count == 4
    while not table.over:
        assert (deal.phase, deal.to_act) == (Phase.PLAY, table.to_act)
        actions = list(deal.legal_actions())
        if rng.random() < LOOKED_AT or len(actions) < 6:
            assert {told(action, table.named) for action in actions} == table.legal()
            assert len({told(action, table.named) for action in actions}) == len(actions)
            check_suits(deal, actions, table.named)
        action = rng.choice(actions)
        deal = next_deal(deal, action)
        table.do(action.cards if isinstance(action, PlayCards) else str(told(action, table.named)))
        assert [(one.seat, one.by_seat) for one in deal.details.clearings] == table.cleared
        if not table.over:
            check_known(deal, table, is_open=is_open)
    assert deal.shared.result is not None
    guard = next((share.seat for share in deal.shared.result.seats if share.role is Role.PARTNER), None)
    assert [share.score for share in deal.shared.result.seats] == table.scores(guard, is_open=is_open)
    assert [share.place for share in deal.shared.result.seats] == [table.order().index(seat) + 1 for seat in range(5)]
    assert deal.details.alliance is not None
    return deal


def check_known(deal: BaohuangDeal, table: Table, *, is_open: bool) -> None:
    """What everybody knows of roles is what follows from the cards played."""
    guard = table.known_guard()
    solo = is_open or table.named_played[table.emperor] == 4
    expected = Alliance.OPEN_SOLO if is_open else Alliance.HIDDEN_SOLO if solo else None
    assert deal.details.alliance is (Alliance.PARTNER if guard is not None else expected)
    assert [one.seat for one in deal.shared.roles if one.role is Role.PARTNER] == [guard] * (guard is not None)


def check_suits(deal: BaohuangDeal, actions: list[Action], named: Card) -> None:
    """Of the cards that may be any of their rank, the lowest suits are listed: clubs, diamonds, hearts, spades."""
    for action in actions:
        if isinstance(action, PlayCards):
            for one in {rank(card) for card in action.cards}:
                held = sorted((card for card in deal.hand if rank(card) == one and card != named), key=best_first)
                taken = sorted((card for card in action.cards if rank(card) == one and card != named), key=best_first)
                assert taken == held[: len(taken)]


def told(action: Action, named: Card) -> object:
    """Return an action as the reading writes it."""
    match action:
        case PlayCards(cards):
            ranks = sorted(cards, key=lambda card: "3456789TJQKA2BR".index(rank(card)))
            return "".join(map(rank, ranks)), cards.count(named)
        case Pass():
            return "pass"
        case ApplyForLead():
            return "apply"
        case _:
            return action


def next_deal(deal: BaohuangDeal, action: Action) -> BaohuangDeal:
    step = deal.apply(action)
    assert isinstance(step.deal, BaohuangDeal)
    return step.deal
