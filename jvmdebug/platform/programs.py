# SPDX-License-Identifier: Apache-2.0
"""File names of programs, scripts and libraries: `java.exe`, `mvnw.cmd`, `jdwp.dll`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from jvmdebug.platform import system

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPTS: Final = (".cmd", ".bat")


def program(name: str) -> str:
    """The file of a program: `java`, `java.exe`."""
    return f"{name}.exe" if system.is_windows() else name


def script_names(name: str) -> tuple[str, ...]:
    """The files that a wrapper script may be, in the order in which they are looked for: `mvnw`, or
    `mvnw.cmd` and `mvnw.bat`.
    """
    return tuple(f"{name}{end}" for end in _SCRIPTS) if system.is_windows() else (name,)


def script_in(folder: Path, name: str) -> Path | None:
    """The wrapper script of that name in a folder; None if there is none."""
    found = (folder / each for each in script_names(name))
    return next((each for each in found if each.is_file()), None)


def command_of_script(script: Path) -> list[str]:
    """How a wrapper script is run, even one that has lost its permission in an archive."""
    if system.is_windows() or os.access(script, os.X_OK):
        return [str(script)]
    return ["sh", str(script)]


def library(name: str) -> str:
    """The file of a shared library: `libjdwp.so`, `libjdwp.dylib`, `jdwp.dll`."""
    if system.is_windows():
        return f"{name}.dll"
    return f"lib{name}.dylib" if system.is_macos() else f"lib{name}.so"


def library_folder() -> str:
    """The folder of a Java runtime that has its libraries."""
    return "bin" if system.is_windows() else "lib"
