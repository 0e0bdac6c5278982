"""The tools of the demo's agents: four that really work in a folder of the run, and some that only take their time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from .agents import NO_LIMITS, Task
from .file_tools import file_tools
from .folder import Folder
from .scripted_provider import SCRIPT_HEADER
from .subagent import subagent_tool
from .tools import Arguments, Permission, Tool, ToolContext, ToolFailed


@dataclass(frozen=True)
class Canned:
    """A tool with one answer."""

    name: str
    description: str
    seconds: float
    text: str
    fails: bool = False
    permission: Permission = Permission.ALLOW
    concurrent: bool = False
    """It may start while the response that asks for it still streams."""


CANNED = (
    Canned(
        "search_tickets", "Search the support tickets.", 1.4, "4 tickets match: OPS-2201, 2207, 2213 and 2240",
        concurrent=True,
    ),
    Canned("run_tests", "Run the test suite.", 3.8, "214 passed, 1 failed: test_tariff_rounds_half_up"),
    Canned("query_warehouse", "Query the data warehouse (SQL).", 2.6, "37 rows, the first: 2026-03-02, 1204.50"),
    Canned("lookup_tariff", "Look up a harbour tariff.", 0.9, "Tariff 7b: 0.42 EUR per tonne, minimum 118.00 EUR"),
    Canned("fetch_page", "Fetch a page of the intranet.", 1.1, "connection refused by intranet.example", fails=True),
    Canned("export_ledger", "Export the year's ledger.", 40.0, "exported"),
    Canned("send_report", "Send a report by mail.", 0.8, "sent to 3 recipients", permission=Permission.ASK),
    Canned("drop_table", "Drop a table.", 0.1, "dropped", permission=Permission.FORBID),
)  # fmt: skip
APPROVAL_S = 6.0  # how long the demo's person thinks about an approval
FILE_S = 0.4  # a file tool takes its time too, so that the eye can follow


@dataclass(frozen=True)
class Stage:
    """Where one scene is played."""

    conversation: str
    """Names this playing of the scene towards the scripted provider."""
    pace: Callable[[float], float]
    """Turns seconds at speed 1 into real ones."""
    folder: Folder
    """Made for the run: the only place where a tool really reads and writes."""
    below_s: float | None = None
    """How long its sub-agents may take; seconds at speed 1."""

    @property
    def below(self) -> str:
        """Names the conversation of its sub-agents."""
        return f"{self.conversation}.below"


def tools(stage: Stage) -> tuple[Tool, ...]:
    """Return every tool of the demo for one scene."""
    return (*files(stage), *(_canned(each, stage) for each in CANNED), _delegate(stage))


def files(stage: Stage) -> tuple[Tool, ...]:
    """Return the tools that work on the run's folder; nobody has to approve a write into that."""
    return tuple(_paced(tool, stage) for tool in file_tools(stage.folder, write=Permission.ALLOW))


def _paced(tool: Tool, stage: Stage) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        await asyncio.sleep(stage.pace(FILE_S))
        return await tool.run(arguments, context)

    return replace(tool, run=run)


def _canned(canned: Canned, stage: Stage) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        await asyncio.sleep(stage.pace(canned.seconds))
        if canned.fails:
            raise ToolFailed(canned.text)
        return canned.text

    async def approve(arguments: Arguments) -> bool:
        await asyncio.sleep(stage.pace(APPROVAL_S))
        return True

    return Tool(
        name=canned.name,
        run=run,
        description=canned.description,
        permission=canned.permission,
        approve=approve,
        concurrent=canned.concurrent,
    )


def _delegate(stage: Stage) -> Tool:
    limits = NO_LIMITS
    if stage.below_s is not None:
        limits = limits.model_copy(update={"seconds": stage.pace(stage.below_s)})
    base = Task("", "surveyor", headers={SCRIPT_HEADER: stage.below}, limits=limits)
    return subagent_tool("surveyor", name="ask_surveyor", description="Hand a question to the surveyor.", base=base)
