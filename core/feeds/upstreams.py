"""The providers that the proxy forwards to, each under a name of its own, and how a request chooses one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from ..rounds.faults import CodedError

PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_TARGET = re.compile(r"/([^/?#]*)(.*)", re.DOTALL)
LOCAL = ".localhost"
"""A host name that ends so, as ``openai.localhost``, chooses an upstream too."""

WELL_KNOWN: Mapping[str, str] = {
    "openai": "https://api.openai.com",
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
    "ollama": "http://127.0.0.1:11434",
    "openrouter": "https://openrouter.ai",
    "groq": "https://api.groq.com",
    "mistral": "https://api.mistral.ai",
    "deepseek": "https://api.deepseek.com",
    "xai": "https://api.x.ai",
    "cohere": "https://api.cohere.com",
}
"""Upstreams that need no configuration."""


class UpstreamError(CodedError, ValueError):
    """An upstream cannot be what was given; ``str()`` says what is wrong and quotes no address."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where requests of one name go."""

    name: str
    scheme: str
    host: str
    port: int
    base: str = ""
    """Path in front of every forwarded one, without a slash at its end."""

    @classmethod
    def parse(cls, name: str, url: str) -> Self:
        """Return the upstream ``name`` at ``url``.

        Raises:
            UpstreamError: the name is none, or ``url`` is no plain http or https address.
        """
        if not _NAME.fullmatch(name):
            raise UpstreamError("a name is made of 1 to 40 small letters, digits and hyphens", code="upstream_name")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise UpstreamError(f"{name}: this is no address", code="upstream_no_address", name=name) from None
        if parts.scheme not in PORTS or not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
            raise UpstreamError(
                f"{name}: an address is http://host[:port][/path] or https://…", code="upstream_address", name=name
            )
        if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
            raise UpstreamError(
                f"{name}: an address holds no password, no query and no fragment", code="upstream_parts", name=name
            )
        return cls(name, parts.scheme, parts.hostname, port or PORTS[parts.scheme], parts.path.rstrip("/"))

    @property
    def is_tls(self) -> bool:
        """Whether the connection is encrypted, and its certificate checked."""
        return self.scheme == "https"

    @property
    def host_header(self) -> str:
        """What the upstream is called in its own ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def place(self) -> str:
        """Host and port, for a message and for ``NO_PROXY``."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Route(NamedTuple):
    """Where one request goes."""

    upstream: Upstream
    target: str
    """Path and query as the upstream gets them."""


class Upstreams:
    """All upstreams by name; nothing else is ever forwarded to."""

    def __init__(self, upstreams: Iterable[Upstream]) -> None:
        """Know these; of two with one name the later counts."""
        self.by_name: Mapping[str, Upstream] = {upstream.name: upstream for upstream in upstreams}

    @classmethod
    def with_well_known(cls, more: Iterable[Upstream] = ()) -> Self:
        """Return the well-known ones and ``more``, which may replace some of them."""
        return cls([*(Upstream.parse(name, url) for name, url in WELL_KNOWN.items()), *more])

    def route(self, host: str, target: str) -> Route | None:
        """Return where a request goes: by its host name, else by the first part of its path; None = nowhere.

        Args:
            host: the ``Host`` header, without port, in small letters.
            target: the request target as it came; one that is no path goes nowhere.
        """
        found = _TARGET.fullmatch(target)
        if found is None:
            return None
        named = self.by_name.get(host.removesuffix(LOCAL)) if host.endswith(LOCAL) else None
        if named is not None:
            return Route(named, named.base + target)
        upstream = self.by_name.get(found[1])
        if upstream is None:
            return None
        rest = found[2]
        return Route(upstream, upstream.base + (rest if rest.startswith("/") else "/" + rest))
