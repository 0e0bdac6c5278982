from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.wire.errors import CODE_CHARS, MESSAGE_CHARS, error_page, failed_by_word, provider_error


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ({"error": {"code": "rate", "type": "t", "message": "slow down"}}, "rate", "slow down"),
        ({"error": {"code": None, "type": "t", "message": "m"}}, "t", "m"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, "overloaded_error", "busy"),
        ({"code": 429, "message": "m"}, "429", "m"),
        ([{"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "m"}}], "400", "m"),
        ({"detail": "Invalid API Key"}, None, "Invalid API Key"),
        ({"Message": "not authorized"}, None, "not authorized"),
        ({"__type": "ThrottlingException", "message": "m"}, "ThrottlingException", "m"),
        ({"code": "invalid-argument", "error": "no such model"}, "invalid-argument", "no such model"),
        (
            {"detail": [{"loc": ["body"], "msg": "field required"}, {"msg": "too long"}]},
            None,
            "field required; too long",
        ),
        ({"detail": "d", "error": {"message": "m"}}, None, "m"),
        ({"error": "plain words", "code": 9}, "9", "plain words"),
        ({"error": {"error": {"error": {"message": "deep"}}}}, None, "deep"),
        ({"errors": [{"code": 7003, "message": "no route"}], "success": False}, "7003", "no route"),
        ({"errors": ["no route"]}, None, "no route"),
        ({"detail": {"code": "deactivated", "message": "no"}}, "deactivated", "no"),
        ({"message": "m", "errors": [{"message": "less"}]}, None, "m"),
        ({"odd": 1}, None, '{"odd":1}'),
        ("just text", None, "just text"),
        (7, None, "7"),
    ],
)
def test_an_error_of_any_shape_gives_code_and_message(body: Any, code: str | None, message: str) -> None:
    error = provider_error(body, 500)
    assert (error.kind, error.http_status, error.code, error.message) == ("provider_error", 500, code, message)


@pytest.mark.parametrize(
    "fields",
    [
        {"code": "content_filter"},
        {"code": "invalid_request", "innererror": {"code": "ResponsibleAIPolicyViolation"}},
        {"code": None, "type": "content_policy_violation"},
    ],
)
def test_a_content_filter_is_told_by_its_code_wherever_that_stands(fields: dict[str, Any]) -> None:
    error = provider_error({"error": {"message": "blocked", **fields}}, 400)
    assert error.code in ("content_filter", "ResponsibleAIPolicyViolation", "content_policy_violation")


def test_an_error_inside_a_good_response_has_no_http_status() -> None:
    assert provider_error({"error": {"message": "m"}}, 200).http_status is None


@pytest.mark.parametrize(
    "secret",
    ["sk-proj-abcdefghijklmnop123", "Bearer abcdefghijklmnopqrstu", "AIzaSyabcdefghijklmnop", "gsk_abcdefghijklmnop"],
)
def test_a_quoted_key_is_not_kept(secret: str) -> None:
    message = provider_error({"message": f"Incorrect API key provided: {secret}."}, 401).message
    assert message is not None
    assert "abcdefgh" not in message
    assert message.startswith("Incorrect API key provided: ")


def test_words_that_merely_begin_alike_are_kept() -> None:
    text = "ask-me skip the key of this_very_long_identifier"
    assert provider_error(text, 400).message == text


def test_foreign_text_is_bounded_and_carried_by_utf8() -> None:
    error = provider_error({"code": "c" * 5000, "message": "\ud800" * 9000}, 400)
    assert len(error.code or "") == CODE_CHARS
    assert len(error.message or "") == MESSAGE_CHARS + 1
    (error.message or "").encode("utf-8")


def test_an_error_page_is_told_by_its_title() -> None:
    page = b"<html><head><TITLE>502 Bad\n Gateway &amp; more</TITLE></head><body>nginx</body>"
    assert error_page(page, 502).message == "502 Bad Gateway & more"
    assert error_page(b"upstream\n  gone", 502).message == "upstream gone"
    assert error_page(b"", 502).message is None


def test_a_finish_word_alone_is_the_code() -> None:
    error = failed_by_word("insufficient_system_resource")
    assert (error.kind, error.code, error.message) == ("provider_error", "insufficient_system_resource", None)
