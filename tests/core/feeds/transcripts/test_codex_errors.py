from __future__ import annotations

import json

from roundwatch.core.feeds.transcripts.codex_errors import error_of
from roundwatch.core.rounds.base import CallError


def test_codex_names_the_kind_and_perhaps_the_status() -> None:
    limit = error_of({"message": "You hit your limit", "codex_error_info": "usage_limit_exceeded"})
    assert limit == CallError(kind="provider_error", code="usage_limit_exceeded", message="You hit your limit")
    info = {"response_too_many_failed_attempts": {"http_status_code": 429}}
    assert error_of({"message": "m", "codex_error_info": info}).http_status == 429


def test_a_connection_that_broke_is_no_answer_of_the_provider() -> None:
    assert error_of({"message": "m", "codex_error_info": "response_stream_disconnected"}).kind == "transport"


def test_a_message_can_be_the_providers_own_error() -> None:
    body = {"type": "error", "status": 400, "error": {"type": "invalid_request_error", "message": "no such model"}}
    found = error_of({"message": json.dumps(body)})
    assert (found.http_status, found.code, found.message) == (400, "invalid_request_error", "no such model")


def test_anything_else_is_told_as_far_as_it_is_text() -> None:
    assert error_of("gone") == CallError(kind="provider_error", message="gone")
    assert error_of({"message": "{broken"}).message == "{broken"
    assert error_of(None) == CallError(kind="provider_error")
