"""The least Textual app there is: the baseline that the whole screen is measured against. A program of its own."""

from __future__ import annotations

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static


class Bare(App[None]):
    """Counts keys, as ``[0]``, ``[1]`` …"""

    ENABLE_COMMAND_PALETTE = False
    pressed = 0

    def compose(self) -> ComposeResult:
        """Yield one line, and as many as a screen of rounds has."""
        yield Static("[0]", markup=False, id="count")
        yield Static(
            "\n".join(f"row {number:02} of a screen as full as that of the rounds " * 2 for number in range(36))
        )

    def on_key(self, event: events.Key) -> None:
        """Paint one line anew."""
        self.pressed += 1
        self.query_one("#count", Static).update(f"[{self.pressed}]")


if __name__ == "__main__":
    Bare().run()
