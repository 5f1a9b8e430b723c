# SPDX-License-Identifier: Apache-2.0
"""The prompt as somebody uses it who sits at a terminal: keys, history, what stops show."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.prompt import TIMEOUT_S, jvmdebug_command, launch_options
from tests.support.pty_terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

PROMPT = r"\(jvmdebug\)\s"
UP = "\x1b[A"


async def test_tab_completes_what_fits_there(jdk: Jdk, tmp_path: Path) -> None:
    """Classes of the class path before anything is loaded; the history is there the next time."""
    program = debuggee("basics", "Loop")
    state = {"XDG_STATE_HOME": str(tmp_path)}
    options = launch_options(jdk, "jvmdebug", "basics", "Loop")
    async with at_terminal(*options, env=state) as terminal:
        await terminal.see("held before its first instruction")
        await terminal.see(PROMPT)
        terminal.type("tbr\t")
        await terminal.see("eak")
        terminal.type("Loop#squ\t")
        await terminal.see("are")
        terminal.type("\r")
        await terminal.see(r"Breakpoint 1: Loop#square -> pending")
        terminal.type("display number * 2\r")
        terminal.type("run\r")
        await terminal.see(r"Breakpoint 1, Loop\.square")
        await terminal.see(r"->\s+\d+ .*\n\s+\d+ ")  # lines around the current one
        await terminal.see(r"1: number \* 2 = 0")
        terminal.type("locals numb\t")
        await terminal.see("er")
        terminal.type("\r")
        await terminal.see(r"number = 0")
        terminal.type("print Math.max(\r")  # the bracket is open: another line
        terminal.type("number, 7)\r")
        await terminal.see(r"7  \(int\)")
        terminal.type(f"break Loop.java:{program.marker('squared')}\r")
        await terminal.see(r"Breakpoint 2: ")
        terminal.type("delete \t")
        await terminal.see("2")
        terminal.type("\r")
        terminal.type("breakpoints\r")
        await terminal.see(r"no breakpoints")
        terminal.type("print 1 +\x03")  # Ctrl-C drops what is typed
        terminal.type("quit\r")
        assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0
    assert (tmp_path / "jvmdebug" / "history").stat().st_mode & 0o077 == 0
    async with at_terminal(*options, env=state, width=60) as terminal:
        await terminal.see("held before its first instruction")
        await terminal.see(PROMPT)
        terminal.type(f"{UP}{UP}{UP}\r")
        await terminal.see(r"there is no breakpoint '2'")
        terminal.type("quit\r")
        assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0


async def test_breakpoints_with_commands(jdk: Jdk) -> None:
    """Run at each stop, in order; `continue` goes on, and the next hit runs them again."""
    line = debuggee("basics", "Loop").marker("squared")
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "basics", "Loop")) as shell:
        for typed in (
            f"break Loop.java:{line}",
            *("commands", "silent", "print number * 1000", "continue", "end"),
            *("tbreak Loop#factorial", "display n + 40", "run"),
        ):
            shell.type(typed)
        await shell.see(r"^1000  \(int\)\n2000  \(int\)\n3000  \(int\)\n")
        await shell.see(r"^Breakpoint 2, Loop\.factorial(.*\n)+1: n \+ 40 = 4\d$")
        for typed, answer in (
            ("info b", r"^1 +Loop\.java:\d+ +5 .*\n +> silent\n +> print number \* 1000\n"),
            ("condition 1 number > 3", r"^Breakpoint 1: Loop\.java"),
            ("condition 9", r"^there is no breakpoint '9'"),
            ("ignore 1 2", r"^Breakpoint 1 stops after 2 more hits\.$"),
            ("ignore 1", r"^ignore which breakpoint how often\?"),
            ("undisplay 7", r"^there is no display '7'"),
            ("displays", r"^1: n \+ 40 = 4"),
            ("args", r"^n = \d$"),
            ("methods Loop", r"^  static int square\(int\)$"),
            ("class Nope", r"^error: |^no class Nope is loaded"),
            ("classes Loo", r"^Loop$"),
            ("stacks 1", r"^\* thread main \(\w+\)\n\* #0 +Loop\.factorial"),
            ("source /no/file", r"^cannot read the commands in /no/file"),
        ):
            shell.type(typed)
            await shell.see(answer)
        shell.type("quit")
        await shell.end()


async def test_ctrl_c_stops_a_program_that_was_attached_to(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    """Each press has its effect: at the prompt, behind a command, while the program runs."""
    if agent_kind == "stock":
        pytest.skip("what the terminal's keys do does not depend on the agent")
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    async with at_terminal("attach", str(jvm.pid)) as terminal:
        await terminal.see("Attached, through ")
        await terminal.see(PROMPT)
        terminal.type("print 1\x03")  # only drops what is typed
        await terminal.see(PROMPT)
        terminal.type("\x03")
        await terminal.see("Paused, ")
        for _ in range(5):
            await terminal.see(PROMPT)
            terminal.type("continue\r\x03")  # before the command has begun, or at any time after
            await terminal.see("Paused, |Interrupted")
            await terminal.see(PROMPT)
            terminal.type("print 6 * 7\r")  # it is stopped in either case
            await terminal.see(r"42  \(int\)")
        await terminal.see(PROMPT)
        terminal.type("continue\r")
        await terminal.see(PROMPT)  # what is typed is not the input of the program
        terminal.type("pause\r")
        await terminal.see("Paused, ")
        terminal.type("detach\r")
        assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0
    assert jvm.exit_code is None


async def test_commands_of_a_breakpoint_run_while_the_prompt_is_open(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    """A stop that nothing shows must not hold a program that was attached to."""
    if agent_kind == "stock":
        pytest.skip("what the terminal's keys do does not depend on the agent")
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    async with at_terminal("attach", str(jvm.pid)) as terminal:
        await terminal.see(PROMPT)
        lines = ("break Spin#round if rounds % 50 == 0", "commands", "silent", "print rounds")
        for typed in (*lines, "continue", "end"):
            terminal.type(f"{typed}\r")
        for _ in range(3):
            await terminal.see(r"\d+0  \((int|long)\)")
        terminal.type("pause\r")
        await terminal.see("Paused, ")
        terminal.type("quit\r")
        assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0
    assert jvm.exit_code is None


async def test_a_batch_without_commands_runs_the_program(jdk: Jdk) -> None:
    for extra, code in (((), 0), (("3",), 3)):
        options = launch_options(jdk, "jvmdebug", "basics", "Hello")
        async with jvmdebug_command(*options, "--batch", *extra) as shell:
            await shell.see(rf"has ended with exit code {code}")
            assert await shell.end() == code


async def test_counts(jdk: Jdk) -> None:
    """`up`, `down` and `continue` take how often, as in gdb and jdb."""
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "basics", "Loop")) as shell:
        for typed, answer in (
            ("break Loop#square", r"^Breakpoint 1: Loop#square -> pending"),
            ("run", r"^Breakpoint 1, Loop\.square"),
            ("continue x", r"^'x' is not a number of times$"),
            ("continue 3", r"^Breakpoint 1, Loop\.square"),
            ("breakpoints", r"^1 +Loop#square +4 "),
            ("up 99", r"^#\d+ Loop\.main"),
            ("up", r"^this is the outermost frame$"),
            ("down 99", r"^#0 Loop\.square"),
            ("down", r"^this is the topmost frame$"),
            ("jump 5", r"^there is no command 'jump'; `pop` goes back before the call"),
        ):
            shell.type(typed)
            await shell.see(answer)
        shell.type("quit")
        await shell.end()
