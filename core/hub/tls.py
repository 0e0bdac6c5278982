"""A server's certificate: what is wrong with it is said before anything listens."""

from __future__ import annotations

import ssl
from pathlib import Path

from .errors import HubError


class CertificateError(HubError):
    """A certificate cannot be used; ``str()`` says which file and why."""


def server_context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """Return what a server needs that shows this certificate.

    Args:
        certificate: PEM, with the chain behind it.
        key: PEM, not encrypted; None when it stands in the certificate's file.

    Raises:
        CertificateError: a file is missing or unreadable, is no PEM, is encrypted, or the two do not belong together.
    """
    for file in (certificate, key):
        if file is not None:
            _readable(file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        if "KEY_VALUES_MISMATCH" in str(error):
            said = f"the key in {key or certificate} does not belong to {certificate}"
            raise CertificateError(
                said, code="certificate_of_another_key", path=str(certificate), key=str(key or certificate)
            ) from None
        where = f"{certificate}, {key}" if key is not None else f"{certificate}"
        said = f"no certificate with its key in PEM form in {where}"
        raise CertificateError(said, code="certificate_no_pem", path=where) from None
    return context


class ServerCertificate:
    """A certificate that is renewed while a hub runs: whoever connects is shown the newest one that could be used."""

    def __init__(self, certificate: Path, key: Path | None = None) -> None:
        """Read the files; see ``server_context``.

        Raises:
            CertificateError: they cannot be used.
        """
        self._files = certificate, key
        self._newest = self.context = server_context(certificate, key)
        self.context.sni_callback = self._show

    def read_again(self) -> None:
        """Show from now on what is in the files; connections that are open stay.

        Raises:
            CertificateError: they cannot be used; the one before stays.
        """
        self._newest = server_context(*self._files)

    def _show(self, link: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        """Called for each handshake, with a server name or without."""
        link.context = self._newest


def _readable(file: Path) -> None:
    try:
        with file.open("rb"):
            return
    except OSError as error:
        said = f"{file}: {error.strerror}"
        raise CertificateError(said, code="certificate_unreadable", path=str(file), said=error.strerror) from None


def _no_password() -> str:
    said = "the key is encrypted; nobody is asked for a password: give it a key without one"
    raise CertificateError(said, code="certificate_encrypted")


def client_context(ca_file: Path | None) -> ssl.SSLContext | None:
    """Return what a client needs that trusts these authorities; None = those that the system trusts.

    Raises:
        CertificateError: the file is missing, unreadable, or holds no certificate in PEM form.
    """
    if ca_file is None:
        return None
    _readable(ca_file)
    try:
        return ssl.create_default_context(cafile=ca_file)
    except ssl.SSLError:
        said = f"no certificate in PEM form in {ca_file}"
        raise CertificateError(said, code="authorities_no_pem", path=str(ca_file)) from None
