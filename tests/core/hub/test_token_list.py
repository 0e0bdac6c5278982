from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from roundwatch.core.hub import Access, Identity, Role, TokenError
from roundwatch.core.hub.token_list import parse_tokens, tokens_in, tokens_of_environment
from roundwatch.core.texts.faults import fault_text

from tests.core.texts.ended import DE

LIST = """
# who may do what
grafana metrics a-token-for-metrics
screens watch   a-token-for-screens
agents publish,watch a-token-for-agents
"""


def test_each_line_is_an_identity_with_its_roles() -> None:
    access = Access({}, parse_tokens(LIST, "here"))
    agents = access.identify("Bearer a-token-for-agents")
    assert agents == Identity("agents", frozenset((Role.PUBLISH, Role.WATCH)))
    assert access.identify("Bearer a-token-for-nobody") is None


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.METRICS, {Role.METRICS}),
        (Role.WATCH, {Role.METRICS, Role.WATCH}),
        (Role.PUBLISH, {Role.PUBLISH}),
        (Role.ADMIN, set(Role)),
    ],
)
def test_a_role_grants_what_it_says_and_no_more(role: Role, may: set[Role]) -> None:
    identity = Identity("a", frozenset((role,)))
    assert {other for other in Role if identity.may(other)} == may


def test_the_list_may_hold_hashes_only() -> None:
    token = "0123456789abcdef"
    digest = hashlib.sha256(token.encode()).hexdigest()
    access = Access({}, parse_tokens(f"a watch sha256:{digest}", "here"))
    assert access.identify(f"Bearer {token}") == Identity("a", frozenset((Role.WATCH,)))
    assert access.identify(f"Bearer sha256:{digest}") is None


@pytest.mark.parametrize(
    "line",
    [
        "a watch",
        "a watch secret-token-0001 more",
        "a look secret-token-0001",
        "a watch, secret-token-0001",
        "a watch secret-token",
        "a watch secret-token-äöü1",
        "a watch sha256:secret",
        "account watch secret-token-0001",
        "a\x01 watch secret-token-0001",
        f"{'a' * 101} watch secret-token-0001",
    ],
)
def test_a_wrong_line_is_named_by_its_number_and_not_quoted(line: str) -> None:
    with pytest.raises(TokenError, match=r"line 2 of the token list here") as wrong:
        parse_tokens(f"# first\n{line}\n", "here")
    assert "secret" not in str(wrong.value)


@pytest.mark.parametrize(
    "again", ["a watch another-token-01", "b watch the-same-token-01"], ids=["the name", "the token"]
)
def test_what_is_there_twice_is_refused(again: str) -> None:
    with pytest.raises(TokenError, match="before"):
        parse_tokens(f"a watch the-same-token-01\n{again}", "here")


def test_a_file_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(LIST)
    path.chmod(0o644)
    with pytest.raises(TokenError, match="chmod 600"):
        tokens_in(path)
    path.chmod(0o600)
    assert len(tokens_in(path)) == 3


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    with pytest.raises(TokenError, match="cannot read"):
        tokens_in(path)
    path.write_bytes(b"\xff\xfe")
    path.chmod(0o600)
    with pytest.raises(TokenError, match="no text"):
        tokens_in(path)


def test_the_environment_may_hold_the_same_lines() -> None:
    lines = {"ROUNDWATCH_TOKENS": "a watch first-token-0001; b publish second-token-001"}
    assert {who.name for who in tokens_of_environment(lines).values()} == {"a", "b"}
    assert tokens_of_environment({}) == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a watch", "token_list_wrong"),
        ("a look secret-token-0001", "token_list_roles"),
        ("a watch short", "token_list_token"),
        ("a watch sha256:secret", "token_list_hash"),
        ("account watch secret-token-0001", "token_list_name"),
        ("me watch secret-token-0001", "token_list_twice"),
    ],
)
def test_why_a_line_is_wrong_can_be_said_in_any_language(line: str, code: str) -> None:
    with pytest.raises(TokenError) as wrong:
        parse_tokens(f"me watch the-first-token-01\n{line}\n", "here")
    assert (wrong.value.code, wrong.value.facts["line"]) == (code, "2")
    assert fault_text(wrong.value, DE).startswith("Zeile 2 der Token-Liste here")


def test_a_list_from_another_system_is_read_with_its_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_bytes(b"\xef\xbb\xbfa watch the-same-token-01\r\n\r\nb publish another-token-01\r\n")
    path.chmod(0o600)
    assert {who.name for who in tokens_in(path).values()} == {"a", "b"}


def test_a_list_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_bytes(b"a watch \xff\xfe\n")
    path.chmod(0o600)
    with pytest.raises(TokenError, match="no text in UTF-8"):
        tokens_in(path)
