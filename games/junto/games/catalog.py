"""The games that there are. A new game is registered here, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from junto.games.baohuang.game import Baohuang
from junto.games.bridge.four import Bridge
from junto.games.bridge.three import BridgeThree
from junto.games.core import Game
from junto.games.dou_dizhu import DouDizhu
from junto.games.hundred import Hundred
from junto.games.napoleon_4p import NapoleonFour
from junto.games.napoleon_jp import NapoleonJp
from junto.games.napoleon_tw import NapoleonTw
from junto.games.options import OptionValue
from junto.games.shuangkou import Shuangkou
from junto.games.whist import Whist

GAMES: Mapping[str, type[Game]] = {
    game.id: game
    for game in (
        NapoleonTw,
        NapoleonFour,
        NapoleonJp,
        Hundred,
        Bridge,
        BridgeThree,
        Whist,
        DouDizhu,
        Shuangkou,
        Baohuang,
    )
}
"""Every game by its id."""


class UnknownGame(LookupError):
    """There is no game with that id."""


def open_game(game_id: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """Return a rule set.

    Raises:
        UnknownGame: there is no such game.
        OptionError: it has no such option, or not with that value.
    """
    try:
        game = GAMES[game_id]
    except KeyError:
        raise UnknownGame(f"there is no game {game_id!r}; there are {', '.join(sorted(GAMES))}") from None
    return game(options)
