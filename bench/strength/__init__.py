"""Who plays better, and by how much: the measuring instrument of strength.

Every comparison puts one candidate in every seat of each deal in turn, among baseline players, and pairs what it
scored with what the baseline scores in that very seat of the same deal. Deals are the clusters of all intervals.
Results are lines of files, one a deal: a run that is started again goes on, and the report is made of them alone.

    python -m bench.strength vs --game napoleon-tw --candidate pimc:seconds=0.02 --out results
"""

from junto.arena.code import CODE as CODE  # before anything that plays is imported
