# SPDX-License-Identifier: Apache-2.0
"""`session.recorded`: what the program does, recorded into a file.

Owns the arguments of `record`, which is the session's method too; the talk with the agent and the
file are `jvmdebug.recording`'s.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug import coverage, recording
from jvmdebug.arguments import require_positive, require_whole
from jvmdebug.coverage.errors import CoverageError
from jvmdebug.recording.plan import RecordingPlan, root_of
from jvmdebug.session.class_paths import own_class_path
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from jvmdebug.session.code_notes import CodeNotes
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.session import Session
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle

_LONGEST_FILE: Final = 2_000_000_000
_LARGEST_RING: Final = 100_000_000


class SessionRecorded:
    """Recordings of one debugged program."""

    def __init__(
        self, program: DebuggedProgram, exit_code: Callable[[], int | None], notes: CodeNotes
    ) -> None:
        self._program = program
        self._exit_code = exit_code
        self._notes = notes
        self._recorder: recording.Recorder | None = None

    def __repr__(self) -> str:
        return f"SessionRecorded(of {self._program.name})"

    def record(  # noqa: PLR0913 - the scope of a recording
        self,
        path: str | Path,
        *,
        what: str = "all",
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        method: str | None = None,
        times: int = 0,
        redact: Sequence[str] | recording.Redaction = (),
        limit: int | None = None,
        last: float | None = None,
        share: int | None = None,
    ) -> recording.Recorder:
        """Record what the program does into a file, from the beginning of the context that this
        returns to its end: `async with session.record("fail.jvmrec") as recorder: …`. Open it with
        `jvmdebug.recording.open` or `jvmdebug replay`.

        `what`: `calls` (with parameters and results), `lines`, or `all` (local variables, fields
        and elements of arrays, and calls of classes that are not recorded). `only` and `exclude`:
        names of classes, in which `*` stands for any characters: `shop.*`. Without `only` all
        classes are recorded that are in the folders of the class path; without folders, all in its
        archives; of the JDK none. `method`, as `shop.OrderController#post`: threads are recorded
        only from its beginning to its end, `times` often. Frames that have begun before are not
        recorded.

        `redact`: names of variables, fields and parameters, like `*iban*`, whose values do not get
        into the file, nor the texts that they have held; those of passwords, keys and the like
        (`recording.DEFAULT_REDACTED`) are redacted too. A `recording.Redaction` has all the names,
        and expressions for texts.

        `limit`: soon after the file has so many bytes (2 GB), no more is recorded, which its notes
        say. `last`: only so many seconds are kept, as far as they fit into `limit` bytes of memory
        (100 MB): a flight recorder. The file is written at the end, when a stop is looked back
        from, and by `Recorder.keep`.

        `share`: percent of the program's processor time, 1 to 100, that the recording may take.
        Where it takes more, as estimated twice a second, the methods that record most are recorded
        less: first without what they store, then without their lines, then not at all. The notes
        say which, and from when on. None: without a limit.

        The program is not stopped, and goes on without the recording afterwards. Needs our agent,
        and no coverage or other recording beside it (StateError). Raises RecordingError for what
        cannot be recorded.
        """
        root = None if method is None else root_of(method)
        RecordingPlan(what=what)  # checks it
        if limit is None:
            limit = _LONGEST_FILE if last is None else _LARGEST_RING
        require_whole("limit", limit, 1)
        if last is not None:
            require_positive("last", last)
        if share is not None:
            require_whole("share", share, 1, 100)
        redaction = redact
        if not isinstance(redaction, recording.Redaction):
            redaction = recording.Redaction.with_defaults(*redaction)

        async def plan() -> tuple[RecordingPlan, recording.Header]:
            services = self._program.services
            services.stops.require(Operation.INSPECT)
            self._notes.begin("a recording", recorder)
            class_path = await own_class_path(services)
            try:
                classes = await asyncio.to_thread(
                    coverage.plan_for, only, exclude, class_path, branches=False
                )
            except CoverageError as error:
                raise recording.RecordingError(str(error)) from None
            more = () if root is None or only else (root[0],)
            made = RecordingPlan(
                (*classes.included, *more), classes.excluded, what, root, times, share=share or 0
            )
            return made, self._header(made, class_path, redaction)

        router = self._program.services.router
        recorder = recording.Recorder(
            router, Path(path), plan, self._exit_code, redaction, limit, last
        )
        self._recorder = recorder
        return recorder

    @property
    def recorder(self) -> recording.Recorder | None:
        """The recording that is under way, if there is one."""
        recorder = self._recorder
        return recorder if recorder is not None and recorder.is_open else None

    @asynccontextmanager
    async def look_back(
        self, stop: Stop, thread: ThreadHandle | None = None
    ) -> AsyncIterator[Session]:
        """Open what was recorded up to a stop as a program of its own, beside the one that has
        stopped: as `replay` does, but stopped where the thread (of the stop) is, and with the
        breakpoints of this session. A stop with the reason RECORDING_END means that the present is
        reached again. RecordingError if nothing is recorded, or nothing of that thread was.
        """
        from jvmdebug.session.looking_back import looking_back  # noqa: PLC0415 - seldom needed

        recorder = self.recorder
        if recorder is None:
            raise recording.RecordingError("nothing is recorded: there is no past to go back to")
        async with looking_back(self._program, recorder, thread or stop.thread) as session:
            yield session

    def _header(
        self, plan: RecordingPlan, class_path: list[Path], redaction: recording.Redaction
    ) -> recording.Header:
        services = self._program.services
        return recording.Header(
            started=int(time.time() * 1000),
            pid=services.vm.connection.peer_process or 0,
            java_version=services.vm.version.vm_version,
            main=self._program.name,
            what=plan.what,
            only=plan.included,
            tool_version=jvmdebug.__version__,
            class_path=tuple(map(str, class_path)),
            source_roots=tuple(map(str, services.sources.source_roots)),
            redacted=redaction.names,
        )
