# SPDX-License-Identifier: Apache-2.0
"""Tells before a program is started that its main class is not on the class path, or is for a
newer Java.

The JVM finds that out only once it runs, which may be long after a debugger has shown it as held.
Says nothing where options may bring the class from elsewhere. Reads the disk. Called by
`command_line`.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.release import HEAD_SIZE, release_of
from jvmdebug.launch.training_run import words_of_options
from jvmdebug.regular_file import open_archive, read_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_BRINGS_CLASSES: Final = re.compile(
    r"@|-cp\b|-classpath\b|--class-path\b|-p\b|--module-path\b|--add-modules\b|--patch-module\b"
    r"|--upgrade-module-path\b|-Xbootclasspath|-javaagent:|-agent(lib|path):|-m\b|--module\b|-jar\b"
    r"|-Djava\.(system\.class\.loader|class\.path)\b|-XX:(Flags|VMOptionsFile)="
)
_OF_THE_JDK: Final = re.compile(r"(java|javax|jdk|sun|com\.sun|org\.(ietf|jcp|w3c|xml)|netscape)\.")
_MOST_ARCHIVES: Final = 60
"""More of them take longer to read than the answer is worth."""


def why_no_main_class(
    main_class: str,
    class_path: Sequence[str],
    vm_args: Iterable[str],
    env: Mapping[str, str],
    directory: Path,
) -> str | None:
    """Why the class cannot be started: that no part of the class path has it, which is certain.

    None if one has it, and if that is not known.
    """
    options = [*vm_args, *words_of_options(env)]
    if _OF_THE_JDK.match(main_class) or any(map(_BRINGS_CLASSES.match, options)):
        return None
    paths = list(class_path) or (env.get("CLASSPATH") or ".").split(os.pathsep)
    name = f"{main_class.replace('.', '/')}.class"
    entries = list(_entries(paths, directory))
    archives = [each for each in entries if not each.is_dir()]
    if any((each / name).is_file() for each in entries) or len(archives) > _MOST_ARCHIVES:
        return None
    if any(_may_have(each, name) for each in archives):
        return None
    shown = os.pathsep.join(paths)
    return f"there is no class {main_class} on the class path, which is {shown}"


def release_of_main_class(
    main_class: str,
    class_path: Sequence[str],
    vm_args: Iterable[str],
    env: Mapping[str, str],
    directory: Path,
) -> int | None:
    """The Java release that the class was compiled for; None where that is not known, and for a
    class in an archive.
    """
    options = [*vm_args, *words_of_options(env)]
    if any(map(_BRINGS_CLASSES.match, options)):
        return None
    paths = list(class_path) or (env.get("CLASSPATH") or ".").split(os.pathsep)
    name = f"{main_class.replace('.', '/')}.class"
    for each in _entries(paths, directory):
        if not each.is_dir():
            return None  # it may be in there, and comes first then
        with contextlib.suppress(OSError):
            return release_of(read_head(each / name, HEAD_SIZE))
    return None


def _entries(paths: Iterable[str], directory: Path) -> Iterator[Path]:
    for each in paths:
        path = directory / each
        if path.name == "*":
            yield from (jar for jar in path.parent.glob("*") if jar.suffix.lower() == ".jar")
        elif _exists(path):
            yield path


def _exists(path: Path) -> bool:
    """False, too, for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _may_have(archive: Path, name: str) -> bool:
    """Whether an archive has the class, also for one release only, or names other archives."""
    from zipfile import BadZipFile  # noqa: PLC0415 - slow to import

    try:
        with open_archive(archive) as opened:
            names = opened.namelist()
            if any(each == name or each.endswith(f"/{name}") for each in names):
                return True
            manifest = "META-INF/MANIFEST.MF"
            return manifest in names and b"\nClass-Path:" in opened.read(manifest)
    except (OSError, BadZipFile):
        return True  # the JVM says what is wrong with it
