"""Worlds that cannot be are found out by replaying them: drawn ones pass, wrongly drawn ones do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench import _impossible
from junto.games.catalog import GAMES, open_game
from junto.games.climbing.ranks import rank_of_card
from junto.games.core import View
from junto.search.climbing import knowledge as climbing
from junto.search.tricks.knowledge import Knowledge


@pytest.mark.parametrize("game_id", GAMES)
def test_drawn_worlds_can_be(game_id: str) -> None:
    """A few hundred of every game, from the first decisions of a deal on."""
    assert _impossible.check(open_game(game_id), 300) == (300, 0)


def test_a_world_in_which_somebody_revoked_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Voids that nobody minds give a player cards that he would have had to play."""
    monkeypatch.setattr(Knowledge, "barred_hands", lambda known: [0] * len(known.sizes))

    assert _impossible.check(open_game("whist"), 3000)[1] > 100


def test_a_world_that_is_no_deal_of_the_pack_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card too many of one kind in the hidden cards, and one too few of another."""

    def wrong(view: View) -> climbing.Knowledge:
        known = knowledge_of(view)
        return replace(known, hidden=(*known.hidden[1:], known.hidden[-1])) if known.hidden else known

    knowledge_of = climbing.knowledge_of
    monkeypatch.setattr(climbing, "knowledge_of", wrong)

    assert _impossible.check(open_game("dou-dizhu"), 300)[1] > 200


def test_a_world_in_which_another_tribute_was_due_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dealt anew, the deal takes another card from who had to give his best one."""

    def forgetful(view: View) -> climbing.Knowledge:
        known = knowledge_of(view)
        return replace(known, barred=(0,) * len(known.barred), limit=None)

    knowledge_of = climbing.knowledge_of
    monkeypatch.setattr(climbing, "knowledge_of", forgetful)

    monkeypatch.setattr(_impossible, "A_DECISION", 1)
    assert _impossible.check(open_game("baohuang"), 200)[1] > 0


@pytest.mark.parametrize("giver", [0, 1])
def test_who_gave_a_card_of_a_rank_has_its_lowest_suits(giver: int) -> None:
    """A world says only who has how many of a rank: the higher suit is the other's, or it had been given."""
    position = next(_impossible.positions(open_game("baohuang"), 1))
    known = replace(climbing.knowledge_of(position.view), named=None)
    counts = np.zeros((2, 16), np.int64)
    counts[:, rank_of_card(26)] = 1

    world = _impossible._cards(known, counts, np.zeros(2, np.int64), [[39], [26]], {rank_of_card(26): giver})

    assert world is not None
    assert world[giver] == (26,)
    assert world[1 - giver] == (39,)
