"""Every action with its keys, in one table: bindings, footer, help and command palette all read it.

Keys are ones that reach the app through tmux, screen and ssh and that a German keyboard has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, cast, runtime_checkable

from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.keys import format_key

from ..core.texts import Texts


class Place(StrEnum):
    """Where an action's keys count."""

    APP = "app"
    MAIN = "main"
    ROUNDS = "rounds"
    TIMELINE = "timeline"
    READING = "reading"
    """A screen that is read and closed: help, inspector."""
    ENTRY = "entry"
    """The line in which something is typed."""
    MENU = "menu"
    """A short list of choices: export, settings."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something the operator can do."""

    name: str
    action: str
    """What Textual runs."""
    keys: str
    """As Textual names them, separated by commas; empty where a field takes the key itself."""
    shown: str
    """As a person reads them."""
    place: Place
    hint: str
    """Key of the one or two words that stand in the footer."""
    command: str | None = None
    """Key of its title in the command palette; None = not there."""
    in_footer: int = 0
    """Rank in the footer, 1 first; 0 = not there."""

    @property
    def id(self) -> str:
        """What a keymap calls it."""
        return f"{self.place}.{self.name}"


def _scrolling(place: Place) -> tuple[Action, ...]:
    return (
        Action("page_up", "scroll_page(-1)", "pageup", "PgUp", place, "tui.key.page"),
        Action("page_down", "scroll_page(1)", "pagedown,space", "PgDn", place, "tui.key.page"),
        Action("start", "scroll_to_end('first')", "home,g", "Home", place, "tui.key.start"),
        Action("end", "scroll_to_end('last')", "end,G", "End", place, "tui.key.end"),
    )


ACTIONS: tuple[Action, ...] = (
    Action("up", "move(-1)", "up,k", "↑↓", Place.ROUNDS, "key.up_down", in_footer=8),
    Action("down", "move(1)", "down,j", "", Place.ROUNDS, "key.up_down"),
    Action("page_up", "move_page(-1)", "pageup", "PgUp", Place.ROUNDS, "tui.key.page"),
    Action("page_down", "move_page(1)", "pagedown", "PgDn", Place.ROUNDS, "tui.key.page"),
    Action("newest", "move_to('first')", "home,g", "Home", Place.ROUNDS, "tui.key.newest"),
    Action("oldest", "move_to('last')", "end,G", "End", Place.ROUNDS, "tui.key.oldest"),
    Action("open", "open", "enter", "↵", Place.ROUNDS, "tui.key.open", in_footer=2),
    Action("filter", "filter", "slash", "/", Place.ROUNDS, "key.filter", "command.filter", in_footer=6),
    Action("fold", "fold", "space,left,right", "Space", Place.ROUNDS, "key.fold", "tui.command.fold"),
    Action(
        "clear_filter", "clear_filter", "escape", "esc", Place.ROUNDS, "command.clear_filter", "command.clear_filter"
    ),
    Action("up", "step(-1)", "up,k", "↑↓", Place.TIMELINE, "key.up_down", in_footer=8),
    Action("down", "step(1)", "down,j", "", Place.TIMELINE, "key.up_down"),
    *_scrolling(Place.TIMELINE),
    Action("inspect", "inspect", "enter", "↵", Place.TIMELINE, "key.inspect", "command.inspect", in_footer=2),
    Action("search", "search", "slash", "/", Place.TIMELINE, "tui.key.search", "tui.command.search", in_footer=6),
    Action("back", "leave", "escape", "esc", Place.TIMELINE, "key.rounds", in_footer=3),
    Action("up", "scroll_lines(-1)", "up,k", "↑↓", Place.READING, "key.up_down", in_footer=3),
    Action("down", "scroll_lines(1)", "down,j", "", Place.READING, "key.up_down"),
    *_scrolling(Place.READING),
    Action("raw", "raw", "r", "r", Place.READING, "tui.key.raw", in_footer=6),
    Action("close", "close", "escape,enter", "esc", Place.READING, "key.close", in_footer=2),
    Action("facts", "facts", "i", "i", Place.MAIN, "tui.key.facts", "tui.command.facts"),
    Action("pin", "pin", "p", "p", Place.MAIN, "key.pin", "command.pin"),
    Action("goto", "goto", "colon,ctrl+g", ":", Place.MAIN, "tui.key.goto", "tui.command.goto"),
    Action("search_on", "search_on", "f3", "F3", Place.MAIN, "tui.key.search_on", "tui.command.search_on"),
    Action("sort", "next_order", "S", "S", Place.MAIN, "tui.key.sort", "tui.command.sort"),
    Action("next", "next_problem", "n", "n", Place.MAIN, "key.next_problem", "command.next_problem", in_footer=7),
    Action("previous", "previous_problem", "N", "N", Place.MAIN, "key.previous_problem", "command.previous_problem"),
    Action("follow", "follow", "f", "f", Place.MAIN, "key.follow", "command.newest", in_footer=12),
    Action("pane", "switch_pane", "tab", "tab", Place.MAIN, "key.switch_panel", "tui.command.switch", in_footer=13),
    Action("older", "older", "o", "o", Place.MAIN, "tui.key.older", "tui.command.older"),
    Action("up", "move(-1)", "up,k", "↑↓", Place.MENU, "key.up_down", in_footer=1),
    Action("down", "move(1)", "down,j", "", Place.MENU, "key.up_down"),
    Action("choose", "choose(1)", "enter,right,space", "↵", Place.MENU, "tui.key.choose", in_footer=2),
    Action("choose_back", "choose(-1)", "left", "←", Place.MENU, "tui.key.choose_back"),
    Action("close", "close", "escape", "esc", Place.MENU, "key.close", in_footer=3),
    Action("complete", "complete", "tab", "tab", Place.ENTRY, "tui.key.complete", in_footer=2),
    Action("accept", "accept", "", "↵", Place.ENTRY, "tui.key.accept", in_footer=1),
    Action("drop", "drop", "escape", "esc", Place.ENTRY, "tui.key.drop", in_footer=3),
    Action("other", "other(-1)", "up", "↑↓", Place.ENTRY, "tui.key.other", in_footer=4),
    Action("next_other", "other(1)", "down", "", Place.ENTRY, "tui.key.other"),
    Action("remember", "remember", "f2", "F2", Place.ENTRY, "tui.key.remember", in_footer=5),
    Action("statistics", "statistics", "s", "s", Place.APP, "key.statistics", "command.statistics", in_footer=9),
    Action("mark", "mark", "m", "m", Place.APP, "tui.key.mark", "tui.command.mark"),
    Action("compare", "compare", "c", "c", Place.APP, "tui.key.compare", "tui.command.compare"),
    Action("export", "export", "e", "e", Place.APP, "key.export", "tui.command.export", in_footer=11),
    Action("export_json", "export_round('json')", "", "", Place.APP, "key.export", "command.export_json"),
    Action("export_markdown", "export_round('markdown')", "", "", Place.APP, "key.export", "command.export_markdown"),
    Action("export_svg", "export_round('svg')", "", "", Place.APP, "key.export", "command.export_svg"),
    Action("export_csv", "export_list", "", "", Place.APP, "key.export", "tui.command.export_csv"),
    Action("copy", "copy", "y", "y", Place.APP, "key.copy", "tui.command.copy", in_footer=14),
    Action("copy_reason", "copy_reason", "", "", Place.APP, "key.copy", "command.copy_reason"),
    Action("copy_call", "copy_call", "", "", Place.APP, "key.copy", "command.copy_call"),
    Action("copy_round", "copy_round", "", "", Place.APP, "key.copy", "command.copy_round"),
    Action("save", "save", "w", "w", Place.APP, "key.save", "command.save_text", in_footer=15),
    Action("settings", "settings", "comma", ",", Place.APP, "tui.key.settings", "tui.command.settings"),
    Action("language", "language", "l", "l", Place.APP, "key.language", "command.language", in_footer=5),
    Action("theme", "next_theme", "t", "t", Place.APP, "key.theme", "tui.command.theme", in_footer=16),
    Action("help", "help", "question_mark,f1", "?", Place.APP, "key.help", "command.help", in_footer=1),
    Action("commands", "commands", "ctrl+p", "^p", Place.APP, "key.commands", in_footer=10),
    Action("quit", "quit", "q", "q", Place.APP, "key.quit", "command.quit", in_footer=4),
    Action("interrupt", "interrupt", "ctrl+c", "", Place.APP, "key.quit"),
)

PAIRS = {"up": "down", "other": "next_other"}
"""Actions that stand under one label with the one that goes the other way."""
IN_OVERLAYS = frozenset(("language", "theme", "copy", "save"))
"""Actions of the app that mean something over another screen, too."""


def key_name(shown: str, texts: Texts) -> str:
    """Return what a key is called where the viewer is: ``Home`` is ``Pos1`` on a German keyboard."""
    key = f"tui.key_name.{shown.lower()}"
    return texts(key) if key in texts else shown


def action_of(id_: str) -> Action:
    """Return the action that a keymap calls ``id_``."""
    return next(action for action in ACTIONS if action.id == id_)


@runtime_checkable
class Keyed(Protocol):
    """An app whose keys the operator can change."""

    keymap: Mapping[str, str]
    """Other keys by the id of their binding, separated by commas."""


def keymap_of(shown: DOMNode) -> Mapping[str, str]:
    """Return the keys that the operator of the app around ``shown`` has changed; none for any other app."""
    app = cast(object, shown.app)  # pyright: ignore[reportUnknownMemberType]
    return app.keymap if isinstance(app, Keyed) else {}


def key_label(action: Action, texts: Texts, keymap: Mapping[str, str]) -> str:
    """Return what a person reads for an action's key: the keymap's, else its own; empty when it has none."""
    other = PAIRS.get(action.name)
    pair = next((each for each in ACTIONS if (each.place, each.name) == (action.place, other)), None)
    if pair is not None and (action.id in keymap or pair.id in keymap):
        both = [_first_key(each, keymap) for each in (action, pair)]
        return ("" if all(len(key) == 1 for key in both) else " ").join(key_name(key, texts) for key in both)
    return key_name(_first_key(action, keymap) if action.id in keymap else action.shown, texts)


def _first_key(action: Action, keymap: Mapping[str, str]) -> str:
    """Return the first key that an action has, written like those of the table."""
    key = format_key(keymap.get(action.id, action.keys).split(",")[0].strip())
    return key.replace("ctrl+", "^").replace("⏎", "↵")


def bindings_for(*places: Place) -> list[BindingType]:
    """Return the key bindings of some places; each has an id, so that a keymap can change its key."""
    return [
        Binding(action.keys, action.action, action.name, show=False, id=action.id)
        for action in ACTIONS
        if action.place in places and action.keys
    ]


def app_bindings() -> list[BindingType]:
    """Return the app's own keys for a modal screen, which otherwise hides them."""
    return [
        Binding(action.keys, f"app.{action.action}", action.name, show=False, id=action.id)
        for action in ACTIONS
        if action.place is Place.APP and action.keys
    ]


def footer_for(*places: Place) -> list[Action]:
    """Return the actions that a footer names, most needed first."""
    chosen = [action for action in ACTIONS if action.in_footer and action.place in places]
    return sorted(chosen, key=lambda action: action.in_footer)
