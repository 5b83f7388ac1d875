"""What the process that runs a load test says to its generators, and they to it: JSON, one object a line.

To a generator: an `Order` first, then `Phase`s, `{"kind": "stop"}` to end a phase early, and the end of its input to
end in order. From it: `opening` with how many tables are open, `ready`, `progress` every second of a phase,
`measured` after it, and `over` with its totals at the end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from junto.games.options import OptionValue
from junto.load.profile import Bots, Profile, Seating, Think
from junto.v1 import catalog_pb2


@dataclass(frozen=True, slots=True)
class Order:
    """What a generator is to be: `profile.tables` is its own share, the first of which is number `first_table`."""

    address: str
    tls: bool
    profile: Profile
    first_table: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        profile = asdict(self.profile)
        return {"kind": "order", "address": self.address, "tls": self.tls, "first_table": self.first_table,
                "profile": profile}  # fmt: skip

    @staticmethod
    def from_json(written: Mapping[str, Any]) -> Order:
        """Return what `to_json` has written."""
        profile = dict(written["profile"])
        seating, bots, think = Seating(**profile.pop("seating")), Bots(**profile.pop("bots")), profile.pop("think")
        whole = Profile(seating=seating, bots=bots, think=Think(**think), **profile)
        return Order(written["address"], written["tls"], whole, written["first_table"])


@dataclass(frozen=True, slots=True)
class Phase:
    """A time in which moves are made: `warmup_s` seconds that do not count, then `duration_s` that do.

    `rate` is this generator's share, in moves a second; None: every table keeps its own pace.
    """

    rate: float | None
    duration_s: float
    warmup_s: float
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"kind": "phase", **asdict(self)}

    @staticmethod
    def from_json(written: Mapping[str, Any]) -> Phase:
        """Return what `to_json` has written."""
        return Phase(written["rate"], written["duration_s"], written["warmup_s"], written["seed"])


def line(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def rule_set(game: str, options: Mapping[str, OptionValue]) -> catalog_pb2.RuleSet:
    """Return the rules of a game with options, as the API has them."""
    return catalog_pb2.RuleSet(
        game_id=game,
        options=[catalog_pb2.OptionSetting(name=name, value=_value(value)) for name, value in options.items()],
    )


def _value(value: OptionValue) -> catalog_pb2.OptionValue:
    match value:
        case bool():
            return catalog_pb2.OptionValue(flag=value)
        case int():
            return catalog_pb2.OptionValue(number=value)
        case _:
            return catalog_pb2.OptionValue(choice=value)
