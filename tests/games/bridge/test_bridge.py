"""Bridge for four: what is special to it (docs/games/bridge.md)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from junto.games.actions import Action, AgreeToClaim, Bid, Claim, DoubleBid, Pass, Play, RefuseClaim
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.cards import HEARTS, NO_TRUMP, SPADES, parse_card, parse_cards
from junto.games.core import IllegalAction
from junto.games.events import CardsShown, Event
from junto.games.options import OptionValue
from junto.games.view import BridgeDetails, Outcome, PendingClaim, Phase, Role, SeatRole, Vulnerability

NORTH, EAST, SOUTH, WEST = range(4)
SUITS = [[card + 13 * suit for card in range(13)] for suit in range(4)]
"""Spades to North, hearts to East, diamonds to South, clubs to West."""
THREE_PASSES = (Pass(), Pass(), Pass())


def dealt(board: int = 1, hands: Sequence[Sequence[int]] = SUITS, **options: OptionValue) -> BridgeDeal:
    deal = Bridge(options).deal_hands(board, hands).deal
    assert isinstance(deal, BridgeDeal)
    return deal


def after(deal: BridgeDeal, *actions: Action) -> BridgeDeal:
    return run(deal, *actions)[0]


def run(deal: BridgeDeal, *actions: Action) -> tuple[BridgeDeal, list[Event]]:
    events: list[Event] = []
    for action in actions:
        step = deal.apply(action)
        assert isinstance(step.deal, BridgeDeal)
        deal = step.deal
        events = [seen.event for seen in step.events]
    return deal, events


def spades_by_south(level: int = 7, *, doubled: bool = False) -> BridgeDeal:
    """South calls first on board 1, and declares spades; West is to lead."""
    double = (DoubleBid(), Pass(), Pass(), Pass()) if doubled else THREE_PASSES
    return after(dealt(), Bid(level, SPADES), *double)


def trick(deal: BridgeDeal) -> BridgeDeal:
    """Play a whole trick, each hand its lowest legal card."""
    for _ in range(4):
        assert deal.prompt is not None
        assert deal.prompt.choices.play is not None
        deal = after(deal, Play(deal.prompt.choices.play.cards[0]))
    return deal


def test_board_and_vulnerability_follow_from_the_deals_number() -> None:
    """The fourth deal of a match is board 4: West deals, East calls first, both are vulnerable."""
    deal = dealt(4)

    assert (deal.shared.dealer, deal.to_act) == (WEST, EAST)
    assert deal.shared.details == BridgeDetails(4, Vulnerability.BOTH)


@pytest.mark.parametrize(
    ("option", "expected"),
    [("board", Vulnerability.NORTH_SOUTH), ("none", Vulnerability.NONE), ("both", Vulnerability.BOTH)],
)
def test_vulnerability_is_an_option(option: str, expected: Vulnerability) -> None:
    """Boards decide, or nobody or everybody is vulnerable."""
    details = dealt(2, vulnerability=option).shared.details

    assert isinstance(details, BridgeDetails)
    assert details.vulnerability is expected


def test_vulnerability_is_that_of_declarers_side() -> None:
    """On board 2 North-South are vulnerable: down one costs them 100, East-West 50."""
    grand: list[Action] = [Bid(7, NO_TRUMP), *THREE_PASSES]
    ns = after(dealt(2, first_caller="dealer"), Pass(), *grand)
    ew = after(dealt(2, first_caller="dealer"), *grand)
    scores = []
    for deal in (ns, ew):
        ended = deal
        while not ended.is_over:
            ended = trick(ended)
        scores.append(ended.scores)

    # Whoever leads takes all thirteen tricks.
    assert scores == [(-1300, 1300, -1300, 1300), (650, -650, 650, -650)]


def test_partners_are_the_matchs_sides() -> None:
    """North and South, East and West, and a score is both partners'."""
    game = Bridge()

    assert game.sides(game.new_match()) == ((NORTH, SOUTH), (EAST, WEST))


def test_everybody_learns_the_roles_with_the_contract() -> None:
    """Declarer, dummy and the two defenders are known as soon as the auction is over."""
    deal = spades_by_south()

    assert set(deal.shared.roles) == {
        SeatRole(NORTH, Role.PARTNER), SeatRole(EAST, Role.OPPONENT),
        SeatRole(SOUTH, Role.DECLARER), SeatRole(WEST, Role.OPPONENT),
    }  # fmt: skip
    assert deal.contract.target == 13
    assert deal.trump == SPADES


def test_dummy_is_laid_open_after_the_opening_lead_only() -> None:
    """West leads without having seen North's hand; then all see it."""
    deal = spades_by_south()
    assert deal.to_act == WEST
    assert not any(hand.open for hand in deal.shared.hands)

    deal, events = run(deal, Play(parse_card("C2")))

    assert [event for event in events if isinstance(event, CardsShown)] != []
    assert deal.shared.hands[NORTH].open == tuple(SUITS[0])
    assert [bool(hand.open) for hand in deal.shared.hands] == [True, False, False, False]


def test_declarer_plays_dummys_cards() -> None:
    """It is South's turn when a card of North's is to be played, and the card comes from North's hand."""
    deal = after(spades_by_south(), Play(parse_card("C2")))

    assert deal.to_act == SOUTH
    assert deal.prompt is not None
    assert deal.prompt.choices.play is not None
    assert deal.prompt.choices.play.from_seat == NORTH
    with pytest.raises(IllegalAction, match="not in the open hand"):
        deal.check(Play(parse_card("D2")))
    assert trick(spades_by_south()).shared.hands[NORTH].size == 12


def test_a_passed_out_board_counts_and_has_no_points() -> None:
    """All hands are shown, nobody scores, and the match goes on to the next board."""
    game = Bridge()
    match = game.new_match().opened()
    deal = after(dealt(), Pass(), *THREE_PASSES)

    assert deal.shared.result is not None
    assert deal.shared.result.outcome is Outcome.DRAWN
    assert deal.scores == (0, 0, 0, 0)
    assert all(len(hand.open) == 13 for hand in deal.shared.hands)
    assert game.after(match, deal).deals_done == 1


# Claims.


def test_declarer_may_claim_when_he_or_dummy_is_to_lead() -> None:
    """Not before the opening lead, not in a trick, not when a defender leads; any number up to all that are left."""
    deal = spades_by_south()
    with pytest.raises(IllegalAction, match="only declarer"):
        deal.check(Claim(13))
    with pytest.raises(IllegalAction, match="only declarer"):
        after(deal, Play(parse_card("C2"))).check(Claim(13))

    deal = trick(deal)

    assert deal.hand_number == NORTH
    assert deal.prompt is not None
    assert deal.prompt.choices.claim_up_to == 12
    deal.check(Claim(0))
    with pytest.raises(IllegalAction, match="at most the 12 tricks"):
        deal.check(Claim(13))


def test_both_defenders_are_asked_in_turn() -> None:
    """The one on declarer's left first; while a claim is pending nothing else can be done, and all see it."""
    deal = after(trick(spades_by_south()), Claim(12))

    assert deal.to_act == WEST
    assert isinstance(deal.shared.details, BridgeDetails)
    assert deal.shared.details.claim == PendingClaim(SOUTH, 12)
    with pytest.raises(IllegalAction, match="agree to the claim or refuse it"):
        deal.check(Play(parse_card("C3")))
    assert set(deal.legal_actions()) == {AgreeToClaim(), RefuseClaim()}
    assert after(deal, AgreeToClaim()).to_act == EAST


def test_a_claim_that_both_accept_ends_the_deal() -> None:
    """The claimed tricks count, the others are the defenders'; all hands are shown."""
    deal = trick(spades_by_south(doubled=True))
    made = after(deal, Claim(12), AgreeToClaim(), AgreeToClaim())
    short = after(deal, Claim(10), AgreeToClaim(), AgreeToClaim())

    assert made.shared.result is not None
    assert (made.shared.result.outcome, made.shared.result.captured) == (Outcome.MADE, 13)
    assert made.scores == (1770, -1770, 1770, -1770)
    assert short.scores == (-300, 300, -300, 300)
    assert [len(hand.open) for hand in made.shared.hands] == [12, 12, 12, 12]


@pytest.mark.parametrize("answers", [(RefuseClaim(),), (AgreeToClaim(), RefuseClaim())])
def test_after_a_refusal_play_goes_on(answers: tuple[Action, ...]) -> None:
    """Declarer leads as if nothing had been said, and has to wait for the next trick to claim again."""
    before = trick(spades_by_south())
    deal = after(before, Claim(12), *answers)

    assert (deal.to_act, deal.phase, deal.hand_number) == (SOUTH, Phase.PLAY, NORTH)
    assert deal.shared == before.shared
    with pytest.raises(IllegalAction, match="waits for the next trick"):
        deal.check(Claim(12))
    assert deal.prompt is not None
    assert deal.prompt.choices.claim_up_to is None
    assert trick(deal).prompt is not None
    trick(deal).check(Claim(11))


def test_there_is_nothing_to_answer_without_a_claim() -> None:
    """An answer alone is refused."""
    with pytest.raises(IllegalAction, match="no claim to answer"):
        spades_by_south().check(AgreeToClaim())


def test_a_claim_is_refused_for_who_does_not_answer_in_time() -> None:
    """Nobody gives tricks away by being late."""
    assert after(trick(spades_by_south()), Claim(12)).default_action() == RefuseClaim()


def test_nobody_can_claim_before_the_auction_is_over() -> None:
    """A claim is no call."""
    with pytest.raises(IllegalAction, match="now you must call"):
        dealt().check(Claim(13))


def test_who_is_late_plays_low_of_the_suit_led_or_of_his_longest_side_suit() -> None:
    """As the page says; dummy's cards the same way."""
    hands = [
        parse_cards("SA SK SQ SJ ST S9 S8 S7 S6 S5 HA DA CA"),
        parse_cards("S4 HK HQ HJ HT H9 H8 H7 H6 H5 H4 H3 H2"),
        parse_cards("S3 S2 DK DQ DJ DT D9 D8 D7 D6 D5 C2 C3"),
        parse_cards("D4 D3 D2 CK CQ CJ CT C9 C8 C7 C6 C5 C4"),
    ]
    deal = after(dealt(1, hands), Bid(2, HEARTS), *THREE_PASSES)
    played = []
    for _ in range(4):
        played.append(deal.default_action())
        deal = after(deal, played[-1])

    assert played == [Play(parse_card(card)) for card in ("C4", "CA", "S4", "C2")]
