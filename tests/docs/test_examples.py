from __future__ import annotations

import importlib.util
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from roundwatch.core.hub import Access, Hub, Live, Publisher, Received, watch
from roundwatch.core.rounds import Ledger, classify
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Step, Text, ToolUse
from roundwatch.core.runner.scripted_provider import ScriptedProvider

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MARKER = "[System: response truncated at max_tokens]"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_example_fits_on_a_page() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 40


def choice(finish: str | None, text: str = "", *arguments: str) -> dict[str, Any]:
    calls = [
        {"id": f"t{number}", "type": "function", "function": {"name": "write", "arguments": given}}
        for number, given in enumerate(arguments)
    ]
    return {"finish_reason": finish, "message": {"role": "assistant", "content": text or None, "tool_calls": calls}}


class Old:
    """What the example's loop is wrapped around: a model with given choices, and a tool that takes note."""

    def __init__(self, *choices: dict[str, Any]) -> None:
        self._choices = list(choices)
        self.sent: list[list[dict[str, Any]]] = []
        self.ran: list[dict[str, Any]] = []

    def answer(self) -> str:
        said: str = example("wrap_a_loop").answer(self._ask, self._run, [{"role": "user", "content": "Go."}])
        return said

    def _ask(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        self.sent.append(json.loads(json.dumps(messages)))
        return self._choices.pop(0) if len(self._choices) > 1 else self._choices[0]

    def _run(self, name: str, arguments: dict[str, Any]) -> str:
        self.ran.append(arguments)
        return "written"


def test_a_whole_turn_goes_through_as_before() -> None:
    old = Old(choice("tool_calls", "", '{"path": "a"}'), choice("stop", "Done."))
    assert (old.answer(), old.ran) == ("Done.", [{"path": "a"}])


def test_no_call_of_a_cut_response_is_run_and_half_json_is_not_sent_back() -> None:
    old = Old(choice("length", "", '{"path": "a"}', '{"path": "b", "con'), choice("stop", "In two parts."))
    assert (old.answer(), old.ran) == ("In two parts.", [])
    _, replayed, *results = old.sent[1]
    assert [call["function"]["arguments"] for call in replayed["tool_calls"]] == ["{}", "{}"]
    assert [result["tool_call_id"] for result in results] == ["t0", "t1"]
    assert all("max_tokens" in result["content"] for result in results)


def test_arguments_that_are_no_json_are_told_to_the_model() -> None:
    old = Old(choice("tool_calls", "", '{"path": "a'), choice("stop", "Done."))
    assert (old.answer(), old.ran) == ("Done.", [])
    assert "not a valid JSON object" in old.sent[1][-1]["content"]


def test_a_cut_answer_says_that_it_is_cut() -> None:
    assert Old(choice("length", "Chapter 3")).answer() == f"Chapter 3\n\n{MARKER}"
    assert Old(choice("stop", "Chapter 3")).answer() == "Chapter 3"


def test_three_iterations_without_progress_are_enough() -> None:
    old = Old(choice("length", "", "{"))
    with pytest.raises(RuntimeError, match="no progress"):
        old.answer()
    assert len(old.sent) == 3


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider({}, speed=50.0) as running:
        yield running


def claude(finish: str, *steps: Step) -> Reply:
    return Reply((*steps, Finish(finish)), Counts(1, 1))


async def test_an_embedded_runner_is_seen_by_whoever_watches_the_hub(
    provider: ScriptedProvider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "tide.txt").write_text("noon")
    script = (
        claude("tool_use", ToolUse("ask_reader", '{"task": "When is the tide?"}')),
        claude("tool_use", ToolUse("read_file", '{"path": "tide.txt"}')),
        claude("end_turn", Text("It says noon.")),
        claude("max_tokens", Text("High tide is at")),
        claude("max_tokens", Text(" noon, give or take")),
    )
    provider.scripts["claude-sonnet-4-6"] = Script(script)
    async with (
        Hub(port=0, access=Access.anyone()) as hub,
        Publisher(hub.url, folder=tmp_path / "spool") as publisher,
    ):
        asked = {"base_url": provider.base_url, "api_key": "k", "folder": shelf, "hub": publisher}
        result = await example("embed_the_runner").ask("When is high tide?", **asked)
        assert await publisher.flush(30)
        ledger = Ledger()
        async with watch(hub.url, after="begin") as feed:
            async for item in feed:
                if isinstance(item, Received):
                    ledger.apply(item.event)
                elif isinstance(item, Live):
                    break
    seen = ledger.rounds[result.round]
    assert classify(seen) == result.outcome
    assert capsys.readouterr().out == "no answer: output_cap_reached\n"
    [below] = seen.children.values()
    assert classify(below).is_answer
    assert [tool.preview for tool in below.tool_calls.values()] == ["noon"]
