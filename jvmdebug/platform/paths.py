# SPDX-License-Identifier: Apache-2.0
r"""Paths and command lines as text, of this system and of others.

A path that a client sends, or that a class file names, may come from another system than this one:
`/src/Main.java`, `C:\\src\\Main.java`, `\\\\server\\share\\Main.java`. Nothing here reads a disk.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Final

from jvmdebug.platform import system

if TYPE_CHECKING:
    from collections.abc import Iterable

_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_SHARE: Final = "\\\\"


def is_absolute(text: str) -> bool:
    """Whether a text is a path from the root of a file system, of any system."""
    return text.startswith(("/", _SHARE)) or _DRIVE.match(text) is not None


def is_of_windows(text: str) -> bool:
    """Whether a text is an absolute path as Windows writes them."""
    return text.startswith(_SHARE) or _DRIVE.match(text) is not None


def with_slashes(text: str) -> str:
    r"""The path with `/` between its parts, if it is one of Windows (`C:\src`) or this is Windows.
    Elsewhere a backslash may be part of a name.
    """
    return text.replace("\\", "/") if system.is_windows() or is_of_windows(text) else text


def last_part(text: str) -> str:
    """The name of the file that a path of any system leads to."""
    return (PureWindowsPath if is_of_windows(text) else PurePosixPath)(with_slashes(text)).name


def key(text: str) -> str:
    """What two paths of one file have in common, as far as their texts show: on Windows neither
    capitals nor the kind of slash matter.
    """
    if not (system.is_windows() or is_of_windows(text)):
        return text
    return with_slashes(text).casefold()


def joined(paths: Iterable[str | os.PathLike[str]]) -> str:
    """A class path or a PATH of these: `a:b`, `a;b`."""
    return os.pathsep.join(os.fspath(each) for each in paths)


def words(text: str, *, comments: bool = False) -> list[str]:
    """A command line as a shell of this system splits it. On Windows a backslash is one, and a text
    in double quotes is one word. Raises ValueError for a quote that is not closed.
    """
    if not system.is_windows():
        return shlex.split(text, comments=comments)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.escape = ""
    lexer.quotes = '"'
    lexer.commenters = "#" if comments else ""
    return list(lexer)
