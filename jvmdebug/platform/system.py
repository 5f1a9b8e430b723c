# SPDX-License-Identifier: Apache-2.0
"""Tells which operating system this is, at the time of a call: a test can run as another one."""

from __future__ import annotations

import locale
import os
import socket
import sys

NAME = sys.platform
"""`linux`, `darwin` or `win32`; replaced by tests."""


def is_windows() -> bool:
    return NAME == "win32"


def is_linux() -> bool:
    return NAME.startswith("linux")


def is_macos() -> bool:
    return NAME == "darwin"


def has_unix_sockets() -> bool:
    """Whether there are UNIX-domain sockets that say who has connected. Python has none of Windows'
    own, which do not say it.
    """
    return not is_windows() and hasattr(socket, "AF_UNIX")


def code_page() -> str:
    """The encoding that a program of this system reads and writes text in. On Windows it is the
    user's code page also when this Python runs in its UTF-8 mode, of which a JVM knows nothing.
    """
    if is_windows():
        return locale.getencoding()
    return locale.getpreferredencoding(do_setlocale=False)


def user_id() -> int | None:
    """The effective user id; None on Windows, which has no such numbers."""
    ask = getattr(os, "geteuid", None)
    return None if ask is None else int(ask())


def user_name(number: int) -> str | None:
    """The name of a user; None if the system knows none."""
    try:
        import pwd  # noqa: PLC0415 - Windows has none
    except ImportError:
        return None
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return None
