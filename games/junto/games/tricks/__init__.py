"""The trick-taking games: their rules of play, compiled once for the server and the search."""
