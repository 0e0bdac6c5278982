"""The tools of the demo's agents: they do nothing but take their time and answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from .agents import Task
from .scripted_provider import SCRIPT_HEADER
from .subagent import told
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


CANNED = (
    Canned("search_tickets", "Search the support tickets.", 1.4, "4 tickets match: OPS-2201, 2207, 2213 and 2240"),
    Canned("read_file", "Read a file of the repository.", 0.4, "[berths]\nnorth = 4\nsouth = 6\ndraft_limit_m = 9.5\n"),
    Canned("write_file", "Write a file of the repository.", 0.5, "written: 61 lines"),
    Canned("run_tests", "Run the test suite.", 3.8, "214 passed, 1 failed: test_tariff_rounds_half_up"),
    Canned("query_warehouse", "Query the data warehouse (SQL).", 2.6, "37 rows, the first: 2026-03-02, 1204.50"),
    Canned("lookup_tariff", "Look up a harbour tariff.", 0.9, "Tariff 7b: 0.42 EUR per tonne, minimum 118.00 EUR"),
    Canned("fetch_page", "Fetch a page of the intranet.", 1.1, "connection refused by intranet.example", fails=True),
    Canned("export_ledger", "Export the year's ledger.", 40.0, "exported"),
    Canned("send_report", "Send a report by mail.", 0.8, "sent to 3 recipients", permission=Permission.ASK),
    Canned("drop_table", "Drop a table.", 0.1, "dropped", permission=Permission.FORBID),
)  # fmt: skip
APPROVAL_S = 6.0  # how long the demo's person thinks about an approval


@dataclass(frozen=True)
class Stage:
    """Where one scene is played."""

    conversation: str
    """Names this playing of the scene towards the scripted provider."""
    pace: Callable[[float], float]
    """Turns seconds at speed 1 into real ones."""

    @property
    def below(self) -> str:
        """Names the conversation of its sub-agents."""
        return f"{self.conversation}.below"


def tools(stage: Stage) -> tuple[Tool, ...]:
    """Return every tool of the demo for one scene."""
    return (*(_canned(each, stage) for each in CANNED), _delegate(stage))


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
        name=canned.name, run=run, description=canned.description, permission=canned.permission, approve=approve
    )


def _delegate(stage: Stage) -> Tool:
    async def run(arguments: Arguments, context: ToolContext) -> str:
        task = Task(
            prompt=str(arguments.get("task", "")),
            agent="surveyor",
            title=str(arguments.get("task", ""))[:60],
            headers={SCRIPT_HEADER: stage.below},
        )
        return told(await context.run_child(task))

    return Tool(name="ask_surveyor", run=run, description="Hand a question to the surveyor.")
