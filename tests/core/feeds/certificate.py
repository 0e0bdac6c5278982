"""A certificate for ``localhost`` that nobody else trusts, made for these tests alone."""

from __future__ import annotations

import ssl
from pathlib import Path

CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUH/yuZSq6BqEqd8HMjuBeRJaDOuwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDIxNTQ1OFoYDzIxMjYxMTA2
MjE1NDU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARJbH6JtRv1UpRAdu173RCFPvfaH/3tKuJ4u4OZqmy1xczq0HMjm0Uu
8OJ83rrmDhoOxE+GNbPMA/fZbrK/EIUlo2kwZzAdBgNVHQ4EFgQUKXoOWDQbRAon
J7PRpr2LUIVTI5AwHwYDVR0jBBgwFoAUKXoOWDQbRAonJ7PRpr2LUIVTI5AwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgLCvFYra8cIQJ7Na8m8alXkxZLQbRx2tUTz6RCQkyud4CIHFk0VSvdhmM
Te+XDW6YrHHzZFauzLGa0XYb334Ima3e
-----END CERTIFICATE-----
"""
KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIBSW3omI4aT92lkz
A+oBGVwVSu/v25uBj7Bj6IA0Ek6hRANCAARJbH6JtRv1UpRAdu173RCFPvfaH/3t
KuJ4u4OZqmy1xczq0HMjm0Uu8OJ83rrmDhoOxE+GNbPMA/fZbrK/EIUl
-----END PRIVATE KEY-----
"""


def server_context(folder: Path) -> ssl.SSLContext:
    """Return what a server that shows it needs."""
    file = folder / "server.pem"
    file.write_text(CERTIFICATE + KEY)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def trusting_context() -> ssl.SSLContext:
    """Return what a client needs that trusts it."""
    return ssl.create_default_context(cadata=CERTIFICATE)
