"""Cards, actions and their text forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.games import actions
from junto.games.actions import (
    AcceptOffer,
    Action,
    ActionError,
    AgreeToClaim,
    ApplyForLead,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
)
from junto.games.cards import PACK, CardError, card_text, cards_in, cards_text, mask_of, parse_card, parse_cards

CARDS = st.integers(0, PACK - 1)
SUITS = st.integers(0, 3)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from(
        (
            Pass(), DoubleBid(), RedoubleBid(), AcceptOffer(), DeclineOffer(), ApplyForLead(), AgreeToClaim(),
            RefuseClaim(),
        )
    ),
    st.builds(Bid, st.integers(0, 999), st.none() | st.integers(0, 4)),
    st.builds(ChooseTrump, SUITS),
    st.builds(Discard, st.lists(CARDS).map(tuple)),
    st.builds(CallCard, CARDS),
    st.builds(Play, CARDS, st.none() | SUITS, st.lists(CARDS, max_size=2, unique=True).map(tuple)),
    st.builds(ShowCards, CARDS, st.sampled_from((3, 4))),
    st.builds(Claim, st.integers(0, 27)),
)  # fmt: skip


def test_every_card_has_its_own_text_and_the_text_names_it() -> None:
    """54 cards have 54 texts, which parse back."""
    texts = [card_text(card) for card in range(PACK)]
    assert len(set(texts)) == PACK
    assert list(range(PACK)) == [parse_card(text) for text in texts]
    assert tuple(map(card_text, (0, 12, 13, 51, 52, 53))) == ("S2", "SA", "H2", "CA", "BJ", "RJ")


@pytest.mark.parametrize("text", ["", "S", "S1", "s2", "2S", "S10", "JR", "SA ", "NT"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """Only the exact text names a card, and the error repeats what was said."""
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


@given(st.lists(CARDS))
def test_lists_of_cards_parse_back(cards: list[int]) -> None:
    """A list keeps its order and its repetitions."""
    assert tuple(cards) == parse_cards(cards_text(cards))


@given(st.sets(CARDS))
def test_a_set_of_bits_is_the_set_of_its_cards(cards: set[int]) -> None:
    """Bits and cards are inverse to each other, lowest card first, and fit in a non-negative int64."""
    assert sorted(cards) == list(cards_in(mask_of(cards)))
    assert 0 <= mask_of(cards) < 1 << 63


@given(ACTIONS)
def test_actions_parse_back(action: Action) -> None:
    """The text form of every action is read as the same action."""
    assert action == actions.parse(actions.text(action))


@given(st.lists(CARDS, min_size=1).map(tuple).map(PlayCards))
def test_combinations_parse_back(action: PlayCards) -> None:
    """In a climbing game one card is a combination, too."""
    assert action == actions.parse(actions.text(action), combination=True)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Pass()),
        ("bid 13", Bid(13)),
        ("bid 13S", Bid(13, 0)),
        ("bid 1NT", Bid(1, 4)),
        ("trump H", ChooseTrump(1)),
        ("discard S3 D4 C5 C6", Discard((1, 28, 42, 43))),
        ("call SA", CallCard(12)),
        ("play HT", Play(21)),
        ("play RJ naming D", Play(53, 2)),
        ("play D3 call RJ", Play(27, None, (53,))),
        ("play D3 call SA call RJ", Play(27, None, (12, 53))),
        ("show3 H9", ShowCards(20, 3)),
        ("claim 5", Claim(5)),
    ],
)
def test_the_published_text_forms(text: str, action: Action) -> None:
    """The forms that the documentation names are read and written as it says."""
    assert action == actions.parse(text)
    assert text == actions.text(action)


@pytest.mark.parametrize(
    "text",
    [
        "", "pas", "pass now", "bid", "bid x", "bid -3", "bid 3X", "bid ١٢", "trump", "trump NT", "trump HS", "call",
        "call X", "play", "play XX", "play RJ naming", "play RJ naming X", "play RJ naming D naming S", "play D3 call",
        "play D3 shout RJ", "claim", "claim five", "show5 H9", "discard X",
    ],
)  # fmt: skip
def test_what_is_no_action_is_refused(text: str) -> None:
    """Anything else is refused in words, never with another error."""
    with pytest.raises(ActionError, match="is not an action"):
        actions.parse(text)


@given(st.text(max_size=40))
def test_parsing_never_fails_in_another_way(text: str) -> None:
    """Whatever is typed is an action or an ActionError."""
    try:
        action = actions.parse(text)
    except ActionError:
        return
    assert action == actions.parse(actions.text(action))


@given(st.lists(CARDS, min_size=1))
def test_the_order_in_which_cards_are_named_means_nothing(cards: list[int]) -> None:
    """Discards and combinations are equal however their cards are listed."""
    assert Discard(tuple(cards)) == Discard(tuple(reversed(cards)))
    assert PlayCards(tuple(cards)) == PlayCards(tuple(sorted(cards)))
