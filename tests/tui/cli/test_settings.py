from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.hub_settings import HubSettings
from roundwatch.tui.cli.settings import Settings, StoreSettings, load_settings, settings_file


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_everything_is_read(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        locale = "de"
        theme = "roundwatch-light"
        texts = "own.toml"
        [hubs.work]
        url = "wss://hub.example:7433"
        token_file = "work.token"
        [store]
        keep = 1000
        keep_days = 0.5
        keep_gib = 2
        synchronous = "normal"
        [keymap]
        "app.quit" = "x"
        main.next = "j"
        """,
    )

    settings = load_settings(file)

    assert settings.locale == "de"
    assert settings.theme == "roundwatch-light"
    assert settings.texts == tmp_path / "own.toml"
    assert settings.hubs["work"].url == "wss://hub.example:7433"
    assert settings.hubs["work"].token_file == tmp_path / "work.token"
    assert settings.store == StoreSettings(1000, 0.5, 2, "normal")
    assert settings.keymap == {"app.quit": "x", "main.next": "j"}


def test_how_the_hub_runs_is_read_with_paths_beside_the_file(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        [hub]
        host = "0.0.0.0"
        port = 0
        store = "redis://host:6379/1"
        tokens = "tokens"
        insecure = true
        host_names = ["hub.example"]
        [hub.limits]
        connections = 5
        drain_s = 0.5
        [hubs.work]
        url = "wss://hub.example"
        ca_file = "ca.pem"
        """,
    )

    settings = load_settings(file)

    assert settings.hub == HubSettings(
        host="0.0.0.0",
        port=0,
        store="redis://host:6379/1",
        tokens=tmp_path / "tokens",
        insecure=True,
        host_names=("hub.example",),
        limits={"connections": 5, "drain_s": 0.5},
    )
    assert settings.hubs["work"].ca_file == tmp_path / "ca.pem"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[hub]\nport = 70000", "hub.port"),
        ("[hub]\nport = true", "hub.port"),
        ('[hub]\ninsecure = "yes"', "hub.insecure"),
        ("[hub]\ntoken = 1", "hub.token"),
        ('[hub]\norigins = "x"', "hub.origins"),
        ("[hub.limits]\nconnections = 0", "hub.limits.connections"),
        ("[hub.limits]\nconnections = 1.5", "hub.limits.connections"),
        ("[hub.limits]\nspeed = 1", "hub.limits.speed"),
        ('[hubs.work]\nurl = "ws://h"\nca_file = 1', "hubs.work.ca_file"),
        ("locale = 5", "locale"),
        ('locale = "fr"', "locale"),
        ("theme = []", "theme"),
        ('theme = ""', "theme"),
        ("hubs = 1", "hubs"),
        ("[hubs]\nwork = 1", "hubs.work"),
        ("[hubs.work]", "hubs.work.url"),
        ('[hubs.work]\nurl = "localhost"', "hubs.work.url"),
        ('[hubs.work]\nurl = "ws://h"\ntoken_file = 1', "hubs.work.token_file"),
        ('[hubs.work]\nurl = "ws://h"\ntoken = "s3cret"', "hubs.work.token"),
        ("[keymap]\napp.quit = 1", "keymap.app.quit"),
        ("store = 1", "store"),
        ("[store]\nkeep = 1.5", "store.keep"),
        ("[store]\nkeep_days = 0", "store.keep_days"),
        ("[store]\nkeep_gib = nan", "store.keep_gib"),
        ("[store]\nkeep_gib = true", "store.keep_gib"),
        ('[store]\nsynchronous = "off"', "store.synchronous"),
        ("[store]\nkept = 1", "store.kept"),
        ('lokale = "de"', "lokale"),
    ],
)
def test_a_wrong_entry_is_named_by_its_key(tmp_path: Path, text: str, key: str) -> None:
    file = written(tmp_path, text)

    with pytest.raises(CommandFailed) as raised:
        load_settings(file)

    assert raised.value.values["key"] == key
    assert raised.value.values["file"] == str(file)


def test_a_token_in_the_wrong_place_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as raised:
        load_settings(written(tmp_path, '[hubs.work]\nurl = "ws://h"\ntoken = "s3cret"'))

    assert "s3cret" not in str(raised.value.values)


@pytest.mark.parametrize("text", ["locale =", "\x00", "[" * 5000])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(CommandFailed) as raised:
        load_settings(written(tmp_path, text))

    assert raised.value.key == "cli.config.unreadable"


def test_without_a_file_everything_is_left_open() -> None:
    assert not settings_file().exists()
    assert load_settings() == Settings()


def test_the_hubs_to_watch_are_a_list_of_names(tmp_path: Path) -> None:
    assert load_settings(written(tmp_path, 'watch = ["work", "ws://h:1"]')).watch == ("work", "ws://h:1")
    for wrong in ('watch = "work"', "watch = [1]", 'watch = [""]'):
        with pytest.raises(CommandFailed) as raised:
            load_settings(written(tmp_path, wrong))
        assert raised.value.values["key"] == "watch"


def test_a_named_file_has_to_exist(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as raised:
        load_settings(tmp_path / "none.toml")

    assert raised.value.key == "cli.config.missing"


def test_the_account_s_own_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "roundwatch").mkdir()
    written(tmp_path / "roundwatch", 'locale = "de"')

    assert load_settings().locale == "de"


def test_a_relative_xdg_folder_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "here")

    assert settings_file() == Path.home() / ".config" / "roundwatch" / "config.toml"


def test_a_secret_in_a_wrong_address_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as raised:
        load_settings(written(tmp_path, '[hubs.work]\nurl = "http://me:s3cret@h"'))

    assert "s3cret" not in str(raised.value.values)
