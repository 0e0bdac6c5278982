from __future__ import annotations

import io

import pytest
from roundwatch.tui.terminal_driver import PatientFile


class Interrupted(io.RawIOBase):
    """Takes a few bytes of every write, as a terminal does whose program is sent a signal meanwhile."""

    def __init__(self, most: int | None) -> None:
        super().__init__()
        self.most = most
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object, /) -> int | None:
        if self.most is None:
            return None
        piece = bytes(memoryview(data))[: self.most]  # type: ignore[arg-type]
        self.taken += piece
        return len(piece)


def _file(raw: io.RawIOBase, gone: list[bool]) -> PatientFile:
    unbuffered = io.TextIOWrapper(raw, "utf-8", write_through=True)  # type: ignore[type-var]
    return PatientFile(unbuffered, lambda: gone.append(True))


@pytest.mark.parametrize("most", [1, 5, 1000])
def test_without_a_buffer_nothing_is_lost_of_a_write_that_a_signal_cuts_short(most: int) -> None:
    raw, gone = Interrupted(most), list[bool]()
    file = _file(raw, gone)
    file.write("\x1b[38;2;21;22;23m✓ grün")
    file.flush()
    assert raw.taken.decode() == "\x1b[38;2;21;22;23m✓ grün"
    assert not gone


def test_a_terminal_that_does_not_wait_any_more_is_told_as_gone_once() -> None:
    raw, gone = Interrupted(None), list[bool]()
    file = _file(raw, gone)
    file.write("a")
    file.write("b")
    assert gone == [True]
