"""Decisions by real workers that stay alive: answers, waiting, lateness, refusals."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from junto.pool import DecisionLate, Outcome, Pool, PoolBusy, WorkFailed

from .conftest import FULL, WORKERS, Gate, counters, eventually

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.xdist_group("pool")]

NewGate = Callable[[], Gate]


async def test_an_answer_comes_back(pool: Pool) -> None:
    """A request is answered by the function, in a process of its own, and the pool is ready and untroubled."""
    assert await pool.decide("echo", b"\x00view\xff", 30) == b"\x00view\xff"
    assert int(await pool.decide("pid", b"", 30)) not in {0, pool.driver_pid}
    assert (pool.ready, pool.trouble) == (True, "")
    assert counters(pool).ready == counters(pool).wanted == WORKERS


async def test_answers_do_not_mix(pool: Pool) -> None:
    """Many callers at once each get their own answer, also when jobs travel together."""

    async def ask(number: int) -> bool:
        return await pool.decide("echo", str(number).encode(), 30) == str(number).encode()

    for start in range(0, 60, FULL):
        assert all(await asyncio.gather(*(ask(number) for number in range(start, start + FULL))))


async def test_workers_decide_at_the_same_time(pool: Pool, new_gate: NewGate) -> None:
    """Two decisions are thought about by two workers."""
    gates = [new_gate(), new_gate()]
    asked = [asyncio.create_task(pool.decide("gate", gate.request, 60)) for gate in gates]
    started = [await gate.started() for gate in gates]
    for gate in gates:
        gate.open()

    assert len(set(started)) == WORKERS
    assert sorted(map(int, await asyncio.gather(*asked))) == sorted(started)


@pytest.mark.parametrize(
    ("strategy_id", "request_bytes", "sentence"),
    [
        ("raise", b"", "LookupError: there is no strategy of this name"),
        ("lie", b"", "it answered with str instead of bytes"),
        ("babble", b"1001", "its answer has 1001 bytes, 1000 may be"),
        ("echo", bytes(1001), "the request has 1001 bytes, 1000 may be"),
        ("x" * 201, b"", "no more than 200 characters"),
    ],
)
async def test_bad_work_is_told(pool: Pool, strategy_id: str, request_bytes: bytes, sentence: str) -> None:
    """A function that fails or lies is reported in a sentence, and its worker goes on."""
    with pytest.raises(WorkFailed, match=sentence):
        await pool.decide(strategy_id, request_bytes, 30)

    assert await pool.decide("echo", b"still here", 30) == b"still here"
    assert not counters(pool).deaths


async def test_a_late_answer_is_dropped(pool: Pool, new_gate: NewGate) -> None:
    """The caller is told in time; the answer that comes later reaches nobody, and nobody else's answer is wrong."""
    gate, before = new_gate(), counters(pool).outcomes[Outcome.DECIDED]
    asked = asyncio.create_task(pool.decide("gate", gate.request, 1.0))
    await gate.started()
    with pytest.raises(DecisionLate):
        await asked
    gate.open()

    assert await asyncio.gather(*(pool.decide("echo", b"%d" % n, 30) for n in range(4))) == [b"0", b"1", b"2", b"3"]
    assert counters(pool).outcomes[Outcome.DECIDED] == before + 4


async def test_a_busy_pool_refuses(pool: Pool, new_gate: NewGate) -> None:
    """When as many wait as may, the next one is refused with a time to ask again; then all are answered."""
    gates = [new_gate() for _ in range(FULL)]
    asked = [asyncio.create_task(pool.decide("gate", gate.request, 60)) for gate in gates]
    await asyncio.gather(*(gate.started() for gate in gates[:WORKERS]))
    with pytest.raises(PoolBusy) as refused:
        await pool.decide("echo", b"", 30)
    for gate in gates:
        gate.open()
    await asyncio.gather(*asked)

    assert refused.value.retry_after_s > 0
    assert await pool.decide("echo", b"free again", 30) == b"free again"


async def test_who_waits_too_long_is_told(pool: Pool, new_gate: NewGate) -> None:
    """The time of a decision includes its waiting for a worker."""
    gates = [new_gate() for _ in range(WORKERS)]
    asked = [asyncio.create_task(pool.decide("gate", gate.request, 60)) for gate in gates]
    await asyncio.gather(*(gate.started() for gate in gates))
    with pytest.raises(DecisionLate):
        await pool.decide("echo", b"", 0.1)
    for gate in gates:
        gate.open()
    await asyncio.gather(*asked)


async def test_whoever_is_free_takes_what_waits(pool: Pool, new_gate: NewGate) -> None:
    """Nobody queues behind a long thought while another worker idles, however quick the long one used to be."""
    quick = [new_gate() for _ in range(WORKERS)]
    for gate in quick:
        gate.open()
        await pool.decide("gate", gate.request, 60)
    gates = [new_gate() for _ in range(WORKERS)]
    asked = [asyncio.create_task(pool.decide("gate", gate.request, 60)) for gate in gates]
    await asyncio.gather(*(gate.started() for gate in gates))
    waiting = [asyncio.create_task(pool.decide("echo", b"%d" % n, 60)) for n in range(FULL - WORKERS)]
    gates[-1].open()

    assert await asyncio.gather(*waiting) == [b"%d" % n for n in range(FULL - WORKERS)]
    assert not asked[0].done()
    gates[0].open()
    await asyncio.gather(*asked)


async def test_a_cancelled_decision_is_not_made(pool: Pool, new_gate: NewGate, tmp_path: Path) -> None:
    """A caller that goes away while its decision waits costs no worker any time, and frees its place."""
    gates = [new_gate() for _ in range(WORKERS)]
    asked = [asyncio.create_task(pool.decide("gate", gate.request, 60)) for gate in gates]
    await asyncio.gather(*(gate.started() for gate in gates))
    unwanted = [
        asyncio.create_task(pool.decide("touch", bytes(tmp_path / f"touched{n}"), 60)) for n in range(FULL - WORKERS)
    ]
    await asyncio.sleep(0)
    for task in unwanted:
        task.cancel()
    ends = await asyncio.gather(*unwanted, return_exceptions=True)
    for gate in gates:
        gate.open()
    await asyncio.gather(*asked)

    await asyncio.gather(*(pool.decide("echo", b"", 30) for _ in range(FULL)))
    assert all(isinstance(end, asyncio.CancelledError) for end in ends)
    assert not [name for name in os.listdir(tmp_path) if name.startswith("touched")]  # noqa: PTH208


async def test_a_cancelled_thought_disturbs_nobody(pool: Pool, new_gate: NewGate) -> None:
    """A caller that goes away while a worker thinks gets no answer, and nobody else gets it."""
    gate = new_gate()
    asked = asyncio.create_task(pool.decide("gate", gate.request, 60))
    pid = await gate.started()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    gate.open()

    pids = {int(await pool.decide("pid", b"", 30)) for _ in range(4)}
    assert await pool.decide("echo", b"mine", 30) == b"mine"
    await eventually(lambda: counters(pool).ready == WORKERS)
    assert pid in pids or len(pids) == 1
