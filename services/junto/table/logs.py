"""Structured logs of every role: one JSON object a line, or coloured text for a terminal.

Events are short lower-case phrases; everything else is a field. What the libraries log through the
standard library comes out in the same shape. Nothing secret is ever passed to a log: no token, no
request body, no card.
"""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor

from junto.table.settings import Settings

QUIET = ("uvicorn.error", "grpc._cython.cygrpc", "asyncio")
"""Loggers of libraries that tell every start and stop at `info`: we say those ourselves."""


def configure_logs(settings: Settings, role: str, stream: TextIO | None = None) -> None:
    """Send all logs of this process to a stream (standard error by default), each line with the role.

    Call it once, before the first event is logged.
    """
    stream = stream or sys.stderr
    level = getattr(logging, settings.log_level.upper())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_role(role),
    ]
    shape = _shape(settings, stream)
    structlog.configure(
        processors=[*shared, *shape],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    _bridge(shared, shape, level, stream)


def _shape(settings: Settings, stream: TextIO) -> list[Processor]:
    console = settings.log_format == "console" or (settings.log_format == "auto" and stream.isatty())
    if console:
        # structlog's own choice would print the local variables beside a traceback: hands, secrets, tokens.
        plain = structlog.dev.plain_traceback
        return [structlog.dev.ConsoleRenderer(colors=stream.isatty(), exception_formatter=plain)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]


def _add_role(role: str) -> Processor:
    def add(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        event.setdefault("role", role)
        return event

    return add


def _bridge(shared: list[Processor], shape: list[Processor], level: int, stream: TextIO) -> None:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *shape],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
