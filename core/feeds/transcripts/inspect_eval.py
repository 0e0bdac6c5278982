"""Logs of inspect: a zip of samples, each a round with its model calls, tools, limits and errors."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO, ClassVar

from ...rounds import Event
from .fields import Object, object_of, word_of
from .inspect_sample import InspectSample
from .snapshot import SnapshotTranscript
from .surrogates import from_any_json

MEMBER_BYTES = 128 * 1024 * 1024
"""A larger sample is given up, whatever size its entry claims: it is held in memory as a whole."""
TOTAL_BYTES = 4 * 1024 * 1024 * 1024
"""Of all samples of one log; behind it the rest is given up."""
BLOCK_BYTES = 1024 * 1024
ZIP_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What reading a damaged zip raises; ``RuntimeError``: it is encrypted."""


class InspectEval(SnapshotTranscript):
    """A whole log; samples come in the order in which they were written into it."""

    source: ClassVar[str] = "inspect"

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._left = TOTAL_BYTES

    def told(self, document: bytes) -> Iterator[Event]:
        """Yield the events of a log in memory."""
        return self._log(io.BytesIO(document))

    def read(self, file: BinaryIO) -> list[Event]:
        """Return the events of a log on disk, which is not read into memory as a whole."""
        return list(self._log(file))

    def conclude(self) -> Iterable[Event]:
        """Nothing follows: each sample says itself how it ended."""
        return ()

    def _log(self, file: BinaryIO) -> Iterator[Event]:
        try:
            archive = zipfile.ZipFile(file)
        except ZIP_FAULTS:
            self.unreadable.add(1, 0, "no whole zip: it is cut, or still being written", "transcript_no_zip")
            return
        with archive:
            entries = sorted(archive.infolist(), key=lambda entry: entry.header_offset)
            names = {entry.filename for entry in entries}
            start = self._object(archive, "_journal/start.json", 1) if "_journal/start.json" in names else {}
            header = start or (self._object(archive, "header.json", 1) if "header.json" in names else {})
            eval_ = object_of(header.get("eval"))
            run = word_of(eval_.get("run_id")) or word_of(eval_.get("task_id")) or "inspect"
            for number, entry in enumerate(entries, start=1):
                if entry.filename.startswith("samples/") and entry.filename.endswith(".json"):
                    sample = self._object(archive, entry.filename, number)
                    if sample:
                        yield from InspectSample(run, word_of(eval_.get("task")), sample).told()

    def _object(self, archive: zipfile.ZipFile, name: str, number: int) -> Object:
        entry = archive.getinfo(name)
        at = max(0, entry.header_offset)
        try:
            data = self._unpacked(archive, entry)
            if data is None:
                self.unreadable.add(number, at, "an entry is too large when unpacked", "transcript_entry_too_large")
                return {}
            return object_of(from_any_json(data))
        except ZIP_FAULTS as error:
            self.unreadable.add(number, at, "an entry is damaged", "transcript_entry_damaged", type(error).__name__)
            return {}

    def _unpacked(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
        """Return an entry's content, or None when it is more than we take: its header may lie."""
        limit = min(MEMBER_BYTES, self._left)
        pieces: list[bytes] = []
        size = 0
        with archive.open(entry) as member:
            while block := member.read(BLOCK_BYTES):
                size += len(block)
                self._left -= len(block)
                if size > limit:
                    return None
                pieces.append(block)
        return b"".join(pieces)
