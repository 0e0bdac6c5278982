"""What a request's headers say about who sends it; our own headers win over those that real clients send."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from .heads import Headers, header

NAME_CHARS = 200
_PRODUCT = re.compile(r"[\w.-]+(?:/[\w.-]+)?")
_THREADS = (
    b"x-roundwatch-thread",
    b"x-claude-code-session-id",
    b"session-id",  # Codex
    b"session_id",  # Codex, before
    b"conversation_id",
    b"x-opencode-session",
    b"x-session-affinity",
    b"x-session-id",
)
_SUB_AGENTS = (b"x-claude-code-agent-id", b"x-openai-subagent")
"""Sent by sub-agents only; a main agent has none."""
_PARENT_AGENTS = (b"x-claude-code-parent-agent-id",)
RETRIES = b"x-stainless-retry-count"
"""The official OpenAI and Anthropic clients count their retries in it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who sends a request, as far as its headers tell."""

    round: str | None = None
    thread: str | None = None
    agent: str | None = None
    """An agent of its own inside a thread; None = the thread's main one, or not told."""
    client: str | None = None
    """The program, by its ``User-Agent``."""
    parent: str | None = None
    """The round that this one works for, where the client names it."""
    parent_agent: str | None = None
    is_sub_agent: bool = False
    """The client itself says that the agent works for another one of its thread."""
    retries: int = 0

    @classmethod
    def of(cls, headers: Headers) -> Identity:
        """Return what these headers say."""
        product = _PRODUCT.match(header(headers, b"user-agent") or "")
        retries = header(headers, RETRIES) or ""
        return cls(
            round=_first(headers, (b"x-roundwatch-round",)),
            thread=_first(headers, _THREADS),
            agent=_first(headers, (b"x-roundwatch-agent", *_SUB_AGENTS)),
            client=product[0][:NAME_CHARS] if product else None,
            parent=_first(headers, (b"x-roundwatch-parent",)),
            parent_agent=_first(headers, _PARENT_AGENTS),
            is_sub_agent=_first(headers, (*_SUB_AGENTS, *_PARENT_AGENTS)) is not None,
            retries=int(retries) if retries.isdecimal() and len(retries) < 4 else 0,
        )

    def named(self, name: Callable[[str], str]) -> Identity:
        """Return it with ``name`` in place of every name of its own: a client may have put a secret into one."""
        return replace(
            self,
            round=name(self.round) if self.round else None,
            thread=name(self.thread) if self.thread else None,
            agent=name(self.agent) if self.agent else None,
            client=name(self.client) if self.client else None,
            parent=name(self.parent) if self.parent else None,
            parent_agent=name(self.parent_agent) if self.parent_agent else None,
        )


def _first(headers: Headers, names: tuple[bytes, ...]) -> str | None:
    for name in names:
        value = header(headers, name)
        if value and value.isprintable():
            return value[:NAME_CHARS]
    return None
