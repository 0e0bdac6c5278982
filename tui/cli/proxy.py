"""``proxy``: a recording reverse proxy; one line of JSON says where it listens, signals end it in good order."""

from __future__ import annotations

import argparse
import asyncio
import signal
from typing import TYPE_CHECKING

from ...core.feeds import Capture, MissingExtra, Observer, Upstream, UpstreamError, Upstreams, variables
from ...core.feeds.extra import LIBRARIES, require
from ...core.feeds.ports import DEFAULT_PORT, base_url
from ...core.hub import HubError, Publisher
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .hubs import Target, is_listening, target

if TYPE_CHECKING:
    from ...core.feeds.proxy import Counts

PRODUCER = "proxy"


def run(args: argparse.Namespace, context: Context) -> int:
    """Forward until SIGTERM (exit code 0) or SIGINT (130); what was seen is published first."""
    upstreams = _upstreams(args.upstream)
    port = DEFAULT_PORT if args.port is None else args.port
    if args.print_env:
        for name, value in variables(base_url(args.host, port)).items():
            context.output.result(f"export {name}={value}")
        return ExitCode.ANSWERS
    try:
        require(*LIBRARIES)
    except MissingExtra as error:
        raise CommandFailed("cli.proxy.missing", why=str(error)) from None
    hub = target(args.to, args.token_file, context)
    try:
        publisher = Publisher(hub.url, token=hub.token, producer=PRODUCER)
    except ValueError as error:
        raise CommandFailed("cli.watch.wrong_url", why=str(error)) from None
    return asyncio.run(_forward(args, port, upstreams, publisher, hub, context))


def _upstreams(given: list[str]) -> Upstreams:
    more: list[Upstream] = []
    for text in given:
        name, _, url = text.partition("=")
        try:
            more.append(Upstream.parse(name, url))
        except UpstreamError as error:
            raise CommandFailed("cli.proxy.wrong_upstream", why=str(error)) from None
    return Upstreams.with_well_known(more)


async def _forward(
    args: argparse.Namespace, port: int, upstreams: Upstreams, publisher: Publisher, hub: Target, context: Context
) -> int:
    from ...core.feeds.proxy import Proxy, ProxyError

    stopped = _signals()
    capture = Capture(args.capture)
    observer = Observer(publisher.publish, capture=capture, idle_s=args.idle)
    try:
        proxy = Proxy(upstreams, observer, host=args.host, port=port)
        async with publisher, observer, proxy:
            names = {name: f"{proxy.url}/{name}" for name in upstreams.by_name}
            context.output.result_json({"url": proxy.url, "capture": capture.value, "upstreams": names})
            context.output.flush()
            if not await is_listening(hub.url):
                context.note("cli.proxy.no_hub", url=hub.url)
            context.note("cli.proxy.ready")
            code = await stopped
            context.note("cli.proxy.stopping")
    except ProxyError as error:
        raise CommandFailed("cli.proxy.failed", why=str(error)) from None
    except HubError as error:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=str(error)) from None
    _tell(proxy.counts, observer, context)
    return code


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
