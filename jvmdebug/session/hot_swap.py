# SPDX-License-Identifier: Apache-2.0
"""`session.hot_swap`: new code for the program, and which code it has.

Owns the checks of the state; replacing is `code_replacing`'s and `source_replacing`'s. Its methods
are the session's too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.session.state import Operation, require

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from jvmdebug.hotswap import CodeComparison, RedefinedClass
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.source_replacing import ReplacedSources


class SessionHotSwap:
    """Replaces code of one debugged program, and compares it."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionHotSwap(of {self._program.name})"

    async def redefine(
        self, *paths: str | PathLike[str], changed_only: bool = True
    ) -> tuple[RedefinedClass, ...]:
        """Hot swap: give loaded classes the code of class files, or of all in directories, in one
        step.

        Of directories only what was written since the launch or the last call, and what was refused
        then, unless `changed_only` is False. One outcome for each class file; a refused class keeps
        its code and has the reason. So does a class whose new code needs that of a refused one (a
        new method or constructor of it), since it would fail when it runs. Frames that run old code
        go on with it (`frame.is_obsolete`). Raises SourceError for a path that is not there,
        UnsupportedError if the VM cannot at all.
        """
        require(Operation.INSPECT, self._program.services.stops.state)
        return await self._program.services.code_replacing.redefine(
            paths, changed_only=changed_only
        )

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

        require(Operation.INSPECT, self._program.services.stops.state)
        return await replace_sources(
            self._program.services,
            files,
            self._program.jdk,
            self._program.project,
            tuple(class_files),
        )

    async def compare_code(
        self, type_name: str, *class_path: str | PathLike[str]
    ) -> tuple[CodeComparison, ...]:
        """Whether the VM runs the code that is on disk: `shop.Cart$Item`, once for each loader that
        has loaded it. The class file is looked for in `class_path`, else in the session's own.
        SourceError if the class is not loaded or has no class file.
        """
        require(Operation.INSPECT, self._program.services.stops.state)
        return await self._program.services.code_replacing.compare(type_name, class_path)
