"""What the events of bridge, for four and for three, add to what is known."""

from __future__ import annotations

from junto.games.actions import AgreeToClaim, Claim, RefuseClaim
from junto.games.events import (
    ALL,
    ActionTaken,
    CardsMoved,
    CardsShown,
    DealEnded,
    Event,
    Location,
    PileLaid,
    PlacesSwapped,
    PointsReported,
    Seen,
    Zone,
    only,
)
from junto.games.knowledge import Sheet, learn
from junto.games.view import (
    BridgeDetails,
    DealResult,
    HandView,
    Outcome,
    Own,
    PendingClaim,
    Phase,
    Pile,
    PointReport,
    Shared,
    TrickPlay,
    Vulnerability,
)

PILE = 3
START = Shared(
    1,
    Phase.PLAY,
    tuple(HandView(hand, 13) for hand in range(4)),
    tricks=TrickPlay(13),
    details=BridgeDetails(1, Vulnerability.NONE),
)
OWNS = (Own(0, (7,)), Own(1), Own(2))


def nothing(_: Sheet) -> None:
    """Settle nothing."""


def after(*events: Event | Seen) -> tuple[Shared, tuple[Own, ...]]:
    """Return what is known after the events, those without an audience being public."""
    seen = [event if isinstance(event, Seen) else Seen(event, ALL) for event in events]
    return learn(START, OWNS, seen, nothing)


def bridge(shared: Shared) -> BridgeDetails:
    """Return the details of a deal of bridge."""
    assert isinstance(shared.details, BridgeDetails)
    return shared.details


def test_a_claim_is_pending_until_it_is_answered() -> None:
    """Everybody sees who claims what and who has agreed; a refusal or the end of the deal takes it away."""
    claimed = (ActionTaken(2, Claim(5)), ActionTaken(1, AgreeToClaim()))
    assert bridge(after(*claimed)[0]).claim == PendingClaim(2, 5, (1,))
    assert bridge(after(*claimed, ActionTaken(3, RefuseClaim()))[0]).claim is None
    assert bridge(after(*claimed, DealEnded(DealResult(Outcome.MADE)))[0]).claim is None


def test_each_seat_sees_its_own_cards_in_the_row() -> None:
    """The row with the open card is for all; that with a player's own four for him alone; the reports for all."""
    reports = (PointReport(0, 7), PointReport(1, 0), PointReport(2, 4))
    shared, owns = after(
        PileLaid((None, 12, None)),
        only(0, PileLaid((3, 12, None), 0)),
        only(1, PileLaid((None, 12, 30), 1)),
        PointsReported(reports),
    )
    assert bridge(shared).pile == Pile((None, 12, None), reports)
    assert [own.pile_row for own in owns] == [(3, 12, None), (None, 12, 30), ()]


def test_hands_are_found_by_their_number_after_a_move() -> None:
    """Hands that changed places are listed as they lie now, and each keeps its own cards; the pile has no own view."""
    pile = Location(Zone.HAND, PILE)
    shared, owns = after(
        PlacesSwapped((2, 1, 0, PILE)),
        CardsShown(pile, (40, 41)),
        CardsMoved(Location(Zone.HAND, 0), Location(Zone.CAPTURED, 1), 1, (7,)),
        CardsMoved(pile, Location(Zone.CAPTURED, 1), 1, (40,)),
    )
    assert shared.hands == (HandView(2, 13), HandView(1, 13), HandView(0, 12), HandView(PILE, 12, (41,)))
    assert owns == (Own(0), *OWNS[1:])
