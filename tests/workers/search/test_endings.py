"""The solver of the last tricks against plain minimax over the rules, in every game, and against Bo Haglund's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from junto.games.cards import cards_in, mask_of
from junto.games.catalog import GAMES
from junto.games.tricks import kernel
from junto.games.tricks.deal import TricksGame
from junto.games.tricks.kernel import NO_CARD, NOBODY, SEATS, TRICKS, Vector
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.search import double_dummy
from junto.search.tricks import endings
from junto.search.tricks.state import CALLED, COUNT, DECLARER, LEADER, LED, STATE, TRICK, legal_now, play_card

POSITIONS = 40
TRICK_GAMES = ("napoleon-tw", "napoleon-jp", "napoleon-4p", "hundred", "whist", "hundred, pile to the last trick")
PILE_TO_LAST = TRICK_GAMES[-1]
WIDE = 1 << 18


@dataclass(frozen=True)
class Ending:
    """A position in plain numbers: hands by place, then the cards put back; cards on the table in their order."""

    rules: Vector
    declarer: int
    side: int
    hands: tuple[int, ...]
    trick: int
    leader: int
    led: int = kernel.LEADING
    called: int = 0
    table: tuple[int, ...] = ()


def minimax(ending: Ending) -> int:
    """Return what the declarer's side captures if all play their best, by trying everything."""
    rules, seats = ending.rules, int(ending.rules[SEATS])
    if len(ending.table) == seats:
        return after_trick(ending)
    place = (ending.leader + len(ending.table)) % seats
    if not ending.hands[place]:
        return 0
    values = []
    for card in cards_in(int(kernel.legal_cards(rules, ending.hands[place], ending.led, ending.called))):
        hands = tuple(hand & ~(1 << card) if at == place else hand for at, hand in enumerate(ending.hands))
        left = replace(ending, hands=hands, table=(*ending.table, card))
        if ending.table:
            values.append(minimax(left))
            continue
        for naming in range(4) if kernel.names_suit(rules, card) else (-1,):
            led = int(kernel.led_suit(rules, card, naming))
            forced = int(kernel.forced_calls(rules, card))
            values += [minimax(replace(left, led=led, called=call | forced)) for call in calls(ending, place, card)]
    return max(values) if ending.side >> place & 1 else min(values)


def calls(ending: Ending, place: int, card: int) -> list[int]:
    """Return the ways to call with a lead: nothing, or one card that is in a hand."""
    played = ~mask_of(card for hand in ending.hands[:-1] for card in cards_in(hand))
    found = int(kernel.callable_cards(ending.rules, ending.trick, card, place == ending.declarer, played))
    return [0, *(1 << called for called in cards_in(found))]


def after_trick(ending: Ending) -> int:
    """Return what the declarer's side captures from the end of a trick on, the trick included."""
    rules, seats = ending.rules, int(ending.rules[SEATS])
    packed = sum(card << 6 * place for place, card in enumerate(ending.table))
    won = int(kernel.winning_place(rules, ending.trick, ending.led, packed, seats))
    winner = (ending.leader + won) % seats
    points = 0
    if ending.side >> winner & 1:
        points = int(kernel.trick_points(rules, mask_of(ending.table)))
        if ending.trick == rules[TRICKS] - 1 and rules[kernel.BURIED] == kernel.BURIED_TO_LAST:
            points += int(kernel.count_points(rules, ending.hands[-1]))
    following = replace(ending, trick=ending.trick + 1, leader=winner, led=kernel.LEADING, called=0, table=())
    return points + minimax(following)


def random_ending(game_id: str, rng: Random) -> tuple[Ending, Vector]:
    """Return an ending of a few cards in which high cards are many, and its state vector."""
    game = GAMES["hundred"]({"buried_points": "last_trick_winner"}) if game_id == PILE_TO_LAST else GAMES[game_id]()
    assert isinstance(game, TricksGame)
    terms, seats = game.terms, game.terms.seats
    size = rng.choice((1, 2, 2) if seats > 4 else (1, 2, 3))
    pack = [*range(52), *cards_in(terms.jokers)]
    weight = [4 if card % 13 >= 9 or card >= 52 or card % 13 < 2 else 1 for card in pack]
    chosen = sorted(pack, key=lambda card: rng.random() ** (1 / weight[card if card < 52 else -1]), reverse=True)
    cards = chosen[: seats * size + 3]
    rng.shuffle(cards)
    hands = [mask_of(cards[place * size : place * size + size]) for place in range(seats)]
    secretary = NO_CARD if game_id == "whist" else rng.choice(cards[: seats * size])
    rules = rules_of_deal(terms, rng.randrange(4), secretary)
    declarer = rng.randrange(seats)
    holder = (declarer + 2) % 4 if secretary == NO_CARD else cards.index(secretary) // size
    state = np.zeros(STATE, np.int64)
    state[DECLARER], state[TRICK], state[LEADER] = declarer, terms.tricks - size, rng.randrange(seats)
    leader, table = int(state[LEADER]), []
    for step in range(rng.randrange(seats)):
        place = (leader + step) % seats
        card = rng.choice(list(cards_in(int(legal_now(rules, state, hands[place])))))
        naming = rng.randrange(4) if kernel.names_suit(rules, card) else -1
        hands[place] ^= 1 << card
        play_card(rules, state, place, card, naming, 0)
        table.append(card)
    ending = Ending(
        rules, declarer, int(endings.side_of(declarer, holder, NOBODY)),
        (*hands, mask_of(cards[seats * size :])), int(state[TRICK]), leader,
        int(state[LED]) if table else kernel.LEADING, int(state[CALLED]) if table else 0, tuple(table),
    )  # fmt: skip
    return ending, state


@pytest.mark.parametrize("game_id", TRICK_GAMES)
def test_the_last_tricks_are_worth_what_trying_everything_says(game_id: str) -> None:
    """Jokers, suits named, cards called, special cards, tricks in progress and what the last one takes among them."""
    memory = endings.new_memory()
    for number in range(POSITIONS):
        ending, state = random_ending(game_id, Random(number))
        expected, hands = minimax(ending), np.array(ending.hands, np.int64)

        assert expected == endings.captured_at_best(ending.rules, state, hands, ending.side, -1, WIDE, memory), number
        assert ending.hands == tuple(hands)


@pytest.mark.parametrize("game_id", TRICK_GAMES)
def test_whether_a_contract_is_made_is_found_without_by_how_much(game_id: str) -> None:
    """A search between two neighbouring numbers tells on which side of them the value lies."""
    for number in range(POSITIONS):
        rng = Random(number)
        ending, state = random_ending(game_id, rng)
        hands = np.array(ending.hands, np.int64)
        floor = rng.randint(0, int(endings.points_left(ending.rules, state, hands)))
        found = endings.captured_at_best(
            ending.rules, state, hands, ending.side, floor, floor + 1, endings.new_memory(16)
        )

        assert (minimax(ending) > floor) == (found > floor), number


def test_both_sides_together_capture_all_that_is_left() -> None:
    """The points that are added are those of the tricks left and of what the last one takes."""
    for number in range(POSITIONS):
        ending, state = random_ending(PILE_TO_LAST, Random(number))
        hands, points = np.array(ending.hands, np.int64), np.zeros(7, np.int64)
        left = int(endings.points_left(ending.rules, state, hands))
        endings.play_best(ending.rules, state, hands, points, ending.side, endings.new_memory())

        assert left == points.sum()
        assert minimax(ending) == points[ending.declarer]


def test_after_the_last_card_its_trick_s_winner_has_what_was_put_back() -> None:
    """A candidate may be the deal's last card: whoever won the last trick leads no more, and his side has the pile."""
    piles = set()
    for number in range(POSITIONS):
        ending, state = random_ending(PILE_TO_LAST, Random(number))
        rules, seats, left = ending.rules, int(ending.rules[SEATS]), np.zeros(len(ending.hands), np.int64)
        left[-1] = ending.hands[-1]
        pile = int(kernel.count_points(rules, left[-1]))
        piles.add(pile)
        state[TRICK], state[COUNT] = rules[TRICKS], 0
        for winner in range(seats):
            state[LEADER], points = winner, np.zeros(7, np.int64)
            ours = ending.side >> winner & 1
            memory = endings.new_memory(16)

            assert endings.captured_at_best(rules, state, left, ending.side, -1, WIDE, memory) == pile * ours
            endings.play_best(rules, state, left, points, ending.side, memory)
            assert points[ending.declarer] == pile * ours
            assert points.sum() == pile
    assert piles > {0}


def test_whist_endings_are_worth_what_dds_says() -> None:
    """Five cards in each hand, in each trump suit and without trumps: tricks of the side that leads."""
    rng, memory = Random(6), endings.new_memory()
    for number in range(60):
        cards, trump, leader = rng.sample(range(52), 20), number % 5, rng.randrange(4)
        hands = [mask_of(cards[place * 5 : place * 5 + 5]) for place in range(4)]
        rules = rules_of_deal(Terms(trick_points=1), trump)
        state = np.zeros(STATE, np.int64)
        state[DECLARER], state[TRICK], state[LEADER], state[COUNT] = leader, 8, leader, 0
        side = 1 << leader | 1 << (leader + 2) % 4

        assert double_dummy.most_tricks(hands, trump, leader, []) == endings.captured_at_best(
            rules, state, np.array([*hands, 0], np.int64), side, -1, WIDE, memory
        )
