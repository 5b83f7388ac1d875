"""What other benchmarks have printed into files of the folders, a JSON object a line, and its tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.strength.errors import BadResults
from bench.strength.marks import SEVERAL, table

from junto.games.catalog import GAMES

Figure = Mapping[str, Any]
_NAMES: Final = ("bench", "game", "case", "candidate", "peer", "limit", "budget", "landlord_by")
"""What tells two figures apart; of those that agree in all of it the last one counts."""
_CONTRACTS: Final = {"3NT": "3NT", "suit game": "four of a suit", "both": "both"}
_PLAYERS: Final = {"ismcts": "ISMCTSBot", "junto": "Junto"}


def read_figures(path: Path) -> list[Figure] | None:
    """Return the figures of a file, without a half-written last one; None: it holds something else.

    Raises:
        BadResults: it begins with a figure, and another line is none.
    """
    with path.open(encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    try:
        figures = [json.loads(line) for line in lines]
    except ValueError:
        figures = [None]
    are_figures = [isinstance(figure, dict) and "bench" in figure for figure in figures]
    if not all(are_figures):
        if are_figures[0]:
            raise BadResults(f"{path} holds figures, and something else")
        return None
    return figures


def latest(figures: Iterable[Figure]) -> list[Figure]:
    """Return the last of all figures that are of the same thing, in the order of the games."""
    found = {tuple(figure.get(name) for name in _NAMES): figure for figure in figures}
    games = list(GAMES)
    return sorted(found.values(), key=lambda one: games.index(one["game"]) if one.get("game") in games else len(games))


def _of(figures: Iterable[Figure], bench: str) -> list[Figure]:
    return [figure for figure in figures if figure["bench"] == bench]


def _title(figure: Figure) -> str:
    game = figure["game"]
    return GAMES[game].title if game in GAMES else str(game)


def _optional(figure: Figure, name: str, form: str = "{:,}") -> str:
    value = figure.get(name)
    return "" if value is None else form.format(value)


def _share(value: float, digits: int = 2) -> str:
    return f"{100 * value:.{digits}f} %"


def _deals(figure: Figure) -> str:
    return f"{figure['deals']:,}" + (f" {SEVERAL}{figure['codes']}" if figure["codes"] > 1 else "")


def playouts(figures: Sequence[Figure]) -> str:
    """Return random playouts a second, beside OpenSpiel's where it has the game."""
    return table(
        ("game", "playouts/s", "each dealt anew", "ns a ply", "OpenSpiel's/s", "its ns a ply", "ratio", "ratio by ply"),
        (
            (
                _title(one),
                f"{one['playouts_per_s']:,}",
                _optional(one, "with_deal_per_s"),
                f"{one['ns_per_ply']}",
                _optional(one, "peer_per_s"),
                _optional(one, "peer_ns_per_ply"),
                _optional(one, "ratio"),
                _optional(one, "ratio_by_ply"),
            )
            for one in _of(figures, "peers/playouts")
        ),
    )


def worlds(figures: Sequence[Figure]) -> str:
    """Return how fast worlds are drawn, and how many of those that were checked cannot be."""
    checks = {one["game"]: one for one in _of(figures, "worlds") if one["case"] == "checked"}
    return table(
        ("game", "worlds/s", "slowest decision, ns a world", "playout / world", "counting, µs p50", "p99", "checked",
         "impossible"),
        (
            (
                _title(one),
                f"{one['value']:,}",
                f"{one['slowest_ns']:,}",
                f"{one['ratio']}",
                f"{one['count_us_median']}",
                f"{one['count_us_p99']}",
                _optional(checks.get(one["game"], {}), "checked"),
                _optional(checks.get(one["game"], {}), "value"),
            )
            for one in _of(figures, "worlds")
            if one["case"] == "drawn"
        ),
    )  # fmt: skip


def bridge(figures: Sequence[Figure]) -> str:
    """Return what Junto takes more than ISMCTSBot from the same cards."""
    return table(
        ("contract", "Junto in place of ISMCTSBot", "against", "tricks a deal more", "points a deal more", "limit",
         "CPU ms a decision", "ISMCTSBot's", "deals"),
        (
            (
                name,
                role,
                _PLAYERS[other],
                _ends(one[contract][f"tricks, {role} against {other}"]),
                _ends(one[contract][f"score, {role} against {other}"]),
                one["limit"],
                f"{one['cpu']['junto']['decision_ms']}",
                f"{one['cpu']['ismcts']['decision_ms']}",
                _deals(one),
            )
            for one in _of(figures, "peers/bridge_ismcts")
            for contract, name in _CONTRACTS.items()
            for role in ("declarer", "defence")
            for other in _PLAYERS
        ),
    )  # fmt: skip


def _ends(told: Mapping[str, float | None]) -> str:
    if told["low"] is None:
        return f"{told['mean']:+.2f} [no interval]"
    return f"{told['mean']:+.2f} [{told['low']:+.2f}, {told['high']:+.2f}]"


def dou_dizhu(figures: Sequence[Figure]) -> str:
    """Return how many deals are won against RLCard's rule bot."""
    return table(
        ("who plays", "landlord by", "limit", "of deals won by", "share", "points a deal, at a bid of 1", "deals"),
        (
            (
                one["case"],
                one["landlord_by"],
                one["budget"] if "pimc" in one["case"] else "",
                one["unit"].rpartition("the ")[2],
                f"{_share(one['value'], 1)} [{_share(one['interval_95'][0], 1)}, {_share(one['interval_95'][1], 1)}]",
                f"{one['points_a_deal_at_bid_1']:+.2f}",
                _deals(one),
            )
            for one in _of(figures, "peers/rlcard_doudizhu")
        ),
    )


def deadlines(figures: Sequence[Figure]) -> str:
    """Return how many decisions of a worker end in time, of all games together."""
    return table(
        ("games", "budget", "decisions", "late", "in time", "at least (95 %)", "by CPU time", "p50, ms beyond", "p99",
         "p99.9", "worst"),
        (
            (
                one["game"],
                one["case"],
                f"{one['decisions']:,}",
                f"{one['late']}",
                _share(one["value"]),
                _share(one["at_least"]),
                _share(one["cpu"]),
                *(f"{one[name]:+.1f}" for name in ("p50_ms", "p99_ms", "p99.9_ms", "max_ms")),
            )
            for one in _of(figures, "deadlines")
            if one["game"] not in GAMES
        ),
    )  # fmt: skip


def start(figures: Sequence[Figure]) -> str:
    """Return how soon a worker is ready, with all kernels kept and with none."""
    cases = {"warm": "all kernels are kept", "cold": "nothing is kept: `junto warmup`"}
    return table(
        ("what is kept", "s until ready", "CPU s", "load of the machine"),
        (
            (cases[one["case"]], f"{one['value']}", f"{one['cpu_s']}", f"{one['load']}")
            for one in _of(figures, "start")
            if one["case"] in cases
        ),
    )


def memory(figures: Sequence[Figure]) -> str:
    """Return the peak memory of a process that decides."""
    rows = ((_title(one), one["case"], f"{one['value']}") for one in _of(figures, "profile_decisions"))
    return table(("game", "budget", "MB at most"), rows)


def profile(figures: Sequence[Figure]) -> str:
    """Return where the time of decisions goes."""
    found = _of(figures, "profile_decisions")
    parts = list(dict.fromkeys(part for one in found for part in one["shares"]))
    rows = ((_title(one), one["case"], *(_share(one["shares"].get(part, 0.0), 0) for part in parts)) for one in found)
    return table(("game", "budget", *parts), rows)


PRINTED: Final[Mapping[str, Callable[[Sequence[Figure]], str]]] = {
    "playouts": playouts,
    "worlds": worlds,
    "bridge": bridge,
    "dou-dizhu": dou_dizhu,
    "deadlines": deadlines,
    "start": start,
    "memory": memory,
    "profile": profile,
}
"""Every table of what was printed, by the name of its place on the page."""
