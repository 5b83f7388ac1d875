"""What sittings come to: standings with intervals, ratings, sequential tests. See docs/arena.md.

A `Tally` takes the records deal by deal and tells `Standings` whenever it is asked.
"""
