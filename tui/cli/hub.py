"""``hub``: the server alone; one line says where it listens, signals end it in good order."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
from collections.abc import Callable
from functools import partial

from ...core.hub import Hub, HubError
from ...core.hub.descriptors import make_room
from ...core.hub.json_log import fields, log_as_json
from ...core.hub.tls import ServerCertificate
from ...core.texts.clean import clean
from . import hub_plan
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .hub_plan import Tokens
from .loading import settle_memory
from .store_care import backed_up, checked
from .store_place import StorePlace, file_of, shown, store_place

log = logging.getLogger(__name__)


def run(args: argparse.Namespace, context: Context) -> int:
    """Serve until SIGTERM (exit code 0) or SIGINT (130); what was accepted is committed first."""
    place = store_place(args, context)
    if args.check:
        return checked(file_of(place), context)
    if args.backup is not None:
        return backed_up(file_of(place), args.backup, context)
    if args.log_json or context.settings.hub.log_json:
        log_as_json(context.output.stderr)
        note: Note = _Logged(context)
    else:
        note = context.note
    try:
        tokens = hub_plan.tokens(args, context.settings.hub)
        certificate = hub_plan.certificate(args, context.settings.hub)
        hub = hub_plan.hub(place, tokens.read(), certificate, args, context)
        make_room(hub.limits.connections)
        return asyncio.run(_serve(hub, place, partial(_read_again, hub, tokens, certificate, note), context, note))
    except HubError as error:
        raise CommandFailed("cli.hub.failed", why=error) from None


Note = Callable[..., None]
"""Tells one of our texts, as ``Context.note`` does."""


class _Logged:
    """Tells them as events of the log: stderr then holds nothing but JSON."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __call__(self, key: str, **values: str | int | float | Exception | None) -> None:
        log.info("%s", self._context.put(key, values), extra=fields(key.replace(".", "_")))


async def _serve(hub: Hub, place: StorePlace, read_again: Callable[[], None], context: Context, note: Note) -> int:
    stop = asyncio.Event()
    codes: list[ExitCode] = []

    def stopped(code: ExitCode) -> None:
        codes.append(code)
        stop.set()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopped, ExitCode.ANSWERS)
    loop.add_signal_handler(signal.SIGINT, stopped, ExitCode.INTERRUPTED)
    loop.add_signal_handler(signal.SIGHUP, read_again)  # before: a slow start must survive it
    async with hub:
        if not hub.asks_for_token:
            note("cli.hub.no_token")
        settle_memory()
        _say_where(hub, shown(place), context)
        await stop.wait()
        note("cli.hub.stopping")
    return codes[0]


def _say_where(hub: Hub, store: str, context: Context) -> None:
    """Tell that it runs: a person in a sentence, a program in JSON."""
    if context.output.is_terminal:
        context.output.result(context.texts("cli.hub.ready", url=hub.url, store=clean(store)))
    else:
        context.output.result_json({"url": hub.url, "store": store, "asks_for_token": hub.asks_for_token})
    context.output.flush()


def _read_again(hub: Hub, tokens: Tokens, certificate: ServerCertificate | None, note: Note) -> None:
    """Take tokens and certificate as they are written now; what is wrong changes nothing."""
    try:
        ended = hub.change_access(tokens.read())
    except HubError as error:
        note("cli.hub.tokens_kept", why=error)
    else:
        note("cli.hub.tokens_read", n=ended)
    if certificate is None:
        return
    try:
        certificate.read_again()
    except HubError as error:
        note("cli.hub.certificate_kept", why=error)
    else:
        note("cli.hub.certificate_read")
