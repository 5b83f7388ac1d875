"""The arena: large tournaments of strategies on Ray, with honest statistics. See docs/arena.md.

What is to be played is a `Spec`; a `Plan` says who sits where in which deal; `play` plays one sitting to a
`SittingRecord`; `run` has workers play them all, keeps each record in a `Journal`, and tallies what they mean.
"""
