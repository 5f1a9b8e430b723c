# SPDX-License-Identifier: Apache-2.0
"""`session.jvmti` and `session.classes` on a real VM."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

_OURS = "needs our agent: see test_what_only_our_agent_can"


async def test_what_only_our_agent_can(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind != "stock":
        pytest.skip("it is what the other agent refuses")
    async with launched(debuggee("jvmti", "Busy"), jdk, agent_kind) as session:
        for call in (
            session.jvmti.get_phase(),
            session.jvmti.count_jni_calls(),
            session.jvmti.get_extension_events(),
            session.classes.find("java.lang.String"),
            session.jvmti.events("ClassLoad").open(),
        ):
            with pytest.raises(jvmdebug.UnsupportedError, match="jvmdebug's own agent"):
                await call


async def test_functions_classes_and_modules(
    jdk: Jdk, agent_kind: AgentInVm, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    program = debuggee("jvmti", "Busy")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "turn")
        await _check_vm(session, jdk)
        await _check_threads_and_objects(session, stop)
        await _check_extensions(session, jdk)
        await _check_classes(session, program.class_path[0], tmp_path, stop)
        await _check_modules(session)
        await _check_native(session, jdk)
        async with _stopped_again(session) as stop:
            assert await (await stop.frame.evaluate("half(8)")).as_text() == "4"


def _is_same(path: str, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


async def _check_vm(session: jvmdebug.Session, jdk: Jdk) -> None:
    jvmti = session.jvmti
    assert await jvmti.get_phase() is jvmdebug.JvmtiPhase.LIVE
    version = await jvmti.get_version_number()
    assert (version.major, str(version)) == (jdk.version, f"{jdk.version}.0.0")
    assert await jvmti.get_jlocation_format() == "bytecode index"
    assert await jvmti.get_available_processors() >= 1
    assert await jvmti.get_error_name(98) == "JVMTI_ERROR_NOT_AVAILABLE"
    with pytest.raises(jvmdebug.JvmtiError, match="no error is 12345"):
        await jvmti.get_error_name(12345)
    taken = await jvmti.get_capabilities()
    assert "can_tag_objects" in taken
    assert taken <= await jvmti.get_potential_capabilities()
    assert "can_generate_native_method_bind_events" not in taken
    properties = await jvmti.get_system_properties()
    assert properties["java.home"] == await jvmti.get_system_property("java.home")
    # Its lib: a tool may run the tests with a java of its own that starts this one.
    assert _is_same(f"{properties['java.home']}/lib", jdk.home / "lib")
    assert await jvmti.get_system_property("no.such.property") is None
    with pytest.raises(jvmdebug.UnsupportedError, match=r"start the program with\s+-Da\.b="):
        await jvmti.set_system_property("a.b", "c")
    await jvmti.set_verbose_flag("other", on=False)
    begin = await jvmti.get_time()
    assert await jvmti.get_time() > begin
    assert (await jvmti.get_timer_info()).kind == "elapsed"
    assert "CPU" in (await jvmti.get_thread_cpu_timer_info()).kind
    assert "CPU" in (await jvmti.get_current_thread_cpu_timer_info()).kind
    assert await jvmti.get_current_thread_cpu_time() > 0


async def _check_threads_and_objects(session: jvmdebug.Session, stop: jvmdebug.Stop) -> None:
    jvmti = session.jvmti
    threads = {each.name: each for each in await session.threads()}
    main = threads["main"]
    assert await jvmti.get_thread_cpu_time(main) > 0
    state = await jvmti.get_thread_state(main)
    assert jvmdebug.ThreadState.SUSPENDED in state
    assert str(state).startswith("alive runnable suspended")
    known = await jvmti.get_thread_info(main)
    assert (known.name, known.priority, known.is_daemon) == ("main", 5, False)
    assert known.context_class_loader is not None
    assert "AppClassLoader" in (await known.context_class_loader.type()).name
    assert known.group is not None
    group = await jvmti.get_thread_group_info(known.group)
    assert (group.name, group.max_priority) == ("main", 10)
    assert group.parent is not None
    top = await jvmti.get_thread_group_info(group.parent)
    assert (top.name, top.parent) == ("system", None)
    assert (await jvmti.get_thread_info(threads["Finalizer"])).is_daemon
    with pytest.raises(jvmdebug.JvmtiError, match="it is no thread group"):
        await jvmti.get_thread_group_info(main)  # HotSpot itself would end
    path, arguments = [
        next(each for each in await stop.frame.variables() if each.name == name)
        for name in ("path", "arguments")
    ]
    assert 8 < await jvmti.get_object_size(path) < 100
    assert await jvmti.get_object_hash_code(path) == await jvmti.get_object_hash_code(path)
    assert await jvmti.get_object_size(arguments) == 16
    total = await stop.frame.evaluate("sum")
    with pytest.raises(jvmdebug.JvmtiError, match="is no object"):
        await jvmti.get_object_size(total)


async def _check_extensions(session: jvmdebug.Session, jdk: Jdk) -> None:
    jvmti = session.jvmti
    functions = {each.id: each for each in await jvmti.get_extension_functions()}
    unloading = functions["com.sun.hotspot.functions.IsClassUnloadingEnabled"]
    assert [(each.kind, each.type) for each in unloading.parameters] == [("out", "jboolean")]
    assert unloading.description
    assert await jvmti.is_class_unloading_enabled() is True
    events = [each.id for each in await jvmti.get_extension_events()]
    assert "com.sun.hotspot.events.ClassUnload" in events
    main = next(each for each in await session.threads() if each.name == "main")
    if jdk.version >= 21:
        assert await jvmti.get_virtual_thread(main) is None
        with pytest.raises(jvmdebug.JvmtiError):
            await jvmti.get_carrier_thread(main)  # it is no virtual one
    else:
        with pytest.raises(jvmdebug.JvmtiError, match="from JDK 21 on"):
            await jvmti.get_virtual_thread(main)


async def _check_classes(
    session: jvmdebug.Session, folder: Path, tmp_path: Path, stop: jvmdebug.Stop
) -> None:
    classes = session.classes
    (busy,) = await classes.find("Busy")
    assert busy.location is not None
    assert _is_same(busy.location, folder)
    assert (busy.loader, busy.source_file, busy.is_modifiable) == ("app", "Busy.java", True)
    assert str(busy).endswith(f"by app, Java {busy.java_release}")
    (text,) = await classes.find("java.lang.String")
    assert (text.loader, text.location) == (None, "jrt:/java.base")
    (numbers,) = await classes.find("int[]")
    assert (numbers.version, numbers.is_modifiable) == (None, False)
    assert await classes.find("no.Such") == []
    file = await classes.class_file("Busy")  # with the constants in another order
    assert (file[:4], len(file)) == (b"\xca\xfe\xba\xbe", (folder / "Busy.class").stat().st_size)
    names = {
        pool.utf8(each.number)
        for pool in [await classes.constant_pool(busy.type)]
        for each in pool
        if each.tag == 1
    }
    assert {"half", "Busy.java"} <= names
    with pytest.raises(jvmdebug.SourceError, match=r"no class no\.Such is loaded"):
        await classes.class_file("no.Such")
    # Breakpoints survive agents that transform the class again.
    breakpoint_ = await session.break_at("Busy#half")
    await classes.retransform("Busy", "java.lang.String")
    await stop.resume()
    hit = await session.next_stop(timeout_s=20)
    assert hit is not None
    assert hit.frame.function == "Busy.half" or "half" in str(hit.frame.function)
    await session.remove(breakpoint_)
    await _check_search(session, tmp_path)
    with pytest.raises(jvmdebug.JvmtiError, match="UNMODIFIABLE_CLASS"):
        await classes.retransform("int[]")
    await hit.resume()


async def _check_search(session: jvmdebug.Session, tmp_path: Path) -> None:
    jar = tmp_path / "more.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.writestr("more.txt", "found")
    await session.classes.add_to_system_class_loader_search(jar)
    await session.classes.add_to_bootstrap_class_loader_search(jar)
    for add in (
        session.classes.add_to_system_class_loader_search,
        session.classes.add_to_bootstrap_class_loader_search,
    ):
        with pytest.raises(jvmdebug.JvmtiError, match="must be a jar on the program's machine"):
            await add(tmp_path / "none.jar")


async def _check_modules(session: jvmdebug.Session) -> None:
    classes = session.classes
    base = await classes.module_details("java.base")
    assert "java.util" in [each.package for each in base.exports if not each.to]
    assert base.reads == ()
    assert "java.nio.file.spi.FileSystemProvider" in base.uses
    logging = await classes.module_details("java.logging")
    assert "java.base" in logging.reads
    assert "jdk.internal.logger.DefaultLoggerFinder" in logging.provides
    with pytest.raises(jvmdebug.SourceError, match=r"no modules are named no\.such"):
        await classes.module_details("no.such")
    unnamed = await classes.module_of("Busy")
    assert await unnamed.name() is None
    assert await classes.get_named_module("java.util", "java.lang.String") == base.module
    assert await classes.get_named_module("no.such", "java.lang.String") is None
    assert await classes.is_modifiable_module(base.module)
    async with _stopped_again(session) as stop:

        async def holds(expression: str) -> bool:
            return await (await stop.frame.evaluate(expression)).as_text() == "true"

        mine, theirs = "Busy.class.getModule()", "Object.class.getModule()"
        exported = f'{theirs}.isExported("jdk.internal.misc", {mine})'
        # Java 11 opens the packages that Java 8 had to all classes.
        opened = f'{theirs}.isOpen("jdk.internal.ref", {mine})'
        assert [await holds(each) for each in (exported, opened)] == [False, False]
        await classes.add_module_exports(base.module, "jdk.internal.misc", unnamed)
        await classes.add_module_opens(base.module, "jdk.internal.ref", unnamed)
        assert [await holds(each) for each in (exported, opened)] == [True, True]
        # Of java.base the VM adds it, once an agent has changed one of its classes.
        reads = f'ModuleLayer.boot().findModule("java.logging").get().canRead({mine})'
        assert not await holds(reads)
        await classes.add_module_reads(logging.module, unnamed)
        assert await holds(reads)
        await classes.add_module_uses(base.module, "java.lang.Runnable")
        assert await holds(f"{theirs}.canUse(Runnable.class)")
        await classes.add_module_provides(base.module, "java.lang.Runnable", "java.lang.Thread")
        with pytest.raises(jvmdebug.JvmtiError, match=r"no package no\.such"):
            await classes.add_module_exports(base.module, "no.such", unnamed)


@contextlib.asynccontextmanager
async def _stopped_again(session: jvmdebug.Session) -> AsyncIterator[jvmdebug.Stop]:
    """Stops at the next turn of the loop."""
    stop = await stop_at(session, debuggee("jvmti", "Busy"), "turn")
    yield stop
    await stop.resume()


async def _check_native(session: jvmdebug.Session, jdk: Jdk) -> None:
    jvmti = session.jvmti
    await jvmti.count_jni_calls()
    async with _stopped_again(session):
        pass
    async with _stopped_again(session):  # between the two it has read a file
        counts = await jvmti.jni_calls()
    assert counts
    assert sum((await jvmti.stop_counting_jni_calls()).values()) >= sum(counts.values())
    final = await jvmti.jni_calls()
    async with _stopped_again(session):
        assert await jvmti.jni_calls() == final
    library = next((jdk.home / "lib").glob("**/libjava.so"))
    free, total = "Runtime.getRuntime().freeMemory()", "Runtime.getRuntime().totalMemory()"
    async with _stopped_again(session) as stop:

        async def same() -> str:
            return await (await stop.frame.evaluate(f"{free} == {total}")).as_text()

        method = "java.lang.Runtime#freeMemory()"
        assert await same() == "false"
        done = await jvmti.redirect_native(
            method, str(library), "Java_java_lang_Runtime_totalMemory"
        )
        assert done.can_be_undone
        assert await same() == "true"
        await jvmti.restore_native(method)
        assert await same() == "false"
        with pytest.raises(jvmdebug.JvmtiError, match="was not redirected"):
            await jvmti.restore_native(method)
        with pytest.raises(jvmdebug.JvmtiError, match="has no function nothing"):
            await jvmti.redirect_native(method, str(library), "nothing")
        with pytest.raises(jvmdebug.JvmtiError, match="native ones are"):
            await jvmti.redirect_native("java.lang.Runtime#gone()", str(library), "x")
    await _check_prefix(session)


async def _check_prefix(session: jvmdebug.Session) -> None:
    jvmti = session.jvmti
    with tempfile.NamedTemporaryFile(suffix=".so") as library:
        code = b"long long Java_Busy_answer(void* env, void* type) { return 42; }"
        command = ["cc", "-shared", "-fPIC", "-o", library.name, "-x", "c", "-"]
        await asyncio.to_thread(subprocess.run, command, input=code, check=True, timeout=30)
        async with _stopped_again(session) as stop:
            await stop.frame.evaluate(f'System.load("{library.name}")')
            with pytest.raises(jvmdebug.EvaluationError, match="UnsatisfiedLinkError"):
                await stop.frame.evaluate("Busy.answer()")
            await jvmti.set_native_method_prefixes("other_", "wrapped_")
            assert await (await stop.frame.evaluate("Busy.answer()")).as_text() == "42"
            await jvmti.set_native_method_prefix(None)


async def test_events(jdk: Jdk, agent_kind: AgentInVm) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    program = debuggee("jvmti", "Busy")
    async with launched(program, jdk, agent_kind) as session:
        await stop_at(session, program, "turn")
        names = ("DynamicCodeGenerated", "CompiledMethodLoad", "GarbageCollectionFinish")
        events = session.jvmti.events(*names, with_present=True, limit=1000)
        async with events, asyncio.timeout(40):
            with pytest.raises(jvmdebug.StateError, match="one observation of these at a time"):
                await session.jvmti.events("ClassLoad").open()
            for each in session.current_stops:
                await each.resume()
            await session.heap.collect()
            seen: set[str] = set()
            while not {"Busy.work", "GarbageCollectionFinish", "DynamicCodeGenerated"} <= seen:
                event = await events.next()
                assert event is not None
                seen |= {event.name, f"{event.class_name}.{event.method}"}
                if event.method == "work" and "Busy.half" in event.inlined:
                    assert event.address
                    assert event.size
                    assert str(event).startswith("CompiledMethodLoad Busy.work(I)I at 0x")
        # The next ones, few of which are kept.
        async with session.jvmti.events(
            "DynamicCodeGenerated", with_present=True, capacity=5
        ) as few:
            assert len(await _all_of(few)) == 5
            assert few.missed > 0
        for wrong in ("NoSuchEvent", "com.sun.hotspot.functions.IsClassUnloadingEnabled"):
            with pytest.raises(jvmdebug.UnsupportedError, match=f"{wrong} is none of ClassLoad, "):
                await session.jvmti.events(wrong).open()
        unload = "com.sun.hotspot.events.ClassUnload"
        rare = session.jvmti.events(unload, "DataDumpRequest", "NativeMethodBind")
        async with rare, asyncio.timeout(40):
            assert session.pid is not None
            os.kill(session.pid, signal.SIGQUIT)
            while (event := await rare.next()) is not None and event.name != "DataDumpRequest":
                pass
            async with _stopped_again(session) as stop:
                await stop.frame.evaluate("new java.util.zip.Adler32().update(1)")
            bound = ("NativeMethodBind", "java.util.zip.Adler32")
            while (event := await rare.next()) and (event.name, event.class_name) != bound:
                pass
            assert event is not None
        taken = await session.jvmti.get_capabilities()
        assert "can_generate_compiled_method_load_events" not in taken


async def _all_of(events: jvmdebug.JvmtiEvents) -> list[jvmdebug.JvmtiEvent]:
    found = []
    async with asyncio.timeout(20):
        while not events.missed:
            event = await events.next()
            assert event is not None
            found.append(event)
    await events.close()
    return found + events.take()


async def test_what_a_read_only_session_refuses(jdk: Jdk, agent_kind: AgentInVm) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    program = debuggee("jvmti", "Busy")
    async with launched(program, jdk, agent_kind) as session:
        session.forbid_changes()
        assert await session.jvmti.get_phase() is jvmdebug.JvmtiPhase.LIVE
        base = await session.classes.module("java.base")
        for call in (
            session.jvmti.set_verbose_flag("gc", on=True),
            session.classes.add_module_reads(base, base),
            session.classes.retransform("java.lang.String"),
            session.jvmti.redirect_native("java.lang.Runtime#freeMemory()", "x", "y"),
        ):
            with pytest.raises(jvmdebug.ReadOnlyError, match="read-only"):
                await call


async def test_xcheck_jni_finds_nothing(jdk: Jdk, agent_kind: AgentInVm) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    program = debuggee("jvmti", "Busy")
    said: list[str] = []
    async with launched(program, jdk, agent_kind, vm_args=["-Xcheck:jni"]) as session:
        session.subscribe(
            lambda event: said.append(event.text) if isinstance(event, jvmdebug.Output) else None
        )
        jvmti = session.jvmti
        await stop_at(session, program, "turn")
        await jvmti.count_jni_calls()
        async with jvmti.events(
            *("ClassLoad", "CompiledMethodLoad", "DynamicCodeGenerated", "NativeMethodBind"),
            *("VMObjectAlloc", "ResourceExhausted", "GarbageCollectionStart"),
            with_present=True,
        ) as events:
            for each in session.current_stops:
                await each.resume()
            await session.heap.collect()
            assert await events.next(20) is not None
            assert await session.classes.find("Busy")
            await session.classes.retransform("Busy")
            async with _stopped_again(session):
                pass
            async with _stopped_again(session):  # between the two it has read a file
                assert await jvmti.jni_calls()
        await jvmti.stop_counting_jni_calls()
        assert await jvmti.get_thread_state((await session.threads())[0])
    # JVM TI gives all loaded classes as local references: of those JDK 17 warns.
    lines = [line for each in said for line in each.splitlines() if "exceeds capacity" not in line]
    assert [line for line in lines if "WARNING" in line or "FATAL" in line] == []
