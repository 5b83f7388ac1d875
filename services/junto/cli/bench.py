"""`junto bench`: the benchmarks of a source checkout, in `bench/`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from junto.cli.console import Failure, say


def bench(
    name: Annotated[str | None, typer.Argument(help="Which; none: list them.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the JSON objects as they come, one a line.")] = False,
    arguments: Annotated[list[str] | None, typer.Argument(help="What the benchmark itself takes.")] = None,
) -> None:
    """Run a benchmark. Each prints its figures, one JSON object a line."""
    folder = find_benches()
    programs = [*folder.glob("*.py"), *(path.parent for path in folder.glob("*/__main__.py"))]
    names = sorted(path.stem for path in programs if not path.stem.startswith("_"))
    if name is None:
        say("\n".join(names))
        return
    if name not in names:
        raise Failure(f"there is no benchmark {name!r}; there are {', '.join(names) or 'none'}", 2)
    raise typer.Exit(run(folder, name, arguments or [], as_json=as_json))


def find_benches() -> Path:
    """Return the folder of the benchmarks: beside the sources that run, or in the folder we are in.

    Raises:
        Failure: Junto was installed without them.
    """
    for root in (Path(__file__).resolve().parents[3], Path.cwd()):
        if (root / "bench").is_dir() and (root / "games" / "junto").is_dir():
            return root / "bench"
    raise Failure("the benchmarks do not come with an installed Junto; run this in a source checkout")


def run(folder: Path, name: str, arguments: list[str], *, as_json: bool) -> int:
    """Run one benchmark, a file or a package, as its own process; return its exit code."""
    found = [str(folder.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": os.pathsep.join(found)}
    program = folder / f"{name}.py"
    command = [sys.executable, *([str(program)] if program.exists() else ["-m", f"{folder.name}.{name}"]), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603
        assert process.stdout is not None
        for line in process.stdout:
            say(line.rstrip() if as_json else in_words(line))
    return process.returncode


def in_words(line: str) -> str:
    """Return a figure for reading; a line that is none as it is."""
    try:
        figure = json.loads(line)
        value, unit = figure.pop("value"), figure.pop("unit")
    except (ValueError, KeyError, AttributeError):
        return line.rstrip()
    name = " ".join(str(figure.pop(key)) for key in ("bench", "game", "case") if key in figure)
    amount = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    parts = (f"{key} {part:.3g}" if isinstance(part, float) else f"{key} {part}" for key, part in figure.items())
    rest = ", ".join(parts)
    return f"{name}: {amount} {unit}" + (f"  ({rest})" if rest else "")
