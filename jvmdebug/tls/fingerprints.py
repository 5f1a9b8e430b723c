# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of certificates, as SSH writes them: `SHA256:` and base64 without padding."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Final

from jvmdebug.errors import CertificateError

_PREFIX: Final = "SHA256:"
_SIZE: Final = 32


def binding_of(der: bytes) -> bytes:
    """The SHA-256 of a certificate, 32 bytes."""
    return hashlib.sha256(der).digest()


def fingerprint_of(der: bytes) -> str:
    """`SHA256:` and 43 characters."""
    return _PREFIX + base64.b64encode(binding_of(der)).decode().rstrip("=")


def checked(text: str) -> str:
    """A fingerprint that somebody has typed. Raises CertificateError if it is none."""
    encoded = text.removeprefix(_PREFIX).rstrip("=")
    try:
        size = len(base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True))
    except (binascii.Error, ValueError):
        size = 0
    if not text.startswith(_PREFIX) or size != _SIZE:
        raise CertificateError(f"{text!r} is no fingerprint: write SHA256: and 43 characters")
    return _PREFIX + encoded
