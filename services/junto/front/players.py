"""PlayerService: guests sign in, tokens are refreshed, a player is told who they are.

Nothing is stored. A guest's id follows from the request id, the name and the server's key, so that a
repeated sign-in gives the same guest; the name travels in the token. The request id of a sign-in is
therefore as good as a password, and is never logged.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from junto.front.addresses import neighbourhood
from junto.front.call import Call, Player, PlayerId
from junto.front.faults import Fault, FieldViolation, InvalidField, RateLimited, Unimplemented
from junto.front.limits import Buckets
from junto.front.names import NameRefused, display_name
from junto.front.tokens import Pair, TokenIssuer
from junto.table.messages import write_player
from junto.v1 import errors_pb2, players_pb2

_REMEMBERED: Final = 10_000


class PlayerService:
    """Answers `junto.v1.PlayerService`.

    Args:
        issuer: signs the tokens.
        sign_ins: limits sign-ins and refreshes by address.
        guests: whether strangers may sign in.
    """

    def __init__(self, issuer: TokenIssuer, sign_ins: Buckets, *, guests: bool) -> None:
        self._issuer = issuer
        self._sign_ins = sign_ins
        self._guests = guests
        self._names: dict[str, str] = {}

    async def sign_in_as_guest(
        self, request: players_pb2.SignInAsGuestRequest, call: Call
    ) -> players_pb2.SignInAsGuestResponse:
        """Make a guest, or the same one again for the same request."""
        if not self._guests:
            raise Unimplemented("this server takes no guests: sign in with its own issuer")
        name = _name(request.display_name)
        self._limit(call)
        self._remember(request.request_id.lower(), name)
        identifier = PlayerId("g-" + self._issuer.keys.signing.derive("guest", request.request_id.lower(), name))
        player = Player(identifier, name)
        return players_pb2.SignInAsGuestResponse(
            player=write_player(player), tokens=_tokens(self._issuer.issue(player))
        )

    async def refresh_token(
        self, request: players_pb2.RefreshTokenRequest, call: Call
    ) -> players_pb2.RefreshTokenResponse:
        """Trade a refresh token for a new pair."""
        self._limit(call)
        _, pair = await self._issuer.refresh(request.refresh_token)
        return players_pb2.RefreshTokenResponse(tokens=_tokens(pair))

    async def get_me(self, _: players_pb2.GetMeRequest, call: Call) -> players_pb2.GetMeResponse:
        """Tell who the caller is."""
        return players_pb2.GetMeResponse(player=write_player(call.player))

    def _limit(self, call: Call) -> None:
        if wait := self._sign_ins.take(neighbourhood(call.address)):
            raise RateLimited("too many sign-ins from your address: wait a little", wait)

    def _remember(self, request_id: str, name: str) -> None:
        """Refuse a request id that came with another name; a front that forgot it makes another guest."""
        if len(self._names) >= _REMEMBERED:
            for key in list(islice(self._names, _REMEMBERED // 10)):
                del self._names[key]
        if self._names.setdefault(request_id, name) != name:
            raise Fault(
                errors_pb2.ERROR_REASON_REQUEST_ID_REUSED,
                "this request id was used with another display_name: take a fresh one for each intent",
            )


def _name(text: str) -> str:
    try:
        return display_name(text)
    except NameRefused as error:
        raise InvalidField([FieldViolation("display_name", str(error))]) from None


def _tokens(pair: Pair) -> players_pb2.Tokens:
    return players_pb2.Tokens(
        access_token=pair.access,
        access_expire_time=Timestamp(seconds=pair.access_expires),
        refresh_token=pair.refresh,
        refresh_expire_time=Timestamp(seconds=pair.refresh_expires),
    )
