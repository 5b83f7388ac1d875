"""Run files of conformance cases against the rules: `junto conformance FILE...`.

A file is a JSON list of cases `{name, kind, given, when, then}`; its name is the game's. What a kind of case
means for a game, its *adapter* knows: one module here per game or family, registered in `runner.ADAPTERS`.
An adapter sets up a deal as the case says and asks it; it knows no rule itself.
"""

from junto.games.conformance.runner import ADAPTERS, Adapter, Answer, Case, run_files

__all__ = ["ADAPTERS", "Adapter", "Answer", "Case", "run_files"]
