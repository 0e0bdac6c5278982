from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

import pytest

DATA_MODEL = {"pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection", "roundwatch"}
"""What the pure parts may load besides the standard library."""


def loaded(statement: str) -> set[str]:
    """Return the modules that a fresh interpreter has after ``statement`` and had not before."""
    code = f"import sys; before = set(sys.modules)\n{statement}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def outside(modules: Iterable[str]) -> set[str]:
    """Return the libraries among the modules."""
    tops = {name.partition(".")[0] for name in modules} - set(sys.stdlib_module_names)
    return {name for name in tops if not name.startswith("_sysconfigdata")}  # of the standard library, by platform


@pytest.mark.parametrize("part", ["core.rounds", "core.policies", "core.wire"])
def test_the_pure_parts_load_nothing_but_the_data_model(part: str) -> None:
    modules = loaded(f"import roundwatch.{part}")

    assert outside(modules) <= DATA_MODEL
    assert not modules & {"asyncio", "ssl", "sqlite3", "http.client"}


def test_texts_load_no_loop_no_network_and_no_screen() -> None:
    modules = loaded("from roundwatch.core.texts import Texts; Texts.load('de')")

    assert outside(modules) <= DATA_MODEL
    assert not modules & {"asyncio", "ssl", "sqlite3"}


def test_the_hub_loads_no_screen() -> None:
    assert outside(loaded("import roundwatch.core.hub")) <= DATA_MODEL | {"websockets"}


def test_the_runner_s_package_loads_none_of_its_optional_libraries() -> None:
    assert not outside(loaded("import roundwatch.core.runner")) & {"httpx2", "h11"}


def test_the_command_line_loads_no_command() -> None:
    modules = loaded("import roundwatch.tui.cli")

    assert outside(modules) <= DATA_MODEL
    assert not modules & {"asyncio", "ssl", "sqlite3"}


def test_the_version_is_said_without_loading_anything_else() -> None:
    modules = loaded("import roundwatch.tui.cli; roundwatch.tui.cli.main(['--version'])") - {"roundwatch", "0.1.0"}

    assert {name for name in modules if name.startswith("roundwatch.")} == {
        "roundwatch.core", "roundwatch.core.version", "roundwatch.tui", "roundwatch.tui.cli",
    }  # fmt: skip
    assert outside(modules) == {"roundwatch"}
    assert not modules & {"argparse", "typing", "importlib.metadata"}


def test_locales_load_nothing_of_ours() -> None:
    assert {name for name in loaded("import roundwatch.locales") if name.startswith("roundwatch.")} == {
        "roundwatch.locales"
    }
