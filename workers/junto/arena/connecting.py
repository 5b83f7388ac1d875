"""This process's connection to a Ray cluster, or to a Ray of its own. Ray itself is loaded no sooner than that.

Ray reads how it is let in when it is loaded: whoever loads it before a block of `connected` is not let in by a Ray that
the block starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from junto.pool.local_ray import LocalRay


@contextmanager
def connected(address: str | None, cpus: int | None = None) -> Iterator[str]:
    """Connect this process to a cluster, or to a Ray of its own on this machine that ends with the block.

    Yields the cluster's address.

    Args:
        address: of the cluster, `host:port`; None: one is started.
        cpus: how many CPUs the one that is started lends; None: all of the machine.

    Raises:
        ClusterLost: nothing answers at the address, or it does not let us in.
        LocalRayFailed: Ray does not start here.
    """
    with ExitStack() as stack:
        if address is None:
            local = stack.enter_context(LocalRay(cpus=cpus))
            os.environ.update(local.driver_env)
            address = local.address
            assert address is not None
        from junto.pool import cluster  # noqa: PLC0415  # see the module

        cluster.connect(address)
        stack.callback(cluster.disconnect)
        yield address
