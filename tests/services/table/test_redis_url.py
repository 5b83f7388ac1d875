"""URLs: what each form means, and that bad ones are refused in words."""

from __future__ import annotations

import pytest

from junto.table.redis_url import Endpoint, Topology, parse_redis_url
from junto.table.store_errors import RedisUrlError


@pytest.mark.parametrize(
    ("text", "topology", "endpoints"),
    [
        ("redis://localhost", Topology.SINGLE, [Endpoint("localhost", 6379)]),
        ("rediss://[::1]:7000/2", Topology.SINGLE, [Endpoint("::1", 7000)]),
        ("unix:///run/a%20b.sock?db=2", Topology.SINGLE, [Endpoint(path="/run/a b.sock")]),
        ("redis+sentinel://a,b:7/main", Topology.SENTINEL, [Endpoint("a", 26379), Endpoint("b", 7)]),
        ("rediss+cluster://a:1,b", Topology.CLUSTER, [Endpoint("a", 1), Endpoint("b", 6379)]),
    ],
)
def test_a_url_names_its_servers(text: str, topology: Topology, endpoints: list[Endpoint]) -> None:
    """Each form gives its topology and its addresses, with default ports."""
    url = parse_redis_url(text)

    assert (url.topology, list(url.endpoints)) == (topology, endpoints)
    assert url.tls == text.startswith("rediss")


def test_a_url_carries_all_its_parts() -> None:
    """Service, database, logins and TLS options are where they belong."""
    url = parse_redis_url(
        "rediss+sentinel://us%40er:p%2Fw@a:1,b:2/my%20main/3?sentinel_username=s&sentinel_password=t"
        "&ssl_ca_certs=/ca.pem&ssl_check_hostname=false"
    )

    assert (url.service, url.db) == ("my main", 3)
    assert url.login == {"username": "us@er", "password": "p/w"}
    assert url.sentinel_login == {"username": "s", "password": "t"}
    assert url.tls_options == {"ssl_ca_certs": "/ca.pem", "ssl_check_hostname": False}


def test_a_password_from_elsewhere_fills_the_gap() -> None:
    """A password that is given apart is used if the URL has none."""
    assert parse_redis_url("redis://ann@h", "pw").login == {"username": "ann", "password": "pw"}
    assert parse_redis_url("redis://:own@h", "pw").login == {"password": "own"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must begin with one of redis://"),
        ("localhost:6379", "must begin with one of redis://"),
        ("http://localhost", "must begin with one of redis://"),
        ("redis:localhost", "must begin with one of redis://"),
        ("redis://", "a host is missing"),
        ("redis://h:port", "Port could not be cast"),
        ("redis://h:99999", "Port out of range"),
        ("redis://h/x", "must be a number, not 'x'"),
        ("redis://h/1/2", "more than a database number"),
        ("redis://h/1?db=2", "more than a database number"),
        ("redis://a,b", "several addresses need"),
        ("redis://h?colour=red", "the option 'colour' is unknown here; known: db"),
        ("redis://h?ssl_ca_certs=x", "the option 'ssl_ca_certs' is unknown here"),
        ("redis://h?db", "bad query field"),
        ("rediss://h?ssl_cert_reqs=maybe", "must be required or none"),
        ("rediss://h?ssl_check_hostname=maybe", "must be true or false"),
        ("unix://relative.sock", "a socket's path is absolute"),
        ("unix://", "a socket's path is absolute"),
        ("redis+sentinel://h", "name of the Sentinels' service"),
        ("redis+cluster://h/1", "no database numbers"),
        ("redis+cluster://h?db=1", "the option 'db' is unknown here; known: none"),
        ("redis+cluster://h,,h", "a host is missing"),
    ],
)
def test_a_bad_url_is_refused_in_words(text: str, words: str) -> None:
    """The message names the URL and says what is wrong with it."""
    with pytest.raises(RedisUrlError, match="is not a Redis URL") as refusal:
        parse_redis_url(text)

    assert words in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "redis://u:secret@h:x",
        "redis://:secret@h/x",
        "redis://:a/secret@h",
        "redis://:a?secret@h",
        "redis://:a#secret@h",
        "rediss+sentinel://:secret@h",
        "redis+sentinel://h?sentinel_username=secret&sentinel_password=secret",
    ],
)
def test_no_message_shows_a_password(text: str) -> None:
    """What is logged of a URL has asterisks where its login was."""
    with pytest.raises(RedisUrlError) as refusal:
        parse_redis_url(text)

    assert "secret" not in str(refusal.value)
    good = parse_redis_url("redis://u:secret@h")
    assert str(good) == "redis://***@h"
    assert "secret" not in repr(good)
    sentinels = parse_redis_url("redis+sentinel://h/main?sentinel_password=secret&db=1")
    assert str(sentinels) == "redis+sentinel://h/main?sentinel_password=***&db=1"
    assert "secret" not in repr(sentinels)
