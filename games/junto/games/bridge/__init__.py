"""Contract bridge: what its games for four and for three players share."""
