from __future__ import annotations

import subprocess
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("there is no such limit", allow_module_level=True)

PROGRAM = """
import logging, resource, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
resource.setrlimit(resource.RLIMIT_NOFILE, (256, int(sys.argv[1])))
from roundwatch.core.hub.descriptors import make_room
print(make_room(1000))
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def told(hard: int) -> list[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(hard)], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_soft_limit_is_raised_to_what_is_needed() -> None:
    assert told(4096) == ["1768", "1768"]


def test_where_the_hard_limit_is_below_it_that_is_said() -> None:
    warning, *numbers = told(700)
    assert "only 700 files may be open" in warning
    assert numbers == ["700", "700"]
