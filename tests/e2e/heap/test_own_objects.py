# SPDX-License-Identifier: Apache-2.0
"""What the debugger keeps in the program's heap: there while it is needed, and not counted as the
program's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jvmdebug
    from jvmdebug.heap import ClassUsage
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_RING = "java.lang.JvmdebugProbeLog"
_MOST_LEFT = 1_000_000
"""Bytes: what loading a few classes leaves in a heap."""
_LEAST_OF_RING = 5_000_000


def _by_name(usages: list[ClassUsage]) -> Mapping[str, ClassUsage]:
    return {each.type_name: each for each in usages}


async def _bytes(session: jvmdebug.Session, *, with_debugger: bool) -> int:
    usages = await session.heap.histogram(with_debugger=with_debugger)
    return sum(each.shallow_size for each in usages)


async def test_observations_leave_nothing_in_the_heap(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_live")
    program = debuggee("observed", "Observed")
    async with launched(program, jdk, agent_kind, args=["spin"]) as session:
        await session.start()
        await session.heap.collect()
        before = await _bytes(session, with_debugger=True)
        for _ in range(2):
            assert await session.trace("Observed#tick", limit=2).collect()
            # Not even until the VM has collected it.
            assert await _bytes(session, with_debugger=False) - before < _LEAST_OF_RING
        await session.profile(0.1)
        await session.profile(0.1)
        await session.heap.collect()
        after = await session.heap.histogram(with_debugger=True)
    assert _RING not in _by_name(after)
    assert sum(each.shallow_size for each in after) - before < _MOST_LEFT


async def test_what_a_trace_keeps_is_shown_when_asked_for(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_live")
    program = debuggee("observed", "Observed")
    async with launched(program, jdk, agent_kind, args=["spin"]) as session:
        await session.start()
        async with session.trace("Observed#tick") as trace:
            assert await trace.next(timeout_s=20)
            hidden, shown = [
                _by_name(await session.heap.histogram(with_debugger=each)) for each in (False, True)
            ]
            assert _RING not in hidden
            assert shown[_RING].instances == 1
            arrays = "long[]"
            more = shown[arrays].shallow_size - hidden[arrays].shallow_size
            assert more > _LEAST_OF_RING // 2
            for with_debugger in (False, True):
                snapshot = await session.heap.snapshot(with_debugger=with_debugger)
                assert bool(snapshot.instances(_RING)) is with_debugger
                longest = max(each.shallow_size for each in snapshot.instances(arrays, most=1000))
                assert (longest > _LEAST_OF_RING // 4) is with_debugger
            # Those of a trace are held by a check in the JDK's own classes.
            live = await session.heap.instances("java.util.concurrent.atomic.AtomicLong")
            found = (await session.heap.snapshot()).instances(live.type_name, most=1000)
            assert live.total == len(found)
