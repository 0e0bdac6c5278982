"""The command line; what a command needs is imported when it runs, so that small commands start at once."""

from __future__ import annotations

from .entry import main

__all__ = ["main"]
