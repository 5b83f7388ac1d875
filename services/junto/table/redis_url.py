"""Which Redis: the forms of URL that Junto understands.

    redis://[[user]:password@]host[:port][/db]              one server
    rediss://...                                            one server, over TLS
    unix:///path/to/socket[?db=N]                           one server, over its Unix socket
    redis+sentinel://[...@]host[:port],.../service[/db]     the primary that these Sentinels name
    redis+cluster://[...@]host[:port],...                   a Redis Cluster, found through any of these nodes

`rediss+sentinel` and `rediss+cluster` are the last two over TLS. Options follow a `?`: `ssl_ca_certs`,
`ssl_certfile`, `ssl_keyfile`, `ssl_cert_reqs` (`required` or `none`), `ssl_check_hostname`, and for Sentinels that
ask for a password of their own `sentinel_username` and `sentinel_password`. Signs that mean something in URLs are
percent-encoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import parse_qsl, unquote, urlsplit

from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

from junto.table.masked import masked
from junto.table.store_errors import RedisUrlError

DEFAULT_PORT = 6379
DEFAULT_SENTINEL_PORT = 26379
CLIENT_NAME = "junto"

_TLS_TEXTS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs")
_TLS_OPTIONS = (*_TLS_TEXTS, "ssl_check_hostname")
_SENTINEL_OPTIONS = ("sentinel_username", "sentinel_password")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Topology(Enum):
    """How the servers behind a URL hang together."""

    SINGLE = "one server"
    SENTINEL = "Sentinel"
    CLUSTER = "Cluster"


_SCHEMES = {
    "redis": (Topology.SINGLE, False),
    "rediss": (Topology.SINGLE, True),
    "unix": (Topology.SINGLE, False),
    "redis+sentinel": (Topology.SENTINEL, False),
    "rediss+sentinel": (Topology.SENTINEL, True),
    "redis+cluster": (Topology.CLUSTER, False),
    "rediss+cluster": (Topology.CLUSTER, True),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where one server listens: a host and a port, or the path of a Unix socket."""

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """A URL, taken apart. `str()` shows it without its password."""

    topology: Topology
    endpoints: tuple[Endpoint, ...]
    tls: bool = False
    service: str = ""
    db: int = 0
    login: Mapping[str, str] = field(default_factory=dict, repr=False)
    sentinel_login: Mapping[str, str] = field(default_factory=dict, repr=False)
    tls_options: Mapping[str, str | bool] = field(default_factory=dict)
    shown: str = ""

    def __str__(self) -> str:
        return self.shown

    def connection(self, endpoint: Endpoint, *, connect_timeout_s: float) -> AbstractConnection:
        """Return a connection to one of the servers, not yet connected. Replies stay bytes."""
        options: dict[str, object] = {
            **self.login,
            "db": self.db,
            "socket_timeout": None,
            "socket_connect_timeout": connect_timeout_s,
            "client_name": CLIENT_NAME,
            "driver_info": None,
            "protocol": 2,
        }
        if endpoint.path:
            return UnixDomainSocketConnection(path=endpoint.path, **options)
        options |= {"host": endpoint.host, "port": endpoint.port}
        return SSLConnection(**options, **self.tls_options) if self.tls else Connection(**options)  # type: ignore[arg-type]


def parse_redis_url(text: str, password: str | None = None) -> RedisUrl:
    """Take a URL apart.

    Args:
        text: one of the forms above.
        password: the password, if the URL has none.

    Raises:
        RedisUrlError: it has none of the forms, or an option that it cannot have. The message has no password.
    """
    shown = masked(text)
    try:
        return _parse(text, password, shown)
    except ValueError as problem:
        raise RedisUrlError(f"{shown!r} is not a Redis URL: {problem}") from None


def _parse(text: str, password: str | None, shown: str) -> RedisUrl:
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES or "://" not in text:
        raise ValueError(f"it must begin with one of {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    topology, tls = _SCHEMES[parts.scheme]
    if parts.scheme != "unix" and "@" in parts.path + parts.query + parts.fragment:
        # Else the rest of a password would be read, and quoted, as something else.
        raise ValueError("in a name or a password / is written %2F, ? %3F, # %23 and @ %40")
    userinfo, _, hosts = parts.netloc.rpartition("@")
    options = _options(parts.query, topology, tls)
    service, db = _service_and_db(parts.path, options, topology, unix=parts.scheme == "unix")
    return RedisUrl(
        topology,
        _unix_endpoint(hosts, parts.path) if parts.scheme == "unix" else _endpoints(hosts, topology),
        tls,
        service,
        db,
        _login(userinfo, password),
        {name.removeprefix("sentinel_"): options[name] for name in _SENTINEL_OPTIONS if name in options},
        _tls_options(options),
        shown,
    )


def _options(query: str, topology: Topology, tls: bool) -> dict[str, str]:
    known = {
        *(_TLS_OPTIONS if tls else ()),
        *(_SENTINEL_OPTIONS if topology is Topology.SENTINEL else ()),
        *(("db",) if topology is not Topology.CLUSTER else ()),
    }
    options = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
    if unknown := sorted(options.keys() - known):
        raise ValueError(f"the option {unknown[0]!r} is unknown here; known: {', '.join(sorted(known)) or 'none'}")
    return options


def _tls_options(options: Mapping[str, str]) -> dict[str, str | bool]:
    chosen: dict[str, str | bool] = {name: options[name] for name in _TLS_TEXTS if name in options}
    if chosen.get("ssl_cert_reqs", "required") not in {"required", "none"}:
        raise ValueError("ssl_cert_reqs must be required or none")
    if "ssl_check_hostname" in options:
        if options["ssl_check_hostname"] not in _FLAGS:
            raise ValueError("ssl_check_hostname must be true or false")
        chosen["ssl_check_hostname"] = _FLAGS[options["ssl_check_hostname"]]
    return chosen


def _service_and_db(path: str, options: Mapping[str, str], topology: Topology, *, unix: bool) -> tuple[str, int]:
    words = [] if unix else [unquote(word) for word in path.split("/") if word]
    service = ""
    if topology is Topology.SENTINEL:
        if not words:
            raise ValueError("the name of the Sentinels' service must follow their addresses, as in /mymaster")
        service = words.pop(0)
    if topology is Topology.CLUSTER and words:
        raise ValueError("a Cluster has no database numbers, so nothing may follow its addresses")
    if len(words) > 1 or (words and "db" in options):
        raise ValueError("it says more than a database number after the address")
    db = words[0] if words else options.get("db", "0")
    if not (db.isascii() and db.isdigit()):
        raise ValueError(f"the database must be a number, not {db!r}")
    return service, int(db)


def _login(userinfo: str, password: str | None) -> dict[str, str]:
    user, _, own = userinfo.partition(":")
    login = {"username": unquote(user), "password": unquote(own) or password or ""}
    return {name: value for name, value in login.items() if value}


def _unix_endpoint(hosts: str, path: str) -> tuple[Endpoint, ...]:
    if hosts or not path:
        raise ValueError("a socket's path is absolute, as in unix:///run/redis.sock")
    return (Endpoint(path=unquote(path)),)


def _endpoints(hosts: str, topology: Topology) -> tuple[Endpoint, ...]:
    found = tuple(_endpoint(host, topology) for host in hosts.split(","))
    if topology is Topology.SINGLE and len(found) > 1:
        raise ValueError("several addresses need redis+sentinel:// or redis+cluster://")
    return found


def _endpoint(text: str, topology: Topology) -> Endpoint:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    default = DEFAULT_SENTINEL_PORT if topology is Topology.SENTINEL else DEFAULT_PORT
    return Endpoint(parts.hostname, parts.port or default)
