"""All that the author of a strategy imports: `from junto.strategy import Budget, View, greedy`. See docs/strategy.md.

What is slow to import is imported when it is first asked for: what knows the rules of thumb, and `serve` with gRPC.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from junto.games.actions import (
    AcceptOffer,
    Action,
    AgreeToClaim,
    ApplyForLead,
    Bid,
    CallCard,
    ChooseTrump,
    Claim,
    DeclineOffer,
    Discard,
    DoubleBid,
    Pass,
    Play,
    PlayCards,
    RedoubleBid,
    RefuseClaim,
    ShowCards,
    parse,
    text,
)
from junto.games.cards import (
    BIG_JOKER,
    CLUBS,
    DIAMONDS,
    HEARTS,
    NO_TRUMP,
    SMALL_JOKER,
    SPADES,
    Card,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from junto.games.core import View
from junto.games.view import Phase, Role
from junto.search.decisions import Budget, Decision, Evaluation, Strategy, StrategyError, UnplayableGame

if TYPE_CHECKING:
    from junto.strategy.choosing import anything, greedy, options, playable, trick
    from junto.strategy.serving import NotServed, StrategyServer, serve

_LATER: Final = {
    **dict.fromkeys(("anything", "greedy", "options", "playable", "trick"), "junto.strategy.choosing"),
    **dict.fromkeys(("NotServed", "StrategyServer", "serve"), "junto.strategy.serving"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'junto.strategy' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


__all__ = [
    "BIG_JOKER",
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "NO_TRUMP",
    "SMALL_JOKER",
    "SPADES",
    "AcceptOffer",
    "Action",
    "AgreeToClaim",
    "ApplyForLead",
    "Bid",
    "Budget",
    "CallCard",
    "Card",
    "ChooseTrump",
    "Claim",
    "Decision",
    "DeclineOffer",
    "Discard",
    "DoubleBid",
    "Evaluation",
    "NotServed",
    "Pass",
    "Phase",
    "Play",
    "PlayCards",
    "RedoubleBid",
    "RefuseClaim",
    "Role",
    "ShowCards",
    "Strategy",
    "StrategyError",
    "StrategyServer",
    "UnplayableGame",
    "View",
    "anything",
    "card_text",
    "cards_text",
    "greedy",
    "options",
    "parse",
    "parse_card",
    "parse_cards",
    "playable",
    "rank_of",
    "serve",
    "suit_of",
    "text",
    "trick",
]
