from __future__ import annotations

from roundwatch.core.feeds.transcripts.claude_errors import final_error, request_error
from roundwatch.core.rounds.base import CallError


def test_an_error_of_the_provider_keeps_its_status_and_code() -> None:
    body = {"type": "error", "error": {"type": "authentication_error", "message": "bad key"}}
    error = request_error({"error": {"status": 401, "error": body, "type": "authentication_error"}})
    assert error == CallError(kind="provider_error", http_status=401, code="authentication_error", message="bad key")


def test_a_connection_that_failed_is_no_answer_of_the_provider() -> None:
    error = request_error({"error": {"connection": {"code": "ECONNRESET", "message": "reset"}, "isNetworkDown": False}})
    assert error == CallError(kind="transport", code="ECONNRESET", message="reset")


def test_a_status_alone_or_nothing_at_all_is_told_as_it_is() -> None:
    assert request_error({"error": {"status": 503, "type": None}}) == CallError(kind="provider_error", http_status=503)
    assert request_error({"error": "odd"}) == CallError(kind="provider_error", message="odd")
    assert request_error({}).http_status is None


def test_the_message_shown_in_place_of_an_answer_tells_its_status() -> None:
    assert final_error({"error": "server_error"}, "API Error: 500 broken") == CallError(
        kind="provider_error", http_status=500, code="server_error", message="API Error: 500 broken"
    )
    assert final_error({"apiErrorStatus": 529}, "Overloaded").http_status == 529
    assert final_error({}, "Credit balance is too low").http_status is None


def test_keys_are_taken_out() -> None:
    assert "sk-ant-abcdefghijklmnop" not in repr(final_error({}, "invalid key sk-ant-abcdefghijklmnop"))
