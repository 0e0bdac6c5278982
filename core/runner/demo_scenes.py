"""All scenes of the demo, in the order of the first pass."""

from __future__ import annotations

from .demo_continuations import CONTINUED
from .demo_delegates import DELEGATES
from .demo_later import LATER
from .demo_opening import OPENING

SCENES = OPENING + DELEGATES + CONTINUED + LATER

__all__ = ["CONTINUED", "DELEGATES", "LATER", "OPENING", "SCENES"]
