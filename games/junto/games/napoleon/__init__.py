"""The games in which the declarer calls a card and its holder is his secret partner (拿破崙, 百分, ナポレオン).

`house` has what differs between games and tables, `deal` the state of a deal; `auction`, `exchange` and `call`
are the phases before the play, each with what may be done, what it leads to and what happens on a time-out;
`ending` has the score; `rotation` is for games whose deal goes round. How an auction goes on is compiled, in
`bidding`; the play is that of all trick-taking games (`junto.games.tricks.play`).
"""

from junto.games.napoleon.deal import NapoleonDeal, NapoleonGame
from junto.games.napoleon.house import HouseRules
from junto.games.napoleon.rotation import DealtInTurn

__all__ = ["DealtInTurn", "HouseRules", "NapoleonDeal", "NapoleonGame"]
