"""A runner on a scripted provider, and everything it published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from roundwatch.core.rounds import Event, Ledger, Outcome, Round, classify
from roundwatch.core.runner.agents import Agent, Model, Prepare, Settings, Task
from roundwatch.core.runner.loop import Runner
from roundwatch.core.runner.rules import Rules
from roundwatch.core.runner.script import Reply, Script
from roundwatch.core.runner.scripted_provider import SCRIPT_HEADER, ScriptedProvider
from roundwatch.core.runner.tools import Tool

NOTHING_REPAIRED = Rules(continuations=0, regenerate=False)
"""What most tests want to see is a fault itself, not how it is repaired."""


class Stand:
    """A runner with two models on a scripted provider, and everything that was published."""

    def __init__(self, provider: ScriptedProvider) -> None:
        self.provider = provider
        self._runs = 0
        self.text = ""
        """What the last round handed over."""
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.on_event: Callable[[Event], None] = lambda event: None
        self.settings = Settings(retry_first_s=0.001, stall_s=30.0, rules=NOTHING_REPAIRED)
        gpt = Model("gpt", "openai", "openai-chat", provider.base_url, "key", max_output_tokens=50)
        self.models = [gpt, replace(gpt, name="claude", provider="anthropic", wire="anthropic")]

    async def publish(self, event: Event) -> None:
        self.events.append(event)
        self.ledger.apply(event)
        self.on_event(event)

    async def run(
        self, replies: Sequence[Reply], tools: Sequence[Tool] = (), *, prepare: Prepare | None = None, **task: Any
    ) -> Outcome:
        """Run one round of an agent with ``tools`` against ``replies``; return how a watcher judges it."""
        self._runs += 1
        script = f"s{self._runs}"  # a new conversation each, so every run starts at its first reply
        self.provider.scripts[script] = Script(tuple(replies))
        agents = [Agent("clerk", "Be brief.", "gpt", tuple(tools), prepare)]
        given = replace(Task("Go.", "clerk", round="r", headers={SCRIPT_HEADER: script}), **task)
        async with Runner(self.publish, agents=agents, models=self.models, settings=self.settings) as runner:
            result = await runner.run(given)
        assert result.outcome == classify(self.ledger.rounds[given.round])
        self.text = result.text
        return result.outcome

    @property
    def round(self) -> Round:
        return self.ledger.rounds["r"]

    def types(self) -> list[str]:
        """Event types in order, streamed output and usage left out."""
        return [event.type for event in self.events if event.type not in ("call.output", "call.usage")]

    def only(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]
