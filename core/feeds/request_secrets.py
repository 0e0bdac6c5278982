"""The secrets of one request, kept in memory to take them out of whatever is published."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote, unquote

from .body_secrets import NAMES
from .key_shapes import GONE, begun_key, without_keys

SECRET_HEADERS = frozenset((b"chatgpt-account-id",))
"""Headers that are kept secret beside those whose names say it."""
LONGEST = 8192
"""A longer value is no key; characters. What is cut for publishing is searched this much further."""
SHORTEST = 8
"""A shorter value is no key; taking it out would only damage texts."""
_PARTS = re.compile(r"[\s,;]+")


class Secrets:
    """Knows them in every form in which a text may repeat them. Has no readable repr."""

    def __init__(self, headers: Iterable[tuple[bytes, bytes]], query: str = "") -> None:
        """Find them in a request's headers and in its query string."""
        found: set[str] = set()
        for name, value in headers:
            if name.lower() in SECRET_HEADERS or NAMES.search(name.decode("latin-1")):
                found.update(_of_header(value.decode("latin-1").strip()))
        for parameter in query.split("&"):
            key, _, given = parameter.partition("=")
            if NAMES.search(unquote(key)):
                found.update((given, *(text for _, text in parse_qsl(parameter)), unquote(given)))
        self._found: list[str] = []
        self.add(found)

    def add(self, found: Iterable[str]) -> None:
        """Take in more of them, which the request's body held."""
        every = {form for text in found if len(text) >= SHORTEST for form in _forms(text)}
        self._found = sorted(every.union(self._found), key=len, reverse=True)
        self._firsts = frozenset(secret[0] for secret in self._found)
        self._pairs = "\0".join(self._found)

    def out_of(self, text: str) -> str:
        """Return ``text`` without any of them, and without what looks like a key of somebody else."""
        for secret in self._found:
            if secret in text:
                text = text.replace(secret, GONE)
        return without_keys(text)

    def begun(self, text: str) -> int:
        """Return where to cut ``text`` so that what comes before holds no part of a secret that goes beyond.

        Its length where no secret, and no key, may have begun and not ended yet.
        """
        cut = begun_key(text)
        if text[-2:] in self._pairs or text[-1:] in self._firsts:  # most texts by far end in another way
            cut = min([cut, *(_overlap(text, secret) for secret in self._found)])
        for secret in self._found:
            if secret in text:  # what follows it begins a word once it is blotted out
                end = text.rindex(secret) + len(secret)
                cut = min(cut, end + begun_key(text[end:]))
        if cut < len(text):
            for secret in self._found:  # one that is whole must not be cut through, either
                at = text.find(secret, max(0, cut - len(secret) + 1), cut + len(secret) - 1)
                cut = min(cut, at) if at >= 0 else cut
        return cut

    def tells(self, beginning: str) -> bool:
        """Say whether the beginning of one of them, which ``beginning`` is, gives a part of it away."""
        return len(beginning) >= SHORTEST and any(secret.startswith(beginning) for secret in self._found)


def _of_header(text: str) -> Iterator[str]:
    yield text
    yield from _basic(text)
    for part in _PARTS.split(text):
        yield part
        yield part.partition("=")[2].strip('"')


def _basic(value: str) -> tuple[str, ...]:
    """Return what a header of HTTP's own password scheme spells out."""
    kind, _, coded = value.partition(" ")
    if kind.lower() != "basic":
        return ()
    try:
        said = base64.b64decode(coded, validate=True).decode("utf-8", "replace")
    except ValueError:
        return ()
    return (said, said.partition(":")[2])


def _forms(text: str) -> Iterator[str]:
    """Yield a secret as it is, as JSON writes it inside a string, and as an address does."""
    yield text
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield text.replace("/", "\\/")
    yield quote(text, safe="")


def _overlap(text: str, secret: str) -> int:
    """Return where the longest end of ``text`` begins that ``secret`` begins with, but does not end with."""
    at = text.find(secret[0], max(0, len(text) - len(secret) + 1))
    while at >= 0:
        if secret.startswith(text[at:]):
            return at
        at = text.find(secret[0], at + 1)
    return len(text)
