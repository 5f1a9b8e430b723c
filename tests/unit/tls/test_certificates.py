# SPDX-License-Identifier: Apache-2.0
"""Certificates: their fingerprints, the one that is made, and those that are known."""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
import stat
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import CertificateError, HandshakeFailed, TokenError
from jvmdebug.tls import fingerprints, known_certificates
from jvmdebug.tls.certificate import own_certificate, server_certificate
from jvmdebug.tls.client import TlsAddress, parsed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "jvmdebug"


def test_a_fingerprint_is_that_of_ssh() -> None:
    expected = base64.b64encode(hashlib.sha256(b"der").digest()).decode().rstrip("=")
    assert fingerprints.fingerprint_of(b"der") == f"SHA256:{expected}"
    assert fingerprints.checked(f"SHA256:{expected}=") == f"SHA256:{expected}"


@pytest.mark.parametrize("text", ["", "SHA256:", "SHA256:AAAA", "MD5:" + "A" * 43, "A" * 43])
def test_what_is_no_fingerprint(text: str) -> None:
    with pytest.raises(CertificateError, match="is no fingerprint: write SHA256: and 43"):
        fingerprints.checked(text)


def test_a_certificate_is_made_once(folder: Path) -> None:
    first = server_certificate()
    file = own_certificate()
    assert file == folder / "server.pem"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert server_certificate().fingerprint == first.fingerprint
    assert first.context.minimum_version == ssl.TLSVersion.TLSv1_3
    assert first.binding == base64.b64decode(first.fingerprint[7:] + "=")
    assert server_certificate(file, file).fingerprint == first.fingerprint
    file.chmod(0o640)
    with pytest.raises(CertificateError, match=re.escape(f"`chmod 600 {file}` forbids it")):
        server_certificate()
    file.chmod(0o600)
    file.write_text("nothing")
    with pytest.raises(CertificateError, match="cannot use the certificate in"):
        server_certificate()


def test_a_certificate_and_its_key_go_together(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="give both, or neither"):
        server_certificate(tmp_path / "cert.pem")
    with pytest.raises(CertificateError, match="no such file"):
        server_certificate(tmp_path / "cert.pem", tmp_path / "key.pem")


def test_known_certificates_are_kept(folder: Path) -> None:
    assert known_certificates.known_fingerprint("shop:1") is None
    known_certificates.remember("shop:1", "SHA256:a")
    known_certificates.remember("[::1]:2", "SHA256:b")
    known_certificates.remember("shop:1", "SHA256:c")
    assert (folder / "known-relays").read_text() == "[::1]:2 SHA256:b\nshop:1 SHA256:c\n"
    (folder / "known-relays").write_text("# by hand\n\nshop:1 SHA256:d\nshop:2\n")
    assert known_certificates.known_fingerprint("shop:1") == "SHA256:d"
    assert known_certificates.known_fingerprint("shop:2") is None
    (folder / "known-relays").write_bytes(b"\xff\xfe")
    with pytest.raises(CertificateError, match="cannot read the known certificates"):
        known_certificates.known_fingerprint("shop:1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tls://shop:7000", TlsAddress("shop", 7000)),
        ("tls://shop:7000/", TlsAddress("shop", 7000)),
        ("tls://[::1]:7000/a b", None),
        ("tls://[::1]:7000/localhost:5005", TlsAddress("::1", 7000, "localhost:5005")),
        ("tls://shop", None),
        ("tls://shop:0", None),
        ("tls://shop:65536", None),
        ("shop:7000", None),
    ],
)
def test_addresses(text: str, expected: TlsAddress | None) -> None:
    assert parsed(text) == expected
    if expected is not None:
        assert str(expected) == text.removesuffix("/")


def test_a_wrong_certificate_is_no_question_of_tokens() -> None:
    """VS Code asks for another token when a token is refused, and must not then."""
    assert not issubclass(CertificateError, TokenError)
    assert issubclass(CertificateError, HandshakeFailed)
