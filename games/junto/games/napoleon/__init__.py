"""The Napoleon games of Taiwan (拿破崙), one module for each part of the rule book.

`house` has what differs between games and tables, `deal` the state of a deal; `auction`, `exchange`, `call`
and `play` are the phases, each with what may be done, what it leads to and what happens on a time-out;
`ending` has the score. How an auction goes on is compiled, in `bidding`; following, calling out and winning are the
kernel's (`junto.games.tricks.kernel`).
"""

from junto.games.napoleon.deal import NapoleonDeal, NapoleonGame
from junto.games.napoleon.house import HouseRules

__all__ = ["HouseRules", "NapoleonDeal", "NapoleonGame"]
