"""The real stack: runner, HTTP, scripted provider, translators, a hub on a free port, and a ledger folded from it."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from roundwatch.core.hub import Access, Hub, Live, Publisher, Received, watch
from roundwatch.core.rounds import Event, Ledger, ToolCall
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Model, Runner, Settings, Task, Tool, subagent_tool
from roundwatch.core.runner.agents import NO_LIMITS
from roundwatch.core.runner.delegate import Delegates
from roundwatch.core.runner.messages import Message, ToolResult
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Step, Text, ToolUse, Wait
from roundwatch.core.runner.scripted_provider import ScriptedProvider
from roundwatch.core.runner.tools import Arguments, ToolContext

SPEED = 50.0
PATIENCE_S = 60.0
LIMIT_S = 1.5  # of a delegate that has something to say first: the machine may be loaded
SHORT_S = 0.3  # of one that never has anything to say
NEVER = Reply((Wait(1e6),))
SAYS_DONE = Reply((Text("Done."), Finish("stop")), Counts(1, 1))
NOTE = "the sibling's own result"
COUNTS = Counts(10, 5)
HANGS = ToolUse("hang", '{"for": "ever", "lines": 3}')


def claude(*steps: Step, finish: str = "tool_use") -> Reply:
    return Reply((*steps, Finish(finish)), COUNTS)


async def _hang(arguments: Arguments, context: ToolContext) -> str:
    await asyncio.Event().wait()
    return "never"


async def _note(arguments: Arguments, context: ToolContext) -> str:
    return NOTE


@dataclass
class Stack:
    """One stack. Conversations with the provider are named by agent."""

    provider: ScriptedProvider
    hub: Hub
    publisher: Publisher
    sent: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Everything the hub stored, as JSON; read after ``folded``."""
    told: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])
    """What the boss's model was told of each tool call, by id."""

    @property
    def models(self) -> list[Model]:
        base = self.provider.base_url
        return [
            Model("claude", "anthropic", "anthropic", base, "key", max_output_tokens=500),
            Model("gpt", "openai", "openai-chat", base, "key", max_output_tokens=500),
        ]

    async def publish(self, event: Event) -> None:
        await self.publisher.publish(event)

    async def _overhear(self, messages: list[Message]) -> list[Message]:
        self.told |= {message.id: message for message in messages if isinstance(message, ToolResult)}
        return messages

    def script(self, agent: str, *replies: Reply) -> dict[str, str]:
        """Say what ``agent`` is answered with; return the headers that ask for it."""
        self.provider.scripts[agent] = Script(replies)
        return {SCRIPT_HEADER: agent}

    def runner(self, *agents: Agent, **settings: Any) -> Runner:
        given = Settings(retry_first_s=0.001, **settings)
        return Runner(self.publish, agents=agents, models=self.models, settings=given)

    async def delegated(
        self, *below: Reply, limit_s: float = LIMIT_S, clock: Callable[[], float] = time.monotonic, **settings: Any
    ) -> Delegates:
        """Run a boss that hands a task to a scout and, in the same batch, reads a note of its own."""
        headers = self.script("scout", *below)
        limits = NO_LIMITS.model_copy(update={"seconds": limit_s})
        ask = subagent_tool("scout", name="ask", base=Task("", "scout", headers=headers, limits=limits))
        batch = claude(ToolUse("ask", '{"task": "Count."}', id="t1"), ToolUse("note", "{}", id="t2"))
        boss = self.script("boss", batch, claude(Text("Done."), finish="end_turn"))
        agents = (
            Agent("boss", model="claude", tools=(ask, Tool("note", _note)), prepare=self._overhear),
            Agent("scout", model="claude", tools=(Tool("hang", _hang),)),
        )
        async with self.runner(*agents, **settings) as runner:
            runner.delegates.clock = clock
            await runner.run(Task("Go.", "boss", round="r", headers=boss))
            return runner.delegates

    async def folded(self) -> Ledger:
        """Return a ledger of what the hub stored, read over the wire as every watcher reads it."""
        assert await self.publisher.flush(PATIENCE_S)
        ledger = Ledger()
        async with asyncio.timeout(PATIENCE_S), watch(self.hub.url, after="begin") as feed:
            async for item in feed:
                if isinstance(item, Received):
                    ledger.apply(item.event)
                    self.sent.append(json.loads(item.raw))
                elif isinstance(item, Live):
                    break
        return ledger

    @property
    def report(self) -> dict[str, Any]:
        """What the boss's model was told of the delegate that ran out of time."""
        found: dict[str, Any] = json.loads(self.told["t1"].text)
        return found

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """Return the stored events of one type."""
        return [event for event in self.sent if event["type"] == kind]


@asynccontextmanager
async def real_stack() -> AsyncGenerator[Stack]:
    """Open a stack of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            ScriptedProvider({}, speed=SPEED) as provider,
            Hub(port=0, access=Access.anyone()) as hub,
            Publisher(hub.url, folder=Path(folder)) as publisher,
        ):
            yield Stack(provider, hub, publisher)


def tool(ledger: Ledger, name: str, round_: str = "r") -> ToolCall:
    """Return the round's only call of a tool."""
    [found] = [call for call in ledger.rounds[round_].tool_calls.values() if call.name == name]
    return found
