from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from roundwatch.core.hub import Access, Hub, HubError, Link, Live, Publisher, Received, watch
from roundwatch.core.hub.tls import CertificateError, ServerCertificate, server_context

PATIENCE_S = 30


def test_a_certificate_and_its_key_may_stand_in_one_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    both.write_bytes(files[0].read_bytes() + files[1].read_bytes())
    assert server_context(both).minimum_version is ssl.TLSVersion.TLSv1_2


def test_what_is_wrong_with_the_files_is_said(authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path) -> None:
    certificate, key = files
    nothing, text, locked, other = (tmp_path / name for name in ("nothing", "text", "locked", "other"))
    text.write_text("no certificate")
    private = load_pem_private_key(key.read_bytes(), None)
    secret = BestAvailableEncryption(b"a password")
    locked.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret))
    authority.issue_cert("other").private_key_pem.write_to_path(other)

    for given, said in (
        ((nothing, key), "nothing: No such file"),
        ((certificate, nothing), "nothing: No such file"),
        ((text, key), "PEM"),
        ((certificate, None), "PEM"),
        ((certificate, locked), "encrypted"),
        ((certificate, other), "does not belong to"),
        ((tmp_path, key), "Is a directory"),
    ):
        with pytest.raises(CertificateError, match=said):
            server_context(*given)


async def test_a_hub_with_a_certificate_is_watched_and_published_to_over_tls(
    authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path
) -> None:
    trusted = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(trusted)
    async with Hub(tmp_path / "s.db", port=0, tls=server_context(*files)) as hub:
        assert hub.url.startswith("wss://")
        async with Publisher(hub.url, ca_file=trusted) as publisher:
            await publisher.publish({"type": "round.started", "round": "r"})
        seqs: list[int] = []
        async with asyncio.timeout(PATIENCE_S), watch(hub.url, after="begin", ca_file=trusted) as feed:
            async for item in feed:
                if isinstance(item, Received):
                    seqs.append(item.seq)
                elif isinstance(item, Live):
                    break
    assert seqs == [1]


async def test_a_certificate_that_nobody_trusts_is_refused_by_the_client(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    async with Hub(tmp_path / "s.db", port=0, tls=server_context(*files)) as hub:
        items = aiter(watch(hub.url))
        await anext(items)  # connecting
        async with asyncio.timeout(PATIENCE_S):
            refused = await anext(items)
        assert isinstance(refused, Link)
        assert "certificate" in (refused.reason or "")


async def test_a_file_of_authorities_that_is_none_is_said(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.pem"
    with pytest.raises(CertificateError, match=r"nothing\.pem"):
        Publisher("wss://localhost:1", ca_file=nothing)
    nothing.write_text("no certificate")
    with pytest.raises(CertificateError, match="PEM"):
        watch("wss://localhost:1", ca_file=nothing)


async def shown_by(hub: Hub) -> bytes:
    """Return the certificate that a new connection is shown."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    _, writer = await asyncio.open_connection("127.0.0.1", int(hub.url.rpartition(":")[2]), ssl=context)
    seen: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return seen


async def test_a_certificate_that_is_read_again_is_shown_to_those_who_come(
    authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate, key = files
    shown = ServerCertificate(certificate, key)
    async with Hub(tmp_path / "s.db", port=0, tls=shown.context) as hub:
        old = await shown_by(hub)
        new = authority.issue_cert("localhost")
        new.cert_chain_pems[0].write_to_path(certificate)
        with pytest.raises(CertificateError, match="does not belong to"):
            shown.read_again()  # the key is still to come
        assert await shown_by(hub) == old
        new.private_key_pem.write_to_path(key)
        shown.read_again()
        assert await shown_by(hub) == ssl.PEM_cert_to_DER_cert(new.cert_chain_pems[0].bytes().decode())


async def test_plain_http_at_a_tls_port_ends_and_the_hub_goes_on(files: tuple[Path, Path], tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0, tls=server_context(*files)) as hub:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(hub.url.rpartition(":")[2]))
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            said = await reader.read()
        assert said.startswith(b"HTTP/1.1 426 ")
        writer.close()
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        _, again = await asyncio.open_connection("127.0.0.1", int(hub.url.rpartition(":")[2]), ssl=context)
        again.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
async def test_beyond_this_machine_a_hub_wants_token_and_tls(
    host: str, files: tuple[Path, Path], tmp_path: Path
) -> None:
    encrypted = server_context(*files)
    for given in (Hub(host=host, port=0), Hub(host=host, port=0, tls=encrypted, access=Access.anyone())):
        with pytest.raises(HubError, match="beyond this machine"):
            await given.start()


async def test_beyond_this_machine_with_token_and_tls_or_on_purpose(files: tuple[Path, Path], tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", host="0.0.0.0", port=0, tls=server_context(*files)) as hub:
        assert hub.asks_for_token
    async with Hub(tmp_path / "s.db", host="0.0.0.0", port=0, insecure=True):
        pass
    with pytest.raises(HubError, match="token"):
        await Hub(host="0.0.0.0", port=0, insecure=True, access=Access.anyone()).start()
