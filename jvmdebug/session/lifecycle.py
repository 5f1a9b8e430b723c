# SPDX-License-Identifier: Apache-2.0
"""How the program of a session begins, runs and ends: held, started, exited, detached, lost.

Owns the process (if we launched it), its output, and the order of the last events: all output, then
Exited, then Ended. Called by the session.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from jvmdebug.errors import (
    JvmDebugError,
    LaunchError,
    ProgramEnded,
    ReadOnlyError,
    StateError,
    TakenOver,
    VmDeadError,
    WireError,
)
from jvmdebug.events import (
    RESUME,
    DisconnectOccurrence,
    StopFor,
    VmDeathOccurrence,
    VmStartOccurrence,
)
from jvmdebug.jdwp.generated.constants import SuspendPolicy
from jvmdebug.patience import changed_or_warned
from jvmdebug.session.causes import VmHeld
from jvmdebug.session.events import AnsweringChanged, Ended, EndReason, Exited
from jvmdebug.session.exit_in_invocation import watch_exits
from jvmdebug.session.lost_link import LostLink
from jvmdebug.session.output import OutputLog
from jvmdebug.session.program import LaunchedProgram
from jvmdebug.session.state import SessionState, StateEvent

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from jvmdebug.events import StopSet, Verdict
    from jvmdebug.jdwp.silence import Silence
    from jvmdebug.launch.process_guard import ProcessGuard
    from jvmdebug.session.events import Output, SessionEvent
    from jvmdebug.session.services import Services

_HELD_TIMEOUT_S = 30.0
# A process whose agent has ended may still run for a while, or for ever.
_EXIT_AFTER_DISCONNECT_S = 10.0
_SIGTERM_EXIT_CODE = 143
_NOT_BEGUN = (
    "the program is held before its first instruction, so nothing comes of it: let it begin"
    " (session.start(), or session.next_stop()) before you wait, or in another task"
)
_STOPPED = (
    "the program does not end while it is stopped: resume it (session.resume()) before"
    " session.wait(), or in another task"
)
_LINK_LOST = "the link to the program is lost"
_LAST_REPLY_S = 2.0
"""How long the VM may take to reply when the session ends; its end must not wait for long."""


class Lifecycle:
    """The life of one debuggee."""

    def __init__(
        self,
        services: Services,
        program: LaunchedProgram | None,
        guard: ProcessGuard | None,
        ended: asyncio.Event,
    ) -> None:
        self._services = services
        self._router = services.router
        self._stops = services.stops
        self._feed = services.feed
        self._tests = services.tests
        self._program = program
        self._guard = guard
        self._held = asyncio.Event()
        self._ended = ended
        self._is_start_wanted = False
        self._has_died = False
        self._is_detached = False
        self._has_subscriber = self._feed.has_subscribers
        self._finishing: asyncio.Task[None] | None = None
        self._start: StopSet | None = None
        if program is not None:
            program.output.listen(self._feed.post)

    @property
    def pid(self) -> int | None:
        """The process id if we launched it."""
        return None if self._program is None else self._program.process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code once the launched process has exited."""
        return None if self._program is None else self._program.process.exit_code

    def watch(self) -> None:
        """React to the beginning and the end of the VM."""
        self._router.subscribe(VmStartOccurrence, self._on_start)
        self._router.subscribe(VmDeathOccurrence, self._on_death)
        self._router.subscribe(DisconnectOccurrence, self._on_disconnect)
        self._router.vm.connection.silence.sink = self._on_silence
        LostLink(self._services, self._went_on).watch()
        watch_exits(self._router)

    def transfer(self) -> asyncio.Event:
        """Another VM replaces this one, which posts nothing any more. Returns the event for the end
        of the session, which the other one will set.
        """
        ended, self._ended = self._ended, asyncio.Event()
        if self._program is not None:
            self._program = LaunchedProgram(self._program.process, OutputLog(None))
        return ended

    # Beginning

    async def wait_held(self) -> None:
        """Wait until the VM has reported its start; LaunchError if it ends before."""
        waits = [asyncio.ensure_future(each.wait()) for each in (self._held, self._ended)]
        try:
            await asyncio.wait(waits, timeout=_HELD_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        if not self._held.is_set():
            raise LaunchError("the VM did not report its start; did it end at once?")

    def assume_running(self) -> None:
        """The VM was not started by us: it runs, unless its start is reported later."""
        self._stops.change_state(StateEvent.VM_RUNNING)

    async def start(self) -> None:
        """Start a held VM; one that reports later that it is held is resumed at once."""
        self._is_start_wanted = True
        start, self._start = self._start, None
        if start is not None and start.is_current:
            self._stops.change_state(StateEvent.STARTED)
            await self._router.resume(start)

    async def _on_start(self, occurrence: VmStartOccurrence) -> Verdict:
        if occurrence.suspend_policy is not SuspendPolicy.ALL or self._is_start_wanted:
            self._stops.change_state(StateEvent.STARTED)
            self._held.set()
            return RESUME
        return StopFor(VmHeld(claim=self._hold))

    def _hold(self, stop_set: StopSet) -> bool:
        """Claims the VM's start, which is not a stop for the user."""
        self._start = stop_set
        self._stops.change_state(StateEvent.VM_HELD)
        self._held.set()
        return True

    # Output

    def subscribe(
        self, subscriber: Callable[[SessionEvent], object], *, batches: bool = False
    ) -> Callable[[], None]:
        """Call `subscriber` for each event from now on; the returned function ends that.

        Output that was written before the first subscriber came is delivered to that one first.
        With `batches` many lines of a log point come as one BreakpointLogged, and a coroutine that
        is returned for it is awaited before more lines are read.
        """
        if not self._has_subscriber and self._program is not None:
            for piece in self._program.output.pieces:
                subscriber(piece)
        self._has_subscriber = True
        return self._feed.subscribe(subscriber, batches=batches)

    async def follow_output(self) -> AsyncIterator[Output]:
        """See Session.output."""
        if self._program is not None:
            async for piece in self._program.output.follow(self._why_silent):
                yield piece

    def _why_silent(self) -> str | None:
        # At a stop this is no mistake: others follow the output beside their work.
        return _NOT_BEGUN if self._stops.state is SessionState.HELD else None

    @property
    def takes_input(self) -> bool:
        """See Session.takes_input."""
        return self._program is not None and self._program.process.takes_input

    async def write_stdin(self, text: str | None) -> None:
        """Write to the debuggee's standard input (launched with `stdin="pipe"`); None closes it."""
        if self._program is None:
            raise StateError("the program was not launched by this session: no standard input")
        await self._program.process.write_stdin(text)

    # End

    async def wait(self) -> None:
        """Wait for the end of the session; see Session.wait."""
        await changed_or_warned(self._ended, self._why_endless)

    def _why_endless(self) -> str | None:
        if self._stops.link_lost:
            return None
        if self._stops.state is SessionState.HELD:
            return _NOT_BEGUN
        return _STOPPED if self._stops.state is SessionState.STOPPED else None

    async def terminate(self, grace_s: float = 5.0) -> None:
        """End the program: SIGTERM, so that shutdown hooks run, then SIGKILL after `grace_s`.

        Of an attached VM: `System.exit(143)` through the agent. Stopped threads are resumed, after
        the signal, so that the program does as little as may be before it ends.
        """
        self._require_own_or_writable()
        has_run = self._stops.state in (SessionState.RUNNING, SessionState.STOPPED)
        if self._program is not None and has_run:
            self._program.process.signal_end()
        if has_run:  # no breakpoint and no step may stop the end of the program
            await self._attempt(self._ignore_stops())
        if self._program is None:
            await self._exit_through_agent()
        elif self._stops.state in (SessionState.HELD, SessionState.CONNECTING):
            await self.kill()  # nothing of the program has run: there is nothing to shut down
        else:
            await self._program.process.end(grace_s)
            await self._ended.wait()

    async def kill(self) -> None:
        """End the program at once: SIGKILL; of an attached VM: exit through the agent."""
        self._require_own_or_writable()
        if self._program is None:
            await self._exit_through_agent()
            return
        self._program.process.kill()
        await self._program.process.wait()
        await self._ended.wait()

    def _require_own_or_writable(self) -> None:
        """Raise ReadOnlyError, before anything has changed, where the agent would not be asked to
        end the program.
        """
        connection = self._router.vm.connection
        if self._program is None and connection.is_read_only and not self._ended.is_set():
            raise ReadOnlyError(f"cannot end the program: {connection.why_read_only}")

    async def detach(self) -> None:
        """Remove all breakpoints, resume everything and let the program go on without us."""
        if self._ended.is_set():
            return
        self._is_detached = True
        if self._services.has_breakpoints:
            await self._attempt(self._services.breakpoints.refresh_hits())
        self._stops.end_all("the session detached")
        if self._guard is not None:
            self._guard.let_go()
        await self._attempt(self._router.vm.dispose())
        await self._router.vm.close()
        await self._ended.wait()

    async def close(self) -> None:
        """End what is still open. The launched process is killed unless it was detached."""
        if not self._ended.is_set():
            await self.detach()
        await self._services.close_observations()
        await self._router.close()
        await self._router.vm.close()
        if self._finishing is not None:
            await self._finishing
        if self._program is not None:
            if self._is_detached:
                await self._program.process.release()
            else:
                await self._program.process.close()
            self._program.output.complete()

    async def _exit_through_agent(self) -> None:
        if self._ended.is_set():
            return
        self._has_died = True  # which the VM need not report
        if await self._attempt(self._router.vm.exit(_SIGTERM_EXIT_CODE)):
            await self._ended.wait()
            return
        await self.detach()
        text = "the program does not answer, so it could not be told to end; it is let go"
        raise StateError(text)

    async def _ignore_stops(self) -> None:
        await self._services.disarm()
        await self._stops.ignore_stops()

    async def _attempt(self, work: Coroutine[object, object, object]) -> bool:
        """Do the last things, but do not wait for a VM that does not answer; whether it did. One
        that ends before it replies has answered.
        """
        connection = self._router.vm.connection
        silent = connection.is_link_down or connection.silence.seconds >= _LAST_REPLY_S
        try:
            async with asyncio.timeout(0 if silent else _LAST_REPLY_S):
                await work
        except TimeoutError:
            return False
        except VmDeadError:
            return True
        except WireError:
            return not connection.is_open
        return True

    def _on_silence(self, silence: Silence | None) -> None:
        if silence is None:
            text = "the program answers again"
        elif silence.stopped_process is not None:
            pid = silence.stopped_process
            text = (
                f"the program does not answer: process {pid} is stopped by a signal; "
                f"`kill -CONT {pid}` lets it run"
            )
        else:
            limit = self._router.vm.connection.timeout_s
            ends = "" if limit is None else f"; after {limit:g} s the session ends"
            text = f"the program has not answered for {silence.seconds:.0f} s{ends}"
        self._feed.post(AnsweringChanged(silence is None, text))

    def _went_on(self) -> None:
        """The VM runs, though nobody has resumed it here."""
        self._is_start_wanted = True
        self._start = None
        self._stops.change_state(StateEvent.STARTED)

    async def _on_death(self, _occurrence: VmDeathOccurrence) -> Verdict:
        self._has_died = True
        return RESUME

    async def _on_disconnect(self, occurrence: DisconnectOccurrence) -> Verdict:
        self._stops.end_all(self._why_over(occurrence.error))
        self._finishing = asyncio.create_task(self._finish(occurrence.error), name="end of session")
        return RESUME

    def _why_over(self, error: JvmDebugError | None) -> str:
        if self._is_detached:
            return "the session detached"
        if isinstance(error, TakenOver):
            return str(error)
        is_explained = error is None or self._has_died or isinstance(error, ProgramEnded)
        return "the VM has ended" if is_explained else f"{_LINK_LOST}: {error}"

    async def _finish(self, error: JvmDebugError | None) -> None:
        if self._services.has_breakpoints:
            self._services.hooks.tell_left_out()
        has_died = self._has_died or isinstance(error, ProgramEnded)
        reason = EndReason.EXITED if has_died else EndReason.CONNECTION_LOST
        if self._is_detached:
            reason = EndReason.DETACHED
        elif self._program is not None and not self._router.vm.connection.silence.is_over:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_EXIT_AFTER_DISCONNECT_S):
                    code = await self._program.process.wait()
                    self._read_results()
                    self._program.output.complete()
                    self._feed.post(Exited(code))
                    reason = EndReason.EXITED
        elif self._guard is not None:
            self._guard.let_go()  # the VM ends; its process id may soon be another's
        message = str(error) if error is not None and reason is EndReason.CONNECTION_LOST else None
        self._stops.finish(
            "" if message is None else f"{_LINK_LOST} ({message}); open a new session"
        )
        if self._program is not None and self._program.process.killed_after_s is not None:
            after_s = self._program.process.killed_after_s
            message = f"the program did not end within {after_s:g} s of SIGTERM, so it was killed"
        self._read_results()
        self._feed.post(Ended(reason, message))
        self._ended.set()

    def _read_results(self) -> None:
        """All results of tests are told before the end."""
        if self._tests is not None:
            self._tests.read_rest()
