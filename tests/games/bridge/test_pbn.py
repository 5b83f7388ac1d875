"""Boards in PBN: read, played by the rules of bridge, and written again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.games.playing import first_deal, play_out

from junto.games.actions import AgreeToClaim, Bid, Claim, DoubleBid, Pass, Play
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.pbn import Board
from junto.games.bridge.pbn_play import board_of, essence, named, play_board
from junto.games.bridge.pbn_reading import read_pbn
from junto.games.bridge.pbn_text import PbnError, games_of
from junto.games.bridge.pbn_writing import write_pbn
from junto.games.cards import NO_TRUMP, SPADES, mask_of
from junto.games.view import Doubling, Outcome, Phase, Vulnerability

SHARED = Path(__file__).parents[4] / "shared" / "pbn"
FILES = sorted(SHARED.glob("*.pbn")) if SHARED.is_dir() else []

DEAL = "AKQJ.AKQ.AKQ.AKQ T98.JT9.JT9.JT98 765.876.876.7654 432.5432.5432.32"
"""North has 13 tricks from the top in spades and in no trumps."""
HEAD = f"""[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:{DEAL}"]
"""
GRAND = """[Contract "7S"]
[Declarer "N"]
[Result "13"]
[Auction "N"]
7S Pass Pass Pass
[Play "E"]
ST S5 S2 SA
S9 S6 S3 SK
*
"""


def board(text: str) -> Board:
    (found,) = read_pbn(text)
    return found


def test_a_board_comes_in_and_goes_out_again() -> None:
    """What is read is what is written, and what is written is read as the same."""
    grand = board(HEAD + GRAND)

    assert grand.vulnerability is Vulnerability.NONE
    assert (grand.number, grand.dealer, grand.declarer, grand.result) == (1, 0, 0, 13)
    assert (grand.bid, grand.doubling) == (Bid(7, SPADES), Doubling.NONE)
    assert grand == board(write_pbn([grand]))
    assert write_pbn([grand]) == write_pbn(read_pbn(write_pbn([grand])))


def test_a_recorded_board_is_played_by_the_rules() -> None:
    """Auction, opening lead and two tricks are played; the rest is settled by the result, and told as it was."""
    grand = board(HEAD + GRAND)
    played = play_board(grand)

    assert played.deal.scores == (1510, -1510, 1510, -1510)
    assert played.actions[:5] == (Bid(7, SPADES), Pass(), Pass(), Pass(), Play(8))
    assert played.settled == 11
    assert played.remarks == ()
    assert essence(board_of(played.deal)) == essence(grand)


def test_a_rest_that_declarer_could_claim_is_claimed() -> None:
    """Declarer is on lead after the last trick that is told: he claims, and both defenders agree."""
    assert play_board(board(HEAD + GRAND)).actions[-3:] == (Claim(11), AgreeToClaim(), AgreeToClaim())


def test_a_rest_that_begins_in_a_trick_is_settled_too() -> None:
    """A play may stop in a trick, or with a defender to lead: the result decides."""
    partly = board(HEAD + GRAND.replace("S9 S6 S3 SK", "-  -  -  SK"))
    played = play_board(partly)

    assert played.settled == 12
    assert played.deal.is_over
    assert played.deal.scores == (1510, -1510, 1510, -1510)
    assert essence(board_of(played.deal)) == essence(partly)


def test_a_deal_alone_stands_before_its_auction() -> None:
    """A file of deals needs neither auction nor contract."""
    deal = play_board(board(HEAD)).deal

    assert deal.phase is Phase.AUCTION
    assert deal.to_act == 0
    assert essence(board_of(deal)) == essence(board(HEAD))


def test_a_contract_without_an_auction_is_reached_the_shortest_way() -> None:
    """It is said that the auction was not told; doubles come from the left."""
    doubled = board(HEAD + '[Contract "3NTXX"]\n[Declarer "S"]\n')
    played = play_board(doubled)

    assert played.deal.contract.bid == Bid(3, NO_TRUMP)
    assert played.deal.contract.doubling is Doubling.REDOUBLED
    assert played.deal.contract.declarer == 2
    assert played.actions[:4] == (Pass(), Pass(), Bid(3, NO_TRUMP), DoubleBid())
    assert ["the auction is not told" in text for _, text in played.remarks] == [True]


def test_a_passed_out_board_is_scored_with_nothing() -> None:
    """`Pass` as the contract, four passes or `AP`."""
    for calls in ("Pass Pass Pass Pass", "AP", "pass pass AP"):
        played = play_board(board(HEAD + f'[Contract "Pass"]\n[Declarer ""]\n[Auction "N"]\n{calls}\n'))

        assert played.deal.shared.result is not None
        assert played.deal.shared.result.outcome is Outcome.DRAWN
        assert board_of(played.deal).passed_out


def test_notes_marks_and_other_tags_are_kept() -> None:
    """Notes stand with their section, marks with their call, tables with their tag; comments are dropped."""
    text = (
        '% a line that is escaped\n[Event "Our \\"club\\""]\n[West "W"]\n' + HEAD + ";a comment\n"
        '[Auction "N"]\n7S! =1= Pass $2 {of course {what else?}} Pass Pass\n[Note "1:all of them"]\n'
        '[ScoreTable "Rank\\2R;Name"]\n 1 "A; B" ; said later\n 2 C\n[Room "Open"]\n'
    )
    kept = board(text)

    assert kept.auction is not None
    assert [said.remarks for said in kept.auction.calls] == [("!", "=1="), ("$2",), (), ()]
    assert kept.auction.notes == ("1:all of them",)
    assert kept.tag("Event") == 'Our "club"'
    assert [row.text for tag in kept.tags for row in tag.rows] == ['1 "A; B"', "2 C"]
    assert kept == board(write_pbn([kept]))
    assert '[ScoreTable "Rank\\2R;Name"]' in write_pbn([kept])


def test_a_hand_that_is_not_told_has_the_rest() -> None:
    """One hand may be a dash; suits may be empty; ten may be written as 10."""
    whole, parted = board(HEAD), board(HEAD.replace("432.5432.5432.32", "-").replace("T98.", "1098."))

    assert whole.hands == parted.hands


def test_a_value_can_be_that_of_the_game_before() -> None:
    """`#` stands for it, `##` begins one."""
    first, second = read_pbn('[Event "##Cup"]\n' + HEAD + '\n[Event "#"]\n' + HEAD)

    assert first.tag("Event") == second.tag("Event") == "Cup"


@pytest.mark.parametrize("between", ["\n", ""])
def test_games_are_told_apart(between: str) -> None:
    """By an empty line, or because Board or Deal comes again; an empty line within a game does not part it."""
    assert len(read_pbn(HEAD + between + HEAD)) == 2
    assert len(read_pbn(HEAD + "\n" + GRAND)) == 1
    assert read_pbn("") == read_pbn("% nothing\n\n") == []


def test_a_board_number_that_does_not_fit_is_replaced() -> None:
    """Dealer and vulnerability decide; another board has both, and it is said which."""
    played = play_board(board(HEAD.replace('"N"', '"E"').replace('"None"', '"All"')))

    assert played.deal.shared.number == 10
    assert played.deal.to_act == 1
    assert played.remarks == ((1, "dealer and vulnerability are not those of board 1 but of 10"),)


def test_what_cannot_be_used_is_said_with_its_line() -> None:
    """A second tag, a line that belongs to no section, missing passes, cards after a gap, a score that is not ours."""
    text = (
        HEAD
        + 'whatever\n[Score "NS 5"]\n[Score "NS 6"]\n'
        + GRAND.replace("7S Pass Pass Pass", "7S").replace("S9 S6 S3 SK", "S9 S6 S3 -")
    )
    remarks = play_board(board(text)).remarks
    expected = ("second Score", "'whatever' is ignored", "last passes", "3 cards", "NS 1510")

    assert [line for line, _ in remarks] == [7, 5, 11, 15, 6]
    assert all(part in remark for part, (_, remark) in zip(expected, remarks, strict=True))


def test_boards_come_in_whatever_the_order_of_their_tags() -> None:
    """They go out in export order, and are equal all the same."""
    turned = [*reversed(HEAD.splitlines()), '[Room "Open"]', '[Site "Here"]', '[Event "Cup"]']

    assert board("\n".join(turned)) == board(write_pbn([board("\n".join(turned))]))
    assert board("\n".join(turned)).hands == board(HEAD).hands


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('[Board "1"]', "[Board 1]", 1, "no tag"),
        ('[Board "1"]', "Board 1", 1, "belongs to no tag"),
        ('[Board "1"]', "{ no end", 1, "not closed"),
        ('"N:AKQJ', '"Q:AKQJ', 4, "a seat, a colon and four hands"),
        ("AKQJ.AKQ.AKQ.AKQ", "AKQJ.AKQ.AKQ", 4, "four suits"),
        ("AKQJ.AKQ.AKQ.AKQ", "AKQJ.AKQ.AKQ.AK", 4, "N has 12 cards"),
        ("AKQJ.AKQ.AKQ.AKQ", "AKQT.AKQ.AKQ.AKQ", 4, "ST is dealt twice"),
        ("AKQJ.AKQ.AKQ.AKQ", "AKQY.AKQ.AKQ.AKQ", 4, "'SY' is no card"),
        ('"None"', '"Sometimes"', 3, "Vulnerable must be"),
        ('[Dealer "N"]', '[Dealer "Z"]', 2, "Dealer must be N, E, S or W"),
        ('"7S"', '"8S"', 5, "no contract"),
        ('"7S"', '"6S"', 5, "leads to 7S"),
        ('[Declarer "N"]', '[Declarer "S"]', 6, "N declares"),
        ('"13"', '"14"', 7, "0 to 13"),
        ('"13"', '"1"', 7, "2 were taken, 11 are left"),
        ('"13"', '"many"', 7, "no number of tricks"),
        ('[Auction "N"]', '[Auction "E"]', 8, "E cannot call first"),
        ('[Auction "N"]', '[Auction ""]', 8, "does not say who calls first"),
        ("7S Pass Pass", "7S 6S Pass", 9, "higher than 7S"),
        ("7S Pass Pass", "7S maybe Pass", 9, "no call"),
        ("7S Pass Pass", "7S AP Pass", 9, "after AP"),
        ("7S Pass Pass", "! 7S Pass", 9, "belongs behind"),
        ("7S Pass Pass", "7S ^S Pass", 9, "irregularity"),
        ('[Play "E"]', '[Play "S"]', 10, "E leads, not S"),
        ('[Play "E"]', '[Play ""]', 10, "does not say who leads"),
        ("ST S5 S2 SA", "H9 H6 H2 SA", 11, "follow hearts"),
        ("ST S5 S2 SA", "SA S5 S2 ST", 11, "not in"),
    ],
)  # fmt: skip
def test_what_is_broken_is_refused_with_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    """Whatever is wrong, a message says on which line and why."""
    text = HEAD + GRAND
    assert old in text

    with pytest.raises(PbnError, match=reason) as refused:
        play_board(board(text.replace(old, new, 1)))
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")


def test_a_game_without_a_deal_is_refused() -> None:
    """There is nothing to play."""
    with pytest.raises(PbnError, match="without a Deal"):
        read_pbn('[Event "x"]\n[Dealer "N"]\n[Vulnerable "None"]\n')


def test_deals_of_ours_go_out_and_come_in_again() -> None:
    """Random deals, claimed ones among them: written, read and played, they end with the same scores."""
    game = Bridge({"first_caller": "dealer"})
    claimed = 0
    for number in range(60):
        rng = Random(number)
        end = play_out(first_deal(game, rng), rng)[0][-1].deal
        assert isinstance(end, BridgeDeal)
        told = board_of(end)
        again = play_board(board(write_pbn([told])))

        assert again.deal.scores == end.scores
        assert essence(again.board) == essence(told) == essence(board_of(again.deal))
        assert again.remarks == ()
        claimed += again.settled is not None
    assert claimed


def test_a_first_call_by_the_dealers_partner_is_told_as_the_dealers() -> None:
    """PBN knows no other: who called first is called the dealer."""
    rng = Random(1)
    end = play_out(first_deal(Bridge(), rng), rng)[0][-1].deal
    assert isinstance(end, BridgeDeal)
    told = board_of(end)

    assert told.dealer == 2
    assert told.auction is not None
    assert told.auction.first == 2
    assert play_board(told).deal.scores == end.scores


def test_a_board_can_be_given_names() -> None:
    """Tags that are given replace those that are there; empty ones are none."""
    grand = named(board(HEAD + GRAND), Event="Cup", North="Ann", South="")

    assert [(tag.name, tag.value) for tag in grand.tags] == [("Event", "Cup"), ("North", "Ann")]
    assert named(grand, Event="Other").tag("Event") == "Other"
    assert replace(grand, tags=()) == board(HEAD + GRAND)


def test_hands_are_those_of_the_deal() -> None:
    """The first hand of a Deal is that of the seat it names."""
    turned = HEAD.replace(f"N:{DEAL}", "E:" + " ".join([*DEAL.split()[1:], DEAL.split(maxsplit=1)[0]]))

    assert board(turned).hands == board(HEAD).hands
    assert mask_of(board(HEAD).hands[0]).bit_count() == 13


@pytest.mark.skipif(not FILES, reason="the public files are not at hand")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_public_file_comes_in_is_played_and_goes_out_again(path: Path) -> None:
    """Every board of it, as it is told, and once more from what was written."""
    boards = read_pbn(path.read_text(encoding="utf-8"))
    assert boards
    assert len(boards) == len(games_of(path.read_text(encoding="utf-8")))
    assert read_pbn(write_pbn(boards)) == boards
    for told in boards:
        deal = play_board(told).deal

        assert deal.is_over
        assert essence(board_of(deal)) == essence(told)
        assert play_board(board(write_pbn([board_of(deal)]))).deal.scores == deal.scores
