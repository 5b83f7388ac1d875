"""`junto healthcheck`: a probe for containers, which have no other client at hand."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Annotated, Final

import grpc
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc

from junto.cli.console import Failure, say
from junto.cli.flags import load_settings
from junto.table.settings import Settings

TIMEOUT_S: Final = 3.0
ALL_INTERFACES: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104  # looked up, not listened on


def healthcheck(
    steward: Annotated[bool, typer.Option("--steward", help="Ask a steward (by its metrics) and not a front.")] = False,
) -> None:
    """Ask the front of this container whether it is ready: exit code 0 if it is, 1 if not.

    It is asked over gRPC, where its settings say that it listens.
    """
    settings = load_settings()
    say(check_steward(settings) if steward else check_front(settings))


def check_front(settings: Settings) -> str:
    """Return "SERVING".

    Raises:
        Failure: the front does not answer, or is not ready.
    """
    address = local_address(settings.host, settings.grpc_port)
    with _channel(settings, address) as channel:
        try:
            reply = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            raise Failure(f"the front on {address} does not answer: {error.details()}") from None
    status = str(health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status))
    if reply.status != health_pb2.HealthCheckResponse.SERVING:
        raise Failure(f"the front on {address} is {status}")
    return status


def check_steward(settings: Settings) -> str:
    """Return "SERVING" if the steward answers where its metrics are.

    Raises:
        Failure: it does not.
    """
    address = local_address(settings.metrics_host, settings.metrics_port)
    try:
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=TIMEOUT_S):  # http, as written
            return "SERVING"
    except (urllib.error.URLError, OSError) as error:
        raise Failure(f"the steward does not answer on {address}: {error}") from None


def local_address(host: str, port: int) -> str:
    """Return where this machine reaches what listens on `host`."""
    reached = ALL_INTERFACES.get(host, host)
    return f"[{reached}]:{port}" if ":" in reached else f"{reached}:{port}"


def _channel(settings: Settings, address: str) -> grpc.Channel:
    if settings.tls_cert_file is None:
        return grpc.insecure_channel(address)
    certificate = settings.tls_cert_file.read_bytes()
    # The certificate is for the public name, and we ask by the local address: the certificate itself is the trust.
    return grpc.secure_channel(
        address, grpc.ssl_channel_credentials(certificate), [("grpc.ssl_target_name_override", _name_in(certificate))]
    )


def _name_in(certificate: bytes) -> str:
    """Return the first name that a certificate is made out to."""
    from cryptography import x509  # noqa: PLC0415  # only fronts with TLS need it

    names = x509.load_pem_x509_certificate(certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    found = [str(name.value) for name in names.value]
    return found[0] if found else "localhost"
