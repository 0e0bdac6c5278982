"""``hub --check`` and ``hub --backup``: looking after a store instead of running a hub on it."""

from __future__ import annotations

from pathlib import Path

from ...core.hub import StoreError, back_up, check_store
from ...core.texts.clean import clean
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed


def checked(store: Path, context: Context) -> int:
    """Check a store in full and say what was found; exit code 1 where something was.

    Raises:
        CommandFailed: there is no store that could be checked.
    """
    context.note("cli.hub.checking", file=str(store))
    try:
        findings = check_store(store)
    except StoreError as error:
        raise CommandFailed("cli.hub.unchecked", why=error) from None
    if not context.output.is_terminal:
        context.output.result_json({"store": str(store), "is_sound": not findings, "findings": findings})
    for finding in findings if context.output.is_terminal else ():
        context.output.result(clean(finding))
    if findings:
        raise CommandFailed("cli.hub.damaged", code=ExitCode.NOT_ANSWERS, file=str(store))
    context.note("cli.hub.sound", file=str(store))
    return ExitCode.ANSWERS


def backed_up(store: Path, target: Path, context: Context) -> int:
    """Copy a store, whether or not a hub uses it.

    Raises:
        CommandFailed: it cannot be read, or the copy cannot be written.
    """
    try:
        back_up(store, target)
    except StoreError as error:
        raise CommandFailed("cli.hub.no_backup", why=error) from None
    if context.output.is_terminal:
        context.output.result(context.texts("cli.hub.backed_up", store=clean(str(store)), file=clean(str(target))))
    else:
        context.output.result_json({"store": str(store), "backup": str(target)})
    return ExitCode.ANSWERS
