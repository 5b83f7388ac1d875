"""A `View` as the request that a bot is sent, and back: the only form in which a deal leaves for a worker."""

from __future__ import annotations

from typing import Final

from junto.games.actions import Action
from junto.games.core import View
from junto.v1.strategies_pb2 import Budget, DecideRequest
from junto.wire.catalog import read_rules, rules_bytes
from junto.wire.errors import WireError
from junto.wire.joining import nested, tag
from junto.wire.prompts import prompt_bytes, read_prompt
from junto.wire.reading import read_own, read_shared
from junto.wire.results import read_match_view, write_match_view
from junto.wire.views import own_field, shared_field

_RULES: Final = tag(DecideRequest, "rules")
_VIEW: Final = tag(DecideRequest, "view")
_PROMPT: Final = tag(DecideRequest, "prompt")


def request_bytes(
    view: View,
    decision_id: str,
    budget: Budget,
    *,
    version: int = 0,
    deadline_ms: int | None = None,
    default_action: Action | None = None,
) -> bytes:
    """Return the serialised `DecideRequest` that asks for the decision of a view.

    `decision_id` is a UUID, the same for every repetition; the rest is as in `write_prompt`.
    """
    about = DecideRequest(
        decision_id=decision_id,
        match=write_match_view(view.match),
        budget=budget,
    )
    deal = shared_field(view.shared) + own_field(view.own)
    prompt = prompt_bytes(view.prompt, version, deadline_ms, default_action)
    return b"".join(
        [
            about.SerializeToString(),
            nested(_RULES, rules_bytes(view.game)),
            nested(_VIEW, deal),
            nested(_PROMPT, prompt),
        ]
    )


def read_request(message: DecideRequest) -> View:
    """Return the view that a request tells.

    Raises:
        UnknownGame, OptionRefused: its rules are none of this game server's.
        WireError: something else in it is not, or it tells no seat's own view.
    """
    if not message.view.HasField("own"):
        raise WireError("the request has no seat's own view: a spectator has nothing to decide")
    return View(
        game=read_rules(message.rules),
        match=read_match_view(message.match),
        shared=read_shared(message.view.shared),
        own=read_own(message.view.own),
        prompt=read_prompt(message.prompt),
    )
