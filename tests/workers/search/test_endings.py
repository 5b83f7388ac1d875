"""Our own solver of endings against Bo Haglund's, and what asking for them promises."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from junto.games.cards import mask_of, parse_cards
from junto.games.tricks import kernel
from junto.games.tricks.terms import Terms, rules_of_deal
from junto.search import double_dummy, endings
from junto.search.double_dummy import UnsolvablePosition

ENDINGS = 500
STRAINS = range(5)
FULL = [((1 << 13) - 1) << 13 * suit for suit in range(4)]


def random_ending(rng: Random) -> tuple[list[int], int, list[int]]:
    """Return hands of one to six cards, who led, and up to three cards on the table, each of them legal."""
    size, leader = rng.randint(1, 6), rng.randrange(4)
    cards = rng.sample(range(52), 4 * size)
    hands = [mask_of(cards[place * size : (place + 1) * size]) for place in range(4)]
    trick: list[int] = []
    rules = rules_of_deal(Terms(), 4)
    for step in range(rng.randrange(4)):
        place = (leader + step) % 4
        led = trick[0] // 13 if trick else kernel.LEADING
        legal = kernel.legal_cards(rules, hands[place], led, 0)
        card = rng.choice([card for card in range(52) if legal >> card & 1])
        hands[place] ^= 1 << card
        trick.append(card)
    return hands, leader, trick


def packed(trick: list[int]) -> int:
    return sum(card << 6 * place for place, card in enumerate(trick))


def ours(hands: list[int], trump: int, leader: int, trick: list[int], memory: endings.Table) -> dict[int, int]:
    """Return our tricks by card."""
    tricks = np.zeros(52, np.int64)
    rules = rules_of_deal(Terms(), trump)
    endings.write_tricks(tricks, rules, np.array(hands, np.int64), leader, packed(trick), memory)
    return {card: int(count) for card, count in enumerate(tricks) if count != endings.NOT_PLAYABLE}


def check(numbers: range) -> None:
    memory = endings.new_memory()
    for number in numbers:
        hands, leader, trick = random_ending(Random(number))
        for trump in STRAINS:
            expected = double_dummy.tricks_by_card(hands, trump, leader, trick)

            assert expected == ours(hands, trump, leader, trick, memory), (number, trump)


@pytest.mark.parametrize("batch", range(4))
def test_our_solver_gives_the_tricks_that_dds_gives(batch: int) -> None:
    """Of every card in 500 endings, in each trump suit and in no trumps, tricks in progress among them."""
    size = ENDINGS // 4
    check(range(batch * size, (batch + 1) * size))


@pytest.mark.soak
def test_our_solver_gives_the_tricks_that_dds_gives_in_many_endings() -> None:
    """The same for ten thousand more."""
    check(range(ENDINGS, ENDINGS + 10_000))


def test_the_best_play_takes_the_most_tricks() -> None:
    """The value of a position is the best of its cards', by both solvers."""
    memory = endings.new_memory(64)
    for number in range(50):
        hands, leader, trick = random_ending(Random(number))
        trump = number % 5
        by_card = double_dummy.tricks_by_card(hands, trump, leader, trick)
        rules = rules_of_deal(Terms(), trump)

        assert max(by_card.values()) == double_dummy.most_tricks(hands, trump, leader, trick)
        assert max(by_card.values()) == endings.best_tricks(
            rules, np.array(hands, np.int64), leader, packed(trick), memory
        )


def test_hands_are_left_as_they_were() -> None:
    """The solver takes cards out of the hands while it looks, and puts all of them back."""
    hands, leader, trick = random_ending(Random(11))
    given = np.array(hands, np.int64)
    endings.write_tricks(
        np.zeros(52, np.int64), rules_of_deal(Terms(), 1), given, leader, packed(trick), endings.new_memory()
    )

    assert hands == list(given)


def test_many_worlds_are_solved_at_once() -> None:
    """The answers are those of each world alone, in their order, over more worlds than DDS takes at a time."""
    rng = Random(4)
    worlds = []
    for _ in range(250):
        cards = rng.sample(range(52), 16)
        worlds.append([mask_of(cards[place * 4 : place * 4 + 4]) for place in range(4)])
    tricks = double_dummy.tricks_in_worlds(np.array(worlds, np.int64), 2, 1)

    assert tricks.shape == (250, 52)
    own = np.zeros((250, 52), np.int64)
    rules = rules_of_deal(Terms(), 2)
    endings.write_tricks_in_worlds(own, rules, np.array(worlds, np.int64), 1, 0, endings.new_memory())
    assert (own == tricks).all()
    for world in (0, 1, 199, 200, 249):
        alone = double_dummy.tricks_by_card(worlds[world], 2, 1)
        assert alone == {card: count for card, count in enumerate(tricks[world]) if count != double_dummy.NOT_PLAYABLE}


def test_no_worlds_have_no_answers() -> None:
    """An empty list is no error."""
    assert double_dummy.tricks_in_worlds(np.empty((0, 4), np.int64), 2, 1).shape == (0, 52)


def test_a_whole_deal_is_solved_for_every_declarer() -> None:
    """With a suit in each hand, its holder takes all tricks in it, and in no trumps whoever leads does."""
    tricks = double_dummy.tricks_of_declarers(FULL)

    assert len(tricks) == 20
    for suit in range(4):
        assert [tricks[suit, place] for place in range(4)] == [
            13 if (place - suit) % 2 == 0 else 0 for place in range(4)
        ]
    assert [tricks[4, place] for place in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("hands", "trick", "reason"),
    [
        ("SA,HA,DA", "", "four hands"),
        ("SA,SA,DA,CA", "", "twice"),
        ("HA,DA,CA,SA", "SA", "same number"),
        (",HA,DA,CA", "HA", "twice"),
        ("SA,HA,DA,CA", "H2 H3 H4 H5", "at most three"),
        ("SA,HA,DA,RJ", "", "pack of 52"),
        ("SA SK,HA,DA,CA", "", "same number of cards"),
        ("SA,HA,DA,CA", "S2", "same number of cards"),
        (",,,", "", "1 to 13"),
    ],
)
def test_what_is_no_position_is_refused(hands: str, trick: str, reason: str) -> None:
    """A wrong position is told from one without tricks; the solver does not get to see it."""
    masks = [mask_of(parse_cards(hand)) for hand in hands.split(",")]

    with pytest.raises(UnsolvablePosition, match=reason):
        double_dummy.tricks_by_card(masks, 4, 0, parse_cards(trick))
