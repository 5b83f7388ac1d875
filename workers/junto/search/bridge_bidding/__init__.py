"""How the bridge bots bid: a natural system with five-card majors and a strong no-trump.

Pure functions of a hand and the public auction: no worlds, no solving. `propose` chooses a call, `explain` says
what the calls of an auction mean, `consistent` and `misfit` compare a hand with what its calls have said. The
system for players is docs/games/bridge-bidding.md.
"""

from __future__ import annotations

from junto.search.bridge_bidding.beliefs import consistent, disagreements, misfit, shown_ranges
from junto.search.bridge_bidding.calls import AuctionError
from junto.search.bridge_bidding.meaning import Forcing, Meaning
from junto.search.bridge_bidding.system import Proposal, explain, propose

__all__ = [
    "AuctionError",
    "Forcing",
    "Meaning",
    "Proposal",
    "consistent",
    "disagreements",
    "explain",
    "misfit",
    "propose",
    "shown_ranges",
]
