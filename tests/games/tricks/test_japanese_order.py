"""The compiled rules of Japanese Napoleon against its rule page, written down again in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

import pytest
from tests.games.playing import first_deal, play_out

from junto.games.cards import SUITS, card_text, mask_of, parse_card
from junto.games.core import Deal
from junto.games.napoleon import NapoleonDeal
from junto.games.napoleon_jp import NapoleonJp
from junto.games.options import OptionValue
from junto.games.tricks import kernel
from junto.games.tricks.terms import rules_of_deal
from junto.games.view import Phase

Options = Mapping[str, OptionValue]

PRESETS = ("trump_stadium", "sdin", "mobile")
RANKS = "AKQJT98765432"
JOKERS = ("RJ", "BJ")
COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}
LEGAL_TRIALS, TABLES, TRICKS, WHOLE_DEALS = 600, 150, 20, 25
ROWS = 11
"""The page's table has so many, and each has to win some tricks."""
VARIED: Mapping[str, Sequence[OptionValue]] = {
    "players": (4, 5),
    "jokers": (0, 1, 2),
    "same_two": (False, True),
    "same_two_first_trick": (False, True),
    "same_two_beats_left_jack": (False, True),
    "followed_joker_voids_same_two": (False, True),
    "led_joker": ("low_trump", "high_trump", "second"),
    "yoromeki": (False, True),
    "joker_call": (False, True),
}
MORE_VARIED: Mapping[str, Sequence[OptionValue]] = {
    "scoring": ("ts", "sdin"),
    "twenty_loses": (False, True),
    "allied_total_win": ("all20", "lt8"),
    "total_win_double": (False, True),
    "min_bid": (1, 12, 20),
}


# What the page says. Cards are written, `SA`.


def order(options: Options, trump: str, number: int, trick: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the cards that can win a trick, each with its row of the page's table, the highest first."""
    lead, led_joker = trick[0], options["led_joker"] if trick[0] in JOKERS else None
    led = trump if led_joker else lead[0]
    if options["yoromeki"] and "SA" in trick:
        yield 0, "HQ"
    yield 1, "SA"
    if led_joker == "second":
        yield 2, lead
    yield 3, trump + "J"
    if options["same_two_beats_left_jack"] and same_two(options, number, led, trick):
        yield 4, led + "2"
    yield 5, COLOUR[trump] + "J"
    if same_two(options, number, led, trick):
        yield 6, led + "2"
    if led_joker == "high_trump":
        yield 7, lead
    yield from ((8, trump + rank) for rank in RANKS)
    if led_joker == "low_trump":
        yield 9, lead
    yield from ((10, led + rank) for rank in RANKS)


def same_two(options: Options, number: int, led: str, trick: Sequence[str]) -> bool:
    """Tell whether the two of the led suit has its power; a led joker is a trump."""
    if not options["same_two"] or (number == 1 and not options["same_two_first_trick"]):
        return False
    lead, *others = trick
    if not options["followed_joker_voids_same_two"]:
        others = [card for card in others if card not in JOKERS]
    return (lead in JOKERS or lead[0] == led) and all(card not in JOKERS and card[0] == led for card in others)


def winner(options: Options, trump: str, number: int, trick: Sequence[str]) -> tuple[int, str]:
    """Return the card that wins a trick, and its row."""
    return next((row, card) for row, card in order(options, trump, number, trick) if card in trick)


def legal(options: Options, trump: str, hand: Sequence[str], lead: str) -> set[str]:
    """Return the cards of a hand that may be played after a lead."""
    jokers = {card for card in hand if card in JOKERS}
    if options["joker_call"] and lead == "C3" and jokers:
        return jokers
    led = trump if lead in JOKERS else lead[0]
    following = {card for card in hand if card not in JOKERS and card[0] == led}
    return following | jokers if following else set(hand)


def scores(options: Options, bid: int, captured: int, buried: int, *, alone: bool) -> tuple[int, int, int, bool]:
    """Return what Napoleon, his adjutant (0 if there is none) and each ally score, and whether he made it."""
    allies = int(options["players"]) - (1 if alone else 2)
    made = captured >= bid and not (options["twenty_loses"] and captured == 20 and bid < 20)
    if options["scoring"] == "ts":
        declarer = allies if alone else 2
        table = (declarer, 1, -1) if made else (-declarer, -1, 1)
    elif alone:
        table = (16, 0, 0) if made else (0, 0, 4)
    else:
        table = (9, 6, 0) if made else (0, 0, 5)
    if made:
        total = captured == 20
    elif options["allied_total_win"] == "lt8":
        total = captured < 8
    else:
        total = captured == 0 and buried == 0
    factor = 2 if total and options["total_win_double"] else 1
    return factor * table[0], factor * table[1], factor * table[2], made


# The comparison.


def random_options(rng: Random, preset: str) -> dict[str, OptionValue]:
    """Return a preset with some of the options that concern the play overridden."""
    chosen = {name: rng.choice(values) for name, values in VARIED.items() if rng.random() < 0.4}
    return {"preset": preset, **chosen}


def random_trick(rng: Random, pack: Sequence[str], seats: int) -> list[str]:
    """Return a trick: mostly of one suit, with some of the cards that matter, and often with a joker led."""
    suit = rng.choice(SUITS)
    special = [card for card in pack if card in {*JOKERS, "SA", "HQ", suit + "2", *(one + "J" for one in SUITS)}]
    cards = rng.sample(special, rng.choice((0, 1, 1, 2, 3)))
    row = pack if rng.random() < 0.2 else [card for card in pack if card[0] == suit and card not in JOKERS]
    trick = [*cards, *rng.sample([card for card in row if card not in cards], seats - len(cards))]
    rng.shuffle(trick)
    return sorted(trick, key=lambda card: card not in JOKERS) if rng.random() < 0.4 else trick


def rules_for(game: NapoleonJp, trump: str) -> kernel.Vector:
    """Return the rules of a deal; the called card, a joker if there is one, has no power as such."""
    return rules_of_deal(game.terms, SUITS.index(trump), game.pack[-1])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_trick_goes_to_the_card_that_the_page_names(preset: str) -> None:
    """Thousands of tricks of every kind, in every preset and with options of it overridden; every row wins some."""
    rng = Random(preset)
    rows: set[int] = set()
    for trial in range(TABLES):
        game = NapoleonJp(random_options(rng, preset) if trial % 3 else {"preset": preset})
        pack = [card_text(card) for card in game.pack]
        for _ in range(TRICKS):
            trump, number = rng.choice(SUITS), rng.choice((1, 2, game.terms.tricks))
            trick = random_trick(rng, pack, game.seats)
            row, wanted = winner(game.options, trump, number, trick)
            assert won(game, trump, number, trick) == wanted, (dict(game.options), trump, number, trick)
            rows.add(row)
    assert len(rows) == ROWS


def won(game: NapoleonJp, trump: str, number: int, trick: Sequence[str]) -> str:
    """Return the card that wins a trick by the compiled rules."""
    rules = rules_for(game, trump)
    cards = [parse_card(card) for card in trick]
    packed = 0
    for place, card in enumerate(cards):
        packed = kernel.packed(packed, place, card)
    led = kernel.led_suit(rules, cards[0], kernel.LEADING)
    return trick[kernel.winning_place(rules, number - 1, led, packed, len(cards))]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_cards_that_may_be_played_are_those_of_the_page(preset: str) -> None:
    """Printed suits are followed, jokers are free, and the called joker comes before all."""
    rng = Random(preset)
    for _ in range(LEGAL_TRIALS):
        game = NapoleonJp(random_options(rng, preset))
        trump = rng.choice(SUITS)
        pack = [card_text(card) for card in game.pack]
        lead = rng.choice([card for card in pack if card in {*JOKERS, "C3", "SA", "HJ", "D7"}])
        hand = rng.sample([card for card in pack if card != lead], rng.randrange(1, 8))
        rules = rules_for(game, trump)
        called = kernel.forced_calls(rules, parse_card(lead))
        led = kernel.led_suit(rules, parse_card(lead), kernel.LEADING)
        allowed = kernel.legal_cards(rules, mask_of(map(parse_card, hand)), led, called)
        assert allowed == mask_of(map(parse_card, legal(game.options, trump, hand, lead))), (trump, hand, lead)


@pytest.mark.parametrize(("preset", "players"), list(product(PRESETS, (4, 5))))
def test_every_result_is_worth_what_the_page_says(preset: str, players: int) -> None:
    """Any bid and any number of captured and buried point cards, with an adjutant and alone."""
    changes: list[dict[str, OptionValue]] = [
        {},
        {"scoring": "ts"},
        {"scoring": "sdin"},
        {"twenty_loses": True},
        {"allied_total_win": "lt8"},
        {"allied_total_win": "all20"},
        {"total_win_double": False},
    ]
    for change in changes:
        game = NapoleonJp({"preset": preset, "players": players, **change})
        for bid, buried, alone in product((13, 20), (0, 1, 2), (False, True)):
            for captured in range(21 - buried):
                check_result(game, bid, captured, buried, alone=alone)


def check_result(game: NapoleonJp, bid: int, captured: int, buried: int, *, alone: bool) -> None:
    """Compare one result, seat 1 being Napoleon and seat 3 his adjutant, if he has one."""
    points = [20 - buried - captured, captured, *[0] * (game.seats - 2)]
    put_back = range(8, 8 + buried)
    counted, made, written = game.house.result(1, [1 if alone else 3], bid, points, put_back, 0)
    napoleon, adjutant, ally, wanted = scores(game.options, bid, captured, buried, alone=alone)
    expected = [ally] * game.seats
    expected[1] = napoleon
    if not alone:
        expected[3] = adjutant
    assert (counted, made, written) == (captured, wanted, tuple(expected)), (dict(game.options), bid, captured, buried)


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_deals_go_as_the_page_says(preset: str) -> None:
    """In deals played out at random every choice of cards, every trick and the scores are the page's."""
    rng = Random(preset)
    for _ in range(WHOLE_DEALS):
        changes = {name: rng.choice(values) for name, values in MORE_VARIED.items() if rng.random() < 0.5}
        game = NapoleonJp({**random_options(rng, preset), "min_bid": 13, **changes})
        steps, _ = play_out(first_deal(game, rng), rng)
        for step in steps:
            if step.deal.phase is Phase.PLAY:
                check_choice(step.deal)
        end = steps[-1].deal
        assert isinstance(end, NapoleonDeal)
        if end.scores is not None:
            check_tricks(end)
            check_scores(end)


def check_choice(deal: Deal) -> None:
    """Compare what the seat to act may play."""
    tricks, prompt = deal.shared.tricks, deal.prompt
    assert tricks is not None
    assert tricks.trump is not None
    assert prompt is not None
    assert prompt.choices.play is not None
    hand = [card_text(card) for card in deal.owns[prompt.seat].hand]
    wanted = set(hand)
    if tricks.tricks and tricks.tricks[-1].winner is None:
        lead = card_text(tricks.tricks[-1].cards[0].card)
        wanted = legal(deal.game.options, SUITS[tricks.trump], hand, lead)
    assert {card_text(card) for card in prompt.choices.play.cards} == wanted


def check_tricks(deal: NapoleonDeal) -> None:
    """Compare who won each trick of a deal that is over; its leader is Napoleon, then the last winner."""
    assert deal.shared.tricks is not None
    leader: int | None = deal.contract.declarer
    for number, trick in enumerate(deal.shared.tricks.tricks, 1):
        cards = {card_text(played.card): played.seat for played in trick.cards}
        assert trick.leader == trick.cards[0].seat == leader
        leader = trick.winner
        assert leader == cards[winner(deal.game.options, SUITS[deal.trump], number, list(cards))[1]]


def check_scores(deal: NapoleonDeal) -> None:
    """Compare the scores of a deal that is over."""
    shared, declarer = deal.shared, deal.contract.declarer
    assert shared.tricks is not None
    (called,) = shared.called
    partner = declarer if called.holder is None else called.holder
    side = {declarer, partner}
    captured = 0
    for trick in shared.tricks.tricks:
        if trick.winner in side:
            captured += sum(card_text(played.card)[1] in "AKQJT" for played in trick.cards if played.card < 52)
    buried = sum(card_text(card)[1] in "AKQJT" for card in shared.put_back if card < 52)
    bid, alone = deal.contract.bid.amount, side == {declarer}
    napoleon, adjutant, ally, _ = scores(deal.game.options, bid, captured, buried, alone=alone)
    wanted = dict.fromkeys(range(deal.game.seats), ally) | {partner: adjutant} | {declarer: napoleon}
    assert deal.scores == tuple(wanted.values())
