from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.wire import responses_items

from tests.core.wire.bodies import Json, Told, named, told
from tests.core.wire.more_bodies import CALL, MESSAGE, item, response, said


def stream(*events: Json) -> Told:
    return told("openai-responses", named(*events))


def arguments_done(index: int, arguments: str, **more: Any) -> Json:
    return {"type": "response.function_call_arguments.done", "output_index": index, "arguments": arguments, **more}


def calls(found: Told) -> list[tuple[str, str, str | None, bool | None]]:
    return [(one.tool_call, one.name, one.arguments, one.complete) for one in found.tools]


PIECES = (said("output_text", 0, "Straße "), said("output_text", 0, "🚲"))
TEXT_DONE: Json = {"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "Straße 🚲"}


@pytest.mark.parametrize(
    "events",
    [
        (*PIECES, TEXT_DONE, item("done", 0, **MESSAGE), response("completed", MESSAGE)),
        (TEXT_DONE, item("done", 0, **MESSAGE), response("completed", MESSAGE)),
        (item("done", 0, **MESSAGE), response("completed", MESSAGE)),
        (response("completed", MESSAGE),),
        (*PIECES, response("completed", {"type": "reasoning"}, MESSAGE)),
    ],
)
def test_text_counts_once_however_often_it_is_said(events: tuple[Json, ...]) -> None:
    assert stream(*events).said() == "Straße 🚲"


def test_parts_and_items_are_told_apart() -> None:
    found = stream(
        said("output_text", 0, "a"),
        said("output_text", 0, "b", content_index=1),
        said("output_text", 1, "c"),
        {"type": "response.output_text.done", "output_index": 2, "content_index": 0, "text": "d"},
    )
    assert found.said() == "abcd"


def test_item_ids_that_change_with_every_event_do_not_matter() -> None:
    events = [said("output_text", 0, "a"), TEXT_DONE]
    for number, event in enumerate(events):
        event["item_id"] = f"made-up-{number}"
    assert stream(*events).said() == "a"


def test_without_an_output_index_the_item_id_decides() -> None:
    def delta(id_: str, piece: str) -> Json:
        return {"type": "response.function_call_arguments.delta", "item_id": id_, "delta": piece}

    added = [{"type": "response.output_item.added", "item_id": i, "item": CALL | {"call_id": i}} for i in ("x", "y")]
    found = stream(*added, delta("y", '{"f":'), delta("x", "{}"), delta("y", '"b"}'), response("completed"))
    assert calls(found) == [("x", "ls", "{}", True), ("y", "ls", '{"f":"b"}', True)]


def test_parallel_calls_are_kept_apart_and_named_by_their_call_id() -> None:
    found = stream(
        item("added", 0, **CALL | {"id": "fc_1", "call_id": "call_1", "arguments": ""}),
        item("added", 1, **CALL | {"id": "fc_2", "call_id": "call_2", "name": "cat", "arguments": ""}),
        said("function_call_arguments", 1, '{"f":'),
        said("function_call_arguments", 0, '{"d":"."}'),
        said("function_call_arguments", 1, '"b"}'),
        arguments_done(0, '{"d":"."}'),
        arguments_done(1, '{"f":"b"}'),
        response(
            "completed", CALL | {"arguments": '{"d":"."}'}, CALL | {"call_id": "call_2", "arguments": '{"f":"b"}'}
        ),
    )
    assert calls(found) == [("call_1", "ls", '{"d":"."}', True), ("call_2", "cat", '{"f":"b"}', True)]


@pytest.mark.parametrize(
    "events",
    [
        (item("added", 0, **CALL), arguments_done(0, '{"a":1}'), item("done", 0, **CALL)),
        (item("added", 0, **CALL), item("done", 0, **CALL, arguments='{"a":1}')),
        (item("done", 0, **CALL, arguments='{"a":1}'),),
        (said("function_call_arguments", 0, '{"a":1}'), item("done", 0, **CALL)),
        (item("added", 0, **CALL, arguments='{"a":1}'),),
        (),
    ],
)
def test_arguments_count_once_wherever_they_are_said(events: tuple[Json, ...]) -> None:
    end = response("completed", CALL | {"arguments": '{"a":1}'})
    assert calls(stream(*events, end)) == [("call_1", "ls", '{"a":1}', True)]


def test_a_call_cut_at_the_cap_is_marked_done_and_is_not_whole() -> None:
    for half in ('{"a": "x', ""):
        cut = CALL | {"arguments": half, "status": "incomplete"}
        found = stream(
            item("added", 0, **CALL | {"arguments": ""}),
            said("function_call_arguments", 0, half),
            arguments_done(0, half),
            item("done", 0, **cut),
            response("incomplete", cut, incomplete_details={"reason": "max_output_tokens"}),
        )
        assert calls(found) == [("call_1", "ls", half, False)]


def test_a_call_that_a_stream_drops_in_the_middle_of_is_not_whole() -> None:
    assert calls(stream(item("added", 0, **CALL), said("function_call_arguments", 0, "{}"))) == [
        ("call_1", "ls", "{}", False)
    ]
    over = stream(item("added", 0, **CALL), said("function_call_arguments", 0, "{}"), arguments_done(0, "{}"))
    assert calls(over) == [("call_1", "ls", "{}", True)]


def test_a_custom_tool_takes_text_of_any_form() -> None:
    tool = {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "status": "completed"}
    found = stream(
        item("added", 0, **tool | {"input": ""}),
        said("custom_tool_call_input", 0, "*** Begin"),
        {"type": "response.custom_tool_call_input.done", "output_index": 0, "input": "*** Begin"},
        item("done", 0, **tool | {"input": "*** Begin"}),
        response("completed"),
    )
    assert calls(found) == [("c1", "patch", "*** Begin", True)]


def test_free_text_without_a_status_is_not_whole_in_a_cut_response() -> None:
    tool: Json = {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Beg"}
    cut = response("incomplete", tool, incomplete_details={"reason": "max_output_tokens"})
    assert calls(stream(item("done", 0, **tool), cut)) == [("c1", "patch", "*** Beg", False)]
    assert calls(stream(item("done", 0, **tool), response("completed", tool))) == [("c1", "patch", "*** Beg", True)]


@pytest.mark.parametrize(
    ("fields", "server", "name", "arguments"),
    [
        ({"type": "web_search_call", "action": {"q": "x"}}, True, "web_search_call", '{"q":"x"}'),
        ({"type": "file_search_call", "queries": ["x"]}, True, "file_search_call", '["x"]'),
        ({"type": "code_interpreter_call", "code": "print(1)"}, True, "code_interpreter_call", "print(1)"),
        ({"type": "mcp_call", "name": "ask", "arguments": "{}"}, True, "ask", "{}"),
        ({"type": "mcp_approval_request", "name": "ask", "arguments": "{}"}, True, "ask", "{}"),
        (
            {"type": "tool_search_call", "arguments": {"g": 1}, "execution": "client"},
            True,
            "tool_search_call",
            '{"g":1}',
        ),
        ({"type": "image_generation_call", "status": "generating"}, True, "image_generation_call", ""),
        ({"type": "shell_call", "action": {}, "environment": {"type": "container_auto"}}, True, "shell_call", "{}"),
        ({"type": "shell_call", "action": {}, "environment": {"type": "local"}}, None, "shell_call", "{}"),
        ({"type": "shell_call", "action": {}, "environment": None}, None, "shell_call", "{}"),
        ({"type": "local_shell_call", "action": {"command": []}}, None, "local_shell_call", '{"command":[]}'),
        ({"type": "computer_call", "action": {"type": "click"}}, None, "computer_call", '{"type":"click"}'),
        ({"type": "apply_patch_call", "operation": {"path": "a"}}, None, "apply_patch_call", '{"path":"a"}'),
    ],
)
def test_who_carries_a_call_out_is_told(fields: Json, server: bool | None, name: str, arguments: str) -> None:
    fields = {"id": "i1", "status": "completed", **fields}
    streamed = stream(
        item("added", 0, type=fields["type"], id="i1"), item("done", 0, **fields), response("completed", fields)
    )
    once = told("openai-responses", json.dumps(response("completed", fields)["response"]).encode())
    for found in (streamed, once):
        assert [(one.name, one.server, one.arguments, one.complete) for one in found.tools] == [
            (name, server, arguments, True)
        ]


def test_results_and_lists_of_tools_are_no_calls() -> None:
    found = stream(
        item("done", 0, type="mcp_list_tools", tools=[]),
        item("done", 1, type="shell_call_output", call_id="c1", output=[]),
        item("done", 2, type="tool_search_output", tools=[]),
    )
    assert found.tools == []


def test_content_as_plain_text_is_read() -> None:
    found = stream(response("completed", {"type": "message", "content": "Hi"}, {"type": "reasoning", "summary": "Hm"}))
    assert (found.said(), found.said("reasoning")) == ("Hi", "Hm")


def test_items_that_are_no_objects_are_counted() -> None:
    found = stream({"type": "response.output_item.done", "output_index": 0, "item": 7}, response("completed", 7))  # type: ignore[arg-type]
    assert found.faults == ["an output item that is no object"] * 2


def test_the_number_of_parts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses_items, "MAX_PARTS", 2)
    found = stream(*(said("output_text", n, str(n)) for n in range(4)), said("output_text", 0, "again"))
    assert found.said() == "01again"
    assert found.faults == ["more text parts than are told apart"] * 2
