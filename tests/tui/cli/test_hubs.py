from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from roundwatch.core.hub import DEFAULT_URL
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.hubs import Given, Target, is_listening, target, targets
from roundwatch.tui.cli.settings import Hub, Settings

from tests.tui.cli.surroundings import Surroundings

NOTHING = Given()


@pytest.fixture(autouse=True)
def no_token_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUNDWATCH_TOKEN", raising=False)


def token_file(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text(f"token-of-{name}\n")
    file.chmod(0o600)
    return file


def test_without_a_name_it_is_this_machine_s() -> None:
    assert target(None, NOTHING, Surroundings().context) == Target(DEFAULT_URL, None, is_named=False)


def test_a_configured_default_counts_as_named() -> None:
    settings = Settings(hubs={"default": Hub("ws://hub:1")})

    assert target(None, NOTHING, Surroundings(settings).context) == Target("ws://hub:1", name="default")


def test_several_hubs_each_have_their_own_token(tmp_path: Path) -> None:
    configured = {"work": Hub("wss://hub:1", token_file(tmp_path, "work")), "lab": Hub("ws://127.0.0.1:2")}
    context = Surroundings(Settings(hubs=configured)).context

    found = targets(["work", "lab", "ws://127.0.0.1:3"], NOTHING, context)

    assert [(each.label, each.token) for each in found] == [
        ("work", "token-of-work"),
        ("lab", None),
        ("ws://127.0.0.1:3", None),
    ]


def test_one_token_file_is_never_shown_to_several_hubs(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as raised:
        targets(["ws://a:1", "ws://b:1"], Given(token_file(tmp_path, "t")), Surroundings().context)

    assert raised.value.key == "cli.watch.token_for_several"


def test_a_hub_that_is_named_twice_is_watched_once() -> None:
    context = Surroundings(Settings(hubs={"work": Hub("ws://hub:1")})).context

    assert [each.label for each in targets(["work", "ws://hub:1/", "ws://hub:1"], NOTHING, context)] == ["work"]


def test_without_a_name_the_configured_list_is_watched_and_else_this_machine_s() -> None:
    hubs = {"work": Hub("ws://hub:1"), "lab": Hub("ws://hub:2")}
    listed = Surroundings(Settings(hubs=hubs, watch=("work", "lab"))).context

    assert [each.label for each in targets([], NOTHING, listed)] == ["work", "lab"]
    assert [each.label for each in targets(["lab"], NOTHING, listed)] == ["lab"]
    assert targets([], NOTHING, Surroundings().context) == [Target(DEFAULT_URL, None, is_named=False)]


def test_an_option_beats_the_configured_token_file(tmp_path: Path) -> None:
    settings = Settings(hubs={"work": Hub("wss://hub:1", token_file(tmp_path, "configured"))})
    context = Surroundings(settings).context

    assert target("work", NOTHING, context).token == "token-of-configured"
    assert target("work", Given(token_file(tmp_path, "given")), context).token == "token-of-given"


def test_a_name_that_is_neither_known_nor_an_address_is_told() -> None:
    with pytest.raises(CommandFailed) as raised:
        target("wrok", NOTHING, Surroundings().context)

    assert raised.value.values == {"name": "wrok"}


@pytest.mark.parametrize("address", ["http://hub:1", "https://user:secret@hub", "hub://x"])
def test_an_address_of_another_kind_is_told_and_not_quoted(address: str) -> None:
    with pytest.raises(CommandFailed) as raised:
        target(address, NOTHING, Surroundings().context)

    assert (raised.value.key, raised.value.values) == ("cli.watch.wrong_scheme", {})


def test_a_missing_token_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as raised:
        target("ws://hub:1", Given(tmp_path / "none"), Surroundings().context)

    assert raised.value.key == "cli.hub.token_missing"


async def test_somebody_listens_or_not() -> None:
    async with await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await is_listening(f"ws://127.0.0.1:{port}")
    assert not await is_listening(f"ws://127.0.0.1:{port}")


@pytest.mark.parametrize("url", ["ws://127.0.0.1:99999", "ws://", "ws://[::1"])
async def test_an_address_that_is_none_has_nobody(url: str) -> None:
    assert not await is_listening(url)
