# SPDX-License-Identifier: Apache-2.0
"""The agent in a process that may not make the system calls which read another's memory.

Containers and sandboxes filter system calls: some have the call fail, some kill the process. Either
way the debugger works, and what the agent reads of the VM is read all the same.
"""

from __future__ import annotations

import asyncio
import subprocess
from typing import TYPE_CHECKING, Literal

import pytest

import jvmdebug
from tests.support import process, seccomp
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

FILTERED = tuple(seccomp.CALLS)


@pytest.mark.parametrize(("action", "code"), [("kill", -31), ("refuse", 1)])
async def test_the_filter_filters(action: Literal["kill", "refuse"], code: int) -> None:
    """The other test can fail only if it does."""
    reading = (
        "import ctypes, os\n"
        "words = (ctypes.c_long * 2)()\n"
        "place = ctypes.addressof(words)\n"
        "vector = (ctypes.c_ulong * 2)(place, 8)\n"
        "read = ctypes.CDLL(None).process_vm_readv(os.getpid(), vector, 1, vector, 1, 0)\n"
        "raise SystemExit(0 if read == 8 else 1)\n"
    )
    command = [*seccomp.under_filter(action, *FILTERED), "python3", "-c", reading]
    environment = {"PATH": "/usr/bin:/bin", **seccomp.environment()}
    done = await asyncio.to_thread(
        subprocess.run, command, env=environment, timeout=60, check=False
    )
    assert done.returncode == code


@pytest.mark.parametrize("action", ["kill", "refuse"])
async def test_a_filter_of_system_calls(jdk: Jdk, action: Literal["kill", "refuse"]) -> None:
    """A plain breakpoint in a class with a probe, where records of breakpoints are looked for."""
    program = compiled("chained", "Leftover", jdk)
    written: list[str] = []
    async with jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.home,
        launcher=seccomp.under_filter(action, *FILTERED),
        env=seccomp.environment(),
        mode="fast",
        on_output=lambda piece: written.append(piece.text),
        **process.launch_options("jvmdebug"),
    ) as session:
        at = {each: f"Leftover.java:{program.marker(each)}" for each in ("other", "next", "freed")}
        other = await session.break_at(at["other"], condition="i == 99")
        freed = await session.break_at(at["freed"])
        stop = await next_stop(session)
        assert stop.breakpoints == (freed,)
        assert other.locations[0].how == "probe", other.locations[0].why_event
        held = await session.break_at(at["next"])
        assert held.locations[0].how == "event"
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (held,)
        await stop.step_over()
        await (await next_stop(session)).resume()
        assert await session.wait() == 0, written
    assert "sum 24" in "".join(written)
