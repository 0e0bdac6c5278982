from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.wire.faults import Fault
from roundwatch.core.wire.json_split import JsonSplitter, Raw

from tests.core.wire.bodies import splits

BROKEN_OFF = "a JSON value that stops in the middle"


def split(*data: bytes, max_value: int = 1000) -> list[Raw | Fault]:
    splitter = JsonSplitter(max_value=max_value)
    return [one for piece in data for one in splitter.feed(piece)] + splitter.close()


def values(*data: bytes) -> list[bytes]:
    return [one.data for one in split(*data) if isinstance(one, Raw)]


def test_objects_are_found_on_lines_in_arrays_and_side_by_side() -> None:
    assert values(b'{"a":1}\n{"b":[{}]}\r\n\n{}') == [b'{"a":1}', b'{"b":[{}]}', b"{}"]
    assert values(b'[{\n  "a": 1\n}\n,\n{"b":2}]') == [b'{\n  "a": 1\n}', b'{"b":2}']
    assert values(b'{"a":1}{"b":2}') == [b'{"a":1}', b'{"b":2}']


def test_brackets_quotes_and_escapes_inside_text_end_nothing() -> None:
    assert values(b'{"a":"}]\\"{\\\\"}\n{"b":1}') == [b'{"a":"}]\\"{\\\\"}', b'{"b":1}']


def test_each_object_has_its_place() -> None:
    assert split(b'[{},\n {"a":1}]') == [Raw(b"{}", 1), Raw(b'{"a":1}', 6)]


def test_a_line_that_breaks_off_costs_only_itself() -> None:
    in_text = b'{"a":"x\n{"b":1}\n'
    between = b'{"a":{"x":1\n{"b":1}\n'
    for broken in (in_text, between):
        assert split(broken) == [Fault(0, BROKEN_OFF), Raw(b'{"b":1}', broken.index(b"\n") + 1)]


def test_what_is_no_object_is_counted_once_whatever_its_length() -> None:
    noise = b"<p>" + b"x" * 200
    found = split(b'{"a":1}\n' + noise + b'\n{"b":1}')
    assert [type(one) for one in found] == [Raw, Fault, Raw]
    assert isinstance(found[1], Fault)
    assert found[1].offset == 8
    assert found[1].why.startswith("not JSON: '<p>xxx")


def test_half_an_object_at_the_end_is_counted() -> None:
    assert split(b'{"a":1}\n{"b":') == [Raw(b'{"a":1}', 0), Fault(8, BROKEN_OFF)]


def test_an_object_that_is_too_long_is_counted_and_the_next_one_read() -> None:
    found = split(b'{"a":"0123456789"}\n{"b":1}', max_value=10)
    assert found == [Fault(0, "a JSON value longer than 10 bytes"), Raw(b'{"b":1}', 19)]


SCRAPS = st.lists(st.sampled_from([b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b",", b":", b"x", b" "]), max_size=40)


@given(SCRAPS.map(b"".join).flatmap(lambda body: st.tuples(st.just(body), splits(body))))
def test_any_split_gives_the_same_cuts(case: tuple[bytes, list[bytes]]) -> None:
    body, pieces = case
    assert split(*pieces, max_value=8) == split(body, max_value=8)
