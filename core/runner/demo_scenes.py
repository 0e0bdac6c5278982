"""All scenes of the demo, in the order of the first pass."""

from __future__ import annotations

from .demo_later import LATER
from .demo_opening import OPENING

SCENES = OPENING + LATER

__all__ = ["LATER", "OPENING", "SCENES"]
