from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.hub import Access, Identity, Role, TokenError, ensure_token, read_token, token_file


def test_the_first_start_makes_a_token_that_only_the_account_can_read() -> None:
    token = ensure_token()
    path = token_file()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert len(token) >= 43
    assert ensure_token() == token == read_token()
    assert [file.name for file in path.parent.iterdir()] == ["token"]


def test_without_a_file_there_is_no_token() -> None:
    assert read_token() is None


def test_a_token_that_others_can_read_is_not_used() -> None:
    ensure_token()
    token_file().chmod(0o640)
    with pytest.raises(TokenError, match=r"others can read .* chmod 600"):
        read_token()


@pytest.mark.parametrize("content", [b"", b"two words", b"x" * 600, b"\xff\xfe", b"a\x1bb"])
def test_a_file_that_holds_no_token_is_told_and_not_quoted(content: bytes) -> None:
    ensure_token()
    token_file().write_bytes(content)
    with pytest.raises(TokenError) as caught:
        ensure_token()
    assert str(token_file()) in str(caught.value)
    assert "xxx" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TokenError, match="cannot make the token file"):
        ensure_token(tmp_path / "file" / "token")


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic right", "right", "Bearer righ", "Bearer right x"]
)
def test_a_wrong_or_missing_token_is_nobody(header: str | None) -> None:
    assert Access({"right": Identity("a")}).identify(header) is None


def test_each_token_stands_for_its_own_identity() -> None:
    reader = Identity("reader", frozenset({Role.WATCH}))
    access = Access({"one": Identity("a"), "two": reader})
    assert access.identify("Bearer one") == Identity("a")
    assert access.identify("bearer  two") == reader
    assert access.asks


def test_without_tokens_everybody_may_come_in() -> None:
    assert Access.anyone().identify(None) is not None
    assert not Access.anyone().asks


def test_the_tokens_do_not_show() -> None:
    access = Access({"secret-token": Identity("a")})
    assert "secret-token" not in f"{access!r} {access}"
