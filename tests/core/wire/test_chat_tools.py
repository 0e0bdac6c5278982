from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.wire.bodies import Json, Told, chat, chunk, piece, sse


def asked(*deltas: Json, finish: Any = "tool_calls", **choice: Any) -> Told:
    return chat(sse(*(chunk(delta) for delta in deltas), chunk({}, finish, **choice)))


def shown(found: Told) -> list[tuple[str, str, str | None, bool | None]]:
    return [(tool.tool_call, tool.name, tool.arguments, tool.complete) for tool in found.tools]


def test_interleaved_pieces_go_to_the_call_of_their_index() -> None:
    found = asked(
        piece(index=0, id_="a", name="grep"),
        piece(index=1, id_="b", name="read"),
        piece('{"p": ', index=0),
        piece('{"f": ', index=1),
        piece('"x"}', index=0),
        piece('"y"}', index=1),
    )
    assert shown(found) == [("a", "grep", '{"p": "x"}', True), ("b", "read", '{"f": "y"}', True)]


def test_a_call_with_whole_arguments_is_told_when_the_next_one_begins() -> None:
    body = sse(chunk(piece("{}", id_="a", name="one")), chunk(piece(index=1, id_="b", name="two")))
    events = chat(body).events
    assert [event.type for event in events] == [
        "call.started",
        "call.output",
        "tool.requested",
        "tool.requested",
        "call.finished",
    ]


def test_a_call_without_arguments_is_whole_after_a_normal_finish_and_not_after_a_cut() -> None:
    assert shown(asked(piece(id_="a", name="pwd"))) == [("a", "pwd", "", True)]
    assert shown(asked(piece(id_="a", name="pwd"), finish="length")) == [("a", "pwd", "", False)]


def test_half_arguments_are_incomplete_even_under_a_word_that_says_tool_calls() -> None:
    assert shown(asked(piece('{"path": "a', id_="a", name="write"))) == [("a", "write", '{"path": "a', False)]


def test_whole_arguments_stay_complete_on_a_cut_and_only_the_half_call_does_not() -> None:
    found = asked(piece('{"a":1}', id_="a", name="x"), piece('{"b":', index=1, id_="b", name="y"), finish="length")
    assert [tool.complete for tool in found.tools] == [True, False]


def test_a_number_may_have_lost_digits_on_a_cut() -> None:
    assert [tool.complete for tool in asked(piece("12", id_="a", name="x"), finish="length").tools] == [False]
    assert [tool.complete for tool in asked(piece("12", id_="a", name="x")).tools] == [True]


def test_the_upstreams_word_for_a_cut_counts() -> None:
    found = asked(piece(id_="a", name="pwd"), native_finish_reason="max_output_tokens")
    assert [tool.complete for tool in found.tools] == [False]


def test_a_body_without_a_finish_still_tells_its_calls() -> None:
    body = sse(chunk(piece('{"a":1}', id_="a", name="x")), chunk(piece("", index=1, id_="b", name="y")))
    assert [(tool.name, tool.complete) for tool in chat(body).tools] == [("x", True), ("y", False)]


def test_a_call_in_the_finish_chunk_itself_is_told() -> None:
    assert shown(chat(sse(chunk(piece('{"a":1}', id_="a", name="x"), "tool_calls")))) == [("a", "x", '{"a":1}', True)]


def test_pieces_after_the_finish_correct_what_was_told() -> None:
    body = sse(chunk(piece('{"a":', id_="a", name="x")), chunk({}, "tool_calls"), chunk(piece("1}")))
    assert shown(chat(body)) == [("a", "x", '{"a":', False), ("a", "x", '{"a":1}', True)]


def test_a_call_without_index_and_id_is_one_call_with_an_id_of_ours() -> None:
    found = asked(piece('{"dir":', index=None, name="ls"), piece('"/"}', index=None))
    assert [(tool.name, tool.arguments, tool.id_given) for tool in found.tools] == [("ls", '{"dir":"/"}', False)]
    assert found.tools[0].tool_call


def test_without_an_index_a_name_or_an_unknown_id_begins_a_call_and_a_known_id_goes_on() -> None:
    found = asked(
        piece(index=None, name="pwd"),
        piece(index=None, name="pwd"),
        piece('{"a":', index=None, id_="i", name="x"),
        piece("1}", index=None, id_="i", name="x"),
        piece("2", index=None, id_="j"),
    )
    assert sorted((tool.name, tool.arguments) for tool in found.tools) == [
        ("", "2"),
        ("pwd", ""),
        ("pwd", ""),
        ("x", '{"a":1}'),
    ]
    assert len({tool.tool_call for tool in found.tools}) == 4


def test_calls_that_all_have_the_index_0_are_told_apart_by_their_ids() -> None:
    found = asked(piece('{"a":1}', id_="a", name="x"), piece('{"a":2}', id_="b", name="x"))
    assert shown(found) == [("a", "x", '{"a":1}', True), ("b", "x", '{"a":2}', True)]


def test_calls_that_all_have_the_index_0_and_no_ids_are_told_apart_by_their_names() -> None:
    found = asked(piece('{"a":1}', name="x"), piece('{"a":2}', name="y"))
    assert [(tool.name, tool.arguments) for tool in found.tools] == [("x", '{"a":1}'), ("y", '{"a":2}')]


@pytest.mark.parametrize("ids", [("a", "a", "a"), ("a", "b", "c"), (None, None, None)])
def test_a_name_repeated_on_every_piece_is_one_call(ids: tuple[str | None, ...]) -> None:
    pieces = zip(('{"a', '":', "1}"), ids, strict=True)
    found = asked(*(piece(text, id_=id_, name="x") for text, id_ in pieces))
    assert [(tool.name, tool.arguments) for tool in found.tools] == [("x", '{"a":1}')]


def test_a_name_in_pieces_is_put_together() -> None:
    assert shown(asked(piece(id_="a", name="get_"), piece("{}", id_="a", name="time"))) == [
        ("a", "get_time", "{}", True)
    ]


def test_an_id_that_comes_late_is_the_one_told() -> None:
    found = asked(piece("{", name="x"), piece("}", id_="late"))
    assert [(tool.tool_call, tool.id_given) for tool in found.tools] == [("late", True)]


def test_two_calls_with_one_id_are_kept_apart() -> None:
    found = asked(
        piece("{", index=0, id_="same", name="x"),
        piece("[", index=1, id_="same", name="y"),
        piece("}", index=0, id_="same"),
        piece("]", index=1, id_="same"),
    )
    assert [(tool.tool_call, tool.arguments, tool.id_given) for tool in found.tools] == [
        ("same", "{}", True),
        ("same#2", "[]", False),
    ]


def test_the_pieces_of_arguments_stream_with_the_id_of_their_call() -> None:
    outputs = [
        event for event in asked(piece(id_="a", name="x"), piece("{"), piece("}")).events if event.type == "call.output"
    ]
    assert [(getattr(out, "kind"), getattr(out, "text"), getattr(out, "tool_call")) for out in outputs] == [  # noqa: B009
        ("tool_arguments", "{", "a"),
        ("tool_arguments", "}", "a"),
    ]


def test_arguments_that_are_an_object_are_written_compactly() -> None:
    entry = {"index": 0, "id": "a", "function": {"name": "x", "arguments": {"b": [1, "ä"]}}}
    assert shown(asked({"tool_calls": [entry]})) == [("a", "x", '{"b":[1,"ä"]}', True)]


def test_the_deprecated_function_call_is_a_call_without_an_id() -> None:
    found = asked(
        {"function_call": {"name": "x", "arguments": "{"}},
        {"function_call": {"arguments": "}"}},
        finish="function_call",
    )
    assert [(tool.name, tool.arguments, tool.id_given) for tool in found.tools] == [("x", "{}", False)]


def test_an_empty_function_call_in_a_delta_is_none() -> None:
    assert asked({"function_call": {"name": "", "arguments": ""}}, {"function_call": None}).tools == []


def test_a_custom_tool_takes_free_text() -> None:
    entry = {"id": "a", "type": "custom", "custom": {"name": "patch", "input": "*** not json"}}
    found = asked({"tool_calls": [{**entry, "index": 0}]})
    assert shown(found) == [("a", "patch", "*** not json", True)]


def whole(*calls: Json, finish: str = "tool_calls") -> Told:
    body = {"choices": [{"index": 0, "message": {"tool_calls": list(calls)}, "finish_reason": finish}]}
    return chat(json.dumps(body).encode())


def test_every_entry_of_an_unstreamed_list_is_a_call_of_its_own() -> None:
    call = {"function": {"name": "x", "arguments": "{}"}}
    assert [tool.name for tool in whole(call, call, {"id": "b", **call}).tools] == ["x", "x", "x"]


def test_zero_values_beside_a_function_are_not_the_call() -> None:
    entry = {"id": "a", "function": {"name": "x", "arguments": "{}"}, "custom": {"name": "", "input": ""}}
    assert shown(whole(entry)) == [("a", "x", "{}", True)]


def test_a_cut_unstreamed_call_is_incomplete() -> None:
    assert shown(whole({"id": "a", "function": {"name": "x", "arguments": '{"b": '}}, finish="length")) == [
        ("a", "x", '{"b": ', False)
    ]


def test_of_several_choices_the_first_ones_calls_are_asked_for() -> None:
    one = chunk(piece("{}", id_="a", name="x"))
    other = chunk(piece("{}", id_="a", name="x"), index=1)
    found = chat(sse(other, one, chunk({}, "tool_calls", index=1), chunk({}, "tool_calls")))
    assert [(tool.tool_call, tool.id_given) for tool in found.tools] == [("a", True)]


def test_a_message_split_over_two_choices_keeps_its_calls() -> None:
    call = {"id": "a", "function": {"name": "x", "arguments": "{}"}}
    body: Json = {
        "choices": [
            {"message": {"content": "I look."}, "finish_reason": "tool_calls"},
            {"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"},
        ]
    }
    found = chat(json.dumps(body).encode())
    assert (found.said(), [tool.name for tool in found.tools]) == ("I look.", ["x"])


def test_the_number_of_calls_that_are_followed_is_bounded() -> None:
    found = asked(*(piece("{}", index=index, name="x") for index in range(520)))
    assert len(found.tools) == 512
    assert found.translator.unreadable_count == 8
