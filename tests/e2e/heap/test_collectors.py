# SPDX-License-Identifier: Apache-2.0
"""The heap under every collector and layout of objects: what is read of HotSpot beside its tags is
right there, or left alone.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

LAYOUTS = {
    "serial": ("-XX:+UseSerialGC",),
    "parallel": ("-XX:+UseParallelGC",),
    "g1": ("-XX:+UseG1GC",),
    "z": ("-XX:+UseZGC",),
    "shenandoah": ("-XX:+UseShenandoahGC",),
    "wide-references": ("-XX:+UseG1GC", "-XX:-UseCompressedOops"),
    "wide-classes": ("-XX:+UseSerialGC", "-XX:-UseCompressedClassPointers"),
    "compact-headers": ("-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"),
}


def _starts(jdk: Jdk, options: tuple[str, ...]) -> bool:
    command = [str(jdk.java), *options, "-Xmx128m", "-version"]
    return not subprocess.run(command, capture_output=True, check=False, timeout=50).returncode


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
async def test_a_heap_is_read_right(
    layout: str, jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip("a snapshot needs our agent")
    options = LAYOUTS[layout]
    if not _starts(jdk, options):
        pytest.skip(f"this JVM has no {' '.join(options)}")
    program = debuggee("heap", "Leak")
    vm_args = [*options, "-Xmx128m"]
    async with launched(program, jdk, agent_kind, vm_args=vm_args) as session:
        await stop_at(session, program, "waiting")
        for _ in range(3):  # objects have moved between
            await session.heap.collect()
            heap = await session.heap.snapshot(contents=True)
            (admin,) = heap.instances("Leak$AdminSession")
            (path,) = heap.paths_to_roots(admin, 1)
            assert [each.via for each in path.steps][-3:] == [".elementData", "[100]", ""]
            assert heap.duplicate_strings(1)[0].count in (500, 501)
            assert heap.retained_size("Leak$Session") > 1_000_000
            page = await session.heap.instances("Leak$Session", where="buffer.length == 10000")
            assert (page.total, len(page)) == (101, 100)
        async with session.gc_events() as events, session.allocations(every=0) as allocations:
            mark = await session.heap.mark("Leak.CACHE")
            await session.heap.collect()
            assert (await allocations.profile()).left_out == 0
            assert not mark.is_collected
            assert events.missed == 0
        dump = await session.heap.dump(tmp_path / "whole.hprof")
        assert len(jvmdebug.heap.open(dump.path).instances("Leak$Session", most=1000)) == 101
