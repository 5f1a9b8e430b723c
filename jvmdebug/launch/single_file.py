# SPDX-License-Identifier: Apache-2.0
"""Compiles a single `.java` file with -g into a private directory, to run it.

Owns that directory until `remove`. The compiler is the runtime's own, or one of another JDK of this
machine, with the runtime's release as option. Without any, the java launcher's source mode runs the
file (JDK 11 and later), which compiles in memory and without local variables.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import LaunchError
from jvmdebug.javac import FilesToCompile, JavacFailedError
from jvmdebug.javac.tasks import compile_files
from jvmdebug.jdk import jdk_to_compile
from jvmdebug.launch.kept_classes import KeptClasses
from jvmdebug.launch.main_type import find_main_type
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.javac import Answer, Diagnostic
    from jvmdebug.jdk import Jdk

_OPTIONS: Final = ("-g", "-proc:none", "-Xlint:none")
_MOST_SHOWN: Final = 20
_ENABLE_PREVIEW = "--enable-preview"


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """How a `.java` file is run."""

    main_class: str
    source_root: Path
    """The directory that the package's directories start in."""
    directory: Path | None
    """Where the class files are; None in source-launch mode."""

    def remove(self) -> None:
        """Delete the class files."""
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)


async def compile_file(
    file: Path, jdk: Jdk, *, class_path: Sequence[str] = (), vm_args: Sequence[str] = ()
) -> CompiledFile:
    """Compile `file`, and what it refers to below its source root, with full debug tables.

    Raises LaunchError with the compiler's messages.
    """
    try:
        source = await asyncio.to_thread(file.read_bytes)
    except OSError as error:
        raise LaunchError(f"cannot read the program {file}: {reason(error)}") from error
    main_type = find_main_type(source, file.stem)
    root = _source_root(file, main_type.package)
    compiler = await asyncio.to_thread(_compiler_for, jdk, vm_args)
    if compiler is None:
        return CompiledFile(main_type.name, root, None)
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    request = FilesToCompile(
        (file,),
        directory,
        [Path(each) for each in class_path] or (directory,),
        (root,),
        (*_OPTIONS, *compiler.options),
    )
    try:
        kept = KeptClasses(compiler.jdk, request)
        if not await asyncio.to_thread(kept.copied):
            answer = await _compile(compiler.jdk, request)
            await asyncio.to_thread(kept.keep, answer)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    return CompiledFile(main_type.name, root, directory)


@dataclass(frozen=True, slots=True)
class _Compiler:
    jdk: Jdk
    options: tuple[str, ...]
    """For classes that run on the wanted runtime."""


def _compiler_for(jdk: Jdk, vm_args: Sequence[str]) -> _Compiler | None:
    """What compiles classes that run on `jdk`; None without a compiler."""
    version, preview = jdk.feature_version, _ENABLE_PREVIEW in vm_args
    release = ("--release", str(version))
    if jdk.javac is not None:
        has_preview = preview and version is not None
        return _Compiler(jdk, (_ENABLE_PREVIEW, *release) if has_preview else ())
    # Only the compiler of the same version knows the preview features of a release.
    other = jdk_to_compile(version) if version is not None and not preview else None
    return None if other is None else _Compiler(other, release)


async def _compile(jdk: Jdk, request: FilesToCompile) -> Answer:
    (file,) = request.files
    try:
        answer = await compile_files(jdk, request)
    except JavacFailedError as error:
        raise LaunchError(f"cannot compile {file}: {error}") from error
    if not answer.is_done:
        errors = [each for each in answer.diagnostics if each.is_error]
        shown = [_shown(each) for each in errors[:_MOST_SHOWN]]
        if len(errors) > _MOST_SHOWN:
            shown.append(f"… and {len(errors) - _MOST_SHOWN} more errors")
        raise LaunchError("\n".join([f"{file.name} does not compile:", *shown]))
    return answer


def _shown(found: Diagnostic) -> str:
    """Format a message as javac does: place and text, the line with a caret below, details."""
    text, *details = found.message.splitlines()
    if found.file is None:
        return "\n".join([f"error: {text}", *details])
    lines = [f"{found.file}:{found.line}: error: {text}"]
    try:
        source = read_text(found.file, errors="replace").splitlines()
    except OSError:
        source = []
    if found.column and found.line <= len(source):
        line = source[found.line - 1]
        before = "".join("\t" if each == "\t" else " " for each in line[: found.column - 1])
        lines += [line, f"{before}^"]
    return "\n".join([*lines, *details])


def _source_root(file: Path, package: str) -> Path:
    """The directory above the package's directories, if the file is in them; else its own."""
    directory = file.absolute().parent
    names = package.split(".") if package else []
    if names and list(directory.parts[-len(names) :]) == names:
        return directory.parents[len(names) - 1]
    return directory
