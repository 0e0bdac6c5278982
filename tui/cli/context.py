"""What every command is given: its texts, its streams, the operator's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.texts.faults import fault_text
from ...core.texts.texts import Texts, Value
from ...core.texts.viewer_locale import locale_from_env, match_locale
from .event_lines import MOST_NUMBERED, STDIN, EventLines
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
    takes_mouse: bool = True
    """False: an option leaves the mouse to the terminal, whatever was chosen on the screen."""

    @classmethod
    def of(
        cls,
        output: Output,
        env: Mapping[str, str],
        *,
        locale: str | None,
        config: Path | None,
        takes_mouse: bool = True,
    ) -> Context:
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
        asked = (locale or settings.locale) is not None
        return cls(texts, output, settings, asked_for_locale=asked, takes_mouse=takes_mouse)

    def note(self, key: str, **values: str | int | float | Exception | None) -> None:
        """Tell something about the work, on stderr; an error among the values is said in the reader's language."""
        self.output.note(self.put(key, values))

    def put(self, key: str, values: Mapping[str, Value | Exception]) -> str:
        """Return one of our texts; an error among the values is said in the reader's language."""
        return self.texts(key, **said(values, self.texts))

    def file_name(self, name: str) -> str:
        """Return how a message names an input."""
        return self.texts("cli.input.stdin") if name == STDIN else name

    def told(self, lines: EventLines) -> None:
        """Tell which lines of an input were no events, the first few with their reasons."""
        for bad in lines.first_bad:
            self.bad_line(lines.name, bad.number, bad.error or bad.why)
        self.more_bad_lines(lines.name, lines.more_bad, lines.bad - len(lines.first_bad))

    def bad_line(self, name: str, number: int, why: str | Exception) -> None:
        """Tell that a line of an input is no event."""
        self.note("cli.input.bad_line", file=self.file_name(name), line=str(number), why=why)

    def more_bad_lines(self, name: str, numbers: Sequence[int], n: int) -> None:
        """Tell the numbers of further ``n`` lines that were no events, of the first dozens at least."""
        if n:
            shown = ", ".join(map(str, numbers[:MOST_NUMBERED]))
            if n > MOST_NUMBERED:
                shown = self.texts("banner.and_more", names=shown, n=n - MOST_NUMBERED)
            self.note("cli.input.more_bad_lines", file=self.file_name(name), n=n, lines=shown)


def said(values: Mapping[str, Value | Exception], texts: Texts) -> dict[str, Value]:
    """Return the values of a text with every error among them put into words."""
    return {name: fault_text(value, texts) if isinstance(value, Exception) else value for name, value in values.items()}
