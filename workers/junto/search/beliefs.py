"""What a seat believes of the partner who is not known yet, whether it is its turn or not: one seam for both families.

A decision reports the beliefs of the seat that made it. Whoever looks at a deal afterwards wants them of every seat
after every move: `view_of` gives a seat's view at any moment, `beliefs_of` what the search believes from there.
"""

from __future__ import annotations

from junto.games.climbing.deal import ClimbingGame
from junto.games.core import Deal, View
from junto.games.view import Choices, MatchView, Prompt
from junto.search.climbing.guard import guard_beliefs
from junto.search.climbing.knowledge import knowledge_of as climbing_knowledge
from junto.search.climbing.pool import pool_of
from junto.search.decisions import Cards, Roles
from junto.search.tricks.inference import Pool
from junto.search.tricks.knowledge import knowledge_of as tricks_knowledge
from junto.search.tricks.strategy import partner_beliefs


def view_of(deal: Deal, seat: int, match: MatchView | None = None) -> View:
    """Return all that a seat knows, whoever is to act: a view that asks for nothing."""
    prompt = deal.prompt
    if prompt is None or prompt.seat != seat:
        prompt = Prompt(seat, deal.phase, Choices())
    return View(deal.game, match or MatchView(), deal.shared, deal.owns[seat], prompt)


def beliefs_of(view: View, worlds: int, seed: int) -> tuple[Roles, Cards]:
    """Return what the seat of a view believes in the phase of play, from so many worlds, or to fill a batch a few more.

    Alike for the same view and seed. Both are empty where it has nothing to guess.

    Raises:
        UnplayableGame: the search does not play the game.
        NoWorld: what the seat knows contradicts itself.
    """
    if isinstance(view.game, ClimbingGame):
        held = climbing_knowledge(view)
        if held.named is None or held.named not in held.hidden:
            return {}, {}
        guards = pool_of(view, held, seed)
        guards.draw(worlds)
        cards, roles = guard_beliefs(view, held, guards)
    else:
        known = tricks_knowledge(view)
        pool = Pool(known, known.worlds(), seed)
        pool.draw(worlds)
        cards, roles = partner_beliefs(known, pool)
    return roles, cards
