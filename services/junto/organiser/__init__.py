"""The organiser: takes up the tournaments of the API that nobody plays, and has the arena play them."""
