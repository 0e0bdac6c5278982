"""Which of our languages a viewer reads, from the environment or an explicit wish."""

from __future__ import annotations

import re
from collections.abc import Mapping

LANGUAGES: tuple[str, ...] = ("en", "de")
"""The languages there is a table for; the first is the fallback."""
FALLBACK = LANGUAGES[0]
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""POSIX order: the first one that is set and not empty decides alone."""
_LANGUAGE_PART = re.compile(r"\A\s*([A-Za-z]+)(?:[_\-.@].*)?\Z", re.DOTALL)


def match_locale(name: str | None) -> str | None:
    """Return our language for a locale name such as ``de_AT.UTF-8``; None when there is none.

    ``C`` and ``POSIX`` are English by definition.
    """
    found = _LANGUAGE_PART.match(name) if name else None
    if found is None:
        return None
    language = found.group(1).lower()
    if language in ("c", "posix"):
        return FALLBACK
    return language if language in LANGUAGES else None


def locale_from_env(env: Mapping[str, str], explicit: str | None = None) -> str:
    """Return the language to show: an explicit wish, else LC_ALL, LC_MESSAGES, LANG; English when unknown.

    Args:
        env: environment variables.
        explicit: from an option, a setting or a key; wins over everything when given.
    """
    if explicit:
        return match_locale(explicit) or FALLBACK
    wish = next((env[name] for name in _VARIABLES if env.get(name)), None)
    return match_locale(wish) or FALLBACK
