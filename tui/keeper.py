"""Copying, saving, exporting: takes things off the screen and says what has become of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from ..core.prices import Pricing
from ..core.rounds import Round
from ..core.texts import Texts
from .exact_text import ExactText
from .saved_files import new_file, safe_stem
from .terminal_words import clipboard_sequence
from .watched import Watched

log = logging.getLogger(__name__)


class Tell(Protocol):
    """Shows one of our texts as a notice."""

    def __call__(self, key: str, /, **values: str | int) -> None:
        """Show the text of ``key``."""
        ...


class Keeper:
    """What leaves the screen: to the terminal's clipboard, or into files of this account only."""

    def __init__(
        self, folder: Path, texts: Callable[[], Texts], tell: Tell, to_terminal: Callable[[str], None]
    ) -> None:
        """Save into ``folder``; ``to_terminal`` writes a sequence as it is."""
        self._folder = folder
        self._texts = texts
        self._tell = tell
        self._to_terminal = to_terminal

    def copy(self, exact: ExactText) -> None:
        """Send a text to the terminal's clipboard; one that is too long for it goes into a file."""
        if not exact.text:
            self._tell("ui.empty")
            return
        sequence = clipboard_sequence(exact.text)
        if sequence is None:
            path = self._saved(exact)
            if path is not None:
                self._tell("tui.copy.too_long", file=str(path), n=len(exact.text))
            return
        self._to_terminal(sequence)
        self._tell("ui.copy_doubtful", what=self.name_of(exact))
        self._tell_withheld(exact)

    def save(self, exact: ExactText) -> None:
        """Write a text into a new file, byte for byte as it was received."""
        if not exact.text:
            self._tell("ui.empty")
            return
        path = self._saved(exact)
        if path is not None:
            self._tell("ui.saved", file=str(path))
            self._tell_withheld(exact)

    def name_of(self, exact: ExactText) -> str:
        """Return what a text is, in the viewer's language."""
        return self._texts()(exact.what, name=exact.name[:60])

    def export_round(self, round_: Round, form: str, now: datetime, pricing: Pricing) -> None:
        """Write a round into a new file: ``json``, ``markdown`` or ``svg``."""
        from .exports import ROUND_EXPORTS  # brings rich's renderer, which nothing else needs

        chosen = next(each for each in ROUND_EXPORTS if each.name == form)
        made = chosen.make(round_, self._texts(), now, pricing).encode("utf-8", "replace")
        path = self._written(safe_stem("round", round_.id), chosen.ending, (made,))
        if path is not None:
            self._tell("ui.saved", file=str(path))

    async def export_list(self, watched: Watched, now: datetime) -> None:
        """Write the listed rounds as CSV; keys and drawing have their turn in between."""
        from .exports import list_pieces

        try:
            with new_file(self._folder, "rounds", "csv") as (file, path):
                for piece in list_pieces(watched, now):
                    file.write(piece)
                    await asyncio.sleep(0)
        except OSError as error:
            self._failed(self._folder, error)
            return
        self._tell("ui.saved", file=str(path))

    def _saved(self, exact: ExactText) -> Path | None:
        stem = safe_stem(exact.what.rpartition(".")[2], exact.name)
        return self._written(stem, exact.ending, (exact.text.encode("utf-8", "surrogatepass"),))

    def _written(self, stem: str, ending: str, pieces: Iterable[bytes]) -> Path | None:
        try:
            with new_file(self._folder, stem, ending) as (file, path):
                for piece in pieces:
                    file.write(piece)
        except OSError as error:
            self._failed(self._folder / f"{stem}.{ending}", error)
            return None
        return path

    def _failed(self, path: Path, error: OSError) -> None:
        log.info("cannot save %s: %s", path, error)
        self._tell("ui.save_failed", file=str(path), error=error.strerror or str(error))

    def _tell_withheld(self, exact: ExactText) -> None:
        if exact.withheld:
            self._tell("ui.withheld", n=exact.withheld)
