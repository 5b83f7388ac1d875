"""What only bridge and whist have, in the story and on the board of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from junto.cli.board import Words, draw
from junto.cli.story import Story
from junto.games.actions import Action, AgreeToClaim, Bid, Claim, DoubleBid
from junto.games.cards import parse_card, parse_cards
from junto.games.events import (
    ActionTaken,
    CardsMoved,
    CardsShown,
    ContractChanged,
    DealEnded,
    DealStarted,
    Event,
    Location,
    PhaseChanged,
    PileLaid,
    PlacesSwapped,
    PointsReported,
    SeatDraw,
    SeatsDrawn,
    TrickLed,
    TrickWon,
    TrumpChanged,
    Zone,
)
from junto.games.view import (
    BridgeDetails,
    Contract,
    DealResult,
    Doubling,
    HandView,
    Outcome,
    Own,
    PendingClaim,
    Phase,
    Pile,
    PointReport,
    Role,
    SeatResult,
    SeatRole,
    Shared,
    TrickPlay,
    Vulnerability,
    WhistDetails,
)
from junto.v1 import catalog_pb2, tables_pb2, views_pb2
from junto.wire.events import write_event
from junto.wire.views import write_shared

FOUR = ["Ada", "seat 1", "seat 2", "seat 3", "the pile"]
THREE = ["Ada", "seat 1", "seat 2", "the pile"]
BRIDGE = catalog_pb2.Game(
    id="bridge",
    unit="tricks",
    role_names=[
        catalog_pb2.RoleName(role=views_pb2.ROLE_DECLARER, title="declarer"),
        catalog_pb2.RoleName(role=views_pb2.ROLE_PARTNER, title="dummy"),
        catalog_pb2.RoleName(role=views_pb2.ROLE_OPPONENT, title="defender"),
    ],
)
TITLES = {int(role.role): role.title for role in BRIDGE.role_names}
CONTRACT = Contract(0, Bid(4, 0), 10, Doubling.DOUBLED)
DECK, CENTRE = Location(Zone.DECK), Location(Zone.CENTRE)


def hand(seat: int) -> Location:
    """Return where a seat's hand is."""
    return Location(Zone.HAND, seat)


def told(names: Sequence[str], shared: Shared, *events: Event, sides: Sequence[Sequence[int]] = ()) -> str:
    """Return the story of the events of one update, after which everybody knows this."""
    match = views_pb2.MatchView(sides=[views_pb2.Side(seats=side) for side in sides])
    update = tables_pb2.TableUpdate(
        table=tables_pb2.Table(match=match),
        deal=views_pb2.DealView(shared=write_shared(shared)),
        events=[write_event(event) for event in events],
    )
    return "\n".join(Story(names, BRIDGE).tell_update(update))


def called(seat: int, action: Action) -> Event:
    """Return that a seat called."""
    return ActionTaken(seat, action)


def test_an_auction_a_contract_and_dummy_are_told() -> None:
    """Calls with their suits, the contract with its double, dummy laid down; what was bid is not told twice."""
    hands = tuple(HandView(seat, 13) for seat in range(4))
    shared = Shared(3, Phase.PLAY, hands, details=BridgeDetails(3, Vulnerability.EAST_WEST))
    story = told(
        FOUR,
        shared,
        DealStarted(3, 2),
        PhaseChanged(Phase.AUCTION),
        called(0, Bid(4, 0)),
        called(1, DoubleBid()),
        ContractChanged(CONTRACT),
        TrumpChanged(0),
        PhaseChanged(Phase.PLAY),
        TrickLed(1, 1),
        CardsMoved(hand(1), CENTRE, 1, parse_cards("HA")),
        CardsShown(hand(2), parse_cards("SA SK D2")),
        CardsMoved(hand(2), CENTRE, 1, parse_cards("H2")),
        TrickWon(1, 1),
    )
    assert "Deal 3, dealt by seat 2. " in story
    assert "Board 3: seat 1 and seat 3 are vulnerable" in story
    assert "Ada bids 4♠\n  seat 1 doubles\n" in story
    assert "Ada is declarer; the contract is 4♠ doubled, 10 tricks" in story
    assert "Trumps" not in story
    assert "seat 2 lays down: ♠A ♠K   ♦2" in story
    assert story.endswith("  Trick  1  1:♥A  2:♥2  -> seat 1")


def test_a_claim_and_the_end_are_told() -> None:
    """Who claims and who agrees, and how many tricks the declarer's side has."""
    shares = tuple(SeatResult(seat, 590 * (1, -1)[seat % 2]) for seat in range(4))
    story = told(
        FOUR,
        Shared(1, Phase.PLAY, ()),
        ContractChanged(CONTRACT),
        called(0, Claim(1)),
        called(1, AgreeToClaim()),
        called(3, AgreeToClaim()),
        DealEnded(DealResult(Outcome.MADE, shares, 10)),
    )
    assert "Ada claims 1 trick of those that are left\n  seat 1 agrees to the claim\n" in story
    assert "The contract is made: Ada's side took 10 of 10 tricks." in story


def test_the_pile_is_told() -> None:
    """Its row with the open card, what each player's cards count, how they sit after the move, and its cards."""
    story = told(
        THREE,
        Shared(1, Phase.PLAY, ()),
        PileLaid((None, parse_card("SK"), None)),
        PointsReported((PointReport(0, 7), PointReport(1, 0), PointReport(2, 4))),
        PlacesSwapped((1, 0, 2, 3)),
        PhaseChanged(Phase.PLAY),
        CardsShown(hand(3), parse_cards("SA SK")),
        TrickLed(1, 0),
        CardsMoved(hand(3), CENTRE, 1, parse_cards("SA")),
        TrickWon(3, 1),
    )
    assert "The pile lies in a row: -- ♠K --" in story
    assert "cards of the pile count: Ada 7, seat 1 0, seat 2 4" in story
    assert "clockwise: seat 1, Ada, seat 2, the pile" in story
    assert "the pile lies open: ♠A ♠K" in story
    assert story.endswith("  Trick  1  pile:♠A  -> the pile")


def test_whist_is_told() -> None:
    """Who drew what, the card that was turned up, trumps, and each side's tricks."""
    story = told(
        FOUR,
        Shared(1, Phase.PLAY, ()),
        SeatsDrawn((SeatDraw(0, 0, 0), SeatDraw(1, 3, 2))),
        CardsShown(hand(0), parse_cards("D7")),
        TrumpChanged(2),
        *[event for winner in (0, 1, 2) for event in (TrickLed(winner, 0), TrickWon(winner, 1))],
        DealEnded(DealResult(Outcome.PLAYED, tuple(SeatResult(seat, seat % 2) for seat in range(4)))),
        sides=((0, 2), (1, 3)),
    )
    assert "Ada draws ♠\n  seat 1 draws ♣ and sits as seat 2 now\n" in story
    assert "Ada shows: ♦7\n  Trumps: diamonds\n" in story
    assert "Ada and seat 2 took 2 tricks.\nseat 1 and seat 3 took 1 trick." in story


def board(names: Sequence[str], shared: Shared, own: Own, sides: Sequence[Sequence[int]] = ()) -> str:
    """Return what a seat is shown."""
    return "\n".join(draw(shared, own, Words(names, TITLES, "tricks"), sides))


def test_the_board_of_bridge() -> None:
    """Contract, vulnerability, who is who, dummy's cards, a claim that waits."""
    shared = Shared(
        2,
        Phase.PLAY,
        tuple(HandView(seat, 3, parse_cards("SA D2 D3") if seat == 2 else ()) for seat in range(4)),
        to_act=1,
        contract=CONTRACT,
        roles=(SeatRole(0, Role.DECLARER), SeatRole(2, Role.PARTNER)),
        tricks=TrickPlay(13, 0),
        details=BridgeDetails(2, Vulnerability.NORTH_SOUTH, 2, claim=PendingClaim(0, 3, (3,))),
    )
    lines = board(FOUR, shared, Own(0, parse_cards("C2 C3 C4")), ((0, 2), (1, 3)))
    assert "contract: 4♠ doubled, 10 tricks by Ada   trumps: spades" in lines
    assert "board 2: Ada and seat 2 are vulnerable" in lines
    assert "Ada claims 3 tricks of those that are left; seat 3 agrees" in lines
    assert "seat 2     partner, dummy\n    ♠A   ♦3 ♦2" in lines


def test_the_board_of_bridge_for_three() -> None:
    """The hands as they lie now, and the row with the seat's own cards."""
    pile = Pile((None, parse_card("SK"), None), (PointReport(0, 7), PointReport(1, 0)))
    shared = Shared(
        1,
        Phase.AUCTION,
        tuple(HandView(seat, 13) for seat in (1, 0, 2, 3)),
        to_act=0,
        details=BridgeDetails(1, Vulnerability.NONE, pile=pile),
    )
    row = (parse_card("SA"), parse_card("SK"), None)
    lines = board(THREE, shared, Own(0, parse_cards("C2"), pile_row=row)).splitlines()
    assert "  the pile's row: ♠A ♠K --   (cards count: Ada 7, seat 1 0)" in lines
    assert [line[2:].split("  ")[0] for line in lines[2:6]] == ["seat 1", "Ada", "seat 2", "the pile"]


def test_the_board_of_whist() -> None:
    """The card that made its suit trumps stays on the screen, also in the hand that it lies in."""
    hands = tuple(HandView(seat, 13, parse_cards("D7") if seat == 3 else ()) for seat in range(4))
    shared = Shared(1, Phase.PLAY, hands, tricks=TrickPlay(13, 2), details=WhistDetails(parse_card("D7")))
    lines = board(FOUR, shared, Own(1, parse_cards("C2")), ((0, 2), (1, 3)))
    assert "turned up: ♦7" in lines
    assert "seat 3     partner\n    ♦7" in lines
