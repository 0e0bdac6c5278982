"""How the hub keeps its store: what the command line says, else the settings, else all of it and safely."""

from __future__ import annotations

import argparse

from ...core.hub import Retention, Synchronous
from .settings import StoreSettings

GIB = 1024**3


def retention(args: argparse.Namespace, settings: StoreSettings) -> Retention:
    """Return what is kept."""
    gib: float | None = args.keep_gib or settings.keep_gib
    return Retention(
        events=args.keep or settings.keep,
        days=args.keep_days or settings.keep_days,
        size=None if gib is None else round(gib * GIB),
    )


def synchronous(args: argparse.Namespace, settings: StoreSettings) -> Synchronous:
    """Return what an acknowledgement is worth."""
    return Synchronous(args.synchronous or settings.synchronous or Synchronous.FULL)
