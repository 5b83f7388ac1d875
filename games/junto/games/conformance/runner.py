"""Read the files, ask the adapters, compare and report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from junto.games.conformance import baohuang, bridge, bridge_3p, dou_dizhu, napoleon, shuangkou, whist
from junto.games.conformance.case import Adapter, Answer, Case

ADAPTERS: Final[Mapping[str, Adapter]] = {
    "napoleon_tw": napoleon.TAIWAN,
    "napoleon_4p": napoleon.FOUR,
    "napoleon_jp": napoleon.JAPAN,
    "hundred": napoleon.HUNDRED,
    "bridge": bridge.ADAPTER,
    "bridge_3p": bridge_3p.ADAPTER,
    "whist": whist.ADAPTER,
    "dou_dizhu": dou_dizhu.ADAPTER,
    "shuangkou": shuangkou.ADAPTER,
    "baohuang": baohuang.ADAPTER,
}
"""By the name of a game's file, without its ending."""

PASSED, FAILED, UNREADABLE = range(3)
"""Exit codes."""
_SETS: Final = {"cards", "revealed", "plays", "transfers"}
"""Answers whose order means nothing."""
_RANKS: Final = {"top", "plays", "pot", "hands_after"}
"""Answers in texts of ranks, such as `3344BR`, whose order means nothing."""


class UnreadableFile(Exception):
    """A file that is no list of cases, or of a game or a kind that is not known."""


def run_files(paths: Sequence[str | Path], say: Callable[[str], object] = print) -> int:
    """Run the cases of all files and `say` which failed, at last `N passed, M failed`.

    Returns:
        0 if all passed, 1 if any failed, 2 if a file cannot be read or a kind of case is unknown.
    """
    passed = failed = 0
    unreadable = False
    for path in map(Path, paths):
        try:
            cases = read_cases(path)
        except UnreadableFile as error:
            say(f"{path}: {error}")
            unreadable = True
            continue
        for case in cases:
            if case.kind not in ADAPTERS[path.stem]:
                say(f"{path}: {case.name}: the kind of case {case.kind!r} is unknown for {path.stem}")
                unreadable = True
            elif complaints := list(run_case(ADAPTERS[path.stem], case)):
                failed += 1
                say(f"{path}: {case.name}: failed")
                for complaint in complaints:
                    say(f"    {complaint}")
            else:
                passed += 1
    say(f"{passed} passed, {failed} failed")
    return UNREADABLE if unreadable else FAILED if failed else PASSED


def read_cases(path: Path) -> list[Case]:
    """Return a file's cases.

    Raises:
        UnreadableFile: there is no such file, it is no list of cases, or no such game.
    """
    if path.stem not in ADAPTERS:
        raise UnreadableFile(f"there are no cases for {path.stem!r}, only for {', '.join(sorted(ADAPTERS))}")
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UnreadableFile(f"is not JSON: {error}") from None
    if not isinstance(cases, list):
        raise UnreadableFile("is not a list of cases")
    return [_case(number, case) for number, case in enumerate(cases, 1)]


def run_case(adapter: Adapter, case: Case) -> Iterator[str]:
    """Yield what is wrong with the answer to a case: nothing if it is right."""
    try:
        answer = adapter[case.kind](case)
    except Exception as error:  # noqa: BLE001  # whatever went wrong, it is this case's answer
        yield f"got {type(error).__name__}: {error}"
        return
    for field, expected in case.then.items():
        if field not in answer:
            yield f"{field}: expected {_text(expected)}, got nothing"
        elif _comparable(field, answer[field]) != _comparable(field, expected):
            yield f"{field}: expected {_text(expected)}, got {_text(answer[field])}"


def _case(number: int, case: Any) -> Case:
    if isinstance(case, dict) and isinstance(case.get("when"), str):
        # The climbing games' cases name their kind like this, and say all the rest in `given`.
        case = {**case, "kind": case["when"], "when": {}}
    if not isinstance(case, dict) or not isinstance(case.get("kind"), str) or not isinstance(case.get("then"), dict):
        raise UnreadableFile(f"case {number} has no kind or no answer")
    given, when = case.get("given") or {}, case.get("when") or {}
    if not isinstance(given, dict) or not isinstance(when, dict):
        raise UnreadableFile(f"case {number}: given and when must be objects")
    return Case(str(case.get("name", f"case {number}")), case["kind"], given, when, case["then"])


def _comparable(field: str, value: Any) -> Any:
    if field in _RANKS and isinstance(value, str):
        return sorted(value)
    if field in _RANKS and isinstance(value, list | tuple):
        value = ["".join(sorted(ranks)) for ranks in value]
    if isinstance(value, list | tuple):
        return sorted(value) if field in _SETS else list(value)
    return value


def _text(value: Any) -> str:
    return json.dumps(value, default=list)


__all__ = ["ADAPTERS", "Adapter", "Answer", "Case", "run_files"]
