# SPDX-License-Identifier: Apache-2.0
"""Whether the VM writes an AOT configuration or cache at its end: a training run (JDK 24 and on).

HotSpot crashes there if the code of `Throwable` was changed, as exception breakpoints of the fast
mode do. With the other options that make it write an archive (`-XX:ArchiveClassesAtExit` and
`-Xshare:dump`) the VM refuses every native agent. Owns where options of a VM stand. Called by
`command_line`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.paths import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_TRAINING: Final = re.compile(r"-XX:(?:AOTCacheOutput=.+|AOTMode=record)")
_ARCHIVE: Final = re.compile(r"-XX:ArchiveClassesAtExit=.+|-Xshare:dump")
_OPTION_FILE: Final = re.compile(r"-XX:VMOptionsFile=(.+)")
_VARIABLES: Final = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
_MOST: Final = 1_000_000
"""Characters of a file with options."""


def training_option(vm_args: Iterable[str], env: Mapping[str, str], directory: Path) -> str | None:
    """The option that makes it a training run, and where it stands; None if there is none. Reads
    the files that the options name.
    """
    return _option(_TRAINING, vm_args, env, directory)


def archive_option(vm_args: Iterable[str], env: Mapping[str, str], directory: Path) -> str | None:
    """The same for an option that makes the VM write a CDS archive, which it does without agents
    only.
    """
    return _option(_ARCHIVE, vm_args, env, directory)


def _option(
    wanted: re.Pattern[str], vm_args: Iterable[str], env: Mapping[str, str], directory: Path
) -> str | None:
    found = _among(wanted, vm_args, directory)
    if found is not None:
        return found
    for name in _VARIABLES:
        found = _among(wanted, _words(env.get(name, "")), directory)
        if found is not None:
            return f"{found} (in {name})"
    return None


def words_of_options(env: Mapping[str, str]) -> list[str]:
    """The options that variables of the environment add to those of the command."""
    return [word for name in _VARIABLES for word in _words(env.get(name, ""))]


def _among(wanted: re.Pattern[str], arguments: Iterable[str], directory: Path) -> str | None:
    for argument in arguments:
        if wanted.fullmatch(argument):
            return argument
        named = _OPTION_FILE.fullmatch(argument)
        is_argfile = argument.startswith("@") and not argument.startswith("@@")
        name = argument[1:] if is_argfile else named and named.group(1)
        for word in _read(directory / name) if name else ():
            if wanted.fullmatch(word):
                return f"{word} (in {name})"
    return None


def _read(file: Path) -> Iterator[str]:
    if file.is_file():
        with file.open(encoding="utf-8", errors="replace") as text:
            yield from _words(text.read(_MOST))


def _words(text: str) -> list[str]:
    """Split a text as the launcher and the VM do, well enough for the options sought here."""
    try:
        return words(text, comments=True)
    except ValueError:  # a quote that is not closed
        return text.split()
