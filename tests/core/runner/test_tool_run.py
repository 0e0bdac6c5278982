from __future__ import annotations

import pytest
from roundwatch.core.runner import Hooks, Tool, ToolContext, ToolFailed
from roundwatch.core.runner.agents import RoundResult, Task
from roundwatch.core.runner.tool_run import ERROR_CHARS, PREVIEW_CHARS, Ran, run_tool
from roundwatch.core.runner.tools import Arguments


async def _no_child(task: Task) -> RoundResult:
    raise AssertionError("no sub-round is asked for")


CONTEXT = ToolContext("r", "c", "t", _no_child)


async def ran(answer: str | Exception, hooks: Hooks | None = None) -> Ran:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return await run_tool(Tool("look", run), {"path": "a"}, CONTEXT, hooks or Hooks())


async def test_a_result_has_a_short_preview_and_no_error() -> None:
    found = await ran("x" * 999)
    assert (found.ok, found.preview, found.error) == (True, "x" * PREVIEW_CHARS, None)
    assert found.duration_ms >= 0


@pytest.mark.parametrize("error", [ToolFailed("disk is full"), OSError("disk is full")])
async def test_whatever_a_tool_raises_is_its_result(error: Exception) -> None:
    found = await ran(error)
    assert (found.ok, found.preview) == (False, None)
    assert found.text.endswith("disk is full")


async def test_an_error_is_kept_short_where_it_is_shown() -> None:
    found = await ran(ToolFailed("x" * 999))
    assert len(found.text) == 999
    assert len(found.error or "") == ERROR_CHARS


async def test_hooks_stand_around_the_tool() -> None:
    seen: list[str] = []

    async def before(name: str, arguments: Arguments) -> None:
        seen.append(f"before {name} {arguments}")

    async def after(name: str, arguments: Arguments) -> None:
        seen.append(f"after {name}")

    await ran("seen", Hooks(before, after))
    assert seen == ["before look {'path': 'a'}", "after look"]


async def test_a_hook_that_raises_fails_the_call() -> None:
    async def no(name: str, arguments: Arguments) -> None:
        raise ToolFailed("not today")

    found = await ran("seen", Hooks(before=no))
    assert (found.ok, found.text) == (False, "not today")
