"""Who may do what: the account's token file, and the names and roles behind tokens."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from .errors import TokenError
from .paths import private_folder, token_file

TOKEN_BYTES = 32  # 256 bits: not to be guessed
TOKEN_CHARS = 512  # a longer "token" is some other file


class Role(StrEnum):
    """What a token is good for."""

    METRICS = "metrics"
    """Read the health and the metrics, and nothing of the rounds: for whatever watches the hub itself."""
    WATCH = "watch"
    """Read the feed too."""
    PUBLISH = "publish"
    """Send events."""
    ADMIN = "admin"
    """All of this."""


GRANTS: Mapping[Role, frozenset[Role]] = {
    Role.METRICS: frozenset((Role.METRICS,)),
    Role.WATCH: frozenset((Role.METRICS, Role.WATCH)),
    Role.PUBLISH: frozenset((Role.PUBLISH,)),
    Role.ADMIN: frozenset(Role),
}
"""What each role may do."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a token stands for. The name owns producer names; it is no secret."""

    name: str
    roles: frozenset[Role] = frozenset((Role.ADMIN,))

    def may(self, role: Role) -> bool:
        """Return whether one of its roles grants this one."""
        return any(role in GRANTS[own] for own in self.roles)


ACCOUNT = Identity("account")
"""Everybody who can read this account's token file."""
ANYONE = Identity("anyone")
"""Everybody, on a hub that asks for no token."""


class Access:
    """The tokens a hub accepts. Holds secrets: it has no readable ``repr``."""

    def __init__(self, tokens: Mapping[str, Identity] | None, digests: Mapping[bytes, Identity] | None = None) -> None:
        """Accept these tokens; ``None`` accepts everybody without one.

        Args:
            tokens: whom each stands for.
            digests: the same by the SHA-256 of a token, where only that is known.
        """
        known = None if tokens is None else {token_digest(token): who for token, who in tokens.items()}
        self._digests = None if known is None else [*known.items(), *(digests or {}).items()]

    @classmethod
    def anyone(cls) -> Access:
        """Return the access of ``--no-auth``."""
        return cls(None)

    @classmethod
    def of_account(cls, path: Path | None = None, others: Mapping[bytes, Identity] | None = None) -> Access:
        """Return the access that asks for the token of this account, which is made where it is missing.

        Args:
            path: of the account's token file.
            others: further identities by the SHA-256 of their tokens.

        Raises:
            TokenError: the file cannot be made, read or trusted.
        """
        return cls({ensure_token(path): ACCOUNT}, others)

    @property
    def asks(self) -> bool:
        """Whether a token is needed."""
        return self._digests is not None

    def identify(self, authorization: str | None) -> Identity | None:
        """Return whom an ``Authorization`` header stands for, or None when it is missing or wrong.

        Every known token is compared, each in constant time, so the answer's time tells nothing.
        """
        if self._digests is None:
            return ANYONE
        scheme, _, token = (authorization or "").partition(" ")
        given = token_digest(token.strip() if scheme.lower() == "bearer" else "")
        found: Identity | None = None
        for known, who in self._digests:
            if hmac.compare_digest(known, given):
                found = who
        return found


def token_digest(token: str) -> bytes:
    """Return what tokens are compared by: of equal length whatever was sent, and no secret itself."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def ensure_token(path: Path | None = None) -> str:
    """Return the token in ``path`` (the account's own by default), after making one where there is none.

    Raises:
        TokenError: the file cannot be made, read or trusted.
    """
    path = path or token_file()
    try:
        private_folder(path.parent)
        if not path.exists():
            _make_token(path)
    except OSError as error:
        raise TokenError(
            f"cannot make the token file {path}: {error.strerror}; check the folder's owner",
            code="token_not_made",
            path=str(path),
            said=error.strerror,
        ) from None
    token = read_token(path)
    if token is None:
        raise TokenError(f"the token file {path} vanished while it was read; start again")
    return token


def read_token(path: Path | None = None) -> str | None:
    """Return the token in ``path`` (the account's own by default), or None when there is no such file.

    Raises:
        TokenError: others can read the file, it is not ours, or it holds no token.
    """
    path = path or token_file()
    try:
        with path.open(encoding="utf-8-sig") as file:
            status = os.fstat(file.fileno())
            token = file.read(TOKEN_CHARS + 1).strip()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise TokenError(f"{path} is no text in UTF-8", code="file_no_text", path=str(path)) from None
    except OSError as error:
        said = f"cannot read the token file {path}: {error.strerror}"
        raise TokenError(said, code="token_unreadable", path=str(path), said=error.strerror) from None
    if os.name == "posix" and status.st_mode & 0o077:
        raise TokenError(
            f"others can read the token file {path}: chmod 600 it, and replace the token if somebody may have read it",
            code="token_others_read",
            path=str(path),
        )
    if os.name == "posix" and status.st_uid != os.getuid():
        raise TokenError(f"the token file {path} belongs to another account", code="token_of_another", path=str(path))
    if not token or len(token) > TOKEN_CHARS or not (token.isascii() and token.isprintable()) or " " in token:
        raise TokenError(
            f"the token file {path} holds no token: put it there, and nothing else; "
            "your account's own file is made anew where it is missing",
            code="token_empty",
            path=str(path),
        )
    return token


def _make_token(path: Path) -> None:
    """Write a new token; of two starting hubs one wins, and no reader ever sees half a file."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(TOKEN_BYTES) + "\n")
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        draft.unlink()
