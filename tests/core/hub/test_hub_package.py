from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import roundwatch.core.hub


def test_the_hub_loads_no_front_end() -> None:
    code = "import sys, roundwatch.core.hub; print(sorted({'textual', 'rich', 'httpx2'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_every_public_name_is_there_and_no_module_hides_one() -> None:
    hub = roundwatch.core.hub

    assert not [name for name in hub.__all__ if isinstance(getattr(hub, name), ModuleType)]
    assert not {path.stem for path in Path(hub.__file__).parent.glob("*.py")} & set(hub.__all__)
    assert not hasattr(hub, "no_such_name")


def test_who_watches_loads_no_server_and_no_store() -> None:
    code = "import sys; from roundwatch.core.hub import Link, watch; print(*sys.modules)"
    modules = set(subprocess.check_output([sys.executable, "-c", code], text=True).split())

    assert "roundwatch.core.hub.watch_client" in modules
    assert not modules & {"roundwatch.core.hub.server", "roundwatch.core.hub.sqlite_store", "sqlite3"}
