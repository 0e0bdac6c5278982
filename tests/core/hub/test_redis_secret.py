from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.hub import StoreError
from roundwatch.core.hub.redis_secret import redis_in, redis_of_environment

ADDRESS = "redis://user:s3cret@host:6379/2"


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "redis"
    file.write_text(text, "utf-8")
    file.chmod(mode)
    return file


def test_an_address_comes_from_the_environment_or_a_private_file(tmp_path: Path) -> None:
    assert redis_of_environment({}) is None
    assert redis_of_environment({"ROUNDWATCH_REDIS_URL": f" {ADDRESS}\n"}) == ADDRESS
    assert redis_in(written(tmp_path, f"{ADDRESS}\n")) == ADDRESS


@pytest.mark.parametrize(
    "text", ["", "s3cret", f"{ADDRESS} {ADDRESS}", "http://s3cret@host", "redis://" + "s3cret" * 900]
)
def test_anything_else_is_refused_without_quoting_it(tmp_path: Path, text: str) -> None:
    with pytest.raises(StoreError) as caught:
        redis_in(written(tmp_path, text))
    assert "s3cret" not in str(caught.value)


def test_a_variable_that_holds_something_else_is_refused_without_quoting_it() -> None:
    with pytest.raises(StoreError) as caught:
        redis_of_environment({"ROUNDWATCH_REDIS_URL": "http://s3cret@host"})
    assert "s3cret" not in str(caught.value)


def test_a_file_that_others_can_read_or_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="others can read"):
        redis_in(written(tmp_path, ADDRESS, 0o644))
    with pytest.raises(StoreError, match="No such file"):
        redis_in(tmp_path / "none")
