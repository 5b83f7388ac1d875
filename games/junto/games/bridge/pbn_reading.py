"""Read the boards of a PBN file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from junto.games.actions import Action, Bid, DoubleBid, Pass, RedoubleBid
from junto.games.bridge.game import HAND
from junto.games.bridge.pbn import FIRST_TAGS, SEATS, SIDES, Auction, Board, Laid, Play, Said
from junto.games.bridge.pbn_text import PbnError, Tag, games_of
from junto.games.bridge.scoring import board_dealer, board_vulnerability
from junto.games.cards import STRAINS, SUITS, Card, CardError, card_text, parse_card
from junto.games.view import Doubling, Vulnerability

_VULNERABLE: Final = {
    "none": Vulnerability.NONE, "love": Vulnerability.NONE, "-": Vulnerability.NONE,
    "ns": Vulnerability.NORTH_SOUTH, "ew": Vulnerability.EAST_WEST,
    "all": Vulnerability.BOTH, "both": Vulnerability.BOTH,
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
_PLACES: Final = {name: place for place, name in enumerate(FIRST_TAGS)}
_SINGLE: Final = {*FIRST_TAGS, "Note"}
"""Tags that no section follows."""
_OURS: Final = {"Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play", "Note"}


def read_pbn(text: str) -> list[Board]:
    """Return the boards of a PBN file.

    Raises:
        PbnError: the text is no PBN, or a game in it is broken; it says where and why.
    """
    return [read_board(game) for game in games_of(text)]


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
        side = None if declarer is None else SIDES[declarer % 2]
        told = next((count for who, count in tricks if who in {None, side}), None)
        if told is None:
            told = HAND - tricks[0][1]
        if not 0 <= told <= HAND:
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
        card = len(SUITS) * HAND
    if card >= len(SUITS) * HAND:
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
        hands[missing[0]] = tuple(card for card in range(len(SUITS) * HAND) if card not in set(cards))
    for seat, hand in enumerate(hands):
        if len(hand) != HAND:
            raise PbnError(line, f"{SEATS[seat]} has {len(hand)} cards, not 13")
    return tuple(hands)
