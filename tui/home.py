"""What the app has around it: the operator's remembered choices, a folder for files, the terminal's encoding."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .preferences import PreferencesFile, preferences_path
from .saved_files import saved_folder


@dataclass(frozen=True, slots=True)
class Home:
    """Surroundings; the defaults remember nothing and assume a terminal with Unicode."""

    preferences: PreferencesFile = field(default_factory=PreferencesFile)
    folder: Path = field(default_factory=lambda: saved_folder(os.environ))
    """Where saved and exported files go; need not exist."""
    encoding: str | None = "utf-8"
    """What the terminal is written in; None = nobody knows."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Home:
        """Return this account's own surroundings."""
        return cls(
            PreferencesFile(preferences_path(environment)),
            saved_folder(environment),
            getattr(sys.__stderr__, "encoding", None),  # Textual draws there
        )
