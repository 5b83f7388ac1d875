"""Tokens: signed statements of who a player is. What they may do is for the table to say.

A token is a JWT. Junto's own are signed with the server's key and come in pairs: an access token for the
calls, a refresh token for the next pair. Tokens of an outside issuer are access tokens only; its keys are
fetched from its JWKS. A token that was found good is remembered until it ends, so that a call costs a
look-up and not a signature check.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import secrets
from base64 import b32encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

import jwt
from jwt.types import Options

from junto.front.call import Identity, Player, PlayerId
from junto.front.faults import Fault
from junto.front.keys import Keyring
from junto.front.names import shown_name
from junto.v1 import errors_pb2

ISSUER: Final = "junto"
AUDIENCE: Final = "junto.v1"
REFRESH_AUDIENCE: Final = "junto.v1/refresh"
_LONGEST: Final = 4096
_LEEWAY_S: Final = 30.0
_BEARER: Final = "bearer "
_CLAIMS: Final = ["exp", "sub", "aud", "iss"]
_OUTSIDE_ALGORITHMS: Final = ("EdDSA", "ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512")


def invalid(message: str = "the token is not good: sign in again") -> Fault:
    """Return the fault for a token that was never good."""
    return Fault(errors_pb2.ERROR_REASON_TOKEN_INVALID, message)


def expired(message: str = "the token has expired: refresh it") -> Fault:
    """Return the fault for a token that was good once."""
    return Fault(errors_pb2.ERROR_REASON_TOKEN_EXPIRED, message)


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """A pair of tokens and when they end, in whole seconds since 1970."""

    access: str
    access_expires: int
    refresh: str
    refresh_expires: int


class SpentTokens(Protocol):
    """Remembers which refresh tokens were used."""

    async def first_use(self, token_id: str, now: float, keep_s: float) -> float:
        """Return when the token was first used: `now` if it is now. Remember it for `keep_s` seconds."""


class SpentInMemory:
    """Remembers in this process alone; the oldest are forgotten beyond `most`."""

    def __init__(self, most: int = 100_000) -> None:
        self._most = most
        self._first: dict[str, float] = {}

    async def first_use(self, token_id: str, now: float, keep_s: float) -> float:
        """See `SpentTokens`; what is full forgets the oldest rather than by time."""
        del keep_s
        if len(self._first) >= self._most:
            for key in list(islice(self._first, self._most // 10)):
                del self._first[key]
        return self._first.setdefault(token_id, now)


class TokenIssuer:
    """Signs and reads Junto's own tokens.

    Args:
        keys: the server's keys.
        clock: seconds since 1970.
        access_s, refresh_s: how long tokens are good.
        grace_s: how long a refresh token stays good after its first use.
        spent: remembers the used refresh tokens; shared by all fronts in production.
    """

    def __init__(
        self,
        keys: Keyring,
        clock: Callable[[], float],
        *,
        access_s: int,
        refresh_s: int,
        grace_s: float,
        spent: SpentTokens,
    ) -> None:
        self.keys = keys
        self._clock = clock
        self._access_s = access_s
        self._refresh_s = refresh_s
        self._grace_s = grace_s
        self._spent = spent

    def issue(self, player: Player) -> Pair:
        """Sign a pair of tokens for a player."""
        now = int(self._clock())
        access_expires, refresh_expires = now + self._access_s, now + self._refresh_s
        return Pair(
            access=self._sign(player, AUDIENCE, now, access_expires),
            access_expires=access_expires,
            refresh=self._sign(player, REFRESH_AUDIENCE, now, refresh_expires),
            refresh_expires=refresh_expires,
        )

    def owns(self, key_id: object) -> bool:
        """Tell whether a token with this key id is for this issuer to read."""
        return key_id in self.keys.by_id

    def read(self, token: str, audience: str = AUDIENCE) -> Mapping[str, Any]:
        """Return the claims of a token that is good.

        Raises:
            Fault: TOKEN_INVALID or TOKEN_EXPIRED.
        """
        key = self.keys.by_id.get(_key_id(token))
        if key is None:
            raise invalid()
        claims = _decode(token, key.checking, (key.algorithm,), audience, ISSUER)
        _check_times(claims, self._clock(), leeway_s=0.0)
        return claims

    async def refresh(self, token: str) -> tuple[Player, Pair]:
        """Trade a refresh token for a new pair.

        Raises:
            Fault: TOKEN_INVALID, also for one that was used before and is past its grace; TOKEN_EXPIRED.
        """
        claims = self.read(token, REFRESH_AUDIENCE)
        now = self._clock()
        first = await self._spent.first_use(str(claims.get("jti")), now, claims["exp"] - now)
        if now - first > self._grace_s:
            raise invalid("the refresh token was used before: sign in again")
        player = _player(claims)
        return player, self.issue(player)

    def _sign(self, player: Player, audience: str, now: int, expires: int) -> str:
        claims = {
            "iss": ISSUER,
            "aud": audience,
            "sub": player.id,
            "name": player.name,
            "iat": now,
            "exp": expires,
            "jti": secrets.token_urlsafe(12),
        }
        key = self.keys.signing
        return jwt.encode(claims, key.signing, algorithm=key.algorithm, headers={"kid": key.id})


class OutsideIssuer:
    """Reads the tokens of somebody else, whose keys are at a URL.

    A player's id follows from the issuer and the `sub` of their token; their name is the claim
    `name` if it can be shown, else `preferred_username`, else "player".
    """

    def __init__(self, jwks_url: str, issuer: str, audience: str, clock: Callable[[], float]) -> None:
        self._keys = jwt.PyJWKClient(jwks_url, timeout=5)
        self._issuer = issuer
        self._audience = audience
        self._clock = clock

    async def read(self, token: str) -> Mapping[str, Any]:
        """Return the claims of a token that is good, its player as Junto knows them.

        Raises:
            Fault: TOKEN_INVALID, TOKEN_EXPIRED, or STORE_UNAVAILABLE while the keys cannot be fetched.
        """
        try:
            key = await asyncio.to_thread(self._keys.get_signing_key_from_jwt, token)
        except jwt.PyJWKClientConnectionError:
            raise Fault(
                errors_pb2.ERROR_REASON_STORE_UNAVAILABLE, "the issuer of the tokens does not answer", retry_delay_s=2.0
            ) from None
        except jwt.PyJWTError:
            raise invalid() from None
        if key.algorithm_name not in _OUTSIDE_ALGORITHMS:
            raise invalid()
        claims = _decode(token, key.key, (key.algorithm_name,), self._audience, self._issuer)
        _check_times(claims, self._clock(), leeway_s=_LEEWAY_S)
        return claims | {"sub": self._player_id(claims), "name": _outside_name(claims)}

    def _player_id(self, claims: Mapping[str, Any]) -> str:
        digest = hashlib.sha256(f"{self._issuer}\0{claims['sub']}".encode()).digest()
        return "u-" + b32encode(digest[:16]).decode().rstrip("=").lower()


class Verifier:
    """Tells who sent a token, and remembers the answers until the tokens end."""

    def __init__(
        self,
        own: TokenIssuer,
        outside: OutsideIssuer | None,
        clock: Callable[[], float],
        most: int = 10_000,
    ) -> None:
        self._own = own
        self._outside = outside
        self._clock = clock
        self._most = most
        self._known: dict[str, Identity] = {}

    def known(self, authorization: str) -> Identity | None:
        """Return who sent this authorization header, if it was found good before and has not ended."""
        identity = self._known.get(authorization)
        if identity is not None and identity.expires <= self._clock():
            del self._known[authorization]
            return None
        return identity

    async def verify(self, authorization: str | None) -> Identity:
        """Return who sent this authorization header.

        Raises:
            Fault: TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED, or STORE_UNAVAILABLE (see OutsideIssuer).
        """
        if not authorization:
            raise Fault(
                errors_pb2.ERROR_REASON_TOKEN_MISSING, "sign in first, and send `authorization: Bearer <access token>`"
            )
        if authorization[: len(_BEARER)].lower() != _BEARER or len(authorization) > _LONGEST:
            raise invalid("the authorization header must be `Bearer <access token>`")
        token = authorization[len(_BEARER) :].strip()
        if self._outside is None or self._own.owns(_key_id(token)):
            claims = self._own.read(token)
        else:
            claims = await self._outside.read(token)
        identity = Identity(_player(claims), float(claims["exp"]))
        self._remember(authorization, identity)
        return identity

    def _remember(self, authorization: str, identity: Identity) -> None:
        if len(self._known) >= self._most:
            for key in list(islice(self._known, self._most // 10)):
                del self._known[key]
        self._known[authorization] = identity


def _key_id(token: str) -> str:
    try:
        return str(jwt.get_unverified_header(token).get("kid", ""))
    except jwt.PyJWTError:
        raise invalid() from None


def _decode(token: str, key: Any, algorithms: tuple[str, ...], audience: str, issuer: str) -> dict[str, Any]:
    """Check signature, audience and issuer. Times are checked by our own clock, after this."""
    options: Options = {"require": _CLAIMS, "verify_exp": False, "verify_nbf": False, "verify_iat": False}
    try:
        return jwt.decode(token, key, algorithms=list(algorithms), audience=audience, issuer=issuer, options=options)
    except (jwt.PyJWTError, ValueError):
        raise invalid() from None


def _check_times(claims: Mapping[str, Any], now: float, leeway_s: float) -> None:
    expires, starts = claims["exp"], claims.get("nbf", 0)
    if not (_is_time(expires) and _is_time(starts)) or starts > now + leeway_s:
        raise invalid()
    if expires <= now - leeway_s:
        raise expired()


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _player(claims: Mapping[str, Any]) -> Player:
    return Player(PlayerId(str(claims["sub"])), str(claims.get("name", "")))


def _outside_name(claims: Mapping[str, Any]) -> str:
    return shown_name(claims.get("name"), shown_name(claims.get("preferred_username")))
