# SPDX-License-Identifier: Apache-2.0
"""Save and go on: edited sources are compiled, and the running program gets their code.

Owns which files are of the program, with which class path and for which release they are compiled,
and where their class files belong: beside those that the program was started with, so that a class
that is loaded later, and the next start, has the new code too. Replacing is `code_replacing`'s.
Called by the session.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ClassFileError, SourceError
from jvmdebug.hotswap.compiling import SourcesToCompile, compile_sources
from jvmdebug.jdk import jdk_to_compile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from jvmdebug.hotswap import CompilerMessage, RedefinedClass
    from jvmdebug.jdk import Jdk
    from jvmdebug.session.services import Services

_PACKAGE: Final = re.compile(r"^\s*package\s+([\w.\s]+?)\s*;", re.MULTILINE)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReplacedSources:
    """What came of edited sources."""

    classes: tuple[RedefinedClass, ...]
    """Of each class file with new content."""
    messages: tuple[CompilerMessage, ...]
    """The compiler's. With an error among them nothing was replaced."""
    strangers: tuple[Path, ...]
    """Files that are no sources of the program."""

    @property
    def has_errors(self) -> bool:
        """Whether the sources do not compile."""
        return any(each.is_error for each in self.messages)


@dataclass(frozen=True, slots=True)
class _Source:
    """A source of the program."""

    file: Path
    root: Path
    """The directory above those of its package."""
    output: Path | None
    """Where its class files are; None if they are not on this machine, or in an archive."""
    compiled: bytes | None
    """A class file that was made of it before."""


async def replace_sources(
    services: Services, files: Sequence[str | PathLike[str]], jdk: Jdk | None
) -> ReplacedSources:
    """See `Session.replace_sources`. `jdk` is that of the program, if it is on this machine."""
    vm = services.vm
    vm.require("can_redefine_classes", "replacing the code of classes")
    paths = await vm.class_paths()
    named = [Path(paths.base_directory) / each for each in paths.class_paths if each]
    class_path = await asyncio.to_thread(lambda: [each for each in named if each.exists()])
    sources, strangers = [], []
    for path in [Path(each) for each in files]:
        source = await _source(services, path, class_path)
        if source is None:
            strangers.append(path)
        else:
            sources.append(source)
    if not sources:
        return ReplacedSources((), (), tuple(strangers))
    output = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    try:
        asked = SourcesToCompile(
            [each.file for each in sources],
            class_path,
            list(dict.fromkeys(each.root for each in sources)),
            output,
            _options(sources, jdk, vm.version.feature_release),
        )
        compilation = await compile_sources(_compiler(jdk, vm.version.feature_release), asked)
        if not compilation.is_done:
            return ReplacedSources((), compilation.messages, tuple(strangers))
        home = next((each.output for each in sources if each.output is not None), None)
        made = await asyncio.to_thread(_installed, output, home, class_path)
        replaced: tuple[RedefinedClass, ...] = ()
        if made:
            replaced = await services.code_replacing.redefine(made, changed_only=False)
        return ReplacedSources(replaced, compilation.messages, tuple(strangers))
    finally:
        await asyncio.to_thread(shutil.rmtree, output, ignore_errors=True)


async def _source(services: Services, file: Path, class_path: Sequence[Path]) -> _Source | None:
    """The file as a source of the program; None if the program has no class of that name."""
    try:
        source, name = await asyncio.to_thread(_read_source, file, class_path)
    except OSError as error:
        raise SourceError(f"cannot read {file}: {error}") from error
    if source.output is None and not await services.vm.classes_by_signature(f"L{name};"):
        return None
    return source


def _read_source(file: Path, class_path: Sequence[Path]) -> tuple[_Source, str]:
    """The source, and the name of its class in the form of class files."""
    file = file.resolve()
    found = _PACKAGE.search(_COMMENT.sub(" ", file.read_text(encoding="utf-8", errors="replace")))
    names = [] if found is None else ["".join(each.split()) for each in found[1].split(".")]
    root = file.parent
    if names and list(root.parts[-len(names) :]) == names:
        root = root.parents[len(names) - 1]
    name = "/".join([*names, file.stem])
    for each in class_path:
        compiled = each / f"{name}.class"
        if each.is_dir() and compiled.is_file():
            return _Source(file, root, each, compiled.read_bytes()), name
    return _Source(file, root, None, None), name


def _options(sources: Sequence[_Source], jdk: Jdk | None, vm_release: int) -> list[str]:
    """Options that make class files like those before: release, names of parameters, previews."""
    compiled = [each.compiled for each in sources if each.compiled is not None]
    options = ["-parameters"] if any(b"MethodParameters" in each for each in compiled) else []
    releases, has_preview = set(), False
    for each in compiled:
        try:
            file = ClassFile.read(each)
        except ClassFileError:
            continue
        releases.add(file.java_release)
        has_preview = has_preview or each[4:6] == b"\xff\xff"
    release = max(releases, default=vm_release)
    own = None if jdk is None or jdk.javac is None else jdk.feature_version
    if has_preview:
        options.append("--enable-preview")
    if has_preview or own != release:
        options += ["--release", str(release)]
    return options


def _compiler(jdk: Jdk | None, release: int) -> Jdk:
    """The compiler of the program's JDK, else one that knows its release."""
    if jdk is not None and jdk.javac is not None:
        return jdk
    other = jdk_to_compile(release)
    if other is None or other.javac is None:
        raise SourceError(
            f"sources are compiled by a JDK {release} or newer, and none was found on this machine:"
            " install one, or set JAVA_HOME"
        )
    return other


def _installed(made: Path, home: Path | None, class_path: Sequence[Path]) -> list[Path]:
    """Move class files with new content to where the class path leads; where they are now.

    A class that no directory has yet goes to `home`; without one it stays where it is.
    """
    changed = []
    directories = [each for each in class_path if each.is_dir()]
    for file in sorted(made.rglob("*.class")):
        entry = file.relative_to(made)
        place = next((each / entry for each in directories if (each / entry).is_file()), None)
        if place is None and home is not None:
            place = home / entry
        if place is None:
            changed.append(file)
            continue
        if place.is_file() and place.read_bytes() == file.read_bytes():
            continue
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(file, place)
        except OSError:  # of another user: the program that runs gets the code all the same
            changed.append(file)
        else:
            changed.append(place)
    return changed
