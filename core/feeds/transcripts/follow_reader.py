"""One transcript while it is read: pieces of its file in, lines of events out, and where it stands."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from typing import BinaryIO

from ...hub.spool import substitute
from ...hub.stamping import FIT_BYTES, TooLarge, outgoing
from ...rounds import Event
from ...rounds.events import Unrecognised
from ...rounds.faults import CodedError
from .follow_branch import branch_name, branch_of
from .follow_identity import HEAD_BYTES, identity, named_identity
from .follow_positions import Position
from .follow_scan import Found
from .linked import LinkedTranscript, own_round
from .opencode_store import database_document, stored_document
from .seen import Claims, Seen
from .snapshot import SnapshotTranscript
from .sources import parser, sniff, source_of
from .transcript import Transcript
from .unreadable import Unreadable

BLOCK_BYTES = 1024 * 1024


class TranscriptReader:
    """Reads on from where it was; every method reads files and belongs into a thread.

    Events are numbered from 1 on, and the number of an event never changes, however often the file is read again.
    """

    def __init__(
        self, found: Found, format_: str, producer: str, file: BinaryIO, known: Position | None, told: Claims
    ) -> None:
        """See ``open_reader``."""
        self.source = source_of(format_)
        self.producer = producer
        self.inode = found.stamp.device, found.stamp.inode
        self._found = found
        self._file = file
        self._told = told
        self._format = format_
        self._parser: Transcript = self._new_parser()
        self._digest = hashlib.blake2b(digest_size=16)
        self.read_bytes = 0
        """Bytes that were read so far; 0 where the file is read as a whole each time."""
        self.numbered = 0
        """Events that came so far, those skipped too."""
        self._skip = known.events if known is not None else 0

    @property
    def is_snapshot(self) -> bool:
        """Whether the file is rewritten as a whole."""
        return isinstance(self._parser, SnapshotTranscript)

    @property
    def is_linked(self) -> bool:
        """Whether the file may hold what another one told first."""
        return isinstance(self._parser, LinkedTranscript)

    @property
    def unreadable(self) -> Unreadable:
        """What of the file could not be read."""
        return self._parser.unreadable

    @property
    def digest(self) -> str:
        """Of the bytes that were read."""
        return "" if self.is_snapshot else self._digest.hexdigest()

    def next(self) -> list[bytes] | None:
        """Return the lines of the next piece, without those that were skipped; None at the end of the file.

        Raises:
            OSError: the file cannot be read.
            StoreError: the database cannot be read.
        """
        if isinstance(self._parser, SnapshotTranscript):
            return None
        block = self._file.read(BLOCK_BYTES)
        if not block:
            return None
        self._digest.update(block)
        self.read_bytes += len(block)
        events = self._parser.feed(block)
        self._told.save()
        return self._numbered(events)

    def snapshot(self, found: Found) -> list[bytes]:
        """Return the lines that a new state of a rewritten file adds; raises as ``next`` does."""
        self._parser = self._new_parser()
        assert isinstance(self._parser, SnapshotTranscript)
        self._skip, self.numbered = max(self._skip, self.numbered), 0
        with opened(found) as file:
            return self._numbered(self._parser.read(file))

    def conclude(self) -> list[bytes]:
        """Return the lines that the end of the file concludes; their numbers are their own. The reader ends."""
        conclusions = self._parser.conclude() if isinstance(self._parser, SnapshotTranscript) else self._parser.close()
        lines = [line_of(event) for event in conclusions]
        self._told.save()
        return lines

    def sub_agents_over(self, *, all_: bool = False) -> list[tuple[str, list[bytes]]]:
        """Return by its producer name what is known of each sub-agent that is over and has no file of its own.

        Args:
            all_: the file is over, and with it all of its sub-agents.
        """
        if not isinstance(self._parser, LinkedTranscript):
            return []
        return [
            (
                f"{self.producer}.sub{named_identity(each.round)[:16]}",
                [line_of(event) for event in each.events(self.source)],
            )
            for each in self._parser.sub_agents_over(all_=all_)
            if not self._told.has(own_round(each.round))
        ]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _new_parser(self) -> Transcript:
        branch = branch_of(self.producer)
        return parser(self._format, seen=Seen(self._told), owner=self.producer, branch=branch)

    def _numbered(self, events: Iterable[Event]) -> list[bytes]:
        lines: list[bytes] = []
        for event in events:
            self.numbered += 1
            if self.numbered > self._skip:
                lines.append(line_of(event))
        return lines


class Unnamed(CodedError):
    """A file is too short, or in no known format: maybe later."""

    def __init__(self, *, is_known: bool) -> None:
        """``is_known``: its format is."""
        if is_known:
            super().__init__("not enough of the file is there", code="transcript_too_short")
        else:
            super().__init__("no transcript of a known format", code="transcript_unknown")
        self.is_known = is_known


def opened(found: Found) -> BinaryIO:
    """Return the bytes of what was found; raises OSError or StoreError."""
    if found.session is None:
        return found.path.open("rb")
    if found.path.suffix == ".db":
        return io.BytesIO(database_document(found.path, found.session))
    return io.BytesIO(stored_document(found.path))


def open_reader(
    found: Found, known: Position | None, told: Claims, *, is_whole: bool, is_branch: bool = False
) -> TranscriptReader:
    """Return a reader at the beginning of a transcript, which skips what the hub has.

    Where the beginning is not what it was when the hub got it, a name of its own begins.

    Args:
        told: whose the messages are that several files hold.
        is_branch: it begins like another file; what was told of it so far says so too.
        is_whole: nothing more will be added soon: a short file is taken as it is.

    Raises:
        Unnamed: it is too early to say what the file is.
        OSError: the file cannot be read.
        StoreError: the database cannot be read.
    """
    file = opened(found)
    try:
        head = file.read(HEAD_BYTES)
        file.seek(0)
        format_ = "opencode" if found.session is not None else sniff(head)
        if format_ is None:
            raise Unnamed(is_known=False)
        name = _name(found, format_, head, is_whole=is_whole)
        if name is None:
            raise Unnamed(is_known=True)
        base = f"follow.{source_of(format_)}.{name}"
        if is_branch or (known is not None and known.producer.startswith(f"{base}-")):
            base = branch_name(base, found.path.name)
        if known is not None and known.producer.partition("~")[0] != base:
            known = None
        producer = base if known is None else known.producer
        if known is not None and not _begins_as(file, known):
            producer, known = _next_name(known.producer), None
        return TranscriptReader(found, format_, producer, file, known, told)
    except BaseException:
        file.close()
        raise


def line_of(event: Event) -> bytes:
    """Return an event as the line that is published."""
    if isinstance(event, Unrecognised):
        return outgoing(event, None).line.encode()
    line = event.__pydantic_serializer__.to_json(event, exclude_none=True)  # bytes at once: there are many events
    if len(line) <= FIT_BYTES:
        return line
    try:
        return outgoing(line, None).line.encode()
    except TooLarge as error:
        return substitute(error.line.encode())


def _name(found: Found, format_: str, head: bytes, *, is_whole: bool) -> str | None:
    if found.session is not None:
        return named_identity(found.session)
    if format_ == "inspect":
        return identity(head[:4096].ljust(HEAD_BYTES, b"\0"), is_whole=True)  # its first entry never changes
    if format_ == "gemini-cli-json":
        return _document_name(head)
    return identity(head, is_whole=is_whole)


def _document_name(head: bytes) -> str | None:
    """Return the name of a document that is written anew: after its session, wherever that stands in it."""
    found = re.search(rb'"sessionId"\s*:\s*"([^"]+)"', head)
    return identity(head, is_whole=True) if found is None else named_identity(found[1].decode("utf-8", "replace"))


def _begins_as(file: BinaryIO, known: Position) -> bool:
    """Say whether a file begins with the bytes that the hub's events were made from."""
    if not known.read:
        return True
    digest = hashlib.blake2b(digest_size=16)
    left = known.read
    while left and (block := file.read(min(left, BLOCK_BYTES))):
        digest.update(block)
        left -= len(block)
    file.seek(0)
    return not left and digest.hexdigest() == known.digest


def _next_name(producer: str) -> str:
    base, _, number = producer.partition("~")
    return f"{base}~{int(number) + 1 if number.isdigit() else 2}"
