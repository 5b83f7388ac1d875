"""Strategies that are not ours: in processes of their own that are shown views and nothing else, or behind an address.

`entries.open_entry` opens one; `fingerprints.fingerprint` says which state of it plays. See docs/strategy.md for what
its process may and may not do.
"""
