"""What the table and its store refuse or cannot do, as faults: one place, one line each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from junto.front.faults import Fault, FieldViolation, InvalidField, RateLimited
from junto.table.entries import ForeignEntry
from junto.table.errors import Conflict, PoolBusy, TableError
from junto.table.handling import BrokenLog
from junto.table.snapshot import NewerSchema
from junto.table.store_errors import StoreUnavailable
from junto.tournaments.errors import NewerTournament, SpecRefused, TournamentsFull
from junto.v1 import errors_pb2
from junto.wire.errors import OptionRefused, UnknownGame

_log = structlog.get_logger(__name__)

_COME_BACK_S: Final[dict[type[Exception], float]] = {PoolBusy: 1.0, Conflict: 0.1}


@contextmanager
def refusals(rules: str = "rules") -> Iterator[None]:
    """Turn refusals into faults. What is none passes as it is, and becomes an incident.

    Args:
        rules: where a rule set stands in the request.

    Raises:
        Fault: what was asked is refused, or cannot be done now.
    """
    try:
        yield
    except TableError as error:
        raise fault_of(error) from None
    except StoreUnavailable as error:
        _log.warning("store unavailable", problem=str(error))
        raise Fault(
            errors_pb2.ERROR_REASON_STORE_UNAVAILABLE,
            "the store does not answer; the call may have been carried out: repeat it with the same request id",
            retry_delay_s=0.5,
        ) from None
    except (NewerSchema, ForeignEntry) as error:
        _log.warning("table of a newer process", problem=str(error))
        raise Fault(
            errors_pb2.ERROR_REASON_DRAINING,
            "this server is being replaced by a newer one, which has the table: repeat the call",
            retry_delay_s=0.5,
        ) from None
    except BrokenLog as error:
        _log.error("log does not fold", problem=str(error))
        raise Fault(
            errors_pb2.ERROR_REASON_DRAINING,
            "this server cannot read the table's log, as if another version of it had written that: repeat the call",
            retry_delay_s=0.5,
        ) from None
    except NewerTournament as error:
        _log.warning("tournament of a newer process", problem=str(error))
        raise Fault(
            errors_pb2.ERROR_REASON_DRAINING,
            "this server is being replaced by a newer one, which has the tournament: repeat the call",
            retry_delay_s=0.5,
        ) from None
    except SpecRefused as error:
        raise InvalidField([FieldViolation(f"spec.{error.field}", str(error))]) from None
    except TournamentsFull as error:
        raise RateLimited(str(error), retry_delay_s=60.0) from None
    except OptionRefused as error:
        raise Fault(
            errors_pb2.ERROR_REASON_INVALID_OPTION,
            str(error),
            metadata={"option": error.option[:80]},
            violations=[FieldViolation(f"{rules}.{error.field}", str(error))],
        ) from None
    except UnknownGame as error:
        raise Fault(errors_pb2.ERROR_REASON_GAME_NOT_FOUND, str(error)) from None


def fault_of(error: TableError) -> Fault:
    """Return a refusal as a fault."""
    return Fault(error.reason, error.message, metadata=error.metadata, retry_delay_s=_COME_BACK_S.get(type(error)))
