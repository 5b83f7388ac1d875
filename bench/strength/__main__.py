"""The commands: `vs` one player, `gap` to the player that sees all cards, strength over time: `curve`, `report`."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench._numbers import whole_number
from bench.strength import summaries
from bench.strength.clock import counted
from bench.strength.collection import belief_of, log_ratio
from bench.strength.comparing import Course, Found, minutes_from_now, paired_deals, run
from bench.strength.errors import MeasurementError, NothingPlayed
from bench.strength.figures import Rule
from bench.strength.players import player_of
from bench.strength.report import write_report
from bench.strength.summaries import figure, gains_of
from bench.strength.units import BELIEFS

from junto.games.catalog import UnknownGame, open_game
from junto.games.options import OptionError, OptionValue

INTERRUPTED = 130
MOST_DEALS, MOST_JOBS = 10_000_000, 1_000
USUAL = Rule()
PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
"""The page of the repository, which has the places of all tables."""


def main(arguments: list[str] | None = None) -> int:
    """Do what the arguments say; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        with counted(getattr(options, "processor_time", False)):
            options.run(options)
    except (MeasurementError, UnknownGame, OptionError) as error:
        print(f"strength: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("strength: interrupted; whole deals are kept, the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    vs = _command(commands, "vs", _vs, "one player among others", deals=400, decided=USUAL.errors)
    vs.add_argument("--candidate", required=True, help="as 'pimc:seconds=0.02' or 'pimc:iterations=200,infers=off'")
    gap = _command(commands, "gap", _gap, "the share of the gap to a player that sees all cards", deals=100, decided=0)
    gap.add_argument("--seconds", type=float, help="time for a decision")
    gap.add_argument("--iterations", type=int, help="worlds for a decision")
    curve = _command(commands, "curve", _curve, "strength against time", deals=100, decided=0.0)
    curve.add_argument("--seconds", action="append", required=True, help="times for a decision, as '0.001,0.01,0.1'")
    for command in (vs, gap, curve):
        command.add_argument("--baseline", default="greedy", help="who sits in the other seats")
    beliefs = _command(commands, "beliefs", _beliefs, "what beliefs are worth", deals=100, decided=0.0)
    beliefs.add_argument("--player", default="greedy", help="who sits in all seats; each is asked before it plays")
    report = commands.add_parser("report", help="write the page of results", description="write the page of results")
    report.set_defaults(run=_report)
    report.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of results")
    report.add_argument(
        "--docs", type=Path, help="the page, and the folder of its plots; none: DIR/strength, as the repository has it"
    )
    return parser


def _command(
    commands: Any, name: str, function: Callable[[argparse.Namespace], None], about: str, *, deals: int, decided: float
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    parser.set_defaults(run=function)
    parser.add_argument("--game", default="napoleon-tw")
    parser.add_argument("--option", action="append", default=[], help="an option of the game, as 'players=4'")
    number = whole_number(1, MOST_DEALS)
    parser.add_argument("--deals", type=number, default=deals, help="at most so many")
    parser.add_argument("--minutes", type=float, help="at most so long, by the clock that budgets go by")
    parser.add_argument("--decided", type=float, default=decided, help="stop at so many standard errors; 0: do not")
    parser.add_argument("--first-look", type=number, default=USUAL.first, help="look after so many deals whether it is")
    parser.add_argument("--look", type=number, default=USUAL.every, help="and after every so many more")
    parser.add_argument("--fresh", action="store_true", help="play anew what another state of the code has played")
    parser.add_argument("--jobs", type=whole_number(1, MOST_JOBS), default=1, help="processes")
    parser.add_argument(
        "--processor-time", action="store_true", help="budgets are processor time, for a machine that does other work"
    )
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results")
    return parser


def _course(options: argparse.Namespace, *players: str) -> Course:
    if options.processor_time and options.jobs != 1:
        raise MeasurementError("--processor-time is for one process: --jobs 1")
    chosen = dict(_option(text) for text in options.option)
    open_game(options.game, chosen)
    texts = tuple(player_of(text).text for text in players)
    baseline = player_of(options.baseline).text
    deadline = minutes_from_now(options.minutes)
    return Course(
        options.game, texts, baseline, options.deals, options.out, jobs=options.jobs, deadline=deadline,
        options=chosen, fresh=options.fresh,
    )  # fmt: skip


def _rule(options: argparse.Namespace) -> Rule:
    return Rule(options.decided, options.first_look, options.look)


def _check_undecided(options: argparse.Namespace, command: str) -> None:
    if options.decided > 0.0:
        raise MeasurementError(f"{command} asks nothing that could be decided before its last deal: --decided 0")


def _option(text: str) -> tuple[str, OptionValue]:
    name, _, value = text.partition("=")
    words = {"true": True, "false": False}
    return name, words[value] if value in words else int(value) if value.lstrip("-").isdigit() else value


def _told(course: Course) -> Callable[[Found], None]:
    """Return what tells how far a run is, one line whenever all players have one more deal."""
    seen = 0

    def told(found: Found) -> None:
        nonlocal seen
        deals = len(paired_deals(list(found.values())))
        if deals > seen and course.deals:
            seen = deals
            print(f"\r{course.game}: {deals} of {course.deals} deals", end="", file=sys.stderr, flush=True)

    return told


def _played(course: Course, is_over: Callable[[Found], bool]) -> Found:
    found = run(course, is_over, _told(course))
    print(file=sys.stderr)
    if not paired_deals(list(found.values())):
        raise NothingPlayed("no deal is finished yet; the same command goes on")
    codes = summaries.codes_of(found)
    if len(codes) > 1:
        print(f"strength: these results come from {len(codes)} states of the code", file=sys.stderr)
    return found


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def _vs(options: argparse.Namespace) -> None:
    course = _course(options, options.candidate)
    (player,) = course.players

    def is_over(found: Found) -> bool:
        gains = gains_of(found[player], paired_deals([found[player]]))
        return _rule(options).decided_after(gains) is not None

    _say_gain(course, _played(course, is_over), player)


def _say_gain(course: Course, found: Found, player: str) -> None:
    case = f"{player} among {course.baseline}"
    gain = figure(course.game, case, summaries.gain(found, player), "points a deal gained")
    _say(gain | summaries.speed(found[player], player))


def _gap(options: argparse.Namespace) -> None:
    if (options.seconds is None) == (options.iterations is None):
        raise MeasurementError("say either --seconds or --iterations")
    budget = f"iterations={options.iterations}" if options.seconds is None else f"seconds={options.seconds}"
    course = _course(options, f"pimc:{budget}", f"pimc:{budget},infers=off", f"seeing:{budget}")
    with_, without, seeing = course.players

    def is_over(found: Found) -> bool:
        deals = paired_deals(list(found.values()))
        pairs = zip(gains_of(found[with_], deals), gains_of(found[without], deals), strict=True)
        return _rule(options).decided_after([one - other for one, other in pairs]) is not None

    found = _played(course, is_over)
    for player in course.players:
        _say_gain(course, found, player)
    shares = {player: summaries.share_closed(found, player, seeing) for player in (with_, without)}
    for player, share in shares.items():
        _say(figure(course.game, f"gap closed by {player}", share, "of the gap to seeing"))
    ahead = summaries.share_between(found, with_, without, seeing)
    _say(figure(course.game, f"gap closed more by {with_} than without inference", ahead, "of the gap to seeing"))


def _curve(options: argparse.Namespace) -> None:
    _check_undecided(options, "curve")
    budgets = [part for text in options.seconds for part in text.split(",")]
    course = _course(options, *(f"pimc:seconds={budget}" for budget in budgets))
    found = _played(course, lambda _found: False)
    for player in course.players:
        _say_gain(course, found, player)


def _beliefs(options: argparse.Namespace) -> None:
    _check_undecided(options, "beliefs")
    options.baseline = options.player
    course = replace(_course(options, options.player), kind=BELIEFS)
    (player,) = course.players
    results = _played(course, lambda _found: False)[player]
    ratio = log_ratio(results)
    if any(record["losses"] for record in results.values()):
        belief = belief_of(course.spec(player), results)
        losses = {"": belief.believed, " of the plain count": belief.counted, " of a uniform guess": belief.uniform}
        for name, loss in losses.items():
            _say(figure(course.game, f"log loss{name}, played by {player}", loss, "nats a guess"))
        _say(figure(course.game, "log loss less than uniform", belief.gained, "nats a guess"))
    _say(figure(course.game, f"true-state sampling ratio, played by {player}", ratio, "logarithm"))


def _report(options: argparse.Namespace) -> None:
    docs = options.docs
    if docs is None:
        docs = options.folders[0] / PAGE.stem
        docs.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PAGE, docs.with_suffix(".md"))
    for path in write_report(options.folders, docs):
        print(path)


if __name__ == "__main__":
    sys.exit(main())
