# SPDX-License-Identifier: Apache-2.0
"""The class files of the program, for the compiler.

They are on the class path of the program, if it is on this machine; others are read in the debuggee
as resources of the class loaders. The nest of the frame's class is copied with all members public
(`class_files`). Called by `compiled_code`.
"""

from __future__ import annotations

import asyncio
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.compiling import class_files
from jvmdebug.evaluator.run.calls import invoke_virtual
from jvmdebug.evaluator.symbols.hierarchy import outermost
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.model.reference_type import ReferenceType

_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")


class ProgramClasses:
    """For one compilation; copies are written to `folder`."""

    def __init__(self, run: Run, folder: Path) -> None:
        self._run = run
        self._folder = folder
        self._local: list[Path] = []

    async def class_path(self, names: Iterable[str]) -> list[Path]:
        """The class path with the classes `names` and those of the program."""
        paths = await self._run.vm.class_paths()
        base = Path(paths.base_directory)
        self._local = [
            path for each in paths.class_paths if each and (path := base / each).exists()
        ]
        home = self._run.frame.location.type
        mates = await self._mates(home)
        for each in mates:
            await self._copy(each, is_mate=True)
        done = {each.name for each in mates}
        for name in sorted(set(names) - done):
            declaration = await self._run.source.load(name)
            if declaration is not None and declaration.origin is not None:
                await self._copy(declaration.origin, is_mate=False)
        return [self._folder, *self._local]

    async def _mates(self, home: ReferenceType) -> list[ReferenceType]:
        """The loaded classes with the same outermost class: nest mates."""
        top = outermost(home.name)
        loaded = await self._run.vm.all_classes()
        return [
            each
            for each in loaded
            if (each.name == top or each.name.startswith(f"{top}$")) and "/" not in each.name
        ]

    async def _copy(self, type_: ReferenceType, *, is_mate: bool) -> None:
        """Write the class file to the folder, unless the compiler finds it elsewhere."""
        if type_.name.startswith(_PLATFORM) or "/" in type_.name or "[" in type_.name:
            return
        entry = type_.name.replace(".", "/") + ".class"
        content = await asyncio.to_thread(_read_local, self._local, entry)
        if content is not None and not is_mate:
            return
        if content is None:
            content = await self._fetched(type_, entry)
        if content is None:
            return  # generated at run time: the compiler reports what is missing
        target = self._folder / entry
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(class_files.opened(content) if is_mate else content)

    async def _fetched(self, type_: ReferenceType, entry: str) -> bytes | None:
        """The resource of that name, by the loader of the class."""
        loader = await type_.class_loader()
        if loader is None:
            return None
        name = await self._run.pin(await self._run.vm.create_string(entry))
        try:
            stream = await invoke_virtual(
                self._run,
                loader,
                "java.lang.ClassLoader",
                "getResourceAsStream",
                "(Ljava/lang/String;)Ljava/io/InputStream;",
                name,
            )
            if not isinstance(stream, ObjectReference):
                return None
            content = await invoke_virtual(
                self._run, stream, "java.io.InputStream", "readAllBytes", "()[B"
            )
        except DebuggeeException:
            return None
        if not isinstance(content, ArrayReference):
            return None
        return bytes(
            int(each.value) & 0xFF
            for each in await content.get()
            if isinstance(each, PrimitiveValue)
        )


def _read_local(class_path: list[Path], entry: str) -> bytes | None:
    for each in class_path:
        try:
            if each.is_dir():
                return (each / entry).read_bytes()
            with zipfile.ZipFile(each) as archive:
                return archive.read(entry)
        except (OSError, KeyError, zipfile.BadZipFile):
            continue
    return None
