# SPDX-License-Identifier: Apache-2.0
"""The state of one connection: the parts of the adapter, each in a file of its own.

Handlers get it as their first argument. The server creates and closes it.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import jvmdebug
from jvmdebug.errors import (
    ConnectionLost,
    JvmDebugError,
    LaunchError,
    ProgramEnded,
    VmDeadError,
)
from jvmdebug_dap.breakpoint_memory import BreakpointMemory
from jvmdebug_dap.convert import invalid
from jvmdebug_dap.debuggee import Debuggee
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.late_requests import LateRequests
from jvmdebug_dap.later_texts import LaterTexts
from jvmdebug_dap.memory_references import MemoryReferences
from jvmdebug_dap.models.generated.arguments import InitializeRequestArguments
from jvmdebug_dap.models.generated.events import OutputEventBody, StoppedEventBody
from jvmdebug_dap.module_memory import ModuleMemory
from jvmdebug_dap.observations import RunningObservations
from jvmdebug_dap.positions import Positions
from jvmdebug_dap.pump import EventPump
from jvmdebug_dap.references import MissingSource, Numbering, StopReferences
from jvmdebug_dap.states import LINK_LOST, PROGRAM_ENDED, StateTable
from jvmdebug_dap.terminals import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from jvmdebug import (
        ClassListing,
        DataTarget,
        Session,
        Shared,
        SourceFile,
        Stop,
        ThreadHandle,
    )
    from jvmdebug.coverage import CoverageRecording
    from jvmdebug.recording import Recorder
    from jvmdebug_dap.channel import Channel
    from jvmdebug_dap.models.launch import Configuration, StepFilterAttributes
    from jvmdebug_dap.visit import Visit

END_OF_INPUT = "^D"
_READING_S: Final = 1.0
"""After so long at a stop the user reads, and the machine has time."""
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"
_IN_VSCODE = "\x1b[3;37m"
"""Italics in the color that VS Code calls white, which is readable in all its themes: it shows the
category `console` in the color of warnings, and makes that transparent for what is dim.
"""


def _nothing(_event: str, **_details: object) -> None:
    """Does nothing: there is no audit log."""


class AdapterSession:
    """One debug session as its client sees it."""

    recording: CoverageRecording | None = None
    visit: Visit | None = None
    """The past of the program, while the client sees that."""
    recorder: Recorder | None = None
    """Records what runs, if the launch asks for it."""
    recorded_paths: frozenset[Path] = frozenset()
    """The files that programs of this session were recorded into."""
    shows_origins = False
    """Whether it is shown below stacks where tasks were submitted."""
    wants_origins: bool | None = None
    """Chosen during the session; else the configuration says it."""

    def __init__(self, channel: Channel, note: Callable[..., None] = _nothing) -> None:
        self.channel = channel
        self.note = note
        """Writes an event and its details to the audit log, if there is one."""
        self.state = StateTable()
        self.pump = EventPump(self)
        self.client = InitializeRequestArguments(adapter_id="")
        self.positions = Positions()
        self.references = StopReferences()
        self.breakpoints = BreakpointMemory()
        self.late = LateRequests()
        self.modules = ModuleMemory()
        self.terminal = Terminal()
        self.memory = MemoryReferences()
        self.threads: Numbering[ThreadHandle] = Numbering()
        self.sources: Numbering[SourceFile | ClassListing | MissingSource] = Numbering()
        self.watched: Numbering[DataTarget] = Numbering()
        """The fields of single objects that were offered to the client as data breakpoints."""
        self.configuration: Configuration | None = None
        self.are_steps_filtered = True
        self.is_just_my_code: bool | None = None
        """Chosen during the session; else the configuration says it."""
        self.step_filters: StepFilterAttributes | None = None
        """Chosen during the session; else the configuration has them."""
        self.debuggee: Debuggee | None = None
        self.paused_thread: int | None = None
        """The thread that a pause request named, until its stop has been reported."""
        self.pausing = asyncio.Lock()
        """Held while a pause request is served: a second one finds the stop of the first."""
        self.is_over = asyncio.Event()
        """Set once the client has disconnected: the server closes the connection."""
        self.cancel_request: Callable[[int], None] = lambda _seq: None
        """The router's; set by it."""
        self.give_up_requests: Callable[[], None] = lambda: None
        """The router's; set by it. Cancels all requests that only inspect."""
        self.observations = RunningObservations(self)
        self.later_texts = LaterTexts(self)
        self.shared: Shared | None = None
        """Our session, for others to join."""
        self.why_not_shared = ""
        self.shows_lost_link = False
        self.is_profiling = False
        """Whether a profile is being taken; it ends when this is unset."""
        self._has_offered_full_mode = False
        self.told_stops: WeakKeyDictionary[Stop, StoppedEventBody] = WeakKeyDictionary()
        """What the client was told of each stop."""
        self._is_warm = False
        self._has_told_of_input = False
        self._configured: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def core(self) -> Session:
        """The core session of what the client sees: the program, or its past. Requests that the
        state table admits always have one.
        """
        return self.live if self.visit is None else self.visit.core

    @property
    def live(self) -> Session:
        """The core session of the program, also while the client sees its past."""
        if self.debuggee is None:
            raise RequestError(ErrorId.WRONG_STATE, "no program is being debugged")
        return self.debuggee.core

    def end_of_program(self, error: Exception) -> str | None:
        """Why there is no program any more, if any `error` of a request means that; else None."""
        if isinstance(error, ProgramEnded | VmDeadError):
            return PROGRAM_ENDED
        if isinstance(error, LaunchError):  # of the next program, in a restart
            return None
        if self.debuggee is None or not self.debuggee.has_ended:
            return None
        # Of a program that was launched here, its process says soon that it has ended.
        is_lost = isinstance(error, ConnectionLost) and not self.debuggee.is_ours
        return LINK_LOST if is_lost else self.state.end

    @property
    def max_value_length(self) -> int | None:
        """The longest value on a line, if the configuration limits it."""
        values = None if self.configuration is None else self.configuration.values
        return None if values is None else values.max_length

    async def open(
        self, opener: Callable[[], AbstractAsyncContextManager[Session]], *, is_ours: bool
    ) -> Session:
        """Start or reach the program. Raises the core's error, and leaves nothing behind then."""
        self.debuggee = debuggee = Debuggee(opener, is_ours=is_ours)
        try:
            core = await debuggee.opened()
        except BaseException:
            await debuggee.leave()
            self.debuggee = None
            raise
        self.pump.watch(core)
        return core

    async def until_configured(self) -> None:
        """Wait for configurationDone. RequestError if the program ends before that."""
        self._configured = asyncio.get_running_loop().create_future()
        await self._configured

    def configure(self) -> None:
        """Let `until_configured` return."""
        if self._configured is not None and not self._configured.done():
            self._configured.set_result(None)

    def fail_configuration(self, reason: str) -> None:
        if self._configured is not None and not self._configured.done():
            text = f"the program ended before it was started: {reason}"
            self._configured.set_exception(RequestError(ErrorId.LAUNCH, text, show_user=True))

    def tell_of_changed_values(self) -> None:
        """Let the client read again what it shows of values: one has changed, or is written in
        another way.
        """
        for name, body in invalid.values(self):
            self.pump.announce(name, body)

    @property
    def is_vscode(self) -> bool:
        """Whether the client is VS Code, which shows some answers in its own way."""
        return self.client.client_id == "vscode"

    def offer_full_mode(self, reason: str) -> None:
        """Let the client offer, once, to restart the program in the full mode, if we started it."""
        may = self.debuggee is not None and self.debuggee.is_ours
        if may and not self._has_offered_full_mode and self.is_vscode:
            self._has_offered_full_mode = True
            from jvmdebug_dap.models.custom import (  # noqa: PLC0415 - slow to import
                FullModeNeededBody,
            )

            self.channel.send_event("jvmdebug/fullModeNeeded", FullModeNeededBody(message=reason))

    def warm_up_soon(self) -> None:
        """Prepare for evaluations after a second at a stop; once."""
        if not self._is_warm:
            self._is_warm = True
            self.run_beside(self._warm_up(), "warm up")

    async def _warm_up(self) -> None:
        await asyncio.sleep(_READING_S)
        stops = () if self.debuggee is None else self.core.current_stops
        if not stops:
            self._is_warm = False
            return
        with contextlib.suppress(JvmDebugError):
            await stops[-1].warm_up()

    async def type_to_program(self, line: str) -> None:
        """Write a line to the standard input of the running program; `^D` ends the input."""
        if not self._has_told_of_input:
            self._has_told_of_input = True
            self.tell(
                "The program is running: what is typed here goes to its standard input, and a line"
                " `^D` ends that. Pause the program to evaluate expressions."
            )
        await self.core.write_stdin(None if line.strip() == END_OF_INPUT else f"{line}\n")

    def tell(self, text: str, category: str = "console") -> None:
        """Show a line of the debugger in the client's console."""
        text = jvmdebug.several_lines(text)
        body = OutputEventBody(category=category, output=self.styled(text, category) + "\n")
        self.channel.send_event("output", body)

    def styled(self, text: str, category: str) -> str:
        """A line of the debugger, dim (in VS Code in italics) if the client shows that, to set it
        off from the output of the program. What is important may be shown in a dialog, which takes
        no styles.
        """
        if category == "important" or not self.client.supports_ansi_styling:
            return text
        style = _IN_VSCODE if self.is_vscode else _DIM
        return f"{style}{text}{_PLAIN}"

    def run_beside(self, work: Coroutine[object, object, None], name: str) -> None:
        """Run a task that no request waits for; it is cancelled when the session ends."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Leave the program (ours: end it; attached: detach) and all tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.recorder is not None:  # the client has not disconnected
            from jvmdebug_dap import recorded  # noqa: PLC0415 - seldom needed

            await recorded.end(self)
        if self.visit is not None:
            await self.visit.close()
        if self.debuggee is not None:
            await self.debuggee.leave()
        self.pump.unwatch()
