from __future__ import annotations

import asyncio
import gzip
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from roundwatch.core.feeds.otlp import OtlpReceiver
from roundwatch.core.feeds.otlp.assembler import ABSENT_S
from roundwatch.core.feeds.otlp.names import NAMES
from roundwatch.core.feeds.otlp.receiver import MOST_BYTES, MOST_INFLATED
from roundwatch.core.hub.errors import StoreUnavailable
from roundwatch.core.hub.inlet import Inlet, Numbered
from roundwatch.core.hub.store import Receipt
from roundwatch.core.hub.uploads import Upload, UploadHeaders
from roundwatch.core.rounds import classify

from tests.core.feeds.otlp.posting import as_json, ledger_of, log_json, post, receiving
from tests.core.feeds.otlp.spans import BEGAN_NS, SECOND, TRACE, agent, chat, tool

CREW = (chat("c", "boss", text="East of the mill."), agent("boss", lasts=3))
PROTOBUF = "application/x-protobuf"


async def test_an_export_is_stored_before_it_is_answered_and_once_when_it_comes_again(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with receiving(store=path) as hub:
        assert await post(hub, "/v1/traces", as_json(*CREW)) == (
            200, {"content-type": "application/json", "content-length": "2"}, b"{}",
        )  # fmt: skip
        before = hub.counters.stored
        assert before > 3
        await post(hub, "/v1/traces", as_json(*CREW))
        assert hub.counters.stored == before
    async with receiving(store=path) as hub:  # started again, it remembers no span
        await post(hub, "/v1/traces", as_json(*CREW))
        assert (hub.counters.stored, hub.counters.duplicates) == (0, before)
    assert classify((await ledger_of(path)).rounds[TRACE]).is_answer


def raw_deflate(body: bytes) -> bytes:
    """Without zlib's wrapper, as some senders understand the word."""
    return zlib.compress(body)[2:-4]


@pytest.mark.parametrize(
    ("encode", "encoding"),
    [
        (gzip.compress, "gzip"),
        (zlib.compress, "deflate"),
        (raw_deflate, "deflate"),
        (bytes, ""),
        (bytes, "identity"),
    ],
)
async def test_every_encoding_of_a_body_is_undone(encode: Any, encoding: str) -> None:
    async with receiving() as hub:
        reply = await post(hub, "/v1/traces", encode(as_json(*CREW)), Content_Encoding=encoding)
        assert reply.status == 200
        assert hub.counters.stored > 3


async def test_what_cannot_be_read_is_refused_in_the_requests_encoding() -> None:
    async with receiving() as hub:
        reply = await post(hub, "/v1/traces", b"no json")
        assert (reply.status, json.loads(reply.body)) == (400, {"code": 3, "message": "the body is no JSON"})
        reply = await post(hub, "/v1/traces", b"\xff\xff\xff", Content_Type=PROTOBUF)
        assert (reply.status, reply.headers["content-type"], reply.body[:2]) == (400, PROTOBUF, b"\x08\x03")
        assert (await post(hub, "/v1/traces", b"<a/>", Content_Type="text/xml")).status == 415
        assert (await post(hub, "/v1/traces", b"x", Content_Encoding="br")).status == 415
        assert (await post(hub, "/v1/traces", b"no gzip", Content_Encoding="gzip")).status == 400
        reply = await post(hub, "/v1/traces", b"", Authorization="Bearer wrong")
        assert (reply.status, reply.headers["www-authenticate"]) == (401, 'Bearer realm="roundwatch"')
        assert json.loads(reply.body)["code"] == 16
        assert (await post(hub, "/v1/traces", b"", Authorization="Bearer only-watches")).status == 403
        assert (await post(hub, "/v1/traces", b"", Host="evil.example")).status == 403
        assert (await post(hub, "/v1/traces", b"", Origin="https://evil.example")).status == 403
        assert (await post(hub, "/v1/traces?token=SECRET", b"")).status == 400
        assert hub.counters.stored == 0


@pytest.mark.parametrize("encode", [gzip.compress, zlib.compress, raw_deflate])
async def test_a_compressed_body_that_ends_too_early_is_no_export(encode: Any) -> None:
    encoding = "gzip" if encode is gzip.compress else "deflate"
    body = encode(as_json(*CREW) + b" " * 100_000)
    async with receiving() as hub:
        for cut in (len(body) - 1, len(body) // 2):
            reply = await post(hub, "/v1/traces", body[:cut], Content_Encoding=encoding)
            assert (reply.status, b"ends too early" in reply.body) == (400, True)
        assert (await post(hub, "/v1/traces", body, Content_Encoding=encoding)).status == 200


async def test_bodies_are_bounded_before_and_after_inflating() -> None:
    async with receiving() as hub:
        assert (await post(hub, "/v1/traces", b"", Content_Length=str(MOST_BYTES + 1))).status == 413
        bomb = gzip.compress(bytes(MOST_INFLATED + 1))
        assert len(bomb) < MOST_BYTES
        reply = await post(hub, "/v1/traces", bomb, Content_Encoding="gzip")
        assert (reply.status, json.loads(reply.body)["code"]) == (413, 8)


async def test_spans_that_are_none_are_counted_and_the_others_stored() -> None:
    async with receiving() as hub:
        body = json.loads(as_json(*CREW))
        body["resourceSpans"][0]["scopeSpans"][0]["spans"] += [{"traceId": "0" * 32, "spanId": "1" * 16}, "no span", {}]
        reply = await post(hub, "/v1/traces", json.dumps(body).encode())
        told = json.loads(reply.body)["partialSuccess"]
        assert (reply.status, told["rejectedSpans"]) == (200, "3")
        assert "traceId" in told["errorMessage"]
        export = ExportTraceServiceRequest()
        export.resource_spans.add().scope_spans.add().spans.add(trace_id=b"short", span_id=b"\1" * 8)
        reply = await post(hub, "/v1/traces", export.SerializeToString(), Content_Type=PROTOBUF)
        partial = ExportTraceServiceResponse.FromString(reply.body).partial_success
        assert (partial.rejected_spans, bool(partial.error_message)) == (1, True)


async def test_protobuf_without_its_library_says_what_to_install_and_json_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with receiving() as hub:
        monkeypatch.setitem(sys.modules, "opentelemetry.proto", None)
        reply = await post(hub, "/v1/traces", b"", Content_Type=PROTOBUF)
        assert reply.status == 415
        assert b"pip install 'roundwatch[otlp]'" in reply.body
        assert (await post(hub, "/v1/traces", as_json(*CREW))).status == 200


async def test_a_trace_without_its_root_is_told_by_the_clock(tmp_path: Path) -> None:
    now = [0.0]
    receiver = OtlpReceiver(clock=lambda: now[0])
    async with receiving(receiver, store=tmp_path / "s.db") as hub:
        await post(hub, "/v1/traces", as_json(CREW[0]))
        assert hub.counters.stored == 0
        now[0] = ABSENT_S
        await post(hub, "/v1/traces", as_json(tool("t", "elsewhere", trace="1" * 32)))
        async with asyncio.timeout(20):
            while not hub.counters.stored:  # noqa: ASYNC110 - the receiver's own task stores it
                await asyncio.sleep(0.01)


async def test_a_hub_that_stops_tells_what_still_waits(tmp_path: Path) -> None:
    async with receiving(store=tmp_path / "s.db") as hub:
        await post(hub, "/v1/traces", as_json(CREW[0]))
    (round_,) = (await ledger_of(tmp_path / "s.db")).rounds.values()
    assert [call.finish_reason for call in round_.calls] == ["stop"]
    assert not round_.is_over


class Sick(Inlet):
    """An inlet whose store fails as often as it is told to."""

    def __init__(self, failures: int) -> None:
        self.failures, self.taken = failures, list[Numbered]()

    async def take(self, events: Any) -> list[Receipt]:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("the disk is full")
        self.taken += events
        return []


async def test_a_store_that_fails_is_told_as_503_and_nothing_is_lost_when_the_export_comes_again() -> None:
    receiver, inlet = OtlpReceiver(), Sick(1)
    await receiver.open(inlet)
    upload = Upload("/v1/traces", "me", UploadHeaders([(b"Content-Type", b"application/json")]), as_json(*CREW))
    answer = await receiver.take(upload)
    assert (answer.status, answer.retry_after_s, inlet.taken) == (503, 1, [])
    assert (await receiver.take(upload)).status == 200
    assert [each.event.type for each in inlet.taken][:2] == ["round.started", "call.started"]
    await receiver.close()


def event(name: str, second: float, **attributes: Any) -> dict[str, Any]:
    own = {"session.id": "s1", "prompt.id": "p1", "event.sequence": int(second * 10)}
    return {"event": f"claude_code.{name}", "ns": BEGAN_NS + int(second * SECOND), "attributes": own | attributes}


async def test_claude_codes_own_logs_make_a_round_for_each_prompt(tmp_path: Path) -> None:
    asked = {
        "model": "claude-opus-5",
        "duration_ms": "800",
        "input_tokens": 3,
        "output_tokens": 40,
        "cache_read_tokens": 900,
    }
    records = [
        event("user_prompt", 1, prompt="Where is it?", prompt_length=12),
        event("api_request", 2, request_id="req-1", **asked),
        event("tool_decision", 3, tool_name="Bash", tool_use_id="t1", decision="reject", source="user_reject"),
        event("tool_decision", 4, tool_name="Read", tool_use_id="t2", decision="accept", source="config"),
        event("tool_result", 5, tool_name="Read", tool_use_id="t2", success="true", duration_ms="12"),
        event("api_error", 6, model="claude-opus-5", error="Overloaded", status_code="529", duration_ms=5, attempt=1),
        event("api_request", 7, request_id="req-2", **asked),
        event("user_prompt", 20, **{"prompt.id": "p2"}),
    ]
    path = tmp_path / "s.db"
    async with receiving(store=path) as hub:
        for _ in range(2):
            assert (await post(hub, "/v1/logs", log_json(*records))).status == 200
    first, second = (await ledger_of(path)).rounds.values()
    assert (first.thread, first.title, first.source, first.is_over) == ("s1", "Where is it?", "claude-code-otel", True)
    assert [(call.id, call.outcome) for call in first.calls][::2] == [("req-1", "completed"), ("req-2", "completed")]
    assert first.calls[1].error is not None
    assert first.calls[1].error.http_status == 529
    assert first.calls[0].usage.input_tokens == 903  # Anthropic's own count leaves cached ones out
    assert first.calls[0].total_ms == 800
    assert [(each.name, each.state, each.why) for each in first.tool_calls.values()] == [
        ("Bash", "refused", "permission"),
        ("Read", "ok", None),
    ]
    outcome = classify(first)
    assert (outcome.verdict, outcome.doubts) == ("completed", ("inferred",))
    assert not second.is_over


async def test_a_prompt_that_others_still_work_for_takes_nothing_back(tmp_path: Path) -> None:
    asked = {"model": "claude-opus-5", "output_tokens": 1}
    records = [
        event("user_prompt", 1),
        event("api_request", 2, request_id="q1", **asked),
        event("user_prompt", 10, **{"prompt.id": "p2"}),
        event("api_request", 11, request_id="q2", **asked, **{"prompt.id": "p2"}),
        event("api_request", 12, request_id="q3", **asked),  # something in the background
        event("api_request", 5, request_id="q0", **asked, **{"prompt.id": "p0"}),  # came late
        event("api_request", 13, request_id="q4", **asked, **{"prompt.id": "p2"}),
        event("api_request", 14, request_id="q5", **asked),
    ]
    async with receiving(store=tmp_path / "s.db") as hub:
        for record in records:
            assert (await post(hub, "/v1/logs", log_json(record))).status == 200
    rounds = (await ledger_of(tmp_path / "s.db")).rounds
    assert {name: ([call.id for call in round_.calls], round_.is_over) for name, round_ in rounds.items()} == {
        "s1.p1": (["q1", "q3", "q5"], True),
        "s1.p2": (["q2", "q4"], False),
        "s1.p0": (["q0"], True),
    }


async def test_logs_leave_a_session_to_its_spans_and_end_what_they_began(tmp_path: Path) -> None:
    request = chat("c", "turn", called="claude_code.llm_request", attributes={"session.id": "s1"})
    turn = agent("turn", called="claude_code.interaction", lasts=9, attributes={"session.id": "s1"})
    async with receiving(store=tmp_path / "s.db") as hub:
        await post(hub, "/v1/logs", log_json(event("user_prompt", 1)))
        await post(hub, "/v1/traces", as_json(request, turn))
        await post(hub, "/v1/logs", log_json(event("api_request", 2, request_id="q1")))
    rounds = (await ledger_of(tmp_path / "s.db")).rounds
    assert {name: (len(round_.calls), round_.is_over) for name, round_ in rounds.items()} == {
        "s1.p1": (0, True),
        TRACE: (1, True),
    }


HOSTILE = "a\ud800b\x1b[31m[red]x[/]\x00\u202e"


async def test_hostile_texts_in_every_attribute_lose_no_event(tmp_path: Path) -> None:
    everywhere = dict.fromkeys((name for names in NAMES.values() for name in names), HOSTILE)
    own = {"gen_ai.operation.name": "chat", "success": True, "error.type": "", "error_type": ""}
    spans = [
        chat("c", "boss", attributes=everywhere | own, called=HOSTILE, message=HOSTILE),
        tool("t", "boss", attributes=everywhere | own | {"gen_ai.operation.name": "execute_tool", "decision": ""}),
        agent("boss", lasts=3, attributes=everywhere | own | {"gen_ai.operation.name": "invoke_agent"}),
    ]
    async with receiving(store=tmp_path / "s.db") as hub:
        assert (await post(hub, "/v1/traces", as_json(*spans))).status == 200
        for name in ("user_prompt", "api_request", "api_error", "tool_result"):
            record = event(name, 1, **dict.fromkeys(("prompt", "request_id", "model", "error", "tool_name"), HOSTILE))
            assert (await post(hub, "/v1/logs", log_json(record))).status == 200
        assert (hub.counters.rejected, hub.counters.gaps) == (0, 0)
    ledger = await ledger_of(tmp_path / "s.db")
    assert [call.is_over for round_ in ledger.rounds.values() for call in round_.calls] == [True] * 2


BODY = as_json(*CREW)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    at=st.integers(0, len(BODY)),
    cut=st.integers(0, 40),
    put=st.binary(max_size=8),
    kind=st.sampled_from([PROTOBUF, "application/json"]),
)
async def test_no_body_raises(at: int, cut: int, put: bytes, kind: str) -> None:
    receiver, inlet = OtlpReceiver(), Sick(0)
    await receiver.open(inlet)
    body = BODY[:at] + put + BODY[at + cut :]
    for path in receiver.paths:
        answer = await receiver.take(Upload(path, "me", UploadHeaders([(b"Content-Type", kind.encode())]), body))
        assert answer.status in (200, 400)
    await receiver.close()
