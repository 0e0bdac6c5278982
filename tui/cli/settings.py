"""The operator's own settings: one TOML file under the XDG configuration folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ...core.texts.viewer_locale import LANGUAGES, match_locale
from .failure import CommandFailed
from .hub_settings import KEYS, LIMITS, LIMITS_WATCHER, WHOLE, WHOLE_WATCHER, HubSettings

MOST_BYTES = 1_000_000  # settings are a page of text; a larger file is some other file
SYNCHRONOUS = ("full", "normal")
MOST = 1e12  # of anything that is counted here; TOML knows inf and nan too
TABLE = "[…]"
TEXT = '"…"'
NAMES = '["NAME", …]'


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub that has a name of its own on the command line."""

    url: str
    token_file: Path | None = None
    ca_file: Path | None = None
    """Authorities to trust instead of the system's."""


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """How the hub that this account runs keeps its store; None: see the command line."""

    keep: int | None = None
    keep_days: float | None = None
    keep_gib: float | None = None
    synchronous: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says; everything may be left out."""

    path: Path | None = None
    """Where it was read from; None when there is none."""
    locale: str | None = None
    theme: str | None = None
    texts: Path | None = None
    """A TOML file that replaces single texts."""
    prices: Path | None = None
    """The operator's own price file; None: ``prices.toml`` beside this one, where it is."""
    hubs: Mapping[str, Hub] = field(default_factory=dict[str, Hub])
    watch: tuple[str, ...] = ()
    """Names or addresses of the hubs that are watched where none is named."""
    store: StoreSettings = StoreSettings()
    hub: HubSettings = field(default_factory=HubSettings)
    keymap: Mapping[str, str] = field(default_factory=dict[str, str])
    """Keys by binding id, as ``rounds.filter = "ctrl+f"``."""


def settings_file() -> Path:
    """Return ``$XDG_CONFIG_HOME/roundwatch/config.toml`` (``~/.config`` by default); it may not exist."""
    given = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    base = given if given.is_absolute() else Path.home() / ".config"
    return base / "roundwatch" / "config.toml"


def load_settings(path: Path | None = None) -> Settings:
    """Return the settings in ``path``, or in the account's own file where there is one.

    Raises:
        CommandFailed: the file cannot be read or holds something else than settings; names the key.
    """
    file = path or settings_file()
    try:
        if file.stat().st_size > MOST_BYTES:
            raise CommandFailed("cli.config.unreadable", file=str(file), why=f"> {MOST_BYTES} bytes")
        tree = tomllib.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        if path is None:
            return Settings()
        raise CommandFailed("cli.config.missing", file=str(file)) from None
    except OSError as error:
        raise CommandFailed("cli.config.unreadable", file=str(file), why=error.strerror or str(error)) from None
    except (ValueError, RecursionError) as error:
        raise CommandFailed("cli.config.unreadable", file=str(file), why=str(error)) from None
    return _Reader(file).settings(tree)


class _Reader:
    """Takes the parsed file apart; every complaint names file and key."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def settings(self, tree: Mapping[str, object]) -> Settings:
        self._only_known("", tree, ("locale", "theme", "texts", "prices", "hubs", "watch", "store", "hub", "keymap"))
        keymap = self._table("keymap", tree.get("keymap", {}))
        texts = self._text("texts", tree.get("texts"))
        return Settings(
            path=self._file,
            locale=self._locale(tree.get("locale")),
            theme=self._text("theme", tree.get("theme")),
            texts=self._beside(texts),
            prices=self._beside(self._text("prices", tree.get("prices"))),
            hubs={name: self._hub(name, hub) for name, hub in self._table("hubs", tree.get("hubs", {})).items()},
            store=self._store(self._table("store", tree.get("store", {}))),
            hub=self._own_hub(self._table("hub", tree.get("hub", {}))),
            watch=self._names("watch", tree.get("watch", [])),
            keymap={name: self._text(f"keymap.{name}", keys) or "" for name, keys in self._flat(keymap)},
        )

    def _locale(self, value: object) -> str | None:
        text = self._text("locale", value)
        if text is not None and match_locale(text) is None:
            self._complain("locale", " | ".join(LANGUAGES), value)
        return text

    def _hub(self, name: str, value: object) -> Hub:
        hub = self._table(f"hubs.{name}", value)
        self._only_known(f"hubs.{name}.", hub, ("url", "token_file", "ca_file"))
        url = self._text(f"hubs.{name}.url", hub.get("url"))
        if url is None or not url.startswith(("ws://", "wss://")):
            found = None if url is None else f"{url.partition(':')[0][:20]}…"  # what follows may be a secret
            self._complain(f"hubs.{name}.url", "ws://… | wss://…", found)
        token_file, ca_file = (
            self._beside(self._text(f"hubs.{name}.{key}", hub.get(key))) for key in ("token_file", "ca_file")
        )
        return Hub(url or "", token_file, ca_file)

    def _own_hub(self, table: Mapping[str, object]) -> HubSettings:
        self._only_known("hub.", table, KEYS)
        store = self._text("hub.store", table.get("store"))
        return HubSettings(
            host=self._text("hub.host", table.get("host")),
            port=self._port(table.get("port")),
            store=store if store is not None and "://" in store else self._beside(store),
            redis_file=self._file_in(table, "redis_file"),
            allow_volatile=self._flag("hub.allow_volatile", table.get("allow_volatile")),
            tokens=self._file_in(table, "tokens"),
            tls_cert=self._file_in(table, "tls_cert"),
            tls_key=self._file_in(table, "tls_key"),
            insecure=self._flag("hub.insecure", table.get("insecure")),
            host_names=self._names("hub.host_names", table.get("host_names", [])),
            origins=self._names("hub.origins", table.get("origins", [])),
            redact=self._file_in(table, "redact"),
            log_json=self._flag("hub.log_json", table.get("log_json")),
            limits=self._limits(self._table("hub.limits", table.get("limits", {}))),
        )

    def _file_in(self, table: Mapping[str, object], key: str) -> Path | None:
        return self._beside(self._text(f"hub.{key}", table.get(key)))

    def _limits(self, table: Mapping[str, object]) -> Mapping[str, float]:
        self._only_known("hub.limits.", table, (*LIMITS, *LIMITS_WATCHER))
        limits: dict[str, float] = {}
        for name, value in table.items():
            number = self._number(f"hub.limits.{name}", value) or 0
            whole = name in WHOLE or name in WHOLE_WATCHER
            if whole and number != int(number):
                self._complain(f"hub.limits.{name}", "1…", value)
            limits[name] = int(number) if whole else number
        return limits

    def _port(self, value: object) -> int | None:
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 65535):
            return value
        self._complain("hub.port", "0 … 65535", value)
        return None

    def _flag(self, key: str, value: object) -> bool:
        if value is not None and not isinstance(value, bool):
            self._complain(key, "true | false", value)
        return value is True

    def _store(self, table: Mapping[str, object]) -> StoreSettings:
        self._only_known("store.", table, ("keep", "keep_days", "keep_gib", "synchronous"))
        synchronous = self._text("store.synchronous", table.get("synchronous"))
        if synchronous not in (None, *SYNCHRONOUS):
            self._complain("store.synchronous", " | ".join(SYNCHRONOUS), synchronous)
        keep = self._number("store.keep", table.get("keep"))
        if keep is not None and keep != int(keep):
            self._complain("store.keep", "1…", keep)
        return StoreSettings(
            keep=None if keep is None else int(keep),
            keep_days=self._number("store.keep_days", table.get("keep_days")),
            keep_gib=self._number("store.keep_gib", table.get("keep_gib")),
            synchronous=synchronous,
        )

    def _number(self, key: str, value: object) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < MOST:
            self._complain(key, "> 0", value)
            return None
        return value

    def _names(self, key: str, value: object) -> tuple[str, ...]:
        names = cast("list[object]", value) if isinstance(value, list) else [None]
        if not all(isinstance(name, str) and name for name in names):
            self._complain(key, NAMES, None)  # an address among them may hold a secret
        return tuple(cast("list[str]", names))

    def _beside(self, name: str | None) -> Path | None:
        """A relative path counts from the file that names it."""
        return None if name is None else self._file.parent / Path(name).expanduser()

    def _flat(self, table: Mapping[str, object], above: str = "") -> list[tuple[str, object]]:
        """Binding ids hold dots, which TOML reads as tables: put them together again."""
        found: list[tuple[str, object]] = []
        for name, value in table.items():
            if isinstance(value, dict):
                found += self._flat(cast("dict[str, object]", value), f"{above}{name}.")
            else:
                found.append((f"{above}{name}", value))
        return found

    def _table(self, key: str, value: object) -> Mapping[str, object]:
        if not isinstance(value, dict):
            self._complain(key, TABLE, value)
        return cast("dict[str, object]", value)

    def _text(self, key: str, value: object) -> str | None:
        if value is None or (isinstance(value, str) and value):
            return value
        self._complain(key, TEXT, value)
        return None

    def _only_known(self, above: str, table: Mapping[str, object], known: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                raise CommandFailed(
                    "cli.config.unknown_key", file=str(self._file), key=above + name, known=", ".join(known)
                )

    def _complain(self, key: str, expected: str, value: object) -> None:
        found = "–" if value is None else repr(value)[:60]
        raise CommandFailed("cli.config.wrong_value", file=str(self._file), key=key, expected=expected, found=found)
