"""The full screen: the only place of the command line that loads Textual."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...core.texts.texts import Texts
from ..app import RoundwatchApp
from ..collector import Collector, prompt_threads
from ..ending import end_for_certain
from ..home import Home
from ..source import NamedSource, Source
from .context import Context
from .exit_codes import ExitCode
from .prices import pricing
from .screen_settings import check_screen_settings


async def show(source: Source, context: Context, *, name: str, more: Sequence[NamedSource] = ()) -> int:
    """Show the screen until the operator leaves it.

    Args:
        name: what the header calls the source.
        more: what is watched beside it.

    Raises:
        CommandFailed: the settings name a theme or an action that does not exist.
    """
    check_screen_settings(context)
    settings = context.settings
    home = Home.of(os.environ)
    chosen = home.preferences.current.locale
    texts = context.texts if context.asked_for_locale or chosen is None else Texts.load(chosen, settings.texts)
    collector = Collector()
    app = RoundwatchApp(
        source,
        texts=texts,
        source_name=name,
        theme=settings.theme,
        load_texts=lambda locale: Texts.load(locale, settings.texts),
        home=home,
        more=more,
        pricing=pricing(context),
        collector=collector,
    )
    app.set_keymap(dict(settings.keymap))
    with collector.at_work(), prompt_threads():
        await app.run_async(mouse=context.takes_mouse)
    code = ExitCode.FAULT if app.return_code == 1 else app.return_code or ExitCode.ANSWERS
    end_for_certain(code)
    return code
