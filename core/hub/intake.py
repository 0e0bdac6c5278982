"""Judging what a publisher sends: each element of a frame becomes a submission or a rejection."""

from __future__ import annotations

from ..rounds.events import Event, RoundStarted, ThreadSupervised
from ..rounds.parse import EventError, parse_event, parse_known
from .errors import FrameError
from .frames import PREFIX, Reject
from .limits import EVENT_BYTES, FRAME_BYTES
from .lines import Piece, cut_array, one_line, split_frame, string_member, without_member
from .store import Submission

PRODUCER_CHARS = 200
MAX_NUMBER = 2**63 - 1  # what a store's integer holds
ID_FORM = f"'<producer>:<n>', a name of 1 to {PRODUCER_CHARS} printable characters and a number from 1 on"


def split_id(text: str) -> tuple[str, int] | None:
    """Return producer and number of an event id, or None when it has another form."""
    producer, _, number = text.rpartition(":")
    if not producer or len(producer) > PRODUCER_CHARS or not producer.isprintable():
        return None
    if not (number.isascii() and number.isdigit()) or number.startswith("0") or len(number) > 19:
        return None
    n = int(number)
    return (producer, n) if n <= MAX_NUMBER else None


def judge_frame(data: bytes, owner: str) -> list[Submission | Reject]:
    """Return what each event of a frame is good for, in order; a frame that is no JSON is one rejection.

    Events without an id are rejected: without a number nothing could tell a repetition from a new event.
    """
    if len(data) <= EVENT_BYTES and (known := _judge_known(data, owner)) is not None:
        return known
    if len(data) > FRAME_BYTES:
        try:  # one event that is too large has a name and is answered by it; an array is not worth taking apart
            pieces = split_frame(data.decode("utf-8"))
        except (FrameError, UnicodeDecodeError):
            pieces = []
        if len(pieces) != 1:
            return [Reject(why=f"a frame of {len(data)} bytes: at most {FRAME_BYTES} are taken")]
        return [_judge(pieces[0], owner)]
    try:
        return [_judge(piece, owner) for piece in split_frame(data.decode("utf-8"))]
    except UnicodeDecodeError as error:
        return [Reject(why=f"not UTF-8 at byte {error.start}")]
    except FrameError as error:
        return [Reject(why=str(error))]


def _judge_known(data: bytes, owner: str) -> list[Submission | Reject] | None:
    """Return the same in a third of the time, where all is known events; None: each has to be looked at by itself.

    The whole frame is checked in one go, and its text cut without being decoded again.
    """
    if b"NaN" in data or b"Infinity" in data:
        return None  # read without a word by pydantic, and no JSON
    array = b"[" + data + b"]" if data.startswith(b"{") else data
    events = parse_known(array)
    texts = None if events is None else cut_array(array.decode("utf-8"), len(events))
    if events is None or texts is None:
        return None
    judged: list[Submission | Reject] = []
    producer, n = "", MAX_NUMBER
    for event, text in zip(events, texts, strict=True):
        given = event.id or ""
        if n < MAX_NUMBER and given == f"{producer}:{n + 1}":  # nearly always
            n += 1
        elif (named := split_id(given)) is None:
            judged.append(_without_id(event.id))
            continue
        else:
            producer, n = named
        line = one_line(without_member(text, "seq") if "seq" in event.__pydantic_fields_set__ else text)
        judged.append(Submission(owner, producer, n, line, *belongs(event), None, event))
    return judged


def _without_id(given: object) -> Reject:
    if not isinstance(given, str):
        return Reject(why=f"id is missing: every published event needs one, {ID_FORM}")
    return Reject(id=given[:PRODUCER_CHARS], why=f"id is not {ID_FORM}")


def _judge(piece: Piece, owner: str) -> Submission | Reject:
    if piece.fault is not None:
        known = split_id(string_member(piece.text, "id") or "")
        return Reject(why=piece.fault) if known is None else Submission(owner, *known, fault=piece.fault)
    fields = piece.fields
    if fields is None:
        return Reject(why="no event: a JSON object is expected")
    given = fields.get("id")
    named = split_id(given) if isinstance(given, str) else None
    if named is None:
        return _without_id(given)
    producer, n = named
    line = one_line(without_member(piece.text, "seq") if "seq" in fields else piece.text)
    if (size := len(line) if line.isascii() else len(line.encode())) > EVENT_BYTES:
        return Submission(owner, producer, n, fault=f"an event of {size} bytes: at most {EVENT_BYTES} are taken")
    try:
        event = parse_event(fields)
    except EventError as error:
        return Submission(owner, producer, n, fault=str(error))
    except RecursionError:
        return Submission(owner, producer, n, fault="not readable: nested too deeply")
    if event.type.startswith(PREFIX):
        return Submission(owner, producer, n, fault=f"types that begin with '{PREFIX}' are the hub's own")
    round_, thread, parent = belongs(event)
    if not (_is_text(round_) and _is_text(thread) and _is_text(parent)):
        return Submission(owner, producer, n, fault="a name holds half a surrogate pair")
    return Submission(owner, producer, n, line, round_, thread, parent, event=event)


def _is_text(name: str | None) -> bool:
    """Return whether a name, if there is one, can be written in UTF-8; JSON can escape what cannot."""
    if name is None or name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def belongs(event: Event) -> tuple[str | None, str | None, str | None]:
    """Return an event's round, the thread that it names, and the round whose thread it shares when it names none."""
    if type(event) is ThreadSupervised:  # by exact type: ``isinstance`` of a pydantic model is a call into Python
        return None, event.thread, None
    if type(event) is RoundStarted:
        return event.round, event.thread, event.parent.round if event.parent else None
    round_: str | None = event.__dict__["round"]
    return round_, None, None
