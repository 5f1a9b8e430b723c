# SPDX-License-Identifier: Apache-2.0
"""`session.covering`: which lines and branches of the program run.

Owns the arguments of `coverage`, which is the session's method too; the recording and its results
are `jvmdebug.coverage`'s.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug import coverage
from jvmdebug.session.class_paths import own_class_path
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.session.code_notes import CodeNotes
    from jvmdebug.session.program import DebuggedProgram


class SessionCoverage:
    """Coverage of one debugged program."""

    def __init__(self, program: DebuggedProgram, notes: CodeNotes) -> None:
        self._program = program
        self._notes = notes

    def __repr__(self) -> str:
        return f"SessionCoverage(of {self._program.name})"

    def coverage(
        self,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        branches: bool = True,
        per_test: bool = False,
    ) -> coverage.CoverageRecording:
        """Record which lines, branches and methods run, from the beginning of the context that this
        returns to its end: `async with session.coverage() as recording: …; await recording.read()`.

        The program is not stopped, and goes on without what was put into its classes afterwards.
        `include` and `exclude`: names of classes, in which `*` stands for any characters: `shop.*`.
        Without `include` all classes count that are in the folders of the class path, those that
        are never loaded too; without folders, all in its archives. What ran before is not known. A
        method that a thread is in all the time is observed once it has left it. What was put in
        leaves code that has been seen after some seconds, unless tests are told apart (`per_test`):
        those of a launch that runs tests, by what runs each again, `shop.CartTest#adds`; else where
        `take_test` is called. Needs our agent, and no recording beside it.
        Raises CoverageError for what cannot be recorded.
        """

        async def plan() -> coverage.CoveragePlan:
            services = self._program.services
            services.stops.require(Operation.INSPECT)
            self._notes.begin("coverage", made)
            class_path = await own_class_path(services)
            return await asyncio.to_thread(
                coverage.plan_for,
                include,
                exclude,
                class_path,
                branches=branches,
                per_test=per_test,
            )

        tests = self._program.services.tests
        made = coverage.CoverageRecording(
            self._program.services.router,
            plan,
            self._source_of,
            None if tests is None else tests.name_of,
        )
        return made

    def _source_of(self, file: str) -> str | None:
        found = self._program.services.sources.find_path(file)
        return str(found.path) if found is not None and found.is_on_disk else None
