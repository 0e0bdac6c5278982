"""``translate``: one provider response, as it came over the wire, becomes event lines.

The events are those of one call. Whether a round is over says the program that ran it; where the response is all there
is, ``--whole-round`` says that this call was the round.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .context import Context
from .event_lines import opened, unreadable
from .exit_codes import ExitCode
from .failure import CommandFailed

if TYPE_CHECKING:
    from ...core.rounds import Event

CHUNK_BYTES = 64 * 1024
ERRORS_FROM = 400  # from this status on the body is an error page of any kind
REQUEST_BYTES = 64 * 1024 * 1024  # requests carry whole conversations; more is some other file


def run(args: argparse.Namespace, context: Context) -> int:
    """Write the events of the body; what in it could not be read is told with its place."""
    from ...core.rounds.events import RoundFinished, RoundStarted
    from ...core.wire import UnknownWire, translator

    try:
        translation = translator(
            args.format,
            round=args.round,
            call=args.call,
            request=_request(args.request),
            http_status=args.http_status,
        )
    except UnknownWire as error:
        raise CommandFailed("cli.translate.no_wire", why=str(error)) from None
    events: list[Event] = [RoundStarted(round=args.round)] if args.whole_round else []
    size = 0
    with opened(args.file) as file:
        while chunk := _chunk(file.read, args.file):
            size += len(chunk)
            events += translation.feed(chunk)
            if translation.has_read:
                _write(events, context)
                events.clear()
    events += translation.close(broken=args.broken)
    name = context.file_name(args.file)
    if translation.unreadable_count and not translation.has_read and args.http_status < ERRORS_FROM:
        raise CommandFailed("cli.translate.nothing", file=name, format=args.format)
    _write([*events, *([RoundFinished(round=args.round)] if args.whole_round else [])], context)
    if not size:
        context.note("cli.translate.empty", file=name)
    for fault in translation.unreadable[:5]:
        context.note("cli.translate.fault", file=name, offset=str(fault.offset), why=fault.why)
    if translation.unreadable_count:
        context.note("cli.translate.faults", file=name, n=translation.unreadable_count)
    return ExitCode.ANSWERS


def _chunk(read: Callable[[int], bytes], name: str) -> bytes:
    try:
        return read(CHUNK_BYTES)
    except OSError as error:
        raise unreadable(name, error) from None


def _write(events: Iterable[Event], context: Context) -> None:
    for event in events:
        context.output.result_json(event.model_dump(mode="json", exclude_none=True))


def _request(path: Path | None) -> Mapping[str, object] | None:
    """Return the request that was sent, which states the model and the output cap."""
    if path is None:
        return None
    try:
        if path.stat().st_size > REQUEST_BYTES:
            raise CommandFailed("cli.input.unreadable", file=str(path), why=f"> {REQUEST_BYTES} bytes")
        request = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandFailed("cli.input.unreadable", file=str(path), why=why) from None
    if not isinstance(request, dict):
        raise CommandFailed("cli.translate.no_request", file=str(path))
    return cast("dict[str, object]", request)
