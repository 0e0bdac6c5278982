"""Where one proof plays: a runner of its own with the rules of the arm, tools that remember, and what was seen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from roundwatch.core.runner import SCRIPT_HEADER, Agent, Hooks, Model, Permission, Piece, Rules, Settings, Task, Tool
from roundwatch.core.runner.agents import RoundResult
from roundwatch.core.runner.loop import Runner
from roundwatch.core.runner.script import Reply, Script
from roundwatch.core.runner.tools import Arguments, ToolContext

from tests.core.runner.proofs.stack import Provider, Stack

CAP = 50  # tokens, of both models


@dataclass
class Stage:
    """One proof in one arm."""

    name: str
    stack: Stack
    rules: Rules
    stall_s: float = 30.0
    approves: bool = True
    window: int | None = None
    """The models' context window; tokens."""
    provider: Provider = field(default_factory=Provider)
    ran: list[str] = field(default_factory=list[str])
    """Tools whose work was done, in order."""
    begun: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])
    """Tools an approval was asked for."""
    hooks: list[str] = field(default_factory=list[str])
    pieces: list[Piece] = field(default_factory=list[Piece])
    result: RoundResult | None = None
    earlier: str = ""
    """A round before it that a proof looks at too."""
    subject: str = ""
    """The round that is judged; the last one unless a proof names another."""
    _runner: Runner | None = None
    _rounds: int = 0
    _agents: dict[str, Agent] = field(default_factory=dict[str, Agent])

    def tool(
        self,
        name: str,
        *,
        seconds: float = 0.0,
        permission: Permission = Permission.ALLOW,
        concurrent: bool = False,
        fails: bool = False,
    ) -> Tool:
        """Return a tool that remembers that it ran."""

        async def run(arguments: Arguments, context: ToolContext) -> str:
            self.begun.append(name)
            await asyncio.sleep(seconds)
            if fails:
                raise OSError("disk is full")
            self.ran.append(name)
            return f"result of {name}"

        return Tool(name, run, permission=permission, concurrent=concurrent)

    async def run(
        self, replies: Sequence[Reply], tools: Sequence[Tool] = (), *, wire: str = "openai-chat", **task: Any
    ) -> None:
        """Run a round of an agent with ``tools`` against ``replies``, until the watcher has seen its end."""
        self._rounds += 1
        self.subject = f"{self.name}-{self._rounds}"
        self.script(self.subject, replies)
        runner = await self._open()
        runner.catalogue.add(Agent(self.subject, "Be brief.", wire, tuple(tools)))
        given = Task("Go.", self.subject, round=self.subject, headers={SCRIPT_HEADER: self.subject})
        self.pieces.clear()
        self.result = await runner.run(replace(given, listen=self.pieces.append, **task))
        await self.stack.seen(self.subject)

    def script(self, name: str, replies: Sequence[Reply]) -> None:
        """Let the provider answer ``name`` with ``replies``."""
        self.provider.scripts[name] = Script(tuple(replies))

    async def add(self, agent: Agent) -> None:
        """Set up another agent."""
        (await self._open()).catalogue.add(agent)

    async def _open(self) -> Runner:
        if self._runner is None:
            await self.provider.__aenter__()
            chat = Model(
                "openai-chat", "openai", "openai-chat", self.provider.base_url, "key",
                max_output_tokens=CAP, context_window=self.window,
            )  # fmt: skip
            models = [chat, replace(chat, name="anthropic", provider="anthropic", wire="anthropic")]
            self._runner = Runner(self.stack.publisher.publish, agents=[], models=models, settings=self._settings())
        return self._runner

    async def close(self) -> None:
        """Close what was opened."""
        if self._runner is not None:
            await self._runner.__aexit__(None, None, None)
            await self.provider.__aexit__(None, None, None)

    def _settings(self) -> Settings:
        return Settings(
            stall_s=self.stall_s,
            retry_first_s=0.001,
            rules=self.rules,
            approver=self._approve,
            hooks=Hooks(self._before, self._after),
        )

    async def _approve(self, name: str, arguments: Arguments) -> bool:
        self.asked.append(name)
        return self.approves

    async def _before(self, name: str, arguments: Arguments) -> None:
        self.hooks.append(f"before {name}")

    async def _after(self, name: str, arguments: Arguments) -> None:
        self.hooks.append(f"after {name}")
