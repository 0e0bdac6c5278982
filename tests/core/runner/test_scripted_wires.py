"""What the younger wires of the scripted provider send, as it stands on the wire."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from roundwatch.core.runner import scripted_gemini, scripted_ollama, scripted_responses
from roundwatch.core.runner.responses_parts import part_of
from roundwatch.core.runner.script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    KeepAlives,
    Reasoning,
    RefusalText,
    Reply,
    Script,
    Text,
    ToolUse,
    Wait,
)
from roundwatch.core.runner.scripted_provider import ScriptedProvider
from roundwatch.core.runner.scripted_wires import ADDRESSES, address_of
from roundwatch.core.wire import WIRES

from tests.core.wire.bodies import told

COUNTS = Counts(21, 9, 3, 5)
SAID = (Wait(0.1), KeepAlives(1.0), Reasoning("Hm. "), Text("It lies "), ToolUse("look", '{"at": 1}', id="t1"))
HALF = ToolUse("look", '{"at": ', whole=False)
MODULES: dict[str, Any] = {"gemini": scripted_gemini, "ollama": scripted_ollama, "openai-responses": scripted_responses}
ENDS = {"gemini": "STOP", "ollama": "stop", "openai-responses": "completed"}
STREAMED = pytest.mark.parametrize("streamed", [True, False])
WIRE = pytest.mark.parametrize("wire", MODULES)


def sent(wire: str, reply: Reply, *, streamed: bool = True, **request: Any) -> bytes:
    """Return the bytes of a reply."""
    module, asked = MODULES[wire], {"model": "m", "sse": True, **request}
    if streamed:
        parts = module.stream(reply, asked, id="1", created=0)
        return b"".join(part for part in parts if isinstance(part, bytes))
    return json.dumps(module.whole(reply, asked, id="1", created=0)[1]).encode()


@WIRE
@STREAMED
def test_our_translators_read_all_that_was_scripted(wire: str, streamed: bool) -> None:
    body = sent(wire, Reply((*SAID, Finish(ENDS[wire])), COUNTS), streamed=streamed)
    found = told(wire, body, request={"stream": streamed})

    assert (found.said("reasoning"), found.said(), found.faults) == ("Hm. ", "It lies ", [])
    (tool,) = found.tools
    assert (tool.name, json.loads(tool.arguments or ""), tool.complete) == ("look", {"at": 1}, True)
    assert found.end.usage is not None
    assert (found.end.usage.input_tokens, found.end.usage.output_tokens) == (21, 9)
    assert (found.end.outcome, found.end.finish_reason) == ("completed", ENDS[wire])


@WIRE
@STREAMED
def test_a_call_that_was_cut_is_half_on_one_wire_and_missing_on_the_others(wire: str, streamed: bool) -> None:
    tools = told(wire, sent(wire, Reply((HALF, Finish(ENDS[wire]))), streamed=streamed)).tools

    if wire == "openai-responses":
        assert [(tool.arguments, tool.complete) for tool in tools] == [('{"at": ', False)]
    else:
        assert tools == []


@WIRE
def test_without_a_finish_step_no_stream_has_a_finish_word(wire: str) -> None:
    for ending in (Ending.DONE, Ending.EOF):
        end = told(wire, sent(wire, Reply((Text("x"),), ending=ending))).end
        assert end.finish_reason in (None, "")
        assert end.done_marker is {"gemini": None, "ollama": ending is Ending.DONE}.get(wire, False)


@WIRE
@STREAMED
def test_an_error_in_the_body_is_one_to_the_reader(wire: str, streamed: bool) -> None:
    reply = Reply((Text("x"), BodyError("UNAVAILABLE", "Overloaded", "503")))
    end = told(wire, sent(wire, reply, streamed=streamed), http_status=200).end

    assert end.outcome == "failed"
    assert end.error is not None
    assert end.error.message == "Overloaded"


@WIRE
def test_an_http_error_has_the_shape_of_its_wire(wire: str) -> None:
    body = json.dumps(MODULES[wire].error_body(HttpError(403, "denied", "No."))).encode()
    end = told(wire, body, http_status=403).end

    assert end.error is not None
    assert (end.error.http_status, end.error.message) == (403, "No.")


def test_gemini_blocks_a_prompt_and_says_more_about_a_finish() -> None:
    blocked = told("gemini", sent("gemini", Reply((Finish("SAFETY", blocked=True),)))).end
    malformed = told("gemini", sent("gemini", Reply((Finish("MALFORMED_FUNCTION_CALL", detail="look("),)))).end

    assert (blocked.finish_reason, blocked.finish_detail) == (None, "SAFETY")
    assert (malformed.finish_reason, malformed.finish_detail) == ("MALFORMED_FUNCTION_CALL", "look(")


def test_gemini_without_alt_sse_is_one_array_that_an_early_end_leaves_open() -> None:
    reply = Reply((Text("It lies"), Finish("STOP")), COUNTS)
    whole = sent("gemini", reply, sse=False)

    assert all("candidates" in chunk for chunk in json.loads(whole))
    assert told("gemini", whole).said() == "It lies"
    assert not sent("gemini", Reply((Text("It lies"),), ending=Ending.EOF), sse=False).rstrip().endswith(b"]")


def test_a_refusal_and_the_reason_of_an_incomplete_or_failed_response_are_told() -> None:
    refused = told("openai-responses", sent("openai-responses", Reply((RefusalText("No."), Finish("completed")))))
    cut = told("openai-responses", sent("openai-responses", Reply((Finish("incomplete", detail="max_output_tokens"),))))
    failed = told("openai-responses", sent("openai-responses", Reply((Finish("failed", detail="Broken."),))))

    assert refused.said("refusal") == "No."
    assert (cut.end.finish_reason, cut.end.finish_detail) == ("incomplete", "max_output_tokens")
    assert failed.end.error is not None
    assert failed.end.error.message == "Broken."


@pytest.mark.parametrize("step", [Text("a"), RefusalText("a"), Reasoning("a")])
def test_an_item_begins_empty_and_ends_with_its_text(step: Any) -> None:
    part = part_of(step, "i1")

    assert (part.begun["id"], part.item["id"], part.text) == ("i1", "i1", "a")
    assert "a" not in part.empty.values()
    assert "a" in part.full.values()
    assert part.full in (part.item.get("content") or part.item["summary"])


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/v1/chat/completions", {}),
        ("/v1/responses", {}),
        ("/v1/messages", {}),
        ("/api/chat", {}),
        ("/v1beta/models/g:generateContent", {"model": "g", "verb": "generateContent"}),
        ("/v1beta/models/g:streamGenerateContent", {"model": "g", "verb": "streamGenerateContent"}),
    ],
)
def test_the_path_says_the_wire(path: str, named: dict[str, str]) -> None:
    found = address_of(path)

    assert found is not None
    assert found[1] == named
    assert address_of(path + "/more") is None


def test_every_wire_that_a_real_client_speaks_has_an_address() -> None:
    assert len(ADDRESSES) == len(set(WIRES) - {"cohere", "bedrock-converse", "bedrock-invoke"})


@pytest.mark.parametrize(
    ("path", "body", "media"),
    [
        ("/api/chat", {"model": "s"}, "application/x-ndjson"),
        ("/api/chat", {"model": "s", "stream": False}, "application/json"),
        ("/v1beta/models/s:streamGenerateContent?alt=sse", {}, "text/event-stream"),
        ("/v1beta/models/s:streamGenerateContent", {}, "application/json"),
        ("/v1/responses", {"model": "s", "stream": True}, "text/event-stream"),
    ],
)
async def test_how_it_streams_is_said_where_the_wire_says_it(path: str, body: dict[str, Any], media: str) -> None:
    script = Script((Reply((Text("x"), Finish("stop"))),))
    async with (
        ScriptedProvider({"s": script}, speed=100.0) as provider,
        httpx2.AsyncClient(base_url=provider.base_url) as client,
    ):
        response = await client.post(path, json=body)

    assert response.headers["content-type"].startswith(media)
