"""The full screen: the only place of the command line that loads Textual."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...core.texts.texts import Texts
from ..app import RoundwatchApp
from ..home import Home
from ..keys import ACTIONS
from ..source import Source
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed


async def show(source: Source, context: Context, *, name: str) -> int:
    """Show the screen until the operator leaves it.

    Args:
        name: what the header calls the source.

    Raises:
        CommandFailed: the settings name a theme or an action that does not exist.
    """
    settings = context.settings
    home = Home.of(os.environ)
    chosen = home.preferences.current.locale
    texts = context.texts if context.asked_for_locale or chosen is None else Texts.load(chosen, settings.texts)
    app = RoundwatchApp(
        source,
        texts=texts,
        source_name=name,
        theme=settings.theme,
        load_texts=lambda locale: Texts.load(locale, settings.texts),
        home=home,
    )
    if settings.theme is not None:
        _check("theme", settings.theme, app.available_themes, context)
    known = {f"{action.place}.{action.name}" for action in ACTIONS}
    for id_ in settings.keymap:
        _check(f"keymap.{id_}", id_, known, context)
    app.set_keymap(dict(settings.keymap))
    await app.run_async()
    return ExitCode.ANSWERS if not app.return_code else ExitCode.UNUSABLE


def _check(key: str, name: str, known: Iterable[str], context: Context) -> None:
    if name not in (names := sorted(known)):
        raise CommandFailed(
            "cli.config.wrong_value",
            file=str(context.settings.path),
            key=key,
            expected=" | ".join(names),
            found=name,
        )
