"""The driver's connection to a Ray cluster, one for the process."""

from __future__ import annotations

import logging
import os
import signal
from typing import Any, Final, cast

import grpc
import ray
from ray._private.grpc_utils import init_grpc_channel
from ray.core.generated import gcs_service_pb2
from ray.exceptions import RayError

from junto.pool.addresses import REACH_S, ClusterLost

_messages = cast("Any", gcs_service_pb2)  # without types
IS_ALIVE: Final = "/ray.rpc.NodeInfoGcsService/CheckAlive"
ANSWER_S: Final = 10.0
"""How long a cluster that we are connected to may take to answer: a busy one is not a lost one."""


def knock(address: str) -> None:
    """Ask the cluster whether it lets us in: `ray.init` would try for 20 seconds and say little.

    Raises:
        ClusterLost: nothing answers there, or our token is refused.
    """
    _ask(address, [], REACH_S)


def check(address: str) -> None:
    """Ask the cluster whether it still is the one that this process is connected to.

    A Ray that was started again at the same address is another one: it starts nothing for us, and Ray itself does
    not say so.

    Raises:
        ClusterLost: it does not answer, or does not know our node.
    """
    ours = bytes.fromhex(ray.get_runtime_context().get_node_id())
    if not all(_ask(address, [ours], ANSWER_S)):
        raise ClusterLost(f"Ray at {address} was started again, or our node has left it")


def _ask(address: str, nodes: list[bytes], within_s: float) -> list[bool]:
    """Return of each node whether the cluster holds it to be alive."""
    try:
        with init_grpc_channel(address) as channel:
            ask = channel.unary_unary(
                IS_ALIVE, _messages.CheckAliveRequest.SerializeToString, _messages.CheckAliveReply.FromString
            )
            return list(ask(_messages.CheckAliveRequest(node_ids=nodes), timeout=within_s).raylet_alive)
    except grpc.RpcError as problem:
        if problem.code() is not grpc.StatusCode.UNAUTHENTICATED:
            raise ClusterLost(f"nothing answers as Ray does at {address}") from problem
        ours = "our token is refused" if os.environ.get("RAY_AUTH_MODE") == "token" else "it wants a token"
        raise ClusterLost(f"Ray at {address} does not let us in: {ours}") from problem
    except RayError as problem:
        raise ClusterLost(str(problem)) from problem


def connect(address: str) -> None:
    """Connect this process to the cluster, in the main thread.

    Raises:
        ClusterLost: the cluster refuses us, or does not answer.
    """
    knock(address)
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (RayError, ConnectionError, RuntimeError, ValueError) as problem:
        raise ClusterLost(f"cannot connect to Ray at {address}: {problem}") from problem
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Ray put its own handler there


def disconnect() -> None:
    """Let go of the cluster, which ends our workers."""
    ray.shutdown()


def cpus() -> int:
    """Return how many CPUs the cluster has, at least 1."""
    return max(1, int(cast("Any", ray).cluster_resources().get("CPU", 1)))
