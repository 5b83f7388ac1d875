"""Every setting of every role, read from the environment (`JUNTO_...`); `junto config` lists them.

One flat set, so that a name means the same everywhere. The roles take what concerns them and ignore the
rest. Times are in seconds, sizes in bytes; a list is written with commas.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, PositiveFloat, PositiveInt, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from junto.table.faultpoints import Death
from junto.table.masked import masked

PREFIX = "JUNTO_"
DATA_HOME = Path(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"))  # noqa: PTH111  # never raises
"""Where a user's programs keep their data."""


class ExposureError(ValueError):
    """The server would be reachable from other machines without the protection that this needs."""


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _networks(value: tuple[str, ...]) -> tuple[str, ...]:
    for text in value:
        ipaddress.ip_network(text, strict=False)
    return value


def _fault(text: str) -> str:
    Death.parse(text)
    return text


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
Paths = Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_split)]
Networks = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_networks)]
Port = Annotated[int, Field(ge=0, le=65535)]
Kept = Annotated[int, Field(ge=1, le=100 * 365 * 86_400)]
"""How long something is kept, in seconds; longer than a century Redis cannot count."""


class Settings(BaseSettings):
    """All settings with their defaults. `Settings()` reads the environment; a keyword overrides it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        populate_by_name=True,
        allow_inf_nan=False,
    )

    # --- where the front listens
    host: str = Field("127.0.0.1", description="Address that both fronts listen on; `::` or `0.0.0.0` for all.")
    grpc_port: Port = Field(50051, description="Port of the gRPC front; 0 picks a free one.")
    http_port: Port = Field(8080, description="Port of the Connect front (browsers, curl); 0 picks a free one.")
    metrics: bool = Field(default=True, description="Serve Prometheus metrics.")
    metrics_host: str = Field("127.0.0.1", description="Address that the metrics are served on.")
    metrics_port: Port = Field(9464, description="Port that the metrics are served on; 0 picks a free one.")
    reflection: bool = Field(default=True, description="Answer gRPC reflection, which grpcurl and the like use.")
    cors_origins: Words = Field(
        (), description="Origins of web pages that may call the Connect front, as `https://play.example`; `*` for all."
    )
    trusted_proxies: Networks = Field(
        (), description="Networks of proxies whose x-forwarded-for header is believed, as `10.0.0.0/8`."
    )

    # --- who may come in
    tls_cert_file: Path | None = Field(None, description="PEM file with the certificate chain of both fronts.")
    tls_key_file: Path | None = Field(None, description="PEM file with its private key.")
    insecure: bool = Field(
        default=False,
        description="Listen beyond loopback without TLS or a configured key (behind a proxy that does it).",
    )
    token_key_file: Path | None = Field(
        None,
        description="Key that signs tokens: a PEM Ed25519 private key, or 32 bytes or more of secret. All fronts"
        " need the same. Unset: one is made in the data folder.",
    )
    token_old_key_files: Paths = Field(
        (), description="Former keys: tokens that they signed are still good until they expire."
    )
    jwks_url: str | None = Field(None, description="Where an issuer of your own publishes its keys (JWKS).")
    jwks_issuer: str | None = Field(None, description="The `iss` of its tokens; needed with jwks_url.")
    jwks_audience: str = Field("junto.v1", description="The `aud` of its tokens.")
    guests: bool = Field(default=True, description="Let strangers sign in as guests.")
    access_token_seconds: PositiveInt = Field(3600, description="How long an access token is good.")
    refresh_token_seconds: PositiveInt = Field(30 * 86400, description="How long a refresh token is good.")
    refresh_grace_seconds: PositiveFloat = Field(
        60.0, description="How long a refresh token stays good after its first use, for replies that got lost."
    )

    # --- how much one may ask for
    max_request_bytes: Annotated[int, Field(ge=1024, le=4 << 20)] = Field(65536, description="Largest request message.")
    rate_per_player: PositiveFloat = Field(50.0, description="Calls per second of one player, in the long run.")
    burst_per_player: PositiveInt = Field(100, description="Calls that a player may make at once after a rest.")
    rate_per_address: PositiveFloat = Field(
        50.0, description="Calls per second without a token from one address (an IPv6 /64 counts as one)."
    )
    burst_per_address: PositiveInt = Field(200, description="Such calls at once after a rest.")
    sign_in_rate: PositiveFloat = Field(5.0, description="Sign-ins per second from one address, in the long run.")
    sign_in_burst: PositiveInt = Field(50, description="Sign-ins at once from one address after a rest.")
    max_calls_per_player: PositiveInt = Field(32, description="Calls of one player in work at a time.")
    max_streams_per_player: PositiveInt = Field(16, description="Open streams of one player.")
    max_tables_per_player: PositiveInt = Field(100, description="Tables that one player may be at, as host or seated.")
    max_tournaments_per_player: PositiveInt = Field(2, description="Tournaments of one player that run at a time.")
    max_tournaments: PositiveInt = Field(100, description="Tournaments that run, or wait for it, at a time.")
    max_tournament_deals: PositiveInt = Field(
        100_000,
        description="Deals of one tournament, each seating counted; some 500 bytes of Redis each while it runs.",
    )
    max_tournament_think_seconds: Annotated[float, Field(gt=0, le=60)] = Field(
        1.0, description="How long a strategy may think about a decision in a tournament."
    )
    max_tournament_iterations: Annotated[int, Field(ge=1, le=10_000_000)] = Field(
        10_000, description="Iterations that a strategy may make for a decision in a tournament."
    )
    max_calls: PositiveInt = Field(2000, description="Calls in work at a time in one front.")
    max_streams: PositiveInt = Field(10_000, description="Open streams in one front.")
    max_connections: PositiveInt = Field(10_000, description="Open connections of the Connect front.")
    call_timeout_seconds: PositiveFloat = Field(
        15.0, description="Longest time for a call, whatever its deadline says; streams have no such limit."
    )
    write_timeout_seconds: PositiveFloat = Field(
        30.0, description="How long a stream waits for a client that reads nothing before it is cut off."
    )
    read_timeout_seconds: PositiveFloat = Field(
        20.0, description="How long a client of the Connect front may take to send one request."
    )
    drain_seconds: PositiveFloat = Field(20.0, description="How long calls may go on after SIGTERM.")

    # --- where things are
    data_dir: Path = Field(
        DATA_HOME / "junto", description="Folder of generated keys and of the embedded Redis; made with mode 0700."
    )
    redis_url: str | None = Field(
        None,
        description="Redis: `redis://`, `rediss://`, `unix://`, `redis+sentinel://` or `redis+cluster://`."
        " Unset: `junto up` runs an embedded one.",
    )
    redis_password: SecretStr | None = Field(None, description="Its password, if not in the URL.")
    ray_address: str | None = Field(
        None,
        description="Ray cluster; RAY_ADDRESS says the same. Unset: `junto up` starts a local one.",
        validation_alias=AliasChoices(f"{PREFIX}RAY_ADDRESS", "RAY_ADDRESS"),
    )
    shards: Annotated[int, Field(ge=1, le=4096)] = Field(
        256, description="Shards that tables are spread over. Never change it for a Redis that holds tables."
    )

    # --- how long things are kept
    finished_table_seconds: Kept = Field(3600, description="How long a finished or closed table stays.")
    idle_table_seconds: Kept = Field(86400, description="How long a table stays on which nothing happens.")
    log_retention_seconds: Kept = Field(7 * 86400, description="How long finished deals can be replayed.")
    request_retention_seconds: Kept = Field(
        3600, description="How long a request id is remembered, so that a repeated call is carried out once."
    )

    tournament_retention_seconds: Kept = Field(
        7 * 86400, description="How long a tournament stays after its end, or if nobody plays it."
    )

    # --- the steward
    lease_seconds: PositiveFloat = Field(6.0, description="Life of a steward's lease on a shard; renewed at a third.")
    sweep_seconds: PositiveFloat = Field(1.0, description="How often a steward looks for work that nobody told it of.")
    bot_time_seconds: PositiveFloat = Field(1.0, description="How long a bot may think, unless its budget says less.")
    bot_grace_seconds: PositiveFloat = Field(
        2.0, description="How much later than that a decision may come before the rule of thumb is played instead."
    )
    pool_patience_seconds: PositiveFloat = Field(
        30.0, description="How long a bot's turn waits for a pool that is away before the rule of thumb is played."
    )
    hint_time_seconds: PositiveFloat = Field(1.0, description="How long a hint may be thought about.")
    workers: Annotated[int, Field(ge=0)] = Field(0, description="Search workers per steward; 0: one per core.")
    max_decisions: PositiveInt = Field(1000, description="Decisions that one steward has under way at a time.")
    tournaments: bool = Field(default=True, description="Let this steward play tournaments when there are any.")
    tournament_workers: Annotated[int, Field(ge=0, le=4096)] = Field(
        0, description="Workers that play a tournament; 0: one per core but one, which is left for tables."
    )
    tournament_turn_seconds: Annotated[float, Field(gt=0, le=7 * 86_400)] = Field(
        300.0, description="How long a tournament is played before another that waits has its turn."
    )

    # --- what the logs say
    log_format: Literal["auto", "json", "console"] = Field(
        "auto", description="Shape of the logs: `json`, `console`, or by whether a terminal reads them."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="The least that is logged.")
    log_sample: Annotated[int, Field(ge=0)] = Field(
        100, description="Log one in so many ordinary calls; 1: every call, 0: none. Faults are always logged."
    )

    # --- for tests
    fault: Annotated[str, AfterValidator(_fault)] | None = Field(
        None,
        description="For tests of faults: `point:times` lets the process kill itself at that point (docs/faults.md).",
    )

    @property
    def tls(self) -> bool:
        """Whether the fronts speak TLS."""
        return self.tls_cert_file is not None and self.tls_key_file is not None

    @property
    def token_key_is_configured(self) -> bool:
        """Whether the operator chose what signs tokens, rather than the server."""
        return self.token_key_file is not None or self.jwks_url is not None

    def check_exposure(self) -> None:
        """Refuse to be reachable from other machines unprotected.

        Raises:
            ExposureError: half a TLS pair, a JWKS without issuer, or a public address without key and TLS.
        """
        if (self.tls_cert_file is None) != (self.tls_key_file is None):
            raise ExposureError(f"set both {PREFIX}TLS_CERT_FILE and {PREFIX}TLS_KEY_FILE, or neither")
        if self.jwks_url is not None and not self.jwks_issuer:
            raise ExposureError(f"{PREFIX}JWKS_URL needs {PREFIX}JWKS_ISSUER")
        if self.insecure or is_loopback(self.host):
            return
        missing = [
            *([] if self.token_key_is_configured else [f"a key ({PREFIX}TOKEN_KEY_FILE or {PREFIX}JWKS_URL)"]),
            *([] if self.tls else [f"TLS ({PREFIX}TLS_CERT_FILE and {PREFIX}TLS_KEY_FILE)"]),
        ]
        if missing:
            raise ExposureError(
                f"will not listen on {self.host}, which other machines can reach, without {' and '.join(missing)};"
                " listen on 127.0.0.1, or say --insecure if something in front of it does this"
            )


def is_loopback(host: str) -> bool:
    """Tell whether an address to listen on is reachable from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Described:
    """A setting as `junto config` shows it: its variable, default, value now, and meaning."""

    variable: str
    default: str
    value: str
    meaning: str


def describe(settings: Settings) -> Iterator[Described]:
    """Yield every setting, in the order of the class. Secrets show as asterisks."""
    for name, field in Settings.model_fields.items():
        yield Described(
            variable=PREFIX + name.upper(),
            default=_shown(field.default),
            value=_shown(getattr(settings, name)),
            meaning=field.description or "",
        )


def _shown(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return masked(value)
        case bool():
            return str(value).lower()
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)
