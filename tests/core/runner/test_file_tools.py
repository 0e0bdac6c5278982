from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.runner import Permission, Tool, ToolContext, ToolFailed
from roundwatch.core.runner import file_tools as limits
from roundwatch.core.runner.agents import RoundResult, Task
from roundwatch.core.runner.file_tools import file_tools
from roundwatch.core.runner.folder import Folder
from roundwatch.core.runner.script import Counts, Finish, Reply, Text, ToolUse

from tests.core.runner.stand import Stand


async def _no_child(task: Task) -> RoundResult:
    raise AssertionError(task)


HERE = ToolContext(round="r", call="c", tool_call="t", run_child=_no_child)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "plan").mkdir()
    (tmp_path / "plan" / "berths.csv").write_text("north 1,Anna\nsouth 6,Bri\n")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    return tmp_path


async def call(root: Path, name: str, **arguments: Any) -> str:
    tools = {tool.name: tool for tool in file_tools(Folder(root), write=Permission.ALLOW)}
    return await tools[name].run(arguments, HERE)


async def test_the_four_tools_do_what_they_say(root: Path) -> None:
    assert await call(root, "read_file", path="plan/berths.csv") == "north 1,Anna\nsouth 6,Bri\n"
    assert await call(root, "list_files") == "photo.jpg  3 bytes\nplan/\nplan/berths.csv  25 bytes"
    assert await call(root, "search_text", text="Bri") == "plan/berths.csv:2: south 6,Bri"
    assert await call(root, "write_file", path="plan/new.txt", content="ä\nb") == "written: 4 bytes"
    assert (root / "plan" / "new.txt").read_text() == "ä\nb"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read_file", {"path": "../x"}, "inside the folder"),
        ("read_file", {"path": "none.txt"}, "No such file"),
        ("read_file", {"path": "photo.jpg"}, "UTF-8"),
        ("read_file", {}, "path: a text is wanted"),
        ("read_file", {"path": 5}, "path: a text is wanted"),
        ("list_files", {"path": "plan/berths.csv"}, "Not a directory"),
        ("search_text", {"text": ""}, "nothing to look for"),
        ("write_file", {"path": "a/../../x", "content": ""}, "inside the folder"),
    ],
)
async def test_what_cannot_be_done_is_told_to_the_model(
    root: Path, name: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolFailed, match=said):
        await call(root, name, **arguments)


async def test_an_error_never_names_the_folder_on_this_machine(root: Path) -> None:
    for path in ("none.txt", "../x", "photo.jpg", "plan"):
        with pytest.raises(ToolFailed) as failed:
            await call(root, "read_file", path=path)
        assert str(root) not in str(failed.value)


async def test_long_lists_and_many_hits_say_that_there_is_more(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LISTED", 2)
    monkeypatch.setattr(limits, "MAX_HITS", 1)
    assert (await call(root, "list_files")).splitlines()[2].startswith("… more than 2")
    assert (await call(root, "search_text", text=",")).splitlines() == [
        "plan/berths.csv:1: north 1,Anna", "… and maybe more; name a smaller folder",
    ]  # fmt: skip
    assert await call(root, "search_text", text="no such thing") == "no line contains it"


def test_a_write_has_to_be_asked_about_unless_somebody_allows_it(root: Path) -> None:
    def permissions(tools: tuple[Tool, ...]) -> dict[str, Permission]:
        return {tool.name: tool.permission for tool in tools}

    assert permissions(file_tools(Folder(root))) == {
        "read_file": Permission.ALLOW, "list_files": Permission.ALLOW, "search_text": Permission.ALLOW,
        "write_file": Permission.ASK,
    }  # fmt: skip
    assert permissions(file_tools(Folder(root), write=Permission.FORBID))["write_file"] is Permission.FORBID


@pytest.mark.parametrize("answer", [None, False, True])
async def test_a_round_writes_only_what_was_approved(stand: Stand, root: Path, answer: bool | None) -> None:
    async def approve(arguments: dict[str, Any]) -> bool:
        assert arguments["path"] == "out.txt"
        return bool(answer)

    tools = file_tools(Folder(root), approve=None if answer is None else approve)
    use = ToolUse("write_file", json.dumps({"path": "out.txt", "content": "done"}))
    writes = Reply((use, Finish("tool_calls")), Counts(1, 1))
    await stand.run([writes, Reply((Text("Done."), Finish("stop")), Counts(1, 1))], tools)
    assert (root / "out.txt").exists() is (answer is True)
