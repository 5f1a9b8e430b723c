# SPDX-License-Identifier: Apache-2.0
"""Waits for the VM of a program that is being launched: we listen, and its agent connects.

Nothing listens in the program, neither now nor after we have gone. For our agent it is a
UNIX-domain socket of mode 0600 in a directory of mode 0700; the JDK's own knows TCP only, on the
loopback interface, and so does ours in a VM of Windows, which WSL and wine start too. Used by the
ways to start a VM.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionFailed, LaunchError
from jvmdebug.jdwp import transport
from jvmdebug.os_errors import reason
from jvmdebug.platform.system import has_unix_sockets

if TYPE_CHECKING:
    from collections.abc import Iterator

_SOCKET_NAME = "jdwp"
_LONGEST_PATH = 100
"""Bytes; the address of a UNIX-domain socket has 104 on some systems, 108 on Linux."""


@contextlib.contextmanager
def meeting_point(library: Path | None) -> Iterator[transport.Listener]:
    """Listen for one VM with that agent, None for the JDK's own; raises LaunchError if that is not
    possible.
    """
    with contextlib.ExitStack() as stack:
        try:
            if library is not None and library.suffix != ".dll" and has_unix_sockets():
                directory = stack.enter_context(_private_directory())
                listening = transport.listen(f"{transport.UNIX_PREFIX}{directory / _SOCKET_NAME}")
            else:
                listening = transport.listen()
        except (OSError, ConnectionFailed) as error:
            raise LaunchError(
                f"cannot listen for the program that is launched: {reason(error)}"
            ) from error
        yield stack.enter_context(listening)


@contextlib.contextmanager
def _private_directory() -> Iterator[Path]:
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-", dir=_parent()))  # of mode 0700
    try:
        yield directory
    finally:
        directory.rmdir()


def _parent() -> str | None:
    """A directory whose path fits into a socket's address and into the agent's option."""
    for candidate in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()):
        if candidate and os.access(candidate, os.W_OK | os.X_OK) and _fits(candidate):
            return candidate
    return "/tmp"  # noqa: S108 - mkdtemp makes a directory of this user in it


def _fits(directory: str) -> bool:
    longest = len(os.fsencode(directory)) + len("/jvmdebug-12345678/") + len(_SOCKET_NAME)
    return longest <= _LONGEST_PATH and "," not in directory
