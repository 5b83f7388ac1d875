"""Taiwanese Napoleon at the table: what is refused and why, who is told what, what a time-out does, who begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from junto.games.actions import CallCard, Discard, Play, text
from junto.games.cards import cards_text, mask_of, parse_card, parse_cards
from junto.games.core import IllegalAction
from junto.games.events import ActionTaken, CardsMoved, CardsShown, ContractChanged, RoleRevealed, Zone
from junto.games.napoleon_tw import NapoleonTw
from junto.games.options import OptionValue
from junto.games.shuffle import DealSeed
from junto.games.view import CalledCard, NapoleonDetails, Outcome, Phase, Role, SeatRole

from .playing import first_deal, play_out
from .told import Table, table_of

HANDS = (
    "SA SK SQ S5 S3 S2 H2 D2 D3 C2",
    "ST S9 HA HK H9 H8 D9 D8 C9 RJ",
    "S8 S7 HQ HJ H7 DA DK D7 CA C7",
    "S6 S4 HT H6 DQ DJ D6 CK CQ BJ",
    "SJ H5 H4 H3 DT D5 CJ CT C8 C6",
)
KITTY = "C3 C4 C5 D4"
WON = ("bid 12", "pass", "pass", "pass", "pass")
PUT_BACK = (*WON, "trump S", "discard C3 C4 C5 D4")
CALLED = (*PUT_BACK, "call HA")
"""Seat 0 is Napoleon with spades as trumps, seat 1 has the secretary card; seat 1 leads."""
LEADS = (*CALLED, "play S9", "play S7", "play S4", "play SJ", "play SA")
"""Napoleon has won the first trick."""
ROWS = [cards_text(range(seat * 7, seat * 7 + 7)) for seat in range(7)]
SEVEN = ("bid 11", *["pass"] * 6, "trump S", "discard S4 S5 S6 S7 S8")
"""Seven play and the pack was dealt in order: Napoleon keeps S2 S3 CQ CK CA BJ RJ."""


def table(*words: str, hands: Sequence[str] = HANDS, kitty: str = KITTY, **options: OptionValue) -> Table:
    """Return a table where these hands were dealt, seat 0 bids first, and these words were said."""
    game = NapoleonTw({"players": len(hands), **options})
    return table_of(game, hands, kitty, *words)


def seven(*words: str, **options: OptionValue) -> Table:
    return table(*words, hands=ROWS, kitty="CQ CK CA BJ RJ", **options)


# What is refused, in words.


@pytest.mark.parametrize(
    ("done", "word", "reason"),
    [
        ((), "bid 10", "the bid must be at least 11"),
        (("bid 12",), "bid 12", "the bid must be at least 13"),
        ((), "bid 17", "the bid must be at most 16"),
        ((), "bid 12S", "only a number is bid; trumps are named later"),
        ((), "play SA", "now you must bid or pass"),
        (WON, "pass", "now you must name the trump suit"),
        ((*WON, "trump S"), "discard C3", "you must put back 4 cards"),
        ((*WON, "trump S"), "discard C3 C3 C4 C5", "you must put back 4 cards"),
        ((*WON, "trump S"), "discard C3 C4 C5 HA", "a card that you put back is not in your hand"),
        ((*WON, "trump S"), "trump H", "trumps may not be changed at this table"),
        ((*WON, "trump S"), "call HA", "now you must put back 4 cards"),
        (PUT_BACK, "play SA", "now you must call a card"),
        (PUT_BACK, "call C3", "a card that was put back may not be called"),
        (PUT_BACK, "call RJ", "a joker may not be called at this table"),
        (CALLED, "pass", "now you must play a card"),
        (CALLED, "play SA", "that card is not in your hand"),
        (CALLED, "play HK naming S", "with HK led you cannot name a suit"),
        (CALLED, "play HK call RJ", "with HK led you cannot call RJ"),
        (CALLED, "play RJ", "with RJ led you must name a suit"),
        ((*CALLED, "play HK"), "play CA", "you must follow hearts"),
        ((*CALLED, "play RJ naming D"), "play S8", "you must follow diamonds"),
        ((*CALLED, "play HK"), "play HQ call RJ", "only a lead can call a card"),
        ((*CALLED, "play HK"), "play HQ naming S", "only a lead can name a suit"),
        ((*LEADS, "play C2 call HA"), "play C9", "HA was called: you must play HA or RJ"),
        ((*LEADS, "play S3 call RJ"), "play ST", "RJ was called: you must play HA or RJ"),
        ((*LEADS, "play S3 call RJ call HA"), "play ST", "HA and RJ were called: you must play HA or RJ"),
        (LEADS, "play S3 call BJ", "with S3 led you cannot call BJ"),
        (LEADS, "play S2 call HK", "with S2 led you cannot call HK"),
    ],
)
def test_a_refusal_says_which_rule_was_broken(done: tuple[str, ...], word: str, reason: str) -> None:
    """What may not be done is refused in a player's words."""
    table(*done).refuses(word, reason)


@pytest.mark.parametrize("calls", [(-1,), (64,), (53, 53), (12, 13, 53)])
def test_nonsense_in_a_lead_is_refused(calls: tuple[int, ...]) -> None:
    """Numbers that are no cards, and calls that repeat, are refused like any other illegal lead."""
    with pytest.raises(IllegalAction, match="with S3 led you cannot call"):
        table(*LEADS).deal.apply(Play(parse_card("S3"), calls=calls))


# Phase 3: the exchange.


def test_napoleon_alone_sees_the_kitty_and_what_he_puts_back() -> None:
    """The others see how many cards are taken and put back."""
    at = table(*WON, "trump S")
    kitty, backs = parse_cards("C3 C4 C5 D4"), ()
    assert [move.cards for seat in (0, 1, None) for move in at.told(seat, CardsMoved)] == [
        tuple(sorted(kitty)),
        backs,
        backs,
    ]
    assert at.deal.owns[0].kitty == tuple(sorted(kitty))
    at.does("discard C3 C4 C5 D4")
    assert [(move.count, move.cards) for move in at.told(2, CardsMoved)] == [(4, ())]
    assert [taken.action for taken in at.told(2, ActionTaken)] == [Discard(())]
    assert [taken.action for taken in at.told(0, ActionTaken)] == [Discard(kitty)]
    assert at.deal.owns[0].put_back == Discard(kitty).cards
    assert at.deal.shared.put_back == ()


def test_court_cards_put_back_are_shown_and_raise_the_contract() -> None:
    """Only they are shown; the others stay hidden, and the number of cards in play falls."""
    at = table(*WON, "trump S", "discard SQ C3 C4 SK")
    assert [cards_text(shown.cards) for shown in at.told(3, CardsShown)] == ["SQ SK"]
    assert [change.contract.target for change in at.told(3, ContractChanged)] == [14]
    assert cards_text(at.deal.shared.put_back) == "SQ SK"
    assert at.deal.shared.details == NapoleonDetails(14, jokers_strong=True)
    assert cards_text(at.deal.owns[0].put_back) == "SQ SK C3 C4"


@pytest.mark.parametrize(("loss", "scores"), [("captured_zero", -680), ("captured_sixteen", -40)])
def test_seventeen_ends_the_deal_at_once(loss: str, scores: int) -> None:
    """Napoleon loses alone, nobody is secretary, and all cards are shown."""
    at = table("bid 14", *["pass"] * 4, "trump S", "discard SA SK SQ C3", over_contract_loss=loss)
    result = at.deal.shared.result
    assert result is not None
    assert (result.outcome, result.captured) == (Outcome.DOWN, 0)
    assert at.deal.scores == (scores, *[-scores // 4] * 4)
    assert [share.role for share in result.seats] == [Role.DECLARER, *[Role.OPPONENT] * 4]
    assert {role.seat: role.role for role in at.deal.shared.roles} == dict(
        enumerate([Role.DECLARER, *[Role.OPPONENT] * 4])
    )
    shown = [(shown.at.zone, cards_text(shown.cards)) for shown in at.told(None, CardsShown)]
    assert shown[0] == (Zone.PUT_BACK, "SQ SK SA")
    assert (Zone.PUT_BACK, "C3") in shown
    assert len([zone for zone, _ in shown if zone is Zone.HAND]) == 5


def test_trumps_may_be_changed_once_to_another_suit_for_one_more() -> None:
    """With the option; after a bid of 16 there is nothing to pay with."""
    at = table(*WON, "trump S", allow_trump_change=True)
    at.refuses("trump S", "trumps may be changed to one of the other suits only")
    at.does("trump D")
    assert (at.deal.trump, at.deal.target) == (2, 13)
    at.refuses("trump H", "trumps may be changed only once")
    at.does("discard C3 C4 C5 SK")
    assert at.deal.target == 14
    high = table("bid 16", "trump S", allow_trump_change=True)
    high.refuses("trump H", "after a bid of 16 trumps may not be changed")
    assert high.deal.prompt is not None
    assert high.deal.prompt.choices.trumps == ()


def test_a_prompt_tells_what_court_cards_cost() -> None:
    """It names the cards that raise the contract, and how many of them can still go back."""
    at = table("bid 14", *["pass"] * 4, "trump S", allow_trump_change=True)
    assert at.deal.prompt is not None
    discard = at.deal.prompt.choices.discard
    assert discard is not None
    assert (discard.count, discard.costly_limit, cards_text(discard.costly)) == (4, 2, "SQ SK SA")
    assert (at.deal.prompt.choices.trumps, at.deal.prompt.choices.contract_rise) == ((1, 2, 3), 1)


# Phase 4: who is told what.


def test_only_the_holder_learns_that_he_is_the_secretary() -> None:
    """Everybody sees the card called; each seat learns its own role and no other."""
    at = table(*CALLED)
    assert [taken.action for taken in at.told(None, ActionTaken)] == [CallCard(parse_card("HA"))]
    assert at.told(None, RoleRevealed) == []
    assert at.told(0, RoleRevealed) == []
    assert at.told(1, RoleRevealed) == [RoleRevealed(1, Role.PARTNER, secret=True)]
    for seat in (2, 3, 4):
        assert at.told(seat, RoleRevealed) == [RoleRevealed(seat, Role.OPPONENT, secret=True)]
    assert at.deal.shared.roles == (SeatRole(0, Role.DECLARER),)
    assert at.deal.shared.called == (CalledCard(parse_card("HA")),)
    assert not at.deal.owns[0].alone


def test_the_secretary_is_known_when_his_card_is_played() -> None:
    """With it everybody knows everybody's role."""
    at = table(*CALLED, "play HA")
    assert [(role.seat, role.role) for role in at.told(None, RoleRevealed)] == [
        (1, Role.PARTNER),
        (2, Role.OPPONENT),
        (3, Role.OPPONENT),
        (4, Role.OPPONENT),
    ]
    assert at.deal.shared.called == (CalledCard(parse_card("HA"), 1),)


def test_a_solo_is_napoleons_secret_until_he_plays_the_card() -> None:
    """He learns that he is alone; the others learn only that they are not the secretary."""
    at = table(*PUT_BACK, "call SA")
    assert at.told(0, RoleRevealed) == [RoleRevealed(0, Role.DECLARER, secret=True, alone=True)]
    assert at.told(None, RoleRevealed) == []
    assert at.told(1, RoleRevealed) == [RoleRevealed(1, Role.OPPONENT, secret=True)]
    assert at.deal.owns[0].alone
    at.does("play S9", "play S7", "play S4", "play SJ", "play SA")
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)
    assert {known.role for known in at.deal.shared.roles if known.seat} == {Role.OPPONENT}


def test_a_forced_solo_is_no_secret() -> None:
    """The card must be Napoleon's own, so everybody knows where it is and that he is alone."""
    at = table(*PUT_BACK, forced_solo=True)
    at.refuses("call HA", "you must call a card of your own: you play alone")
    at.does("call SA")
    assert at.deal.shared.hands[0].open == (parse_card("SA"),)
    assert at.deal.shared.called == (CalledCard(parse_card("SA"), 0),)
    assert len(at.deal.shared.roles) == 5
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)


def test_with_three_players_a_solo_is_always_forced() -> None:
    """Whatever the option says."""
    assert NapoleonTw({"players": 3, "forced_solo": False}).house.forced_solo
    assert NapoleonTw({"players": 3}) == NapoleonTw({"players": 3, "forced_solo": True})
    assert not NapoleonTw({"players": 4}).house.forced_solo


def test_seven_play_with_two_secretaries() -> None:
    """The first holder learns it at the first call, the second at the second, the others then."""
    at = seven(*SEVEN, "call SA")
    assert (at.deal.phase, at.deal.to_act) == (Phase.CALL, 0)
    assert [at.told(seat, RoleRevealed) for seat in range(7) if seat != 1] == [[]] * 6
    assert at.told(1, RoleRevealed) == [RoleRevealed(1, Role.PARTNER, secret=True)]
    at.refuses("call SA", "the second card called must be another one")
    at.does("call HA")
    assert [own.role for own in at.deal.owns] == [
        Role.DECLARER, Role.PARTNER, Role.OPPONENT, Role.PARTNER, Role.OPPONENT, Role.OPPONENT, Role.OPPONENT,
    ]  # fmt: skip
    at.does("play SA")
    assert at.told(None, RoleRevealed) == [RoleRevealed(1, Role.PARTNER)]


def test_both_secretary_cards_can_be_in_one_hand() -> None:
    """He is told once, gets both shares, and all roles are known when both cards were seen."""
    at = seven(*SEVEN, "call SA", "call SK")
    assert at.told(1, RoleRevealed) == []
    assert at.deal.holders == (1, 1)
    at.does("play SA")
    assert at.told(None, RoleRevealed) == [RoleRevealed(1, Role.PARTNER)]
    at.plays_out()
    scores = at.deal.scores
    assert scores is not None
    ally = scores[2]
    assert scores[1] == -2 * ally
    assert scores[0] == -scores[1] - 5 * ally


def test_one_own_card_and_one_secretary_is_no_solo() -> None:
    """Napoleon keeps the share of his own card."""
    at = seven(*SEVEN, "call CA", "call SA")
    assert not at.deal.owns[0].alone
    at.plays_out()
    scores = at.deal.scores
    assert scores is not None
    assert scores[1] == -scores[2]
    assert scores[0] == 4 * scores[1]


def test_two_own_cards_are_a_solo() -> None:
    """With the second call he is alone, and scores against six."""
    at = seven(*SEVEN, "call CA", "call CK")
    assert at.deal.owns[0].alone
    at.plays_out()
    assert at.deal.scores is not None
    assert set(at.deal.scores[1:]) == {-at.deal.scores[0] // 6}


def test_a_joker_may_be_called_where_the_house_allows_it() -> None:
    """Its holder is the secretary, and it keeps its power in the last tricks."""
    at = table(*PUT_BACK, "call BJ", allow_joker_secretary=True)
    assert at.deal.owns[3].role is Role.PARTNER
    at = table(*PUT_BACK, "call RJ", allow_joker_secretary=True).does(*LEADS[len(CALLED) :])
    assert at.allows("play S3 call RJ")
    assert not at.allows("play S3 call RJ call RJ")
    assert at.allows("play C2 call RJ")
    assert at.does("play C2 call RJ").plays == "RJ"


# Phase 5: leads and calls.


def test_a_lead_may_call_one_secretary_and_one_joker() -> None:
    """Not two secretary cards; and a joker call with the three of trumps goes together with a secretary call."""
    at = seven(
        *SEVEN, "call SK", "call HA", "play S9", "play H3", "play D2", "play D4", "play C2", "play C5", "play RJ"
    )
    assert at.deal.to_act == 0
    assert at.allows("play S3 call SK call RJ")
    assert at.allows("play S3 call HA call RJ")
    assert not at.allows("play S3 call SK call HA")
    assert not at.allows("play S3 call SK call HA call RJ")
    assert not at.allows("play S2 call SK call RJ")
    assert at.allows("play S2 call SK call BJ")


def test_a_called_joker_that_is_a_secretary_card_may_be_either() -> None:
    """With the trump three the big joker is called as a joker, and another secretary card may be called besides."""
    hands = ("S2 S3 S4 S5 S6 S7 SA", "S8 S9 ST SJ SQ SK RJ", "BJ H4 H5 H6 H7 H8 H9", *ROWS[3:])
    put_back = (*SEVEN[:-1], "discard S4 S5 S6 S7 H2")
    tricks = ("play S8", "play H4", "play D2", "play D4", "play C2", "play C5", "play SA")
    at = table(
        *put_back, "call RJ", "call BJ", *tricks, hands=hands, kitty="CQ CK CA H2 H3", allow_joker_secretary=True
    )
    assert at.deal.to_act == 0
    assert at.allows("play S3 call RJ call BJ")
    assert at.allows("play S2 call RJ call BJ")
    assert at.allows("play CQ call RJ")
    assert not at.allows("play CQ call RJ call BJ")


def test_a_secretary_card_names_a_suit_where_the_house_says_so() -> None:
    """Led, it asks for any suit, like a joker; followed with, it names none."""
    at = table(*CALLED, secretary_lead_names_suit=True)
    at.refuses("play HA", "with HA led you must name a suit")
    at.does("play HA naming C")
    at.refuses("play HQ", "you must follow clubs")
    assert table(*CALLED).allows("play HA")


def test_nobody_has_to_answer_a_call_of_a_card_that_the_leader_holds() -> None:
    """Napoleon may call the secretary card as a bluff when he has it himself."""
    at = table(*PUT_BACK, "call SK", *LEADS[len(CALLED) :]).does("play C2 call SK")
    assert at.plays == "C9 RJ"


def test_the_called_secretary_cannot_be_called_again() -> None:
    """Once the card was played the call is refused."""
    at = table(*CALLED, "play HA", "play H7", "play H6", "play H3", "play H2", "play S9")
    at.does("play S7", "play S4", "play SJ", "play SA")
    assert at.deal.to_act == 0
    at.refuses("play C2 call HA", "with C2 led you cannot call HA")


# The end.


def test_what_was_put_back_is_shown_at_the_end() -> None:
    """Then the result, in which everybody has a role; the scores are those of the side's court cards."""
    at = table(*CALLED).plays_out()
    assert [(shown.at.zone, cards_text(shown.cards)) for shown in at.told(None, CardsShown)] == [
        (Zone.PUT_BACK, "D4 C3 C4 C5")
    ]
    result, tricks = at.deal.shared.result, at.deal.shared.tricks
    assert result is not None
    assert tricks is not None
    assert result.captured == tricks.tallies[0].points + tricks.tallies[1].points
    assert sum(tally.points for tally in tricks.tallies) == 16
    assert [share.role for share in result.seats] == [Role.DECLARER, Role.PARTNER, *[Role.OPPONENT] * 3]


def test_jokers_lose_their_power_in_the_last_three_tricks() -> None:
    """The shared view says when."""
    steps, _ = play_out(first_deal(NapoleonTw({"min_bid": 9}), Random(3)), Random(3))
    for step in steps:
        assert step.deal.shared.tricks is not None
        done = sum(tally.tricks for tally in step.deal.shared.tricks.tallies)
        assert isinstance(step.deal.shared.details, NapoleonDetails)
        assert step.deal.shared.details.jokers_strong == (done < 7)


# What is done for a seat whose time is up.


def test_time_out_defaults() -> None:
    """Pass; the longest suit; the lowest cards that do not count; the highest trump of others; the lowest card."""
    assert table().default == "pass"
    assert table(*WON).default == "trump S"
    assert table(*WON, "trump S").default == "discard H2 D2 D3 C2"
    assert table(*PUT_BACK).default == "call SJ"
    assert table(*PUT_BACK, forced_solo=True).default == "call SA"
    assert table(*CALLED).default == "play H8"
    assert table(*CALLED, "play HK").default == "play H7"
    assert table(*LEADS, "play C2 call HA").default == "play RJ"


def with_hand(hand: str, kitty: str, *words: str) -> Table:
    """Return a table at which seat 0 was dealt this hand, and the others the rest in order."""
    rest = [card for card in range(54) if card not in parse_cards(f"{hand} {kitty}")]
    hands = [hand, *(cards_text(rest[place : place + 10]) for place in range(0, 40, 10))]
    return table(*words, hands=hands, kitty=kitty)


@pytest.mark.parametrize(
    ("hand", "kitty", "discard"),
    [
        ("SA SK S5 S4 HA HK HQ CA RJ BJ", "C2 S3 D2 CK", "discard S3 S4 D2 C2"),
        ("SA SK SQ SJ HA HK HQ HJ RJ BJ", "S2 S3 CA DA", "discard S2 S3 HJ HQ"),
        ("SA SK SQ SJ S9 S8 S7 S6 RJ BJ", "S2 S3 S4 S5", "discard S2 S3 S4 S5"),
    ],
)
def test_a_time_out_puts_trumps_back_before_court_cards_before_jokers(hand: str, kitty: str, discard: str) -> None:
    """When nothing cheaper is left; the lowest first, plain suits before trumps."""
    assert with_hand(hand, kitty, *WON, "trump S").default == discard


def test_a_time_out_calls_the_highest_card_when_no_trump_is_left() -> None:
    """If Napoleon has all trumps or put them back, the highest card of another suit that he does not have."""
    at = with_hand("SA SK SQ SJ ST S9 S8 S7 S6 S5", "S2 S3 S4 HA", *WON, "trump S", "discard S2 S3 S4 S5")
    assert at.default == "call DA"


def test_a_time_out_leads_a_joker_when_nothing_else_is_left() -> None:
    """It names spades; a secretary card that names a suit names its holder's longest."""
    begun = table(*CALLED, secretary_lead_names_suit=True).deal
    for hand, lead in (("BJ RJ", "play BJ naming S"), ("HA", "play HA naming H"), ("HA RJ", "play RJ naming H")):
        left = replace(begun, hands=(mask_of(parse_cards(hand)),) * 5)
        assert text(left.default_action()) == lead


# Who begins.


def seeds(count: int) -> list[DealSeed]:
    return [DealSeed(number.to_bytes(32, "big"), (b"",) * 5) for number in range(count)]


def test_a_random_first_bidder_comes_from_the_seed() -> None:
    """Each seat begins about as often as the others."""
    game = NapoleonTw()
    match = game.new_match().opened()
    firsts = [game.deal(match, seed).deal.to_act for seed in seeds(500)]
    assert [seed.stream("first-bidder").below(5) for seed in seeds(500)] == firsts
    assert all(70 < firsts.count(seat) < 130 for seat in range(5))


def test_if_all_pass_the_next_seat_begins_the_next_deal() -> None:
    """The void deal shows all cards, counts for nothing, and the first bidder moves on counter-clockwise."""
    at = table("pass", "pass", "pass", "pass", "pass")
    result = at.deal.shared.result
    assert result is not None
    assert result.outcome is Outcome.VOID
    assert at.deal.scores is None
    assert len(at.told(None, CardsShown)) == 6
    game = at.deal.game
    match = game.after(game.new_match().opened(), at.deal)
    assert (match.deals_opened, match.deals_done, match.scores) == (1, 0, (0,) * 5)
    again = game.deal(match.opened(), seeds(1)[0]).deal
    assert (again.shared.number, again.to_act) == (2, 4)


def test_after_a_scored_deal_the_first_bidder_is_random_again() -> None:
    """What a void deal carried on is forgotten."""
    at = table(*CALLED).plays_out()
    game = at.deal.game
    match = game.after(game.new_match().opened().carrying(first_bidder=(3,)), at.deal)
    assert match.carried == ()
    assert match.deals_done == 1
    assert match.last_deal is not None
    assert match.last_deal.number == 1


@pytest.mark.parametrize(("call", "first"), [("call HA", 1), ("call CA", 2), ("call SA", 0)])
def test_the_last_secretary_begins_where_the_house_says_so(call: str, first: int) -> None:
    """After a solo it is Napoleon."""
    at = table(*PUT_BACK, call, first_bidder="previous_secretary").plays_out()
    game = at.deal.game
    match = game.after(game.new_match().opened(), at.deal)
    assert {game.deal(match.opened(), seed).deal.to_act for seed in seeds(20)} == {first}


@pytest.mark.parametrize(
    ("calls", "first"), [(("call SA", "call HA"), 1), (("call CA", "call HA"), 3), (("call CA", "call CK"), 0)]
)
def test_of_two_secretaries_the_first_that_is_not_napoleon_begins(calls: tuple[str, str], first: int) -> None:
    """If Napoleon held both cards he begins himself."""
    at = seven(*SEVEN, *calls, first_bidder="previous_secretary").plays_out()
    match = at.deal.game.after(at.deal.game.new_match().opened(), at.deal)
    assert match.carried_value("first_bidder") == (first,)


def test_after_a_lost_contract_of_seventeen_napoleon_begins() -> None:
    """He had no secretary."""
    at = table("bid 14", *["pass"] * 4, "trump S", "discard SA SK SQ C3", first_bidder="previous_secretary")
    match = at.deal.game.after(at.deal.game.new_match().opened(), at.deal)
    assert match.carried_value("first_bidder") == (0,)
