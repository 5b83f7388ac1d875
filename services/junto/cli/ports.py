"""The ports of one machine's Junto: those that were chosen, free ones for the others, and that they can be had."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from dataclasses import dataclass

from junto.cli.console import Failure
from junto.table.settings import Settings


@dataclass(frozen=True, slots=True)
class Ports:
    """Who listens where."""

    grpc: int
    http: int
    front_metrics: int
    steward_metrics: int

    @staticmethod
    def of(settings: Settings) -> Ports:
        """Return the ports of some settings; for each that is 0 a free one. The steward's is beside the front's."""
        grpc, http, front, steward = free_ports(settings.host, 2) + free_ports(settings.metrics_host, 2)
        chosen = settings.metrics_port
        return Ports(
            settings.grpc_port or grpc,
            settings.http_port or http,
            chosen or front,
            chosen + 1 if chosen else steward,
        )

    def check(self, settings: Settings) -> None:
        """Look whether all ports can be had.

        Raises:
            Failure: one cannot; the message says which, and what to do.
        """
        wanted = [
            ("grpc-port", settings.host, self.grpc, ""),
            ("http-port", settings.host, self.http, ""),
        ]
        if settings.metrics:
            wanted.append(("metrics-port", settings.metrics_host, self.front_metrics, ""))
            wanted.append(("metrics-port", settings.metrics_host, self.steward_metrics, " (the steward's metrics)"))
        for name, host, port, whose in wanted:
            if not is_free(host, port):
                raise Failure(
                    f"port {port} of {host}{whose} cannot be had, something else listens there;"
                    f" choose another with --{name}, 0 for any that is free"
                )


def is_free(host: str, port: int) -> bool:
    """Tell whether something could listen there now."""
    try:
        with _bound(host, port):
            return True
    except OSError:
        return False


def free_ports(host: str, count: int) -> list[int]:
    """Return different free ports. They are free now: what is started soon will have them."""
    with ExitStack() as held:
        return [held.enter_context(_bound(host, 0)).getsockname()[1] for _ in range(count)]


def _bound(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host.strip("[]"), port))
    except BaseException:
        found.close()
        raise
    return found
