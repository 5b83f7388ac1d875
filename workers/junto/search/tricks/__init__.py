"""Deciding in the trick-taking games: one search for all of them, driven by the rules vector of the kernel.

`knowledge` is what a seat knows, as numbers; `position` the vectors that kernels read; `state` and `playouts`
play a world on, by the rules of thumb of `policy`; `inference` draws worlds, `weighing` weighs them, and `pile` counts
those of one decision that has rules of its own; `trials` tries candidates in worlds, `solving` solves them; `setup` has
the rules of thumb before the play where a partner's card is called.
"""
