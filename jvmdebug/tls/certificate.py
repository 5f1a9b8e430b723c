# SPDX-License-Identifier: Apache-2.0
"""The certificate of this user's servers: made at the first start, the same one from then on.

It is signed by itself: clients know it by its fingerprint, and nothing else in it counts. `ssl`
cannot make certificates, so `cryptography` does. Used by servers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import write_whole
from jvmdebug.errors import CertificateError
from jvmdebug.os_errors import reason
from jvmdebug.platform.files import has_permissions
from jvmdebug.platform.installation import how_to_get
from jvmdebug.regular_file import MOST_SETTINGS_BYTES, read_text
from jvmdebug.tls.fingerprints import binding_of, fingerprint_of
from jvmdebug.tls.known_certificates import settings_folder

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

_NAME: Final = "server.pem"
_YEARS: Final = 100
"""It does not expire: its fingerprint is what is checked."""


@dataclass(frozen=True, slots=True)
class ServerCertificate:
    """What a server shows, and how it takes connections."""

    fingerprint: str
    """`SHA256:…`"""
    binding: bytes
    """The SHA-256 of the certificate, 32 bytes."""
    context: ssl.SSLContext
    """TLS 1.3 and nothing else."""


def server_certificate(
    certificate: Path | None = None, key: Path | None = None
) -> ServerCertificate:
    """The given certificate with its key (PEM), or the one of this user, which is made if there is
    none. Blocks. Raises CertificateError.
    """
    import ssl  # noqa: PLC0415 - slow to import

    if (certificate is None) != (key is None):
        raise CertificateError("a certificate and its key go together: give both, or neither")
    chain = own_certificate() if certificate is None else certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    try:
        text = read_text(chain, "ascii", limit=MOST_SETTINGS_BYTES)
        context.load_cert_chain(chain, key, password=_refused_password)
        first = text[text.index(_BEGIN) : text.index(_END) + len(_END)]
        der = ssl.PEM_cert_to_DER_cert(first)
    except (OSError, ValueError) as error:
        shown = str(chain) if key is None else f"{chain} with the key {key}"
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise CertificateError(f"cannot use the certificate in {shown}: {why}") from error
    return ServerCertificate(fingerprint_of(der), binding_of(der), context)


_BEGIN: Final = "-----BEGIN CERTIFICATE-----"
_END: Final = "-----END CERTIFICATE-----"


def own_certificate() -> Path:
    """The file with the key and the certificate of this user's servers, mode 0600. Raises
    CertificateError.
    """
    file = settings_folder() / _NAME
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, _made())  # of mode 0600
        if file.stat().st_mode & 0o077 and has_permissions():
            raise CertificateError(
                f"others can read the key in {file}: `chmod 600 {file}` forbids it"
            )
    except OSError as error:
        raise CertificateError(f"cannot keep the certificate in {file}: {reason(error)}") from error
    return file


def _made() -> bytes:
    """A new key and its certificate, as PEM."""
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - once in a life

    try:
        from cryptography import x509  # noqa: PLC0415 - large, and only for a first start
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    except ImportError:
        raise CertificateError(
            "a certificate is made by the package `cryptography`, which is not installed: "
            f"{how_to_get('relay')}, or give --cert and --key"
        ) from None
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "jvmdebug")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365 * _YEARS))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def _refused_password() -> str:
    """`ssl` would ask at the terminal."""
    raise ValueError("its key is encrypted, and a server has nobody to ask for the password")
