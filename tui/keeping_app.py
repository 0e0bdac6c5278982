"""The app's actions that take something off the screen: copy, save, export."""

from __future__ import annotations

from collections.abc import Callable

from ..core.rounds import Call
from ..core.texts import Texts
from .base_app import BaseApp
from .exact_text import ExactText, call_text, entry_text, finish_reason_text
from .keeper import Keeper
from .main_screen import MainScreen
from .menu_screen import MenuRow, MenuScreen
from .reading_screen import ReadingScreen

EXPORTS = ("json", "markdown", "svg", "csv")


class KeepingApp(BaseApp):
    """What is taken is what the cursor is on; a round in the list goes as its report."""

    @property
    def keeper(self) -> Keeper:
        """What copies and saves."""
        return Keeper(self.home.folder, self.current_texts, self.tell, self.to_terminal)

    def action_copy(self) -> None:
        """Copy what the cursor is on."""
        if (exact := self._under_cursor()) is not None:
            self.keeper.copy(exact)

    def action_save(self) -> None:
        """Save what the cursor is on, exactly as received."""
        if (exact := self._under_cursor()) is not None:
            self.keeper.save(exact)

    def action_copy_round(self) -> None:
        """Copy the selected round's report."""
        if (exact := self._report()) is not None:
            self.keeper.copy(exact)

    def action_copy_reason(self) -> None:
        """Copy the call's finish reason, verbatim."""
        self._copy_of_call(finish_reason_text)

    def action_copy_call(self) -> None:
        """Copy the call as JSON."""
        self._copy_of_call(call_text)

    def _copy_of_call(self, make: Callable[[Call], ExactText | None]) -> None:
        round_, main = self.selected_round(), self.main_screen()
        if round_ is None or main is None:
            return
        entry = main.entry_under_cursor()
        call = entry if isinstance(entry, Call) else round_.last_call
        exact = make(call) if call is not None else None
        if exact is None:
            self.tell("ui.none_reported" if call is not None else "tui.round.no_calls")
        else:
            self.keeper.copy(exact)

    def _under_cursor(self) -> ExactText | None:
        screen = self.screen
        if isinstance(screen, ReadingScreen):
            return entry_text(screen.entry) if screen.entry is not None else None
        if not isinstance(screen, MainScreen):
            return None
        entry = screen.entry_under_cursor() if screen.reads else None
        return entry_text(entry) if entry is not None else self._report()

    def _report(self) -> ExactText | None:
        from .exports import report_text  # brings rich's renderer, which a screen that only watches does not need

        round_ = self.selected_round()
        if round_ is None:
            return None
        return ExactText("tui.what.report", round_.id, report_text(round_, self.texts, self.now()))

    def action_export(self) -> None:
        """Offer the forms a round, or the list, can be exported in."""
        if isinstance(self.screen, MainScreen):
            self.push_screen(MenuScreen(self.current_texts, "tui.menu.export", self._export_rows), self._exported)

    def _export_rows(self, texts: Texts) -> list[MenuRow]:
        listed, chosen = texts("ui.rounds", n=len(self.watched.shown.rows)), self.watched.selected
        return [
            MenuRow(form, texts("tui.command.export_csv" if form == "csv" else f"command.export_{form}"),
                    about=listed if form == "csv" else chosen.id if chosen is not None else "")
            for form in EXPORTS
        ]  # fmt: skip

    def _exported(self, form: str | None) -> None:
        if form == "csv":
            self.action_export_list()
        elif form is not None:
            self.action_export_round(form)

    def action_export_round(self, form: str) -> None:
        """Write the selected round into a file."""
        if (round_ := self.selected_round()) is not None:
            self.keeper.export_round(round_, form, self.now(), self.watched.pricing)

    def action_export_list(self) -> None:
        """Write the listed rounds into a file."""
        self.run_worker(self.keeper.export_list(self.watched, self.now()), group="export", exclusive=True)
