"""Runs whose events AG-UI's own JavaScript package has checked, sent to a real hub.

``ag_ui_core/record.mjs`` writes them; ``events.jsonl`` is what it wrote. Where node and npm can get the package, it is
written anew and has to be the same.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from roundwatch.core.rounds import Round, classify

from tests.core.feeds.heard import sent

HERE = Path(__file__).parent / "ag_ui_core"
RECORDED = (HERE / "events.jsonl").read_text(encoding="utf-8")
FETCH_S = 60
INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--fetch-retries=0", "--loglevel=error")


def recorded() -> dict[str, list[str]]:
    """The frames of each run."""
    runs: dict[str, list[str]] = defaultdict(list)
    for line in RECORDED.splitlines():
        entry = json.loads(line)
        runs[entry["run"]].append(json.dumps(entry["event"], ensure_ascii=False))
    return runs


async def told(name: str, tmp_path: Path) -> dict[str, Round]:
    """What a hub has stored of a run, which was sent twice; without the thread in front of their names."""
    frames = recorded()[name]
    ledger = await sent("ag-ui", tmp_path / "s.db", frames, frames)
    return {round_.id.removeprefix("harbour."): round_ for round_ in ledger.rounds.values()}


ENDS = {
    "absent": ("completed", "The tide turns at noon. \N{SHIP}"),
    "success": ("completed", "Done."),
    "cancelled": ("cancelled", "I will beg"),
    "interrupt": ("suspended", ""),
    "pending": ("suspended", ""),
    "error": ("faulted", "Let me "),
    "tools": ("unfinished_tool_call", "Deep enough."),
    "quiet": ("completed", "Wait an hour."),
    "snapshot": ("completed", "I could not measure it."),
}


@pytest.mark.parametrize("name", ENDS)
async def test_each_run_ends_as_it_says_and_none_is_an_answer(name: str, tmp_path: Path) -> None:
    (round_,) = (await told(name, tmp_path)).values()
    found = classify(round_)
    assert (found.verdict, round_.text) == ENDS[name]
    assert not found.is_answer
    assert (round_.thread, round_.calls[0].finish_reason) == ("harbour", None)


async def test_tools_have_their_results_in_parts_and_pieces(tmp_path: Path) -> None:
    (round_,) = (await told("tools", tmp_path)).values()
    tools = [(tool.name, tool.arguments, tool.state, tool.preview) for tool in round_.tool_calls.values()]
    assert tools == [
        ("depth", '{"at":"quay"}', "ok", "4 fathoms"),
        ("wind", '{"at":1}', "ok", "force 3"),
        ("moor", "{}", "unfinished", None),
    ]


async def test_what_a_snapshot_alone_tells_of_a_run_is_told_and_what_was_before_it_is_not(tmp_path: Path) -> None:
    (round_,) = (await told("snapshot", tmp_path)).values()
    (tool,) = round_.tool_calls.values()
    assert (tool.name, tool.arguments, tool.state, tool.error) == ("depth", '{"at":"quay"}', "failed", "no lead line")
    assert "yesterday" not in round_.text


async def test_thoughts_and_counts_of_two_models(tmp_path: Path) -> None:
    (round_,) = (await told("quiet", tmp_path)).values()
    usage = round_.calls[0].usage
    assert round_.reasoning_chars == len("Low water…so wait")
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (107, 23, 80)
    assert (usage.reasoning_tokens, usage.cache_write_tokens) == (5, None)


async def test_sub_agents_are_below_their_callers_and_end_with_their_run_at_the_latest(tmp_path: Path) -> None:
    rounds = await told("agents", tmp_path)
    parents = {name: round_.parent.round for name, round_ in rounds.items() if round_.parent is not None}
    assert parents == {
        "agents.s1": "harbour.agents",
        "agents.s2": "harbour.agents",
        "agents.s3": "harbour.agents.s1",
    }
    assert {name: str(classify(round_).verdict) for name, round_ in rounds.items()} == {
        "agents": "completed",
        "agents.s1": "completed",
        "agents.s2": "faulted",
        "agents.s3": "stream_ended_without_finish",
    }
    assert rounds["agents.s1"].text == "Keep left."


async def test_the_package_of_today_writes_the_same(tmp_path: Path) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed; what they wrote earlier is tested above")
    for name in ("package.json", "record.mjs"):
        shutil.copy(HERE / name, tmp_path)
    if await _run(tmp_path, *INSTALL, f"--cache={tmp_path / 'cache'}") is None:
        pytest.skip("npm cannot get @ag-ui/core here; what it wrote earlier is tested above")
    assert await _run(tmp_path, "node", "record.mjs") == RECORDED


async def _run(where: Path, *command: str) -> str | None:
    """Return what a command prints; None when it fails or takes too long."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=where, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(FETCH_S):
            printed, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return None
    return printed.decode() if process.returncode == 0 else None
