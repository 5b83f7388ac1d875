"""Fold events into what is known: the one place where `Shared` and `Own` come from.

The shared part is given public events only, a seat's own part the events that this seat may see. No rule
of any game stands here: an event says what happened, and this says what that adds to a view. Only what
follows from the shared part itself (whose turn it is, a game's details) is filled in by the game's
`settle`, which sees nothing else. A game of bridge begins with its `BridgeDetails` (`Game.blank`), Baohuang with
its own: the pile and a pending claim, the pot, tributes and clearings are folded into them here, and `settle` replaces
no more than what it derives. Each part of a view has a module of its own in this package.
"""

from junto.games.knowledge.learning import learn, learn_own, learn_shared
from junto.games.knowledge.sheet import Settle, Sheet

__all__ = ["Settle", "Sheet", "learn", "learn_own", "learn_shared"]
