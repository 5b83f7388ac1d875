"""Who may come in: tokens of our own, of an outside issuer, and everything that only looks like one."""

from __future__ import annotations

import asyncio
import base64
import http.server
import json
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

from junto.client import CallError
from junto.front.call import Player, PlayerId
from junto.front.faults import Fault
from junto.front.keys import KeyFileError, Keyring, load_key, own_key
from junto.front.spent import SpentInRedis
from junto.front.tokens import SpentInMemory, TokenIssuer, Verifier
from junto.table.connection import open_connection
from junto.v1 import errors_pb2, players_pb2, tables_pb2

ADA = Player(PlayerId("g-ada"), "Ada")
NOW = 1_800_000_000.0


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hands() -> Hands:
    """Provide a clock."""
    return Hands()


def issuer(folder: Path, clock: Callable[[], float], *former: Path, spent: Any = None) -> TokenIssuer:
    """Return an issuer with the key of a folder; access for 100 s, refresh for 1,000 s, grace of 10 s."""
    ring = Keyring.of(own_key(folder), [load_key(path) for path in former])
    return TokenIssuer(ring, clock, access_s=100, refresh_s=1000, grace_s=10, spent=spent or SpentInMemory())


def unsigned(claims: dict[str, Any], **header: str) -> str:
    """Return a token without a signature."""
    parts = [json.dumps({"typ": "JWT", **header}).encode(), json.dumps(claims).encode()]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."


def other_key(kind: str = "EdDSA") -> Any:
    return Ed25519PrivateKey.generate() if kind == "EdDSA" else "s" * 40


def claims_of(token: str) -> dict[str, Any]:
    """Read a token without checking it."""
    return dict(jwt.decode(token, options={"verify_signature": False}))


def forgeries(own: TokenIssuer) -> dict[str, str]:
    """Return tokens that must not be believed, by what is wrong with them."""
    pair = own.issue(ADA)
    good, header = claims_of(pair.access), {"kid": own.keys.signing.id}
    public = own.keys.signing.checking.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    mac = jwt.PyJWS().encode
    body, _, signature = pair.access.rpartition(".")
    key = own.keys.signing.signing
    return {
        "nonsense": "nonsense",
        "three empty parts": "..",
        "a refresh token": pair.refresh,
        "no signature": unsigned(good, alg="none", **header),
        "signature cut off": body + ".",
        "another signature": f"{body}.{signature[::-1]}",
        "signed by another key": jwt.encode(good, other_key(), algorithm="EdDSA", headers=header),
        "unknown key id": jwt.encode(good, key, algorithm="EdDSA", headers={"kid": "0" * 16}),
        "no key id": jwt.encode(good, key, algorithm="EdDSA"),
        "HMAC with the public key": mac_with(public, good, header),
        "another audience": jwt.encode({**good, "aud": "else"}, key, algorithm="EdDSA", headers=header),
        "another issuer": jwt.encode({**good, "iss": "else"}, key, algorithm="EdDSA", headers=header),
        "no end": jwt.encode({k: v for k, v in good.items() if k != "exp"}, key, algorithm="EdDSA", headers=header),
        "endless": jwt.encode({**good, "exp": "never"}, key, algorithm="EdDSA", headers=header),
        "not yet good": jwt.encode({**good, "nbf": NOW * 2}, key, algorithm="EdDSA", headers=header),
        "no subject": jwt.encode({k: v for k, v in good.items() if k != "sub"}, key, algorithm="EdDSA", headers=header),
        "too long": "x" * 5000,
        "used mac": mac(b"{}", "s" * 40, algorithm="HS256", headers=header),
    }


def mac_with(public: bytes, claims: dict[str, Any], header: dict[str, str]) -> str:
    """Return a token that is signed with HMAC under the text of a public key."""
    import hashlib
    import hmac

    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT", **header}).encode())
    signed = f"{head}.{part(json.dumps(claims).encode())}"
    return f"{signed}.{part(hmac.new(public, signed.encode(), hashlib.sha256).digest())}"


async def reason_of(call: Any) -> tuple[grpc.StatusCode, int]:
    """Return how a call was refused."""
    with pytest.raises(CallError) as caught:
        await call
    return caught.value.code, caught.value.reason


UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
INVALID = (UNAUTHENTICATED, errors_pb2.ERROR_REASON_TOKEN_INVALID)
EXPIRED = (UNAUTHENTICATED, errors_pb2.ERROR_REASON_TOKEN_EXPIRED)
MISSING = (UNAUTHENTICATED, errors_pb2.ERROR_REASON_TOKEN_MISSING)


async def test_a_call_without_a_token_is_refused(stage: Any, transport: str) -> None:
    """Whoever has not signed in is told so, in calls and in streams."""
    client = await stage.client(await stage.front(), transport, name=None)

    assert await reason_of(client.tables.get_table(tables_pb2.GetTableRequest(table_id="t1"))) == MISSING
    assert await reason_of(anext(client.tables.watch_table(tables_pb2.WatchTableRequest(table_id="t1")))) == MISSING
    assert not stage.toy.calls
    assert not stage.toy.opened


async def test_forged_tokens_are_refused(stage: Any, transport: str, hands: Hands) -> None:
    """A token that is forged, foreign, unsigned or for something else opens nothing, and changes nothing."""
    front = await stage.front(clock=hands, burst_per_address=1000)
    client = await stage.client(front, transport, name=None)

    for what, token in forgeries(front.issuer).items():
        sent = {"authorization": f"Bearer {token}"}
        asked = client.players.get_me(players_pb2.GetMeRequest(), metadata=sent)
        assert await reason_of(asked) == INVALID, what


@pytest.mark.parametrize("header", ["Basic QWRhOkFkYQ==", "Bearer", "Bearer ", "token"])
async def test_another_kind_of_header_is_refused(stage: Any, transport: str, header: str) -> None:
    """Only bearer tokens are read."""
    client = await stage.client(await stage.front(), transport, name=None)

    refused = await reason_of(client.players.get_me(players_pb2.GetMeRequest(), metadata={"authorization": header}))

    assert refused == INVALID


async def test_an_expired_token_is_told_from_a_bad_one(stage: Any, transport: str, hands: Hands) -> None:
    """A token that was good is refused as expired once it ends, although it was remembered as good."""
    front = await stage.front(clock=hands, access_token_seconds=100)
    token = front.issuer.issue(ADA).access
    client = await stage.client(front, transport, name=None, token=token)

    assert (await client.players.get_me(players_pb2.GetMeRequest())).player.id == ADA.id
    hands.now += 99.9
    assert (await client.players.get_me(players_pb2.GetMeRequest())).player.display_name == "Ada"
    hands.now += 0.2
    assert await reason_of(client.players.get_me(players_pb2.GetMeRequest())) == EXPIRED


async def test_who_sends_bad_tokens_is_held_back(stage: Any, transport: str) -> None:
    """Bad tokens cost their sender the right to try more, and not those who have good ones."""
    front = await stage.front(burst_per_address=5, rate_per_address=0.01)
    good = await stage.client(front, transport, name="Ada")
    await good.players.get_me(players_pb2.GetMeRequest())
    bad = await stage.client(front, transport, name=None, token="forged")

    codes = [(await reason_of(bad.players.get_me(players_pb2.GetMeRequest())))[0] for _ in range(8)]

    assert codes[0] is UNAUTHENTICATED
    assert codes[-1] is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await good.players.get_me(players_pb2.GetMeRequest())).player.display_name == "Ada"


async def test_a_remembered_token_is_forgotten_in_time(tmp_path: Path, hands: Hands) -> None:
    """The memory of good tokens is bounded, and never outlives a token."""
    own = issuer(tmp_path, hands)
    verifier = Verifier(own, None, hands, most=10)
    tokens = [f"Bearer {own.issue(ADA).access}" for _ in range(25)]

    for token in tokens:
        assert (await verifier.verify(token)).player == ADA

    assert len(verifier._known) <= 10
    assert verifier.known(tokens[-1]) is not None
    assert verifier.known(tokens[0]) is None
    hands.now += 100
    assert verifier.known(tokens[-1]) is None


async def test_a_refresh_token_brings_a_new_pair(stage: Any, transport: str) -> None:
    """A player stays the same player through refreshes; the reply that was lost locks nobody out."""
    client = await stage.client(await stage.front(), transport)
    player, first = client.player, client.tokens.refresh_token

    await client.refresh()
    again = await client.players.refresh_token(players_pb2.RefreshTokenRequest(refresh_token=first))
    me = await client.players.get_me(players_pb2.GetMeRequest())

    assert client.tokens.refresh_token != first
    assert again.tokens.access_token
    assert me.player == player


@pytest.mark.parametrize("bad", ["an access token", "nonsense"])
async def test_only_refresh_tokens_refresh(stage: Any, transport: str, bad: str) -> None:
    """An access token cannot be made to last."""
    client = await stage.client(await stage.front(), transport)
    token = client.tokens.access_token if bad == "an access token" else bad

    refused = await reason_of(client.players.refresh_token(players_pb2.RefreshTokenRequest(refresh_token=token)))

    assert refused == INVALID


@pytest.mark.parametrize("where", ["in memory", "in redis"])
async def test_a_used_refresh_token_ends_after_its_grace(
    tmp_path: Path, hands: Hands, where: str, request: pytest.FixtureRequest
) -> None:
    """A refresh token that was used is good for a short while more, at every front that shares the memory."""
    if where == "in redis":
        async with await open_connection(request.getfixturevalue("redis_url")) as connection:
            await used_twice(tmp_path, hands, SpentInRedis(connection), SpentInRedis(connection))
    else:
        spent = SpentInMemory()
        await used_twice(tmp_path, hands, spent, spent)


async def used_twice(folder: Path, hands: Hands, here: Any, there: Any) -> None:
    one, other = issuer(folder, hands, spent=here), issuer(folder, hands, spent=there)
    token = one.issue(ADA).refresh
    hands.now += 500

    assert (await one.refresh(token))[0] == ADA
    hands.now += 10
    assert (await other.refresh(token))[0] == ADA
    hands.now += 1
    with pytest.raises(Fault, match="used before"):
        await other.refresh(token)
    with pytest.raises(Fault, match="used before"):
        await one.refresh(token)


async def test_an_expired_refresh_token_is_refused(tmp_path: Path, hands: Hands) -> None:
    """A refresh token ends, too."""
    own = issuer(tmp_path, hands)
    token = own.issue(ADA).refresh
    hands.now += 1000

    with pytest.raises(Fault) as caught:
        await own.refresh(token)

    assert caught.value.reason == errors_pb2.ERROR_REASON_TOKEN_EXPIRED


async def test_spent_tokens_are_bounded_in_memory(hands: Hands) -> None:
    """The memory of used tokens forgets the oldest."""
    spent = SpentInMemory(most=10)

    for n in range(100):
        assert await spent.first_use(str(n), hands.now + n, 60) == hands.now + n

    assert len(spent._first) <= 10
    assert await spent.first_use("99", 0, 60) == hands.now + 99


# --- keys


def test_a_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    """The data folder's key is the same each time, and only its owner can read it."""
    folder = tmp_path / "data"

    first, second = own_key(folder), own_key(folder)

    assert first.id == second.id
    assert stat.S_IMODE((folder / "token.key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == ["token.key"]


def test_processes_that_race_for_a_key_agree(tmp_path: Path) -> None:
    """However many processes start at once on a new folder, they sign with one key."""
    code = "import sys, pathlib; from junto.front.keys import own_key; print(own_key(pathlib.Path(sys.argv[1])).id)"
    racing = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]

    ids = {process.communicate(timeout=60)[0] for process in racing}

    assert len(ids) == 1
    assert ids.pop().strip()


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """A key of the server's own that leaked to others on the machine is not used."""
    own_key(tmp_path)
    (tmp_path / "token.key").chmod(0o644)

    with pytest.raises(KeyFileError, match="others can read"):
        own_key(tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "cannot read"),
        (b"short", "bytes of secret"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no private key"),
        ("rsa", "not Ed25519"),
    ],
)
def test_a_bad_key_file_is_named(tmp_path: Path, content: bytes | str | None, problem: str) -> None:
    """A key file that is none stops the start, and the message says why."""
    path = tmp_path / "key"
    if content == "rsa":
        content = generate_private_key(65537, 2048).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    if isinstance(content, bytes):
        path.write_bytes(content)

    with pytest.raises(KeyFileError, match=problem):
        load_key(path)


async def test_a_secret_signs_as_well(stage: Any, tmp_path: Path) -> None:
    """A configured secret signs with HMAC, and fronts that share it believe each other."""
    path = tmp_path / "secret"
    path.write_text("correct horse battery staple, or so\n")
    one, other = await stage.front(token_key_file=path), await stage.front(token_key_file=path)
    client = await stage.client(one, "grpc")

    elsewhere = await stage.client(other, "connect", name=None, token=client.tokens.access_token)

    assert (await elsewhere.players.get_me(players_pb2.GetMeRequest())).player == client.player
    assert jwt.get_unverified_header(client.tokens.access_token)["alg"] == "HS256"


async def test_a_former_key_is_believed_until_it_is_dropped(stage: Any, tmp_path: Path) -> None:
    """A new key does not sign everybody out, as long as the old one is named."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("o" * 40)
    new.write_text("n" * 40)
    token = (await stage.client(await stage.front(token_key_file=old), "grpc")).tokens.access_token
    both = await stage.client(
        await stage.front(token_key_file=new, token_old_key_files=(old,)), "grpc", name=None, token=token
    )
    dropped = await stage.client(await stage.front(token_key_file=new), "grpc", name=None, token=token)

    assert (await both.players.get_me(players_pb2.GetMeRequest())).player.display_name == "Ada"
    assert await reason_of(dropped.players.get_me(players_pb2.GetMeRequest())) == INVALID


# --- an issuer of somebody else's


class Issuer:
    """An outside issuer: a key, and its JWKS on a loopback port."""

    def __init__(self) -> None:
        self.key = generate_private_key(65537, 2048)
        self.keys = [jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "k1"}]
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # the library's name
                body = json.dumps({"keys": owner.keys}).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def token(self, kid: str = "k1", **changes: Any) -> str:
        claims = {"iss": "https://id.example", "aud": "junto.v1", "sub": "42", "name": "Bea", "exp": time.time() + 60}
        return jwt.encode(claims | changes, self.key, algorithm="RS256", headers={"kid": kid})

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def outside() -> Iterator[Issuer]:
    """Provide an outside issuer."""
    issuer = Issuer()
    yield issuer
    issuer.close()


async def test_an_outside_issuer_vouches_for_players(stage: Any, outside: Issuer) -> None:
    """A token of the configured issuer is believed; the player's id follows from it and is no guest's."""
    front = await stage.front(jwks_url=outside.url, jwks_issuer="https://id.example", burst_per_address=1000)
    client = await stage.client(front, "grpc", name=None, token=outside.token())
    again = await stage.client(front, "connect", name=None, token=outside.token(name="\u202eevil"))

    me = (await client.players.get_me(players_pb2.GetMeRequest())).player
    evil = (await again.players.get_me(players_pb2.GetMeRequest())).player

    assert (me.id[:2], me.display_name) == ("u-", "Bea")
    assert (evil.id, evil.display_name) == (me.id, "player")


async def test_an_outside_issuers_bad_tokens_are_refused(stage: Any, outside: Issuer) -> None:
    """Audience, issuer, time, key and algorithm of an outside token are checked; guests go on playing."""
    front = await stage.front(jwks_url=outside.url, jwks_issuer="https://id.example", burst_per_address=1000)
    client = await stage.client(front, "grpc")
    assert (await client.players.get_me(players_pb2.GetMeRequest())).player.display_name == "Ada"

    good = claims_of(outside.token())
    for what, token, expected in (
        ("audience", outside.token(aud="else"), INVALID),
        ("issuer", outside.token(iss="else"), INVALID),
        ("key id", outside.token(kid="k2"), INVALID),
        ("ended", outside.token(exp=time.time() - 60), EXPIRED),
        (
            "algorithm",
            jwt.encode(good, "s" * 40, algorithm="HS256", headers={"kid": "k1"}),
            INVALID,
        ),
        ("unsigned", unsigned(good, alg="none", kid="k1"), INVALID),
    ):
        sent = {"authorization": f"Bearer {token}"}
        assert await reason_of(client.players.get_me(players_pb2.GetMeRequest(), metadata=sent)) == expected, what


async def test_an_issuer_that_is_away_is_unavailable(stage: Any, outside: Issuer) -> None:
    """While the outside keys cannot be fetched, tokens are neither believed nor called bad."""
    front = await stage.front(jwks_url="http://127.0.0.1:9/keys", jwks_issuer="https://id.example")
    client = await stage.client(front, "grpc", name=None, token=outside.token(), retries=None, timeout_s=1.0)

    code, _ = await reason_of(client.players.get_me(players_pb2.GetMeRequest()))

    assert code is grpc.StatusCode.UNAVAILABLE


async def test_tokens_are_checked_off_the_loop(stage: Any, outside: Issuer) -> None:
    """Many first calls of one outside player at once are all answered."""
    front = await stage.front(jwks_url=outside.url, jwks_issuer="https://id.example")
    client = await stage.client(front, "grpc", name=None, token=outside.token())

    found = await asyncio.gather(*(client.players.get_me(players_pb2.GetMeRequest()) for _ in range(10)))

    assert {reply.player.display_name for reply in found} == {"Bea"}
