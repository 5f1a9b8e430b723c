# SPDX-License-Identifier: Apache-2.0
"""The prompt after the end of the program: it is run again, and what is set is for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_program_is_run_again(jdk: Jdk) -> None:
    """What would not be there a second time is not asked for; threads that are held say so."""
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "basics", "Loop")) as shell:
        shell.type("break Loop#nothing")
        shell.type("break Loop#factorial if n == 3")
        shell.type("run")
        await shell.see(r"^Breakpoint 1: Loop#nothing -> not set, Loop has no method nothing$")
        await shell.see(r"^Breakpoint 2, Loop\.factorial")
        shell.type("threads")
        await shell.see(r"^\* 1 +main +stopped +Loop\.factorial")
        shell.type("until 9999")
        await shell.see(r"^error: cannot run to Loop\.java:9999: Loop\.java has no line 9999$")
        shell.type("down")
        await shell.see(r"^this is the topmost frame$")
        shell.type("run")
        await shell.see(r"has been started already; `continue` resumes it, `kill` and then `run`")
        shell.type("kill")
        await shell.see(r"^The program has ended with exit code \d+")
        shell.type("locals")
        await shell.see(r"^the program has ended; `run` starts it again$")
        shell.type("run")
        await shell.see(
            r"^Process \d+, held before its first instruction, with jvmdebug's agent\.$"
        )
        await shell.see(r"^Breakpoint 2, Loop\.factorial")
        shell.type("disable 1 2")
        shell.type("breakpoints")
        await shell.see(r"^2 +Loop#factorial +1 +disabled$")
        shell.type("break Loop#square")
        await shell.see(r"^Breakpoint 3: Loop#square -> Loop\.square")
        shell.type("continue")
        await shell.see(r"^summing 30 120$")
        await shell.see(r"The program has ended with exit code 0")
        shell.type("threads")
        await shell.see(r"^the program has ended; `run` starts it again$")
        shell.type("tbreak Loop#square")
        await shell.see(r"^Process \d+, held before its first instruction")
        await shell.see(r"^Breakpoint 4: Loop#square -> pending")
        shell.type("run")
        await shell.see(r"^Breakpoint 3, Breakpoint 4, Loop\.square")
        shell.type("quit")
        await shell.end()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("break Loop#square", "^Breakpoint 1: Loop#square -> pending"),
        ("log Loop#square squared", "^Breakpoint 1: Loop#square -> pending"),
        ("watch Loop.total", "^Breakpoint 1: Loop.total write -> pending"),
        ("catch", "^Breakpoint 1: java.lang.Throwable ->"),
        ("catch none", "^An exception that nothing catches does not stop the program"),
    ],
)
async def test_what_is_set_after_the_end_is_for_the_next_start(typed: str, answer: str) -> None:
    program = debuggee("basics", "Loop")
    async with jvmdebug_command("launch", "Loop", "-cp", program.class_path[0]) as shell:
        shell.type("run")
        await shell.see(r"^The program has ended with exit code 0")
        shell.type(typed)
        await shell.see(r"^Process \d+, held before its first instruction")
        await shell.see(answer)
        shell.type("delete all")
        shell.type("run")
        await shell.see(r"^The program has ended with exit code 0")
        shell.type("quit")
        await shell.end()


async def test_a_program_of_others_is_not_run_again(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("what the prompt says of an end does not depend on the agent")
    jvm = await start_jvm(debuggee("basics", "Loop"))
    async with jvmdebug_command("attach", str(await jvm.port())) as shell:
        shell.type("run")
        await shell.see(r"^The program has ended\.$")
        shell.type("run")
        await shell.see(
            r"^the program has ended; it was not launched from here: start it and attach"
        )
        shell.type("quit")
        await shell.end()
