"""The keys that sign tokens: made once and kept private, or given by the operator.

A key file holds a PEM Ed25519 private key (tokens are signed with EdDSA) or a secret of 32 bytes or more
(HS256). The file decides the algorithm; what a token's header says never does.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FILE: Final = "token.key"
_SHORTEST_SECRET: Final = 32


class KeyFileError(Exception):
    """A key file that cannot be read, is no key, or is open to others."""


@dataclass(frozen=True, slots=True, repr=False)
class Key:
    """A key that signs and checks tokens.

    `id` is what a token's header names (`kid`); `derive` makes values that only holders of the key can.
    """

    id: str
    algorithm: str
    signing: Any
    checking: Any
    _root: bytes

    def derive(self, *parts: str) -> str:
        """Return 26 lower-case letters and digits that follow from the key and the parts, and tell neither."""
        text = "\0".join((str(len(parts)), *parts)).encode()
        digest = hmac.digest(self._root, text, "sha256")
        return base64.b32encode(digest[:16]).decode().rstrip("=").lower()


@dataclass(frozen=True, slots=True)
class Keyring:
    """The key that signs, and all keys that tokens may be signed with, by id."""

    signing: Key
    by_id: Mapping[str, Key]

    @staticmethod
    def of(signing: Key, former: Iterable[Key] = ()) -> Keyring:
        """Return a ring of one key and its predecessors."""
        return Keyring(signing, {key.id: key for key in (*former, signing)})


def load_key(path: Path) -> Key:
    """Read a key file.

    Raises:
        KeyFileError: there is no such file, or it holds no key.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"cannot read the token key {path}: {error.strerror}") from error
    return _parse(data, path)


def own_key(folder: Path) -> Key:
    """Return the key of a data folder, made on the first call; processes that race for it get the same one.

    Raises:
        KeyFileError: the file cannot be written, or others can read it.
    """
    path = folder / FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _create(path)
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as error:
        raise KeyFileError(f"cannot keep a token key in {folder}: {error.strerror}") from error
    if mode & 0o077:
        raise KeyFileError(f"others can read {path} (mode {mode:04o}): chmod 600 it, or delete it to get a new key")
    return load_key(path)


def _create(path: Path) -> None:
    """Write a fresh key beside its place and link it there, so that the file is whole whenever it is seen."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(scratch)
    finally:
        scratch.unlink()


def _parse(data: bytes, path: Path) -> Key:
    if data.lstrip().startswith(b"-----BEGIN"):
        return _ed25519(data, path)
    secret = data.strip(b"\r\n")
    if len(secret) < _SHORTEST_SECRET:
        raise KeyFileError(f"{path} holds {len(secret)} bytes of secret; {_SHORTEST_SECRET} are the least")
    return Key(hmac.digest(secret, b"key id", "sha256").hex()[:16], "HS256", secret, secret, secret)


def _ed25519(data: bytes, path: Path) -> Key:
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise KeyFileError(f"{path} holds no private key without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds a key that is not Ed25519 (openssl genpkey -algorithm ed25519)")
    public = key.public_key()
    return Key(
        hashlib.sha256(public.public_bytes_raw()).hexdigest()[:16], "EdDSA", key, public, key.private_bytes_raw()
    )
