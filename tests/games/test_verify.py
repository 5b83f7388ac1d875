"""What `junto verify` proves: an honest replay passes, and whatever is changed in it is named."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from junto.games.actions import Bid, Pass
from junto.games.catalog import GAMES
from junto.games.core import Game, Match
from junto.games.dou_dizhu import DouDizhu
from junto.games.napoleon_tw import NapoleonTw
from junto.games.verify import (
    BrokenPromise,
    DealClaim,
    ImpossibleAction,
    NotVerified,
    OtherOutcome,
    verify_deal,
    verify_match,
)
from junto.games.view import SeatAction

from .playing import play_out, random_seed


def played(game: Game, deals: int, number: int) -> tuple[list[DealClaim], Match]:
    """Play some deals; return what a replay would claim of them, and the match after them."""
    rng, match, claims = Random(number), game.new_match(), []
    for _ in range(deals):
        seed = random_seed(game.seats, rng)
        steps, actions = play_out(game.deal(match.opened(), seed), rng)
        deal = steps[-1].deal
        assert deal.shared.result is not None
        done = tuple(SeatAction(step.deal.to_act or 0, action) for step, action in zip(steps, actions, strict=False))
        claims.append(
            DealClaim(deal.shared.number, match, seed.commitment, seed.secret, seed.entropy, done, deal.shared.result)
        )
        match = game.after(match.opened(), deal)
    return claims, match


@pytest.fixture(scope="module")
def game() -> Game:
    return NapoleonTw({"first_bidder": "previous_secretary"})


@pytest.fixture(scope="module")
def claims(game: Game) -> list[DealClaim]:
    return played(game, 3, 1)[0]


@pytest.mark.parametrize("game_type", GAMES.values(), ids=GAMES)
def test_an_honest_match_is_verified(game_type: type[Game]) -> None:
    """Every deal is dealt and played again, void ones too, and the match comes out the same."""
    for number in range(8):
        game = game_type()
        claims, match = played(game, 4, number)
        assert verify_match(game, claims) == match
        assert verify_match(game, claims[2:]) == match
        assert verify_deal(game, claims[-1]).is_over


def test_no_deals_prove_nothing(game: Game) -> None:
    """There is no match after no deals."""
    assert verify_match(game, []) is None


def broken(claim: DealClaim, reason: str) -> DealClaim:
    """Return the claim with one thing changed, named by what is found out."""
    first, result = claim.actions[0], claim.result
    match reason:
        case "was promised":
            return replace(claim, secret=bytes(32))
        case "entropy of 4 seats, but 5 play":
            return replace(claim, entropy=claim.entropy[1:])
        case "a secret has 32 bytes, not 3":
            return replace(claim, secret=b"abc")
        case "it was seat":
            return replace(claim, actions=(replace(first, seat=(first.seat + 1) % 5), *claim.actions[1:]))
        case "the bid must be at most 16":
            return replace(claim, actions=(SeatAction(first.seat, Bid(17)), *claim.actions[1:]))
        case "has yet to decide":
            return replace(claim, actions=claim.actions[:-1])
        case "the deal was over before":
            return replace(claim, actions=(*claim.actions, SeatAction(0, Pass())))
        case "the scores: claimed":
            shares = (replace(result.seats[0], score=9999), *result.seats[1:])
            return replace(claim, result=replace(result, seats=shares))
        case "captured cards or points: claimed 99":
            return replace(claim, result=replace(result, captured=99))
        case "roles and places":
            return replace(
                claim, result=replace(result, seats=(replace(result.seats[0], role=None), *result.seats[1:]))
            )
        case "would be number 1":
            return replace(claim, number=4)
        case "nobody sits at seat 9":
            return replace(claim, before=claim.before.carrying(first_bidder=(9,)))
        case "needs scores of 5 seats":
            return replace(claim, before=replace(claim.before, scores=(0,)))
        case _:
            raise AssertionError(reason)


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        ("was promised", BrokenPromise),
        ("entropy of 4 seats, but 5 play", BrokenPromise),
        ("a secret has 32 bytes, not 3", BrokenPromise),
        ("it was seat", ImpossibleAction),
        ("the bid must be at most 16", ImpossibleAction),
        ("has yet to decide", ImpossibleAction),
        ("the deal was over before", ImpossibleAction),
        ("the scores: claimed", OtherOutcome),
        ("captured cards or points: claimed 99", OtherOutcome),
        ("roles and places", OtherOutcome),
        ("would be number 1", OtherOutcome),
        ("nobody sits at seat 9", OtherOutcome),
        ("needs scores of 5 seats", OtherOutcome),
    ],
)
def test_what_does_not_fit_is_named(game: Game, claims: list[DealClaim], reason: str, error: type[NotVerified]) -> None:
    """Each change of a deal's record is found out, and the message says what it is."""
    with pytest.raises(error, match=reason):
        verify_deal(game, broken(claims[0], reason))


def test_other_entropy_gives_another_deal(game: Game, claims: list[DealClaim]) -> None:
    """Entropy is not promised, but with other entropy the actions do not fit the cards."""
    with pytest.raises(NotVerified):
        verify_deal(game, replace(claims[0], entropy=(b"other", *claims[0].entropy[1:])))


def test_what_stood_before_a_deal_must_follow_from_the_deals_before_it(game: Game, claims: list[DealClaim]) -> None:
    """Scores and what is carried on cannot be changed between deals."""
    for changed, reason in (
        (replace(claims[1].before, scores=(1, 2, 3, 4, 5)), "deal 2: the scores before it"),
        (replace(claims[1].before, carried=(("first_bidder", (9,)),)), "deal 2: the values carried on before it"),
        (replace(claims[1].before, deals_done=7), "deal 2: the number of scored deals before it"),
    ):
        with pytest.raises(OtherOutcome, match=reason):
            verify_match(game, [claims[0], replace(claims[1], before=changed), claims[2]])
    with pytest.raises(OtherOutcome, match="deal 3: the number of deals before it"):
        verify_match(game, [claims[0], claims[2]])


@pytest.mark.parametrize("dealer", [-1, 3, 9])
def test_a_dealer_who_has_no_seat_is_found_out(dealer: int) -> None:
    """Nor does the deal after two void ones, which makes the dealer landlord if all pass, stumble over him."""
    passes = tuple(SeatAction((dealer + step) % 3, Pass()) for step in range(3))
    claim = played(DouDizhu(), 1, 1)[0][0]
    before = replace(claim.before, deals_opened=1).carrying(dealer=(dealer,), voids=(2,))
    with pytest.raises(OtherOutcome, match=f"nobody sits at seat {dealer}, who would deal"):
        verify_deal(DouDizhu(), replace(claim, number=2, before=before, actions=passes))


def test_other_rules_are_found_out(claims: list[DealClaim]) -> None:
    """A match played by other options does not pass as one of these."""
    with pytest.raises(NotVerified):
        verify_match(NapoleonTw({"players": 6}), claims)
