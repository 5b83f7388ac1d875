"""The bytes between pool, driver and worker."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.pool import bundles, frames
from junto.pool.frames import Again, Answer, BadFrame, Cause, Close, Crew, Death, Drop, Gone, Job, Outcome, Reader

numbers = st.integers(0, 2**64 - 1)
counts = st.integers(0, 2**16 - 1)
seconds = st.floats(0, 1e6)
names = st.text(max_size=200)
sentences = st.text(max_size=300)
anything = st.one_of(
    st.builds(Job, numbers, seconds, names, st.binary()),
    st.builds(Drop, numbers),
    st.builds(Close),
    st.builds(Answer, numbers, st.sampled_from(Outcome), seconds, seconds, st.binary()),
    st.builds(Crew, counts, counts, sentences),
    st.builds(Death, st.sampled_from(Cause), sentences),
    st.builds(Again, numbers),
    st.builds(Gone, sentences),
)


@given(st.lists(anything), st.integers(1, 50))
def test_frames_survive_the_line(sent: list[frames.Frame], size: int) -> None:
    """Frames come out as they went in, however the socket cuts them."""
    line = b"".join(frames.write(frame) for frame in sent)
    reader = Reader()

    got = [frame for at in range(0, len(line), size) for frame in reader.feed(line[at : at + size])]

    assert got == sent


@pytest.mark.parametrize(
    "line",
    [b"\xff\xff\xff\xff\x01", b"\x00\x00\x00\x00\x01", b"\x01\x00\x00\x00\x63", b"\x02\x00\x00\x00\x02\x00"],
    ids=["too long", "empty", "unknown kind", "cut short"],
)
def test_other_bytes_are_refused(line: bytes) -> None:
    """What is no frame is said to be none."""
    with pytest.raises(BadFrame):
        list(Reader().feed(line))


@given(st.lists(st.builds(bundles.Asked, seconds, names, st.binary())))
def test_jobs_survive_a_bundle(jobs: list[bundles.Asked]) -> None:
    """Jobs come out of a bundle as they went in."""
    assert list(bundles.read_asked(bundles.write_asked(jobs))) == jobs


@given(st.lists(st.builds(bundles.Told, st.sampled_from(Outcome), seconds, st.binary())))
def test_answers_survive_a_bundle(answers: list[bundles.Told]) -> None:
    """Answers come out of a bundle as they went in."""
    assert list(bundles.read_told(bundles.write_told(answers))) == answers
