# SPDX-License-Identifier: Apache-2.0
"""Records a program that runs into a file: the talk with the agent (command set Recording).

The agent notes what the program's code does, and is asked every 50 ms for what it has. A worker
thread writes it, so that the next records come meanwhile. When the program ends, all of it is read
before it does; of a program that is killed the last second is missing. When the file is as long as
it may be, the recording leaves the program.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.errors import ConnectionLost, NotImplementedByVmError, VmError
from jvmdebug.events import RESUME, Occurrence, Verdict
from jvmdebug.jdwp.generated import recording as recording_set
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.model.agent import AgentCapability
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import (
    Ending,
    Header,
    ObjectDefinition,
    ObjectKind,
    RecordedClass,
)
from jvmdebug.recording.last_seconds import LastSeconds
from jvmdebug.recording.redaction import Redaction, Redactor
from jvmdebug.recording.whole_file import WholeFile
from jvmdebug.to_the_end import all_of, begun, done

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from types import TracebackType

    from jvmdebug.events.requests import RequestHandle
    from jvmdebug.events.router import Router
    from jvmdebug.recording.plan import RecordingPlan
    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.target import RecordingTarget

LOGGER: Final = logging.getLogger("jvmdebug.recording")
_PERIOD_S: Final = 0.05
_WHOLE_PERIOD_S: Final = 1.0
"""How often records are read that have not filled a chunk."""
_LOST: Final = 2
_NUMBER: Final = 8


@dataclass(frozen=True)
class Recorded:
    """What a recording has become."""

    path: Path
    records: int
    lost: int
    """Records that were dropped, because the debugger did not read them in time."""
    size: int
    """Bytes of the file."""
    notes: tuple[str, ...]
    """Sentences about what is not in it."""


class Recorder:
    """Records what a program does, from the beginning of its context to the end of it."""

    def __init__(
        self,
        router: Router,
        path: Path,
        plan: Callable[[], Awaitable[tuple[RecordingPlan, Header]]],
        exit_code: Callable[[], int | None] = lambda: None,
        redaction: Redaction | None = None,
        limit: int = 2_000_000_000,
        last: float | None = None,
    ) -> None:
        """`last`: how many seconds are kept, within `limit` bytes of memory. None: all, until the
        file has `limit` bytes.
        """
        self.path = path
        self._limit = limit
        self._last = last
        self._redactor = Redactor(Redaction() if redaction is None else redaction)
        self._router = router
        self._make_plan = plan
        self._exit_code = exit_code
        self._target: RecordingTarget | None = None
        self._at_end: RequestHandle | None = None
        self._reading: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._is_stopping = asyncio.Event()
        self._writing: asyncio.Future[None] | None = None
        self._known = 0
        self._left_out: dict[str, str] = {}
        self._waiting = 0
        self._lost = 0
        self._has_all = False
        self._has_ended = False
        self._is_over = False
        self._is_full = False
        self._is_beginning = False
        self._ending: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._done: Recorded | None = None

    async def __aenter__(self) -> Self:
        self._is_beginning = True
        try:
            await self._begin()
        finally:
            self._is_beginning = False
        return self

    async def _begin(self) -> None:
        vm = self._router.vm
        vm.require_of_agent(AgentCapability.RECORDING, "recordings")
        plan, header = await self._make_plan()
        target = await self._made_file(header)
        may_run = False
        try:
            self._at_end = await self._router.arm(
                EventKind.VM_DEATH, (), SuspendPolicy.ALL, self._on_end
            )
            may_run = True
            await vm.request(_start(plan))
            await done(begun(asyncio.to_thread(target.begin), "naming a recording"))
        except BaseException as error:
            may_run = may_run and not isinstance(error, VmError)
            await done(begun(self._taken_back(target, may_run=may_run), "not recording"))
            if isinstance(error, NotImplementedByVmError):
                raise RecordingError("the agent cannot change classes in this JVM") from None
            raise
        self._target = target
        self._reading = asyncio.create_task(self._read_now_and_then(), name="reading a recording")

    async def _made_file(self, header: Header) -> RecordingTarget:
        making = begun(asyncio.to_thread(self._new_target, header), "making a file")
        try:
            return await done(making)
        except asyncio.CancelledError:
            making.add_done_callback(_discard)
            raise

    def _new_target(self, header: Header) -> RecordingTarget:
        if self._last is None:
            return WholeFile(self.path, header, self._limit)
        return LastSeconds(self.path, header, self._last, self._limit)

    async def _taken_back(self, target: RecordingTarget, *, may_run: bool) -> None:
        """What a start that fails, or is cancelled, has done is undone."""
        works: list[Awaitable[object]] = [asyncio.to_thread(target.discard)]
        if self._at_end is not None:
            works.append(self._at_end.clear())
        if may_run:
            works.append(self._router.vm.request(recording_set.Stop()))
        with contextlib.suppress(ConnectionLost, VmError):
            await all_of(*works)

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    def __repr__(self) -> str:
        return f"Recorder({str(self.path)!r})"

    @property
    def is_open(self) -> bool:
        """Whether it is under way, or about to begin."""
        return self._is_beginning or (self._reading is not None and self._done is None)

    @property
    def records(self) -> int:
        """How many records are in the file, or among the last ones."""
        return 0 if self._target is None else self._target.into.records

    @property
    def notes(self) -> list[str]:
        """Sentences about what is not in it so far."""
        return self._notes("stopped")

    @property
    def dropped(self) -> int:
        """How many records are older than the last seconds, if only those are kept."""
        return 0 if self._target is None else self._target.dropped

    @property
    def is_over(self) -> bool:
        """Whether no more is recorded: the method of the plan was recorded as often as wanted, and
        has returned, or the file is as long as it may be.
        """
        return self._is_over or self._is_full

    async def reader(self) -> RecordingReader:
        """Open the file as it is now, with all that was recorded up to now; the recording goes on.
        RecordingError if it has ended, or the file cannot be written or read.
        """
        target = self._target
        if target is None or not self.is_open:
            raise RecordingError("nothing is recorded now")
        # Cancelled in the middle, it would lose what the agent has handed over.
        opening = begun(self._opened(target), "opening a recording")
        try:
            return await done(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close)
            raise

    async def _opened(self, target: RecordingTarget) -> RecordingReader:
        async with self._lock:
            await self._read_up_to_now()
            return await asyncio.to_thread(target.opened)

    async def keep(self) -> Recorded:
        """Write the last seconds into the file, in place of what it has; the recording goes on.
        RecordingError if all is recorded, and if the file cannot be written.
        """
        target = self._target
        if not isinstance(target, LastSeconds) or not self.is_open:
            raise RecordingError(
                "only a recording of the last seconds is kept on demand: begin it with `last`"
            )
        return await done(begun(self._kept(target), "keeping a recording"))

    async def _kept(self, target: LastSeconds) -> Recorded:
        async with self._lock:
            await self._read_up_to_now()
            notes = (*target.notes, *self._notes("stopped"))
            await asyncio.to_thread(target.write, Ending("stopped", lost=self._lost, notes=notes))
            return Recorded(self.path, target.into.records, self._lost, target.size, notes)

    async def _read_up_to_now(self) -> None:
        while not self._has_all and await self._read(is_whole=True):
            pass
        await self._written()
        if self._error is not None:
            raise RecordingError(f"{self.path} cannot be written: {self._error}")

    async def stop(self) -> Recorded:
        """End the recording and its file; the program goes on. May be repeated. It is done to its
        end, though this is cancelled. RecordingError if the file could not be written.
        """
        if self._target is None:
            raise RecordingError("the recording has not begun")
        if self._ending is None:
            self._ending = begun(self._end(self._target), "ending a recording")
        await done(self._ending)
        if isinstance(self._error, RecordingError):
            raise self._error
        if self._error is not None:
            why = f"{type(self._error).__name__}: {self._error}"
            raise RecordingError(f"cannot write {self.path}: {why}") from self._error
        assert self._done is not None
        return self._done

    async def _end(self, target: RecordingTarget) -> None:
        self._is_stopping.set()
        how = "lost"
        try:
            if self._reading is not None:
                await self._reading
            how = await self._read_the_rest()
        finally:
            code = self._exit_code() if how != "stopped" else None
            notes = (*target.notes, *self._notes(how))
            ending = Ending(how, code, lost=self._lost, notes=notes)
            await asyncio.to_thread(self._finish, target, ending)
            if self._lost:  # the file says it by its number
                notes = (f"{self._lost:,} records were lost: the program was too fast", *notes)
            records = target.into.records
            self._done = Recorded(self.path, records, self._lost, target.size, notes)

    async def _read_the_rest(self) -> str:
        """Read what has not been read, and say how the recording ends."""
        how = "stopped"
        try:
            if not self._has_all:
                await self._router.vm.request(recording_set.Stop())
                await self._read_all()
        except (ConnectionLost, VmError) as error:
            how = "killed" if not self._has_all else how
            LOGGER.debug("the last records cannot be read: %s", error)
        finally:
            if self._at_end is not None:
                with contextlib.suppress(ConnectionLost, VmError):
                    await all_of(self._at_end.clear())
        async with self._lock:
            await self._written()
        return "exited" if self._has_all and self._has_ended else how

    def _finish(self, target: RecordingTarget, ending: Ending) -> None:
        try:
            target.finish(ending)
        except RecordingError as error:
            self._error = self._error or error

    def _notes(self, how: str) -> list[str]:
        """What is missing, in sentences."""
        notes = [f"{name.replace('/', '.')}: {why}" for name, why in sorted(self._left_out.items())]
        if self._waiting:
            classes = "1 class has" if self._waiting == 1 else f"{self._waiting} classes have"
            notes.append(
                f"{classes} methods that threads ran all the time: these methods are not recorded"
            )
        if self._is_full:
            notes.append(f"it ends soon after the file had {self._limit:,} bytes, the limit")
        if how == "killed":
            notes.append("the program was killed, or the connection lost: its end is missing")
        return notes

    # --- reading ------------------------------------------------------------------------------

    async def _on_end(self, _: Occurrence) -> Verdict:
        """The program is about to end: its records are read before it does."""
        self._has_ended = True
        with contextlib.suppress(VmError, ConnectionLost):
            await self._read_all()
        return RESUME

    async def _read_now_and_then(self) -> None:
        whole_at = time.monotonic() + _WHOLE_PERIOD_S
        with contextlib.suppress(ConnectionLost, VmError):
            while self._has_room() and not (self._error or self._is_stopping.is_set()):
                is_whole = time.monotonic() >= whole_at
                async with self._lock:
                    has_more = await self._read(is_whole=is_whole)
                if is_whole and not has_more:
                    whole_at = time.monotonic() + _WHOLE_PERIOD_S
                if not has_more:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._is_stopping.wait(), _PERIOD_S)
            self._is_full = not (self._has_room() or self._is_stopping.is_set())
            if self._error or self._is_full:
                await self._router.vm.request(recording_set.Stop())

    def _has_room(self) -> bool:
        return self._target is None or self._target.has_room

    async def _read_all(self) -> None:
        async with self._lock:
            while not self._has_all:
                self._has_all = not await self._read(is_whole=True)

    async def _read(self, *, is_whole: bool) -> bool:
        """Reads what there is, and has it written; whether there is more."""
        again = self._target is not None and self._target.is_part_full
        reply = await self._router.vm.request(
            recording_set.Read(known=self._known, all=is_whole, again=again)
        )
        self._known += len(reply.classes)
        self._left_out = {each.name: each.why for each in reply.left_out}
        if reply.is_running:  # afterwards those that have code wait
            self._waiting = reply.waiting
        self._is_over = reply.is_over
        await self._written()
        if again or reply.classes or reply.threads or reply.objects or reply.chunks:
            loop = asyncio.get_running_loop()
            self._writing = loop.run_in_executor(None, self._write, reply, again)
        return reply.has_more

    async def _written(self) -> None:
        """Waits until the last reply is in the file."""
        writing, self._writing = self._writing, None
        if writing is not None:
            try:
                await asyncio.shield(writing)
            except Exception as error:  # noqa: BLE001 - nobody else waits for it; `stop` raises it
                self._error = self._error or error

    def _write(self, reply: recording_set.ReadReply, begins_part: bool) -> None:  # noqa: FBT001
        if self._target is None or self._error is not None:
            return
        if begins_part:
            self._target.begin_part()
        writer = self._target.into
        redactor = self._redactor
        for each in reply.classes:
            recorded = RecordedClass(each.name, each.first, each.class_file, each.sites)
            writer.add_class(*redactor.class_(recorded))
        for thread in reply.threads:
            name = redactor.name(thread.name)
            writer.add_thread(thread.number, name, is_virtual=thread.is_virtual)
        pieces = _by_thread(reply)
        definitions, columns = redactor.part(
            list(map(_definition, reply.objects)),
            {
                number: (b"".join(each.sites for each in of), b"".join(each.values for each in of))
                for number, of in pieces.items()
            },
        )
        writer.add_objects(definitions)
        for number, of in pieces.items():
            sites, values = columns[number]
            self._lost += _lost_in(sites, values)
            writer.add_chunk(number, of[0].start, of[-1].end, sites, values)


def _close(opening: asyncio.Task[RecordingReader]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


def _discard(making: asyncio.Task[RecordingTarget]) -> None:
    if not making.cancelled() and making.exception() is None:
        making.result().discard()


def _start(plan: RecordingPlan) -> recording_set.Start:
    root = plan.root or ("", "")
    return recording_set.Start(
        level=plan.level,
        included=tuple(map(recording_set.Start.Inclusion, plan.included)),
        excluded=tuple(map(recording_set.Start.Exclusion, plan.excluded)),
        root_class=root[0],
        root_method=root[1],
        roots=plan.roots,
        most=plan.most,
        share=plan.share,
    )


def _by_thread(
    reply: recording_set.ReadReply,
) -> dict[int, list[recording_set.ReadReply.Chunk]]:
    found: dict[int, list[recording_set.ReadReply.Chunk]] = {}
    for each in reply.chunks:
        found.setdefault(each.thread, []).append(each)
    return found


def _lost_in(sites: bytes, values: bytes) -> int:
    numbers = array("I", sites)
    if not numbers.count(_LOST):
        return 0
    return sum(
        int.from_bytes(values[at * _NUMBER : (at + 1) * _NUMBER], "little")
        for at, site in enumerate(numbers)
        if site == _LOST
    )


def _definition(of: recording_set.ReadReply.Object) -> ObjectDefinition:
    return ObjectDefinition(
        of.number,
        of.class_name,
        ObjectKind(of.kind),
        of.text,
        of.length,
        tuple(
            int.from_bytes(of.elements[at : at + _NUMBER], "little")
            for at in range(0, len(of.elements), _NUMBER)
        ),
        stack=of.stack,
    )
