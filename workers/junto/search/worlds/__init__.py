"""Draw the hidden cards: uniformly from all ways in which they can lie.

A *place* is a hand or a hidden pile. Each has a size, and cards that it cannot hold. Cards that the same places can
hold form a *group*; places that can hold the same cards are one *basin* (`outline`). How many ways there are to share
the groups out among the basins is counted by dynamic programming (`graph`): nodes are what is still to be filled,
edges say how many cards of a group go into a basin, and weights count the deals behind them. A draw walks the graph
from its root with these weights, then picks which cards, then shuffles each basin out to its places (`layout`).
Nothing is tried and given up, so a draw costs the same whatever is known. (Sampling consistent deals without bias is
what GIB and Kermit did by rejection; the counting makes it exact.)

Cards are labelled: equal cards of several packs count each. What is written of a draw is another matter: the set of
cards in each place where there is one pack (`sets`), the cards of each rank where there may be several (`ranks`).
"""
