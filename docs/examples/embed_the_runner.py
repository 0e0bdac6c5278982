"""The runner inside a program of your own; every event of its rounds goes to a hub, where anybody may watch."""

from __future__ import annotations

from pathlib import Path

from roundwatch.core.hub import Publisher
from roundwatch.core.runner import Agent, Model, RoundResult, Runner, Settings, Task, subagent_tool
from roundwatch.core.runner.file_tools import file_tools
from roundwatch.core.runner.folder import Folder


async def ask(question: str, *, base_url: str, api_key: str, folder: Path, hub: Publisher) -> RoundResult:
    """Let a librarian answer, who may send a reader into ``folder`` for two minutes."""
    model = Model("claude-sonnet-4-6", "anthropic", "anthropic", base_url, api_key, max_output_tokens=4_096)
    reader = Agent("reader", "You read files.", model.name, file_tools(Folder(folder)))  # a write would be asked about
    librarian = Agent("librarian", "You answer.", model.name, (subagent_tool("reader", name="ask_reader"),))
    settings = Settings(delegation_s=120.0)
    async with Runner(hub.publish, agents=[librarian, reader], models=[model], settings=settings) as runner:
        result = await runner.run(Task(question, "librarian", thread="desk"))
    if not result.outcome.is_answer:  # the text of a cut answer is in result.text all the same, marked as cut
        print(f"no answer: {result.outcome.verdict}")
    return result
