"""The agenda: tables by the time at which they are due."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from junto.steward.agenda import UNKNOWN, Agenda
from junto.table.seats import TableId

A, B = TableId("a"), TableId("b")


def test_due_tables_are_taken_once_in_order() -> None:
    """What is due is taken, the longest due first; what is not stays."""
    agenda = Agenda(lambda: 100)
    agenda.note(A, 1, 90)
    agenda.note(B, 1, 80)
    agenda.note(TableId("c"), 1, 101)

    assert agenda.take() == [(B, 1, 80), (A, 1, 90)]
    assert agenda.take() == []
    assert len(agenda) == 1


def test_the_newest_version_counts() -> None:
    """A notice that comes late changes nothing; a newer one replaces the older."""
    agenda = Agenda(lambda: 100)
    agenda.note(A, 2, 500)
    agenda.note(A, 1, 50)
    assert agenda.take() == []

    agenda.note(A, 3, None)
    assert len(agenda) == 0


def test_what_the_store_has_as_due_counts_more_than_an_old_notice() -> None:
    """A notice said that nobody is needed for long, and the next one was lost: what a sweep finds is come to."""
    agenda = Agenda(lambda: 100)
    agenda.note(A, 2, 3_600_000)
    agenda.note(B, 2, 70)

    for table in (A, B):
        agenda.note(table, UNKNOWN, 90)

    assert agenda.take() == [(B, 2, 70), (A, UNKNOWN, 90)]


def test_a_table_that_is_put_off_is_not_brought_forward_by_sweeps() -> None:
    """Something is wrong there, and the store has it as due all the time; only news of it counts."""
    agenda = Agenda(lambda: 100)
    agenda.note(A, UNKNOWN, 200)
    agenda.note(A, UNKNOWN, 90)
    assert agenda.take() == []

    agenda.note(A, 7, 95)
    assert agenda.take() == [(A, 7, 95)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5), st.none() | st.integers(0, 200))))
def test_it_holds_the_last_word_on_each_table(notes: list[tuple[str, int, int | None]]) -> None:
    """Whatever the order of notices, a table is due as its highest version said last."""
    agenda, expected = Agenda(lambda: 1000), dict[str, tuple[int, int]]()
    for table, version, due_ms in notes:
        agenda.note(TableId(table), version, due_ms)
        if table in expected and expected[table][0] > version:
            continue
        if due_ms is None:
            expected.pop(table, None)
        else:
            expected[table] = (version, due_ms)

    assert sorted((table, *said) for table, said in expected.items()) == sorted(agenda.take())


async def test_waiting_ends_when_something_is_due_earlier() -> None:
    """A notice of an earlier time wakes whoever waits for a later one."""
    agenda = Agenda(lambda: 0)
    agenda.note(A, 1, 60_000)
    waiting = asyncio.create_task(agenda.wait(60))
    await asyncio.sleep(0)

    agenda.note(B, 1, 0)

    await asyncio.wait_for(waiting, 1)
