"""A proof: a rule of the loop, a round in which it matters, and what must then be true; false when it is off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roundwatch.core.runner.rules import DEFAULT_RULES, Rules

from tests.core.runner.proofs.stage import Stage

Facts = Mapping[str, Any]
"""What a watcher, the provider and the tools saw of the round; see ``facts``."""


@dataclass(frozen=True)
class Proof:
    """One rule and its negative control."""

    name: str
    switch: str
    """The switch that makes the difference, as the arms print it."""
    play: Callable[[Stage], Awaitable[None]]
    check: Callable[[Facts], None]
    """Raises AssertionError where the rule does not hold."""
    off: Rules
    on: Rules = DEFAULT_RULES

    def rules(self, arm: str) -> Rules:
        """Return the rules of an arm: ``on`` or ``off``."""
        return self.on if arm == "on" else self.off

    def state(self, arm: str) -> Any:
        """Return what the switch is set to in an arm."""
        return getattr(self.rules(arm), self.switch)
