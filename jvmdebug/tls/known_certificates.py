# SPDX-License-Identifier: Apache-2.0
"""The certificates that this user has met, by address, as SSH keeps the keys of hosts.

One file, `known-relays` in the settings folder: a line `HOST:PORT SHA256:…` for each address. Used
by `client`. Blocks for a moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.cache import user_folder, write_whole
from jvmdebug.errors import CertificateError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import MOST_SETTINGS_BYTES, read_text

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = "known-relays"


def settings_folder() -> Path:
    """The folder for what this user has decided: `$XDG_CONFIG_HOME/jvmdebug`."""
    return user_folder("XDG_CONFIG_HOME", ".config")


def known_file() -> Path:
    """The file with the fingerprints."""
    return settings_folder() / _NAME


def known_fingerprint(address: str) -> str | None:
    """The fingerprint of the certificate that was met at this address. Raises CertificateError."""
    return _known().get(address)


def remember(address: str, fingerprint: str) -> None:
    """Expect this certificate at the address from now on. Raises CertificateError."""
    known = _known() | {address: fingerprint}
    lines = "".join(f"{each} {of}\n" for each, of in sorted(known.items()))
    try:
        write_whole(known_file(), lines.encode())
    except OSError as error:
        raise CertificateError(
            f"cannot keep the fingerprint of {address} in {known_file()}: {reason(error)}"
        ) from error


def _known() -> dict[str, str]:
    try:
        text = read_text(known_file(), limit=MOST_SETTINGS_BYTES)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CertificateError(
            f"cannot read the known certificates in {known_file()}: {reason(error)}"
        ) from error
    found = (line.split() for line in text.splitlines())
    return {words[0]: words[1] for words in found if len(words) == 2 and words[0][0] != "#"}
