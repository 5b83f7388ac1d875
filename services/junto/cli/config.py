"""`junto config`: every setting."""

from __future__ import annotations

import shutil
import textwrap
from typing import Annotated

import typer

from junto.cli.console import say
from junto.cli.flags import flag, load_settings
from junto.table.settings import PREFIX, Described, describe


def config(
    changed: Annotated[bool, typer.Option("--changed", help="Only those that differ from their default.")] = False,
) -> None:
    """List every setting: its variable, its flag, its value now, its default, what it means.

    Settings come from the environment; `junto up`, `serve` and `steward` take the flags too. Secrets show
    as asterisks.
    """
    width = max(40, min(shutil.get_terminal_size().columns, 110))
    for setting in describe(load_settings()):
        if changed and setting.value == setting.default:
            continue
        say(headline(setting), style="bold")
        say(textwrap.fill(setting.meaning, width, initial_indent="    ", subsequent_indent="    "))


def headline(setting: Described) -> str:
    """Return the first line of a setting: its names and its value."""
    name = setting.variable.removeprefix(PREFIX).lower()
    differs = f"   (default: {setting.default or 'none'})" if setting.value != setting.default else ""
    return "  ".join(word for word in (setting.variable, flag(name), f"= {setting.value or 'none'}{differs}") if word)
