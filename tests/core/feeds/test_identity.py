from __future__ import annotations

import pytest
from roundwatch.core.feeds.identity import NAME_CHARS, Identity


def of(**headers: str) -> Identity:
    return Identity.of([(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()])


def test_our_own_headers_win_over_those_of_clients() -> None:
    who = of(x_claude_code_session_id="s", X_Roundwatch_Thread="t", x_claude_code_agent_id="a", x_roundwatch_agent="b")

    assert (who.thread, who.agent) == ("t", "b")


def test_claude_code_s_headers_name_session_agent_and_parent() -> None:
    who = of(x_claude_code_session_id="s", x_claude_code_agent_id="a", x_claude_code_parent_agent_id="p")

    assert (who.thread, who.agent, who.parent_agent, who.is_sub_agent) == ("s", "a", "p", True)
    assert not of(x_claude_code_session_id="s", x_roundwatch_agent="main").is_sub_agent


@pytest.mark.parametrize(("sent", "n"), [("2", 2), ("0", 0), ("-1", 0), ("x", 0), ("99999", 0), ("²", 0)])
def test_retries_are_counted_by_the_client(sent: str, n: int) -> None:
    assert of(x_stainless_retry_count=sent).retries == n


def test_the_client_is_the_first_product_of_its_user_agent() -> None:
    assert of(user_agent="claude-cli/2.1.0 (external, cli)").client == "claude-cli/2.1.0"
    assert of(user_agent="(none)").client is None


def test_names_from_outside_are_bounded_and_printable() -> None:
    assert of(x_roundwatch_round="x" * 1000).round == "x" * NAME_CHARS
    assert of(x_roundwatch_round="a\x85b").round is None
    assert of() == Identity()
