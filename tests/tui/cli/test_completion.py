from __future__ import annotations

import shutil
import subprocess

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.cli.arguments import COMMANDS
from roundwatch.tui.cli.completion import script
from roundwatch.tui.cli.parser import SHELLS, command_line


def completion(shell: str) -> str:
    return script(shell, command_line(Texts.load("en")))


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_offered(shell: str) -> None:
    text = completion(shell)

    for name in (*COMMANDS, "export", "svg", "openai-chat"):
        assert name in text
    for option in ("--json", "--token-file", "--locale", "--no-auth"):
        assert (option.removeprefix("--") if shell == "fish" else option) in text


def completed(*words: str) -> list[str]:
    """Ask bash itself what it would offer for the last word."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed; to run this test: apt-get install bash")
    asked = " ".join(f"'{word}'" for word in words)
    lines = f"COMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}; _roundwatch; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run([bash, "-c", f"{completion('bash')}\n{lines}"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_offers_commands_options_and_choices() -> None:
    assert completed("roundwatch", "cl") == ["classify"]
    assert set(COMMANDS) < set(completed("roundwatch", ""))
    assert completed("roundwatch", "classify", "--j") == ["--json"]
    assert completed("roundwatch", "translate", "--format", "an") == ["anthropic"]
    assert completed("roundwatch", "rounds", "") == ["list", "show", "export"]
    assert completed("roundwatch", "rounds", "export", "--format", "s") == ["svg"]
