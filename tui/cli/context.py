"""What every command is given: its texts, its streams, the operator's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...core.texts.texts import Texts
from ...core.texts.viewer_locale import locale_from_env, match_locale
from .event_lines import STDIN, EventLines
from .failure import CommandFailed
from .output import Output
from .settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of one command."""

    texts: Texts
    output: Output
    settings: Settings
    asked_for_locale: bool = False
    """The language comes from an option or the settings, not from the environment."""

    @classmethod
    def of(cls, output: Output, env: Mapping[str, str], *, locale: str | None, config: Path | None) -> Context:
        """Return the surroundings that options, settings and environment ask for, in that order.

        Raises:
            CommandFailed: the settings cannot be used, or there is no such language.
        """
        if locale is not None and match_locale(locale) is None:
            raise CommandFailed("cli.locale.unknown", locale=locale)
        settings = load_settings(config)
        language = locale_from_env(env, locale or settings.locale)
        texts = Texts.load(language, settings.texts)
        for problem in texts.problems:
            output.note(problem)
        return cls(texts, output, settings, asked_for_locale=(locale or settings.locale) is not None)

    def note(self, key: str, **values: str | int | float | None) -> None:
        """Tell something about the work, on stderr."""
        self.output.note(self.texts(key, **values))

    def file_name(self, name: str) -> str:
        """Return how a message names an input."""
        return self.texts("cli.input.stdin") if name == STDIN else name

    def told(self, lines: EventLines) -> None:
        """Tell which lines of an input were no events, the first few with their reasons."""
        name = self.file_name(lines.name)
        for bad in lines.first_bad:
            self.note("cli.input.bad_line", file=name, line=str(bad.number), why=bad.why)
        if lines.bad > len(lines.first_bad):
            self.note("cli.input.more_bad_lines", file=name, n=lines.bad - len(lines.first_bad))
