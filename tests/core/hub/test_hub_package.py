from __future__ import annotations

import subprocess
import sys


def test_the_hub_loads_no_front_end() -> None:
    code = "import sys, roundwatch.core.hub; print(sorted({'textual', 'rich', 'httpx2'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
