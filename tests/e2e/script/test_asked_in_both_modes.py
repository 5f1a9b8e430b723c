# SPDX-License-Identifier: Apache-2.0
"""What can be asked for during a session is the same in the fast mode as in the full one, but for
what docs/how-to/modes.md says. How exceptions are thrown is tested apart, in conformance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import SessionState
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug import Breakpoint, Session, Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

PROGRAM: Final = debuggee("asked", "Asked")
LINES: Final = {
    PROGRAM.marker(name): name
    for name in (
        *("begin", "call", "write", "read", "shape", "text", "locked", "loop", "done", "twice"),
        *("result", "texts", "wrong", "handler", "implicit", "uncaught", "area", "inDone"),
    )
}


def at(name: str) -> str:
    return f"Asked.java:{PROGRAM.marker(name)}"


async def go_on(session: Session) -> Stop:
    """The next stop."""
    if session.state is not SessionState.RUNNING:
        await session.resume()
    return await next_stop(session)


async def where(session: Session) -> str:
    """The next stop: why, where, and what was thrown or returned there."""
    return await told(await go_on(session))


async def told(stop: Stop) -> str:
    said = [str(stop.reason), LINES.get(stop.frame.line or 0, stop.frame.method_name)]
    if (thrown := await stop.thrown()) is not None:
        said.append(str(thrown.type_name))
    if stop.returned is not None:
        value = await stop.returned.as_text()
        said.append(f"returned {'a number' if value.isdecimal() else value}")
    elif stop.why_not_returned is not None:
        said.append("result not known")
    return " ".join(said)


def stops(
    set_: Callable[[Session], Awaitable[Breakpoint]], times: int = 1
) -> Callable[[Session, Stop], Awaitable[object]]:
    """Set it, and go on for so many stops."""

    async def ask(session: Session, _: Stop) -> object:
        breakpoint_ = await set_(session)
        assert breakpoint_.verified, breakpoint_.message
        seen = [await where(session) for _ in range(times)]
        await breakpoint_.remove()
        return seen

    return ask


def after(
    name: str, act: Callable[[Stop], Awaitable[str | None]]
) -> Callable[[Session, Stop], Awaitable[object]]:
    """Run to a line and do something; where that ends, if it says nothing itself."""

    async def ask(session: Session, stop: Stop) -> object:
        await stop.run_to(at(name))
        stop = await next_stop(session)
        said = await act(stop)
        return said if said is not None else await told(await next_stop(session))

    return ask


async def _logged(session: Session, _: Stop) -> object:
    lines: list[str] = []
    unsubscribe = session.subscribe(
        lambda event: lines.append(event.text) if hasattr(event, "text") else None
    )
    log = await session.break_at(at("loop"), log_message="{i} of {own > 0}")
    done = await session.break_at(at("done"))
    await where(session)
    unsubscribe()
    await log.remove()
    await done.remove()
    return lines


async def _traced(session: Session, stop: Stop, *, recorded: bool) -> object:
    async with session.trace("Asked#twice", limit=2, recorded=recorded) as trace:
        await stop.resume()
        calls = [call async for call in trace]
    return [(each.outcome, str(each.result).isdecimal()) for each in calls]


async def _popped(stop: Stop) -> str:
    again = await stop.pop_frame()
    return f"popped to {LINES[again.frame.line or 0]}"


async def _forced(stop: Stop) -> str:
    caller = await stop.force_return("41 + 1")
    assert caller is not None
    await caller.step_over()
    return f"forced in {LINES[caller.frame.line or 0]}"


async def _evaluated(stop: Stop) -> str:
    await stop.frame.set("number", "3")
    return await (await stop.frame.evaluate("twice(number) + own")).as_text()


async def _instances(stop: Stop) -> str:
    found = await stop.instances("Asked$Square", limit=1)
    return f"{len(found.objects)} square"


async def _waited(session: Session, stop: Stop) -> object:
    """Thread.join waits for the monitor of the thread."""
    async with session.contention(waits=True, stack=0) as contention:
        await stop.resume()
        async for each in contention:
            if each.thread == "main":
                return each.is_wait, each.is_over  # the thread may be collected by now
    return None


async def _written(session: Session, stop: Stop) -> object:
    async with session.who_sets("Asked.own", limit=2) as writes:
        await stop.resume()
        found = await writes.collect()
    return [(each.at.method_name, each.old.value != each.new.value) for each in found]


async def _counted(session: Session, _: Stop) -> object:
    done = await session.break_at(at("done"))
    async with (
        session.count(at("loop")) as passed,
        session.time_between(at("call"), at("locked")) as timing,
    ):
        await where(session)
        counts = await passed.read(), (await timing.read()).total.count
    await done.remove()
    return counts


async def _snapshot(session: Session, stop: Stop) -> object:
    await stop.run_to(at("locked"))
    await next_stop(session)
    main = (await session.snapshot(frames=4)).thread("main")
    return [each.at.method_name for each in main.frames], [
        each.text.partition("@")[0] for each in main.holds
    ]


ASKED: Final[dict[str, Callable[[Session, Stop], Awaitable[object]]]] = {
    "line": stops(lambda it: it.break_at(at("twice"))),
    "condition": stops(lambda it: it.break_at(at("loop"), condition="i == 2")),
    "condition with a call": stops(lambda it: it.break_at(at("loop"), condition="twice(i) == 4")),
    "hit count": stops(lambda it: it.break_at(at("loop"), hit_condition="% 3"), times=2),
    "log point": _logged,
    "function": stops(lambda it: it.break_at("Asked#twice")),
    "method of an interface": stops(lambda it: it.break_at("Asked$Shape#area")),
    "constructor": stops(lambda it: it.break_at("Asked$Wrong#<init>")),
    "instruction": stops(lambda it: it.break_at("Asked#twice#0")),
    "allocation": stops(lambda it: it.break_on_allocation("Asked$Wrong", "Asked#caught")),
    "all exceptions": stops(lambda it: it.break_on_exception("Asked*, java.lang.Null*"), times=3),
    "exceptions of a class": stops(lambda it: it.break_on_exception("Asked$Wrong"), times=2),
    "exceptions caught": stops(
        lambda it: it.break_on_exception("java.lang.RuntimeException", uncaught=False), times=2
    ),
    "exceptions uncaught": stops(lambda it: it.break_on_exception(caught=False), times=2),
    "exceptions by condition": stops(
        lambda it: it.break_on_exception(
            "Asked$Wrong", condition='$exception.getMessage().equals("uncaught")'
        )
    ),
    "exceptions by count": stops(
        lambda it: it.break_on_exception("Asked$Wrong", hit_condition="3")
    ),
    "field written": stops(lambda it: it.watch("Asked.own"), times=2),
    "field read": stops(lambda it: it.watch("Asked.own", read=True, write=False), times=2),
    "field by condition": stops(lambda it: it.watch("Asked.own", condition="$new > $old")),
    "local variable": stops(lambda it: it.watch("Asked#twice.result")),
    "trace": lambda session, stop: _traced(session, stop, recorded=True),
    "trace by stops": lambda session, stop: _traced(session, stop, recorded=False),
    "step over": after("write", lambda stop: stop.step_over()),
    "step over a call": after("call", lambda stop: stop.step_over()),
    "step into": after("call", lambda stop: stop.step_into()),
    "step out": after("twice", lambda stop: stop.step_out()),
    "step out with a reference": after("texts", lambda stop: stop.step_out()),
    "step over a throw": after("wrong", lambda stop: stop.step_over()),
    "step out of void": after("wrong", lambda stop: stop.step_out()),
    "run to": after("twice", told),
    "pop": after("twice", _popped),
    "forced return": after("twice", _forced),
    "evaluation": after("twice", _evaluated),
    "instances": after("twice", _instances),
    "waits for monitors": _waited,
    "who sets": _written,
    "counts and times": _counted,
    "snapshot": _snapshot,
}

DIFFERENT: Final[dict[str, object]] = {}


async def _answers(launch: Launch, mode: str) -> dict[str, object]:
    answers: dict[str, object] = {}
    async with launch("asked", "Asked", mode=mode) as session:
        begin = await session.break_at(at("begin"))
        for name, ask in ASKED.items():
            await begin.enable()
            stop = await go_on(session)
            await begin.disable()
            answers[name] = await ask(session, stop)
    return answers


async def test_the_same_answers(launch_ours: Launch, jdk: Jdk) -> None:
    compiled("asked", "Asked", jdk)
    full, fast = await _answers(launch_ours, "full"), await _answers(launch_ours, "fast")
    assert {k: (v, fast[k]) for k, v in full.items() if v != fast[k]} == DIFFERENT
