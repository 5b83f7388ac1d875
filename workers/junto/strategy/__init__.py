"""For authors of strategies."""
