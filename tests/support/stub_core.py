# SPDX-License-Identifier: Apache-2.0
"""A stub of the public session API, with a program that does not exist.

For tests of front ends that need no VM: the program has two threads and two frames, `hit` stops
it, `end` ends it, and `calls` lists what a front end asked for. It offers what the DAP adapter
uses, under the names and with the types of `jvmdebug`; mypy sees the real classes.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, cast

import jvmdebug
from jvmdebug import errors
from tests.support.stub_breakpoints import StubBreakpoints
from tests.support.stub_code import StubCode, StubProfiling, StubRedefining, StubSource
from tests.support.stub_values import StubScope, StubVariable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


@dataclass(eq=False)
class StubThread:
    id: int
    name: str
    session: StubSession

    @property
    def stop(self) -> StubStop | None:
        return self.session.stop_now

    async def frames(self, start: int = 0, count: int | None = None) -> list[StubFrame]:
        stop = self.stop
        if stop is None:
            raise errors.StateError(f"thread {self.name} is running")
        frames = stop.all_frames[start:]
        return frames if count is None else frames[:count]

    async def frame_count(self) -> int:
        return 2

    async def terminate(self) -> None:
        self.session.calls.append(("terminate thread", self.name))

    async def resume(self) -> None:
        await self.session.resume()


@dataclass(eq=False)
class StubFrame:
    stop: StubStop
    depth: int
    function: str
    line: int | None
    argument_types: tuple[str, ...] = ("int",)
    source_name: str | None = "Cart.java"
    source_path: str | None = "shop/Cart.java"
    can_pop: bool = True
    in_archive: bool = False
    is_obsolete: bool = False
    type_name: str = "shop.Cart"

    @property
    def thread(self) -> StubThread:
        return self.stop.thread

    def require_own(self, _what: str) -> None:
        """No frame here is that of an inlined function."""

    @property
    def location(self) -> str:
        return f"shop.{self.function}(Cart.java:{self.line})"

    async def source(self) -> StubSource | None:
        return self.stop.session.archive if self.in_archive else None

    async def listing(self) -> None:
        return None

    async def is_library(self) -> bool:
        return False

    async def module(self) -> str:
        return "shop"

    async def code_address(self) -> int | None:
        return 0x100000 + self.depth

    async def scopes(self) -> list[StubScope]:
        """Locals, and the exception at the topmost frame."""
        this = await self.this()
        shown = [*([] if this is None else [this]), *await self.variables()]
        found = [StubScope(self, jvmdebug.ScopeKind.LOCALS, "Locals", shown)]
        thrown = self.stop.exception
        if thrown is not None and self.depth == 0:
            found.append(StubScope(self, jvmdebug.ScopeKind.EXCEPTION, "Exception", [thrown]))
        return found

    async def this(self) -> StubVariable | None:
        inside = [StubVariable("total", self.stop), StubVariable("items", self.stop, elements=500)]
        return StubVariable("this", self.stop, "Cart@1", "shop.Cart", inside)

    async def variables(self) -> list[StubVariable]:
        return self.stop.locals

    async def evaluate(
        self, text: str, *, deadline_s: float | None = None, read_only: bool = False
    ) -> StubVariable:
        self.stop.session.calls.append(("evaluate", text, deadline_s, read_only))
        if text == "wrong":
            raise errors.EvaluationError("there is no variable `wrong`", 0)
        if text == "hang":
            await self.stop.session.hang()
        return StubVariable(text, self.stop, "long " * 100, "java.lang.String")

    async def set(self, name: str, text: str, *, deadline_s: float) -> StubVariable:
        assert deadline_s > 0
        return StubVariable(name, self.stop, text)

    async def completions(self, text: str, cursor: int) -> list[jvmdebug.Completion]:
        kind = jvmdebug.CompletionKind.VARIABLE
        return [jvmdebug.Completion("total", "total", kind, len(text[:cursor].rstrip("tol")))]


class StubOwnTexts:
    """No class has a toString() that joins fields."""

    has_later = False

    async def plan_later(self) -> bool:
        return False


@dataclass(eq=False)
class StubStop:
    session: StubSession
    reason: jvmdebug.StopReason
    breakpoints: tuple[Any, ...] = ()
    exception: StubVariable | None = None
    exception_caught: bool | None = None
    ends_thread: bool = False
    first_thrown_at: str | None = None
    why_not_returned: None = None
    change: None = None
    all_threads: bool = True
    has_frames: bool = True
    is_current: bool = True

    def __post_init__(self) -> None:
        self.reasons = (self.reason,)
        self.own_texts = StubOwnTexts()
        self.thread = self.session.main
        self.all_frames = [
            StubFrame(self, 0, "Cart.add", 42),
            StubFrame(
                self, 1, "Main.main", 7, source_path="lib/A.java", can_pop=False, in_archive=True
            ),
        ]
        self.frame = self.all_frames[0]
        self.locals = [StubVariable("i", self), StubVariable("j", self)]

    async def frames(
        self, start: int = 0, count: int | None = None, *, thread: StubThread | None = None
    ) -> list[StubFrame]:
        del thread
        return self.all_frames[start:][:count]

    async def thrown(self, *, with_stacks: bool = False) -> jvmdebug.Thrown | None:
        if self.exception is None:
            return None
        message = self.exception.inside[0].shown.strip('"')
        stack = ("shop.Cart.total(Cart.java:7)", "shop.Main.main(Main.java:7)")
        cause = jvmdebug.Thrown("java.io.IOException", None, stack=stack if with_stacks else None)
        return jvmdebug.Thrown(self.exception.declared_type, message, cause)

    async def warm_up(self) -> None:
        """There is no VM to prepare."""

    async def resume(self) -> None:
        await self.session.resume()

    async def run_to(self, spec: str) -> None:
        raise jvmdebug.BreakpointError(f"{spec!r} does not say a line or a method")

    async def instances(self, type_name: str, _limit: int = 100) -> jvmdebug.Instances:
        return jvmdebug.Instances(type_name, 0, ())

    def kept(self) -> dict[int, Any]:
        return {}

    async def release(self, number: int) -> None:
        raise jvmdebug.EvaluationError(f"there is no kept object {number}")

    async def throw(self, _text: str, _frame: object = None) -> StubVariable:
        return self.locals[0]

    async def step_over(self, granularity: str = "line", **more: Any) -> None:
        await self._step("step_over", granularity, more)

    async def step_into(self, granularity: str = "line", **more: Any) -> None:
        await self._step("step_into", granularity, more)

    async def step_out(self, granularity: str = "line", **more: Any) -> None:
        await self._step("step_out", granularity, more)

    async def step_in_targets(self, *, thread: StubThread | None = None) -> list[Any]:
        del thread
        return [jvmdebug.CallSite("Cart.add(int)", 4, "add", "(I)V")]

    async def origins(self, *, thread: StubThread | None = None) -> tuple[jvmdebug.Origin, ...]:
        del thread
        return ()

    async def pop_frame(self, frame: StubFrame | None = None) -> StubStop:
        return self._replace(jvmdebug.StopReason.POP_FRAME, "pop_frame", frame)

    unassigned: tuple[str, ...] = ()

    async def jump_to(self, line: int, *, thread: StubThread | None = None) -> StubStop:
        del thread
        return self._replace(jvmdebug.StopReason.GOTO, "jump_to", line)

    async def restart_frame(self, frame: StubFrame | None = None) -> None:
        await (await self.pop_frame(frame)).step_into()

    async def force_return(self, value_text: str | None = None) -> StubStop:
        return self._replace(jvmdebug.StopReason.FORCE_RETURN, "force_return", value_text)

    def _replace(self, reason: jvmdebug.StopReason, *call: Any) -> StubStop:
        self.session.calls.append(call)
        self.is_current = False
        self.session.hit(reason)
        assert self.session.stop_now is not None
        return self.session.stop_now

    async def _step(self, *call: Any) -> None:
        if not self.is_current:
            raise errors.StateError("the stop is over")
        self.session.calls.append(call)
        await self.session.resume()
        self.session.hit(jvmdebug.StopReason.STEP)


@dataclass
class StubCapabilities:
    can_pop_frames: bool = True


@dataclass
class StubVm:
    capabilities: StubCapabilities = field(default_factory=StubCapabilities)


@dataclass
class StubObservation:
    """Traces and writes to fields cannot be armed here."""

    target: str

    async def open(self) -> None:
        raise jvmdebug.BreakpointError(f"there is nothing like {self.target!r}")


class StubSession(StubProfiling, StubRedefining):
    """The program, as far as a front end sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.breakpoints = StubBreakpoints(self.calls)
        self.vm = StubVm()
        self.code = StubCode()
        self.archive = StubSource()
        self.main = StubThread(1001, "main", self)
        self.other = StubThread(1002, "worker", self)
        self.stop_now: StubStop | None = None
        self.pid = 4242
        self.owner: str | None = None
        self.past: None = None
        self.exit_code: int | None = None
        self.settings = jvmdebug.SessionSettings()
        self.is_disconnected = False
        self.hanging = asyncio.Event()
        self._subscribers: list[Callable[[Any], object]] = []

    # played by the test

    def hit(self, reason: jvmdebug.StopReason, **more: Any) -> None:
        """Stop the program."""
        self.stop_now = StubStop(self, reason, **more)
        self.post(jvmdebug.Stopped(cast("Any", self.stop_now)))

    def end(self, exit_code: int = 0) -> None:
        """The program ends."""
        if self.is_disconnected:
            return
        self.is_disconnected = True
        self._let_go()
        self.exit_code = exit_code
        self.post(jvmdebug.Exited(exit_code))
        self.post(jvmdebug.Ended(jvmdebug.EndReason.EXITED))

    def post(self, event: Any) -> None:
        for each in list(self._subscribers):
            shown = each(event)
            if asyncio.iscoroutine(shown):
                shown.close()  # nothing waits for it here

    async def hang(self) -> None:
        """What a call into the program does that does not return."""
        self.hanging.set()
        await asyncio.Event().wait()

    # what front ends use

    takes_input = False

    @property
    def current_stops(self) -> tuple[StubStop, ...]:
        return () if self.stop_now is None else (self.stop_now,)

    def subscribe(
        self, subscriber: Callable[[Any], object], *, batches: bool = False
    ) -> Callable[[], None]:
        del batches  # each event comes alone
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    async def start(self) -> None:
        self.calls.append(("start",))

    async def resume(self) -> None:
        self.calls.append(("resume",))
        self._let_go()
        self.post(jvmdebug.Continued(None, all_threads=True))

    async def suspend(self) -> StubStop:
        self.hit(jvmdebug.StopReason.PAUSE)
        assert self.stop_now is not None
        return self.stop_now

    async def threads(self) -> list[StubThread]:
        return [self.main, self.other]

    async def terminate(self, grace_s: float = 5.0) -> None:
        self.calls.append(("terminate", grace_s))
        self.end(143)

    async def kill(self) -> None:
        self.calls.append(("kill",))
        self.end(-9)

    async def detach(self) -> None:
        self.calls.append(("detach",))
        self.post(jvmdebug.Ended(jvmdebug.EndReason.DETACHED))

    async def find_source(self, source_path: str) -> StubSource | None:
        self.calls.append(("find_source", source_path))
        return self.archive

    def trace(self, methods: str) -> StubObservation:
        return StubObservation(methods)

    def who_sets(self, target: str) -> StubObservation:
        return StubObservation(target)

    def _let_go(self) -> None:
        if self.stop_now is not None:
            self.stop_now.is_current = False
        self.stop_now = None


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """What was asked, in place of the command that is made of it."""

    request: jvmdebug.ProgramRequest
    notice: str | None = None


class StubCore:
    """Stands in for the openers of sessions in `jvmdebug`; each opening makes a new session."""

    def __init__(self) -> None:
        self.sessions: list[StubSession] = []
        self.options: list[dict[str, Any]] = []
        self.failure: Exception | None = None
        self.obstacle: Exception | None = None
        """Why a program cannot be prepared."""
        self.is_slow = False
        self.opening = asyncio.Event()
        self.left = 0

    @property
    def session(self) -> StubSession:
        return self.sessions[-1]

    async def prepare(
        self, request: jvmdebug.ProgramRequest, _progress: object = None
    ) -> PreparedRequest:
        if self.obstacle is not None:
            raise self.obstacle
        return PreparedRequest(request)

    @asynccontextmanager
    async def open(
        self, prepared: PreparedRequest | None = None, **options: Any
    ) -> AsyncIterator[jvmdebug.Session]:
        asked = (
            {}
            if prepared is None
            else {
                each.name: getattr(prepared.request, each.name) for each in fields(prepared.request)
            }
        )
        self.options.append(asked | options)
        self.opening.set()
        if self.failure is not None:
            raise self.failure
        if self.is_slow:
            await asyncio.Event().wait()
        session = StubSession()
        self.sessions.append(session)
        try:
            yield cast("jvmdebug.Session", session)
        finally:
            self.left += 1
            session.end(143)
