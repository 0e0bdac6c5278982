"""What stands over the main screen and is closed again, once."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Result = TypeVar("Result")


class OverlayScreen(ModalScreen[Result]):
    """Closing it twice, as two keys do that come at once, must close nothing else."""

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close this screen, if it is the one on top; Textual would close whatever is."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def repaint(self) -> None:
        """Draw what has changed."""
        raise NotImplementedError
