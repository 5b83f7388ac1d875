"""The page for operators tells of what there is."""

from __future__ import annotations

import re
from pathlib import Path

from prometheus_client import CollectorRegistry

from junto.front.metrics import FrontMetrics
from junto.steward.metrics import PoolMetrics, StewardMetrics
from junto.table.settings import Settings, describe

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
OF_THE_KERNELS = {"JUNTO_CACHE_DIR"}
"""Read where kernels are compiled, before there are settings."""


def test_every_metric_is_on_the_page() -> None:
    """The page lists the metrics of front, steward and pool, all of them and no other."""
    names = set()
    for kind in (FrontMetrics, StewardMetrics, PoolMetrics):
        registry = CollectorRegistry()
        kind(registry)
        names |= {family.name + ("_total" if family.type == "counter" else "") for family in registry.collect()}

    assert names == set(re.findall(r"junto_[a-z_]+", PAGE))


def test_every_variable_in_the_documents_is_read() -> None:
    """No document names a variable of the environment that nothing reads."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", *(ROOT / "deploy").glob("*.*")]
    named = {name for page in pages for name in re.findall(r"JUNTO_[A-Z_]*[A-Z]", page.read_text(encoding="utf-8"))}

    assert named - OF_THE_KERNELS <= {setting.variable for setting in describe(Settings())}
