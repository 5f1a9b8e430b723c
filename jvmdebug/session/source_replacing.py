# SPDX-License-Identifier: Apache-2.0
"""Save and go on: edited sources are compiled, and the running program gets their code.

The project compiles what it has started. Of other programs it owns which files are of the program,
with which class path and for which release they are compiled, and where their class files belong:
beside those that the program was started with, so that a class that is loaded later, and the next
start, has the new code too. Replacing is `code_replacing`'s. Called by the session.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug import hotswap
from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ClassFileError, SourceError
from jvmdebug.evaluator.class_path import existing
from jvmdebug.hotswap.compiling import CompilerMessage, SourcesToCompile, compile_sources
from jvmdebug.jdk import jdk_to_compile
from jvmdebug.launch.project_command import in_thread
from jvmdebug.os_errors import reason
from jvmdebug.projects import BuildError, Work
from jvmdebug.regular_file import read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from jvmdebug.hotswap import RedefinedClass
    from jvmdebug.jdk import Jdk
    from jvmdebug.projects import Project, SourceProblem
    from jvmdebug.session.services import Services

_PACKAGE: Final = re.compile(r"^\s*package\s+([\w.\s]+?)\s*;", re.MULTILINE)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReplacedSources:
    """The result of replacing edited sources."""

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


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The result of compiling sources."""

    class_files: tuple[Path, ...] = ()
    """Those whose code the program may not have."""
    messages: tuple[CompilerMessage, ...] = ()
    strangers: tuple[Path, ...] = ()

    @property
    def has_errors(self) -> bool:
        return any(each.is_error for each in self.messages)


async def replace_sources(
    services: Services,
    files: Sequence[str | PathLike[str]],
    jdk: Jdk | None,
    project: Project | None = None,
    class_files: Sequence[str | PathLike[str]] = (),
) -> ReplacedSources:
    """See `Session.replace_sources`. `jdk` is that of the program, if it is on this machine;
    `project` what started it.
    """
    services.vm.require("can_redefine_classes", "replacing the code of classes")
    paths, own = await asyncio.to_thread(_absolute, files, project)
    others = [each for each in paths if each not in own]
    compiled = [_Compiled()]
    output = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    try:
        if project is not None and own:
            compiled.append(await _compiled_by_project(services, own, project))
        if others and not compiled[-1].has_errors:
            compiled.append(await _compiled_by_javac(services, others, jdk, output))
        made = [file for each in compiled for file in each.class_files] + list(class_files)
        replaced: tuple[RedefinedClass, ...] = ()
        if made and not compiled[-1].has_errors:
            replaced = await services.code_replacing.redefine(made, changed_only=True)
    finally:
        await asyncio.to_thread(shutil.rmtree, output, ignore_errors=True)
    messages = tuple(message for each in compiled for message in each.messages)
    return ReplacedSources(replaced, messages, compiled[-1].strangers)


def _absolute(
    files: Sequence[str | PathLike[str]], project: Project | None
) -> tuple[list[Path], list[Path]]:
    """The files, and those of them that the project compiles."""
    paths = [Path(each).absolute() for each in files]
    if project is None:
        return paths, []
    own = [each for each in paths if each.is_file() and project.source_set_of(each) is not None]
    return paths, own


async def _compiled_by_project(
    services: Services, files: Sequence[Path], project: Project
) -> _Compiled:
    work = Work()
    try:
        compiled = await in_thread(lambda: project.compile_changed(files, work), work)
    except BuildError as error:
        messages = _messages(error.problems)
        if not any(each.is_error for each in messages):
            raise
        return _Compiled(messages=messages)
    made = list(compiled.class_files)
    # Another process may have compiled them: the editor, or the session of another program.
    of_files = await asyncio.to_thread(
        lambda: [found for each in files for found in project.class_files_of(each)]
    )
    made += [each for each in of_files if each not in made and await _differs(services, each)]
    return _Compiled(tuple(made), _messages(compiled.problems))


def _messages(problems: Sequence[SourceProblem]) -> tuple[CompilerMessage, ...]:
    return tuple(
        CompilerMessage.of(each.file, each.line, each.column, each.message, is_error=each.is_error)
        for each in problems
        if each.file is not None
    )


async def _differs(services: Services, class_file: Path) -> bool:
    """Whether a loaded class has other code than its class file."""
    try:
        file = ClassFile.read(await asyncio.to_thread(class_file.read_bytes))
    except (OSError, ClassFileError):
        return False
    loaded = await services.vm.classes_by_signature(f"L{file.name};")
    found = [await hotswap.compare(each, file, class_file) for each in loaded]
    return any(not each.is_same for each in found)


async def _compiled_by_javac(
    services: Services, files: Sequence[Path], jdk: Jdk | None, output: Path
) -> _Compiled:
    """Compile sources of a program that no project compiles. Class files that belong nowhere else
    stay in the directory `output`.
    """
    vm = services.vm
    paths = await vm.class_paths()
    named = [Path(paths.base_directory) / each for each in paths.class_paths if each]
    class_path = await asyncio.to_thread(existing, named)
    sources, strangers = [], []
    for path in files:
        source = await _source(services, path, class_path) if path.suffix == ".java" else None
        if source is None:
            strangers.append(path)
        else:
            sources.append(source)
    if not sources:
        return _Compiled(strangers=tuple(strangers))
    asked = SourcesToCompile(
        [each.file for each in sources],
        class_path,
        list(dict.fromkeys(each.root for each in sources)),
        output,
        _options(sources, jdk, vm.version.feature_release),
    )
    compilation = await compile_sources(_compiler(jdk, vm.version.feature_release), asked)
    if not compilation.is_done:
        return _Compiled(messages=compilation.messages, strangers=tuple(strangers))
    home = next((each.output for each in sources if each.output is not None), None)
    made, same = await asyncio.to_thread(_installed, output, home, class_path)
    # Another process may have compiled them: the editor, or a build in a terminal.
    made += [each for each in same if await _differs(services, each)]
    return _Compiled(tuple(made), compilation.messages, tuple(strangers))


async def _source(services: Services, file: Path, class_path: Sequence[Path]) -> _Source | None:
    """The file as a source of the program; None if the program has no class of that name."""
    try:
        source, name = await asyncio.to_thread(_read_source, file, class_path)
    except (OSError, ValueError, RuntimeError) as error:  # it has a NUL; links in a circle
        raise SourceError(f"cannot read {file}: {reason(error)}") from error
    if source.output is None and not await services.vm.classes_by_signature(f"L{name};"):
        return None
    return source


def _read_source(file: Path, class_path: Sequence[Path]) -> tuple[_Source, str]:
    """The source, and the name of its class in the form of class files."""
    file = file.resolve()
    found = _PACKAGE.search(_COMMENT.sub(" ", read_text(file, errors="replace")))
    names = [] if found is None else ["".join(each.split()) for each in found[1].split(".")]
    root = file.parent
    if names and list(root.parts[-len(names) :]) == names:
        root = root.parents[len(names) - 1]
    name = "/".join([*names, file.stem])
    for each in class_path:
        compiled = each / f"{name}.class"
        if each.is_dir() and compiled.is_file():
            return _Source(file, root, each, read_bytes(compiled)), name
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


def _installed(
    made: Path, home: Path | None, class_path: Sequence[Path]
) -> tuple[list[Path], list[Path]]:
    """Move class files with new content to where the class path leads; where these are now, and
    those that are there with the same content.

    A class that no directory has yet goes to `home`; without one it stays where it is.
    """
    changed, same = [], []
    directories = [each for each in class_path if each.is_dir()]
    for file in sorted(made.rglob("*.class")):
        entry = file.relative_to(made)
        place = next((each / entry for each in directories if (each / entry).is_file()), None)
        if place is None and home is not None:
            place = home / entry
        if place is None:
            changed.append(file)
            continue
        if place.is_file() and read_bytes(place) == read_bytes(file):
            same.append(place)
            continue
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(file, place)
        except OSError:  # of another user: the program that runs gets the code all the same
            changed.append(file)
        else:
            changed.append(place)
    return changed, same
