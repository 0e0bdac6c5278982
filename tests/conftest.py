"""What every part's tests share: outside programs, and a home that is never the developer's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest

pytest_plugins = ["roundwatch.tui.testing.plugin"]
"""The entry point of an installed roundwatch has this very name, so that the plugin is not loaded twice."""

INSTALL = {
    "chromium": "apt-get install chromium",
    "redis-server": "apt-get install redis-server",
    "screen": "apt-get install screen",
    "tmux": "apt-get install tmux",
}
"""How to get each outside program that a test may ask for."""
REQUIRE_ALL = "all"  # value of ROUNDWATCH_REQUIRE in CI: what is missing there is a fault, not a circumstance


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], str]:
    """Return a function that gives a program's path, or skips the test (fails it in CI) saying how to get it."""

    def require(name: str) -> str:
        found = shutil.which(name)
        if found is not None:
            return found
        message = f"{name} is not installed; to run this test: {INSTALL[name]}"
        if os.environ.get("ROUNDWATCH_REQUIRE") == REQUIRE_ALL:
            pytest.fail(message)
        pytest.skip(message)

    return require


@pytest.fixture(scope="session", autouse=True)
def _private_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """No test reads or writes the state, the token or the configuration of whoever runs it."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            patch.setenv(variable, str(home / variable.lower()))
        yield
