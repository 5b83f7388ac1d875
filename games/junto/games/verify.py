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
from junto.games.core import Deal, Game, IllegalAction, Match
from junto.games.shuffle import DealSeed, ShuffleError
from junto.games.view import DealResult, MatchView, SeatAction


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
    each seat added (empty: nothing), `before` the match as everybody saw it before the deal, where it is known.
    """

    number: int
    commitment: str
    secret: bytes
    entropy: tuple[bytes, ...]
    actions: tuple[SeatAction, ...]
    result: DealResult
    before: MatchView | None = None


def verify_match(game: Game, claims: Sequence[DealClaim], match: Match | None = None) -> Match:
    """Verify deals that follow each other, and return the match after them.

    `match` stood before the first of them; None: they begin the match.

    Raises:
        NotVerified: a claim does not hold.
    """
    match = match or game.new_match()
    for claim in claims:
        match = game.after(match.opened(), verify_deal(game, match, claim))
    return match


def verify_deal(game: Game, match: Match, claim: DealClaim) -> Deal:
    """Verify one deal, and return it as it ended; `match` stood before it.

    Raises:
        NotVerified: a claim does not hold.
    """
    _check_match(match, claim)
    deal = game.deal(match.opened(), _promised_seed(game, claim)).deal
    for place, done in enumerate(claim.actions, 1):
        deal = _after(deal, done, f"deal {claim.number}, action {place} ({text(done.action)} by seat {done.seat})")
    if not deal.is_over:
        raise ImpossibleAction(f"deal {claim.number}: after the last action seat {deal.to_act} has yet to decide")
    _check_result(deal, claim)
    return deal


def _check_match(match: Match, claim: DealClaim) -> None:
    if claim.number != match.deals_opened + 1:
        raise OtherOutcome(f"deal {claim.number} does not follow on deal {match.deals_opened}")
    before = claim.before
    if before is None:
        return
    for name, claimed, found in (
        ("scores", before.scores, match.scores),
        ("number of scored deals", before.deals_done, match.deals_done),
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
