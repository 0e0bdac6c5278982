"""``proxy``: a recording reverse proxy; one line says where it listens, signals end it in good order."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.feeds import Capture, MissingExtra, Observer, Upstream, UpstreamError, Upstreams, variables
from ...core.feeds.extra import LIBRARIES, require
from ...core.feeds.heads import is_loopback
from ...core.feeds.loops import loop_factory
from ...core.feeds.ports import DEFAULT_PORT, base_url
from ...core.hub import HubError, Publisher
from ...core.texts.clean import clean
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .hubs import Given, Target, is_listening, target
from .loading import settle_memory

if TYPE_CHECKING:
    from ssl import SSLContext

    from ...core.feeds.outgoing import Outgoing
    from ...core.feeds.proxy import Counts, Proxy

PRODUCER = "proxy"


def run(args: argparse.Namespace, context: Context) -> int:
    """Forward until SIGTERM (exit code 0) or SIGINT (130); what was seen is published first."""
    upstreams = _upstreams(args.upstream)
    port = DEFAULT_PORT if args.port is None else args.port
    if args.print_env:
        return _print_env(args, port, context)
    try:
        require(*LIBRARIES)
    except MissingExtra as error:
        raise CommandFailed("cli.proxy.missing", why=str(error)) from None
    own_tls, outgoing = _own_tls(args), _outgoing()
    hub = target(args.to, Given.of(args), context)
    try:
        publisher = Publisher(hub.url, token=hub.token, producer=PRODUCER, ca_file=hub.ca_file)
    except ValueError as error:
        raise CommandFailed("cli.watch.wrong_url", why=error) from None
    except HubError as error:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=error) from None
    observer = Observer(publisher.publish, capture=Capture(args.capture), idle_s=args.idle)
    from ...core.feeds.proxy import Proxy, ProxyError

    try:
        proxy = Proxy(upstreams, observer, host=args.host, port=port, own_tls=own_tls, outgoing=outgoing)
        names = list(upstreams.by_name)
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            code = runner.run(_forward(proxy, observer, publisher, names, hub, context))
    except ProxyError as error:
        raise CommandFailed("cli.proxy.failed", why=error) from None
    except HubError as error:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=error) from None
    _tell(proxy.counts, observer, context)
    return code


def _print_env(args: argparse.Namespace, port: int, context: Context) -> int:
    if not (args.host and is_loopback(args.host)):
        from ...core.feeds.proxy import not_loopback

        raise CommandFailed("cli.proxy.failed", why=not_loopback(args.host))
    if port == 0:
        raise CommandFailed("cli.proxy.print_env_port")
    for name, value in variables(base_url(args.host, port, tls=args.tls_cert is not None)).items():
        context.output.result(f"export {name}={value}")
    return ExitCode.ANSWERS


def _own_tls(args: argparse.Namespace) -> SSLContext | None:
    if args.tls_cert is None:
        if args.tls_key is not None:
            raise CommandFailed("cli.proxy.key_alone")
        return None
    from ...core.hub.tls import CertificateError, server_context

    try:
        return server_context(args.tls_cert, args.tls_key)
    except CertificateError as error:
        raise CommandFailed("cli.proxy.wrong_certificate", why=error) from None


def _outgoing() -> Outgoing | None:
    from ...core.feeds.outgoing import Outgoing, OutgoingError

    try:
        return Outgoing.of(os.environ)
    except OutgoingError as error:
        raise CommandFailed("cli.proxy.wrong_outgoing", why=error) from None


def _upstreams(given: list[str]) -> Upstreams:
    more: list[Upstream] = []
    for text in given:
        name, _, url = text.partition("=")
        try:
            more.append(Upstream.parse(name, url))
        except UpstreamError as error:
            raise CommandFailed("cli.proxy.wrong_upstream", why=error) from None
    return Upstreams.with_well_known(more)


async def _forward(
    proxy: Proxy, observer: Observer, publisher: Publisher, names: Sequence[str], hub: Target, context: Context
) -> ExitCode:
    stopped = _signals()
    async with publisher, observer, proxy:
        _say_where(proxy.url, names, observer.capture, context)
        if not await is_listening(hub.url):
            context.note("cli.proxy.no_hub", url=hub.url)
        context.note("cli.proxy.ready")
        settle_memory()
        code = await stopped
        context.note("cli.proxy.stopping")
    return code


def _say_where(url: str, names: Sequence[str], capture: Capture, context: Context) -> None:
    """Tell that it runs: a person in a sentence, a program in JSON."""
    if context.output.is_terminal:
        shown = ", ".join(f"/{clean(name)}" for name in names)
        context.output.result(context.texts("cli.proxy.runs", url=url, names=shown))
    else:
        upstreams = {name: f"{url}/{name}" for name in names}
        context.output.result_json({"url": url, "capture": capture.value, "upstreams": upstreams})
    context.output.flush()


def _tell(counts: Counts, observer: Observer, context: Context) -> None:
    context.note("cli.proxy.counts", n=counts.requests, observed=counts.observed, passed=counts.passed_through)
    for key, n in (
        ("cli.proxy.refused", counts.refused),
        ("cli.proxy.lost", observer.lost_calls),
        ("cli.proxy.unreadable", observer.unreadable),
        ("cli.proxy.unpublished", observer.unpublished),
    ):
        if n:
            context.note(key, n=n)


def _signals() -> asyncio.Future[ExitCode]:
    """Return what the first signal asks for, once it comes."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[ExitCode] = loop.create_future()

    def stop(code: ExitCode) -> None:
        if not stopped.done():
            stopped.set_result(code)

    loop.add_signal_handler(signal.SIGTERM, stop, ExitCode.ANSWERS)
    loop.add_signal_handler(signal.SIGINT, stop, ExitCode.INTERRUPTED)
    return stopped
