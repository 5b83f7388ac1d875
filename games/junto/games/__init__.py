"""The rules: pure, deterministic, no input or output, no clock, no randomness but a deal's seed."""
