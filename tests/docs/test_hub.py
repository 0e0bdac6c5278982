from __future__ import annotations

import asyncio
import configparser
import dataclasses
import json
import re
import shlex
from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, Limits, Redaction, WatcherLimits, stored_events
from roundwatch.core.hub.token_list import parse_tokens
from roundwatch.core.texts import Texts
from roundwatch.tui.cli.hub_plan import limits
from roundwatch.tui.cli.hub_settings import KEYS, LIMITS, LIMITS_WATCHER
from roundwatch.tui.cli.parser import command_line
from roundwatch.tui.cli.settings import load_settings

from tests.docs.test_examples import EXAMPLES, example

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "hub.md").read_text("utf-8")
TWO = (DOCS / "two-hubs.md").read_text("utf-8")
SETTINGS = re.findall(r"```toml\n(\[hub\]\n.*?)```", PAGE + TWO, re.DOTALL)


def parsed(words: list[str]) -> dict[str, object]:
    """Return what a command line of ours means; fails where an option does not exist."""
    assert words[0].rpartition("/")[2] == "roundwatch"
    return vars(command_line(Texts.load("en")).parser.parse_args(words[1:]))


def test_the_unit_can_be_read_and_its_commands_exist() -> None:
    unit = configparser.ConfigParser(strict=True, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(EXAMPLES / "roundwatch-hub.service", "utf-8")
    service = unit["Service"]
    assert parsed(shlex.split(service["ExecStart"]))["log_json"] is True
    assert service["ExecReload"] == "/bin/kill -HUP $MAINPID"
    assert f"{service['Environment'].partition('=')[2]}/{service['StateDirectory']}" == "/var/lib/roundwatch"
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_the_container_runs_a_hub_by_options_that_exist() -> None:
    lines = (EXAMPLES / "Containerfile").read_text("utf-8").splitlines()
    said = {
        name: rest for name, _, rest in (line.partition(" ") for line in lines if line and not line.startswith("#"))
    }
    args = parsed([*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"])])
    assert (args["command"], args["host"]) == ("hub", "0.0.0.0")
    assert said["STOPSIGNAL"] == "SIGTERM"
    assert said["FROM"] == "python:3.12-slim"


def test_the_commands_on_the_pages_exist() -> None:
    blocks = re.findall(r"```console\n(.*?)```", PAGE + TWO, re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) >= 2
    for command in commands:
        parsed(shlex.split(command, comments=True))


@pytest.mark.parametrize("block", SETTINGS)
def test_the_settings_on_the_pages_are_read(block: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(block)
    settings = load_settings(file)
    assert settings.hub.host == "0.0.0.0"
    assert limits(settings.hub).connections in (1000, 2000)
    assert settings.store.keep_days == 30


def test_every_key_and_every_limit_stands_there_with_its_default() -> None:
    listed = PAGE[PAGE.index("All keys of `[hub]`") :].partition(". The command line")[0]
    assert set(re.findall(r"`([a-z_]+)`", listed)) == set(KEYS)
    rows = {name: float(value) for name, value in re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", PAGE, re.MULTILINE)}
    defaults = dataclasses.asdict(Limits()) | dataclasses.asdict(WatcherLimits())
    del defaults["watcher"]
    assert rows == defaults
    assert set(defaults) == {*LIMITS, *LIMITS_WATCHER}


async def test_every_metric_stands_there_and_no_other(tmp_path: Path) -> None:
    from tests.core.hub.test_server import get

    async with Hub(tmp_path / "s.db", port=0) as hub:
        _, _, body = await get(hub, "/metrics")
    told = {name for name in re.findall(r"^# TYPE (\w+)", body, re.MULTILINE) if not name.endswith("_created")}
    assert set(re.findall(r"^\| `(roundwatch_[a-z_]+)` \|", PAGE, re.MULTILINE)) == told


def test_the_token_list_and_the_redaction_file_are_read(tmp_path: Path) -> None:
    listed = re.search(r"```\n(# name .*?)```", PAGE, re.DOTALL)
    assert listed is not None
    text = listed[1].replace("Jx1n…", "J" * 20).replace("9f86d0…", "9f" * 32).replace("Kd83…", "K" * 20)
    assert {who.name for who in parse_tokens(text, "docs").values()} == {"worker", "screen", "prometheus"}
    rules = tmp_path / "redaction.toml"
    rules.write_text(re.findall(r"```toml\n(\[\[rule\]\].*?)```", PAGE, re.DOTALL)[0])
    line = Redaction.from_file(rules).line('{"text":"open sesame, sk-abcdefghijklmnopqrstuvwxyz"}')
    assert json.loads(line)["text"] == "[redacted: door code], [redacted: api key]"


async def test_the_example_publishes_from_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with Hub(tmp_path / "s.db", port=0) as hub:
        await asyncio.to_thread(example("publish_from_threads").main, hub.url)
    lines = [json.loads(event.line) for event in stored_events(tmp_path / "s.db")]
    assert len(lines) == 40
    assert {line["round"] for line in lines} == {f"from-thread-{number}" for number in range(8)}
