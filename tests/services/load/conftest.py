"""The Ray of the test run, for load tests that start a server for themselves."""

from __future__ import annotations

from ...ray_fixture import SharedRay, shared_ray  # noqa: TID252  # tests are no package

__all__ = ["SharedRay", "shared_ray"]
