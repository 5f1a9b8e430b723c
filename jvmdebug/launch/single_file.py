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
from typing import TYPE_CHECKING

from jvmdebug.errors import LaunchError
from jvmdebug.jdk import jdk_to_compile
from jvmdebug.launch.main_type import find_main_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdk import Jdk

_COMPILE_TIMEOUT_S = 120.0
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
        raise LaunchError(f"cannot read the program {file}: {error}") from error
    main_type = find_main_type(source, file.stem)
    root = _source_root(file, main_type.package)
    compiler = await asyncio.to_thread(_compiler_for, jdk, vm_args)
    if not compiler:
        return CompiledFile(main_type.name, root, None)
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    command = [
        *compiler,
        "-g",
        "-encoding",
        "UTF-8",
        "-d",
        str(directory),
        "-sourcepath",
        str(root),
        "-classpath",
        ":".join(class_path) if class_path else str(directory),
        "-proc:none",
        "-Xlint:none",
    ]
    try:
        await _run_compiler([*command, str(file)], file)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    return CompiledFile(main_type.name, root, directory)


def _compiler_for(jdk: Jdk, vm_args: Sequence[str]) -> list[str]:
    """The compiler command with the options for classes that run on `jdk`; empty without a
    compiler.
    """
    version, preview = jdk.feature_version, _ENABLE_PREVIEW in vm_args
    release = ["--release", str(version)]
    if jdk.javac is not None:
        own = [str(jdk.javac)]
        return [*own, _ENABLE_PREVIEW, *release] if preview and version is not None else own
    # Only the compiler of the same version knows the preview features of a release.
    other = jdk_to_compile(version) if version is not None and not preview else None
    return [str(other.javac), *release] if other else []


async def _run_compiler(command: Sequence[str], file: Path) -> None:
    try:
        compiler = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        raise LaunchError(f"cannot start the compiler {command[0]}: {error}") from error
    try:
        async with asyncio.timeout(_COMPILE_TIMEOUT_S):
            said, _ = await compiler.communicate()
    except TimeoutError as error:
        raise LaunchError(f"{command[0]} took more than {_COMPILE_TIMEOUT_S:g} s") from error
    finally:
        if compiler.returncode is None:
            compiler.kill()
            await compiler.wait()
    if compiler.returncode != 0:
        messages = said.decode(errors="replace").strip()
        raise LaunchError(f"{file.name} does not compile:\n{messages}")


def _source_root(file: Path, package: str) -> Path:
    """The directory above the package's directories, if the file is in them; else its own."""
    directory = file.resolve().parent
    names = package.split(".") if package else []
    if names and list(directory.parts[-len(names) :]) == names:
        return directory.parents[len(names) - 1]
    return directory
