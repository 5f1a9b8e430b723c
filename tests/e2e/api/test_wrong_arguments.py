# SPDX-License-Identifier: Apache-2.0
"""What names an object, threads that have ended, and wrong arguments: errors that say why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug import ArgumentError, JvmtiError, JvmtiErrorCode, StateError
from jvmdebug.heap import HeapError
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_thread_that_has_ended_is_said_to_have(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("ended", "Ended")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "alive")
        (worker,) = [each for each in await session.threads() if each.name == "worker"]
        await stop.frames(thread=worker)
        stop = await stop_at(session, program, "ended")
        asked: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda: stop.frames(thread=worker),
            worker.frames,
            worker.frame_count,
            worker.interrupt,
            worker.suspend,
        )
        for each in asked:
            with pytest.raises(StateError, match=r"^thread 'worker' has ended$"):
                await each()
        if agent_kind == "jvmdebug":
            with pytest.raises(JvmtiError, match="the thread has ended") as caught:
                await session.jvmti.get_thread_cpu_time(worker)
            assert caught.value.code is JvmtiErrorCode.THREAD_NOT_ALIVE


async def test_all_that_names_an_object(jdk: Jdk) -> None:
    program = debuggee("ended", "Ended")
    async with launched(program, jdk, "jvmdebug") as session:
        stop = await stop_at(session, program, "ended")
        variables = {each.name: each for each in await stop.frame.variables()}
        page = await session.heap.instances("Ended")
        assert (page[0], page[-1:], len(page)) == (page.objects[0], page.objects, 1)
        (ended,) = await session.classes.find("Ended")
        jvmti, made = session.jvmti, variables["made"]
        size = await jvmti.get_object_size(made)
        for each in (made.value, page[0]):
            assert await jvmti.get_object_size(each) == size  # type: ignore[arg-type]
            hashed = await jvmti.get_object_hash_code(each)  # type: ignore[arg-type]
            assert hashed == await jvmti.get_object_hash_code(made)
        for named in ("Ended.kept", stop.thread, ended, ended.type, variables["done"]):
            assert await jvmti.get_object_size(named) >= size
        referrers = await session.heap.referrers(variables["args"])
        for referrer in referrers:
            assert await jvmti.get_object_size(referrer) > 0
        assert len(await session.classes.class_file(ended)) > 100
        with pytest.raises(JvmtiError, match=r"Ended\.nothing is no object, or null"):
            await jvmti.get_object_size("Ended.nothing")
        with pytest.raises(HeapError, match=r"^Ended\.nothing is no object, or null$"):
            await session.heap.retained_size("Ended.nothing")


async def test_wrong_arguments(jdk: Jdk) -> None:
    program = debuggee("ended", "Ended")
    wrong: Any = "wrong"
    async with launched(program, jdk, "jvmdebug") as session:
        stop = await stop_at(session, program, "ended")
        jvmti, heap = session.jvmti, session.heap
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "flag is 'wrong': choose other, gc, class, jni": (
                lambda: jvmti.set_verbose_flag(wrong, on=True)
            ),
            "code is 'wrong': it must be": lambda: jvmti.get_error_name(wrong),
            "'wrong' is no thread": lambda: jvmti.get_thread_state(wrong),
            "5 names no object": lambda: jvmti.get_object_size(5),  # type: ignore[arg-type]
            "name is 5: it must be a string": lambda: jvmti.get_system_property(5),  # type: ignore[arg-type]
            "5 is no class": lambda: session.classes.class_file(5),  # type: ignore[arg-type]
            "clock is 'wrong': choose cpu, wall": lambda: session.profile(0.1, wrong),
            "at is 'wrong': choose safepoints, signals": lambda: session.profile(0.1, at=wrong),
            "frames is -1: it must be": lambda: session.thread_dump(frames=-1),
            "consistency is 'wrong': choose all": lambda: session.thread_dump(consistency=wrong),
            "start is -1: it must be": lambda: stop.frames(-1),
            "most is 0: it must be": lambda: heap.paths_to_roots("Ended.kept", 0),
            "limit is 0: it must be": lambda: heap.instances("Ended", limit=0),
            "stack is -1: it must be": lambda: session.trace("Ended#main", stack=-1).open(),
        }
        for said, ask in asked.items():
            with pytest.raises(ArgumentError, match=f"^{said}"):
                await ask()
        with pytest.raises(jvmdebug.UnsupportedError, match="Nope is none of ClassLoad, Compiled"):
            await jvmti.events("Nope").open()
