"""Further tokens of a hub: one line each with a name, its roles and the token or its SHA-256."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from .auth import ACCOUNT, ANYONE, Identity, Role, token_digest
from .errors import TokenError

VARIABLE = "ROUNDWATCH_TOKENS"
"""Environment variable with the same lines as a file; a semicolon ends a line too."""
HASHED = "sha256:"
SHORTEST = 16
"""Characters of a token; fewer can be guessed."""
NAME_CHARS = 100
FILE_CHARS = 1024 * 1024
RESERVED = (ACCOUNT.name, ANYONE.name)


def tokens_in(path: Path) -> dict[bytes, Identity]:
    """Return the identities that a file lists, by the SHA-256 of their tokens.

    Raises:
        TokenError: it cannot be read, others can read it, or a line is wrong; nothing of a line is quoted.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            status = os.fstat(file.fileno())
            text = file.read(FILE_CHARS + 1)
    except UnicodeDecodeError:
        raise TokenError(f"{path} is no text in UTF-8", code="file_no_text", path=str(path)) from None
    except OSError as error:
        said = f"cannot read the token list {path}: {error.strerror}"
        raise TokenError(said, code="token_list_unreadable", path=str(path), said=error.strerror) from None
    if os.name == "posix" and status.st_mode & 0o077:
        raise TokenError(
            f"others can read the token list {path}: chmod 600 it, and replace the tokens if somebody may have",
            code="token_list_others_read",
            path=str(path),
        )
    if len(text) > FILE_CHARS:
        raise TokenError(f"the token list {path} is too large", code="token_list_too_large", path=str(path))
    return parse_tokens(text, str(path))


def tokens_of_environment(environment: Mapping[str, str]) -> dict[bytes, Identity]:
    """Return the identities that the variable lists.

    Raises:
        TokenError: a line is wrong.
    """
    return parse_tokens(environment.get(VARIABLE, "").replace(";", "\n"), VARIABLE)


def parse_tokens(text: str, where: str) -> dict[bytes, Identity]:
    """Return the identities of ``name roles token`` lines; ``#`` begins a comment.

    Raises:
        TokenError: a line is wrong.
    """
    found: dict[bytes, Identity] = {}
    names: set[str] = set()
    for number, line in _lines(text):
        digest, identity = _entry(line, number, where)
        if identity.name in names or digest in found:
            raise _wrong(where, number, "its name or its token was there before", "token_list_twice")
        names.add(identity.name)
        found[digest] = identity
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if (said := line.strip()) and not said.startswith("#"):
            yield number, said


def _entry(line: str, number: int, where: str) -> tuple[bytes, Identity]:
    words = line.split()
    if len(words) != 3:
        raise _wrong(where, number, "it is no name, roles and token")
    name, roles, token = words
    if not name.isprintable() or len(name) > NAME_CHARS or name in RESERVED:
        why = f"its name is not 1 to {NAME_CHARS} printable characters, or is reserved"
        raise _wrong(where, number, why, "token_list_name", most=NAME_CHARS, reserved=", ".join(RESERVED))
    try:
        granted = frozenset(Role(role) for role in roles.split(","))
    except ValueError:
        why = f"its roles are not of {', '.join(Role)}"
        raise _wrong(where, number, why, "token_list_roles", roles=", ".join(Role)) from None
    return _digest(token, number, where), Identity(name, granted)


def _digest(token: str, number: int, where: str) -> bytes:
    if token.startswith(HASHED):
        try:
            digest = bytes.fromhex(token.removeprefix(HASHED))
        except ValueError:
            digest = b""
        if len(digest) != 32:
            raise _wrong(where, number, f"after {HASHED} 64 hexadecimal digits are expected", "token_list_hash")
        return digest
    if len(token) < SHORTEST or not (token.isascii() and token.isprintable()):
        why = f"its token is not at least {SHORTEST} printable ASCII characters"
        raise _wrong(where, number, why, "token_list_token", least=SHORTEST)
    return token_digest(token)


def _wrong(where: str, number: int, why: str, code: str = "token_list_wrong", **facts: str | int) -> TokenError:
    said = f"line {number} of the token list {where} is wrong: {why}"
    return TokenError(said, code=code, line=str(number), path=where, **facts)
