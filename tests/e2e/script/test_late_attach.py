# SPDX-License-Identifier: Apache-2.0
"""A program that was started without any flag: the agent is loaded into it, and ends again."""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import subprocess
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

import jvmdebug
from tests.support.bare_program import NOBODY, bare_program, contained_program, why_no_container
from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_FIRST_WITH_ZGC = 15

Start: TypeAlias = "Callable[..., Awaitable[BareProgram]]"


@pytest.fixture
async def start(jdk: Jdk) -> AsyncIterator[Start]:
    """Starts `Spin` with some options for the VM, and waits until it runs."""
    async with AsyncExitStack() as stack:

        async def begin(*options: str) -> BareProgram:
            return await stack.enter_async_context(bare_program(jdk, *options))

        yield begin


async def test_a_program_without_an_agent_is_attached_to(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        assert session.mode == "late"
        own = jvmdebug.local_jvm(program.pid)
        assert own is not None
        assert own.agent is not None
        assert (own.agent.is_late, own.agent.is_listening) == (True, True)
        snapshot = await session.snapshot(frames=50)
        main = snapshot.thread("main")
        assert "Spin.main" in str(main.frames[-1].at)
        assert snapshot.monitors_unknown is None
        stop = await session.suspend()  # and with it what would answer in the VM
        suspended = await session.snapshot()
        assert suspended.monitors_unknown is not None
        assert "loaded into a program that ran already" in suspended.monitors_unknown
        await stop.resume()
        first = await session.evaluate("Spin.rounds")
        samples = await session.sample("Spin.rounds", every=0.05, limit=100).collect()
        assert any(each.value is not None and each.value.value != first.value for each in samples)
        (swapped,) = await session.redefine(
            str(debuggee("script", "Spin").class_path[0] / "Spin.class"), changed_only=False
        )
        assert swapped.outcome is jvmdebug.Outcome.REDEFINED
        with pytest.raises(jvmdebug.UnsupportedError, match=r"calling a method .* ran already"):
            await session.evaluate("Spin.round()")
        with pytest.raises(jvmdebug.EvaluationError, match="names no class that is loaded"):
            await session.evaluate("nothing.Here.at")
        # A second debugger is told who is there.
        with pytest.raises(jvmdebug.LaunchError, match="is being debugged by process"):
            await jvmdebug.open_attach(pid=program.pid)


async def test_what_such_an_agent_has_not_is_said(start: Start) -> None:
    program = await start()
    reason = "loaded into a program that ran already"
    async with jvmdebug.attach(pid=program.pid) as session:
        with pytest.raises(jvmdebug.UnsupportedError, match=f"a field is read .*{reason}"):
            await session.watch("Spin.rounds", read=True)
        stop = await session.suspend()
        with pytest.raises(jvmdebug.UnsupportedError, match=f"variables of a frame.*{reason}"):
            await (await stop.frames())[-1].locals()
        with pytest.raises(jvmdebug.UnsupportedError, match=f"a step.*{reason}"):
            await stop.step_over()


async def test_what_jvm_ti_has_beyond_the_wire(start: Start) -> None:
    # Each command of the set Jvmti does what it does elsewhere, or says why not.
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        jvmti = session.jvmti
        assert await jvmti.get_phase() is jvmdebug.JvmtiPhase.LIVE
        await jvmti.set_verbose_flag("gc", on=False)
        assert await jvmti.get_extension_functions()
        async with jvmti.events("GarbageCollectionFinish", "ResourceExhausted") as events:
            await session.heap.collect()
            assert (await anext(events)).name == "GarbageCollectionFinish"
        none = "MonitorContendedEnter is .* behind session.contention"
        with pytest.raises(jvmdebug.UnsupportedError, match=none):
            await jvmti.events("MonitorContendedEnter").open()
        await jvmti.set_native_method_prefix("wrapped_")
        await jvmti.set_native_method_prefix(None)
        await jvmti.count_jni_calls()
        assert isinstance(await jvmti.stop_counting_jni_calls(), dict)
        with pytest.raises(jvmdebug.JvmtiError, match="cannot open shared object file"):
            await jvmti.redirect_native("java.lang.Object#hashCode()", "/no/such.so", "any")
        (found,) = await session.classes.find("Spin")
        assert found.location is not None


def _is_served(pid: int) -> bool:
    own = jvmdebug.local_jvm(pid)
    return own is not None and own.agent is not None and own.agent.is_listening


def _wait_for_the_end(program: BareProgram, threads: int) -> None:
    until = time.monotonic() + 20
    while len(program.threads()) > threads or _is_served(program.pid):
        assert time.monotonic() < until, f"{threads} threads before, now {program.threads()}"
        time.sleep(0.01)


def _files_of(pid: int) -> list[Path]:
    return list(Path("/tmp").glob(f".jvmdebug-{pid}-*"))


async def test_nothing_is_left_and_it_is_attached_to_again(start: Start) -> None:
    program = await start("-XX:+StartAttachListener", "-XX:+UseSerialGC", "-Xint")
    before, files = len(program.threads()), _files_of(program.pid)  # of one killed with this id
    for _ in range(20):
        async with jvmdebug.attach(pid=program.pid) as session:
            await session.snapshot()
    await asyncio.to_thread(_wait_for_the_end, program, before)
    assert _files_of(program.pid) == files
    assert program.running.returncode is None


def _wait_for_the_vm(pid: int) -> None:
    until = time.monotonic() + 20
    while "libjvm.so" not in Path(f"/proc/{pid}/maps").read_text():
        assert time.monotonic() < until
        time.sleep(0.001)


def _starts(jdk: Jdk, *options: str) -> bool:
    ran = subprocess.run([jdk.java, *options, "-version"], capture_output=True, check=False)
    return ran.returncode == 0


async def test_a_vm_that_still_starts_is_waited_for(jdk: Jdk) -> None:
    # HotSpot answers those who attach some time before it takes agents.
    options = ["-XX:+UseZGC", "-Xmx128m"]
    if jdk.version < _FIRST_WITH_ZGC:
        options.insert(0, "-XX:+UnlockExperimentalVMOptions")
    if not _starts(jdk, *options):
        pytest.skip("this VM has no ZGC, which makes its start long")
    for _ in range(4):
        async with bare_program(jdk, *options, is_awaited=False) as program:
            await asyncio.to_thread(_wait_for_the_vm, program.pid)
            address = await jvmdebug.load_agent(program.pid)
            async with jvmdebug.attach(address) as session:
                assert session.mode == "late"


async def test_in_a_container_of_another_user(jdk: Jdk) -> None:
    if reason := why_no_container():
        pytest.skip(reason)
    async with contained_program(jdk) as program:
        found = jvmdebug.local_jvm(program.pid)
        assert found is not None
        assert (found.program, found.user) == ("Spin", pwd.getpwuid(NOBODY).pw_name)
        assert found.container
        own_tmp = Path(f"/proc/{program.pid}/root/tmp")
        threads = len(program.threads())
        for _ in range(2):
            async with jvmdebug.attach(pid=program.pid) as session:
                assert (await session.evaluate("Spin.rounds")).value
                assert any(each.type_name == "byte[]" for each in await session.heap.histogram())
        # HotSpot's attach listener is left, and a thread of it.
        await asyncio.to_thread(_wait_for_the_end, program, threads + 1)
        assert not [each for each in os.listdir(own_tmp) if "jvmdebug" in each]  # noqa: PTH208


async def test_where_no_library_can_be_loaded_from_tmp(jdk: Jdk) -> None:
    if reason := why_no_container():
        pytest.skip(reason)
    async with contained_program(jdk, noexec=True) as program:
        threads = len(program.threads())
        async with jvmdebug.attach(pid=program.pid) as session:
            assert session.mode == "late"
        # HotSpot's attach listener is left, and a thread of it.
        await asyncio.to_thread(_wait_for_the_end, program, threads + 1)
        root = Path(f"/proc/{program.pid}/root")
        left = [
            each for place in ("tmp", "var/tmp", "dev/shm") for each in (root / place).iterdir()
        ]
        assert not [each for each in left if "jvmdebug" in each.name]


async def test_over_tcp(start: Start) -> None:
    program = await start()
    address = await jvmdebug.load_agent(program.pid, "127.0.0.1:0")
    host, _, port = address.rpartition(":")
    async with jvmdebug.attach(host, int(port)) as session:
        assert session.mode == "late"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("-XX:+DisableAttachMechanism", "-XX:.DisableAttachMechanism; start it without"),
        ("-XX:-EnableDynamicAgentLoading", "-XX:-EnableDynamicAgentLoading; start it without"),
    ],
)
async def test_why_it_cannot_be_loaded(start: Start, option: str, message: str) -> None:
    program = await start(option)
    with pytest.raises(jvmdebug.LaunchError, match=message):
        await jvmdebug.open_attach(pid=program.pid)
    assert program.running.returncode is None


async def test_at_the_command_line(start: Start) -> None:
    program = await start("-Xrs")  # its attach listener needs no signal
    asking = await asyncio.create_subprocess_exec(
        str(JVMDEBUG), "threads", str(program.pid), "--json", stdout=asyncio.subprocess.PIPE
    )
    output, _ = await asyncio.wait_for(asking.communicate(), 50)
    assert asking.returncode == 0
    assert "main" in [each["name"] for each in json.loads(output)["threads"]]
