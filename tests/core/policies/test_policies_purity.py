from __future__ import annotations

import subprocess
import sys

import roundwatch.core.policies as policies


def test_the_policies_load_no_loop_no_front_end_and_no_higher_layer() -> None:
    code = (
        "import sys, roundwatch.core.policies; "
        "bad = {'asyncio', 'websockets', 'httpx2', 'sqlite3', 'textual', 'rich', 'logging', 'roundwatch.core.texts', "
        "'roundwatch.core.wire', 'roundwatch.core.runner'}; print(sorted(bad & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_every_public_name_exists_and_says_what_it_is() -> None:
    for name in policies.__all__:
        value = getattr(policies, name)
        assert not callable(value) or (value.__doc__ or "").strip()
