# SPDX-License-Identifier: Apache-2.0
"""`session.heap`: the heap of a program that runs, through our agent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.heap import HeapError
from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler
from tests.support.libraries import heap_reader, maven
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

_HERE = Path(__file__).parent
_HIDDEN_CLASSES_SINCE = 15


@contextlib.asynccontextmanager
async def _stopped(
    jdk: Jdk, agent_kind: AgentInVm
) -> AsyncIterator[tuple[jvmdebug.Session, jvmdebug.Stop]]:
    program = debuggee("heap", "Leak")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx64m"]) as session:
        yield session, await stop_at(session, program, "waiting")


async def test_what_only_our_agent_can(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind != "stock":
        pytest.skip("it is what the other agent refuses")
    async with _stopped(jdk, agent_kind) as (session, _):
        with pytest.raises(jvmdebug.UnsupportedError, match="jvmdebug's own agent"):
            await session.heap.histogram()


async def test_the_heap_of_a_stopped_program(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    async with _stopped(jdk, agent_kind) as (session, stop):
        heap = session.heap
        counted = {each.type_name: each for each in await heap.histogram()}
        assert counted["Leak$Session"].instances == 100
        await _check_paths(session, stop)
        await _check_snapshot(session, stop)
        await _check_dumps(session, tmp_path)
        # All goes on as before.
        assert await (await stop.frame.evaluate("held.payload.length")).as_text() == "1000"


@pytest.mark.parametrize("reads", [True, False])
async def test_names_of_objects_are_addresses_only_if_the_vm_is_read(
    jdk: Jdk, agent_kind: AgentKind, *, reads: bool
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    program = debuggee("heap", "Leak")
    env = {} if reads else {"_JAVA_JDWP_OPTIONS": "vmreads=n"}
    options = ["-Xmx64m", "-XX:HeapBaseMinAddress=3g"]
    async with launched(program, jdk, agent_kind, vm_args=options, env=env) as session:
        await stop_at(session, program, "waiting")
        found = (await session.heap.snapshot()).instances("Leak$Session", most=1000)
    assert len(found) == 101
    assert {each.id >= 3 << 30 for each in found} == {reads}


async def test_the_histogram_is_the_vms_own(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    log = tmp_path / "safepoints"
    program = debuggee("heap", "Leak")
    options = ["-Xmx64m", f"-Xlog:safepoint=info:file={log}"]
    async with launched(program, jdk, agent_kind, vm_args=options) as session:
        await stop_at(session, program, "waiting")
        await session.heap.collect()
        counted = {each.type_name: each for each in await session.heap.histogram()}
        alive = {each.type_name: each for each in (await session.heap.snapshot()).histogram()}
    assert "GC_HeapInspection" in log.read_text()
    # Hidden classes too, which the VM and JVM TI name differently (before them with other numbers).
    unknown = {name for name in alive.keys() - counted.keys() if "/" not in name}
    assert not unknown
    lambdas = [name for name in alive if name.startswith("Leak$$Lambda")]
    assert lambdas
    assert jdk.version < _HIDDEN_CLASSES_SINCE or set(lambdas) <= counted.keys()
    for name in ("Leak$Session", "Leak$Cache", "java.lang.Object[]", "int[]"):
        assert 0 < alive[name].instances <= counted[name].instances
        assert alive[name].shallow_size <= counted[name].shallow_size


async def _check_paths(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    heap = session.heap
    held = next(each for each in await stop.frame.variables() if each.name == "held")
    (path,) = await heap.paths_to_roots(held)
    assert path.root == "local variable"
    assert path.place is not None
    assert (path.place.thread, path.place.depth, path.place.slot) == ("holder", 0, 1)
    assert path.place.method.startswith("Leak.hold(Leak.java:")
    assert 8_000 < await heap.retained_size(held) < 8_100
    (path,) = await heap.paths_to_roots("Leak.CACHE.entries", 1)
    assert [each.via for each in path.steps] == [".CACHE", ".entries", ""]
    assert await heap.retained_size("Leak.CACHE") > 1_000_000
    with pytest.raises(HeapError, match="is no object"):
        await heap.paths_to_roots("Leak.DUPLICATES.length")


async def _check_snapshot(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    before = await session.heap.snapshot()
    assert before.retained_size("Leak$Session") > 1_000_000
    (admin,) = before.instances("Leak$AdminSession")
    (path,) = before.paths_to_roots(admin, 1)
    assert [each.via for each in path.steps][-3:] == [".elementData", "[100]", ""]
    await stop.frame.evaluate("weak = new java.lang.ref.WeakReference(new Leak.Held())")
    await session.heap.collect()
    changes = {each.type_name: each for each in await session.heap.diff(before)}
    assert "Leak$Session" not in changes
    whole = await session.heap.snapshot(contents=True)
    assert whole.duplicate_strings(1)[0].text == "planted twin ü"


async def _check_dumps(session: jvmdebug.Session, folder: Path) -> None:
    heap = session.heap
    told: list[tuple[int, int]] = []
    dump = await heap.dump(
        folder / "whole.hprof", progress=lambda objects, size: told.append((objects, size))
    )
    assert dump.size == dump.path.stat().st_size == told[-1][1]
    found = jvmdebug.heap.open(dump.path)
    assert found.duplicate_strings(1)[0].count in (500, 501)
    assert len(found.instances("Leak$Session", most=1000)) == 101
    redacted = await heap.dump(folder / "redacted.hprof", redact=True)
    content = redacted.path.read_bytes()
    assert b"planted twin" in dump.path.read_bytes()
    assert b"planted twin" not in content
    assert len(content) == pytest.approx(dump.size, rel=0.05)

    def enough(_objects: int, _size: int) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await heap.dump(folder / "cancelled.hprof", progress=enough)
    with pytest.raises(HeapError, match="cannot write"):
        await heap.dump(folder / "none" / "a.hprof")
    asked = asyncio.ensure_future(heap.dump(folder / "cancelled.hprof"))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert sorted(os.listdir(folder)) == ["redacted.hprof", "whole.hprof"]  # noqa: PTH208


@pytest.mark.network
async def test_visualvm_reads_our_dump(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent: see test_what_only_our_agent_can")
    if maven() is None:
        pytest.skip("Maven is missing: it fetches the reader")
    async with _stopped(jdk, agent_kind) as (session, _):
        dump = await session.heap.dump(tmp_path / "a.hprof")
    class_path = ":".join(map(str, heap_reader()))
    java = newest_compiler().java
    command = [str(java), "-cp", class_path, str(_HERE / "ReadDump.java"), str(dump.path)]
    ran = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False, timeout=50
    )
    assert ran.stdout.splitlines() == [
        "sessions 100",
        "superclass Leak$Session",
        "user root",
        "buffer 10000",
        "cache Leak$Cache",
        "entries java.util.HashMap",
        "size 1",
        "root Java frame",
        "nearest java.lang.Object[]",
        "roots true",
    ], ran.stderr
