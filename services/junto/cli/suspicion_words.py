"""What there is to say of a deal's suspicion timeline: whom it is about, when he was suspected, given away, known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from junto.cli.climbing_words import listed
from junto.cli.faces import card_faces
from junto.cli.suspicion import Told
from junto.games.view import Role
from junto.search.suspicion import Moment

SUSPECTED_FROM: Final = 0.5
"""A seat is suspected if those who have to guess give it at least this chance, on average."""
HEARD_FROM: Final = 0.5
"""So many of them, at least, must have said what they believe."""


def opening(told: Told) -> str:
    """Return what a deal's timeline is about: who declared, which card was called, who had it."""
    names, partners = told.names, told.timeline.partners
    declarer, partner = told.title(Role.DECLARER), told.title(Role.PARTNER)
    whose = listed([names[seat] for seat in partners])
    who = f"{whose} {'was' if len(partners) == 1 else 'were'} the {partner}" if partners else "there was none"
    verb = "named" if told.unit == "round" else "called"
    return (
        f"Deal {told.number} of {told.game.title}: {names[told.timeline.declarer]} was {declarer} and {verb} "
        f"{card_faces(told.telling)} for the {partner}; {who}."
    )


def knowing(told: Told, observer: int) -> str:
    """Return what is to be said of an observer who had nothing to guess; nothing of others."""
    return "" if observer in told.timeline.guessing else ", who knew all from the start"


def verdict(told: Told) -> Iterator[str]:
    """Yield which move gave the alliance away, and which made it certain for all."""
    line = told.timeline
    if line.gave_away is not None:
        before, moment = line.moments[line.gave_away - 1], line.moments[line.gave_away]
        whom = listed([told.names[seat] for seat in line.partners]) or "nobody"
        rose = f"from {_percent(line.given_to_truth(before))} to {_percent(line.given_to_truth(moment))}"
        yield f"Given away {told.at(moment)}, when {told.said(moment.done)}: the chance given to {whom} rose {rose}."
    else:
        yield "No move gave it away before it was certain."
    yield certainty(told)


def certainty(told: Told) -> str:
    """Return when the alliance was certain for all, and by what."""
    line = told.timeline
    assert line.certain is not None, "when a deal is over all roles are known"
    moment = line.moments[line.certain]
    if moment.shown:
        return f"Certain for all {told.at(moment)}, when the card fell: {told.said(moment.done)}."
    if moment is line.moments[-1]:
        return "Hidden to the end: only when the deal was over could all know."
    return f"Certain for all {told.at(moment)}, because nothing else was possible any more: {told.said(moment.done)}."


def _percent(chance: float | None) -> str:
    return "?" if chance is None else f"{chance:.0%}"


def in_short(told: Told) -> Iterator[str]:
    """Yield when the partner was suspected and known, and who was suspected wrongly, in a line or two."""
    line, title = told.timeline, told.title(Role.PARTNER)
    for seat in line.partners:
        yield f"{told.names[seat]}, the {title}, {_course(told, seat)}."
    if not line.partners:
        yield f"That {told.names[line.declarer]} had no {title} {_course(told, None)}."
    others = [seat for seat in range(len(told.names)) if seat not in (line.declarer, *line.partners)]
    for seat in others:
        if (first := _first_suspected(told, seat)) is not None:
            yield f"{told.names[seat]} was suspected wrongly, {told.at(first)} ({_suspected(told, first, seat)})."


def _course(told: Told, seat: int | None) -> str:
    """Return when a true partner was suspected and known; of None that there was none."""
    line = told.timeline
    last = next((moment for moment in line.moments if line.is_known(moment, seat)), line.moments[-1])
    known = f"known {told.at(last)}" if last.shown or last is not line.moments[-1] else "not known before the end"
    first = _first_suspected(told, seat)
    if first is not None:
        return f"was first suspected {told.at(first)} ({_suspected(told, first, seat)}), and {known}"
    if any(_is_heard(told, moment, seat) for moment in line.moments if not line.is_known(moment, seat)):
        return (
            f"was not suspected before, and {known}"
            if known.startswith("known")
            else f"was never suspected, and {known}"
        )
    return f"was {known}"


def _first_suspected(told: Told, seat: int | None) -> Moment | None:
    """Return when a seat was first suspected, before it was known."""
    line = told.timeline
    for moment in line.moments[: line.certain]:
        if line.is_known(moment, seat):
            return None
        if _is_heard(told, moment, seat) and (line.suspected(moment, seat) or 0.0) >= SUSPECTED_FROM:
            return moment
    return None


def _is_heard(told: Told, moment: Moment, seat: int | None) -> bool:
    """Tell whether enough of those who have to guess have said what they believe of a seat."""
    asked = [observer for observer in told.timeline.guessing if observer != seat]
    heard = sum(moment.believed[observer] is not None for observer in asked)
    return heard > 0 and heard >= HEARD_FROM * len(asked)


def _suspected(told: Told, moment: Moment, seat: int | None) -> str:
    return _percent(told.timeline.suspected(moment, seat))
