"""Hundred at the table: what its page says, the options, the refusals, the time-outs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from junto.games.actions import Discard
from junto.games.cards import cards_text, parse_cards
from junto.games.events import ActionTaken, CardsMoved, CardsShown, RoleRevealed
from junto.games.hundred import Hundred
from junto.games.options import OptionError, OptionValue
from junto.games.view import NapoleonDetails, Outcome, Phase, Role

from .playing import random_seed
from .told import Table, table_of

HANDS = (
    "SA SK SQ S5 S3 H2 H3 D2 D3 C2 C3 C4",
    "ST S9 S8 HA HK HQ H5 D8 D7 C9 C8 RJ",
    "S7 S6 HJ HT H9 H8 DA DK DQ CA CK BJ",
    "S4 S2 H7 H6 DJ DT D6 CQ CJ CT C7 C6",
)
KITTY = "SJ H4 D4 D5 D9 C5"
WON = ("bid 70", "pass", "pass", "pass")
TAKEN = (*WON, "trump S")
PUT_BACK = (*TAKEN, "discard H2 D2 C2 C3 C4 D9")
"""Seat 0 is declarer and has SA SK SQ SJ S5 S3 H3 H4 D3 D4 D5 C5, spades are trumps."""
CALLED = (*PUT_BACK, "call HA")
"""Seat 1 has the ally's card and the big joker, seat 2 the small one."""


def table(*words: str, hands: Sequence[str] = HANDS, kitty: str = KITTY, **options: OptionValue) -> Table:
    """Return a table where these hands were dealt, seat 0 bids first, and these words were said."""
    return table_of(Hundred(options), hands, kitty, *words)


def trick(*cards: str) -> list[str]:
    return [f"play {card}" for card in cards]


def last_trick(at: Table) -> tuple[int | None, int]:
    """Return who won the last trick, and what it was worth."""
    assert at.deal.shared.tricks is not None
    last = at.deal.shared.tricks.tricks[-1]
    return last.winner, last.points


# The deal.


def test_twelve_cards_each_six_in_the_kitty_and_two_jokers() -> None:
    """Fives count five, tens and kings ten, a hundred in all."""
    game = Hundred()
    deal = game.deal(game.new_match().opened(), random_seed(4, Random(1))).deal
    assert [hand.size for hand in deal.shared.hands] == [12] * 4
    assert deal.shared.kitty_size == 6
    assert len(game.pack) == 54
    assert game.house.most_points == game.house.worth(game.pack) == 100
    worth = {text: game.house.worth(parse_cards(text)) for text in ("S5", "HT", "DK", "CA", "SQ", "H2", "RJ")}
    assert worth == {"S5": 5, "HT": 10, "DK": 10, "CA": 0, "SQ": 0, "H2": 0, "RJ": 0}


def test_the_deal_moves_one_seat_clockwise() -> None:
    """The dealer bids first; after four opening passes the next one deals."""
    game = Hundred()
    match = game.new_match().opened()
    dealers = []
    for number in range(5):
        at = Table(game.deal(match, random_seed(4, Random(number))))
        dealers.append(at.deal.shared.dealer)
        assert at.deal.to_act == at.deal.shared.dealer
        at.does(*(["pass"] * 4 if number % 2 else ["bid 60"])).plays_out()
        match = game.after(match, at.deal).opened()
    first = dealers[0]
    assert first is not None
    assert dealers == [(first + steps) % 4 for steps in range(5)]
    assert match.deals_done == 3


# The auction.


def test_bids_are_multiples_of_five_from_sixty() -> None:
    """At least five above the last bid, counter-clockwise, and who passed may bid later."""
    at = table()
    assert at.deal.prompt is not None
    assert [bid.amount for bid in at.deal.prompt.choices.bids] == [60, 65, 70, 75, 80, 85, 90, 95, 100]
    at.does("pass", "bid 60")
    assert at.deal.to_act == 2
    at.does("bid 80", "pass", "bid 85", "pass", "pass", "pass")
    assert (at.deal.contract.declarer, at.deal.target) == (0, 85)


def test_a_hundred_ends_the_auction_at_once() -> None:
    """Nobody can bid more."""
    at = table("pass", "bid 100")
    assert (at.deal.phase, at.deal.contract.declarer) == (Phase.TRUMP, 3)


def test_four_opening_passes_score_nothing() -> None:
    """Three do not end the auction."""
    at = table("pass", "pass", "pass")
    assert at.deal.phase is Phase.AUCTION
    at.does("pass")
    assert at.deal.shared.result is not None
    assert (at.deal.shared.result.outcome, at.deal.scores) == (Outcome.VOID, None)


def test_who_has_passed_is_out_where_the_house_says_so() -> None:
    """The others bid on without him."""
    at = table("pass", "bid 60", "pass", "bid 65", pass_is_final=True)
    assert at.deal.to_act == 3
    at.does("pass")
    assert (at.deal.phase, at.deal.contract.declarer) == (Phase.TRUMP, 1)


@pytest.mark.parametrize(
    ("done", "word", "reason"),
    [
        ((), "bid 55", "the bid must be at least 60"),
        (("bid 60",), "bid 60", "the bid must be at least 65"),
        (("bid 60",), "bid 67", "bids go up by 5"),
        ((), "bid 105", "the bid must be at most 100"),
        ((), "bid 70S", "only a number is bid; trumps are named later"),
        (TAKEN, "trump H", "trumps may not be changed at this table"),
        (TAKEN, "discard H2 D2 C2 C3 C4", "you must put back 6 cards"),
        (TAKEN, "call HA", "now you must put back 6 cards"),
        (PUT_BACK, "call C3", "a card that was put back may not be called"),
        ((*CALLED, "play H3"), "play RJ", "you must follow hearts"),
        ((*CALLED, "play D3"), "play HA", "you must follow diamonds"),
        (CALLED, "play S3 call RJ", "with S3 led you cannot call RJ"),
        (CALLED, "play S5 call HA", "with S5 led you cannot call HA"),
        (CALLED, "play SA naming H", "with SA led you cannot name a suit"),
    ],
)
def test_a_refusal_says_which_rule_was_broken(done: tuple[str, ...], word: str, reason: str) -> None:
    """What may not be done is refused in a player's words."""
    table(*done).refuses(word, reason)


# The exchange and the ally.


def test_declarer_alone_sees_the_kitty_and_what_he_puts_back() -> None:
    """Points among them are not shown, raise nothing, and all is shown when the deal is over."""
    at = table(*TAKEN)
    assert [[len(move.cards) for move in at.told(seat, CardsMoved)] for seat in (0, 1, None)] == [[6], [0], [0]]
    at.does("discard SK S5 C5 D5 C2 C3")
    assert at.deal.target == 70
    assert [taken.action for taken in at.told(1, ActionTaken)] == [Discard(())]
    assert not at.told(None, CardsShown)
    at.does("call HA").plays_out()
    assert cards_text(sorted(at.deal.shared.put_back)) == "S5 SK D5 C2 C3 C5"


def test_only_the_holder_learns_that_he_is_the_ally() -> None:
    """Until he plays the card."""
    at = table(*CALLED)
    assert at.told(None, RoleRevealed) == []
    assert [own.role for own in at.deal.owns] == [Role.DECLARER, Role.PARTNER, Role.OPPONENT, Role.OPPONENT]
    at.does("play H3", "play HA")
    assert [role.role for role in at.told(None, RoleRevealed)] == [Role.PARTNER, Role.OPPONENT, Role.OPPONENT]


def test_a_joker_may_be_called() -> None:
    """Any card may, but one that was put back."""
    at = table(*PUT_BACK)
    assert at.deal.prompt is not None
    assert len(at.deal.prompt.choices.callable) == 54 - 6
    assert at.does("call BJ").deal.owns[2].role is Role.PARTNER


def test_a_card_of_his_own_makes_declarer_play_alone() -> None:
    """He knows; the others learn it when he plays it."""
    at = table(*PUT_BACK, "call SA")
    assert at.deal.owns[0].alone
    assert [own.role for own in at.deal.owns[1:]] == [Role.OPPONENT] * 3
    at.does("play SA")
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)


def test_the_called_card_has_no_power() -> None:
    """It follows its suit, and loses to higher cards and trumps."""
    at = table(*PUT_BACK, "call HQ", "play H3")
    assert at.plays == "H5 HQ HK HA"
    assert last_trick(at.does("play HQ", "play HT", "play H7"))[0] == 1
    assert table(*PUT_BACK, "call HQ", "play D3").plays == "D7 D8"


# The play.


def test_declarer_leads() -> None:
    """To the first trick; then the winner of each."""
    at = table(*CALLED)
    assert (at.deal.phase, at.deal.to_act) == (Phase.PLAY, 0)
    assert at.does(*trick("D3", "D7", "DA", "D6")).deal.to_act == 2


def test_jokers_are_trumps() -> None:
    """They answer a lead of trumps, must be played if one has no other, and a led one asks for trumps."""
    assert table(*CALLED, "play SA").plays == "S8 S9 ST RJ"
    only_joker = (HANDS[0], "D9 D6 C7 HA HK HQ H5 D8 D7 C9 C8 RJ", HANDS[2], "S4 S2 H7 H6 DJ DT ST CQ CJ CT S9 C6")
    kitty = "SJ H4 D4 D5 S8 C5"
    words = (*TAKEN, "discard H2 D2 C2 C3 C4 S8", "call HA")
    assert table(*words, "play SA", hands=only_joker, kitty=kitty).plays == "RJ"
    led = table(*CALLED, *trick("H3", "HA", "HT", "H7", "RJ"))
    assert led.plays == "S6 S7 BJ"
    led.does("play BJ")
    assert led.plays == "S2 S4"


def test_jokers_may_have_no_suit() -> None:
    """Then only who is void may play one, on trumps too; a led one asks for trumps all the same."""
    assert table(*CALLED, "play SA", jokers_are_trump=False).plays == "S8 S9 ST"
    assert table(*CALLED, "play H3", jokers_are_trump=False).plays == "H5 HQ HK HA"
    led = table(*CALLED, *trick("H3", "HA", "HT", "H7", "RJ"), jokers_are_trump=False)
    assert led.plays == "S6 S7"
    assert last_trick(led.does(*trick("S6", "S2", "S5"))) == (1, 5)


def test_no_lead_calls_a_card_out_or_names_a_suit() -> None:
    """Not the three of trumps, not declarer's, not a joker's."""
    at = table(*CALLED)
    assert at.deal.prompt is not None
    assert at.deal.prompt.choices.play is not None
    assert at.deal.prompt.choices.play.calls == ()
    assert at.deal.prompt.choices.play.naming == ()


def test_jokers_beat_trumps_beat_the_led_suit_to_the_end() -> None:
    """The big one above the small one; points of off-suit cards go to the winner."""
    assert last_trick(table(*CALLED, *trick("SA", "RJ", "BJ", "S2"))) == (1, 0)
    assert last_trick(table(*CALLED, *trick("SK", "ST", "BJ", "S4"))) == (2, 20)
    assert last_trick(table(*CALLED, *trick("H4", "HK", "HT", "H6"))) == (1, 20)
    house = Hundred().house
    assert all(house.jokers_strong(number) for number in range(house.tricks))


def test_a_two_may_rank_above_the_ace() -> None:
    """In every suit, below the jokers; a time-out then counts it as high, too."""
    assert last_trick(table(*CALLED, *trick("SA", "S8", "S6", "S2"))) == (0, 0)
    assert last_trick(table(*CALLED, *trick("SA", "S8", "S6", "S2"), two_high=True)) == (3, 0)
    assert last_trick(table(*CALLED, *trick("SA", "S8", "BJ", "S2"), two_high=True)) == (2, 0)
    assert table(*TAKEN, two_high=True).default == "discard H3 H4 D3 D4 C3 C4"
    assert table(*TAKEN, "discard H3 D3 D4 C3 C4 D9", two_high=True).default == "call RJ"


# The score.


@pytest.mark.parametrize(
    ("ally", "bid", "captured", "buried", "scores"),
    [
        (1, 70, 80, 0, (70, 70, 20, 20)),
        (1, 70, 70, 0, (70, 70, 30, 30)),
        (1, 70, 65, 0, (-70, -70, 35, 35)),
        (1, 70, 50, 0, (-70, -70, 50, 50)),
        (1, 70, 45, 0, (-70, -70, 110, 110)),
        (1, 65, 100, 0, (200, 200, 0, 0)),
        (1, 100, 100, 0, (200, 200, 0, 0)),
        (1, 70, 80, 15, (70, 70, 5, 5)),
        (1, 70, 85, 15, (70, 70, 0, 0)),
        (1, 70, 45, 15, (-70, -70, 80, 80)),
        (0, 60, 60, 0, (60, 40, 40, 40)),
        (0, 60, 40, 0, (-60, 120, 120, 120)),
    ],
)
def test_the_table_of_scores(ally: int, bid: int, captured: int, buried: int, scores: tuple[int, ...]) -> None:
    """All, made, down, down below fifty; alone or not; points put back are nobody's."""
    put_back = parse_cards("SK S5") if buried else parse_cards("S2 S3")
    result = Hundred().house.result(0, [ally], bid, [captured, 0, 100 - captured - buried, 0], put_back, last_winner=2)
    assert result == (captured, captured >= bid, scores)


@pytest.mark.parametrize(
    ("owner", "last_winner", "captured", "scores"),
    [
        ("none", 1, 60, (-75, -75, 25, 25)),
        ("declarer", 2, 75, (75, 75, 25, 25)),
        ("last_trick_winner", 1, 75, (75, 75, 25, 25)),
        ("last_trick_winner", 2, 60, (-75, -75, 40, 40)),
    ],
)
def test_points_put_back_may_belong_to_a_side(
    owner: str, last_winner: int, captured: int, scores: tuple[int, ...]
) -> None:
    """To declarer's, or to the one that wins the last trick, whichever of its two players does."""
    house = Hundred({"buried_points": owner}).house
    put_back = parse_cards("SK S5")
    assert house.result(0, [1], 75, [40, 20, 25, 0], put_back, last_winner) == (captured, captured >= 75, scores)


def test_with_points_put_back_a_side_may_have_all_hundred() -> None:
    """Where they are declarer's."""
    house = Hundred({"buried_points": "declarer"}).house
    assert house.result(0, [1], 60, [85, 0, 0, 0], parse_cards("SK S5"), 2) == (100, True, (200, 200, 0, 0))


def test_a_deal_is_scored_for_each_player_of_a_side() -> None:
    """The result names what declarer's side captured and everybody's role; scores need not sum to zero."""
    at = table(*CALLED).plays_out()
    result = at.deal.shared.result
    assert result is not None
    assert at.deal.scores is not None
    assert not at.deal.game.zero_sum
    assert [share.role for share in result.seats] == [Role.DECLARER, Role.PARTNER, Role.OPPONENT, Role.OPPONENT]
    assert at.deal.scores[0] == at.deal.scores[1] in {-70, 70}
    assert at.deal.scores[2] == at.deal.scores[3]


# Options and time-outs.


def test_the_lowest_bid_is_a_multiple_of_five() -> None:
    """From sixty to a hundred."""
    table(min_bid=80).refuses("bid 75", "the bid must be at least 80")
    assert table(min_bid=100).does("bid 100").deal.phase is Phase.TRUMP
    for value in (55, 62, 105):
        with pytest.raises(OptionError, match="min_bid must be a whole number from 60 to 100 in steps of 5"):
            Hundred({"min_bid": value})


def test_what_is_done_for_a_seat_whose_time_is_up() -> None:
    """Pass; the longest suit; low cards without points and no trumps; a joker of another's; a low card."""
    assert table().default == "pass"
    assert table(*WON).default == "trump S"
    assert table(*TAKEN).default == "discard H2 H3 D2 D3 C2 C3"
    assert table(*PUT_BACK).default == "call RJ"
    assert table(*CALLED).default == "play H3"
    assert table(*CALLED, "play H3").default == "play H5"
    assert table(*CALLED, "play SA").default == "play S8"


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("SA SK SQ S5 S3 H2 H3 D2 D3 C2 C3 RJ", "call BJ"),
        ("SA SK SQ S5 S3 H2 H3 D2 D3 C2 BJ RJ", "call ST"),
        ("SA SK SQ S5 S3 H2 H3 D2 D3 C2 C3 BJ", "call RJ"),
    ],
)
def test_a_joker_is_called_for_a_declarer_whose_time_is_up(hand: str, call: str) -> None:
    """The big one if another has it, else the small one, else the highest trump."""
    rest = [card for card in parse_cards(" ".join((*HANDS, KITTY))) if card not in parse_cards(f"{hand} {KITTY}")]
    others = [cards_text(rest[place * 12 : place * 12 + 12]) for place in range(3)]
    assert table(*TAKEN, "discard H2 H4 D4 D5 D9 C5", hands=(hand, *others)).default == call


def test_the_called_card_is_played_like_any_other_when_time_is_up() -> None:
    """It has no power to keep."""
    at = table(*PUT_BACK, "call H5", "play H3")
    assert (at.deal.owns[1].role, at.default) == (Role.PARTNER, "play H5")


@pytest.mark.parametrize(("owner", "left"), [("none", 85), ("declarer", 100), ("last_trick_winner", 100)])
def test_what_there_is_to_capture_is_told(owner: str, left: int) -> None:
    """A hundred points, less those put back, once they are shown, if they are nobody's."""
    at = table(*TAKEN, "discard SK S5 C2 C3 C4 D2", "call HA", buried_points=owner)
    assert at.deal.shared.details == NapoleonDetails(100, jokers_strong=True)
    assert at.plays_out().deal.shared.details == NapoleonDetails(left, jokers_strong=True)
