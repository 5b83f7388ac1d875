"""Deciding: sampling hidden cards, playing deals out, searching. Pure: no input or output but the clock of a budget."""
