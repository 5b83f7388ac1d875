"""Search for the climbing games: playouts, rules of thumb, and the strategies on top of them."""
