"""Japanese Napoleon at the table: presets, refusals, who is told what, cards put back, time-outs, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from junto.games.actions import CallCard, Discard
from junto.games.cards import cards_text, parse_card, parse_cards
from junto.games.events import ActionTaken, CardsMoved, CardsShown, RoleRevealed, TrickLed, Zone
from junto.games.napoleon_jp import NapoleonJp
from junto.games.options import OptionValue
from junto.games.view import CalledCard, NapoleonDetails, Outcome, Phase, Role, SeatRole

from .playing import first_deal, play_out, random_seed
from .told import Table, table_of

HANDS = (
    "SA SK S4 HA HK HT H9 DJ D6 C3",
    "SQ S9 S8 HQ H4 DA D9 D2 CK C7",
    "SJ S7 S6 HJ H3 DK DT CA CT C6",
    "ST S5 S3 H8 H5 H2 DQ D8 CQ RJ",
    "S2 H7 H6 D7 D5 D4 CJ C9 C8 C5",
)
KITTY = "D3 C2 C4"
WON = ("bid 14H", "pass", "pass", "pass", "pass")
CALLED = (*WON, "call HJ")
"""Seat 0 is Napoleon with hearts as trumps, seat 2 holds the right jack and is his adjutant."""
PUT_BACK = (*CALLED, "discard D3 C2 C4")
"""Napoleon leads."""
PRESETS: Mapping[str, tuple[OptionValue, ...]] = {
    "min_bid": (13, 12, 13),
    "same_two": (True, True, True),
    "same_two_first_trick": (True, False, True),
    "same_two_beats_left_jack": (True, False, False),
    "led_joker": ("low_trump", "high_trump", "second"),
    "followed_joker_voids_same_two": (False, True, False),
    "scoring": ("ts", "sdin", "ts"),
    "twenty_loses": (False, True, False),
    "allied_total_win": ("all20", "all20", "lt8"),
    "players": (5, 5, 5),
    "jokers": (1, 1, 1),
    "yoromeki": (False, False, False),
    "joker_call": (False, False, False),
    "total_win_double": (True, True, True),
    "pass_is_final": (False, False, False),
}
"""The table of the rule page: each option in the presets Trump Stadium, SDIN and mobile."""


def table(*words: str, hands: Sequence[str] = HANDS, kitty: str = KITTY, **options: OptionValue) -> Table:
    """Return a table where these hands were dealt, seat 0 bids first, and these words were said."""
    return table_of(NapoleonJp({"players": len(hands), **options}), hands, kitty, *words)


# Presets.


@pytest.mark.parametrize(("place", "preset"), list(enumerate(("trump_stadium", "sdin", "mobile"))))
def test_a_preset_chooses_the_options_of_the_page(place: int, preset: str) -> None:
    """Every option has the value that the page's table gives it, whether or not it differs from the usual one."""
    game = NapoleonJp({"preset": preset})
    assert game.options == {"preset": preset, **{name: values[place] for name, values in PRESETS.items()}}
    assert NapoleonJp(game.options) == game


@pytest.mark.parametrize("preset", ["trump_stadium", "sdin", "mobile"])
@pytest.mark.parametrize("name", ["min_bid", "led_joker", "same_two_first_trick", "scoring", "allied_total_win"])
def test_any_option_overrides_the_preset(preset: str, name: str) -> None:
    """What is set holds, also where it is the usual value and the preset's is another; the rest is the preset's."""
    usual = NapoleonJp({"preset": preset}).options
    for value in PRESETS[name]:
        assert NapoleonJp({"preset": preset, name: value}).options == {**usual, name: value}


def test_the_catalogue_tells_what_each_preset_changes() -> None:
    """The default is the first preset's, and an option's description names the presets with another one."""
    schema = {option.name: option for option in NapoleonJp.options_schema}
    assert schema.keys() == {"preset", *PRESETS}
    for name, (usual, *others) in PRESETS.items():
        option = schema[name]
        assert option.default == usual
        assert [option.default_with(preset) for preset in ("sdin", "mobile")] == others
        for preset, value in zip(("sdin", "mobile"), others, strict=True):
            assert (f"with {preset}: {str(value).lower()}" in option.description) == (value != usual)


@pytest.mark.parametrize(
    ("players", "jokers", "hand", "kitty"),
    [(5, 0, 10, 2), (5, 1, 10, 3), (5, 2, 10, 4), (4, 0, 12, 4), (4, 1, 12, 5), (4, 2, 12, 6)],
)
def test_every_table_deals_its_cards(players: int, jokers: int, hand: int, kitty: int) -> None:
    """Jokers go into the kitty's size; with one joker it is the red one."""
    game = NapoleonJp({"players": players, "jokers": jokers})
    shared = first_deal(game, Random(1)).deal.shared
    assert [view.size for view in shared.hands] == [hand] * players
    assert shared.kitty_size == kitty
    assert cards_text(game.pack[52:]) == ("", "RJ", "BJ RJ")[jokers]


# What is refused, in words.


@pytest.mark.parametrize(
    ("done", "word", "reason"),
    [
        ((), "bid 12S", "the bid must be at least 13C"),
        ((), "bid 13", "a number and a suit are bid"),
        ((), "bid 13NT", "a number and a suit are bid"),
        ((), "bid 21C", "the bid must be at most 20S"),
        (("bid 13S",), "bid 13H", "the bid must be at least 14C"),
        (("bid 13H",), "bid 13H", "the bid must be at least 13S"),
        ((), "call HJ", "now you must bid or pass"),
        (WON, "discard SA SK S4", "now you must call a card"),
        (WON, "call BJ", "there is no such card in the pack"),
        (CALLED, "call HJ", "now you must put back 3 cards"),
        (CALLED, "trump S", "trumps may not be changed at this table"),
        (CALLED, "discard D3 C2", "you must put back 3 cards"),
        (PUT_BACK, "play HJ", "that card is not in your hand"),
        (PUT_BACK, "play HK naming S", "with HK led you cannot name a suit"),
        (PUT_BACK, "play HK call HJ", "with HK led you cannot call HJ"),
        ((*PUT_BACK, "play D6", "play D2", "play DT"), "play CQ", "you must follow diamonds"),
    ],
)
def test_a_refusal_says_which_rule_was_broken(done: tuple[str, ...], word: str, reason: str) -> None:
    """What may not be done is refused in a player's words."""
    table(*done).refuses(word, reason)


# The auction.


def test_the_auction_goes_clockwise_and_the_last_suit_is_trumps() -> None:
    """A bid is higher by its number, or by its suit; who has passed may bid again."""
    at = table("bid 13C", "bid 13D", "pass", "bid 13H")
    assert at.deal.to_act == 4
    at.does("bid 13S", "bid 14D", "pass", "bid 14H", "pass", "pass", "pass")
    assert (at.deal.phase, at.deal.to_act) == (Phase.AUCTION, 1)
    at.does("pass")
    assert (at.deal.phase, at.deal.to_act, at.deal.trump, at.deal.target) == (Phase.CALL, 2, 1, 14)
    assert at.deal.shared.roles == (SeatRole(2, Role.DECLARER),)


def test_only_the_highest_bid_ends_the_auction_at_once() -> None:
    """Twenty in spades; twenty in another suit can still be overbid."""
    assert table("bid 20S").deal.phase is Phase.CALL
    at = table("bid 20H")
    assert at.deal.prompt is not None
    assert cards_bid(at) == "20S"
    at.does("bid 20S")
    assert (at.deal.phase, at.deal.contract.declarer) == (Phase.CALL, 1)


def cards_bid(at: Table) -> str:
    """Return the bids that are offered, written."""
    assert at.deal.prompt is not None
    return " ".join(f"{bid.amount}{'SHDC'[bid.strain or 0]}" for bid in at.deal.prompt.choices.bids)


def test_a_prompt_offers_every_higher_bid() -> None:
    """From the lowest up: clubs, diamonds, hearts, spades of each number."""
    assert cards_bid(table("bid 19H")) == "19S 20C 20D 20H 20S"
    assert cards_bid(table(preset="sdin")).startswith("12C 12D 12H 12S 13C")


def test_a_pass_can_be_final() -> None:
    """With the option, who has passed is skipped."""
    at = table("bid 13C", "pass", "pass", "bid 13H", "pass", "bid 13S", pass_is_final=True)
    assert at.deal.to_act == 3
    at.does("pass")
    assert (at.deal.phase, at.deal.to_act) == (Phase.CALL, 0)


@pytest.mark.parametrize("passes", [False, True])
def test_the_deal_moves_round_the_table(passes: bool) -> None:
    """The first dealer is a random one; the next sits to his left, after a void deal, too; his left bids first."""
    rng = Random(3)
    game = NapoleonJp()
    match, dealers = game.new_match(), []
    for _ in range(4):
        match = match.opened()
        step = game.deal(match, random_seed(game.seats, rng))
        dealer = step.deal.shared.dealer
        assert dealer is not None
        assert step.deal.to_act == (dealer + 1) % 5
        dealers.append(dealer)
        deal = Table(step).does(*["pass"] * 5).deal if passes else play_out(step, rng)[0][-1].deal
        match = game.after(match, deal)
    assert dealers == [(dealers[0] + number) % 5 for number in range(4)]
    first = {game.deal(game.new_match().opened(), random_seed(game.seats, rng)).deal.shared.dealer for _ in range(60)}
    assert first == set(range(5))


# The adjutant is called before the kitty is seen.


def test_only_the_holder_learns_that_he_is_the_adjutant() -> None:
    """Everybody sees the card called; each seat but Napoleon learns its own role and no other."""
    at = table(*CALLED)
    assert [taken.action for taken in at.told(None, ActionTaken)] == [CallCard(parse_card("HJ"))]
    assert at.told(None, RoleRevealed) == at.told(0, RoleRevealed) == []
    assert at.told(2, RoleRevealed) == [RoleRevealed(2, Role.PARTNER, secret=True)]
    for seat in (1, 3, 4):
        assert at.told(seat, RoleRevealed) == [RoleRevealed(seat, Role.OPPONENT, secret=True)]
    assert not at.deal.owns[0].alone
    assert at.deal.shared.called == (CalledCard(parse_card("HJ")),)


def test_napoleon_sees_the_kitty_after_his_call_and_alone() -> None:
    """Before it nobody does; the others see how many cards go where."""
    at = table(*WON)
    assert at.deal.owns[0].kitty == ()
    at.does("call HJ")
    assert (at.deal.phase, at.deal.to_act) == (Phase.EXCHANGE, 0)
    kitty = tuple(sorted(parse_cards(KITTY)))
    assert at.deal.owns[0].kitty == kitty
    assert [move.cards for seat in (0, 2, None) for move in at.told(seat, CardsMoved)] == [kitty, (), ()]


def test_the_adjutant_is_known_when_his_card_falls() -> None:
    """With it everybody knows everybody's role."""
    at = table(*PUT_BACK, "play H9", "play HQ", "play HJ")
    assert [(role.seat, role.role) for role in at.told(None, RoleRevealed)] == [
        (2, Role.PARTNER),
        (1, Role.OPPONENT),
        (3, Role.OPPONENT),
        (4, Role.OPPONENT),
    ]
    assert at.deal.shared.called == (CalledCard(parse_card("HJ"), 2),)


def test_a_joker_can_be_the_adjutants_card() -> None:
    """Any card of the pack may be called, an own one too."""
    at = table(*WON, "call RJ")
    assert at.told(3, RoleRevealed) == [RoleRevealed(3, Role.PARTNER, secret=True)]
    prompt = table(*WON, jokers=2, hands=two_jokers()[0], kitty=two_jokers()[1]).deal.prompt
    assert prompt is not None
    assert prompt.choices.callable == tuple(range(54))


def two_jokers() -> tuple[list[str], str]:
    """Return hands in which seat 3 has both jokers, and a kitty."""
    hands = list(HANDS)
    hands[3] = hands[3].replace("C", "B").replace("BQ", "BJ")
    return hands, f"{KITTY} CQ"


def test_an_own_card_makes_napoleon_play_alone_in_secret() -> None:
    """He knows it at once; the others when the card appears."""
    at = table(*WON, "call SA")
    assert at.told(0, RoleRevealed) == [RoleRevealed(0, Role.DECLARER, secret=True, alone=True)]
    assert at.told(None, RoleRevealed) == []
    assert at.told(2, RoleRevealed) == [RoleRevealed(2, Role.OPPONENT, secret=True)]
    at.does("discard D3 C2 C4", "play SA")
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)
    assert {role.role for role in at.deal.shared.roles if role.seat} == {Role.OPPONENT}


def test_a_card_in_the_kitty_makes_napoleon_play_alone_and_he_learns_it_there() -> None:
    """The others learn only that they are not the adjutant; that nobody is they see when it is played."""
    at = table(*WON, "call C4")
    told = [type(event) for event in at.told(0, object) if isinstance(event, CardsMoved | RoleRevealed)]
    assert told == [CardsMoved, RoleRevealed]
    assert at.told(0, RoleRevealed) == [RoleRevealed(0, Role.DECLARER, secret=True, alone=True)]
    assert at.told(None, RoleRevealed) == []
    for seat in (1, 2, 3, 4):
        assert at.told(seat, RoleRevealed) == [RoleRevealed(seat, Role.OPPONENT, secret=True)]
    assert at.deal.owns[0].alone
    at.does("discard D3 C2 C3", "play C4")
    assert at.told(None, RoleRevealed)[0] == RoleRevealed(0, Role.DECLARER, alone=True)


@pytest.mark.parametrize("card", ["C4", "C3"])
def test_a_called_card_can_be_put_back_and_then_nobody_is_told_before_the_end(card: str) -> None:
    """Whether it came from the kitty or from his hand."""
    at = table(*WON, f"call {card}", "discard C3 C2 C4")
    assert at.told(None, RoleRevealed) == []
    while not at.deal.is_over:
        assert at.deal.shared.roles == (SeatRole(0, Role.DECLARER),)
        at.apply(at.deal.default_action())
    assert at.told(None, RoleRevealed) == [
        RoleRevealed(0, Role.DECLARER, alone=True),
        *(RoleRevealed(seat, Role.OPPONENT) for seat in (1, 2, 3, 4)),
    ]
    assert at.deal.shared.result is not None
    assert [share.role for share in at.deal.shared.result.seats] == [Role.DECLARER, *[Role.OPPONENT] * 4]
    assert {abs(share.score) for share in at.deal.shared.result.seats} in ({1, 4}, {2, 8})


# The exchange.


def test_point_cards_put_back_are_not_shown_and_cost_nothing_at_once() -> None:
    """The contract stays, nobody learns of them before the end, and then they are nobody's."""
    at = table(*CALLED, "discard HA HK HT")
    assert [taken.action for taken in at.told(1, ActionTaken)] == [Discard(())]
    assert at.told(1, CardsShown) == []
    assert (at.deal.target, at.deal.shared.put_back) == (14, ())
    assert at.deal.shared.details == NapoleonDetails(20, jokers_strong=False)
    at.plays_out()
    shown = [(shown.at.zone, cards_text(shown.cards)) for shown in at.told(None, CardsShown)]
    assert shown == [(Zone.PUT_BACK, "HT HK HA")]
    assert at.deal.shared.details == NapoleonDetails(17, jokers_strong=False)
    assert at.deal.shared.tricks is not None
    assert sum(tally.points for tally in at.deal.shared.tricks.tallies) == 17


def test_a_prompt_says_that_no_card_is_costly() -> None:
    """Any three cards can be put back."""
    prompt = table(*CALLED).deal.prompt
    assert prompt is not None
    discard = prompt.choices.discard
    assert discard is not None
    assert (discard.count, len(discard.cards), discard.costly, discard.costly_limit) == (3, 13, (), None)


# The play.


@pytest.mark.parametrize(("preset", "winner"), [("trump_stadium", 4), ("sdin", 0), ("mobile", 4)])
def test_napoleon_leads_to_the_first_trick(preset: str, winner: int) -> None:
    """Any card; a joker may be thrown in, and the two of a suit that all others follow wins, but not in SDIN."""
    at = table(*PUT_BACK, preset=preset)
    assert at.deal.to_act == 0
    assert at.plays == cards_text(sorted(parse_cards(HANDS[0])))
    at.does("play SK", "play S8", "play S7")
    assert at.plays == "S3 S5 ST RJ"
    at.does("play RJ", "play S2")
    assert at.deal.to_act == winner


def test_the_joker_that_is_led_is_beaten_by_a_trump() -> None:
    """In the usual preset it wins only if nobody has one."""
    at = table("pass", "pass", "pass", "bid 13C", "pass", "pass", "pass", "pass", "call CA")
    at.does("discard D3 C2 C4", "play RJ")
    assert [(lead.led_suit, lead.calls) for lead in at.told(None, TrickLed)] == [(3, ())]
    assert at.plays == "C5 C8 C9 CJ"
    at.does("play C5", "play C3", "play C7")
    assert at.plays == "C6 CT CA"
    at.does("play CA")
    assert at.deal.to_act == 2


def test_the_three_of_clubs_calls_the_joker_where_that_is_played() -> None:
    """Its holder must play it though he has clubs; without the option he need not."""
    at = table(*PUT_BACK, "play C3", "play C7", "play CT", joker_call=True)
    assert at.plays == "RJ"
    at.refuses("play CQ", "RJ was called: you must play RJ")
    assert table(*PUT_BACK, "play C3", "play C7", "play CT").plays == "CQ RJ"


def test_of_two_called_jokers_either_answers() -> None:
    """And all see which cards are called."""
    hands, kitty = two_jokers()
    at = table(*CALLED, "discard D3 C2 C4 CQ", "play C3", hands=hands, kitty=kitty, jokers=2, joker_call=True)
    assert [cards_text(lead.calls) for lead in at.told(None, TrickLed)] == ["BJ RJ"]
    at.does("play C7", "play CT")
    assert at.plays == "BJ RJ"
    at.refuses("play D8", "BJ and RJ were called: you must play BJ or RJ")


def test_the_led_three_of_clubs_calls_also_as_a_trump() -> None:
    """Clubs as trumps change nothing."""
    at = table("bid 13C", *["pass"] * 4, "call HJ", "discard D3 D6 S4", "play C3", joker_call=True)
    at.does("play C7", "play CT")
    assert at.plays == "RJ"


# The score.


@pytest.mark.parametrize(
    ("options", "bid", "captured", "scores"),
    [
        ({}, 14, 15, (2, 1, -1, -1, -1)),
        ({}, 14, 20, (4, 2, -2, -2, -2)),
        ({"preset": "sdin"}, 14, 20, (0, 0, 5, 5, 5)),
        ({"preset": "sdin"}, 20, 20, (18, 12, 0, 0, 0)),
        ({"allied_total_win": "lt8"}, 13, 7, (-4, -2, 2, 2, 2)),
        ({"preset": "mobile"}, 13, 7, (-4, -2, 2, 2, 2)),
        ({"preset": "mobile", "total_win_double": False}, 13, 7, (-2, -1, 1, 1, 1)),
        ({"players": 4}, 13, 14, (2, 1, -1, -1)),
    ],
)
def test_the_examples_of_the_page(
    options: Mapping[str, OptionValue], bid: int, captured: int, scores: tuple[int, ...]
) -> None:
    """Napoleon is seat 0 and his adjutant seat 1."""
    game = NapoleonJp(options)
    points = [captured, 0, 20 - captured, *[0] * (game.seats - 3)]
    assert game.house.result(0, [1], bid, points, (), 2)[2] == scores


def test_the_score_of_a_deal_that_was_played() -> None:
    """The captured cards are those of Napoleon and his adjutant together, and the contract is what he bid."""
    at = table(*PUT_BACK).plays_out()
    result, tricks = at.deal.shared.result, at.deal.shared.tricks
    assert result is not None
    assert tricks is not None
    assert result.captured == tricks.tallies[0].points + tricks.tallies[2].points
    assert (result.outcome is Outcome.MADE) == (result.captured >= 14)
    assert [share.role for share in result.seats] == [
        Role.DECLARER, Role.OPPONENT, Role.PARTNER, Role.OPPONENT, Role.OPPONENT,
    ]  # fmt: skip


# When the time is up.


@pytest.mark.parametrize(
    ("done", "default"),
    [
        ((), "pass"),
        (WON, "call HJ"),
        (("bid 14C", *["pass"] * 4), "call CJ"),
        (("bid 14S", *["pass"] * 4), "call SJ"),
        (("pass", "bid 14H", *["pass"] * 4), "call SA"),
        (CALLED, "discard D3 C2 C3"),
        (PUT_BACK, "play C3"),
        ((*PUT_BACK, "play DJ"), "play D2"),
        ((*PUT_BACK, "play C3", "play C7", "play CT"), "play CQ"),
    ],
)
def test_the_table_plays_for_who_does_not(done: tuple[str, ...], default: str) -> None:
    """It passes, calls the highest card, puts low plain cards back, and plays the lowest card."""
    assert table(*done).default == default


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("SA HJ H2 H3 H4 D2 D3 D4 C2 C3", "call DJ"),
        ("SA HJ DJ HA H4 D2 D3 D4 C2 C3", "call HK"),
        ("SA HJ DJ HA HK HQ HT H9 H8 C3", "call H7"),
    ],
)
def test_who_holds_the_highest_cards_calls_the_next(hand: str, call: str) -> None:
    """Almighty, right jack, left jack, then trumps from the ace down."""
    rest = [card for card in range(52) if card not in parse_cards(hand)] + [53]
    hands = [hand, *(cards_text(rest[place : place + 10]) for place in range(0, 40, 10))]
    assert table(*WON, hands=hands, kitty=cards_text(rest[40:])).default == call
