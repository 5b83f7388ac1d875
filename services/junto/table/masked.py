"""URLs as they may be shown: in logs, messages and listings."""

from __future__ import annotations

import re
from typing import Final

_LOGIN: Final = re.compile(r"://.*@", re.DOTALL)
_PASSWORD: Final = re.compile(r"([?&][^=&]*(?:password|username)=)[^&]*")


def masked(url: str) -> str:
    """Return a URL with asterisks where it says who we are: before an `@`, and in options named for that.

    What is no proper URL is masked as well: everything up to its last `@`.
    """
    return _PASSWORD.sub(r"\1***", _LOGIN.sub("://***@", url))
