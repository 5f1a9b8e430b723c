# SPDX-License-Identifier: Apache-2.0
"""What submitted a task, below stacks: `jvmdebug threads --origins`, `stacks` at the prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jvmdebug_cli.exit_codes import WRONG_USAGE
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.prompt import ask, jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.support.jdks import Jdk


async def test_a_dump_of_a_program_that_runs(jdk: Jdk) -> None:
    program = debuggee("origins", "Waiting")
    line = program.marker("submits")
    async with bare_program(jdk, "-XX:+EnableDynamicAgentLoading", program=program) as running:
        words = ["threads", str(running.pid), "--origins", "1"]
        code, output, errors = await ask(*words)
        assert code == 0, errors
        assert "    submitted to ThreadPoolExecutor by thread main:\n" in output
        assert f"        at Waiting.main(Waiting.java:{line})\n" in output
        code, output, errors = await ask(*words, "--variables", "1", "--json")
        assert code == 0, errors
        threads = json.loads(output)["threads"]
        assert any(each["origins"] for each in threads)
        code, _, errors = await ask(*words, "--consistency", "none")
        assert code == WRONG_USAGE
        assert "--origins needs --consistency all" in errors


async def test_stacks_at_the_prompt(jdk: Jdk) -> None:
    program = debuggee("origins", "Origins")
    options = launch_options(jdk, "jvmdebug", "origins", "Origins")
    async with jvmdebug_command(*options, "--", "executor") as shell:
        shell.type(f"break Origins.java:{program.marker('reached')}")
        shell.type("origins")
        await shell.see("submitted from now on are known")
        shell.type("run")
        await shell.see("Breakpoint 1, ")
        shell.type("stacks 1")
        line = program.marker("executor")
        await shell.see(
            r"^\* thread pool-1-thread-1 .*\n.*\n(  … .*\n)?"
            r"submitted to ThreadPoolExecutor by thread main\n"
            rf"(.*\n)*?    Origins\.executor\(Origins\.java:{line}\)$"
        )
        shell.type("kill")
        shell.type("quit")
        await shell.end()
