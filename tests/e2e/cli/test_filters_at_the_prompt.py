# SPDX-License-Identifier: Apache-2.0
"""`break` at the prompt: only hits of one thread, and of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee
from tests.support.prompt import jvmdebug_command, launch_options

if TYPE_CHECKING:
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
