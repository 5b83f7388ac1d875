"""Write boards as a PBN file, in export order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, RedoubleBid
from junto.games.bridge.auction import bid_text
from junto.games.bridge.game import HAND
from junto.games.bridge.pbn import FIRST_TAGS, SEATS, Auction, Board, Play
from junto.games.bridge.pbn_text import tag_text
from junto.games.cards import RANKS, SUITS, Card, card_text
from junto.games.view import Doubling, Vulnerability

_VULNERABLE_TEXTS: Final = {
    Vulnerability.NONE: "None", Vulnerability.NORTH_SOUTH: "NS", Vulnerability.EAST_WEST: "EW",
    Vulnerability.BOTH: "All",
}  # fmt: skip


def write_pbn(boards: Iterable[Board]) -> str:
    """Return boards as the text of a PBN file, in export order."""
    return "% PBN 2.1\n" + "\n".join("\n".join(_lines(board)) + "\n" for board in boards)


def _lines(board: Board) -> Iterator[str]:
    told = {
        "Board": "" if board.number is None else str(board.number),
        "Dealer": SEATS[board.dealer],
        "Vulnerable": _VULNERABLE_TEXTS[board.vulnerability],
        "Deal": f"{SEATS[0]}:{' '.join(map(_hand_text, board.hands))}",
        "Declarer": "" if board.declarer is None else SEATS[board.declarer],
        "Contract": _contract_text(board),
        "Result": "" if board.result is None else str(board.result),
    }
    usual = {"Event": "?", "Site": "?", "Date": "????.??.??", "Scoring": "?"}
    for name in FIRST_TAGS:
        value = told.get(name)
        yield tag_text(name, (board.tag(name) or usual.get(name, "")) if value is None else value)
    if board.auction is not None:
        yield from _auction_lines(board.auction)
    if board.play is not None:
        yield from _play_lines(board.play)
    for tag in board.tags:
        if tag.name not in FIRST_TAGS:
            yield tag_text(tag.name, tag.value)
            yield from (row.text for row in tag.rows)


def _hand_text(hand: Sequence[Card]) -> str:
    """Return a hand as PBN writes it: `AKQ.J98..T76`, spades first."""
    return ".".join(
        "".join(rank for place, rank in reversed(list(enumerate(RANKS))) if suit * HAND + place in hand)
        for suit in range(len(SUITS))
    )


def _contract_text(board: Board) -> str:
    """Return a board's contract as PBN writes it: `4SX`, `Pass`; nothing if it is not told."""
    if board.bid is None:
        return "Pass" if board.passed_out else ""
    return bid_text(board.bid) + "X" * (board.doubling - Doubling.NONE)


def _auction_lines(auction: Auction) -> Iterator[str]:
    yield tag_text("Auction", SEATS[auction.first])
    words = [" ".join((_call_text(said.action), *said.remarks)) for said in auction.calls]
    yield from _rows([*words, "AP"] if auction.all_pass else words)
    yield from (tag_text("Note", note) for note in auction.notes)


def _call_text(call: Action) -> str:
    match call:
        case Bid():
            return bid_text(call)
        case DoubleBid():
            return "X"
        case RedoubleBid():
            return "XX"
        case _:
            return "Pass"


def _play_lines(play: Play) -> Iterator[str]:
    yield tag_text("Play", SEATS[play.leader])
    laid = [card for trick in play.tricks for card in trick]
    yield from _rows(["-" if card is None else " ".join((card_text(card.card), *card.remarks)) for card in laid])
    if len(laid) < len(SUITS) * HAND or None in laid:
        yield "*"
    yield from (tag_text("Note", note) for note in play.notes)


def _rows(words: Sequence[str]) -> Iterator[str]:
    yield from (" ".join(words[place : place + 4]) for place in range(0, len(words), 4))
