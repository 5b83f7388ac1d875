"""Play the boards of PBN files by our rules, and tell deals of ours as such boards.

PBN follows the Laws: the dealer calls first. A play that ends early was claimed: if the result is told, the deal is
scored by it. A file tells of no claim who made it and when, so only one that declarer could make when he is to lead is
made as a claim; else the deal is settled as if one had been agreed to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from junto.games.actions import Action, AgreeToClaim, Claim, DoubleBid, Pass, Play, RedoubleBid
from junto.games.bridge import pbn
from junto.games.bridge.auction import bid_text
from junto.games.bridge.ending import claimed
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.pbn import SEATS, SIDES, Board, Laid, Said
from junto.games.bridge.pbn_text import PbnError, Tag
from junto.games.bridge.scoring import board_dealer, board_vulnerability
from junto.games.cards import Card
from junto.games.core import RuleError
from junto.games.view import BridgeDetails, Doubling, Phase

_BOARDS: Final = range(1, 17)


@dataclass(frozen=True, slots=True)
class Played:
    """A board of a file as it was played: the deal as far as it goes, and what was done.

    `settled` are the tricks that declarer's side got without playing for them; None: none were left to settle.
    `remarks` say what was not as a file should have it, each with its line.
    """

    board: Board
    deal: BridgeDeal
    actions: tuple[Action, ...]
    settled: int | None
    remarks: tuple[tuple[int, str], ...]


def play_board(board: Board) -> Played:
    """Play a board of a file through the rules of `bridge`.

    Raises:
        PbnError: a call or a card is illegal, or what the file says of it does not fit; it says where and why.
    """
    return _Player(board).played()


def board_of(deal: BridgeDeal) -> Board:
    """Tell a deal of bridge for four as far as it went. Dealer is called who called first, as PBN has it."""
    shared, details = deal.shared, deal.shared.details
    assert isinstance(details, BridgeDetails)
    assert shared.tricks is not None
    first = deal.game.first_caller(shared)
    contract, result = shared.contract, shared.result
    return Board(
        dealer=first,
        vulnerability=details.vulnerability,
        hands=_hands_dealt(deal),
        number=shared.number,
        auction=pbn.Auction(first, tuple(Said(call.action) for call in shared.calls)) if shared.calls else None,
        play=_play_of(deal),
        bid=None if contract is None else contract.bid,
        doubling=Doubling.NONE if contract is None or contract.doubling is None else contract.doubling,
        passed_out=contract is None and deal.is_over,
        declarer=None if contract is None else contract.declarer,
        result=None if result is None else result.captured,
        tags=_score(deal),
    )


def essence(board: Board) -> tuple[object, ...]:
    """Return what two tellings of one deal have in common: cards, calls, plays, contract and result."""
    calls = None if board.auction is None else tuple(_calls(board))
    played = () if board.play is None else tuple(card for row in board.play.tricks for card in _cards(row))
    contract = (board.bid, board.doubling, board.declarer, board.passed_out)
    return board.dealer, board.vulnerability, board.hands, calls, played, contract, board.result


class _Player:
    """Plays one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._actions: list[Action] = []
        self._remarks = list(board.remarks)
        game = Bridge({"first_caller": "dealer"})
        step = game.deal_hands(self._number(), board.hands)
        assert isinstance(step.deal, BridgeDeal)
        self._deal = step.deal

    def played(self) -> Played:
        self._call()
        self._check_contract()
        self._play()
        settled = self._settle()
        self._check_result()
        return Played(self._board, self._deal, tuple(self._actions), settled, tuple(self._remarks))

    def _number(self) -> int:
        """Return the board's number, or one of the same dealer and vulnerability: every pair of them has one."""
        board = self._board
        wanted = (board.dealer, board.vulnerability)
        if board.number is not None and _fixed_by(board.number) == wanted:
            return board.number
        number = next(number for number in _BOARDS if _fixed_by(number) == wanted)
        if board.number is not None:
            self._remarks.append(
                (
                    board.line_of("Board"),
                    f"dealer and vulnerability are not those of board {board.number} but of {number}",
                )
            )
        return number

    def _apply(self, action: Action, line: int) -> None:
        try:
            step = self._deal.apply(action)
        except RuleError as error:
            raise PbnError(line, str(error)) from None
        assert isinstance(step.deal, BridgeDeal)
        self._deal = step.deal
        self._actions.append(action)

    def _call(self) -> None:
        recorded, board = self._board.auction, self._board
        if recorded is None:
            if board.bid is not None and board.declarer is not None:
                self._remarks.append((board.line, "the auction is not told: the shortest one to the contract is taken"))
                for call in _shortest_auction(board):
                    self._apply(call, board.line)
            return
        if recorded.first != board.dealer:
            raise PbnError(recorded.line, f"{SEATS[board.dealer]} deals, so {SEATS[recorded.first]} cannot call first")
        for said in recorded.calls:
            self._apply(said.action, said.line)
        whole = recorded.all_pass or board.play is not None or board.bid is not None or board.passed_out
        if self._deal.phase is Phase.AUCTION and whole and not recorded.all_pass:
            self._remarks.append((recorded.line, "the last passes are not told"))
        while self._deal.phase is Phase.AUCTION and whole:
            self._apply(Pass(), recorded.line)

    def _check_contract(self) -> None:
        board, contract = self._board, self._deal.shared.contract
        if contract is None:
            if board.bid is not None and board.auction is not None:
                raise PbnError(board.line_of("Contract"), "the contract says otherwise than the auction: nobody bid")
            return
        told = (board.bid, board.doubling)
        if board.passed_out or (board.bid is not None and told != (contract.bid, contract.doubling)):
            line = board.line_of("Contract")
            raise PbnError(line, f"the auction leads to {bid_text(contract.bid)}, the contract says otherwise")
        if board.declarer not in {None, contract.declarer}:
            line = board.line_of("Declarer")
            raise PbnError(line, f"by the auction {SEATS[contract.declarer]} declares, the file says otherwise")

    def _play(self) -> None:
        recorded = self._board.play
        if recorded is None or not recorded.tricks:
            return
        if self._deal.phase is not Phase.PLAY:
            raise PbnError(recorded.line, "cards are played, but there is no contract")
        if recorded.leader != self._deal.to_act:
            raise PbnError(recorded.line, f"{SEATS[self._deal.seat]} leads, not {SEATS[recorded.leader]}")
        laid = 0
        while self._deal.phase is Phase.PLAY and (card := self._next_card(recorded)) is not None:
            self._apply(Play(card.card), card.line)
            laid += 1
        told = [card for row in recorded.tricks for card in row if card is not None]
        if len(told) > laid:
            self._remarks.append((told[-1].line, f"{len(told) - laid} cards stand where nobody could play them"))

    def _next_card(self, recorded: pbn.Play) -> Laid | None:
        number = self._deal.trick_number
        column = (self._deal.hand_number - recorded.leader) % 4
        return recorded.tricks[number][column] if number < len(recorded.tricks) else None

    def _settle(self) -> int | None:
        """Give declarer the tricks that are left to him by the result, if it is told."""
        deal, result = self._deal, self._board.result
        if deal.phase is not Phase.PLAY or result is None:
            return None
        tricks = result - deal.taken
        if not 0 <= tricks <= deal.tricks_left:
            reason = f"a result of {result} cannot be: {deal.taken} were taken, {deal.tricks_left} are left"
            raise PbnError(self._board.line_of("Result"), reason)
        if deal.trick is None and deal.seat == deal.contract.declarer:
            for action in (Claim(tricks), AgreeToClaim(), AgreeToClaim()):
                self._apply(action, self._board.line)
        else:
            ended = deal.after(claimed(deal, tricks)).deal
            assert isinstance(ended, BridgeDeal)
            self._deal = ended
        return tricks

    def _check_result(self) -> None:
        board, result = self._board, self._deal.shared.result
        if result is None:
            return
        if board.result is not None and board.result != result.captured:
            taken = result.captured or 0
            raise PbnError(board.line_of("Result"), f"declarer took {taken} tricks, the result says {board.result}")
        told, ours = board.tag("Score"), _score(self._deal)[0].value
        if told is not None and told.split()[:2] != ours.split() and told.startswith(SIDES):
            self._remarks.append((board.line_of("Score"), f"the score is {ours}, the file says {told}"))


def _fixed_by(number: int) -> tuple[int, object]:
    return board_dealer(number), board_vulnerability(number)


def _shortest_auction(board: Board) -> Iterator[Action]:
    """Yield the calls of the shortest auction that leads to a board's contract."""
    assert board.bid is not None
    assert board.declarer is not None
    yield from [Pass()] * ((board.declarer - board.dealer) % 4)
    yield board.bid
    if board.doubling is not Doubling.NONE:
        yield DoubleBid()
    if board.doubling is Doubling.REDOUBLED:
        yield RedoubleBid()
    yield from [Pass()] * 3


def _calls(board: Board) -> Iterator[Action]:
    """Yield a board's calls with the passes that end the auction."""
    assert board.auction is not None
    calls = [said.action for said in board.auction.calls]
    if board.auction.all_pass or board.bid is not None or board.passed_out:
        while calls and isinstance(calls[-1], Pass):
            calls.pop()
        calls += [Pass()] * (3 if calls else 4)
    yield from calls


def _cards(row: tuple[Laid | None, ...]) -> Iterator[Card | None]:
    return (None if card is None else card.card for card in row)


def _hands_dealt(deal: BridgeDeal) -> tuple[tuple[Card, ...], ...]:
    assert deal.shared.tricks is not None
    played = [card for trick in deal.shared.tricks.tricks for card in trick.cards]
    return tuple(
        tuple(sorted((*own.hand, *(card.card for card in played if card.seat == own.seat)))) for own in deal.owns
    )


def _play_of(deal: BridgeDeal) -> pbn.Play | None:
    assert deal.shared.tricks is not None
    tricks = deal.shared.tricks.tricks
    if not tricks:
        return None
    leader = tricks[0].leader
    rows = []
    for trick in tricks:
        by_seat = {card.seat: Laid(card.card) for card in trick.cards}
        rows.append(tuple(by_seat.get((leader + step) % 4) for step in range(4)))
    return pbn.Play(leader, tuple(rows))


def _score(deal: BridgeDeal) -> tuple[Tag, ...]:
    """Return the score of North-South as a tag; nothing while there is none."""
    scores = deal.scores
    return () if scores is None else (Tag("Score", f"NS {scores[0]}"),)


def named(board: Board, **tags: str) -> Board:
    """Return the board with these tags besides its own."""
    others = tuple(tag for tag in board.tags if tag.name not in tags)
    return replace(board, tags=(*others, *(Tag(name, value) for name, value in tags.items() if value)))
