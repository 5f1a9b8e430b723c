# SPDX-License-Identifier: Apache-2.0
"""Session: the façade over one debugged VM, and what scripts and front ends hold on to.

Owns the parts (breakpoints, stops, stepping, output, tasks) and delegates to them. It is made by
`launch`, `attach` and `listen`; nothing below imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from jvmdebug.breakpoints import (
        Breakpoint,
        BreakpointSpec,
        ExceptionRequest,
        LineRequest,
        MethodRequest,
        Suspend,
    )
    from jvmdebug.model import VirtualMachine
    from jvmdebug.session.events import Output, SessionEvent
    from jvmdebug.session.settings import SessionSettings
    from jvmdebug.session.state import SessionState
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.thread_handle import ThreadHandle
    from jvmdebug.sources import SourceFile, SourceFinder


class Session:
    """One debugged VM."""

    vm: VirtualMachine
    """The mirror of the VM, for what this class does not offer."""
    state: SessionState
    agent: Literal["jvmdebug", "stock"]
    """Which agent the VM was started with, told by its own version text."""
    pid: int | None
    """The debuggee's process id if we launched it."""
    exit_code: int | None
    """The real exit code (negative: the signal) once the launched process has exited."""
    settings: SessionSettings
    """May be changed at any time (step filters, default suspend policy, deadlines)."""
    sources: SourceFinder

    # breakpoints

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints that are not removed, in the order of their ids."""
        raise NotImplementedError

    async def break_at(
        self,
        spec: str | BreakpointSpec,
        *,
        condition: str | None = None,
        hit_condition: str | None = None,
        log_message: str | None = None,
        once: bool = False,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Set a breakpoint at `shop/Cart.java:42`, `shop.Cart:42`, `shop.Cart#add` (`(int)`).

        If no class matches yet, it stays unverified and resolves when one is loaded, before any of
        its code runs. Raises BreakpointError for a text that is none, an ill-formed hit condition
        or a condition that does not parse.
        """
        raise NotImplementedError

    async def break_on_exception(
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop where an exception of the type or of a subtype is thrown."""
        raise NotImplementedError

    async def watch(
        self,
        field: str,
        *,
        read: bool = False,
        write: bool = True,
        condition: str | None = None,
        hit_condition: str | None = None,
        suspend: Suspend | None = None,
    ) -> Breakpoint:
        """Stop when the field `shop.Cart.total` is written (or read), in any instance."""
        raise NotImplementedError

    async def remove(self, breakpoint: Breakpoint) -> None:
        """The same as `breakpoint.remove()`."""
        raise NotImplementedError

    async def set_source_breakpoints(
        self, source: str | Path, requests: Sequence[LineRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `source`; those that stay the same are untouched.

        One Breakpoint per request, in order. A changed condition keeps the breakpoint. A request
        that cannot work (an ill-formed hit condition) gives an unverified one with a message.
        Concerns only what earlier calls with the same `source` set.
        """
        raise NotImplementedError

    async def set_function_breakpoints(
        self, requests: Sequence[MethodRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the function breakpoints; as `set_source_breakpoints`."""
        raise NotImplementedError

    async def set_exception_breakpoints(
        self, requests: Sequence[ExceptionRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the exception breakpoints; as `set_source_breakpoints`."""
        raise NotImplementedError

    async def breakable_lines(
        self, source: str | Path, first: int = 1, last: int | None = None
    ) -> tuple[int, ...]:
        """The lines of `source` from `first` to `last` (included) that hold code, ascending.

        Told by the loaded types of that file; empty if none is loaded yet.
        """
        raise NotImplementedError

    # running and stopping

    @property
    def current_stops(self) -> tuple[Stop, ...]:
        """The stops that hold threads now, oldest first."""
        raise NotImplementedError

    def stops(self) -> AsyncIterator[Stop]:
        """Iterate over the stops until the program ends.

        The first step of the iteration starts the VM if it is held; each further one resumes the
        stop that the body left unresumed. Leaving the loop early resumes nothing.
        """
        raise NotImplementedError

    async def next_stop(self, timeout_s: float | None = None) -> Stop | None:
        """The next stop that was not handed out yet; None once the program has ended.

        Starts the VM if it is held, resumes nothing else. Raises StateError if all threads are
        stopped already and nothing new can come, TimeoutError after `timeout_s` seconds.
        """
        raise NotImplementedError

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction; otherwise do nothing."""
        raise NotImplementedError

    async def resume(self) -> None:
        """Resume all current stops (and start a held VM)."""
        raise NotImplementedError

    async def suspend(self) -> Stop:
        """Suspend all threads now; the stop has reason PAUSE."""
        raise NotImplementedError

    async def threads(self) -> list[ThreadHandle]:
        """The live threads, with their names, in few round trips."""
        raise NotImplementedError

    # the debuggee

    def subscribe(self, subscriber: Callable[[SessionEvent], None]) -> Callable[[], None]:
        """Call `subscriber` for each event from now on; the returned function ends that.

        Output that was written before the first subscriber came is delivered to that one first.
        """
        raise NotImplementedError

    @property
    def output(self) -> AsyncIterator[Output]:
        """What the launched debuggee writes, from its start to the end of both streams."""
        raise NotImplementedError

    async def write_stdin(self, text: str | None) -> None:
        """Write to the debuggee's standard input (launched with `stdin="pipe"`); None closes it."""
        raise NotImplementedError

    async def wait(self) -> int | None:
        """Wait for the end; the exit code, None if the process is not ours or goes on."""
        raise NotImplementedError

    async def terminate(self, grace_s: float = 5.0) -> None:
        """End the program: SIGTERM, so that shutdown hooks run, then SIGKILL after `grace_s`.

        Of an attached VM: `System.exit(143)` through the agent. Stopped threads are resumed first.
        """
        raise NotImplementedError

    async def kill(self) -> None:
        """End the program at once: SIGKILL; of an attached VM: exit through the agent."""
        raise NotImplementedError

    async def detach(self) -> None:
        """Remove all breakpoints, resume everything and let the program go on without us."""
        raise NotImplementedError

    # sources

    async def find_source(self, source_path: str) -> SourceFile | None:
        """The text of `shop/Cart.java` from source path, sources jars or src.zip."""
        raise NotImplementedError
