"""Guests: who they are, and which names they may bear."""

from __future__ import annotations

import unicodedata
import uuid
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from junto.client import CallError
from junto.front.names import LONGEST, NameRefused, display_name
from junto.v1 import errors_pb2, players_pb2


async def refusal(client: Any, name: str, request_id: str = "") -> CallError:
    """Return how a sign-in was refused."""
    with pytest.raises(CallError) as caught:
        await client.sign_in_as_guest(name, request_id)
    return caught.value


async def test_a_guest_is_told_who_they_are(stage: Any, transport: str) -> None:
    """A new guest has an id and a name, in the reply as in GetMe."""
    client = await stage.client(await stage.front(), transport, name="Ada")

    me = await client.players.get_me(players_pb2.GetMeRequest())

    assert me.player == client.player
    assert me.player.display_name == "Ada"
    assert me.player.id.startswith("g-")


async def test_a_repeated_sign_in_gives_the_same_guest(stage: Any) -> None:
    """The same request gives the same player at every front with the same key; another id gives another."""
    fronts = [await stage.front(), await stage.front()]
    clients = [await stage.client(front, "grpc", name=None) for front in fronts]
    same, another = str(uuid.uuid4()), str(uuid.uuid4())

    first, again = [await client.sign_in_as_guest("Ada", same) for client in clients]
    upper = await clients[0].sign_in_as_guest("Ada", same.upper())
    other = await clients[0].sign_in_as_guest("Ada", another)

    assert first == again == upper
    assert other.id != first.id


async def test_a_request_id_with_another_name_is_refused(stage: Any, transport: str) -> None:
    """The same request id with another content is a mistake, and is told so."""
    client = await stage.client(await stage.front(), transport, name=None)
    same = str(uuid.uuid4())
    await client.sign_in_as_guest("Ada", same)

    error = await refusal(client, "Bea", same)

    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, errors_pb2.ERROR_REASON_REQUEST_ID_REUSED)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "at least 1"),
        ("x" * 10_000, "at most 40"),
        ("x" * 41, "at most 40"),
        ("   ", "no visible"),
        ("\u3164", "U+3164"),
        ("a\nb", "U+000A"),
        ("a\0b", "U+0000"),
        ("a\x1b[31mb", "U+001B"),
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\ue000b", "U+E000"),
        ("\u0301", "U+0301"),
        ("a" + "\u0335" * 4, "U+0335"),
        ("Ada\ufe0f", "U+FE0F"),
        ("Ada\U000e0100", "U+E0100"),
        ("\u034f", "U+034F"),
    ],
)
async def test_a_bad_name_is_a_field_violation(stage: Any, transport: str, name: str, said: str) -> None:
    """A name that is empty, too long or has characters that nobody should meet is refused by name."""
    client = await stage.client(await stage.front(), transport, name=None)

    error = await refusal(client, name)

    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, errors_pb2.ERROR_REASON_INVALID_FIELD)
    assert [violation.field for violation in error.violations] == ["display_name"]
    assert said in error.violations[0].description


async def test_a_name_is_composed_and_trimmed(stage: Any, transport: str) -> None:
    """Names that look alike are alike: NFC, no spaces around."""
    client = await stage.client(await stage.front(), transport, name="  Jose\u0301 王小明 ")

    assert client.player.display_name == "Jos\u00e9 王小明"


@pytest.mark.parametrize("name", ["ที่นี่", "नमस्ते", "שָׁלוֹם", "السَّلَام", "Nguyễn Thị", "བསྒྲུབས", "Ada ❤️ 1️⃣"])
async def test_names_of_all_scripts_are_welcome(stage: Any, name: str) -> None:
    """Marks and styles that writing needs stay; only heaps of them are refused."""
    client = await stage.client(await stage.front(), "grpc", name=name)

    assert client.player.display_name == unicodedata.normalize("NFC", name)


async def test_a_server_without_guests_says_so(stage: Any, transport: str) -> None:
    """An operator who wants no guests gets none."""
    client = await stage.client(await stage.front(guests=False), transport, name=None)

    assert (await refusal(client, "Ada")).code is grpc.StatusCode.UNIMPLEMENTED


async def test_sign_ins_are_limited_by_address(stage: Any, transport: str) -> None:
    """One address gets so many guests and no more, and is told when to come back."""
    client = await stage.client(await stage.front(sign_in_rate=0.5, sign_in_burst=3), transport, name=None)
    for _ in range(3):
        await client.sign_in_as_guest("Ada")

    error = await refusal(client, "Ada")

    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, errors_pb2.ERROR_REASON_RATE_LIMITED)
    assert 1 < error.retry_delay_s <= 2


async def test_a_proxy_is_believed_only_if_trusted(stage: Any, transport: str) -> None:
    """Behind a trusted proxy each client has limits of its own; without one the header counts for nothing."""
    limits = {"sign_in_rate": 0.01, "sign_in_burst": 1}
    trusting = await stage.client(await stage.front(trusted_proxies="127.0.0.0/8", **limits), transport, name=None)
    wary = await stage.client(await stage.front(**limits), transport, name=None)

    async def sign_in(client: Any, address: str) -> grpc.StatusCode:
        request = players_pb2.SignInAsGuestRequest(display_name="Ada")
        try:
            await client.players.sign_in_as_guest(request, metadata={"x-forwarded-for": address})
        except CallError as error:
            return error.code
        return grpc.StatusCode.OK

    ok, held = grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED
    asked = ["192.0.2.1", "6.6.6.6, 192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]
    assert [await sign_in(trusting, address) for address in asked] == [ok, held, ok, ok, held]
    assert [await sign_in(wary, address) for address in ("192.0.2.1", "192.0.2.2")] == [ok, held]


@given(st.text(max_size=60))
def test_every_name_is_shown_whole_or_refused(text: str) -> None:
    """What is accepted is composed, trimmed, short and free of control and format characters, and stays itself."""
    try:
        name = display_name(text)
    except NameRefused as error:
        assert str(error).startswith("must ")  # noqa: PT017  # both outcomes are right
        return

    assert 1 <= len(name) <= LONGEST
    assert name == name.strip() == unicodedata.normalize("NFC", name)
    assert not {unicodedata.category(c) for c in name} & {"Cc", "Cf", "Cs", "Co", "Cn"}
    assert display_name(name) == name
