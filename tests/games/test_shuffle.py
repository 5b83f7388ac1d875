"""The documented shuffle: fixed values, and a second implementation of the document from hashlib alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.games.cards import cards_text
from junto.games.catalog import open_game
from junto.games.shuffle import SECRET_BYTES, DealSeed, ShuffleError, Stream, commitment

DOCUMENT = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")
HALF = 2**63 + 1
"""A bound for which almost every second word is refused."""


class Example(NamedTuple):
    """A worked example of the document."""

    secret: bytes
    entropy: tuple[bytes, ...]
    commitment: str
    key: str
    words: list[int]
    large: list[int]
    first_bidder: int
    hands: list[str]
    kitty: str


EXAMPLES = {
    "A": Example(
        bytes(32),
        (b"",) * 5,
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        "73fb009c7e0f2f7ef962a74b69f161696967df42c70626fcb7eeddeaae49ac8b",
        [46, 30, 44, 40, 36, 52, 16, 9],
        [4909089980058549280, 3372472013476584212, 55503928341577872],
        1,
        [
            "H4 H6 HJ HQ HK D8 DK CT CJ CA",
            "S5 S7 S9 H2 H9 D2 D5 DJ C2 C4",
            "S2 S4 SQ SA H8 HT D6 D7 CQ RJ",
            "SJ H3 H5 H7 HA DT DQ C3 C5 C7",
            "S3 S6 S8 SK D3 D4 D9 DA C8 CK",
        ],
        "ST C6 C9 BJ",
    ),
    "B": Example(
        bytes(range(32)),
        (b"luck", b"", b"\x00\xff", b"", b"seat 4"),
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        "4e35ae124d0ce8ae3175dcc810f8635e341964a4b148277c0979e28a0bbbd94a",
        [28, 53, 16, 11, 42, 20, 29, 15],
        [7169851502816504396, 7833836937239231611, 8223628357032284420],
        3,
        [
            "S8 ST H7 D3 D7 C2 C5 C8 CJ CQ",
            "S5 SJ SA H3 H4 H5 DJ DQ C4 C7",
            "S6 S9 SQ SK HA D8 D9 C6 C9 CT",
            "S4 S7 H8 HJ D2 D5 DT DK C3 CK",
            "S2 S3 H2 H6 H9 HT HQ HK D6 RJ",
        ],
        "D4 DA CA BJ",
    ),
}
examples = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


# A second implementation, written from the document: nothing but SHA-256.


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def deal_key(secret: bytes, entropy: Sequence[bytes]) -> bytes:
    parts = b"".join(bytes([len(part)]) + part for part in entropy)
    return hmac_sha256(secret, b"junto/shuffle/1" + bytes([len(entropy)]) + parts)


def words(key: bytes, label: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac_sha256(key, label.encode() + b"\0" + counter.to_bytes(4, "big"))
        for start in range(0, 32, 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1


def below(source: Iterator[int], bound: int) -> int:
    usable = 2**64 - 2**64 % bound
    return next(word for word in source if word < usable) % bound


def shuffled(source: Iterator[int], items: Sequence[int]) -> list[int]:
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(source, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@examples
def test_the_examples_of_the_document_hold(example: Example) -> None:
    """Commitment, key, numbers, first bidder and cards are the published ones."""
    seed = DealSeed(example.secret, example.entropy)
    assert example.commitment == seed.commitment
    assert example.key == deal_key(example.secret, example.entropy).hex()
    stream = seed.stream("cards")
    assert example.words == [stream.below(54) for _ in example.words]
    large = seed.stream("large")
    assert example.large == [large.below(HALF) for _ in example.large]
    game = open_game("napoleon-tw")
    deal = game.deal(game.new_match().opened(), seed).deal
    assert example.first_bidder == deal.to_act
    assert example.hands == [cards_text(own.hand) for own in deal.owns]
    dealt = {card for own in deal.owns for card in own.hand}
    assert example.kitty == cards_text(card for card in range(54) if card not in dealt)


@examples
def test_the_document_shows_these_values(example: Example) -> None:
    """Whoever checks another implementation against the document checks it against these tests."""
    for shown in (
        example.commitment,
        example.key,
        ", ".join(map(str, example.words)),
        ", ".join(map(str, example.large)),
        *example.hands,
        example.kitty,
    ):
        assert shown in DOCUMENT


@given(
    st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
    st.lists(st.binary(max_size=32), max_size=7).map(tuple),
    st.sampled_from(("cards", "first-bidder", "x")),
    st.integers(1, 80),
)
def test_a_second_implementation_agrees(secret: bytes, entropy: tuple[bytes, ...], label: str, size: int) -> None:
    """The document suffices to get the same numbers and the same order, in any language that has SHA-256."""
    seed, key = DealSeed(secret, entropy), deal_key(secret, entropy)
    assert shuffled(words(key, label), range(size)) == seed.stream(label).shuffled(range(size))
    ours, theirs = seed.stream(label), words(key, label)
    assert [below(theirs, HALF) for _ in range(12)] == [ours.below(HALF) for _ in range(12)]


def test_every_byte_of_the_seed_counts() -> None:
    """Another secret, other entropy, another seat for it, or another label give another order."""
    seeds = [
        DealSeed(bytes(32), (b"", b"")),
        DealSeed(b"\1" + bytes(31), (b"", b"")),
        DealSeed(bytes(32), (b"\0", b"")),
        DealSeed(bytes(32), (b"", b"\0")),
        DealSeed(bytes(32), (b"",)),
        DealSeed(bytes(32), (b"\0\0",)),
    ]
    orders = [seed.stream(label).shuffled(range(54)) for seed in seeds for label in ("cards", "first-bidder")]
    assert len({tuple(order) for order in orders}) == len(orders)


@given(st.integers(1, 2**64))
def test_a_number_stays_below_its_bound(bound: int) -> None:
    """Numbers are from 0 to the bound, the bound left out."""
    stream = Stream(bytes(32), "x")
    assert all(0 <= stream.below(bound) < bound for _ in range(5))


def test_all_orders_come_equally_often() -> None:
    """Over many seeds each of the six orders of three cards comes about as often as the others."""
    counts: dict[tuple[int, ...], int] = {}
    total = 6000
    for number in range(total):
        order = tuple(DealSeed(number.to_bytes(32, "big"), ()).stream("cards").shuffled(range(3)))
        counts[order] = counts.get(order, 0) + 1
    expected = total / 6
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == 6
    assert chi_square < 20.5  # 5 degrees of freedom: one honest shuffle in a thousand exceeds it, and this one is fixed


def test_a_seed_of_a_wrong_length_is_refused() -> None:
    """A secret has 32 bytes, a seat adds at most 32."""
    with pytest.raises(ShuffleError, match="a secret has 32 bytes, not 31"):
        DealSeed(bytes(31), ())
    with pytest.raises(ShuffleError, match="at most 32 bytes"):
        DealSeed(bytes(32), (b"", bytes(33)))


def test_the_commitment_is_plain_sha256() -> None:
    """Anybody can check the promise with `sha256sum`."""
    assert commitment(b"\7" * 32) == hashlib.sha256(b"\7" * 32).hexdigest()
