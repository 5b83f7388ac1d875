"""Cards, enum numbers and actions on the wire."""

from __future__ import annotations

from enum import IntEnum

import protovalidate
import pytest
from google.protobuf import text_format
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from hypothesis import given

from junto.games import actions, cards, events, view
from junto.v1 import actions_pb2, cards_pb2, views_pb2
from junto.wire.actions import read_action, write_action
from junto.wire.cards import CARDS, STRAINS, SUITS, read_card, read_cards, read_strain, read_suit, write_cards
from junto.wire.errors import WireError

from .values import ACTIONS

RANK_NAMES = ["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE"]
SUIT_NAMES = ["SPADE", "HEART", "DIAMOND", "CLUB"]


@pytest.mark.parametrize(
    ("domain", "wire", "prefix"),
    [
        (view.Phase, actions_pb2.Phase, "PHASE_"),
        (view.Role, views_pb2.Role, "ROLE_"),
        (view.Outcome, views_pb2.Outcome, "OUTCOME_"),
        (view.Doubling, views_pb2.Doubling, "DOUBLING_"),
        (events.Zone, cards_pb2.Zone, "ZONE_"),
    ],
)
def test_closed_sets_have_the_same_names_and_numbers(domain: type[IntEnum], wire: EnumTypeWrapper, prefix: str) -> None:
    """A number of the domain is the number of the API's value of the same name, and 0 is unspecified."""
    here = {f"{prefix}{member.name}": member.value for member in domain}
    assert here | {f"{prefix}UNSPECIFIED": 0} == dict(wire.items())


def test_a_card_has_its_name_and_its_number() -> None:
    """The text form of a card and the name of the API's value agree for all 54."""
    for card, number in enumerate(CARDS):
        name = cards_pb2.Card.Name(number)
        if card < 52:
            suit, rank = divmod(card, 13)
            assert name == f"CARD_{SUIT_NAMES[suit]}_{RANK_NAMES[rank]}"
            assert cards.card_text(card) == cards.SUITS[suit] + cards.RANKS[rank]
        else:
            assert (cards.card_text(card), name) in {("BJ", "CARD_SMALL_JOKER"), ("RJ", "CARD_BIG_JOKER")}
    assert dict(cards_pb2.Card.items()).keys() - {cards_pb2.Card.Name(n) for n in CARDS} == {"CARD_UNSPECIFIED"}


def test_suits_and_strains_are_in_the_order_of_the_domain() -> None:
    """Suit and strain numbers are the domain's, and one."""
    assert [cards_pb2.Suit.Name(suit)[5] for suit in SUITS] == list(cards.SUITS)
    assert [cards_pb2.Strain.Name(strain)[7] for strain in STRAINS[:4]] == list(cards.SUITS)
    assert cards_pb2.Strain.Name(STRAINS[cards.NO_TRUMP]) == "STRAIN_NO_TRUMP"


@given(ACTIONS)
def test_an_action_comes_back(action: actions.Action) -> None:
    """Every action survives the wire, and what comes back has a text form that parses to it."""
    message = actions_pb2.Action.FromString(write_action(action).SerializeToString())
    assert read_action(message) == action
    climbing = isinstance(action, actions.PlayCards)
    assert actions.parse(actions.text(action), combination=climbing) == action


def test_every_kind_of_action_has_a_domain_action() -> None:
    """There is no kind in the API that the domain lacks, nor the other way round."""
    kinds = {field.name for field in actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields}
    samples = [
        *actions._WORDS.values(), actions.Bid(1), actions.ChooseTrump(0), actions.Discard((1,)), actions.CallCard(1),
        actions.Play(1), actions.PlayCards((1,)), actions.ShowCards(1, 3), actions.Claim(1),
    ]  # fmt: skip
    assert {write_action(action).WhichOneof("kind") for action in samples} == kinds
    assert len(samples) == len(kinds)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "kind is not set"),
        ("play_card {}", "no card with the number 0"),
        ("play_card { card: 55 }", "no card with the number 55"),
        ("play_card { card: -1 }", "no card with the number -1"),
        ("play_card { card: CARD_BIG_JOKER named_suit: SUIT_UNSPECIFIED }", "no suit with the number 0"),
        ("play_card { card: CARD_BIG_JOKER named_suit: 5 }", "no suit with the number 5"),
        ("play_card { card: CARD_BIG_JOKER calls: [1, 0] }", "no card with the number 0"),
        ("play_combination {}", "at least one card"),
        ("play_combination { cards: [3, 99] }", "no card with the number 99"),
        ("bid { amount: -3 }", "amount is not -3"),
        ("bid { amount: 3 strain: 6 }", "no strain with the number 6"),
        ("choose_trump {}", "no suit with the number 0"),
        ("discard { cards: [0] }", "no card with the number 0"),
        ("call_card {}", "no card with the number 0"),
        ("show_cards { card: CARD_HEART_NINE count: 2 }", "3 or 4 copies"),
        ("show_cards { count: 3 }", "no card with the number 0"),
        ("claim { tricks: -1 }", "number of tricks is not -1"),
    ],
)
def test_an_action_that_names_nothing_is_refused(text: str, complaint: str) -> None:
    """What the domain cannot express raises an error that says which part; the API's constraints refuse it too."""
    message = text_format.Parse(text, actions_pb2.Action())
    with pytest.raises(WireError, match=complaint):
        read_action(message)
    with pytest.raises(protovalidate.ValidationError):
        protovalidate.validate(message)


@pytest.mark.parametrize("number", [0, -1, 55, 2**31 - 1])
def test_no_number_outside_the_pack_is_a_card(number: int) -> None:
    """A card's number is read only if the card exists, alone and in a list."""
    with pytest.raises(WireError):
        read_card(number)
    with pytest.raises(WireError):
        read_cards([1, number, 2])


def test_the_whole_pack_comes_back() -> None:
    """All cards survive, in their order; so do suits and strains."""
    pack = tuple(reversed(range(cards.PACK)))
    assert read_cards(write_cards(pack)) == pack
    assert [read_suit(suit) for suit in SUITS] == [0, 1, 2, 3]
    assert [read_strain(strain) for strain in (0, *STRAINS)] == [None, 0, 1, 2, 3, 4]
