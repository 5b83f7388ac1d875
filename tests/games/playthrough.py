"""Write a whole deal as a text: every event, what everybody knows, and each seat's own view at each step.

`python -m tests.games.playthrough`, run in the repository's root, writes `tests/golden/GAME.txt` again from
the options, seed and actions in `tests/golden/GAME.script`. Read the difference before committing it.

`python -m tests.games.playthrough GAME NUMBER [OPTION=VALUE...]` first writes a new script: the deal of that number,
played by the rules of thumb of `greedy`. Give it a first line that says what the deal shows. A line `carried:`
may say what the match carries to the deal, as in `carried: tribute=3,1,1,4,1,4,3,0,2 voids=0`.

Deals of climbing games are long: there a seat is told of only when what it knows has changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import Enum
from hashlib import sha256
from pathlib import Path

from junto.games import actions
from junto.games.actions import Action, PlayCards
from junto.games.cards import STRAINS, SUITS, card_text, cards_text
from junto.games.catalog import open_game
from junto.games.climbing.combination import Combination
from junto.games.climbing.deal import ClimbingDeal
from junto.games.climbing.ranks import RANKS
from junto.games.core import Game, Match, Step
from junto.games.events import Event, Location, Seen, seen_by
from junto.games.shuffle import DealSeed
from junto.games.view import (
    Choices,
    ClimbingPlay,
    Contract,
    DealResult,
    Doubling,
    HandView,
    Own,
    SeatAction,
    Shared,
    TrickPlay,
)
from junto.search.decisions import Budget
from junto.search.strategies import greedy_strategy

from .playing import parsed

GOLDEN = Path(__file__).parents[1] / "golden"
CARDS = {
    "cards",
    "hand",
    "kitty",
    "put_back",
    "open",
    "calls",
    "callable",
    "costly",
    "naming",
    "leads",
    "called",
    "pot",
}
ROWS = {"row", "pile_row"}
CARD, SUIT = {"card", "called", "turned", "gives"}, {"suit", "trump", "led_suit", "follow"}
LISTED = 12
"""So many plays are listed one by one; of more, the weakest and the strongest."""


def playthrough(name: str) -> str:
    """Return the text of a scripted deal."""
    script = (GOLDEN / f"{name}.script").read_text(encoding="utf-8").split("\n")
    given = dict(line.split(": ", 1) for line in script if ": " in line)
    words = [line for line in script if line and ": " not in line and not line.startswith("#")]
    game = open_game(name, _options(given["options"]))
    seed = DealSeed(bytes.fromhex(given["secret"]), tuple(map(bytes.fromhex, given["entropy"].split(","))))
    step = game.deal(_match(game, given.get("carried", "")), seed)
    lines = [f"{game.title}, {given['options']}", "", "The cards are dealt.", *_told(step)]
    for number, word in enumerate(words, 1):
        before = step
        step = step.deal.apply(parsed(step.deal, word))
        lines += ["", f"{number}. Seat {before.deal.to_act}: {word}", *_told(step, before)]
    assert step.deal.is_over
    return "\n".join(lines) + "\n"


def script_of(name: str, number: int, options: str) -> str:
    """Return the script of the deal of that number, played by rules of thumb; `options` as in the script."""
    game, secret = open_game(name, _options(options)), sha256(f"{name} {number}".encode()).digest()
    deal = game.deal(game.new_match().opened(), DealSeed(secret, (b"",) * game.seats)).deal
    lines = [
        f"# Deal {number}.",
        f"options: {options}",
        f"secret: {secret.hex()}",
        f"entropy: {',' * (game.seats - 1)}",
    ]
    while deal.to_act is not None:
        budget = Budget(iterations=1, seed=number)
        action = greedy_strategy.decide(deal.view(deal.to_act), budget).action
        lines.append(actions.text(action))
        deal = deal.apply(action).deal
    return "\n".join(lines) + "\n"


def _match(game: Game, carried: str) -> Match:
    """Return a new match that carries what a script says."""
    parts = (part.partition("=") for part in carried.split())
    values = {name: tuple(map(int, filter(None, numbers.split(",")))) for name, _, numbers in parts}
    return game.new_match().opened().carrying(**values)


def _options(text: str) -> dict[str, bool | int | str]:
    return {key: _value(value) for key, _, value in (part.partition("=") for part in text.split())}


def _value(text: str) -> bool | int | str:
    return {"true": True, "false": False}.get(text, int(text) if text.isdigit() else text)


def _told(step: Step, before: Step | None = None) -> Iterator[str]:
    for seen in step.events:
        yield from _event_lines(seen, len(step.deal.owns))
    yield from _shared_lines(step.deal.shared, step.deal.game.unit)
    known = before.deal.owns if before is not None and isinstance(step.deal, ClimbingDeal) else ()
    for own in step.deal.owns:
        if own in known:
            continue
        yield f"  Seat {own.seat}: {_own_line(own)}"
    if step.deal.prompt is not None:
        yield f"  Seat {step.deal.prompt.seat} may: {_choices_line(step.deal.prompt.choices)}"
        yield f"  Seat {step.deal.prompt.seat} would, out of time: {actions.text(step.deal.default_action())}"


def _event_lines(seen: Seen, seats: int) -> Iterator[str]:
    """Yield one line for each different thing that somebody sees, with who sees it."""
    told: dict[Event, list[str]] = {}
    for seat in (None, *range(seats)):
        for event in seen_by([seen], seat):
            told.setdefault(event, []).append("spectators" if seat is None else str(seat))
    for event, who in told.items():
        to = "all" if len(who) == seats + 1 else ", ".join(who)
        yield f"  -> {to}: {type(event).__name__} {_record(event)}".rstrip()


_APART = {"hands", "tricks", "climbing", "calls", "number"}


def _shared_lines(shared: Shared, unit: str) -> Iterator[str]:
    shown = [field.name for field in fields(shared) if field.name not in _APART]
    parts = [f"{name} {_text(name, getattr(shared, name))}" for name in shown if _is_set(getattr(shared, name))]
    yield f"  All: {'; '.join(parts)}"
    yield f"  All: hands {', '.join(_hands(shared.hands))}"
    if shared.calls:
        yield f"  All: auction {', '.join(f'{call.seat} {actions.text(call.action)}' for call in shared.calls)}"
    if shared.tricks is not None and shared.tricks.trump is not None:
        yield f"  All: trumps {STRAINS[shared.tricks.trump]}{_trick(shared.tricks, unit)}"
    if shared.climbing is not None and shared.climbing.rounds:
        yield f"  All: {_round(shared.climbing)}"


def _hands(hands: tuple[HandView, ...]) -> Iterator[str]:
    """Yield each hand, with its number where hands have changed places."""
    moved = [hand.seat for hand in hands] != list(range(len(hands)))
    for hand in hands:
        yield f"{hand.seat}: {_hand(hand)}" if moved else _hand(hand)


def _hand(hand: HandView) -> str:
    return f"{hand.size} ({cards_text(hand.open)})" if hand.open else str(hand.size)


def _trick(play: TrickPlay, unit: str) -> str:
    if not play.tricks:
        return ""
    trick = play.tricks[-1]
    cards = " ".join(f"{played.seat}:{card_text(played.card)}" for played in trick.cards)
    won = "" if trick.winner is None else f", won by {trick.winner} with {trick.points}"
    counts = "tricks" if unit == "tricks" else f"tricks/{unit}"
    tallies = " ".join(
        f"{tally.tricks}" if unit == "tricks" else f"{tally.tricks}/{tally.points}" for tally in play.tallies
    )
    return f"; trick {len(play.tricks)} of {play.total_tricks}: {cards}{won}; {counts} {tallies}"


def _round(play: ClimbingPlay) -> str:
    last = play.rounds[-1]
    told = [f"{done.seat} {_done(done)}" for done in last.actions] or [f"{last.leader} leads"]
    parts = [f"round {len(play.rounds)}: {', '.join(told)}"]
    if play.finished:
        parts.append(f"out {' '.join(map(str, play.finished))}")
    if play.applicant is not None:
        parts.append(f"{play.applicant} asks for the lead")
    return "; ".join(parts)


def _done(done: SeatAction) -> str:
    """Return what a seat did in a round, its cards as ranks."""
    assert done.combination is not None or not isinstance(done.action, PlayCards)
    return _ranks(done.combination) if done.combination is not None else actions.text(done.action)


def _ranks(combination: Combination) -> str:
    return "".join(RANKS[rank] for rank in combination.ranks)


def _own_line(own: Own) -> str:
    parts = [cards_text(own.hand) or "no cards"]
    if own.role is not None:
        parts.append(own.role.name.lower() + (", alone" if own.alone else ""))
    parts += [
        f"{name} {cards_text(cards)}" for name, cards in (("took", own.kitty), ("put back", own.put_back)) if cards
    ]
    if own.pile_row:
        parts.append(f"sees of the pile {_row(own.pile_row)}")
    return "; ".join(parts)


def _row(row: Iterable[object]) -> str:
    """Return cards of which some lie face down."""
    return " ".join("--" if card is None else card_text(card) for card in row)  # type: ignore[arg-type]


def _choices_line(choices: Choices) -> str:
    return "; ".join(
        f"{field.name} {_text(field.name, getattr(choices, field.name))}"
        for field in fields(choices)
        if _is_set(getattr(choices, field.name)) and (field.name, getattr(choices, field.name)) != ("contract_rise", 0)
    )


def _record(value: object) -> str:
    return ", ".join(
        f"{field.name} {_text(field.name, getattr(value, field.name))}"
        for field in fields(value)  # type: ignore[arg-type]
        if _is_set(getattr(value, field.name))
    )


def _is_set(value: object) -> bool:
    return value is not None and value is not False and value != ()


def _text(name: str, value: object) -> str:
    match value:
        case Enum():
            return value.name.lower()
        case SeatAction(seat, action):
            return f"{seat} {actions.text(action)}"
        case Location(zone, seat):
            return zone.name.lower() + ("" if seat is None else f" {seat}")
        case Contract(declarer, bid, target, doubling):
            doubled = "" if doubling in {None, Doubling.NONE} else f", {doubling.name.lower()}"
            needs = "" if target is None else f", needs {target}"
            return f"seat {declarer} {actions.text(bid)}{needs}{doubled}"
        case DealResult():
            return _record(value)
        case Combination():
            return f"{_ranks(value)} ({value.kind.name.lower().replace('_', ' ')})"
        case bool():
            return str(value).lower()
        case int() if name in CARD:
            return card_text(value)
        case int() if name in SUIT:
            return STRAINS[value]
        case int() | str():
            return str(value)
        case tuple():
            return _list(name, value)
        case _ if isinstance(value, Action):
            return actions.text(value)
        case _:
            return f"({_record(value)})"


def _list(name: str, values: Iterable[object]) -> str:
    items = list(values)
    if name in ROWS:
        return _row(items)
    if name in CARDS and all(isinstance(item, int) for item in items):
        return cards_text(items)  # type: ignore[arg-type]
    if name == "trumps":
        return " ".join(SUITS[item] for item in items if isinstance(item, int))
    if name == "plays":
        plays = [_ranks(item) for item in items if isinstance(item, Combination)]
        few = plays if len(plays) <= LISTED else [*plays[: LISTED - 2], "...", plays[-1]]
        return f"({len(plays)}) {' '.join(few)}"
    if name == "bids":
        return f"{_text('', items[0])} to {_text('', items[-1])}"
    return " ".join(_text("", item) for item in items)


def _names() -> list[str]:
    return sorted(path.stem for path in GOLDEN.glob("*.script"))


def main() -> None:
    """Write a new script, if one is asked for, and every playthrough again."""
    if sys.argv[1:]:
        name, number, *options = sys.argv[1:]
        (GOLDEN / f"{name}.script").write_text(script_of(name, int(number), " ".join(options)), encoding="utf-8")
    for name in _names():
        (GOLDEN / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
