"""`junto pbn`: boards of bridge in PBN files, checked by our rules and written again; replays told as such boards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from junto.cli.console import Failure, say
from junto.cli.proof import Unproved
from junto.games.bridge.auction import bid_text
from junto.games.bridge.four import Bridge
from junto.games.bridge.game import BridgeDeal
from junto.games.bridge.pbn import SEATS, Board
from junto.games.bridge.pbn_play import board_of, named, play_board
from junto.games.bridge.pbn_reading import read_board
from junto.games.bridge.pbn_text import PbnError, games_of
from junto.games.bridge.pbn_writing import write_pbn
from junto.games.verify import verify_deal
from junto.games.view import Doubling, Phase
from junto.v1.replays_pb2 import DealRecord, Replay
from junto.wire.catalog import read_rules
from junto.wire.errors import ReplayUnreadable
from junto.wire.replays import read_claim, read_replay_file, verify

BROKEN, UNREADABLE = 1, 2
_STDOUT: Final = Path("-")
_PBN: Final = ".pbn"
_TAGS: Final = ("North", "East", "South", "West")


class _Told:
    """What is told of the files: on standard output, or on the error stream where that is for the boards."""

    def __init__(self, *, to_stderr: bool) -> None:
        self._to_stderr = to_stderr
        self.broken = 0

    def say(self, line: str) -> None:
        if self._to_stderr:
            typer.echo(line, err=True)
        else:
            say(line)

    def refuse(self, path: Path, error: PbnError) -> None:
        self.broken += 1
        self.say(f"{path}: {error}")


def pbn(
    files: Annotated[list[Path], typer.Argument(help="PBN files (.pbn), or replays of bridge (JSON or binary).")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write all boards to this PBN file; - is standard output.")
    ] = None,
) -> None:
    """Check boards of bridge, and write them as PBN.

    Each board of a PBN file is dealt and played by our rules as its auction and play are recorded; what came of it is
    told, and what could not be used. A replay is proved first. PBN knows no first call by the dealer's partner: where
    that was played, Dealer is who called first. Exit code 0: every board holds; 1: some do not; 2: a file cannot be
    read.
    """
    told = _Told(to_stderr=output == _STDOUT)
    boards = [board for path in files for board in _boards(path, told)]
    if output is not None:
        _write(write_pbn(boards), output)
    if told.broken:
        raise typer.Exit(BROKEN)


def _boards(path: Path, told: _Told) -> Iterator[Board]:
    """Yield the boards of a file that hold."""
    yield from _checked(path, told) if path.suffix.lower() == _PBN else _replayed(path, told)


def _checked(path: Path, told: _Told) -> Iterator[Board]:
    try:
        games = games_of(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}", UNREADABLE) from None
    except PbnError as error:
        raise Failure(f"{path} is no PBN: {error}", UNREADABLE) from None
    if not games:
        told.say(f"{path}: there is no board in it")
    for game in games:
        try:
            board = read_board(game)
            played = play_board(board)
        except PbnError as error:
            told.refuse(path, error)
            continue
        told.say(f"{path}: {_summary(board, played.deal, played.settled)}")
        for line, remark in played.remarks:
            told.say(f"{path}: line {line}: {remark}")
        yield board


def _replayed(path: Path, told: _Told) -> Iterator[Board]:
    try:
        replay = read_replay_file(path)
        game = read_rules(replay.rules)
        if not isinstance(game, Bridge):
            raise Failure(f"{path} is a replay of {game.id}, not of bridge", UNREADABLE)
        verify(replay)
        deals = [(record, verify_deal(game, read_claim(record))) for record in replay.deals]
    except ReplayUnreadable as problem:
        raise Failure(str(problem), UNREADABLE) from None
    except Unproved as problem:
        raise Failure(f"{path} does not hold: {problem}") from None
    for record, deal in deals:
        assert isinstance(deal, BridgeDeal)
        board = named(board_of(deal), **_tags(replay, record))
        told.say(f"{path}: {_summary(board, deal, None)}")
        yield board


def _tags(replay: Replay, record: DealRecord) -> dict[str, str]:
    """Return the tags of a replay's board that are not the game's."""
    tags = {"Event": f"Junto {replay.table_id}", **dict(zip(_TAGS, replay.seat_names, strict=False))}
    if record.actions:
        tags["Date"] = f"{record.actions[0].time.ToDatetime():%Y.%m.%d}"
    return tags


def _summary(board: Board, deal: BridgeDeal, settled: int | None) -> str:
    """Return a board in a line."""
    name = f"board {'?' if board.number is None else board.number}"
    if deal.phase is Phase.AUCTION:
        return f"{name}: no contract yet, {len(deal.shared.calls)} calls"
    if deal.shared.contract is None:
        return f"{name}: passed out"
    contract = deal.shared.contract
    doubled = "" if contract.doubling is None else "x" * (contract.doubling - Doubling.NONE)
    text = f"{name}: {bid_text(contract.bid)}{doubled} by {SEATS[contract.declarer]}"
    if deal.shared.result is None or deal.scores is None:
        return f"{text}, not played to the end"
    claim = "" if settled is None else f", {settled} of them claimed"
    return f"{text}, {deal.shared.result.captured} tricks{claim}: {deal.scores[0]:+} for NS"


def _write(text: str, output: Path) -> None:
    if output == _STDOUT:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}") from None
