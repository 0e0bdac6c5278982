from __future__ import annotations

import asyncio
import errno
import socket
import ssl

import pytest
import trustme
from roundwatch.core.hub import HubError, HubRefused
from roundwatch.core.hub.backoff import describe
from roundwatch.core.hub.link import LINK_ERRORS, dial, refusal
from roundwatch.core.hub.link_faults import CLOSINGS, link_fault
from roundwatch.core.texts import LANGUAGES, Texts, fault_text
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, InvalidMessage, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Response

EN, DE = Texts.load("en"), Texts.load("de")


def closed(code: int, reason: str = "") -> ConnectionClosedError:
    return ConnectionClosedError(Close(code, reason), None, None)


FAULTS: list[tuple[BaseException, str]] = [
    (ConnectionRefusedError(111, "Connection refused"), "link_nobody"),
    (TimeoutError(), "link_time_out"),
    (socket.gaierror(-2, "Name or service not known"), "link_name"),
    (OSError(errno.EHOSTUNREACH, "No route to host"), "link_unreachable"),
    (ConnectionResetError(104, "Connection reset by peer"), "link_reset"),
    (OSError(errno.EMFILE, "Too many open files"), "link_system"),
    (ssl.SSLCertVerificationError(1, "certificate verify failed"), "link_certificate"),
    (ssl.SSLError(1, "wrong version number"), "link_tls"),
    (InvalidStatus(Response(502, "Bad Gateway", Headers(), b"")), "link_http"),
    (InvalidMessage("bad line"), "link_no_websocket"),
    (ConnectionClosedError(None, None, None), "link_lost"),
    (ConnectionClosedError(None, Close(1011, "keepalive ping timeout"), None), "link_silent"),
    *((closed(code, "why"), name) for code, name in CLOSINGS.items()),
    (closed(4711, "why"), "link_closed_otherwise"),
]


@pytest.mark.parametrize(("error", "code"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_loss_has_a_sentence_of_ours_in_both_languages(error: BaseException, code: str) -> None:
    fault = link_fault(error)
    assert (fault.code, str(fault)) == (code, describe(error))
    said = {fault_text(fault, Texts.load(locale)) for locale in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    quoted = f"„{fault.facts['said']}“"
    assert str(fault) not in fault_text(fault, DE).replace(quoted, "")


def test_what_the_system_says_is_quoted_as_detail_only() -> None:
    fault = link_fault(socket.gaierror(-2, "Name or service not known"))
    assert fault_text(fault, DE) == "den Namen des Rechners kennt hier niemand („Name or service not known“)"
    assert fault_text(link_fault(ConnectionRefusedError(111, "Connection refused")), DE) == "dort lauscht niemand"


def test_what_the_other_side_says_is_short_and_holds_no_control_characters() -> None:
    fault = link_fault(closed(4000, "\x1b[2J" + "x" * 100))
    assert "\x1b" not in fault_text(fault, EN)
    assert len(str(link_fault(InvalidStatus(Response(500, "", Headers(), b"y" * 9000))).facts["said"])) <= 300


def test_a_fault_of_ours_stays_as_it_is_and_an_unknown_one_has_its_own_words() -> None:
    ours = HubRefused("no", code="hub_token")
    assert link_fault(ours) is ours
    assert (link_fault(KeyError("x")).code, str(link_fault(KeyError("x")))) == (None, "KeyError: 'x'")


async def _refused(url: str) -> HubError | None:
    try:
        async with dial(url, "token"):
            return None
    except LINK_ERRORS as error:
        return refusal(error) or link_fault(error)


async def test_a_certificate_that_nobody_vouches_for_is_a_refusal_in_words_of_ours() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("localhost").configure_cert(context)  # pyright: ignore[reportUnknownMemberType]
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    async with server:
        refused = await _refused(f"wss://localhost:{server.sockets[0].getsockname()[1]}/v1/rounds")
    assert isinstance(refused, HubRefused)
    assert fault_text(refused, DE).startswith("dem Zertifikat dort ist nicht zu trauen („")


async def test_nobody_there_and_an_unknown_name_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    away, unknown = await _refused(f"ws://127.0.0.1:{port}/x"), await _refused("ws://no-such-host.invalid:1/x")
    assert (away and away.code) == "link_nobody"
    assert (unknown and unknown.code) == "link_name"
