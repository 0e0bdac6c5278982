"""One tool, run once: its hooks, its result or its error, and how long it took."""

from __future__ import annotations

import time
from dataclasses import dataclass

from .tools import Arguments, Hooks, Tool, ToolContext, ToolFailed

PREVIEW_CHARS = 200  # of a result, for a viewer's one line
ERROR_CHARS = 300


@dataclass(frozen=True)
class Ran:
    """What came of a tool that ran."""

    text: str
    """What the model is told; of one that failed its error."""
    ok: bool
    duration_ms: float

    @property
    def preview(self) -> str | None:
        """The beginning of a good result."""
        return self.text[:PREVIEW_CHARS] if self.ok else None

    @property
    def error(self) -> str | None:
        """The beginning of what went wrong."""
        return None if self.ok else self.text[:ERROR_CHARS]


async def run_tool(tool: Tool, arguments: Arguments, context: ToolContext, hooks: Hooks) -> Ran:
    """Run ``tool`` with its hooks around it. Whatever it raises is its result; only a cancel goes through."""
    began = time.monotonic()
    ok, text = True, ""
    try:
        if hooks.before is not None:
            await hooks.before(tool.name, arguments)
        text = await tool.run(arguments, context)
        if hooks.after is not None:
            await hooks.after(tool.name, arguments)
    except ToolFailed as failure:
        ok, text = False, str(failure)
    except Exception as failure:  # a tool is foreign code: whatever it raises is its result  # noqa: BLE001
        ok, text = False, f"{type(failure).__name__}: {failure}"[:ERROR_CHARS]
    return Ran(text, ok, (time.monotonic() - began) * 1000)
