# SPDX-License-Identifier: Apache-2.0
"""Breakpoints of all kinds at the prompt: only hits of one thread, and of one object."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee
from tests.support.prompt import TIMEOUT_S, jvmdebug_command, launch_options
from tests.support.pty_terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk


async def test_breakpoints_of_one_thread_and_of_one_object(jdk: Jdk) -> None:
    marker = debuggee("received", "Received").marker
    options = launch_options(jdk, "jvmdebug", "received", "Received")
    async with jvmdebug_command(*options, "--", "3") as shell:
        shell.type(f"break Received.java:{marker('priced')} if times == 3")
        shell.type("run")
        await shell.see(r"Received\.priced\(Received\.java:\d+\), thread Thread-\d")
        shell.type("delete 1")
        price = f"Received.java:{marker('price')}"
        shell.type(f"break {price} thread nobody")
        await shell.see("^there is no thread nobody; `threads` lists them$")
        shell.type(f"break {price} thread")
        await shell.see("^which thread")
        shell.type(f"break {price} thread Thread-2 if calls > 1")
        await shell.see(r"^Breakpoint 2: ")
        shell.type(f"break {price} instance each[1] if calls == 1")
        await shell.see(r"^Breakpoint 3: ")
        shell.type("breakpoints")
        await shell.see(r"only thread \d+")
        await shell.see(r"only object @\w+")
        for _ in range(4):
            shell.type("continue")
            await shell.see(r"^Breakpoint [23]")
        shell.type("continue")
        await shell.see("^done$")
        shell.type("quit")
        await shell.end()


async def test_log_points_watches_and_exceptions_of_one_thread_and_of_one_object(jdk: Jdk) -> None:
    ready = debuggee("filtered", "Filtered").marker("ready")
    add, balance = "Filtered$Account#add", "Filtered$Account.balance"
    expected = "java.lang.IllegalStateException"
    filters = ("thread", "thread", "object", "object", "thread")
    async with jvmdebug_command(*launch_options(jdk, "jvmdebug", "filtered", "Filtered")) as shell:
        shell.type(f"tbreak Filtered.java:{ready}")
        shell.type("run")
        await shell.see(r"Filtered\.main\(Filtered\.java:\d+\), thread main")
        for typed, answer in (
            (f"log {add} thread 3", "where does the message begin"),
            (f"log {add} thread -- added", "which thread"),
            (f"log {add} --", "log what where"),
            (f"log {add} thread nobody -- added", "there is no thread nobody"),
            (f"watch {balance} thread nobody", "there is no thread nobody"),
            (f"watch {balance} instance args.length", "error: .* its value is no object"),
            (f"watch {balance} balance", "watch which field"),
            ("catch thread nobody", "there is no thread nobody"),
            ("catch instance", "which object"),
            ("catch none thread 3", "`catch none` takes nothing after it, not 'thread 3'"),
            ("catch none", "An exception that nothing catches does not stop"),
            (f"log {add} thread the second if amount == 2 -- added {{amount}}", "Breakpoint 2: "),
            (f"watch {balance} thread the second instance second if $new == 3", "Breakpoint 3: "),
            (f"catch caught {expected} instance second if second.balance == 7", "Breakpoint 4: "),
            ("catch uncaught thread the second", "Breakpoint 5: "),
        ):
            shell.type(typed)
            await shell.see(f"^{answer}")
        shell.type("breakpoints")
        for each in ("if amount == 2", "log added", *(f"only {of}" for of in filters)):
            await shell.see(each)
        for stop in (
            r"Breakpoint 3, Filtered\$Account\.balance: 1 -> 3, .*, thread the second",
            r"Exception \(caught\) IllegalStateException.*, thread the second",
            r"Exception \(uncaught\) IllegalArgumentException",
        ):
            shell.type("continue")
            await shell.see(stop)
        shell.type("breakpoints")
        await shell.see(r"^2 +Filtered\$Account#add +10 ")
        shell.type("continue")
        await shell.see("^done$")
        shell.type("quit")
        await shell.end()


async def test_tab_behind_the_place(jdk: Jdk, tmp_path: Path) -> None:
    ready = debuggee("filtered", "Filtered").marker("ready")
    options = launch_options(jdk, "jvmdebug", "filtered", "Filtered")
    async with at_terminal(*options, env={"XDG_STATE_HOME": str(tmp_path)}) as terminal:
        await terminal.see("held before its first instruction")
        terminal.type(f"tbreak Filtered.java:{ready}\r")
        terminal.type("run\r")
        await terminal.see(r"Breakpoint 1, Filtered\.main")
        for typed, completed, rest, shown in (
            ("watch Filtered$Account.balance thread the\t", "second", "", "Breakpoint 2: "),
            ("catch instance seco\t", "nd", "", "Breakpoint 3: "),
            ("catch thread the\t", "second", " if $exception == null", "Breakpoint 4: "),
            ("log Filtered$Account#add {late\t", "st", "[0]}", "Breakpoint 5: "),
            ("log Filtered$Account#add thread the\t", "second", " -- x", "Breakpoint 6: "),
        ):
            await terminal.see(r"\(jvmdebug\)")  # behind what names the same
            terminal.type(typed)
            await terminal.see(completed)
            terminal.type(f"{rest}\r")
            await terminal.see(shown)
        terminal.type("breakpoints\r")
        await terminal.see(r"only thread")
        terminal.type("quit\r")
        assert await asyncio.wait_for(terminal.process.wait(), TIMEOUT_S) == 0
