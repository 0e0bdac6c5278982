"""Errors in the viewer's language."""

from __future__ import annotations

from ..rounds.faults import CodedError
from .texts import Texts


def fault_text(error: Exception, texts: Texts) -> str:
    """Return what an error says, in the viewer's language where it has a text, else its own English sentence."""
    if isinstance(error, CodedError) and error.code is not None and (key := f"fault.{error.code}") in texts:
        return texts(key, **error.facts)
    return str(error)
