"""Napoleon for four at the table: what its page says and the game for five does not share."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from junto.games.actions import Discard
from junto.games.cards import cards_text, parse_card, parse_cards
from junto.games.core import Match
from junto.games.events import ActionTaken, CardsMoved, CardsShown, ContractChanged, DealStarted, RoleRevealed
from junto.games.napoleon_4p import NapoleonFour
from junto.games.options import OptionError, OptionValue
from junto.games.shuffle import DealSeed
from junto.games.view import NapoleonDetails, Outcome, Phase, Role

from .playing import random_seed
from .told import Table, table_of

HANDS = (
    "SA SK SQ S5 S3 H2 H3 D2 D3 C2 C3 C4",
    "ST S9 S8 HA HK HQ D9 D8 D7 C9 C8 RJ",
    "S7 S6 HJ HT H9 H8 DA DK DQ CA CK C7",
    "S4 S2 H7 H6 H5 DJ DT D6 CQ CJ CT C6",
)
KITTY = "SJ H4 D4 D5 C5"
WON = ("bid 10", "pass", "pass", "pass")
TAKEN = (*WON, "trump S")
PUT_BACK = (*TAKEN, "discard H2 D2 C2 C3 C4")
"""Seat 0 is Napoleon and has SA SK SQ SJ S5 S3 H3 H4 D3 D4 D5 C5, spades are trumps."""
CALLED = (*PUT_BACK, "call HA")
"""Seat 1 has the secretary card and the joker."""


def table(*words: str, hands: Sequence[str] = HANDS, kitty: str = KITTY, **options: OptionValue) -> Table:
    """Return a table where these hands were dealt, seat 0 bids first, and these words were said."""
    return table_of(NapoleonFour(options), hands, kitty, *words)


def trick(*cards: str) -> list[str]:
    return [f"play {card}" for card in cards]


# The deal and the dealer.


def test_twelve_cards_each_five_in_the_kitty_and_one_joker() -> None:
    """53 cards: the small joker is left out, and sixteen court cards count."""
    game = NapoleonFour()
    deal = game.deal(game.new_match().opened(), random_seed(4, Random(1))).deal
    assert [hand.size for hand in deal.shared.hands] == [12] * 4
    assert deal.shared.kitty_size == 5
    assert len(game.pack) == 53
    assert parse_card("BJ") not in game.pack
    assert game.house.most_points == 16


def test_the_first_dealer_is_random_and_bids_first() -> None:
    """He comes from the seed, and everybody is told who he is."""
    game = NapoleonFour()
    dealers = set()
    for number in range(40):
        step = game.deal(game.new_match().opened(), random_seed(4, Random(number)))
        assert step.deal.to_act == step.deal.shared.dealer
        assert step.events[0].event == DealStarted(1, step.deal.to_act)
        dealers.add(step.deal.to_act)
    assert dealers == {0, 1, 2, 3}


def after_deals(*words: Sequence[str]) -> tuple[Match, list[int | None]]:
    """Return the match after deals in each of which these words are said first, and who dealt them."""
    game, dealers = NapoleonFour(), []
    match = game.new_match().opened().carrying(dealer=(2,))
    for said in words:
        at = Table(game.deal(match, DealSeed(bytes(32), (b"",) * 4))).does(*said)
        dealers.append(at.deal.shared.dealer)
        match = game.after(match, at.plays_out().deal).opened()
    return match, dealers


def test_the_deal_moves_one_seat_clockwise_after_every_deal() -> None:
    """After a scored deal and after a void one."""
    match, dealers = after_deals(("bid 9",), ["pass"] * 4, (), ("pass", "bid 12"))
    assert dealers == [2, 3, 0, 1]
    assert match.carried_value("dealer") == (2,)
    assert (match.deals_done, match.deals_opened) == (2, 5)


# The auction.


def test_the_auction_goes_counter_clockwise_from_the_dealer() -> None:
    """It ends with three passes in a row after a bid; who has passed may bid later."""
    at = table("pass", "bid 9")
    assert at.deal.to_act == 2
    at.does("pass", "bid 10")
    assert at.deal.to_act == 0
    at.does("bid 11", "pass", "pass")
    assert at.deal.phase is Phase.AUCTION
    at.does("pass")
    assert (at.deal.contract.declarer, at.deal.target) == (0, 11)


def test_three_opening_passes_do_not_end_the_auction() -> None:
    """The last one may still bid; if he passes too, nobody scores."""
    at = table("pass", "pass", "pass")
    assert (at.deal.phase, at.deal.to_act) == (Phase.AUCTION, 1)
    assert at.allows("bid 9")
    at.does("pass")
    assert at.deal.shared.result is not None
    assert (at.deal.shared.result.outcome, at.deal.scores) == (Outcome.VOID, None)


def test_sixteen_ends_the_auction_at_once() -> None:
    """Nobody can bid more."""
    at = table("bid 16")
    assert (at.deal.phase, at.deal.contract.declarer) == (Phase.TRUMP, 0)


def test_who_has_passed_is_out_where_the_house_says_so() -> None:
    """The others bid on without him."""
    at = table("pass", "bid 9", "bid 10", "bid 11", pass_is_final=True)
    assert at.deal.to_act == 3
    at.does("pass", "pass")
    assert (at.deal.phase, at.deal.contract.declarer) == (Phase.TRUMP, 1)


@pytest.mark.parametrize(
    ("done", "word", "reason"),
    [
        ((), "bid 8", "the bid must be at least 9"),
        (("bid 9",), "bid 9", "the bid must be at least 10"),
        ((), "bid 17", "the bid must be at most 16"),
        ((), "bid 12S", "only a number is bid; trumps are named later"),
        (WON, "discard H2 D2 C2 C3 C4", "now you must name the trump suit"),
        (TAKEN, "discard H2 D2 C2 C3", "you must put back 5 cards"),
        (TAKEN, "trump S", "trumps may be changed to one of the other suits only"),
        (("bid 16", "trump S"), "trump H", "after a bid of 16 trumps may not be changed"),
        ((*TAKEN, "trump H"), "trump D", "trumps may be changed only once"),
        (PUT_BACK, "call C3", "a card that was put back may not be called"),
        (PUT_BACK, "call RJ", "a joker may not be called at this table"),
        (PUT_BACK, "call BJ", "there is no such card in the pack"),
        (CALLED, "play S5 call HA", "with S5 led you cannot call HA"),
        (CALLED, "play S5 call RJ", "with S5 led you cannot call RJ"),
        ((*CALLED, "play D3"), "play RJ", "you must follow diamonds"),
        ((*CALLED, "play S3 call RJ"), "play ST", "RJ was called: you must play HA or RJ"),
    ],
)
def test_a_refusal_says_which_rule_was_broken(done: tuple[str, ...], word: str, reason: str) -> None:
    """What may not be done is refused in a player's words."""
    table(*done).refuses(word, reason)


# The exchange.


def test_court_cards_put_back_cost_nothing_and_stay_hidden() -> None:
    """Nobody sees them, the contract stays, and they count for nobody."""
    at = table(*TAKEN, "discard SQ SJ C2 C3 C4")
    assert at.deal.target == 10
    for seat in (1, None):
        assert [taken.action for taken in at.told(seat, ActionTaken)] == [Discard(())]
        assert [(moved.count, moved.cards) for moved in at.told(seat, CardsMoved)] == [(5, ())]
        assert not at.told(seat, CardsShown)
        assert not at.told(seat, ContractChanged)
    assert at.deal.shared.put_back == ()
    at.does("call HA").plays_out()
    assert at.deal.shared.tricks is not None
    assert sum(tally.points for tally in at.deal.shared.tricks.tallies) == 14
    assert cards_text(sorted(at.deal.shared.put_back)) == "SJ SQ C2 C3 C4"


def test_a_change_of_trumps_raises_the_contract_by_one() -> None:
    """By default it is allowed, once, unless sixteen was bid; the prompt says so."""
    at = table(*TAKEN)
    assert at.deal.prompt is not None
    assert (at.deal.prompt.choices.trumps, at.deal.prompt.choices.contract_rise) == ((1, 2, 3), 1)
    at.does("trump D")
    assert (at.deal.trump, at.deal.target) == (2, 11)
    assert at.deal.prompt is not None
    assert at.deal.prompt.choices.trumps == ()
    table(*TAKEN, allow_trump_change=False).refuses("trump D", "trumps may not be changed at this table")


def test_court_cards_are_paid_for_where_the_house_says_so() -> None:
    """They are shown, and each raises the contract by one."""
    at = table(*TAKEN, court_penalty=True)
    assert at.deal.prompt is not None
    discard = at.deal.prompt.choices.discard
    assert discard is not None
    assert (discard.costly_limit, cards_text(discard.costly)) == (6, "SJ SQ SK SA")
    at.does("discard SQ SJ C2 C3 C4")
    assert at.deal.target == 12
    assert [cards_text(shown.cards) for shown in at.told(3, CardsShown)] == ["SJ SQ"]


@pytest.mark.parametrize(("bid", "scores"), [(15, (-510, 170, 170, 170)), (16, (-540, 180, 180, 180))])
def test_a_hopeless_contract_costs_thirty_times_its_number(bid: int, scores: tuple[int, ...]) -> None:
    """With the penalty, seventeen or more ends the deal at once, and Napoleon loses alone."""
    words = (f"bid {bid}", *["pass"] * (3 if bid < 16 else 0), "trump S", "discard SQ SJ C2 C3 C4")
    at = table(*words, court_penalty=True)
    assert at.deal.is_over
    assert at.deal.scores == scores


# The secretary.


def test_only_the_holder_learns_that_he_is_the_secretary() -> None:
    """Until he plays the card; then everybody knows every role."""
    at = table(*CALLED)
    assert at.told(None, RoleRevealed) == []
    assert [own.role for own in at.deal.owns] == [Role.DECLARER, Role.PARTNER, Role.OPPONENT, Role.OPPONENT]
    at.does("play H3", "play HA")
    assert at.told(None, RoleRevealed) == [
        RoleRevealed(1, Role.PARTNER),
        RoleRevealed(2, Role.OPPONENT),
        RoleRevealed(3, Role.OPPONENT),
    ]


def test_a_card_of_his_own_makes_napoleon_alone() -> None:
    """He knows; the others learn it when he plays it."""
    at = table(*PUT_BACK, "call SA")
    assert at.deal.owns[0].alone
    assert [own.role for own in at.deal.owns[1:]] == [Role.OPPONENT] * 3
    assert len(at.deal.shared.roles) == 1
    at.does("play SA")
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)


def test_the_joker_may_be_called_where_the_house_allows_it() -> None:
    """As the secretary card it may be played at any time and has its power in the last tricks, too."""
    at = table(*PUT_BACK, "call RJ", allow_joker_secretary=True)
    assert at.deal.owns[1].role is Role.PARTNER
    assert at.does("play D3").plays == "D7 D8 D9 RJ"


# The play.


def test_napoleon_leads_to_the_first_trick() -> None:
    """Not the seat after him."""
    at = table(*CALLED)
    assert (at.deal.phase, at.deal.to_act) == (Phase.PLAY, 0)
    assert at.does("play D3").deal.to_act == 1


def test_the_joker_may_be_played_only_by_who_is_void() -> None:
    """Or at any time where the house says so; the secretary card always."""
    assert table(*CALLED, "play D3").plays == "HA D7 D8 D9"
    assert table(*CALLED, "play D3", joker_anytime=True).plays == "HA D7 D8 D9 RJ"
    hands = (*HANDS[:1], HANDS[1].replace("D9 D8 D7", "S7 HJ HT"), HANDS[2].replace("S7 HJ HT", "D9 D8 D7"), HANDS[3])
    assert parse_card("RJ") in parse_cards(table(*CALLED, "play D3", hands=hands).plays)


def test_who_has_no_card_of_the_suit_but_the_secretary_card_is_void() -> None:
    """It is not forced, and the joker may be played; where the house lets it follow, it must be."""
    hands = (*HANDS[:1], HANDS[1].replace("HK HQ", "S7 S6"), HANDS[2].replace("S7 S6", "HK HQ"), HANDS[3])
    assert len(parse_cards(table(*CALLED, "play H3", hands=hands).plays)) == 12
    assert table(*CALLED, "play H3", hands=hands, secretary_follows=True).plays == "HA"


def test_a_led_joker_names_the_suit() -> None:
    """Any of the four."""
    at = table(*CALLED, *trick("H3", "HK", "HT", "H5"))
    assert at.deal.to_act == 1
    at.refuses("play RJ", "with RJ led you must name a suit")
    assert at.does("play RJ naming C").plays == "C7 CK CA"


@pytest.mark.parametrize(
    ("card", "trick_number", "callable_cards"),
    [("S3", 1, ["RJ"]), ("S3", 3, ["RJ"]), ("S3", 4, []), ("S5", 1, []), ("D3", 1, [])],
)
def test_the_three_of_trumps_calls_the_joker_in_the_first_three_tricks(
    card: str, trick_number: int, callable_cards: list[str]
) -> None:
    """No other lead calls anything, and the prompt says which does."""
    before = [trick("SA", "S8", "S6", "S2"), trick("SK", "S9", "S7", "S4"), trick("SQ", "ST", "H8", "H5")]
    at = table(*CALLED, *[word for played in before[: trick_number - 1] for word in played])
    assert at.deal.prompt is not None
    assert at.deal.prompt.choices.play is not None
    calls = at.deal.prompt.choices.play.calls
    assert [cards_text([call.called]) for call in calls if parse_card(card) in call.leads] == callable_cards


def test_a_called_joker_may_be_replaced_by_the_secretary_card() -> None:
    """Nobody else has to answer."""
    assert table(*CALLED, "play S3 call RJ").plays == "HA RJ"
    assert table(*PUT_BACK, "call HJ", "play S3 call RJ").plays == "RJ"
    assert table(*CALLED, "play S3 call RJ", "play RJ").plays == "S6 S7"


def test_the_secretary_may_be_called_where_the_house_allows_it() -> None:
    """By Napoleon with any lead; the joker may be played instead, though the led suit could be followed."""
    at = table(*CALLED, "play D3 call HA", call_secretary=True)
    assert at.plays == "HA RJ"


def last_tricks(*plays: str, called: str = "HA", **options: OptionValue) -> Table:
    """Return a table after nine tricks and these plays; seat 1 leads to the tenth, and trumps are gone.

    Three cards each were left: seat 0 had H3 D4 D5, seat 1 D9 C9 RJ, seat 2 DK CA CK, seat 3 DT CT CJ.
    """
    hands = (
        "SA SK SQ SJ ST S9 S8 S7 H2 H3 D4 D5",
        "S2 HA HK HQ H9 D9 D2 D3 D6 D7 C9 RJ",
        "S3 S4 HJ H8 H7 H6 DA DK C8 C7 CA CK",
        "S5 S6 HT H5 H4 DT DQ CQ CT CJ C6 C5",
    )
    nine = (
        *trick("SA", "S2", "S3", "S5"),
        *trick("SK", "D2", "S4", "S6"),
        *trick("SQ", "D3", "H6", "H4"),
        *trick("SJ", "D6", "H7", "H5"),
        *trick("ST", "D7", "H8", "HT"),
        *trick("S9", "H9", "HJ", "C5"),
        *trick("S8", "HQ", "C7", "C6"),
        *trick("S7", "HK", "C8", "CQ"),
        *trick("H2", "HA", "DA", "DQ"),
    )
    words = ("bid 10", "pass", "pass", "pass", "trump S", "discard C2 C3 C4 D8 DJ", f"call {called}", *nine)
    return table(*words, *plays, hands=hands, kitty="C2 C3 C4 D8 DJ", **options)


def winner(at: Table) -> int | None:
    assert at.deal.shared.tricks is not None
    return at.deal.shared.tricks.tricks[-1].winner


def test_in_the_last_three_tricks_a_joker_is_smothered() -> None:
    """Led, it is just below the two of the suit it names; and it wins if nobody has that suit or a trump."""
    at = last_tricks()
    assert (at.deal.trick_number, at.deal.to_act) == (9, 1)
    assert at.deal.shared.details == NapoleonDetails(16, jokers_strong=False)
    assert winner(last_tricks("play RJ naming D", "play DK", "play DT", "play D4")) == 2
    assert winner(last_tricks("play RJ naming H", "play DK", "play DT", "play H3")) == 0
    assert winner(last_tricks("play RJ naming S", "play DK", "play DT", "play D4")) == 1


def test_a_joker_thrown_on_a_trick_of_the_last_three_wins_nothing() -> None:
    """It is the lowest card of all; but as the secretary card it keeps its power."""
    tricks = (*trick("C9", "CA", "CT", "D4"), *trick("CK", "CJ", "D5", "RJ"))
    assert winner(last_tricks(*tricks)) == 2
    assert winner(last_tricks(*tricks, called="RJ", allow_joker_secretary=True)) == 1


# The score.


@pytest.mark.parametrize(
    ("holder", "contract", "captured", "scores"),
    [
        (2, 10, 12, (140, -105, 70, -105)),
        (2, 10, 10, (100, -75, 50, -75)),
        (2, 10, 9, (-40, 30, -20, 30)),
        (2, 10, 0, (-400, 300, -200, 300)),
        (0, 9, 9, (300, -100, -100, -100)),
        (0, 9, 11, (360, -120, -120, -120)),
        (0, 9, 7, (-60, 20, 20, 20)),
    ],
)
def test_the_table_of_scores(holder: int, contract: int, captured: int, scores: tuple[int, ...]) -> None:
    """Made with k over, down by k, alone or not; every line sums to zero."""
    house = NapoleonFour().house
    result = house.result(0, [holder], contract, [captured, 16 - captured, 0, 0], (), last_winner=1)
    assert result == (captured, captured >= contract, scores)
    assert sum(scores) == 0


# Options and time-outs.


@pytest.mark.parametrize("value", [8, 17])
def test_the_lowest_bid_is_from_nine_to_sixteen(value: int) -> None:
    """Nothing else is accepted."""
    with pytest.raises(OptionError, match="min_bid must be a whole number from 9 to 16"):
        NapoleonFour({"min_bid": value})


def test_what_is_done_for_a_seat_whose_time_is_up() -> None:
    """Pass; the longest suit; the lowest cards that do not count; the highest trump of another; a low card."""
    assert table().default == "pass"
    assert table(*WON).default == "trump S"
    assert table(*TAKEN).default == "discard H2 H3 D2 D3 C2"
    assert table(*PUT_BACK).default == "call ST"
    assert table(*CALLED).default == "play H3"
    assert table(*CALLED, "play S3 call RJ").default == "play RJ"
