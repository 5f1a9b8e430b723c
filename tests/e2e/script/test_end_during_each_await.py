# SPDX-License-Identifier: Apache-2.0
"""A program ends, is killed or is restarted during each await of the session API.

The table comes from the public classes of `jvmdebug`, so a new method is in it. Each returns or
raises an error of ours, none hangs, and the session ends. In CI all are under way at once; `make
matrix` has each alone, at its first command.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.endings import ENDINGS, strike
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S: Final = 20.0
WITHOUT_PROGRAM: Final = {
    "Listener": "it waits for a program",
    "Renderer": "users write them",
    "RenderedObject": "renderers get it while a value is shown, which `Variable.text` does",
    "WatchedChange": "made by a stop at a watched field",
    "ClassListing": "made by `FrameHandle.listing`",
    "SessionPast": "a recording has one, and no program",
    "Observation": "traces, writes and samples are its kinds",
}
MADE_BELOW: Final = {
    ("FrameHandle", "make"),
    ("FrameHandle", "make_all"),
    ("FrameHandle", "run"),
    ("FrameHandle", "variable_of_exception"),
    ("Code", "address_of"),
    ("Code", "listing_of"),
    ("Code", "module_of"),
    ("Code", "source_path"),
    ("SessionBreakpoints", "set_again"),
    ("FieldWrites", "reached"),
    ("FieldReads", "reached"),
    ("Exceptions", "reached"),
    ("Samples", "reached"),
    ("Trace", "reached"),
}
"""They take objects of the model: other methods call them with what they have read."""
ENDS_IT: Final = {("Session", each) for each in ("restart", "kill", "terminate", "detach")}


def awaitables() -> list[tuple[str, str]]:
    """Class and method of everything public that is awaited."""
    classes = [(name, getattr(jvmdebug, name)) for name in jvmdebug.__all__]
    return sorted(
        (name, method)
        for name, each in classes
        if inspect.isclass(each) and name not in WITHOUT_PROGRAM
        for method, function in inspect.getmembers(each, inspect.iscoroutinefunction)
        if not method.startswith("_") and (name, method) not in MADE_BELOW
        if callable(function)
    )


async def targets(session: jvmdebug.Session, stop: jvmdebug.Stop) -> dict[str, Any]:
    """An object of each class that this agent can give: some only jvmdebug's own has."""
    frame = stop.frame
    numbers = await frame.get("numbers")
    of_own_agent: dict[str, Callable[[], Awaitable[object]]] = {
        "HeapFile": session.heap.snapshot,
        "LineTiming": session.time_between("Loop#add", "Loop#factorial").open,
        "Contention": session.contention,
        "GcEvents": session.gc_events,
        "JvmtiEvents": partial(session.jvmti.events, "CompiledMethodLoad"),
        "Module": partial(session.classes.module, "java.base"),
    }
    made: dict[str, Any] = {}
    for name, make in of_own_agent.items():
        with suppress(jvmdebug.UnsupportedError):
            made[name] = await make()
    return made | {
        "Session": session,
        "SessionHeap": session.heap,
        "SessionHotSwap": session.hot_swap,
        "SessionObserving": session.observe,
        "SessionProfiling": session.profiling,
        "SessionBreakpoints": session.breakpoints,
        "Breakpoint": await session.break_at("Loop#factorial"),
        "Code": session.code,
        "Stop": stop,
        "ThreadHandle": stop.thread,
        "FrameHandle": frame,
        "Scope": (await frame.scopes())[0],
        "Variable": numbers,
        "Memory": await numbers.memory(),
        "Trace": await session.trace("Loop#add"),
        "FieldWrites": await session.who_sets("Loop.calls"),
        "FieldReads": await session.who_reads("Loop.calls"),
        "Exceptions": await session.exceptions(),
        "SingleSteps": await session.steps_of(stop.thread),
        "Samples": await session.sample("Loop.calls"),
        "LineCount": await session.count("Loop#add"),
        "Jvmti": session.jvmti,
        "LoadedClasses": session.classes,
        "LoadedClass": (await session.classes.all("Loop"))[0],
        "Shared": await jvmdebug.share(session),
        "OriginTracking": session.origins(),
        "ClassTransform": session.transform_classes("Loop*", lambda _: None),
    }


def arguments(function: Callable[..., Any], known: dict[str, Any]) -> dict[str, Any]:
    """What the function must be given, by the names of its parameters; a KeyError is a gap here."""
    found = {}
    for name, each in inspect.signature(function).parameters.items():
        if each.default is inspect.Parameter.empty and each.kind is not each.VAR_POSITIONAL:
            found[name] = known[name]
    return found


def known_arguments(made: dict[str, Any]) -> dict[str, Any]:
    spec = jvmdebug.MethodSpec("Loop", "add")
    return {
        "address": 0x10000,
        "at": "Loop#add",
        "before": made.get("HeapFile"),
        "breakpoint_": made["Breakpoint"],
        "by": "Loop",
        "carrier": made["ThreadHandle"],
        "code": 20,
        "condition": "true",
        "line": 1,
        "content": b"",
        "count": 4,
        "expression": "Loop.calls",
        "field": "Loop.calls",
        "flag": "gc",
        "group": "of the test",
        "hit_condition": "2",
        "item": 1,
        "key": 0,
        "library": "libnone.so",
        "location": None,
        "log_message": "{calls}",
        "mentions": [("numbers", 20)],
        "method": "Loop#add",
        "module": made.get("Module"),
        "name": "number",
        "named": "Loop",
        "near": "Loop",
        "number": 1,
        "obj": made["Variable"],
        "offset": 0,
        "on": False,
        "options": jvmdebug.BreakpointOptions(),
        "other": made.get("Module"),
        "package": "java.lang",
        "path": "none.jar",
        "prefix": "none_",
        "requests": [jvmdebug.BreakpointRequest(spec)],
        "service": "java.lang.Runnable",
        "source": "Loop.java",
        "source_path": "Loop.java",
        "spec": spec,
        "suspend": "all",
        "symbol": "none",
        "tag": 7,
        "target": "number",
        "text": "number",
        "thread": made["ThreadHandle"],
        "thread_group": made["ThreadHandle"],
        "to": made.get("Module"),
        "type_name": "Loop",
        "value": "1",
        "virtual": made["ThreadHandle"],
    }


async def outcome(made: dict[str, Any], call: tuple[str, str]) -> BaseException | None:
    """What the await raised that no user should see; None for a result or an error of ours."""
    method = getattr(made[call[0]], call[1])
    given = arguments(method, known_arguments(made))
    if call == ("Stop", "run_to"):
        given["spec"] = "Loop.java:1"
    if call == ("Session", "write_stdin"):
        given["text"] = "x"
    if call == ("SessionHeap", "dump"):
        given["path"] = os.devnull
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await method(**given)
    except jvmdebug.JvmDebugError:
        return None
    except Exception as error:  # noqa: BLE001 - reported with the others
        error.add_note(".".join(call))
        return error
    return None


@pytest.mark.parametrize("ending", ENDINGS)
async def test_all_awaits_under_way(jdk: Jdk, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    calls = [each for each in awaitables() if each not in ENDS_IT]
    program = debuggee("basics", "Loop")
    async with launched(program, jdk, "jvmdebug") as session:
        made = await targets(session, await stop_at(session, program, "locals"))
        assert session.pid is not None
        strike(monkeypatch, ending, session.pid)
        raised = await asyncio.gather(*(outcome(made, each) for each in calls))
        assert [each for each in raised if each is not None] == []
        async with asyncio.timeout(TIMEOUT_S):
            await session.wait()


@pytest.mark.slow
@pytest.mark.parametrize("ending", [*ENDINGS, "restarted"])
@pytest.mark.parametrize("call", awaitables(), ids=".".join)
async def test_each_await(
    jdk: Jdk,
    agent_kind: AgentKind,
    monkeypatch: pytest.MonkeyPatch,
    call: tuple[str, str],
    ending: str,
) -> None:
    if (call, ending) == (("Session", "wait"), "restarted"):
        pytest.skip("it waits for the new program then")
    program = debuggee("basics", "Loop")
    async with launched(program, jdk, agent_kind) as session:
        made = await targets(session, await stop_at(session, program, "locals"))
        if call[0] not in made:
            pytest.skip(f"only jvmdebug's own agent can give {call[0]}")
        assert session.pid is not None
        pid = session.pid
        if call == ("Session", "wait"):
            os.kill(pid, signal.SIGKILL)  # it asks the program nothing
        if ending == "restarted":
            async with asyncio.timeout(TIMEOUT_S):
                raised, _ = await asyncio.gather(
                    outcome(made, call), session.restart(), return_exceptions=True
                )
            assert raised is None
            return
        strike(monkeypatch, ending, pid)
        assert await outcome(made, call) is None
        if call == ("Session", "restart"):
            return
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)  # a call that asked the program nothing did not end it
        async with asyncio.timeout(TIMEOUT_S):
            await session.wait()
