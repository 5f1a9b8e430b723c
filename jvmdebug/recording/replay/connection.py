# SPDX-License-Identifier: Apache-2.0
"""A connection whose other end is a recording: it answers the commands of JDWP that read.

Nothing goes over a wire: a command is answered at once by the replayed program, a resume by the
event set that it leads to, as if a VM had sent it. What would run or change something raises
ReadOnlyError.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug.errors import ConnectionLost, JvmDebugError, ReadOnlyError, VmError
from jvmdebug.jdwp.connection import Connection
from jvmdebug.jdwp.generated.constants import ErrorCode, SuspendPolicy
from jvmdebug.jdwp.generated.thread_reference import Resume as ResumeThread
from jvmdebug.jdwp.generated.thread_reference import Suspend as SuspendThread
from jvmdebug.jdwp.generated.virtual_machine import Resume, Suspend
from jvmdebug.jdwp.read_only import does
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.replay.answers import answers_of
from jvmdebug.recording.replay.jdk_methods import JdkMethods
from jvmdebug.recording.replay.objects import THREADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.ids import ThreadId, Value
    from jvmdebug.recording.replay.answers import Answer
    from jvmdebug.recording.replay.program import ReplayedProgram

R = TypeVar("R")
LOGGER: Final = logging.getLogger("jvmdebug.recording")
PAST_CANNOT_BE_RUN: Final = "this is a recording: the past cannot be run"
PAST_CANNOT_BE_CHANGED: Final = "this is a recording: the past cannot be changed"


def _not_implemented(command: Command[Any]) -> Any:  # noqa: ANN401 - as other answers
    raise VmError.of_code(ErrorCode.NOT_IMPLEMENTED, command.NAME)


class ReplayConnection(Connection):
    """A conversation with a recording."""

    is_recording = True
    why_read_only = PAST_CANNOT_BE_RUN
    why_unchanged = PAST_CANNOT_BE_CHANGED

    def __init__(self, program: ReplayedProgram) -> None:
        super().__init__(str(program.reader.path), timeout_s=None)
        self.program = program
        self.is_read_only = True
        self._answers = answers_of(program)
        self._methods = JdkMethods(program.objects)
        self._is_closed = False
        self._last_request = 0
        self._running: set[asyncio.Task[None]] = set()
        self._suspended: Counter[int] = Counter()
        """How often each thread is suspended, by JDWP's rules. All move together, when the one
        whose position is looked at is resumed.
        """
        self._looking = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether requests can be made."""
        return not self._is_closed and not self._ended.done()

    @property
    def peer_process(self) -> int | None:
        """None: the program is gone."""
        return None

    def value_before(self, thread: ThreadId, slot: int, signature: str) -> Value | None:
        """The value that a local variable had before the write at which a thread is."""
        return self.program.value_before(thread, slot, signature)

    async def close(self) -> None:
        """Ends the connection, and closes the file. May be called again."""
        if self._is_closed:
            return
        self._is_closed = True
        for each in self._running:
            each.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._end(None)
        self.program.reader.close()

    def computed(
        self, target: Value | str, name: str, arguments: Sequence[Value | str]
    ) -> Value | str:
        """See Connection.computed."""
        with self.program.reader.reading("it"):
            return self._methods.call(target, name, arguments)

    def _send(self, command: Command[R]) -> tuple[int, asyncio.Future[R]]:
        if self._is_closed:
            raise ConnectionLost(f"{command.NAME} got no reply: the recording is closed")
        if self._ended.done():
            raise self._lost(command)
        if does(command) is not None:
            raise ReadOnlyError(PAST_CANNOT_BE_RUN)
        self._last_request += 1
        future: asyncio.Future[R] = self._loop.create_future()
        self._futures[self._last_request] = future
        answer: Answer = self._answers.get(type(command), _not_implemented)
        try:
            future.set_result(answer(command))
        except JvmDebugError as error:
            future.set_exception(error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the reply gets it
            future.set_exception(self._unreadable(error))
        self.round_trips += 1
        self._account(command)
        return self._last_request, future

    def _account(self, command: Command[Any]) -> None:
        match command:
            case Suspend():
                self._suspended.update(self.program.threads)
            case SuspendThread(thread):
                self._suspended[thread - THREADS] += 1
            case Resume() | ResumeThread():
                here = self.program.position.thread
                was_held = self._suspended[here] > 0
                one = [command.thread - THREADS] if isinstance(command, ResumeThread) else None
                for each in one or self.program.threads:
                    self._suspended[each] = max(0, self._suspended[each] - 1)
                if was_held and not self._suspended[here]:
                    self.begin()
            case _:
                pass

    def begin(self) -> None:
        """Go on, in the direction of the program, until the next event set."""
        task = self._loop.create_task(self._run(), name="replay")
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _run(self) -> None:
        try:
            async with self._looking:
                found = await asyncio.to_thread(self.program.run)
        except Exception as error:  # noqa: BLE001 - nobody waits for this task
            self._failure = error if isinstance(error, JvmDebugError) else self._unreadable(error)
            self._end(None)
            return
        if found is None or self._is_closed:
            return
        if found.suspend_policy is SuspendPolicy.ALL:
            self._suspended.update(self.program.threads)
        elif found.suspend_policy is SuspendPolicy.EVENT_THREAD:
            self._suspended[self.program.position.thread] += 1
        else:
            self.begin()
        self._take_events(found)

    def _unreadable(self, error: Exception) -> RecordingError:
        LOGGER.error("%s cannot be replayed", self.peer, exc_info=error)
        return RecordingError(f"cannot replay {self.peer}: {type(error).__name__}: {error}")

    def _end(self, exc: Exception | None) -> None:
        self._engine.close()
        super()._end(exc)
