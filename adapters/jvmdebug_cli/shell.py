# SPDX-License-Identifier: Apache-2.0
"""The prompt: reads commands, runs them on a session, shows stops and output.

Owns the current stop and the selected frame. The commands are in `commands/`, the texts that they
show in `view`.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any

from rich.text import Text

import jvmdebug
from jvmdebug_cli import commands as _commands  # noqa: F401 - fills the table of commands
from jvmdebug_cli import guests, view
from jvmdebug_cli.command import UsageError, find
from jvmdebug_cli.console import CONTINUED, Interrupted
from jvmdebug_cli.displays import Displays
from jvmdebug_cli.exit_codes import of_program
from jvmdebug_cli.hit_commands import HitCommands
from jvmdebug_cli.near_names import near_class
from jvmdebug_cli.other_debuggers import translated
from jvmdebug_cli.test_report import TestReport
from jvmdebug_cli.typed_input import typed_to

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from jvmdebug_cli.console import Console
    from jvmdebug_cli.visit import Visit

_REPEATABLE = ("step", "next", "finish", "continue", "list", "up", "down")
"""An empty line repeats these."""


class Shell:
    """One debugging session at a prompt."""

    def __init__(self, session: jvmdebug.Session, console: Console) -> None:
        self.session = session
        self.console = console
        if console.is_interactive:
            # Slow to import, and no batch needs it.
            from jvmdebug_cli.completing import PromptCompleter  # noqa: PLC0415
            from jvmdebug_cli.editor import line_editor  # noqa: PLC0415

            console.editor = line_editor(PromptCompleter(self))
        self.displays = Displays()
        """Shown at each stop."""
        self.hit_commands = HitCommands()
        self.counts: list[jvmdebug.LineCount] = []
        self.timings: list[jvmdebug.LineTiming] = []
        self.tests = TestReport(console)
        """Of a program that runs tests."""
        self.stop: jvmdebug.Stop | None = None
        self.visit: Visit | None = None
        """While the past of the program is shown; `session` is that of the past then."""
        self.recorder: jvmdebug.recording.Recorder | None = None
        """Records the program, by the command `record`."""
        self.ended = False
        self.leaving = False
        self.listed: int | None = None
        """The last source line that `list` has shown."""
        self._frame: jvmdebug.FrameHandle | None = None
        self._last = ""
        self._failed = False
        self._has_explained_returns = False
        self._is_at_prompt = False
        self._showing: asyncio.Task[None] | None = None
        """Shows a stop that came while a command was waited for, and runs its commands."""
        self._shown: dict[int, str] = {}
        """What was shown last of each breakpoint, by its id."""
        self._is_beside_prompt = False
        """Whether a command runs while the prompt is open: one of a breakpoint."""

    async def run(self) -> int:
        """Run the prompt until the user leaves; 1 if a command failed that nobody saw fail."""
        unsubscribe = self.session.subscribe(self.show_event, batches=True)
        try:
            if not self.console.is_batch:
                joined = self.session.owner is not None
                self.console.write((guests if joined else view).greeting(self.session))
            # One that was attached to may be in service, and one that was joined is another's.
            if self.is_ours:
                await self.session.breakpoints.stop_at_uncaught()
            with self.console.interrupts.handled():
                while not self.leaving:
                    if self.console.interrupts.take():
                        await self._interrupted()
                    try:
                        line = await self._next_line()
                    except Interrupted:
                        await self._interrupted()
                        continue
                    if line is None and not self._is_to_run_in_batch():
                        break
                    await self.execute("run" if line is None else line)
        finally:
            unsubscribe()
            await self.let_go()
        return int(self._failed and not self.console.is_interactive)

    async def let_go(self) -> None:
        """Leave the past, and end the recording that `record` has begun: what has become of it is
        said.
        """
        if self.visit is not None:
            await self.visit.leave(self)
        recorder, self.recorder = self.recorder, None
        if recorder is None:
            return
        try:
            recorded = await recorder.stop()
        except jvmdebug.JvmDebugError as error:
            self.console.write(f"error: {error}")
            return
        self.console.write(f"recorded: {recorded.path} ({recorded.records} records)")
        for note in recorded.notes[:5]:
            self.console.write(jvmdebug.one_line(note))

    def _is_to_run_in_batch(self) -> bool:
        """Says at the end of a batch whether no command has started the program."""
        return self.console.is_batch and self.session.state is jvmdebug.SessionState.HELD

    async def _next_line(self) -> str | None:
        """The next command. A stop of a program that runs meanwhile is shown when it comes."""
        if self.stop is None and self.session.current_stops:
            await self._show_next_stop()
        if (waiting := self.hit_commands.next()) is not None:
            return waiting
        self._is_at_prompt = True
        try:
            return await self.console.line()
        finally:
            self._is_at_prompt = False
            if self._showing is not None:
                showing, self._showing = self._showing, None
                await showing

    async def _show_stops(self) -> None:
        """Show a stop that has come while the prompt is open, and run its commands: they may let
        the program go on, up to the next stop.
        """
        self._is_beside_prompt = True
        try:
            await self._show_next_stop()
            while (command := self.hit_commands.next()) is not None:
                await self.execute(command)
                if self.stop is None and self.session.current_stops:
                    await self._show_next_stop()
        finally:
            self._is_beside_prompt = False

    async def read_block(self) -> list[str]:
        """The lines up to `end`, for a command that takes some."""
        lines: list[str] = []
        while (line := await self.console.line(CONTINUED)) is not None and line.strip() != "end":
            if line.strip():
                lines.append(line.strip())
        return lines

    async def _interrupted(self) -> None:
        """Ctrl-C at the prompt: a program that runs is stopped."""
        self.hit_commands.resumed()
        if self.is_running:
            await self.execute("pause")

    async def _show_next_stop(self) -> None:
        with contextlib.suppress(jvmdebug.StateError):  # none is left that was not shown
            if self.stop is None and (stop := await self.session.next_stop()) is not None:
                await self.show_stop(stop)

    @property
    def is_ours(self) -> bool:
        """Whether the program was launched from here."""
        return self.session.pid is not None and self.session.owner is None

    @property
    def is_running(self) -> bool:
        """Whether the program runs, and no stop of it is shown."""
        states = (jvmdebug.SessionState.RUNNING, jvmdebug.SessionState.STOPPED)
        return self.stop is None and self.session.state in states

    @property
    def exit_code(self) -> int | None:
        """How the program has ended, as a shell sees it; None if it has not, or is not ours."""
        return of_program(self.session.exit_code)

    async def execute(self, line: str) -> None:
        """Run one command line; errors are shown, not raised."""
        text = translated(line.strip())
        if not text and self._last.split(" ")[0] in _REPEATABLE:
            text = self._last
        if not text or text.startswith("#"):
            return
        word, *rest = re.split(r"\s+", text, maxsplit=1)
        argument = "".join(rest)
        word, slash, flags = word.partition("/")  # `print/x total`, as gdb has it
        if slash:
            argument = f"/{flags} {argument}"
        try:
            chosen = find(word, argument.strip())
            self._last = f"{chosen.name} {argument}".strip()
            await self._interruptible(chosen.run(self, argument.strip()))
        except Interrupted:
            self.console.write("Interrupted.")
        except UsageError as error:
            self._failed = True
            self.console.write(jvmdebug.one_line(str(error)))  # it may quote the program
        except jvmdebug.StateError as error:
            self._failed = True
            self.console.write(self._why_not_stopped() if self.ended else f"error: {error}")
        except jvmdebug.JvmDebugError as error:
            self._failed = True
            self.console.write(view.error(error))

    async def _interruptible(self, command: Coroutine[Any, Any, None]) -> None:
        """Ctrl-C cancels the command, for example an evaluation that does not end. A program that
        the command has resumed is stopped.
        """
        was_running = self.is_running
        running = asyncio.create_task(command, name="command")
        try:
            if not await self.console.interrupts.come_during(running):
                running.result()
                return
        finally:
            running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        if self.stop is not None and not self.stop.is_current:
            self.stop = self._frame = None
        if self.is_running and not was_running:
            await self.execute("pause")
            return
        self.console.write("Interrupted.")
        if self._frame is not None:
            self._frame.require_current()  # its thread may be busy all the same

    @property
    def frame(self) -> jvmdebug.FrameHandle:
        """The selected frame. Raises UsageError while the program is running."""
        if self._frame is None:
            raise UsageError(self._why_not_stopped())
        return self._frame

    def current_stop(self) -> jvmdebug.Stop:
        """The current stop. Raises UsageError if there is none."""
        if self.stop is None:
            raise UsageError(self._why_not_stopped())
        return self.stop

    @property
    def has_frame(self) -> bool:
        """Whether a frame is selected."""
        return self._frame is not None

    def _why_not_stopped(self) -> str:
        if self.stop is not None:
            thread = self.stop.thread
            return f"{view.thread_name(thread)} is {view.why_no_frame(thread)}; see `threads`"
        if self.ended:
            return view.what_after_the_end(self.session, is_ours=self.is_ours)
        if self.session.state is jvmdebug.SessionState.HELD:
            return "the program has not been started; set breakpoints, then `run`"
        return "the program is running; `pause` stops it, `continue` waits for the next stop"

    async def begin_again(self) -> None:
        """Start the program again, held before its first instruction."""
        await self.let_go()
        await self.session.restart()
        self.ended = False
        self.stop = self._frame = None
        self.console.write(view.greeting(self.session).partition(".")[0] + ".")

    async def need_program(self) -> None:
        """What is set now is for the next start, if the program has ended: begin that, held."""
        if self.ended and self.is_ours:
            await self.begin_again()

    def show_breakpoint(self, it: jvmdebug.Breakpoint, *, again: bool = True) -> None:
        """Show it; `again`: also if the same was shown of it before."""
        shown = view.breakpoint(it)
        if again or self._shown.get(it.id) != shown:
            self.console.write(shown)
        self._shown[it.id] = shown

    async def show_new_breakpoint(self, it: jvmdebug.Breakpoint) -> None:
        """Show it; of a class that is not there, the one that may be meant."""
        self.show_breakpoint(it)
        if it.is_pending and (found := await near_class(self.session, str(it.spec))) is not None:
            self.console.write(f"    did you mean {jvmdebug.one_line(found)}?")

    def select(self, frame: jvmdebug.FrameHandle) -> None:
        """Select the frame for `print`, `locals` and `list`."""
        self._frame = frame
        self.listed = None

    async def show_stop(self, stop: jvmdebug.Stop) -> None:
        """Make this the current stop and show where it is."""
        if self.visit is not None and self.visit.ends_at(stop):
            await self.visit.end(self)
            return
        await self.select_stop(stop)
        if not self.hit_commands.is_silent(stop):
            self.console.write(await view.stop(stop, self._frame, self.console))
            if self._frame is not None:
                shown = await self.displays.shown(self._frame)
                if shown is not None:
                    self.console.write(shown)
        self.hit_commands.stopped(stop)

    async def select_stop(self, stop: jvmdebug.Stop) -> None:
        """Make this the current stop, without showing it."""
        self.stop = stop
        self._frame = await _frame_to_select(stop)
        self.listed = None

    def explain_returns(self) -> None:
        """Explain a missing return value; once, if the VM can never tell it."""
        if self.stop is None:
            return
        if self.stop.why_not_returned is not None:
            self.console.write(Text(self.stop.why_not_returned, view.MINOR))
            return
        unknown = self.session.why_no_return_values
        if unknown is not None and not self._has_explained_returns:
            self._has_explained_returns = True
            self.console.write(Text(unknown, view.MINOR))

    async def wait_for_stop(self) -> None:
        """Wait until the program stops or ends, or the user presses Ctrl-C, which stops it.

        In a batch an exception that nothing catches is shown, and the program goes on.
        """
        await self._wait_for_stop()
        while self.console.is_batch and self.stop is not None and _is_unasked(self.stop):
            if not self.stop.ends_thread:  # then its frames are gone
                for shown in ("where", "locals"):
                    await self.execute(shown)
            await self.stop.resume()
            await self._wait_for_stop()

    async def _wait_for_stop(self) -> None:
        self.stop = self._frame = None
        self.hit_commands.resumed()
        with typed_to(self.session):
            waiting = asyncio.create_task(self.session.next_stop(), name="next stop")
            try:
                interrupted = await self.console.interrupts.come_during(waiting)
            finally:
                waiting.cancel()
            await asyncio.wait((waiting,))
            stop = await self.session.suspend() if interrupted else waiting.result()
        if stop is None:
            await self._show_end()
        else:
            await self.show_stop(stop)

    async def wait_or_ask(self) -> None:
        """Wait for the next stop; but at a terminal ask for the next command if that can be typed:
        what is typed is not the input of a program that was attached to.
        """
        is_attached = not self.is_ours and self.console.is_interactive
        if not is_attached and not self._is_beside_prompt:
            await self.wait_for_stop()
            return
        self.stop = self._frame = None
        self.hit_commands.resumed()

    async def step_ended(self) -> bool:
        """Wait for the stop; whether it is the end of a step, so that a further one may follow."""
        await self.wait_for_stop()
        if self.stop is not None and self.stop.why_not_returned is not None:
            self.explain_returns()
        return self.stop is not None and jvmdebug.StopReason.STEP in self.stop.reasons

    async def _show_end(self) -> None:
        self.ended = True
        code = await self.session.wait()
        if self.session.owner is not None:
            return  # the event that says so has told it
        how = "" if code is None else f" with exit code {code}"
        self.console.write(f"The program has ended{how}.")
        await self.let_go()

    def _show_news(self, event: jvmdebug.SessionEvent) -> None:
        """Show what another one in the session has done; a stop that he has ended is none here."""
        if (said := guests.news(event)) is not None:
            self.console.write(said)
            if self.stop is not None and not self.stop.is_current:
                self.stop = self._frame = None

    def show_event(self, event: jvmdebug.SessionEvent) -> None:
        """Show what a session tells: that of the program, or of its past."""
        self._show_news(event)
        match event:
            case jvmdebug.Stopped() if self._is_at_prompt and self.stop is None:
                if self._showing is None or self._showing.done():
                    work = self._show_stops()
                    self._showing = asyncio.create_task(work, name="stop at the prompt")
            case jvmdebug.Output(text=text):
                self.console.write_output(text)
            case jvmdebug.projects.TestEvent():
                self.tests.take(event)
            case jvmdebug.BreakpointLogged(text=text):
                self.console.write_lines(text)
            case jvmdebug.BreakpointChanged(breakpoint=changed, change="changed" | "new"):
                self.show_breakpoint(changed, again=False)
            case jvmdebug.ObjectCollected(mark=mark):
                self.console.write(f"{mark.text} has been collected.")
            case (
                jvmdebug.AnsweringChanged(message=message)
                | jvmdebug.LinkChanged(message=message)
                | jvmdebug.Continued(notice=str(message))
            ):
                self.console.write(f"{message[0].upper()}{message[1:]}.")
            case jvmdebug.Ended():
                self._show_why_over(event)
            case _:
                pass

    def _show_why_over(self, event: jvmdebug.Ended) -> None:
        """Show why the connection is lost, or that the program was killed; else nothing."""
        message = event.message
        if event.reason is jvmdebug.EndReason.CONNECTION_LOST:
            self.console.write(
                f"The connection to the program is lost: {message or 'no reason given'}"
            )
        elif message:
            self.console.write(f"{message[0].upper()}{message[1:]}.")


async def _frame_to_select(stop: jvmdebug.Stop) -> jvmdebug.FrameHandle | None:
    """The topmost frame; the topmost of the user's own code where chance or the JDK chose the
    place: after a pause and where an exception was thrown.
    """
    if not stop.has_frames:
        return None
    if stop.reason in (jvmdebug.StopReason.PAUSE, jvmdebug.StopReason.EXCEPTION):
        return await stop.own_frame() or stop.frame
    return stop.frame


def _is_unasked(stop: jvmdebug.Stop) -> bool:
    """Whether it stopped only because nothing catches the exception, without `catch`."""
    return stop.reasons == (jvmdebug.StopReason.EXCEPTION,) and not stop.breakpoints
