# SPDX-License-Identifier: Apache-2.0
"""The classes of the program, for the compiler: which there are, and their class files.

Class files come from the class path, if it is on this machine, else from the VM: the loader of a
class gives them as resources, in a fat jar, a web application or an OSGi bundle too; of a class
that was generated, our agent gives what the VM has. Classes in the nest of the frame's class have
all members public (`class_files`). Called by `compiled_code`.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.class_path import local_class_path, read_local
from jvmdebug.evaluator.compiling import class_files
from jvmdebug.evaluator.run.calls import invoke_virtual
from jvmdebug.evaluator.symbols.hierarchy import outermost
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.method import Method
from jvmdebug.model.values import ArrayReference, ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.evaluator.compiling.javac import Diagnostic
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType

_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
_REFUSED: Final = re.compile(
    r"has (?:private|protected) access in | is not public in | be accessed from outside package"
)
_PREVIEW: Final = re.compile(r"uses? preview features")
EVERY_CLASS: Final = "*"
_MISSING: Final = re.compile(r"class file for ([\w.$]+) not found")
_MOST_BYTES: Final = 64 * 1024 * 1024


class Offer(Enum):
    """What the compiler gets from here, where files have it too."""

    MATES = auto()
    """The classes in the nest of the frame's class, with everything public."""
    UNMARKED = auto()
    """All classes, without the mark of preview releases."""
    OPENED = auto()
    """All classes, with everything public."""


class ClassFiles:
    """Class files read in the VM, and the class path of the program here.

    One for each VM: `vm.companion(ClassFiles)`.
    """

    def __init__(self) -> None:
        self.names_found: set[str] = set()
        """Classes that were not loaded when they were found."""
        self._contents: dict[tuple[ReferenceType, int, str], bytes] = {}
        self._size = 0

    def known(self, home: ReferenceType, name: str) -> bytes | None:
        """The class file that the class `home` sees under a name, if it was read before."""
        return self._contents.get((home, home.vm.redefinitions, name))

    def keep(self, home: ReferenceType, name: str, content: bytes) -> None:
        """Keep a class file; all are forgotten when they become too many."""
        if self._size + len(content) > _MOST_BYTES:
            self._contents.clear()
            self._size = 0
        self._contents[home, home.vm.redefinitions, name] = content
        self._size += len(content)

    async def close(self) -> None:
        """The connection is closed."""
        self._contents.clear()


class ProgramClasses:
    """The program's classes as that of the frame sees them; for one compilation. Implements
    `tasks.ClassSource`.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._home = run.frame.location.type
        self._files = run.vm.companion(ClassFiles)
        self._local: list[Path] = []
        self._packages: dict[str, list[str]] | None = None
        self._outermost = outermost(self._home.name)
        self._offers = Offer.MATES

    @property
    def outermost(self) -> str:
        """See ClassSource."""
        return self._outermost if self._offers is Offer.MATES else EVERY_CLASS

    def offer_more(self, diagnostics: Sequence[Diagnostic]) -> bool:
        """Give the compiler what it refused to read or to use; whether there is more to give."""
        messages = [each.message for each in diagnostics]
        if self._offers is not Offer.OPENED and any(map(_REFUSED.search, messages)):
            self._offers = Offer.OPENED
            return True
        if self._offers is Offer.MATES and any(map(_PREVIEW.search, messages)):
            self._offers = Offer.UNMARKED
            return True
        return False

    async def class_path(self) -> list[Path]:
        """The class path of the program, as far as it is on this machine."""
        self._local = await local_class_path(self._run.vm)
        return self._local

    async def names(self, package: str) -> Sequence[str]:
        """The loaded classes of a package; see ClassSource."""
        if self._packages is None:
            self._packages = defaultdict(list)
            loaded = {each.name for each in await self._run.vm.all_classes()}
            for name in loaded | self._files.names_found:
                if not (name.startswith(_PLATFORM) or "/" in name or "[" in name):
                    self._packages[package_name(name)].append(name)
        return self._packages.get(package, ())

    async def content(self, name: str) -> bytes | None:
        """The class file of a class that is loaded or not, as the compiler is to see it."""
        found = await self.raw(name)
        if found is None:
            return None
        try:
            if self._offers is Offer.OPENED:
                return class_files.opened(found, await self._inherited(name))
            return class_files.opened(found) if self.is_mate(name) else class_files.unmarked(found)
        except ClassFileError:
            return found

    async def raw(self, name: str) -> bytes | None:
        """The class file of a class that is loaded or not, as it is."""
        found = self._files.known(self._home, name)
        if found is None:
            entry = name.replace(".", "/") + ".class"
            found = await asyncio.to_thread(read_local, self._local, entry)
            if found is None:
                found = await self._resource(name, entry) or await self._loaded(name)
            if found is None:
                return None
            self._files.keep(self._home, name, found)
        return found

    @property
    def is_opened(self) -> bool:
        """Whether the compiler sees everything as public."""
        return self._offers is Offer.OPENED

    @staticmethod
    def is_of_platform(name: str) -> bool:
        """Whether a class is one of the JDK's own, which the compiler reads as it is."""
        return name.startswith(_PLATFORM)

    def is_mate(self, name: str) -> bool:
        """Whether a class is in the nest of the frame's class."""
        return outermost(name) == self._outermost

    async def _inherited(self, name: str) -> tuple[class_files.Protected, ...]:
        """The protected members that a class inherits from classes of the platform, which the
        compiler reads as they are.
        """
        declaration = await self._run.source.declaration(name)
        type_ = None if declaration is None else declaration.origin
        found: dict[class_files.Protected, None] = {}
        while type_ is not None:
            if self.is_of_platform(type_.name):
                members: list[Field | Method] = [*await type_.fields(), *await type_.methods()]
                for each in members:
                    if each.modifiers & Access.PROTECTED and not each.name.startswith("<"):
                        is_method = isinstance(each, Method)
                        named = is_method, each.name, each.signature
                        found.setdefault(class_files.Protected(*named, each.modifiers))
            type_ = await type_.superclass()
        return tuple(found)

    async def find(self, diagnostics: Sequence[Diagnostic]) -> bool:
        """Look for the classes that the compiler misses; whether one was found."""
        missing = {
            name
            for each in diagnostics
            for name in _MISSING.findall(each.message)
            if name not in self._files.names_found
        }
        found = {name for name in missing if await self.content(name) is not None}
        self._files.names_found |= found
        self._packages = None
        return bool(found)

    async def _loaded(self, name: str) -> bytes | None:
        """A loaded class that its loader gives no resource of: it was generated, or is guarded.

        From our agent only.
        """
        declaration = await self._run.source.declaration(name)
        origin = None if declaration is None else declaration.origin
        return None if origin is None else await origin.class_file()

    async def _resource(self, name: str, entry: str) -> bytes | None:
        """The resource of that name, by the loader of the class; of the frame's for others. None
        where no code may run.
        """
        if self._run.is_read_only:
            return None
        declaration = await self._run.source.declaration(name)
        origin = None if declaration is None else declaration.origin
        loader = await (self._home if origin is None else origin).class_loader()
        if loader is None:
            return None
        text = await self._run.pin(await self._run.vm.create_string(entry))
        try:
            stream = await invoke_virtual(
                self._run,
                loader,
                "java.lang.ClassLoader",
                "getResourceAsStream",
                "(Ljava/lang/String;)Ljava/io/InputStream;",
                text,
            )
            if not isinstance(stream, ObjectReference):
                return None
            content = await invoke_virtual(
                self._run, stream, "java.io.InputStream", "readAllBytes", "()[B"
            )
            await invoke_virtual(self._run, stream, "java.io.InputStream", "close", "()V")
        except DebuggeeException:
            return None
        if not isinstance(content, ArrayReference):
            return None
        return bytes(
            int(each.value) & 0xFF
            for each in await content.get()
            if isinstance(each, PrimitiveValue)
        )
