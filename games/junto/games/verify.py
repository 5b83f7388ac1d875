"""Prove that a deal was the one promised and went as the rules say: what `junto verify` does.

The secret must keep the promise that was made before the deal; secret and entropy give the cards; every
action must be legal and made by the seat whose turn it was; and what comes out must be what is claimed.
What this cannot prove stands in `docs/shuffle.md`.

    NotVerified
    ├── BrokenPromise      the secret, or what was added to it, is not what was promised
    ├── ImpossibleAction   an action that the rules do not allow there, or one too few or too many
    └── OtherOutcome       a result, a score or a number that does not follow from the rest
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from junto.games.actions import text
from junto.games.core import Deal, Game, IllegalAction, Match, RuleError
from junto.games.shuffle import DealSeed, ShuffleError
from junto.games.view import DealResult, SeatAction


class NotVerified(Exception):
    """A claim that does not hold; the message says which, in a sentence."""


class BrokenPromise(NotVerified):
    """The seed is not the promised one."""


class ImpossibleAction(NotVerified):
    """The actions are not a whole deal by the rules."""


class OtherOutcome(NotVerified):
    """The deal comes out differently."""


@dataclass(frozen=True, slots=True)
class DealClaim:
    """What is claimed of a finished deal.

    `commitment` is the promise made before it (SHA-256 of the secret, lower-case hexadecimal), `entropy` what
    each seat added (empty: nothing), `before` the match as it stood before the deal was opened.
    """

    number: int
    before: Match
    commitment: str
    secret: bytes
    entropy: tuple[bytes, ...]
    actions: tuple[SeatAction, ...]
    result: DealResult


def verify_match(game: Game, claims: Sequence[DealClaim]) -> Match | None:
    """Verify deals that follow each other, and return the match after them; None if there are none.

    What stood before a match's first deal is known. If the deals begin later, what stood before the first of
    them is taken as claimed.

    Raises:
        NotVerified: a claim does not hold.
    """
    match = game.new_match() if claims and claims[0].number == 1 else None
    for claim in claims:
        if match is not None:
            _check_match(claim, match)
        match = game.after(claim.before.opened(), verify_deal(game, claim))
    return match


def verify_deal(game: Game, claim: DealClaim) -> Deal:
    """Verify one deal, taking what stood before it as claimed, and return it as it ended.

    Raises:
        NotVerified: a claim does not hold.
    """
    match = claim.before.opened()
    if claim.number != match.deals_opened:
        raise OtherOutcome(f"deal {claim.number} would be number {match.deals_opened} after what stood before it")
    if len(match.scores) != game.seats:
        raise OtherOutcome(f"deal {claim.number} needs scores of {game.seats} seats before it, not {len(match.scores)}")
    try:
        deal = game.deal(match, _promised_seed(game, claim)).deal
    except RuleError as error:
        raise OtherOutcome(f"deal {claim.number}: what was carried on: {error}") from None
    if deal.to_act not in range(game.seats):
        raise OtherOutcome(
            f"deal {claim.number}: nobody sits at seat {deal.to_act}, who would begin by what was carried on"
        )
    for place, done in enumerate(claim.actions, 1):
        deal = _after(deal, done, f"deal {claim.number}, action {place} ({text(done.action)} by seat {done.seat})")
    if not deal.is_over:
        raise ImpossibleAction(f"deal {claim.number}: after the last action seat {deal.to_act} has yet to decide")
    _check_result(deal, claim)
    return deal


def _check_match(claim: DealClaim, match: Match) -> None:
    before = claim.before
    for name, claimed, found in (
        ("number of deals", before.deals_opened, match.deals_opened),
        ("number of scored deals", before.deals_done, match.deals_done),
        ("scores", before.scores, match.scores),
        ("values carried on", before.carried, match.carried),
        ("last deal", before.last_deal, match.last_deal),
    ):
        if claimed != found:
            raise OtherOutcome(f"deal {claim.number}: the {name} before it: claimed {claimed}, but it was {found}")


def _promised_seed(game: Game, claim: DealClaim) -> DealSeed:
    if len(claim.entropy) != game.seats:
        raise BrokenPromise(f"deal {claim.number}: entropy of {len(claim.entropy)} seats, but {game.seats} play")
    try:
        seed = DealSeed(claim.secret, claim.entropy)
    except ShuffleError as error:
        raise BrokenPromise(f"deal {claim.number}: {error}") from None
    if seed.commitment != claim.commitment:
        raise BrokenPromise(
            f"deal {claim.number}: the secret's SHA-256 is {seed.commitment}, but {claim.commitment} was promised"
        )
    return seed


def _after(deal: Deal, done: SeatAction, where: str) -> Deal:
    if deal.to_act is None:
        raise ImpossibleAction(f"{where}: the deal was over before")
    if done.seat != deal.to_act:
        raise ImpossibleAction(f"{where}: it was seat {deal.to_act}'s turn")
    try:
        return deal.apply(done.action).deal
    except IllegalAction as error:
        raise ImpossibleAction(f"{where}: {error}") from None


def _check_result(deal: Deal, claim: DealClaim) -> None:
    result = deal.shared.result
    assert result is not None
    for name, claimed, found in (
        ("outcome", claim.result.outcome.name.lower(), result.outcome.name.lower()),
        ("captured cards or points", claim.result.captured, result.captured),
        ("scores", [share.score for share in claim.result.seats], [share.score for share in result.seats]),
        ("roles and places", claim.result.seats, result.seats),
    ):
        if claimed != found:
            raise OtherOutcome(f"deal {claim.number}: the {name}: claimed {claimed}, but it comes out as {found}")
