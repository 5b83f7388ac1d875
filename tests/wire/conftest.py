"""Hypothesis without a deadline: these tests are fast, but the machine that runs them may be busy."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("wire", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wire")
