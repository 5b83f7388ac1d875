"""Tournaments that were asked for by the API: their store in Redis, and what of a request can be played.

Who plays them is the organiser's business (`junto.organiser`); this knows no strategy and no Ray.
"""
