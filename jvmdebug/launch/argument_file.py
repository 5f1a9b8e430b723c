# SPDX-License-Identifier: Apache-2.0
"""Long command lines: the arguments of the java command in a file, `java @FILE`.

A class path of a large project does not fit on a command line: Linux takes 128 KiB for one
argument, and a shell in a terminal shows it all. Called by `command_line`; the launcher of JDK 9
and later reads the file.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jvmdebug.errors import LaunchError
from jvmdebug.platform import system

if TYPE_CHECKING:
    from collections.abc import Sequence

Shorten: TypeAlias = Literal["auto", "none", "argfile"]
"""Whether the arguments go into a file; `auto`: when they are long."""

_LONG: Final = 16_384
"""In characters."""
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}


def is_needed(arguments: Sequence[str], shorten: Shorten) -> bool:
    """Whether these arguments go into a file."""
    length = sum(len(each) + 1 for each in arguments)
    return shorten == "argfile" or (shorten == "auto" and length > _LONG)


def written(arguments: Sequence[str], directory: Path | None) -> Path:
    """A file with the arguments in that directory, else in a new temporary one. Writes the disk.

    Raises LaunchError for a character that the launcher of Windows could not read, as its code page
    has none.
    """
    text = "".join(f"{quoted(each)}\n" for each in arguments)
    content = _in_code_page(text) if system.is_windows() else os.fsencode(text)
    file = (directory or Path(tempfile.mkdtemp(prefix="jvmdebug-"))) / "java-arguments"
    file.write_bytes(content)
    return file


def _in_code_page(text: str) -> bytes:
    code_page = system.code_page()
    try:
        return text.encode(code_page)
    except UnicodeEncodeError as error:
        lacking = error.object[error.start : error.end]
        raise LaunchError(
            f"the java command of Windows reads its arguments in the code page {code_page}, "
            f"which has no {lacking!r}: use paths without it"
        ) from None


def quoted(argument: str) -> str:
    """Quote an argument so that the java launcher reads it back unchanged."""
    return '"' + "".join(_ESCAPES.get(each, each) for each in argument) + '"'
