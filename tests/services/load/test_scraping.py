"""What the server's metrics say, read over HTTP from a real exporter."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry, Counter, start_http_server

from junto.load.scraping import NoMetrics, scrape, told
from junto.steward.metrics import PoolMetrics, StewardMetrics


async def test_what_happened_between_two_looks_is_told() -> None:
    """Counters and histograms of several processes are summed, and what was before is taken off."""
    front, steward = CollectorRegistry(), CollectorRegistry()
    calls = Counter("junto_calls", "Calls.", ("method", "code"), registry=front)
    thinking, pool = StewardMetrics(steward), PoolMetrics(steward)
    servers = [start_http_server(0, "127.0.0.1", registry) for registry in (front, steward)]
    urls = [f"http://127.0.0.1:{server.server_port}/metrics" for server, _ in servers]
    try:
        calls.labels("TableService/Act", "OK").inc(5)
        before = await scrape(urls)
        calls.labels("TableService/Act", "OK").inc(3)
        calls.labels("TableService/Act", "ABORTED").inc()
        thinking.fallbacks.inc(2)
        thinking.decisions.labels("answered").inc(7)
        for seconds in [0.02] * 98 + [0.2] * 2:
            thinking.due_lag.observe(seconds)
        said = told((await scrape(urls)).since(before), 2.0)
        only_front = told(await scrape(urls[:1]), 2.0)
    finally:
        for server, thread in servers:
            server.shutdown()
            server.server_close()
            thread.join()
    del pool

    assert said["acts_accepted"] == 3
    assert said["fallbacks"] == 2
    assert said["decisions"] == {"answered": 7}
    assert said["due_lag"] == {"p50": 0.025, "p99": 0.25}
    assert said["queue_age"] == {"p50": None, "p99": None}
    assert said["has_steward"]
    assert not only_front["has_steward"]


async def test_metrics_that_are_not_there_are_told_with_their_url() -> None:
    """No port, no URL."""
    for url in ("http://127.0.0.1:1/metrics", "nonsense"):
        with pytest.raises(NoMetrics, match=url):
            await scrape([url])
