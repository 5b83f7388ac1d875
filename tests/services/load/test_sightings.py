"""When everybody who watches has seen a move."""

from __future__ import annotations

from junto.load.sightings import Sighting, Sightings


def test_a_move_is_seen_when_the_last_one_sees_it() -> None:
    """Whether the reply comes before the updates, between them, or after them."""
    for reply_at in range(3):
        sightings = Sightings(["host", "spectator"])
        found: list[Sighting] = []
        for step in range(3):
            if step == reply_at:
                made = sightings.made(8, 1.0)
                found += [made] if made is not None else []
            if step < 2:
                found += sightings.saw(("host", "spectator")[step], 8, 2.0 + step)

        assert [(one.intended_s, sorted(one.seen_s)) for one in found] == [(1.0, [2.0, 3.0])]
        assert sightings.unseen() == []


def test_a_later_version_shows_the_move_too() -> None:
    """Updates may span several versions; earlier ones do not show it."""
    sightings = Sightings(["host"])
    assert sightings.made(8, 1.0) is None

    assert sightings.saw("host", 7, 2.0) == []
    assert sightings.unseen() == [1.0]
    assert sightings.saw("host", 11, 3.0) == [Sighting(1.0, (3.0,))]
