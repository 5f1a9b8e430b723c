# SPDX-License-Identifier: Apache-2.0
"""What an error of the operating system says, in words: no number, no tuple, no Python.

Used wherever an OSError becomes part of a message; who catches it says what was tried, on what.
"""

from __future__ import annotations

import os
import re
import socket
from typing import Final

_NUMBER: Final = re.compile(r"\[Errno -?\d+\] ")
_NO_HOST: Final = {
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)
}


def reason(error: Exception) -> str:
    """`no such file or directory`; of a host's name that it is not known. Others as they are."""
    match error:
        case UnicodeDecodeError():
            return "it is not UTF-8 text"
        case UnicodeError():  # of the codec for names of hosts
            return "that cannot be the name of a host"
        case socket.gaierror():
            return _of_host(error)
        case OSError(errno=int(number)) if number > 0:
            # Not `strerror`: asyncio has its own, `Connect call failed ('10.0.0.1', 5005)`.
            return _begun_small(os.strerror(number))
        case OSError():
            return _begun_small(_NUMBER.sub("", str(error)) or type(error).__name__)
    return str(error)


def _of_host(error: socket.gaierror) -> str:
    if error.errno in _NO_HOST:
        return "no host of that name is known"
    if error.errno == socket.EAI_AGAIN:
        return "the name of the host cannot be looked up now"
    return _begun_small(error.strerror or str(error))


def _begun_small(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
