"""Boards of bridge in Portable Bridge Notation (PBN 2.1): what a file says, read and written.

A `Board` is one game of a file: the deal, and the auction, the play and the result as far as they are told. Nothing
is played here, so an auction may be impossible; `junto.games.bridge.pbn_play` finds out. Tags that mean nothing to us
are kept as they are; comments are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid
from junto.games.bridge.auction import bid_text
from junto.games.bridge.pbn_text import PbnError, Tag, games_of, tag_text
from junto.games.bridge.scoring import board_dealer, board_vulnerability
from junto.games.cards import RANKS, STRAINS, SUITS, Card, CardError, card_text, parse_card
from junto.games.view import Doubling, Vulnerability

SEATS: Final = "NESW"
_SIDES: Final = ("NS", "EW")
_HAND: Final = 13
_VULNERABLE: Final = {
    "none": Vulnerability.NONE, "love": Vulnerability.NONE, "-": Vulnerability.NONE,
    "ns": Vulnerability.NORTH_SOUTH, "ew": Vulnerability.EAST_WEST,
    "all": Vulnerability.BOTH, "both": Vulnerability.BOTH,
}  # fmt: skip
_VULNERABLE_TEXTS: Final = {
    Vulnerability.NONE: "None", Vulnerability.NORTH_SOUTH: "NS", Vulnerability.EAST_WEST: "EW",
    Vulnerability.BOTH: "All",
}  # fmt: skip
_CALLS: Final[dict[str, Action]] = {
    "pass": Pass(), "p": Pass(), "x": DoubleBid(), "xx": RedoubleBid(),
}  # fmt: skip
_THE_REST: Final = "ap"
"""Everybody passes to the end."""
_BID: Final = re.compile(r"([1-7])(S|H|D|C|NT?)", re.IGNORECASE)
_CONTRACT: Final = re.compile(r"([1-7])(S|H|D|C|NT?)(X{0,2})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"0{0,8}[1-9][0-9]{0,8}")
_RESULT: Final = re.compile(r"(?:(NS|EW)\s+)?(\d{1,2})(?:\s+(NS|EW)\s+(\d{1,2}))?")
_TOKEN: Final = re.compile(r"=\d+=|\$\d+|[!?]+|[^\s=!?$]+|\S")
_REMARK: Final = re.compile(r"=\d+=|\$\d+|[!?]+")
_UNKNOWN: Final = {"", "?", "????.??.??"}
_FIRST_TAGS: Final = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
)  # fmt: skip
"""The tags that every exported game has, in their order."""
_PLACES: Final = {name: place for place, name in enumerate(_FIRST_TAGS)}
_SINGLE: Final = {*_FIRST_TAGS, "Note"}
"""Tags that no section follows."""
_OURS: Final = {"Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play", "Note"}


@dataclass(frozen=True, slots=True)
class Said:
    """A call in a file, with the remarks behind it (`!`, `=1=`, `$5`) and its line."""

    action: Action
    remarks: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card in a file, with the remarks behind it and its line."""

    card: Card
    remarks: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction as recorded: who calls first, the calls, and the texts of its notes. `all_pass`: `AP` ends it."""

    first: int
    calls: tuple[Said, ...]
    notes: tuple[str, ...] = ()
    all_pass: bool = False
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Play:
    """A play as recorded: in each row of a trick the cards of four seats, the opening leader's first; None: none."""

    leader: int
    tricks: tuple[tuple[Laid | None, ...], ...]
    notes: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Board:
    """One game of a PBN file.

    `bid` is the contract's, None where it is not told or the board was passed out (`passed_out`). `result` are the
    tricks of declarer's side. `tags` are all others. `remarks` say what could not be used, each with its line.
    """

    dealer: int
    vulnerability: Vulnerability
    hands: tuple[tuple[Card, ...], ...]
    number: int | None = None
    auction: Auction | None = None
    play: Play | None = None
    bid: Bid | None = None
    doubling: Doubling = Doubling.NONE
    passed_out: bool = False
    declarer: int | None = None
    result: int | None = None
    tags: tuple[Tag, ...] = ()
    remarks: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    line: int = field(default=0, compare=False)
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)

    def line_of(self, name: str) -> int:
        """Return the line on which a tag stands; where it is missing, that of the game."""
        return dict(self.lines).get(name, self.line)

    def tag(self, name: str) -> str | None:
        """Return the value of one of the other tags."""
        return next((tag.value for tag in self.tags if tag.name == name), None)


def read_pbn(text: str) -> list[Board]:
    """Return the boards of a PBN file.

    Raises:
        PbnError: the text is no PBN, or a game in it is broken; it says where and why.
    """
    return [read_board(game) for game in games_of(text)]


def write_pbn(boards: Iterable[Board]) -> str:
    """Return boards as the text of a PBN file, in export order."""
    return "% PBN 2.1\n" + "\n".join("\n".join(_lines(board)) + "\n" for board in boards)


# Reading.


def read_board(game: Sequence[Tag]) -> Board:
    """Return the board that the tags of one game tell of.

    Raises:
        PbnError: something in it cannot be read; it says where and why.
    """
    return _Reader(game).board()


class _Reader:
    """Reads the tags of one game."""

    def __init__(self, game: Sequence[Tag]) -> None:
        self._game = game
        self._line = game[0].line
        self._remarks: list[tuple[int, str]] = []
        self._tags: dict[str, Tag] = {}
        for tag in game:
            if tag.name in self._tags and tag.name != "Note":
                self._remark(tag.line, f"a second {tag.name} in one game is ignored")
            else:
                self._tags.setdefault(tag.name, tag)

    def board(self) -> Board:
        number, dealer = self._number(), self._dealer()
        bid, doubling, passed_out = self._contract()
        declarer = self._seat("Declarer")
        return Board(
            dealer=dealer,
            vulnerability=self._vulnerability(number),
            hands=self._hands(),
            number=number,
            auction=self._auction(),
            play=self._play(),
            bid=bid,
            doubling=doubling,
            passed_out=passed_out,
            declarer=declarer,
            result=self._result(declarer),
            tags=self._other_tags(),
            remarks=tuple(self._remarks),
            line=self._line,
            lines=tuple((tag.name, tag.line) for tag in self._tags.values()),
        )

    def _other_tags(self) -> tuple[Tag, ...]:
        """Return the tags that are none of ours and say something, in export order."""
        for tag in self._tags.values():
            if tag.rows and tag.name in _SINGLE:
                self._remark(tag.rows[0].line, f"{tag.name} has no section: {tag.rows[0].text[:40]!r} is ignored")
        kept = [
            replace(tag, rows=()) if tag.name in _SINGLE else tag
            for tag in self._tags.values()
            if tag.name not in _OURS
        ]
        told = [tag for tag in kept if tag.rows or tag.value not in _UNKNOWN]
        return tuple(sorted(told, key=lambda tag: _PLACES.get(tag.name, len(_PLACES))))

    def _remark(self, line: int, text: str) -> None:
        self._remarks.append((line, text))

    def _value(self, name: str) -> tuple[str, int]:
        tag = self._tags.get(name)
        if tag is None or tag.value in _UNKNOWN:
            return "", self._line
        return tag.value.strip(), tag.line

    def _number(self) -> int | None:
        text, line = self._value("Board")
        if not text:
            return None
        if _NUMBER.fullmatch(text) is None:
            self._remark(line, f"{text[:40]!r} is no board number")
            return None
        return int(text)

    def _seat(self, name: str) -> int | None:
        text, line = self._value(name)
        if not text:
            return None
        if text.lstrip("^").upper() not in tuple(SEATS):
            raise PbnError(line, f"{name} must be N, E, S or W, not {text!r}")
        return SEATS.index(text.lstrip("^").upper())

    def _dealer(self) -> int:
        dealer = self._seat("Dealer")
        if dealer is None:
            dealer = self._seat("Auction")
        if dealer is None:
            number = self._number()
            if number is None:
                raise PbnError(self._line, "nothing says who deals: no Dealer, no Auction, no Board")
            dealer = board_dealer(number)
        return dealer

    def _vulnerability(self, number: int | None) -> Vulnerability:
        text, line = self._value("Vulnerable")
        if text:
            try:
                return _VULNERABLE[text.lower()]
            except KeyError:
                raise PbnError(line, f"Vulnerable must be None, NS, EW or All, not {text!r}") from None
        self._remark(line, "nothing says who is vulnerable")
        return Vulnerability.NONE if number is None else board_vulnerability(number)

    def _hands(self) -> tuple[tuple[Card, ...], ...]:
        text, line = self._value("Deal")
        if not text:
            raise PbnError(self._line, "a game without a Deal cannot be played")
        first, colon, rest = text.partition(":")
        words = rest.split()
        if not colon or first.upper() not in tuple(SEATS) or len(words) != 4:
            raise PbnError(line, "a Deal is a seat, a colon and four hands")
        hands: list[tuple[Card, ...]] = [()] * 4
        for step, word in enumerate(words):
            hands[(SEATS.index(first.upper()) + step) % 4] = () if word == "-" else _hand(word, line)
        return _completed(hands, line)

    def _auction(self) -> Auction | None:
        tag = self._tags.get("Auction")
        if tag is None:
            return None
        first = self._seat("Auction")
        if first is None:
            raise PbnError(tag.line, "the Auction does not say who calls first")
        calls: list[Said] = []
        all_pass = False
        for line, word, remarks in _tokens(tag):
            if all_pass:
                raise PbnError(line, f"{word!r} after AP")
            if word.lower() == _THE_REST:
                all_pass = True
            else:
                calls.append(Said(_call(word, line), remarks, line))
        return Auction(first, tuple(calls), self._notes("Auction"), all_pass, tag.line)

    def _play(self) -> Play | None:
        tag = self._tags.get("Play")
        if tag is None:
            return None
        leader = self._seat("Play")
        if leader is None:
            if any(_tokens(tag)):
                raise PbnError(tag.line, "the Play does not say who leads")
            return None
        cards = [
            None if set(word) == {"-"} else Laid(_card(word, line), remarks, line)
            for line, word, remarks in _tokens(tag)
        ]
        cards += [None] * (-len(cards) % 4)
        tricks = tuple(tuple(cards[place : place + 4]) for place in range(0, len(cards), 4))
        return Play(leader, tricks, self._notes("Play"), tag.line)

    def _notes(self, section: str) -> tuple[str, ...]:
        """Return the notes that follow a section."""
        names = [tag.name for tag in self._game]
        notes = []
        for tag in self._game[names.index(section) + 1 :]:
            if tag.name != "Note":
                break
            notes.append(tag.value)
        return tuple(notes)

    def _contract(self) -> tuple[Bid | None, Doubling, bool]:
        text, line = self._value("Contract")
        if not text:
            return None, Doubling.NONE, False
        if text.lower() == "pass":
            return None, Doubling.NONE, True
        found = _CONTRACT.fullmatch(text)
        if found is None:
            raise PbnError(line, f"{text!r} is no contract")
        return _bid(found[1], found[2]), Doubling(Doubling.NONE + len(found[3])), False

    def _result(self, declarer: int | None) -> int | None:
        text, line = self._value("Result")
        if not text or text == "*":
            return None
        found = _RESULT.fullmatch(text.lstrip("^"))
        if found is None:
            raise PbnError(line, f"{text!r} is no number of tricks")
        tricks = [(found[1], int(found[2]))] + ([(found[3], int(found[4]))] if found[3] else [])
        side = None if declarer is None else _SIDES[declarer % 2]
        told = next((count for who, count in tricks if who in {None, side}), None)
        if told is None:
            told = _HAND - tricks[0][1]
        if not 0 <= told <= _HAND:
            raise PbnError(line, f"a side takes 0 to 13 tricks, not {text}")
        return told


def _tokens(tag: Tag) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield the words of a section with their lines and the remarks that follow each."""
    found = [(row.line, word) for row in tag.rows for word in _TOKEN.findall(row.text) if word not in {"+", "*"}]
    place = 0
    while place < len(found):
        line, word = found[place]
        place += 1
        if word.startswith("^"):
            raise PbnError(line, f"{word!r} marks an irregularity, which cannot be played by the rules")
        if _REMARK.fullmatch(word):
            raise PbnError(line, f"{word!r} belongs behind a call or a card")
        remarks = []
        while place < len(found) and _REMARK.fullmatch(found[place][1]):
            remarks.append(found[place][1])
            place += 1
        yield line, word, tuple(remarks)


def _call(word: str, line: int) -> Action:
    call = _CALLS.get(word.lower())
    if call is not None:
        return call
    found = _BID.fullmatch(word)
    if found is None:
        raise PbnError(line, f"{word!r} is no call")
    return _bid(found[1], found[2])


def _bid(level: str, strain: str) -> Bid:
    return Bid(int(level), STRAINS.index("NT" if strain.upper().startswith("N") else strain.upper()))


def _card(word: str, line: int) -> Card:
    try:
        card = parse_card(word.upper().replace("10", "T"))
    except CardError:
        card = len(SUITS) * _HAND
    if card >= len(SUITS) * _HAND:
        raise PbnError(line, f"{word!r} is no card")
    return card


def _hand(word: str, line: int) -> tuple[Card, ...]:
    suits = word.upper().replace("10", "T").split(".")
    if len(suits) != len(SUITS):
        raise PbnError(line, f"the hand {word} must have four suits with dots between them")
    cards = [_card(suit + rank, line) for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks]
    return tuple(sorted(cards))


def _completed(hands: list[tuple[Card, ...]], line: int) -> tuple[tuple[Card, ...], ...]:
    """Return four whole hands: one that is not told has the cards that the others lack."""
    cards = [card for hand in hands for card in hand]
    for card in cards:
        if cards.count(card) > 1:
            raise PbnError(line, f"{card_text(card)} is dealt twice")
    missing = [seat for seat, hand in enumerate(hands) if not hand]
    if len(missing) == 1:
        hands[missing[0]] = tuple(card for card in range(len(SUITS) * _HAND) if card not in set(cards))
    for seat, hand in enumerate(hands):
        if len(hand) != _HAND:
            raise PbnError(line, f"{SEATS[seat]} has {len(hand)} cards, not 13")
    return tuple(hands)


# Writing.


def _lines(board: Board) -> Iterator[str]:
    told = {
        "Board": "" if board.number is None else str(board.number),
        "Dealer": SEATS[board.dealer],
        "Vulnerable": _VULNERABLE_TEXTS[board.vulnerability],
        "Deal": f"{SEATS[0]}:{' '.join(map(hand_text, board.hands))}",
        "Declarer": "" if board.declarer is None else SEATS[board.declarer],
        "Contract": contract_text(board),
        "Result": "" if board.result is None else str(board.result),
    }
    usual = {"Event": "?", "Site": "?", "Date": "????.??.??", "Scoring": "?"}
    for name in _FIRST_TAGS:
        value = told.get(name)
        yield tag_text(name, (board.tag(name) or usual.get(name, "")) if value is None else value)
    if board.auction is not None:
        yield from _auction_lines(board.auction)
    if board.play is not None:
        yield from _play_lines(board.play)
    for tag in board.tags:
        if tag.name not in _FIRST_TAGS:
            yield tag_text(tag.name, tag.value)
            yield from (row.text for row in tag.rows)


def hand_text(hand: Sequence[Card]) -> str:
    """Return a hand as PBN writes it: `AKQ.J98..T76`, spades first."""
    return ".".join(
        "".join(rank for place, rank in reversed(list(enumerate(RANKS))) if suit * _HAND + place in hand)
        for suit in range(len(SUITS))
    )


def contract_text(board: Board) -> str:
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
    if len(laid) < len(SUITS) * _HAND or None in laid:
        yield "*"
    yield from (tag_text("Note", note) for note in play.notes)


def _rows(words: Sequence[str]) -> Iterator[str]:
    yield from (" ".join(words[place : place + 4]) for place in range(0, len(words), 4))
