from __future__ import annotations

import subprocess
import sys


def test_importing_the_package_loads_no_optional_library() -> None:
    names = "('httptools', 'httpx', 'httpx2', 'h11', 'brotli', 'zstandard', 'textual', 'rich')"
    code = f"import sys, roundwatch.core.feeds; print([name for name in {names} if name in sys.modules])"

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
