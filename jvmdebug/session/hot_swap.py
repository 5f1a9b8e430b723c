# SPDX-License-Identifier: Apache-2.0
"""`session.hot_swap`: new code for the program, and which code it has.

Owns the checks of the state; replacing is `code_replacing`'s and `source_replacing`'s. Its methods
are the session's too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.classfile import ClassFile
from jvmdebug.errors import ArgumentError, SourceError
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from jvmdebug.hotswap import CodeComparison, RedefinedClass
    from jvmdebug.jvmti.calling import NamedClass
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.session.class_transform import ClassTransform, Edit
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.source_replacing import ReplacedSources


class SessionHotSwap:
    """Replaces code of one debugged program, and compares it."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionHotSwap(of {self._program.name})"

    async def redefine(
        self,
        *code: str | PathLike[str] | Mapping[NamedClass, bytes],
        changed_only: bool = True,
    ) -> tuple[RedefinedClass, ...]:
        """Hot swap: give loaded classes the code of class files, or of all in directories, in one
        step; of `.java` files, which are compiled as by `replace_sources`; or of class files in
        memory, `{"shop.Cart": content}`, also by what `session.classes.find` gives.

        Of directories only what was written since the launch or the last call, and what was refused
        then, unless `changed_only` is False. One outcome for each class file; a refused class keeps
        its code and has the reason. So does a class whose new code needs that of a refused one (a
        new method or constructor of it), since it would fail when it runs. Frames that run old code
        go on with it (`frame.is_obsolete`). Raises SourceError for a path that is not there and for
        sources that do not compile, UnsupportedError if the VM cannot at all.
        """
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        in_memory = [each for each in code if isinstance(each, Mapping)]
        paths = [Path(each) for each in code if not isinstance(each, Mapping)]
        contents = await self._in_memory(in_memory)
        sources = [each for each in paths if each.suffix == ".java"]
        if not sources:
            return await services.code_replacing.redefine(
                paths, changed_only=changed_only, contents=contents
            )
        replaced = await self.replace_sources(*sources)
        if replaced.has_errors:
            raise SourceError("\n".join(map(str, replaced.messages)))
        if replaced.strangers:
            named = ", ".join(map(str, replaced.strangers))
            raise SourceError(f"{named}: no source of this program")
        others = [each for each in paths if each.suffix != ".java"]
        if not others and not contents:
            return replaced.classes
        return replaced.classes + await services.code_replacing.redefine(
            others, changed_only=changed_only, contents=contents
        )

    async def _in_memory(
        self, given: Iterable[Mapping[NamedClass, bytes]]
    ) -> list[tuple[ReferenceType, bytes]]:
        from jvmdebug.jvmti.calling import the_class  # noqa: PLC0415 - slow to import

        found = []
        for named, content in (pair for each in given for pair in each.items()):
            type_ = await the_class(self._program.services.vm, named)
            own = ClassFile.read(content).java_name
            if own != type_.name:
                raise ArgumentError(f"the class file given for {type_.name} is one of {own}")
            found.append((type_, content))
        return found

    async def replace_sources(
        self, *files: str | PathLike[str], class_files: Iterable[str | PathLike[str]] = ()
    ) -> ReplacedSources:
        """Compile edited `.java` files of the running program and give it their code, in one step
        with the code of `class_files` (as in `redefine`).

        A program that was launched through a project is compiled as the project is, Kotlin too, and
        with it what the change reaches; others with the program's class path and for the release of
        its classes, by javac without annotation processors; the class files are put where the class
        path leads. Files that are none of its sources are left out. With an error of the compiler
        nothing is replaced; else the outcome of each class is as of `redefine`. Raises SourceError
        for a file that cannot be read, or if there is no compiler.
        """
        from jvmdebug.session.source_replacing import (  # noqa: PLC0415 - slow to import
            replace_sources,
        )

        self._program.services.stops.require(Operation.INSPECT)
        return await replace_sources(
            self._program.services,
            files,
            self._program.jdk,
            self._program.project,
            tuple(class_files),
        )

    def transform_classes(self, pattern: str, edit: Edit) -> ClassTransform:
        """Edit the classes whose names fit `shop.*` or `*Cart`: those that are loaded, and each
        other one when it is loaded, before any of its code runs. As a profiler does:

            def count_calls(editor):
                for method in editor.methods:
                    editor.call_at_entry(method, StaticCall("shop.Counts", "add", "()V"))

            async with session.transform_classes("shop.*", count_calls) as transform: ...

        `edit` gets a `classfile.ClassEditor`, changes it, or returns a whole class file; it may be
        a coroutine. Members cannot be added. At the end of the context all have their own code
        again; what the VM keeps are constants that the calls needed. Needs our agent.
        """
        from jvmdebug.session.class_transform import (  # noqa: PLC0415 - slow to import
            ClassTransform,
        )

        return ClassTransform(self._program, pattern, edit)

    async def compare_code(
        self, type_name: str, *class_path: str | PathLike[str]
    ) -> tuple[CodeComparison, ...]:
        """Whether the VM runs the code that is on disk: `shop.Cart$Item`, once for each loader that
        has loaded it. The class file is looked for in `class_path`, else in the session's own.
        SourceError if the class is not loaded or has no class file.
        """
        self._program.services.stops.require(Operation.INSPECT)
        return await self._program.services.code_replacing.compare(type_name, class_path)
