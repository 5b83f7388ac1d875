"""Page tokens: where a list goes on, in a form that says which list it is of."""

from __future__ import annotations

import base64
import binascii

from junto.table.errors import InvalidPageToken


def write_page_token(kind: str, cursor: bytes) -> str:
    """Return the token of a list's next page; empty after the last."""
    return base64.urlsafe_b64encode(kind.encode() + b":" + cursor).decode().rstrip("=") if cursor else ""


def read_page_token(kind: str, token: str) -> bytes:
    """Return the cursor of a token; empty for the first page.

    Raises:
        InvalidPageToken: it is not of this list.
    """
    if not token:
        return b""
    try:
        plain = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        plain = b""
    found, colon, cursor = plain.partition(b":")
    if not colon or not cursor or found != kind.encode():
        raise InvalidPageToken("the page token is not from this list")
    return cursor
