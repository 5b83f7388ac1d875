"""What a player may type, and what it means."""

from __future__ import annotations

import pytest

from junto.cli.controls import NotUnderstood, Word, asked, read_line
from junto.games.actions import (
    Action,
    AgreeToClaim,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    Discard,
    DoubleBid,
    Pass,
    Play,
    RedoubleBid,
    RefuseClaim,
)
from junto.games.cards import parse_card, parse_cards
from junto.games.view import Choices, DiscardChoice, LeadCall, Phase, PlayChoice, Prompt

AUCTION = Prompt(0, Phase.AUCTION, Choices(passing=True, bids=tuple(map(Bid, range(12, 17)))))
BRIDGE = Prompt(
    0,
    Phase.AUCTION,
    Choices(passing=True, bids=(Bid(1, 4), *(Bid(7, suit) for suit in range(5))), doubling=True, redoubling=True),
)
DUMMY = Prompt(0, Phase.PLAY, Choices(play=PlayChoice(2, parse_cards("C4 ST"), 3), claim_up_to=6))
CLAIMED = Prompt(1, Phase.PLAY, Choices(answering_claim=True))
TRUMP = Prompt(0, Phase.TRUMP, Choices(trumps=(0, 1, 2, 3)))
EXCHANGE = Prompt(0, Phase.EXCHANGE, Choices(discard=DiscardChoice(4, parse_cards("S3 D4 C5 C6 SA"), (12,))))
CALL = Prompt(0, Phase.CALL, Choices(callable=parse_cards("SA HA")))
LEAD = Prompt(
    0,
    Phase.PLAY,
    Choices(
        play=PlayChoice(
            0,
            parse_cards("C4 D3 HT RJ"),
            naming=parse_cards("RJ"),
            calls=(LeadCall(parse_card("BJ"), parse_cards("D3")),),
        )
    ),
)


@pytest.mark.parametrize(
    ("prompt", "line", "action"),
    [
        (AUCTION, "bid 12", Bid(12)),
        (AUCTION, "  Bid 13 ", Bid(13)),
        (AUCTION, "14", Bid(14)),
        (AUCTION, "pass", Pass()),
        (AUCTION, "P", Pass()),
        (BRIDGE, "bid 1NT", Bid(1, 4)),
        (BRIDGE, "1nt", Bid(1, 4)),
        (BRIDGE, "1 n", Bid(1, 4)),
        (BRIDGE, "4♥", Bid(4, 1)),
        (BRIDGE, "4 spades", Bid(4, 0)),
        (BRIDGE, "double", DoubleBid()),
        (BRIDGE, "X", DoubleBid()),
        (BRIDGE, "xx", RedoubleBid()),
        (DUMMY, "1", Play(parse_card("ST"))),
        (DUMMY, "claim 5", Claim(5)),
        (CLAIMED, "agree", AgreeToClaim()),
        (CLAIMED, "yes", AgreeToClaim()),
        (CLAIMED, "no", RefuseClaim()),
        (TRUMP, "trump H", ChooseTrump(1)),
        (TRUMP, "h", ChooseTrump(1)),
        (TRUMP, "♦", ChooseTrump(2)),
        (TRUMP, "clubs", ChooseTrump(3)),
        (TRUMP, "trump hearts", ChooseTrump(1)),
        (EXCHANGE, "discard S3 D4 C5 C6", Discard(parse_cards("S3 D4 C5 C6"))),
        (EXCHANGE, "s3, d4, c5, c6", Discard(parse_cards("S3 D4 C5 C6"))),
        (CALL, "call SA", CallCard(parse_card("SA"))),
        (CALL, "ha", CallCard(parse_card("HA"))),
        (LEAD, "play HT", Play(parse_card("HT"))),
        (LEAD, "ht", Play(parse_card("HT"))),
        (LEAD, "♥T", Play(parse_card("HT"))),
        (LEAD, "2", Play(parse_card("HT"))),
        (LEAD, "play RJ naming D", Play(parse_card("RJ"), naming=2)),
        (LEAD, "rj d", Play(parse_card("RJ"), naming=2)),
        (LEAD, "RJ naming Diamonds", Play(parse_card("RJ"), naming=2)),
        (LEAD, "1 naming S", Play(parse_card("RJ"), naming=0)),
        (LEAD, "D3 call BJ", Play(parse_card("D3"), calls=(parse_card("BJ"),))),
        (LEAD, "play HA", Play(parse_card("HA"))),
    ],
)
def test_a_line_means_an_action(prompt: Prompt, line: str, action: Action) -> None:
    """Text forms and shorter words are read alike; whether the action is legal is the server's to say."""
    assert read_line(line, prompt) == action


@pytest.mark.parametrize(
    ("line", "word"), [("hint", Word.HINT), ("?", Word.HELP), ("explain", Word.EXPLAIN), ("QUIT", Word.QUIT)]
)
def test_some_words_are_no_actions(line: str, word: Word) -> None:
    """Hints, help and the end can be asked for at every prompt."""
    assert all(read_line(line, prompt) is word for prompt in (AUCTION, TRUMP, EXCHANGE, CALL, LEAD))


@pytest.mark.parametrize(
    ("prompt", "line", "says"),
    [
        (AUCTION, "", "you may pass, or bid 12 to 16"),
        (AUCTION, "twelve", "'twelve' is not understood; you may pass, or bid 12 to 16"),
        (BRIDGE, "4Z", "you may pass, or bid 1NT to 7NT, or double, or redouble"),
        (CLAIMED, "perhaps", "you may agree to the claim, or refuse it"),
        (TRUMP, "X", "S for spades"),
        (EXCHANGE, "S3 D44", "put back 4 cards"),
        (LEAD, "5", "there is no card number 5"),
        (LEAD, "RJ", "say which suit"),
        (LEAD, "HT naming", "is not understood"),
    ],
)
def test_a_line_that_means_nothing_is_answered_with_what_would(prompt: Prompt, line: str, says: str) -> None:
    """Nobody is left with a bare "error"."""
    with pytest.raises(NotUnderstood) as refusal:
        read_line(line, prompt)

    assert says in str(refusal.value)


def test_each_prompt_says_what_it_asks_for() -> None:
    """What may be done is said in one line, playable cards with their numbers."""
    assert "play from the open hand 1:♠T  2:♣4, or claim 0 to 6 tricks" in asked(DUMMY)
    assert "call one of ♠A   ♥A" in asked(CALL)
    assert "1:RJ  2:♥T  3:♦3  4:♣4" in asked(LEAD)
    assert "each of ♠A raises the contract" in asked(EXCHANGE)
