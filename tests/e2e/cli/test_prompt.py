# SPDX-License-Identifier: Apache-2.0
"""The `jvmdebug` command with typed input, on a real VM."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG, TIMEOUT_S, jvmdebug_command, launch_options

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_session_at_the_prompt(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("basics", "Loop")
    async with jvmdebug_command(*launch_options(jdk, agent_kind, "basics", "Loop")) as shell:
        await shell.see(r"held before its first instruction")
        shell.type(f"break Loop.java:{program.marker('squared')} if number == 3")
        await shell.see(r"Breakpoint 1: Loop\.java:\d+ -> pending")
        shell.type("run")
        await shell.see(r"Breakpoint 1: Loop\.java:\d+ -> Loop\.square\(Loop\.java:\d+\)$")
        await shell.see(r"Breakpoint 1, Loop\.square\(Loop\.java:\d+\), thread main")
        await shell.see(r"return result; // @squared")
        shell.type("locals")
        await shell.see(r"^number = 3$")
        await shell.see(r"^result = 9$")
        shell.type("print number * 2 + calls")
        await shell.see(r"^10 .*int")
        shell.type("set result = 100")
        await shell.see(r"^result = 100$")
        shell.type("where")
        await shell.see(r"^\* #0 +Loop\.square\(Loop\.java:\d+\)\n +#1 +Loop\.main\(Loop\.java")
        shell.type("up")
        await shell.see(r"#1 Loop\.main")
        shell.type("print i")
        await shell.see(r"^3 ")
        shell.type("threads")
        await shell.see(r"^\* \d+ +main +stopped")
        shell.type(f"redefine {program.class_path[0] / 'Loop.class'}")
        await shell.see("^redefined: Loop$")
        shell.type("finish")
        await shell.see(r"Loop\.main\(Loop\.java")
        shell.type("next")
        await shell.see(r"loop\.add\(square\)")
        shell.type("step")
        await shell.see(r"Loop\.add\(Loop\.java")
        shell.type("list")
        await shell.see(r"^-> +\d+ +long before = total;")
        shell.type("pop")
        await shell.see(r"Popped, Loop\.main")
        shell.type("delete all")
        shell.type("continue")
        # 0 + 1 + 4 + 100 + 16: the value that was set has been added, once.
        await shell.see(r"^summing 121 120$")
        await shell.see(r"The program has ended with exit code 0")
        shell.type("quit")
        assert await shell.end() == 0


async def test_a_forced_return(jdk: Jdk, agent_kind: AgentKind) -> None:
    options = launch_options(jdk, agent_kind, "basics", "Loop")
    commands = ["tbreak Loop#factorial", "run", "return 7L", "continue"]
    typed = [part for text in commands for part in ("--command", text)]
    async with jvmdebug_command(*options, *typed, "--batch") as shell:
        await shell.see(r"Returned, Loop\.main")
        await shell.see(r"^summing 30 7$")
        assert await shell.end() == 0


async def test_a_jump(jdk: Jdk) -> None:
    program = debuggee("jumps", "Around")
    line = program.marker
    options = launch_options(jdk, "jvmdebug", "jumps", "Around")
    commands = [f"tbreak Around.java:{line('counted-from')}", "run", f"jump {line('counted-to')}"]
    commands += ["jump 1", "jump x", "print total", "continue"]
    typed = [part for text in commands for part in ("--command", text)]
    async with jvmdebug_command(*options, *typed, "--batch") as shell:
        await shell.see(rf"Jumped, Around\.counted\(Around\.java:{line('counted-to')}\)")
        await shell.see(r"cannot jump to line 1: no code of counted begins there")
        await shell.see(r"give a line of the current method: `jump 42`")
        await shell.see(r"^10 ")
        await shell.see(rf"^{4 * 110 + 6 + 10}$")
        await shell.end()


async def test_catch_before_run_and_later(jdk: Jdk) -> None:
    options = launch_options(jdk, "jvmdebug", "exceptions", "Exceptions")
    async with jvmdebug_command(*options) as shell:
        shell.type("tbreak Exceptions#divide")
        await shell.see("Breakpoint 1: .* -> pending")
        shell.type("catch uncaught")
        await shell.see(r"^Breakpoint 2: ")
        shell.type("run")
        await shell.see(r"Breakpoint 1, Exceptions\.divide")
        shell.type("continue")
        await shell.see(r"^Exception \(uncaught\) .*/ by zero")
        shell.type("quit")
        await shell.end()
    typed = ["--command", "tbreak Exceptions#main", "--command", "run", "--command", "catch"]
    for mode in ("fast", "full"):
        async with jvmdebug_command(*options, "--mode", mode, *typed, "--batch") as shell:
            await shell.see(r"^Breakpoint 2: java\.lang\.Throwable")
            await shell.end()


async def test_ctrl_c_stops_a_running_program(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with jvmdebug_command(*launch_options(jdk, agent_kind, "threads", "Deadlock")) as shell:
        shell.type("run")
        await shell.see(r"^deadlocked$")
        shell.process.send_signal(signal.SIGINT)
        await shell.see(r"Paused")
        shell.type("threads")
        await shell.see(r"\d+ +one +monitor +Deadlock\.")
        shell.type("kill")
        await shell.see(r"The program has ended")
        shell.type("quit")
        await shell.end()


async def test_ctrl_c_gives_up_an_evaluation_and_errors_have_a_place(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("the JDK's own agent can stop no method that it runs for the debugger")
    options = launch_options(jdk, agent_kind, "safety", "Safety")
    async with jvmdebug_command(*options) as shell:
        shell.type(f"break Safety.java:{debuggee('safety', 'Safety').marker('here')}")
        shell.type("run")
        await shell.see(r"Breakpoint 1, Safety\.main")
        shell.type("print number + nuber")
        await shell.see(r"^error: there is no variable or class nuber here; did you mean number")
        await shell.see(r"^  number \+ nuber\n {11}\^$")
        shell.type("print fail(0)")
        await shell.see(r"^error: .*fail\(int\) threw java\.lang\.IllegalStateException: told$")
        await shell.see(r"^    at Safety\.fail\(Safety\.java:\d+\)$")
        await shell.see(r"^Caused by: java\.lang\.NullPointerException")
        shell.type("print stubborn()")
        await shell.see(r"^stubborn$")
        shell.process.send_signal(signal.SIGINT)
        await shell.see(r"^Interrupted\.$")
        shell.type("set number += 1")
        await shell.see(r"^number = 6$")
        shell.type("print inside(number)")
        await shell.see(r"^7  \(int\)")
        shell.type("print System.gc()")
        await shell.see(r"^\(no value: the method is void\)$")
        shell.type("kill")
        shell.type("quit")
        await shell.end()


async def test_attach_and_leave(start_jvm: StartJvm, agent_kind: AgentKind) -> None:
    program = debuggee("basics", "Loop")
    jvm = await start_jvm(program)
    source = ["--source-path", str(program.source_dir)]
    async with jvmdebug_command("attach", str(await jvm.port()), *source) as shell:
        await shell.see(
            r"Attached, through " + ("jvmdebug's" if agent_kind == "jvmdebug" else "the JDK")
        )
        shell.type("break Loop#add")
        shell.type("run")
        await shell.see(r"Breakpoint 1, Loop\.add")
        shell.type("quit")
        assert await shell.end() == 0
    # Leaving lets the program run on to its end, with nothing left suspended.
    await jvm.wait_for("summing 30 120")


async def test_a_program_that_was_attached_to_is_stopped_and_waited_for(
    start_jvm: StartJvm,
) -> None:
    program = debuggee("script", "Spin")
    jvm = await start_jvm(program, suspend=False)
    source = ["--source-path", str(program.source_dir)]
    async with jvmdebug_command("attach", str(jvm.pid), *source) as shell:
        await shell.see(r"^Attached, through ")
        shell.type("where")
        await shell.see(r"^the program is running; `pause` stops it")
        shell.type("pause")
        await shell.see(r"^Paused, ")
        shell.type("pause")
        await shell.see(r"^the program is stopped already")
        shell.type("info locals")
        await shell.see(r"^(no variables here|\w+ = .*)$")
        shell.type("locals nothing")
        await shell.see(r"^there is no local variable 'nothing' here, but ")
        # A stop that comes while a command is waited for is shown at once.
        shell.type("break Spin:round")
        await shell.see(r"^Breakpoint 1: Spin#round -> ")
        shell.type("continue")
        await shell.see(r"^Breakpoint 1, Spin\.round")
        shell.type("delete 1")
        shell.type("continue")
        await shell.interrupt(r"^Paused, ")
        shell.type("kill")
        assert "lost" not in (await shell.see(r"^(.*\n)*The program has ended"))[0]
        shell.type("quit")
        await shell.end()


async def test_ctrl_c_at_the_prompt_stops_a_program_that_runs(
    start_jvm: StartJvm,
) -> None:
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    async with jvmdebug_command("attach", str(await jvm.port())) as shell:
        await shell.see(r"^Attached, through ")
        shell.type("help pause")
        await shell.see(r"Stop the program where it is")
        await shell.interrupt(r"^Paused, ")
        shell.type("break Spin#round")
        await shell.see(r"^Breakpoint 1: ")
        shell.type("continue")
        await shell.see(r"^Breakpoint 1, Spin\.round")
        shell.type("quit")
        await shell.end()


async def test_a_stop_at_the_prompt_is_shown(start_jvm: StartJvm) -> None:
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    async with jvmdebug_command("attach", str(await jvm.port())) as shell:
        await shell.see(r"^Attached, through ")
        shell.type("tbreak Spin#round")
        await shell.see(r"^Breakpoint 1, Spin\.round")
        shell.type("locals")
        await shell.see(r"= |no variables here")
        shell.type("quit")
        assert await shell.end() == 0


@pytest.mark.parametrize(("code", "expected"), [("0", 0), ("3", 3)])
async def test_a_batch_ends_with_the_program_s_exit_code(
    jdk: Jdk, code: str, expected: int
) -> None:
    options = launch_options(jdk, "jvmdebug", "basics", "Hello")
    async with jvmdebug_command(*options, "--batch", "--command", "run", code) as shell:
        await shell.see(rf"has ended with exit code {code}")
        assert await shell.end() == expected


async def test_invalid_commands_are_explained() -> None:
    program = debuggee("basics", "Loop")
    async with jvmdebug_command("launch", "Loop", "-cp", program.class_path[0]) as shell:
        for typed, answer in (
            ("frobnicate", "there is no command 'frobnicate'"),
            ("info b", "^no breakpoints$"),
            ("where", "the program has not been started; set breakpoints, then `run`"),
            ("break", "break where\\?"),
            ("break 12", "^Breakpoint 1: Loop:12 -> pending, no class of Loop is loaded$"),
            ("disable", "disable which\\? `disable 1`, `disable all`"),
            ("print/z 1", "`print` knows /x, /r, /s and /f, not /z"),
            ("break Loop.java:zero", "(?i)loop\\.java:zero"),
            ("set x", "write it as an assignment"),
            ("d 9", "there is no breakpoint '9'"),
            ("help break", "break SPEC \\[thread NUMBER\\|NAME\\]"),
            ("break Loop:nothing", "^Breakpoint 2: Loop#nothing -> pending"),
            ("threads 1", "^`threads` takes nothing after it, not '1'$"),
            ("info", "^info about what\\? breakpoints, frame, locals, stack, statics, threads$"),
            ("info locals", "^the program has not been started"),
            ("pause", "^the program has not been started"),
            ("l", "^the program has not been started"),
        ):
            shell.type(typed)
            await shell.see(answer)
        shell.type("quit")
        await shell.end()


@pytest.mark.parametrize("text", ["help step", ""])
async def test_commands_come_from_a_file_too(tmp_path: Path, text: str) -> None:
    commands = tmp_path / "commands"
    commands.write_text(text)
    command = (JVMDEBUG, "launch", "Loop", "-cp", debuggee("basics", "Loop").class_path[0])
    with (commands if text else Path(os.devnull)).open() as given:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=given,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed, _ = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert "Traceback" not in printed.decode()
    assert ("step [COUNT]" in printed.decode()) == bool(text)
    assert process.returncode == 0


async def test_commands_that_are_there_at_once_are_all_run() -> None:
    program = debuggee("basics", "Loop")
    async with jvmdebug_command("launch", "Loop", "-cp", program.class_path[0]) as shell:
        assert shell.process.stdin is not None
        shell.type("run\nhelp step\nhelp next")
        shell.process.stdin.close()
        await shell.see(r"step \[COUNT\](.*\n)*next \[COUNT\]")
        assert await shell.end() == 0


async def test_a_program_that_cannot_start_says_why() -> None:
    async with jvmdebug_command("launch", "NoSuchClass", "--batch", "-c", "run") as shell:
        await shell.see("NoSuchClass")
        await shell.end()


async def test_values_at_the_prompt(jdk: Jdk) -> None:
    program = debuggee("values", "values.Main")
    if jdk.version < program.release:
        pytest.skip(f"debuggee {program.topic} needs Java {program.release}")
    options = launch_options(jdk, "jvmdebug", "values", "values.Main")
    async with jvmdebug_command(*options) as shell:
        await shell.see(r"held before its first instruction")
        shell.type(f"break values/Main.java:{program.marker('inside')}")
        shell.type("run")
        await shell.see(r"return here; // @inside")
        shell.type("locals")
        await shell.see(r'^this = Main\$1@(.*\n)*word = "argument"\nargument = 1\n')
        shell.type("statics")
        await shell.see(r"values\.Main\$1 has no static fields")
        shell.type("print/x field + 1")
        await shell.see(r"^0xb ")
        shell.type("finish")
        await shell.see(r"Main\.run|toString")
        shell.type("finish")
        await shell.see(r"Main\.run\(Main\.java")
        shell.type("statics")
        await shell.see(r'^made = 3\nTITLE = "title"$')
        shell.type("print deque")
        await shell.see(r"^ArrayDeque\(2\) \{1, 2\}.*\n  \[0\] = 1\n  \[1\] = 2$")
        shell.type("print /r /x deque")
        await shell.see(r"^  head = 0x0$")
        shell.type('p/f "ab".repeat(1100)')
        await shell.see(r"^(ab){1100}$")
        shell.type("p/s talking")
        await shell.see(r'^"talking" ')
        shell.type("p/s talkin")
        await shell.see(r"^  talkin\n  \^$")
        shell.type("list 99999")
        await shell.see(r"^Main\.java has no more lines than \d+$")
        shell.type("stepi")
        await shell.see(r"^   => +\d+: \w+")
        shell.type("quit")
        assert await shell.end() == 1  # `statics` had nothing to show once
