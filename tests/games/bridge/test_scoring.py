"""What contracts are worth, and what follows from a board's number (docs/games/bridge.md)."""

from __future__ import annotations

import pytest

from junto.games.bridge.scoring import board_dealer, board_vulnerability, is_vulnerable, score
from junto.games.cards import STRAINS
from junto.games.view import Vulnerability

NOT, VUL = 0, 1
PLAIN, X, XX = range(3)


def worth(contract: str, vulnerable: int, tricks: int, *, slam_taken: int = 0) -> int:
    """Return the score of a contract as players write it: `4S`, `2Hx`, `1NTxx`."""
    strain = contract[1:].rstrip("x")
    doubled = contract.count("x")
    return score(int(contract[0]), STRAINS.index(strain), doubled, vulnerable, tricks, slam_taken)


MADE = [
    ("4S", NOT, 10, 420), ("2Hx", NOT, 8, 470), ("1NTxx", VUL, 7, 760), ("6NT", VUL, 12, 1440), ("3NT", NOT, 9, 400),
    ("3NT", VUL, 9, 600), ("5C", NOT, 11, 400), ("5C", VUL, 11, 600), ("1NT", NOT, 7, 90), ("1NT", VUL, 7, 90),
    ("7NTxx", VUL, 13, 2980), ("1C", NOT, 7, 70), ("2D", VUL, 8, 90), ("2S", NOT, 10, 170), ("3NT", VUL, 11, 660),
    ("2Cx", NOT, 8, 180), ("2Cxx", NOT, 8, 560), ("1NTx", VUL, 8, 380), ("1NTxx", NOT, 8, 760), ("6S", NOT, 12, 980),
    ("6S", VUL, 12, 1430), ("6D", NOT, 13, 940), ("7C", NOT, 13, 1440), ("7C", VUL, 13, 2140), ("7NT", NOT, 13, 1520),
    ("4Sx", VUL, 12, 1190), ("1Cxx", NOT, 13, 1430), ("1Cxx", VUL, 13, 2630), ("4S", NOT, 13, 510),
]  # fmt: skip
DOWN = [
    ("3NTx", NOT, 6, -500), ("4Sx", VUL, 6, -1100), ("4S", NOT, 9, -50), ("4S", VUL, 9, -100), ("7NT", NOT, 0, -650),
    ("7NT", VUL, 0, -1300), ("1Cx", NOT, 6, -100), ("1Cx", NOT, 5, -300), ("1Cx", NOT, 4, -500), ("1Cx", NOT, 3, -800),
    ("1Cx", VUL, 6, -200), ("1Cx", VUL, 5, -500), ("1Cx", VUL, 4, -800), ("1Cxx", NOT, 6, -200),
    ("1Cxx", VUL, 5, -1000), ("7NTx", NOT, 0, -3500), ("7NTx", VUL, 0, -3800), ("7NTxx", VUL, 0, -7600),
]  # fmt: skip


@pytest.mark.parametrize(("contract", "vulnerable", "tricks", "points"), MADE + DOWN)
def test_a_contract_is_worth_what_law_77_says(contract: str, vulnerable: int, tricks: int, points: int) -> None:
    """Contracts that are just made, made with overtricks and down, in every doubling."""
    assert points == worth(contract, vulnerable, tricks)


@pytest.mark.parametrize(
    ("contract", "tricks", "points"),
    [("4S", 11, 450), ("4S", 12, 980), ("4S", 13, 1510), ("6S", 12, 980), ("6S", 13, 1510), ("1C", 13, 1190)],
)
def test_a_slam_that_is_only_taken_counts_where_the_table_says_so(contract: str, tricks: int, points: int) -> None:
    """With the literal reading 12 and 13 tricks earn the bonus, whatever was bid."""
    assert points == worth(contract, NOT, tricks, slam_taken=1)


def test_a_slam_that_goes_down_earns_no_bonus() -> None:
    """Twelve tricks in a grand slam are one short, whatever the table says of slams."""
    assert [worth("7S", NOT, 12, slam_taken=taken) for taken in (0, 1)] == [-50, -50]


def test_doubling_raises_what_is_at_stake() -> None:
    """Of one number of tricks, a double makes more of a plus and of a minus; so does a redouble."""
    for strain in range(5):
        for level in range(1, 8):
            for tricks in range(14):
                for vulnerable in (NOT, VUL):
                    points = [abs(score(level, strain, doubled, vulnerable, tricks, 0)) for doubled in (PLAIN, X, XX)]

                    assert points == sorted(set(points))


def test_another_trick_is_always_worth_more() -> None:
    """A score rises with every trick."""
    for strain in range(5):
        for level in range(1, 8):
            for doubled in (PLAIN, X, XX):
                for taken in (0, 1):
                    points = [score(level, strain, doubled, VUL, tricks, taken) for tricks in range(14)]

                    assert points == sorted(set(points))


def test_vulnerability_repeats_every_16_boards() -> None:
    """The order of the Laws: who is vulnerable moves on by one with each dealer's turn."""
    none, ns, ew, both = Vulnerability
    expected = [none, ns, ew, both, ns, ew, both, none, ew, both, none, ns, both, none, ns, ew]

    assert expected * 2 == [board_vulnerability(board) for board in range(1, 33)]


def test_dealers_take_turns() -> None:
    """North deals the first board, then clockwise."""
    assert [board_dealer(board) for board in range(1, 6)] == [0, 1, 2, 3, 0]


def test_a_side_is_vulnerable_together() -> None:
    """North-South are seats 0 and 2."""
    vulnerable = {who: [is_vulnerable(who, seat) for seat in range(4)] for who in Vulnerability}

    assert vulnerable == {
        Vulnerability.NONE: [False] * 4,
        Vulnerability.NORTH_SOUTH: [True, False] * 2,
        Vulnerability.EAST_WEST: [False, True] * 2,
        Vulnerability.BOTH: [True] * 4,
    }
