from __future__ import annotations

import errno

import pytest
from roundwatch.core.hub.errors import HubRefused
from roundwatch.core.rounds import EventError, parse_event
from roundwatch.core.texts.faults import fault_text

from tests.core.texts.ended import DE, EN


@pytest.mark.parametrize(
    ("line", "en", "de"),
    [
        ("{", "not JSON at character 2", "kein JSON ab Zeichen 2"),
        ("[]", "no event: a JSON object is expected", "kein Ereignis: erwartet wird ein JSON-Objekt"),
        ("{}", 'no event: field "type" is missing', "kein Ereignis: Das Feld „type“ fehlt"),
        (
            '{"type": "call.started"}',
            'call.started: field "round" is missing',
            "call.started: Das Feld „round“ fehlt",
        ),
        (
            '{"type": "call.started", "round": "r", "call": "c", "attempt": "x"}',
            'call.started: field "attempt" has a wrong value',
            "call.started: Das Feld „attempt“ hat einen falschen Wert",
        ),
    ],
)
def test_what_is_no_event_is_said_in_the_viewers_language(line: str, en: str, de: str) -> None:
    with pytest.raises(EventError) as raised:
        parse_event(line)

    assert (fault_text(raised.value, EN), fault_text(raised.value, DE)) == (en, de)


def test_an_error_without_a_text_of_its_own_says_its_sentence() -> None:
    assert fault_text(HubRefused("closed by the hub with 4409"), DE) == "closed by the hub with 4409"
    assert fault_text(HubRefused("so it is", code="nobody_wrote_it"), DE) == "so it is"
    assert fault_text(ValueError("no number"), DE) == "no number"


def test_facts_from_outside_come_out_visible() -> None:
    error = HubRefused("refused", code="hub_refused", said="HTTP 418: \x1b[31m")

    assert "\x1b" not in fault_text(error, EN)
    assert "HTTP 418" in fault_text(error, EN)


@pytest.mark.parametrize(
    ("number", "en", "de"),
    [
        (errno.EACCES, "no permission", "keine Berechtigung"),
        (errno.ENOENT, "there is no such file", "die Datei gibt es nicht"),
        (errno.EPROTO, "as the system says it", "as the system says it"),
    ],
)
def test_what_the_system_says_of_a_file_is_said_in_the_viewers_language(number: int, en: str, de: str) -> None:
    error = OSError(number, "as the system says it", "/a/file")

    assert (fault_text(error, EN), fault_text(error, DE)) == (en, de)


def test_a_trouble_that_has_no_number_says_its_sentence() -> None:
    assert fault_text(OSError("the pipe is gone"), DE) == "the pipe is gone"
