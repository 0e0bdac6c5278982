"""Certificates of a passing day, for everything that speaks TLS."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> tuple[Path, Path]:
    """Certificate and key for this machine."""
    issued = authority.issue_cert("localhost", "127.0.0.1")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    issued.private_key_pem.write_to_path(key)
    for blob in issued.cert_chain_pems:
        blob.write_to_path(certificate, append=True)
    return certificate, key
