"""Settings on the command line: a flag for every setting, and what is said of a wrong one.

A flag is its variable, set for this process and the processes that it starts. Secrets have no flag,
because everybody on a machine can read command lines.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, ParamSpec

import typer
from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from junto.cli.console import Failure
from junto.table.settings import PREFIX, Settings

Parameters = ParamSpec("Parameters")
BAD_SETTING: Final = 2
"""The exit code for a setting that cannot be."""


def load_settings(**chosen: object) -> Settings:
    """Return the settings of the environment; `chosen` override it.

    Raises:
        Failure: a setting has a value that it cannot have.
    """
    try:
        return Settings(**chosen)  # type: ignore[arg-type]
    except ValidationError as error:
        wrong = [f"{variable(str(item['loc'][0]))}: {item['msg']}" for item in error.errors() if item["loc"]]
        raise Failure("a setting is wrong\n  " + "\n  ".join(wrong), BAD_SETTING) from None


def variable(name: str) -> str:
    """Return the environment variable of a setting, by its name or its variable."""
    return name if name.isupper() else PREFIX + name.upper()


def flag(name: str) -> str:
    """Return a setting's flag as it is typed; empty for a secret."""
    field = Settings.model_fields[name]
    if _is_secret(field):
        return ""
    word = name.replace("_", "-")
    return f"--{word}/--no-{word}" if field.annotation is bool else f"--{word}"


def with_settings(command: Callable[Parameters, None]) -> Callable[..., None]:
    """Give a command a flag for every setting."""

    @functools.wraps(command)
    def with_flags(**given: Any) -> None:
        for name in Settings.model_fields:
            value = given.pop(name, None)
            if value is not None:
                os.environ[variable(name)] = str(value).lower() if isinstance(value, bool) else str(value)
        command(**given)  # type: ignore[call-arg]  # typer calls with names

    own = inspect.signature(command, eval_str=True).parameters.values()
    with_flags.__signature__ = inspect.Signature([*own, *_flags()])  # type: ignore[attr-defined]
    return with_flags


def _flags() -> Iterator[inspect.Parameter]:
    for name, field in Settings.model_fields.items():
        if _is_secret(field):
            continue
        kind = bool if field.annotation is bool else str
        option = typer.Option(flag(name), help=field.description, show_default=_default(field), metavar=None)
        yield inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
        )


def _default(field: FieldInfo) -> str:
    match field.default:
        case None | ():
            return "none"
        case bool() as value:
            return "yes" if value else "no"
        case value:
            return str(value)


def _is_secret(field: FieldInfo) -> bool:
    return SecretStr in (field.annotation, *getattr(field.annotation, "__args__", ()))
