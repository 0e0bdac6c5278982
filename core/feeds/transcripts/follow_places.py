"""Where agents keep their transcripts: by their own environment variables, the base directories, or in the home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A folder, or one file, in which a source's transcripts are looked for."""

    path: Path
    source: str | None
    """None: each file says itself what it is."""
    suffixes: tuple[str, ...] = (".jsonl",)
    part: str = ""
    """A folder that has to be on a file's way below ``path``; empty: none."""
    is_given: bool = False
    """An operator named it: it is missed where it is not there."""


ANY_SUFFIX = (".jsonl", ".json", ".eval", ".db")


def places(environment: Mapping[str, str], home: Path) -> list[Place]:
    """Return the places of all sources on this account; most of them may not exist."""
    claude = [Path(given) for given in environment.get("CLAUDE_CONFIG_DIR", "").split(",") if given.strip()]
    claude = claude or [home / ".claude", _folder(environment, "XDG_CONFIG_HOME", home / ".config") / "claude"]
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    pi = Path(environment.get("PI_CODING_AGENT_DIR") or home / ".pi" / "agent")
    gemini = Path(environment.get("GEMINI_CLI_HOME") or home) / ".gemini"
    opencode = _folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "opencode"
    logs = environment.get("INSPECT_LOG_DIR")
    found = [
        *(Place(folder / "projects", "claude-code") for folder in claude),
        Place(codex / "sessions", "codex"),
        Place(codex / "archived_sessions", "codex"),
        Place(pi / "sessions", "pi"),
        Place(gemini / "tmp", "gemini-cli", (".json", ".jsonl"), part="chats"),
        Place(opencode / "opencode.db", "opencode", (".db",)),
        Place(opencode / "storage" / "session", "opencode", (".json",)),
        Place(home / ".amplifier" / "projects", "amplifier", ("events.jsonl",)),
    ]
    if logs and "://" not in logs:
        found.append(Place(Path(logs), "inspect", (".eval",)))
    return found


def given_places(paths: list[Path]) -> list[Place]:
    """Return what an operator named: files of any format, or folders of them."""
    return [Place(path, None, ANY_SUFFIX, is_given=True) for path in paths]


def _folder(environment: Mapping[str, str], name: str, default: Path) -> Path:
    """Return a base directory; a relative one is ignored, as their specification asks."""
    given = Path(environment.get(name, ""))
    return given if given.is_absolute() else default
