"""Events as they come in frames: read in one go, their own texts cut out only when somebody asks."""

from __future__ import annotations

from ..rounds.events import Event
from ..rounds.parse import parse_known
from .lines import split_frame

OPENING, BETWEEN, CLOSING = '[{"seq":', '},{"seq":', "}]"
"""How a hub of ours joins its lines: it puts ``seq`` first. A quote stands unescaped, so this is in no string."""


class FrameText:
    """The text of a frame; ``frame[n]`` is what the producer wrote for its event ``n``."""

    __slots__ = ("_data", "_seqs", "_texts")

    def __init__(self, data: bytes, events: list[Event]) -> None:
        """Keep the frame, of which ``events_of`` made these events."""
        self._data = data
        self._seqs = [event.seq for event in events]
        self._texts: list[str] | None = None

    def __getitem__(self, place: int) -> str:
        """Return the text of one event; the first question cuts the whole frame."""
        if self._texts is None:
            text = self._data.decode("utf-8")
            self._texts = _cut(text, self._seqs) or [piece.text for piece in split_frame(text)]
            self._data = b""
        return self._texts[place]


def _cut(text: str, seqs: list[int | None]) -> list[str] | None:
    """Return the lines that a hub of ours joined, without decoding them; None where they do not look like that.

    The same words may stand in an array inside an event: then the number of pieces, or their numbers, differ.
    """
    if not (text.startswith(OPENING) and text.endswith(CLOSING)):
        return None
    parts = text[len(OPENING) : -len(CLOSING)].split(BETWEEN)
    if len(parts) != len(seqs) or not all(map(str.startswith, parts, [f"{seq}," for seq in seqs])):
        return None
    return ['{"seq":' + part + "}" for part in parts]


class Received:
    """An event, with the text it came as. Two are equal when event, text and number are."""

    __match_args__ = ("event", "raw", "seq")
    __slots__ = ("_place", "_text", "event", "seq")

    event: Event
    seq: int

    def __init__(self, event: Event, raw: str | FrameText, seq: int, place: int = 0) -> None:
        """Keep an event with its text, or with the frame in which it had that place."""
        self.event = event
        self.seq = seq
        self._text = raw
        self._place = place

    @property
    def raw(self) -> str:
        """The producer's own text, with the hub's ``seq``; of a frame it is cut out now."""
        return self._text if isinstance(self._text, str) else self._text[self._place]

    def __eq__(self, other: object) -> bool:
        """Compare the three that a match binds."""
        if not isinstance(other, Received):
            return NotImplemented
        return (self.event, self.raw, self.seq) == (other.event, other.raw, other.seq)

    def __hash__(self) -> int:
        """Agree with ``==``."""
        return hash((self.raw, self.seq))

    def __repr__(self) -> str:
        """Name the three that a match binds."""
        return f"Received(event={self.event!r}, raw={self.raw!r}, seq={self.seq!r})"


def events_of(data: bytes) -> list[Event] | None:
    """Return the events of a frame, one alone too; None when each element has to be looked at by itself.

    None wherever anything is not as a hub sends it: what is returned is exactly what the long way would give.
    """
    if b"NaN" in data or b"Infinity" in data:
        return None  # read without a word by pydantic, and no JSON
    if data.startswith(b"{"):
        found = parse_known(b"[" + data + b"]")
        if found is None or len(found) != 1:
            return None
    else:
        found = parse_known(data)
    return None if found is None or any(event.seq is None for event in found) else found
