"""Credentials known by their shape alone, taken out of texts that other programs recorded."""

from __future__ import annotations

import re

GONE = "[…]"
_SHAPES = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|r8)[-_][A-Za-z0-9_-]{16,}"  # model providers
    r"|\bAIza[0-9A-Za-z_-]{30,}"
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}"
    r"|\bxox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"  # JSON web tokens
    r"|(?i:\b(?:bearer|basic)\s+)[A-Za-z0-9+/_.~=-]{16,}"
)
"""No alternative can match in two ways, so no text makes this slow."""


def without_keys(text: str) -> str:
    """Return ``text`` with everything that looks like a key, token or authorisation blotted out."""
    return _SHAPES.sub(GONE, text)
