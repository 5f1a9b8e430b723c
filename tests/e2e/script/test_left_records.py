# SPDX-License-Identifier: Apache-2.0
"""Methods of which the VM keeps the record of a breakpoint that is gone, in code that is gone.

HotSpot sets a breakpoint in an older version of the class as well, where a thread runs that, and
keeps a record for each of the two. When it has freed the older version in between, one stays. A
compiler undoes breakpoints in its copy of a method by all records; the opcode of one that stayed is
one of the older code. The compiler then crashes, or compiles something else. The agent only reads
the records, and a probe takes the place of a breakpoint there.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import NotImplementedByVmError, UnsupportedError
from jvmdebug.jdwp.generated import event_request
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier
from tests.support.breakpoint_records import BreakpointRecord, breakpoint_records
from tests.support.matrix import is_whole
from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug import Breakpoint, Session, Stop
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


class Leaving:
    """A program that is held after `hold` was given other code, or before that."""

    def __init__(self, session: Session, jdk: Jdk, program: Debuggee, written: list[str]) -> None:
        self.session = session
        self.jdk = jdk
        self.line = program.marker
        self.written = written
        self.method_id = 0
        self.left: set[BreakpointRecord] = set()

    def at(self, marker: str) -> str:
        """The line, for a breakpoint."""
        return f"Leftover.java:{self.line(marker)}"

    def records(self) -> set[BreakpointRecord]:
        """What the VM keeps of breakpoints in `hold`."""
        assert self.session.pid is not None
        return set(breakpoint_records(self.jdk, self.session.pid, self.method_id))

    async def change(self, condition: str) -> Breakpoint:
        """Give `hold` other code."""
        again = await self.session.break_at(self.at("held"), condition=condition)
        assert again.locations[0].how == "probe", again.locations[0].why_event
        return again

    async def leave(self) -> Stop:
        """Have the VM keep a record."""
        session = self.session
        await session.break_at(self.at("holding"))
        stop = await next_stop(session)
        other = await session.break_at(self.at("other"), condition="i == 99")
        assert other.locations[0].how == "probe", other.locations[0].why_event
        held = await session.break_at(self.at("held"))
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (held,)
        assert held.locations[0].code is not None
        self.method_id = held.locations[0].code.method.id
        await session.break_at(self.at("freed"))
        await stop.resume()
        stop = await next_stop(session)
        await held.remove()
        self.left = self.records()
        if self.jdk.version < 17 and not self.left:
            pytest.skip("up to JDK 16 the VM leaves no record here")
        assert len(self.left) == 1
        return stop


@asynccontextmanager
async def leaving(jdk: Jdk, **options: Any) -> AsyncIterator[Leaving]:
    """The program, launched in the fast mode with our agent."""
    program = compiled("chained", "Leftover", jdk)
    written: list[str] = []
    async with launched(
        program,
        jdk,
        "jvmdebug",
        mode="fast",
        on_output=lambda piece: written.append(piece.text),
        **options,
    ) as session:
        yield Leaving(session, jdk, program, written)


async def test_a_probe_takes_the_place_of_a_breakpoint(jdk: Jdk) -> None:
    async with leaving(jdk) as of:
        stop = await of.leave()
        again = await of.change("n == 6")
        assert of.records() == of.left
        plain = await of.session.break_at(of.at("next"))
        assert plain.locations[0].how == "probe"
        other = await of.session.break_at(of.at("next"), condition="n == 7")
        assert other.locations[0].how == "probe"
        assert of.records() == of.left
        for breakpoint_ in (again, plain):
            await stop.resume()
            stop = await next_stop(of.session)
            assert stop.breakpoints == (breakpoint_,)
        await plain.remove()
        assert of.records() == of.left
        await stop.resume()
        assert await of.session.wait() == 0, of.written
    assert "sum 24" in "".join(of.written)


async def test_a_condition_that_the_debugger_evaluates(jdk: Jdk) -> None:
    """A probe stops each time, and the debugger goes on."""
    async with leaving(jdk) as of:
        stop = await of.leave()
        await of.change("n == 7")
        condition = "Runtime.version().feature() > 0 && n == 6"
        asked = await of.session.break_at(of.at("next"), condition=condition)
        never = await of.session.break_at(of.at("next"), condition="new Object[0].length > n")
        assert of.records() == of.left
        await stop.resume()
        stop = await next_stop(of.session)
        assert stop.breakpoints == (asked,)
        await never.remove()
        await stop.resume()
        assert await of.session.wait() == 0, of.written


async def test_code_is_not_changed_beside_a_breakpoint_of_the_vm(jdk: Jdk) -> None:
    """The record fits the code until then: the breakpoint was set without harm."""
    async with leaving(jdk) as of:
        stop = await of.leave()
        plain = await of.session.break_at(of.at("next"))
        assert plain.locations[0].how == "event"
        assert of.left < of.records()
        asked = await of.session.break_at(of.at("held"), condition="n == 6")
        assert asked.locations[0].how == "event"
        assert "has kept a record of a breakpoint" in (asked.locations[0].why_event or "")
        for breakpoint_ in (asked, plain):
            await stop.resume()
            stop = await next_stop(of.session)
            assert stop.breakpoints == (breakpoint_,)
        await plain.remove()
        await stop.resume()
        assert await of.session.wait() == 0, of.written


async def test_a_breakpoint_is_refused_where_no_probe_can_be(jdk: Jdk) -> None:
    """A thread stays in the method."""
    async with leaving(jdk) as of:
        stop = await of.leave()
        await of.change("n == 6")
        called = await of.session.break_at(of.at("called"))
        await stop.resume()
        stop = await next_stop(of.session)
        await stop.resume()
        stop = await next_stop(of.session)
        assert stop.breakpoints == (called,)
        with pytest.raises(UnsupportedError, match=r"not possible now: .*\(a probe is not"):
            await of.session.break_at(of.at("next"))
        assert of.records() == of.left
        await stop.resume()
        assert await of.session.wait() == 0, of.written
    assert "sum 24" in "".join(of.written)


async def test_an_agent_that_may_not_read_the_vm(jdk: Jdk) -> None:
    """It does not look for records, and sets breakpoints as the JDK's agent does."""
    async with leaving(jdk, env={"_JAVA_JDWP_OPTIONS": "vmreads=n"}) as of:
        stop = await of.leave()
        again = await of.change("n == 6")
        plain = await of.session.break_at(of.at("next"))
        assert plain.locations[0].how == "event"
        assert of.left < of.records()
        for breakpoint_ in (again, plain):
            await stop.resume()
            stop = await next_stop(of.session)
            assert stop.breakpoints == (breakpoint_,)
        await plain.remove()
        assert of.records() == of.left
        await stop.resume()
        assert await of.session.wait() == 0, of.written
    assert "sum 24" in "".join(of.written)


async def test_method_exits_are_refused(jdk: Jdk) -> None:
    async with leaving(jdk) as of:
        stop = await of.leave()
        await of.change("n == 7")
        request = event_request.Set(
            EventKind.METHOD_EXIT,
            SuspendPolicy.NONE,
            (ClassMatchModifier("Leftover$Held"),),
        )
        ask = of.session.vm.connection.request
        with pytest.raises(NotImplementedByVmError):
            await ask(request)
        assert of.records() == of.left
        await stop.resume()
        assert await of.session.wait() == 0, of.written


async def test_a_step_sets_no_breakpoint_beside_what_was_left(jdk: Jdk) -> None:
    async with leaving(jdk) as of:
        stop = await of.leave()
        again = await of.change("n == 6")
        called = await of.session.break_at(of.at("called"))
        for breakpoint_ in (again, called):
            await stop.resume()
            stop = await next_stop(of.session)
            assert stop.breakpoints == (breakpoint_,)
        assert of.records() == of.left
        await stop.step_out()
        stop = await next_stop(of.session)
        assert stop.frame.line == of.line("held")
        await stop.step_over()
        stop = await next_stop(of.session)
        assert stop.frame.line == of.line("next")
        assert of.records() == of.left
        await stop.resume()
        assert await of.session.wait() == 0, of.written
    assert "sum 24" in "".join(of.written)


async def test_a_compiler_may_copy_the_method_at_any_time(jdk: Jdk) -> None:
    """The VM with the record ended itself at one of the first twelve breakpoints."""
    async with leaving(jdk, args=["compile"], vm_args=["-XX:-TieredCompilation"]) as of:
        stop = await of.leave()
        await of.change("n == -6")
        await stop.resume()
        for _ in range(60 if is_whole() else 20):
            never = await of.session.break_at(of.at("never"))
            assert never.locations[0].how == "probe"
            await never.remove()
        held = await of.session.break_at(of.at("held"))
        stop = await next_stop(of.session)
        assert stop.breakpoints == (held,)
        await held.remove()
        await stop.frame.evaluate("goesOn = false")
        await stop.resume()
        assert await of.session.wait() == 0, of.written
